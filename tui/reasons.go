package tui

import (
	"slices"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// The reasons why a key does nothing now. Each says what is missing, in words for the footer.

func emptyGrid(m *Model) string {
	if m.grid.Len() == 0 {
		return "nothing is shown"
	}
	return ""
}

func noPane(m *Model) string {
	if why := emptyGrid(m); why != "" {
		return why
	}
	if m.selectedPane() == nil {
		return "a background agent has no pane"
	}
	return ""
}

func noJump(m *Model) string {
	if why := noPane(m); why != "" {
		return why
	}
	if m.selectedPane().ID == m.opt.Self {
		return "you are here"
	}
	return ""
}

func noScreen(m *Model) string {
	if why := noPane(m); why != "" {
		return why
	}
	if m.selectedPane().ID == m.opt.Self {
		return "this is the board itself"
	}
	return ""
}

func noAgent(m *Model) string {
	if why := emptyGrid(m); why != "" {
		return why
	}
	if m.selectedAgent() == nil {
		return "no agent runs there"
	}
	return ""
}

func noSend(m *Model) string {
	if why := noScreen(m); why != "" {
		return why
	}
	if why := noAgent(m); why != "" {
		return why
	}
	if m.opt.Sender == nil {
		return "this board cannot send"
	}
	return ""
}

func noTasks(m *Model) string {
	if len(m.queue.Items) == 0 && m.queue.Problem == "" {
		return "no task waits"
	}
	return ""
}

func noReview(m *Model) string {
	if why := noAgent(m); why != "" {
		return why
	}
	if s := m.selectedAgent().Verdict.Status; s != tracker.StatusReview {
		return "nothing to acknowledge: it " + style.Predicate(s)
	}
	return ""
}

func nobodyWaits(m *Model) string {
	if m.snap == nil || m.snap.Counts.Attention() == 0 {
		return "nobody needs you"
	}
	return ""
}

func noWayBack(m *Model) string {
	if !m.jumped {
		return "you have not jumped anywhere yet"
	}
	return ""
}

func noShell(m *Model) string {
	if !m.opt.Shell {
		return "no shell waits behind the board"
	}
	return ""
}

func onePane(m *Model) string {
	if why := noPane(m); why != "" {
		return why
	}
	if c, _ := m.grid.Selected(); len(c.Window.Panes) < 2 {
		return "the window has one pane"
	}
	return ""
}

func noFold(m *Model) string {
	if why := unfoldable(m); why != "" {
		return why
	}
	if s, ok := m.grid.SelectedSection(); ok && !s.Folds() {
		return "the session is this one window"
	}
	return ""
}

func noFolds(m *Model) string {
	if why := unfoldable(m); why != "" {
		return why
	}
	if !slices.ContainsFunc(grid.Arrange(m.snap, m.view), func(s grid.Section) bool { return s.Folds() }) {
		return "no session has more than one window"
	}
	return ""
}

func tooNarrow(m *Model) string {
	if m.view.Flat {
		return "there are no sections on a narrow screen"
	}
	return emptyGrid(m)
}

func noPanel(m *Model) string {
	if !panelFits(m.width, m.height) {
		return "the screen has no room for it; " + m.keysOf("peek") + " shows it whole"
	}
	return ""
}

// unfoldable is why sections stay as they are.
func unfoldable(m *Model) string {
	if why := tooNarrow(m); why != "" {
		return why
	}
	if m.view.Finds() {
		return "nothing is folded while a filter is on"
	}
	return ""
}
