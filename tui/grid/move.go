package grid

// Direction is one step of the selection.
type Direction uint8

// Directions.
const (
	Up Direction = iota
	Down
	Left
	Right
)

// Move moves the selection n steps, as far as there is something. Up and down keep aiming for the
// column they began in, across shorter lines. It reports whether anything moved.
func (g *Grid) Move(d Direction, n int) bool {
	before := g.selected
	for range max(n, 1) {
		if !g.move(d) {
			break
		}
	}
	g.reveal()
	return g.selected != before
}

func (g *Grid) move(d Direction) bool {
	at, col := g.find()
	if at < 0 {
		return false
	}
	if d == Left || d == Right {
		if d == Left {
			col--
		} else {
			col++
		}
		l := g.layout.lines[at]
		if col < 0 || col >= l.count {
			return false
		}
		g.goal = col
		g.selected = g.keyAt(l, col)
		return true
	}
	delta := 1
	if d == Up {
		delta = -1
	}
	for i := at + delta; i >= 0 && i < len(g.layout.lines); i += delta {
		if l := g.layout.lines[i]; g.selectable(l) {
			g.selected = g.keyAt(l, min(g.goal, max(l.count-1, 0)))
			return true
		}
	}
	return false
}

// First selects the first cell.
func (g *Grid) First() { g.edge(func(int) bool { return false }) }

// Last selects the last cell.
func (g *Grid) Last() { g.edge(func(int) bool { return true }) }

// Nth selects the n-th cell, counting from 1, or the last one there is.
func (g *Grid) Nth(n int) { g.edge(func(seen int) bool { return seen < n }) }

// edge selects the last key for which more says that a further one is wanted.
func (g *Grid) edge(more func(seen int) bool) {
	seen := 0
	g.each(func(key string, _ Cell) bool {
		g.selected = key
		seen++
		return more(seen)
	})
	g.aim()
	g.reveal()
}

// Page moves the selection by about a screenful.
func (g *Grid) Page(d Direction) {
	const overlap = 2 // lines, or cards, that were on the screen before
	g.Move(d, max(g.shown()/g.step()-overlap, 1))
}

// Scroll moves the visible range by n lines, up to whole cards, without moving the selection, unless
// it would leave the screen.
func (g *Grid) Scroll(n int) {
	if over := n % g.step(); over != 0 {
		n += over
	}
	g.scrollTo(g.top + n)
	at, _ := g.find()
	if at < 0 {
		return
	}
	switch last := g.top + g.shown() - 1; {
	case at < g.top:
		g.pick(g.top, 1)
	case at > last:
		g.pick(last, -1)
	}
	g.keepVisible() // where only titles are in sight, the next row is not
}

// pick selects on the first line from at on that can be selected.
func (g *Grid) pick(at, delta int) {
	for i := at; i >= 0 && i < len(g.layout.lines); i += delta {
		if l := g.layout.lines[i]; g.selectable(l) {
			g.selected = g.keyAt(l, min(g.goal, max(l.count-1, 0)))
			return
		}
	}
}

// At is the key of what is drawn at a cell of the grid's rectangle, or "".
func (g *Grid) At(x, y int) string {
	i := g.top + y
	if y < 0 || y >= g.shown() || i >= len(g.layout.lines) || x < 0 || x >= g.width {
		return ""
	}
	l := g.layout.lines[i]
	switch l.kind {
	case lineTitle:
		if g.sections[l.section].Folded {
			return g.sections[l.section].Key
		}
	case lineCells, lineSolo, lineMore:
		if col := (x - indent) / (g.layout.cellW + cellGap); x >= indent && col < l.count {
			return g.keyAt(l, col)
		}
	case lineCardTop, lineCardBottom:
		return g.keyAt(l, 0)
	}
	return ""
}

