package tui

import (
	"signalbox/tracker"
	"signalbox/tui/style"
)

// View returns the frame. It draws only when something has changed since the last one.
func (m *Model) View() string {
	if !m.dirty {
		return m.text
	}
	m.dirty = false
	m.text = string(m.draw(m.buf[:0]))
	return m.text
}

// draw appends the whole frame: exactly height lines of exactly width cells.
func (m *Model) draw(b []byte) []byte {
	switch m.mode {
	case reading:
		m.layoutSheet()
	case composing:
		m.prompt.Layout(m.areas.prompt.w, m.areas.prompt.h)
	}
	for y := range m.height {
		if m.width == 0 {
			break
		}
		if y > 0 {
			b = append(b, '\n')
		}
		b = m.appendLine(b, y)
	}
	m.buf = b
	return b
}

func (m *Model) appendLine(b []byte, y int) []byte {
	a := &m.areas
	switch {
	case y == 0:
		return m.appendHeader(b)
	case y == a.footer:
		return m.appendFooter(b)
	case y == a.topRule:
		return m.appendRule(b, y)
	case y == a.footRule:
		return m.appendRule(b, y)
	case m.mode == reading && y >= m.sheetTop() && y < a.body.y+a.body.h:
		return m.appendSheetLine(b, y)
	case a.banner.has(0, y):
		return m.appendBanner(b, y-a.banner.y, a.banner.w)
	case y == a.panelRule:
		return m.appendRule(b, y)
	case a.grid.has(0, y):
		b = m.appendGridLine(b, y-a.grid.y)
		if a.side {
			b = m.style.Append(b, style.Faint, m.style.Signs.Side)
			if y >= a.panel.y+a.panel.h {
				return m.prompt.AppendLine(b, y-a.prompt.y)
			}
			b = m.appendPanelLine(b, y-a.panel.y)
		}
		return b
	case a.prompt.has(0, y):
		return m.prompt.AppendLine(b, y-a.prompt.y)
	case a.panel.has(0, y):
		return m.appendPanelLine(b, y-a.panel.y)
	}
	return style.Pad(b, m.width)
}

// appendGridLine is a line of the grid or, where there is nothing to show, of the text that says
// why.
func (m *Model) appendGridLine(b []byte, y int) []byte {
	if !m.bannerFills() {
		return m.grid.AppendLine(b, y, m.now, m.frame)
	}
	shown := m.banner()
	if m.snap != nil && len(m.snap.Sessions) > 0 {
		shown = bannerNoMatch
	}
	means, helps, role := m.bannerText(shown)
	w := m.areas.grid.w
	lines := wrap(means, w-2)
	first := len(lines)
	lines = append(lines, wrap(helps, w-2)...)
	widest := 0
	for _, text := range lines {
		widest = max(widest, style.Width(text))
	}
	l := m.liner(b, w)
	l.gap(max((w-widest)/2, 1))
	// A little above the middle is where the eye expects the only words on a screen.
	if i := y - max((m.areas.grid.h-len(lines))*2/5, 0); i >= 0 && i < len(lines) {
		if i >= first {
			role = style.Dim
		}
		l.put(role, lines[i])
	}
	return l.end()
}

// appendBanner is a line of the banner above the grid.
func (m *Model) appendBanner(b []byte, y, w int) []byte {
	if lines := m.bannerLines(m.banner()); y < len(lines) && y < bannerMost-1 {
		return m.appendRow(b, lines[y], w)
	}
	return style.Pad(b, w)
}

// appendPanelLine is line y of the panel: facts, then the live screen. The screen is read from its
// end, so its last lines stand still however many facts there are.
func (m *Model) appendPanelLine(b []byte, y int) []byte {
	a := &m.areas
	if y == 0 {
		m.factRows = m.facts(a.facts)
	}
	n := len(m.factRows)
	if y < n {
		return m.appendRow(b, m.factRows[y], a.panel.w)
	}
	if a.facts == factsTall {
		if y == n {
			if !a.side {
				return style.Pad(b, a.panel.w)
			}
			b = style.Pad(b, 1)
			b = m.style.Rule(b, a.panel.w-2)
			return style.Pad(b, 1)
		}
		n++
	}
	return m.appendScreenLine(b, y-n, a.panel.h-n, a.panel.w)
}

