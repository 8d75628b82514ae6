package grid

// Widths of the parts of a row, in cells.
const (
	cellMin     = 38 // a column is never narrower
	cellMax     = 80 // and not wider, as long as a second one fits
	cellGap     = 2  // between columns
	indent      = 1  // at the left edge
	margin      = 1  // at the right edge
	lampAt      = 1  // the bar stands before the lamp
	indexAt     = 3
	nameMin     = 6
	nameMax     = 16
	nameStep    = 4 // the name column grows in steps, so that a renamed window rarely moves the rest
	cardsBelow  = 48
	scrollSpare = 1 // lines, or cards, kept visible beyond the selection
)

// CardLines is how many lines a card has.
const CardLines = 2

// Narrow reports whether a board of this width shows cards instead of columns.
func Narrow(width int) bool { return width < cardsBelow }

// columnRange is the fewest and the most columns for a width.
func columnRange(width int) (fewest, most int) {
	if Narrow(width) {
		return 1, 1
	}
	inner := width - indent - margin + cellGap
	most = max(1, inner/(cellMin+cellGap))
	return min(most, (inner+cellMax+cellGap-1)/(cellMax+cellGap)), most
}

// Columns chooses how many columns a board gets: as few as show everything in height lines, so
// that texts get the room there is, and else as many as fit. A board that shows current columns
// only goes back to fewer when that leaves some lines free: windows come and go all the time, and
// every change of the columns moves everything.
func Columns(sections []Section, width, height, current int) int {
	fewest, most := columnRange(width)
	for n := fewest; n < most; n++ {
		if suffices(sections, height, n, current) {
			return n
		}
	}
	return most
}

// Found chooses how many columns the rows get that a filter found on a board of so many columns. A few
// rows have a line to themselves, to be read to their end. There is no choice between the two, or each
// letter could move everything: it happens once, when little enough is left.
func Found(sections []Section, width, height, columns, current int) int {
	const widest = cellMax * 3 / 2 // a row to be followed from its name to its age
	n := (width - indent - margin + cellGap + widest + cellGap - 1) / (widest + cellGap)
	if n < columns && suffices(sections, height, n, current) {
		return max(n, 1)
	}
	return columns
}

// suffices reports whether n columns show everything, with lines to spare where that is fewer columns
// than there are now.
func suffices(sections []Section, height, n, current int) bool {
	lines, _ := count(sections, max(n, 1), false)
	if n < current {
		lines += spareLines
	}
	return lines <= height
}

// spareLines are left free by a change that moves everything, so that the next window does not undo it.
const spareLines = 3

// lineKind says what a line of the grid holds.
type lineKind uint8

const (
	lineBlank lineKind = iota
	lineTitle
	lineCells
	lineSolo // a row of each of several sections with one window
	lineMore // the other line of the rows above it
	lineCardTop
	lineCardBottom
)

// line is one line of the whole grid, visible or not.
type line struct {
	kind    lineKind
	section int // the first one, on a lineSolo
	first   int // index of its first cell
	count   int // of cells on it; on a lineSolo, of sections
}

// layout is the arithmetic of one size and one arrangement. It is computed when either changes,
// never while drawing.
type layout struct {
	lines  []line
	cards  bool
	roomy  bool // rows have two lines, as cards have
	cols   int
	cellW  int
	indexW int
	nameW  int
}

// measure finds the widths of the index and name columns. They only grow while the size stays the
// same: a window that is renamed must not make the whole board twitch.
func (l *layout) measure(sections []Section, width, cols int) {
	l.cards = Narrow(width)
	l.cols = max(cols, 1)
	l.cellW = max((width-indent-margin-(l.cols-1)*cellGap)/l.cols, 0)
	l.indexW = max(l.indexW, 1)
	name := l.nameW
	for _, s := range sections {
		for _, c := range s.Cells {
			l.indexW = max(l.indexW, indexWidth(c))
			if name < nameMax {
				name = max(name, nameWidth(c))
			}
		}
	}
	l.indexW = min(l.indexW, max(l.cellW/4, 1))
	name = max(name, nameMin)
	name += (nameStep - (name-nameMin)%nameStep) % nameStep
	l.nameW = min(name, nameMax, max(l.cellW/3, 1))
}

// place puts the sections on lines. Blank lines between sections are a luxury for when everything
// fits with them; rows without a title always have one above, or they would seem to belong to the
// session there.
func (l *layout) place(sections []Section, height int) {
	l.lines = l.lines[:0]
	lines, blanks := count(sections, l.cols, l.roomy)
	airy := !l.cards && lines+blanks <= height
	for i := 0; i < len(sections); {
		end := soloRun(sections, i)
		if i > 0 && (airy || end > i) {
			l.lines = append(l.lines, line{kind: lineBlank, section: i})
		}
		if end == i {
			l.placeSection(&sections[i], i)
			i++
			continue
		}
		for ; i < end; i += l.cols {
			l.placeRow(line{kind: lineSolo, section: i, count: min(l.cols, end-i)})
		}
		i = end
	}
}

func (l *layout) placeSection(s *Section, i int) {
	if s.Key != "" {
		l.lines = append(l.lines, line{kind: lineTitle, section: i})
	}
	if s.Folded {
		return
	}
	for c := 0; c < len(s.Cells); c += l.cols {
		if l.cards {
			l.lines = append(l.lines,
				line{kind: lineCardTop, section: i, first: c, count: 1},
				line{kind: lineCardBottom, section: i, first: c, count: 1})
			continue
		}
		l.placeRow(line{kind: lineCells, section: i, first: c, count: min(l.cols, len(s.Cells)-c)})
	}
}

func (l *layout) placeRow(row line) {
	l.lines = append(l.lines, row)
	if l.roomy {
		l.lines = append(l.lines, line{kind: lineMore, section: row.section, first: row.first, count: row.count})
	}
}

// soloRun is the end of the run of sections from i on that are one row each. They share lines as the
// windows of one session do: a title and an empty column for each would waste three quarters of the
// screen for whoever has a session per project. Only neighbours do, so that every session keeps its
// place in the order.
func soloRun(sections []Section, i int) int {
	for i < len(sections) && sections[i].solo() {
		i++
	}
	return i
}

// count is how many lines the sections take at least, with rows of one line or of two, and how many blank
// ones they would like besides.
func count(sections []Section, cols int, two bool) (lines, blanks int) {
	tall := 1
	if two {
		tall = CardLines
	}
	for i := 0; i < len(sections); {
		if end := soloRun(sections, i); end > i {
			if i > 0 {
				lines++
			}
			lines += (end - i + cols - 1) / cols * tall
			i = end
			continue
		}
		s := &sections[i]
		if i > 0 {
			blanks++
		}
		i++
		if s.Key != "" {
			lines++
		}
		if s.Folded {
			continue
		}
		lines += (len(s.Cells) + cols - 1) / cols * tall
	}
	return lines, blanks
}

// Height is how many lines the sections need in so many columns, with air between them.
func Height(sections []Section, width, cols int) int {
	lines, blanks := count(sections, max(cols, 1), Narrow(width))
	return lines + blanks
}

// Roomy reports whether rows get a second line, what their agent was asked: where everything is seen with
// it and with air between the sections. Lines are to spare before it begins, for the reason that Columns
// has.
func Roomy(sections []Section, width, height, cols int, current bool) bool {
	if Narrow(width) {
		return false
	}
	lines, blanks := count(sections, max(cols, 1), true)
	if !current {
		lines += spareLines
	}
	return lines+blanks <= height
}
