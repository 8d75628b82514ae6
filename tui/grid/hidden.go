package grid

import "signalbox/tui/style"

// Hidden is what is scrolled out of sight on one side.
type Hidden struct {
	Rows   int // cells, and folded sections as one each
	Needs  int // windows of those that wait for a person
	Failed int
	Review int
}

// Hidden is what is out of sight above and below. Whoever waits inside a folded section out of sight
// is counted too: its title, which would say so, is not seen.
func (g *Grid) Hidden() (above, below Hidden) {
	for i, l := range g.layout.lines {
		switch {
		case i < g.top:
			above.add(g, l)
		case i >= g.top+g.shown():
			below.add(g, l)
		}
	}
	return above, below
}

// Continues is the title of the section whose rows go on at the upper edge while the title itself is
// scrolled out of sight, or "".
func (g *Grid) Continues() string {
	if g.top >= len(g.layout.lines) {
		return ""
	}
	l := g.layout.lines[g.top]
	if l.kind != lineCells && (l.kind != lineMore || g.sections[l.section].solo()) {
		return ""
	}
	return g.sections[l.section].Title
}

func (h *Hidden) add(g *Grid, l line) {
	switch l.kind {
	case lineCells, lineSolo, lineCardTop:
		h.Rows += l.count
		for col := range l.count {
			h.note(*g.cell(l, col))
		}
	case lineTitle:
		s := &g.sections[l.section]
		if !s.Folded {
			return
		}
		h.Rows++
		for i := range s.Cells {
			h.note(s.Cells[i])
		}
	}
}

func (h *Hidden) note(c Cell) {
	switch lampOf(c) {
	case style.LampNeeds:
		h.Needs++
	case style.LampFailed:
		h.Failed++
	case style.LampReview:
		h.Review++
	}
}