// appendScreenLine is line y of the n lines that the live screen has in the panel: the end of the
// pane's screen, where questions are asked and prompts stand.
func (m *Model) appendScreenLine(b []byte, y, n, w int) []byte {
	l := m.liner(b, w)
	pane := m.selectedPane()
	if pane == nil {
		return l.end()
	}
	l.gap(1)
	if !m.areas.side {
		l.put(style.Faint, m.style.Signs.Side)
		l.gap(1)
	}
	s := m.preview.shots[pane.ID]
	switch {
	case pane.ID == m.opt.Self:
		if y == 0 {
			l.put(style.Dim, "This is the board itself.")
		}
	case s == nil && m.snap.Tmux.State != tracker.StateOK:
		if y == 0 {
			l.put(style.Dim, "The screen comes back when tmux answers again.")
		}
	case s == nil:
	case s.problem != "":
		if y == 0 {
			l.put(style.Dim, "The screen cannot be read: "+s.problem)
		}
	default:
		lines := s.lines
		if len(lines) > n {
			lines = s.close // between what was said and the input box there may be half a screen of nothing
		}
		if n <= shortScreen && len(lines) > n {
			lines = s.dense
		}
		note := ""
		if y == 0 && !m.watched() {
			note = " " + pausedWord
		}
		room := l.left - 1 - len(note)
		if i := max(len(lines)-n, 0) + y; i < len(lines) {
			l.b = lines[i].crop(l.b, 0, room)
		} else {
			l.b = style.Pad(l.b, room)
		}
		if note != "" {
			l.b = m.style.Append(l.b, style.Dim, note)
		}
		return style.Pad(l.b, 1)
	}
	return l.end()
}

// pausedWord stands on a live screen that only news of its window move, because nobody is at the board.
const pausedWord = "paused"

// appendSheetLine is a line of the sheet that covers grid and panel.
func (m *Model) appendSheetLine(b []byte, y int) []byte {
	s, top := m.sheet, m.sheetTop()
	if y == top {
		return m.appendSheetTitle(b)
	}
	i := y - top - sheetHead
	if i < 0 {
		return style.Pad(b, m.width)
	}
	i += s.top
	switch s.kind {
	case sheetPeek:
		return m.appendPeekLine(b, i)
	case sheetTasks:
		return m.appendTaskLine(b, i)
	}
	if i >= len(m.sheetRows) {
		return style.Pad(b, m.width)
	}
	return m.appendRow(b, m.sheetRows[i], m.width)
}

// sheetHead is how many lines of a sheet stand above its content: the title and a blank one.
const sheetHead = 2

// sheetTop is the first line that a sheet covers: it hides a banner too.
func (m *Model) sheetTop() int {
	if m.areas.banner.h == 0 {
		return m.areas.body.y
	}
	return m.areas.banner.y
}

// layoutSheet makes the content of the sheet and keeps its scroll position inside it.
func (m *Model) layoutSheet() {
	s := m.sheet
	s.height = max(m.areas.body.y+m.areas.body.h-m.sheetTop()-sheetHead, 0)
	switch s.kind {
	case sheetTasks:
		m.layoutTasks(s.height)
		s.rows = 0 // the list scrolls by itself
	case sheetPeek:
		m.sheetRows = nil
		s.rows = 0
		if shot := m.preview.shots[s.pane]; shot != nil {
			s.rows = len(shot.lines)
		}
		s.left = clamp(s.left, 0, m.peekBeyond())
	default:
		m.sheetRows = m.sheetLines(m.width)
		s.rows = len(m.sheetRows)
	}
	most := max(s.rows-s.height, 0)
	if s.tail {
		s.top = most
	}
	if s.kind == sheetInbox {
		at := m.entryAt()
		s.top = clamp(s.top, at-s.height+1, at)
	}
	s.top = clamp(s.top, 0, most)
}

// nameLeast is how much of a name is worth showing.
const nameLeast = 6

func (m *Model) appendSheetTitle(b []byte) []byte {
	l := m.liner(b, m.width)
	l.gap(1)
	title, note := m.sheetTitle()
	if room := l.left - 2 - style.Width(note); m.sheet.kind == sheetPeek && note != "" && room > nameLeast {
		var n int // what is cut off at the right is said, whatever else is not
		l.b, n = m.style.AppendCut(l.b, style.Strong, title, room)
		l.left -= n
	} else {
		l.put(style.Strong, title)
	}
	if l.gap(2); style.Width(note) <= l.left { // half a remark is none
		l.put(style.Dim, note)
	}
	return l.end()
}
