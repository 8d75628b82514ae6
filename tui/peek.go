package tui

import (
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// peek opens the whole screen of the selected pane, at its end.
func (m *Model) peek() tea.Cmd {
	m.open(&sheet{kind: sheetPeek, pane: m.selectedPane().ID, tail: true})
	m.preview.due = m.now
	m.preview.inflight = false
	return nil
}

// peekWide is how many cells the longest line of the peek takes.
func (m *Model) peekWide() int {
	if shot := m.preview.shots[m.sheet.pane]; shot != nil && shot.problem == "" {
		return shot.wide
	}
	return 0
}

// peekBeyond is how many of them have no room: a pane may be wider than the board.
func (m *Model) peekBeyond() int { return max(m.peekWide()-m.width, 0) }

// moveSideways moves a peek that is wider than the board, by half of what is in sight.
func (m *Model) moveSideways(way int) {
	if s := m.sheet; s.kind == sheetPeek {
		s.left = clamp(s.left+way*max(m.width/2, 1), 0, m.peekBeyond())
	}
}

// peekNote says which columns are in sight where not all are.
func (m *Model) peekNote() string {
	if m.peekBeyond() == 0 {
		return ""
	}
	left := clamp(m.sheet.left, 0, m.peekBeyond())
	note := strconv.Itoa(left+1) + "-" + strconv.Itoa(left+m.width) + " of " + strconv.Itoa(m.peekWide())
	if grid.Narrow(m.width) {
		return note
	}
	return "columns " + note
}

func (m *Model) appendPeekLine(b []byte, i int) []byte {
	l := m.liner(b, m.width)
	shot := m.preview.shots[m.sheet.pane]
	switch {
	case shot == nil:
	case shot.problem != "":
		if i == m.sheet.top {
			l.put(style.Dim, "   The screen cannot be read: "+shot.problem)
		}
	case i < len(shot.lines):
		return shot.lines[i].crop(l.b, m.sheet.left, m.width)
	}
	return l.end()
}
