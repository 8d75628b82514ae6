package tui

import (
	"slices"
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
	sign, hidden := m.hiddenAt(y)
	lead := piece{role: style.Strong}
	switch {
	case y == a.footRule:
		lead = txt(style.Text, m.tasksOnRule())
	case y == a.topRule && a.banner.h == 0 && hidden.Rows > 0:
		lead.text = m.grid.Continues()
	}
	if hidden.Rows > 0 || lead.text != "" {
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

// tasksOnRule is what the footer has no room to say: that tasks wait, and the key of their list.
func (m *Model) tasksOnRule() string {
	if m.mode != browsing || m.taskCount() == 0 {
		return ""
	}
	list, _ := m.hinted(m.hintRoom())
	for i := range m.keys.table {
		b := &m.keys.table[i]
		if b.action == "tasks" && len(b.keys) > 0 && !slices.Contains(list, b) {
			return m.showKey(b.keys[0]) + " " + b.hint + b.badgeText(m)
		}
	}
	return ""
}

// leadAt is where the name of a session stands on the rule, or what else leads it: in the column of all names.
const leadAt = 4

// appendHidden is a rule of w cells with a note in it. The lamps come last and lit: they are why one
// would scroll there. lead is the session that the rows below belong to when its title is out of sight,
// or the tasks that wait.
func (m *Model) appendHidden(b []byte, sign string, h grid.Hidden, lead piece, w int) []byte {
	note := sign + " " + strconv.Itoa(h.Rows) + " more"
	lamps := [...]counter{{lamp: style.LampNeeds, n: h.Needs}, {lamp: style.LampFailed, n: h.Failed}, {lamp: style.LampReview, n: h.Review}}
	used, gap := 2+style.Width(note), 2
	for _, c := range lamps {
		if c.n > 0 {
			used += gap + 1 + digits(c.n)
			gap = 1
		}
	}
	if h.Rows == 0 {
		used = 0
	}
	tail := clamp(w-used, 0, 2)
	rest := w - used - tail
	if n := style.Width(style.Clean(lead.text)); lead.text != "" && rest > leadAt+n+1 {
		b = m.style.Rule(b, leadAt-1)
		b = append(b, ' ')
		b, n = m.style.AppendCut(b, lead.role, lead.text, n)
		b = append(b, ' ')
		rest -= leadAt + n + 1
	}
	b = m.style.Rule(b, rest)
	if h.Rows == 0 {
		return m.style.Rule(b, tail)
	}
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
