package tui

// Sizes of the parts of the screen.
const (
	sideFrom     = 180 // columns: from here the panel stands beside the grid instead of below
	sideLeast    = 74  // columns of a panel at the side
	sideMost     = 112
	panelRows    = 18 // lines: lower screens have no panel
	panelCols    = 48 // columns: narrower screens show cards and no panel
	panelLeast   = 9  // lines of a panel below: four facts and five lines of screen
	gridLeast    = 3
	factsBelow   = 4 // most lines of facts in a panel below the grid
	factsTall    = 8 // the same on a tall screen, and at the side
	tallScreen   = 36
	ruleFromRows = 8 // lines: lower screens do without rules
	footFromRows = 3
)

// rect is a rectangle of the screen in cells.
type rect struct{ x, y, w, h int }

func (r rect) has(x, y int) bool { return x >= r.x && x < r.x+r.w && y >= r.y && y < r.y+r.h }

// areas is how a screen is divided: integer arithmetic, done when the size or the number of rows
// changes. Rules that are not drawn have line -1.
type areas struct {
	w, h       int
	banner     rect
	body       rect // grid and panel together; what an overlay covers
	grid       rect
	panel      rect
	prompt     rect // no height while nothing is written
	side       bool
	facts      int // most lines of the panel above the preview
	promptMost int // rows that the prompt may have
	topRule    int
	panelRule  int
	footRule   int
	footer     int // line, or -1
}

// divide lays out a screen of w×h cells for a grid that would like need lines.
func divide(w, h, need, banner int, panel bool) areas {
	a := areas{w: w, h: h, topRule: -1, panelRule: -1, footRule: -1, footer: -1}
	top, bottom := 1, h
	if h >= footFromRows {
		bottom--
		a.footer = bottom
	}
	if h >= ruleFromRows {
		a.topRule = top
		top++
		bottom--
		a.footRule = bottom
		a.banner = rect{0, top, w, min(banner, max(bottom-top-gridLeast, 0))}
		top += a.banner.h
	}
	a.body = rect{0, top, w, max(bottom-top, 0)}
	a.grid = a.body
	switch {
	case !panel || !panelFits(w, h):
	case w >= sideFrom:
		a.side = true
		a.facts = factsTall
		width := clamp(w*39/100, sideLeast, sideMost)
		a.grid.w = w - width - 1
		a.panel = rect{a.grid.w + 1, top, width, a.body.h}
	default:
		a.facts = factsBelow
		if h >= tallScreen {
			a.facts = factsTall
		}
		least := max(panelLeast, a.body.h*45/100)
		a.grid.h = clamp(need, gridLeast, a.body.h-1-least)
		a.panelRule = top + a.grid.h
		a.panel = rect{0, a.panelRule + 1, w, bottom - a.panelRule - 1}
	}
	return a
}

// panelFits reports whether a screen has room for the panel.
func panelFits(w, h int) bool { return w >= panelCols && h >= panelRows }

// Sizes of the prompt.
const (
	promptRoomy  = 12 // rows that it may always have, where that leaves the grid its least
	promptAtMost = 2  // and otherwise one part in so many
)

// makeRoom gives the prompt the rows that it wants of those it may have: of the panel at the side, or
// above the footer. The live screen goes first, then rows of the grid; the facts stay.
func (a *areas) makeRoom(rows func(w, most int) int) {
	from, least := a.body, gridLeast
	switch {
	case a.side:
		from, least = a.panel, a.facts+1
	case a.panel.h > 0:
		least += 1 + a.facts
	}
	a.promptMost = max(min(from.h-least, max(from.h/promptAtMost, promptRoomy)), min(from.h, gridLeast))
	bottom := from.y + from.h
	n := rows(from.w, a.promptMost)
	a.prompt = rect{from.x, bottom - n, from.w, n}
	switch {
	case a.side:
		a.panel.h -= n
	case a.panel.h > 0:
		a.panel.h = max(a.panel.h-n, min(a.facts, a.panel.h))
		a.panel.y = a.prompt.y - a.panel.h
		a.panelRule = a.panel.y - 1
		a.grid.h = a.panelRule - a.grid.y
	default:
		a.grid.h = min(a.grid.h, a.prompt.y-a.grid.y)
	}
}

func clamp(n, low, high int) int { return max(low, min(n, high)) }
