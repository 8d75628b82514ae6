package tui

import (
	"slices"
	"strconv"
	"strings"

	"signalbox/tui/grid"
	"signalbox/tui/prompt"
	"signalbox/tui/style"
)

// appendFooter is the last line: a notice, what is being typed, or the keys that work now.
func (m *Model) appendFooter(b []byte) []byte {
	l := m.liner(b, m.width)
	l.gap(1)
	switch {
	case m.notice.choices != nil:
		m.putChoices(&l)
	case m.notice.text != "":
		l.put(m.notice.role, m.notice.text)
	case m.mode == filtering:
		m.putFilter(&l)
	case m.mode == labelling:
		l.put(style.Text, "type the letters of a row")
		l.gap(3)
		m.putHint(&l, "esc", "back")
	case m.mode == composing:
		m.putKeys(&l, m.prompt.Hints())
	case m.mode == reading && m.sheet.kind == sheetTasks:
		m.putKeys(&l, m.tasks.Hints())
	case m.mode == reading:
		if hint := m.sheetEnterHint(); hint != "" {
			m.putHint(&l, m.style.Signs.Enter, hint)
		}
		m.putHint(&l, m.sheetMoveKeys(), m.sheetMoveHint())
		m.putHint(&l, "esc", "back")
	default:
		m.putHints(&l)
	}
	return l.end()
}

// putChoices shows what a key goes round, all of it with the one that is chosen bright: a name alone
// does not tell what comes next.
func (m *Model) putChoices(l *liner) {
	n := &m.notice
	between := " " + m.style.Signs.Dot + " "
	used := 0
	for _, c := range n.choices {
		used += style.Width(c) + len(" . ")
	}
	if style.Width(n.text)+2+used <= l.left { // narrow screens do without the name of the choice
		l.put(n.role, n.text)
		l.gap(2)
	}
	for i, c := range n.choices {
		role := style.Dim
		if i > 0 {
			l.put(style.Faint, between)
		}
		if i == n.at {
			role = style.Strong
		}
		l.put(role, c)
	}
}

// putHints shows the most used keys, those that cannot work now faint and in their place, and at the
// right what the view leaves out.
func (m *Model) putHints(l *liner) {
	list, gap := m.hinted(m.hintRoom())
	for _, b := range list {
		key, badge := m.showKey(b.keys[0]), b.badgeText(m)
		if b.why(m) != "" {
			l.put(style.Faint, key+" "+b.hint)
			l.gap(gap)
			continue
		}
		l.put(style.Text, key)
		l.gap(1)
		l.put(style.Dim, b.hint)
		l.put(style.Strong, badge)
		if gap == hintClose && len(badge) > badgeRoom {
			l.gap(1) // which leaves the others where they are
		} else {
			l.gap(gap)
		}
	}
	m.putViewChoices(l, m.viewChoices())
}

// hintRoom is the cells for hints.
func (m *Model) hintRoom() int {
	room := m.width - 1
	for _, c := range m.viewChoices() {
		room -= c.width() + hintGap
	}
	return room
}

// badgeText is the number behind a hint. It is at most one digit longer than the room that it always has.
func (b *binding) badgeText(m *Model) string {
	if b.badge == nil {
		return ""
	}
	switch n := b.badge(m); {
	case n > 99:
		return " 9+"
	case n > 0:
		return " " + strconv.Itoa(n)
	}
	return ""
}

// The room behind a hint: where all that fit stand closer together, one more may fit. A number has room
// kept for it, whether or not there is one, so that no hint goes when it comes.
const (
	hintGap   = 3
	hintClose = 2
	badgeRoom = len(" 4")
)

// hinted is the bindings whose hints fit into so many cells, and the room behind each. Which ones go is
// a matter of the room alone: a hint that comes and goes with what it is about cannot be relied on.
func (m *Model) hinted(room int) (list []*binding, gap int) {
	used := -hintClose
	width := func(b *binding) int {
		w := style.Width(m.showKey(b.keys[0])) + 1 + style.Width(b.hint) + hintClose
		if b.badge != nil {
			w += badgeRoom
		}
		return w
	}
	for i := range m.keys.table {
		if b := &m.keys.table[i]; b.hint != "" && len(b.keys) > 0 {
			list = append(list, b)
			used += width(b)
		}
	}
	for len(list) > 0 && used > room {
		least := 0
		for i, b := range list {
			if b.stays < list[least].stays {
				least = i
			}
		}
		used -= width(list[least])
		list = slices.Delete(list, least, least+1)
	}
	if used+(hintGap-hintClose)*(len(list)-1)+digitsMore(list) <= room {
		return list, hintGap
	}
	return list, hintClose
}

// digitsMore is the cells that numbers of two digits take beyond the room kept for them.
func digitsMore(list []*binding) int {
	n := 0
	for _, b := range list {
		if b.badge != nil {
			n++
		}
	}
	return n
}

// putKeys shows the keys of the prompt or of a list. The last one leads back: it stays when others
// have no room.
func (m *Model) putKeys(l *liner, hints []prompt.Hint) {
	width := func(h prompt.Hint) int { return style.Width(h.Key) + 1 + style.Width(h.Word) + hintGap }
	used := 0
	for _, h := range hints {
		used += width(h)
	}
	for len(hints) > 1 && used-hintGap > l.left {
		at := len(hints) - 2
		used -= width(hints[at])
		hints = slices.Delete(slices.Clone(hints), at, at+1)
	}
	for _, h := range hints {
		m.putHint(l, h.Key, h.Word)
	}
}

func (m *Model) putHint(l *liner, key, hint string) {
	l.put(style.Text, key)
	l.gap(1)
	l.put(style.Dim, hint)
	l.gap(hintGap)
}

// putFilter is the filter line with its cursor and how many rows are left.
func (m *Model) putFilter(l *liner) {
	l.put(style.Strong, "/")
	before, after := string(m.filter.text[:m.filter.at]), string(m.filter.text[m.filter.at:])
	l.put(style.Text, before)
	under := " "
	if after != "" {
		r := m.filter.text[m.filter.at : m.filter.at+1]
		under, after = string(r), after[len(string(r)):]
	}
	l.raw(m.style.Cursor(under), style.Width(under))
	l.put(style.Text, after)
	l.gap(3)
	l.put(style.Dim, strconv.Itoa(m.grid.Len())+" of "+strconv.Itoa(m.rows))
	l.gap(3)
	m.putHint(l, m.style.Signs.Enter, "keep")
	m.putHint(l, "esc", "clear")
	switch text := m.filter.String(); {
	case text == "":
		l.put(style.Dim, "status:review  session:api  cwd:src")
	case strings.HasSuffix(text, "status:"):
		l.put(style.Dim, strings.Join(grid.StatusWords(), "  "))
	}
}
