package tui

import (
	"strconv"

	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// appendRule is a horizontal line. The one above the grid and the one below it tell how many rows
// are out of sight, and who waits there; where the panel stands beside the grid, they meet its
// vertical line.
func (m *Model) appendRule(b []byte, y int) []byte {
	a := &m.areas
	width := m.width
	joint := a.side && m.mode != reading && (y != a.topRule || a.banner.h == 0)
	if joint {
		width = a.grid.w
	}
	if sign, hidden := m.hiddenAt(y); hidden.Rows > 0 {
		lead := ""
		if y == a.topRule && a.banner.h == 0 {
			lead = m.grid.Continues()
		}
		b = m.appendHidden(b, sign, hidden, lead, width)
	} else {
		b = m.style.Rule(b, width)
	}
	if joint {
		sign := m.style.Signs.TeeDown
		if y == a.footRule {
			sign = m.style.Signs.TeeUp
		}
		b = m.style.Append(b, style.Faint, sign)
		b = m.style.Rule(b, m.width-width-1)
	}
	return b
}

// hiddenAt is what is scrolled out of sight behind the rule on line y, and the sign of that side.
func (m *Model) hiddenAt(y int) (sign string, h grid.Hidden) {
	a := &m.areas
	last := a.panelRule
	if last < 0 {
		last = a.footRule
	}
	if m.mode == reading || y != a.topRule && y != last {
		return "", h
	}
	if m.mode == composing && y == a.footRule && !a.side { // the prompt stands between
		return "", h
	}
	above, below := m.grid.Hidden()
	if y == a.topRule {
		return m.style.Signs.Fewer, above
	}
	return m.style.Signs.More, below
}

// leadAt is where the name of a session stands on the rule: in the column of all names.
const leadAt = 4

// appendHidden is a rule of w cells with a note in it. The lamps come last and lit: they are why one
// would scroll there. lead is the session that the rows below belong to when its title is out of sight.
func (m *Model) appendHidden(b []byte, sign string, h grid.Hidden, lead string, w int) []byte {
	note := sign + " " + strconv.Itoa(h.Rows) + " more"
	lamps := [...]counter{{lamp: style.LampNeeds, n: h.Needs}, {lamp: style.LampFailed, n: h.Failed}, {lamp: style.LampReview, n: h.Review}}
	used, gap := 2+style.Width(note), 2
	for _, c := range lamps {
		if c.n > 0 {
			used += gap + 1 + digits(c.n)
			gap = 1
		}
	}
	tail := clamp(w-used, 0, 2)
	rest := w - used - tail
	if n := style.Width(style.Clean(lead)); lead != "" && rest > leadAt+n+1 {
		b = m.style.Rule(b, leadAt-1)
		b = append(b, ' ')
		b, n = m.style.AppendCut(b, style.Strong, lead, n)
		b = append(b, ' ')
		rest -= leadAt + n + 1
	}
	b = m.style.Rule(b, rest)
	l := m.liner(b, min(used, w))
	l.gap(1)
	l.put(style.Dim, note)
	gap = 2
	for _, c := range lamps {
		if c.n > 0 {
			l.gap(gap)
			l.raw(m.style.Lamp(c.lamp, 0), 1)
			l.put(style.Strong, strconv.Itoa(c.n))
			gap = 1
		}
	}
	return m.style.Rule(l.end(), tail)
}
