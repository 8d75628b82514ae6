package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/style"
)

// silenceFor is how long the key keeps notifications back. Lamps and inbox go on.
const silenceFor = time.Hour

// silencer is a Board that notifies. Silence does not block; the zero time ends a silence.
type silencer interface{ Silence(until time.Time) }

func noNotifier(m *Model) string {
	if _, ok := m.board.(silencer); !ok {
		return "this board sends no notifications"
	}
	return ""
}

// silence keeps notifications back for a while, or ends that.
func (m *Model) silence() tea.Cmd {
	s := m.board.(silencer) // noNotifier has looked
	if m.now.Before(m.silent) {
		m.silent = time.Time{}
		s.Silence(m.silent)
		m.say(style.Dim, "notifications are on again")
		return nil
	}
	m.silent = m.now.Add(silenceFor)
	s.Silence(m.silent)
	m.say(style.Dim, "no notifications until "+m.silent.Format("15:04")+"; the same key ends it")
	return nil
}
