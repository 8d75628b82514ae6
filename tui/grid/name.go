package grid

import (
	"strings"

	"signalbox/tui/style"
)

// nameBegun is the least room worth beginning a window's own name in, behind its session's.
const nameBegun = 6

// appendName appends which window this is, over the columns of the index and of the name.
func (g *Grid) appendName(b []byte, c Cell, selected bool) []byte {
	role := nameRole(c, selected)
	if c.Solo {
		return g.appendSolo(b, c, role, g.layout.indexW+1+g.layout.nameW)
	}
	b = g.appendIndex(b, c)
	b = append(b, ' ')
	return g.fit(b, role, cellName(c), g.layout.nameW, fieldName)
}

// appendSolo names a window that is all its session has, in w cells: the session, which is what
// people know it by, and behind it what the window adds to that. An agent's name stands there whole or
// not at all, for a column of beginnings tells nobody anything; a name that somebody gave the window is
// at least begun. A session that was never named has tmux's number, which then stands before the name as
// tmux writes it.
func (g *Grid) appendSolo(b []byte, c Cell, role style.Role, w int) []byte {
	first, second := role, style.Dim
	session, name := c.Session.Name, secondName(c)
	if numbered(c) && name != "" {
		first, second, session = style.Dim, role, session+":"
	}
	room, least := w-style.Width(style.Clean(session))-1, style.Width(style.Clean(name))
	switch {
	case numbered(c):
		least = min(least, 1)
	case name == c.Window.Name:
		least = min(least, nameBegun)
	}
	if name == "" || room < least {
		return g.fit(b, role, c.Session.Name, w, fieldSession)
	}
	b, used := g.cut(b, first, session, w, fieldSession)
	b = append(b, ' ')
	return g.fit(b, second, name, w-used-1, fieldName)
}

// secondName is what a window's name adds to its session's, or "": tmux's own name of a window is
// that of its program, which the rest of the row tells better.
func secondName(c Cell) string {
	name := cellName(c)
	p := c.Window.LeadPane()
	own := name != "claude" && (p == nil || name != p.Command)
	if name == c.Session.Name || !own && !numbered(c) {
		return ""
	}
	return name
}

// only reports whether the window is all its session has.
func (c Cell) only() bool { return c.Session != nil && len(c.Session.Windows) == 1 }

// cardPlace is the session of a card, with the window's index where there are several.
func cardPlace(c Cell) string {
	if c.only() && !numbered(c) {
		return c.Session.Name
	}
	return target(c)
}

// cardName is what stands behind the session's name on a card: nothing where it would only be said
// twice.
func cardName(c Cell) string {
	if name := cellName(c); c.Session == nil || name != c.Session.Name {
		return name
	}
	return ""
}

// numbered reports whether a session has the number that tmux gives to those without a name.
func numbered(c Cell) bool {
	return c.Session.Name != "" && strings.Trim(c.Session.Name, "0123456789") == ""
}

// nameWidth is how wide the column of names has to be for a row.
func nameWidth(c Cell) int {
	if !c.Solo {
		return style.Width(cellName(c))
	}
	const index = 2 // its column and the space behind it: such a row begins there
	w := style.Width(c.Session.Name) - index
	if name := secondName(c); name != "" {
		w += 1 + style.Width(name)
	}
	if numbered(c) {
		w++
	}
	return w
}