// TitleAt is the key of the section whose title is drawn at line y, or "".
func (g *Grid) TitleAt(y int) string {
	i := g.top + y
	if y < 0 || y >= g.shown() || i >= len(g.layout.lines) || g.layout.lines[i].kind != lineTitle || g.orphan(i) {
		return ""
	}
	return g.sections[g.layout.lines[i].section].Key
}

// VisibleKeys is what can be selected on the screen, in reading order.
func (g *Grid) VisibleKeys() []string {
	var keys []string
	for _, l := range g.onScreen() {
		if !g.selectable(l) || l.kind == lineCardBottom {
			continue
		}
		for col := range max(l.count, 1) {
			keys = append(keys, g.keyAt(l, col))
		}
	}
	return keys
}

func (g *Grid) selectable(l line) bool {
	switch l.kind {
	case lineCells, lineSolo, lineCardTop:
		return true
	case lineTitle:
		return g.sections[l.section].Folded
	}
	return false
}

func (g *Grid) keyAt(l line, col int) string {
	if l.kind == lineTitle {
		return g.sections[l.section].Key
	}
	return g.cell(l, col).Key
}

// cell is the cell in a column of a line that has cells.
func (g *Grid) cell(l line, col int) *Cell {
	if l.kind == lineSolo || l.kind == lineMore && g.sections[l.section].solo() {
		return &g.sections[l.section+col].Cells[0]
	}
	return &g.sections[l.section].Cells[l.first+col]
}

// orphan reports whether line i is a title with all that it is the title of below the edge of the
// screen. It is not shown: it would tell nothing, and look as if the session were empty.
func (g *Grid) orphan(i int) bool {
	return i == g.top+g.shown()-1 && !g.sections[g.layout.lines[i].section].Folded
}

// find is the line and the column of the selection, or -1.
func (g *Grid) find() (at, col int) {
	for i, l := range g.layout.lines {
		if !g.selectable(l) {
			continue
		}
		for col := range max(l.count, 1) {
			if g.keyAt(l, col) == g.selected {
				return i, col
			}
		}
	}
	return -1, 0
}

func (g *Grid) aim() { _, g.goal = g.find() }

// keepVisible scrolls only if the selection would be out of sight. It is for changes that the person
// did not make: nothing may move that does not have to.
func (g *Grid) keepVisible() {
	top := g.top
	if at := g.line(); at >= 0 && g.height > 0 {
		top = min(max(top, at+g.step()-g.shown()), at)
	}
	g.scrollTo(top)
}

// reveal scrolls as little as is needed to show the selection with a line beyond it, and its
// section's title when that stands right above.
func (g *Grid) reveal() {
	at := g.line()
	if at < 0 || g.height <= 0 {
		g.keepVisible()
		return
	}
	shown, step := g.shown(), g.step()
	first, end := at, at+step
	if at > 0 && g.layout.lines[at-1].kind == lineTitle && shown > step {
		first--
	}
	if spare := scrollSpare * step; shown > 2*spare+end-first {
		first, end = first-spare, end+spare
	}
	g.scrollTo(min(max(g.top, end-shown), first))
}

// scrollTo makes line n the first visible one, as far as there are lines to fill the screen from there,
// and whole cards.
func (g *Grid) scrollTo(n int) {
	n = clamp(n, 0, max(len(g.layout.lines)-g.shown(), 0))
	g.top = n - n%g.step()
}

// step is how many lines one step up or down takes.
func (g *Grid) step() int {
	if g.layout.cards {
		return CardLines
	}
	return 1
}

// shown is how many lines are drawn: as many as there are, but no half of a card, unless there is no
// room for a whole one.
func (g *Grid) shown() int {
	if over := g.height % g.step(); g.height > over {
		return g.height - over
	}
	return g.height
}

// onScreen is what is drawn of the lines.
func (g *Grid) onScreen() []line {
	end := min(g.top+g.shown(), len(g.layout.lines))
	return g.layout.lines[min(g.top, end):end]
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }
