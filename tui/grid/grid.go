package grid

import (
	"time"

	"signalbox/tui/style"
)

// Grid is the arranged board at one size, with a selection and a scroll position. Its zero value
// is not ready; use New.
type Grid struct {
	style    *style.Style
	width    int
	height   int
	cols     int
	home     string
	grouped  bool // sections are not sessions, and rows say what that leaves open
	sections []Section
	layout   layout
	top      int  // first visible line
	fresh    bool // nothing was drawn at this size: the selection has no line to keep

	selected string // key of the selected cell, or of a folded section
	behind   string // key of the cell that was selected when its section was folded
	goal     int    // column that up and down aim for
	order    []string
	labels   map[string]string
	unsent   map[string]Unsent
	query    Query // what the cells were found by

	gen    uint64 // grows with everything that changes every row: size, columns, style
	cells  map[string]*row
	titles map[string]*titleRow
	buf    []byte
	builds int
}

// New returns an empty grid. home is shown as ~ in the rows.
func New(s *style.Style, home string) *Grid {
	return &Grid{style: s, home: home, cells: make(map[string]*row), titles: make(map[string]*titleRow)}
}

// Builds is how many rows were built since the grid was made. Tests hold it to account.
func (g *Grid) Builds() int { return g.builds }

// SetStyle changes the look.
func (g *Grid) SetStyle(s *style.Style) {
	g.style = s
	g.gen++
}

// Columns is how many columns the grid has now.
func (g *Grid) Columns() int { return g.cols }

// SetSize gives the grid its rectangle and its number of columns; see Columns.
func (g *Grid) SetSize(width, height, cols int) {
	if width == g.width && height == g.height && cols == g.cols {
		return
	}
	if width != g.width {
		g.layout.nameW, g.layout.indexW = 0, 0
	}
	g.width, g.height, g.cols = max(width, 0), max(height, 0), cols
	if g.width == 0 {
		g.top, g.fresh = 0, true
	}
	g.arrange()
}

// Roomy reports whether rows have two lines.
func (g *Grid) Roomy() bool { return g.layout.roomy }

// SetRoomy gives rows a second line or takes it away; see Roomy. The sections have to be set after it.
func (g *Grid) SetRoomy(on bool) {
	if g.layout.roomy != on {
		g.layout.roomy = on
		g.gen++
	}
}

// SetSections replaces what is shown. grouped says that the sections are not sessions: the columns of
// their rows have widths of their own. The selection stays on its cell, and the cell on its
// line of the screen; when it is gone the nearest neighbour in the order there was takes over.
func (g *Grid) SetSections(sections []Section, grouped bool) {
	if grouped != g.grouped {
		g.grouped = grouped
		g.layout.indexW, g.layout.nameW = 0, 0
		g.gen++
	}
	before, was := g.selected, g.line()
	g.sections = sections
	g.arrange()
	g.reselect()
	g.remember()
	if at := g.line(); g.selected == before && was >= 0 && at >= 0 && !g.fresh {
		if top := g.top + at - was; g.top > 0 || !g.titlesOnly(top) {
			g.top = top // a title alone is not scrolled away from a board that stands at its beginning
		}
	}
	if g.fresh {
		g.top, g.fresh = 0, false
	}
	g.keepVisible()
	g.prune()
}

// Rest shows the beginning of the grid. It is for orders in which the most urgent stands first, while
// nobody is at the board: whoever begins to wait is then seen, where a selection that stayed on its line
// would leave them above the edge. The first cell is selected then, or without always only where the
// selection would be out of sight. It reports whether the selection moved.
func (g *Grid) Rest(always bool) bool {
	g.top = 0
	if at := g.line(); at < g.shown() && !always {
		return false
	}
	before := g.selected
	g.each(func(key string, _ Cell) bool {
		g.selected = key
		return false
	})
	g.aim()
	g.keepVisible() // on a single line there is no room for the title above it
	return g.selected != before
}

// titlesOnly reports whether there is no row above line n.
func (g *Grid) titlesOnly(n int) bool {
	for _, l := range g.layout.lines[:clamp(n, 0, len(g.layout.lines))] {
		if l.kind != lineTitle {
			return false
		}
	}
	return true
}

// line is the line of the selection, -1 without one.
func (g *Grid) line() int {
	at, _ := g.find()
	return at
}

func (g *Grid) arrange() {
	before := [...]int{g.layout.cols, g.layout.cellW, g.layout.indexW, g.layout.nameW}
	g.layout.measure(g.sections, g.width, g.cols)
	g.layout.place(g.sections, g.height)
	if before != [...]int{g.layout.cols, g.layout.cellW, g.layout.indexW, g.layout.nameW} {
		g.gen++
	}
	g.keepVisible()
}

// remember notes the order of the cells, to find a neighbour should the selected one go.
func (g *Grid) remember() {
	g.order = g.order[:0]
	g.each(func(key string, _ Cell) bool {
		g.order = append(g.order, key)
		return true
	})
}

// each calls f for everything that can be selected, in order, until it returns false.
func (g *Grid) each(f func(key string, c Cell) bool) {
	for i := range g.sections {
		s := &g.sections[i]
		if s.Folded {
			if !f(s.Key, s.Lead) {
				return
			}
			continue
		}
		for _, c := range s.Cells {
			if !f(c.Key, c) {
				return
			}
		}
	}
}

func (g *Grid) reselect() {
	if g.has(g.selected) {
		return
	}
	// Folding takes a cell away without its window being gone: its section stands for it.
	for i := range g.sections {
		s := &g.sections[i]
		switch {
		case s.Folded && s.holds(g.selected):
			g.behind, g.selected = g.selected, s.Key
			return
		case !s.Folded && s.Key == g.selected:
			g.selected = s.Lead.Key
			if s.holds(g.behind) {
				g.selected = g.behind
			}
			return
		}
	}
	g.selected = g.neighbour()
}

// neighbour is what stood nearest to the lost selection and is still there: first those after it,
// then those before.
func (g *Grid) neighbour() string {
	alive := make(map[string]bool)
	first := ""
	g.each(func(key string, _ Cell) bool {
		if first == "" {
			first = key
		}
		alive[key] = true
		return true
	})
	at := -1
	for i, key := range g.order {
		if key == g.selected {
			at = i
		}
	}
	if at < 0 {
		return first
	}
	for d := 1; d < len(g.order); d++ {
		if at+d < len(g.order) && alive[g.order[at+d]] {
			return g.order[at+d]
		}
		if at-d >= 0 && alive[g.order[at-d]] {
			return g.order[at-d]
		}
	}
	return first
}

func (g *Grid) has(key string) bool {
	found := false
	g.each(func(k string, _ Cell) bool {
		found = k == key
		return !found
	})
	return found
}

// Selected is the selected cell and whether there is one. On a folded section it is the cell that
// leads it.
func (g *Grid) Selected() (Cell, bool) {
	var cell Cell
	found := false
	g.each(func(key string, c Cell) bool {
		if key == g.selected {
			cell, found = c, true
		}
		return !found
	})
	return cell, found
}

// SelectedKey is the key of the selection: a cell's, or that of a folded section.
func (g *Grid) SelectedKey() string { return g.selected }

// SelectedSection is the section that holds the selection.
func (g *Grid) SelectedSection() (Section, bool) {
	for _, s := range g.sections {
		if s.Key == g.selected && s.Folded {
			return s, true
		}
		for _, c := range s.Cells {
			if c.Key == g.selected {
				return s, true
			}
		}
	}
	return Section{}, false
}

// Select moves the selection to a key and shows it. It reports whether the key is there.
func (g *Grid) Select(key string) bool {
	if !g.has(key) {
		return false
	}
	g.selected = key
	g.aim()
	g.reveal()
	return true
}

// Len is how many things can be selected.
func (g *Grid) Len() int {
	n := 0
	g.each(func(string, Cell) bool { n++; return true })
	return n
}

// SetLabels shows a short label in front of the rows with these keys, or none with nil. A label
// has one or two letters.
func (g *Grid) SetLabels(labels map[string]string) { g.labels = labels }

// Unsent is what a person has written for the agents of a cell and they do not have yet.
type Unsent struct {
	Tasks int  // that wait for their turn
	Draft bool // a text was put aside
}

// SetUnsent says which cells have something of that.
func (g *Grid) SetUnsent(cells map[string]Unsent) { g.unsent = cells }

// Moving reports whether any visible lamp has more than one step.
func (g *Grid) Moving() bool {
	moving := false
	g.visible(func(c Cell) { moving = moving || lampOf(c).Moves() })
	return moving
}

// NextChange is when the first visible age text changes, zero for never.
func (g *Grid) NextChange(now time.Time) time.Time {
	var next time.Time
	g.visible(func(c Cell) {
		if _, valid := Age(now, since(c)); valid > 0 {
			if at := now.Add(valid); next.IsZero() || at.Before(next) {
				next = at
			}
		}
	})
	return next
}

func (g *Grid) visible(f func(Cell)) {
	for _, l := range g.onScreen() {
		switch l.kind {
		case lineCells, lineSolo, lineCardTop:
			for col := range l.count {
				f(*g.cell(l, col))
			}
		case lineTitle:
			if s := g.sections[l.section]; s.Folded {
				f(s.Lead)
			}
		}
	}
}

// prune forgets rows of windows that are long gone.
func (g *Grid) prune() {
	const slack = 64 // entries kept beyond what is shown; a filter that comes and goes rebuilds nothing
	if len(g.cells) < 2*len(g.order)+slack {
		return
	}
	alive := make(map[string]bool, len(g.order))
	for _, key := range g.order {
		alive[key] = true
	}
	for key := range g.cells {
		if !alive[key] {
			delete(g.cells, key)
		}
	}
}
