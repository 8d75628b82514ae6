package tui

import (
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/prompt"
	"signalbox/tui/style"
)

// queueRead takes a newer queue and asks for the next one.
func (m *Model) queueRead(msg queueMsg) tea.Cmd {
	if msg.err != nil {
		return nil // the program ends
	}
	before := m.queue
	m.queue = msg.queue
	m.tasks.SetItems(m.waitingTasks())
	if at := m.prompt.Target().Pane; queued(&before, at) && !queued(&m.queue, at) {
		m.prompt.LeftQueue(m.queue.News, m.queue.Bad)
	}
	m.arrange()
	role := style.Dim
	if m.queue.Bad {
		role = style.Warn
	}
	switch q := &m.queue; {
	case before.Rev == 0: // what happened before this board began is in the list
	case q.Problem != "" && q.Problem != before.Problem:
		m.say(style.Bad, q.Problem)
	case q.News != "" && (q.News != before.News || len(q.Items) != len(before.Items)):
		m.say(role, q.News)
	}
	return nextQueue(m.opt.Sender, m.queue.Rev)
}

// waitingTasks are the tasks as the list shows them. What keeps one waiting is what its agent does
// now; only where that rests is it what came of the last attempt.
func (m *Model) waitingTasks() []prompt.Waiting {
	items := slices.Clone(m.queue.Items)
	for i := range items {
		t := &items[i]
		_, _, p := m.snap.FindPane(t.Pane)
		if t.State != prompt.WaitsForRest || p == nil || p.Agent == nil {
			continue
		}
		switch v := p.Agent.Verdict; v.Status {
		case tracker.StatusIdle, tracker.StatusReview:
		default:
			t.Note = "it " + v.Reason
		}
	}
	return items
}

// tasksChange is when the first age in the open list changes, zero for never.
func (m *Model) tasksChange() time.Time {
	if m.mode != reading || m.sheet.kind != sheetTasks {
		return time.Time{}
	}
	var next time.Time
	for i := range m.queue.Items {
		since := m.queue.Items[i].Since
		step := time.Hour
		switch d := m.now.Sub(since); {
		case d < time.Minute:
			step = time.Second
		case d < time.Hour:
			step = time.Minute
		}
		next = earliest(next, since.Add((m.now.Sub(since)/step+1)*step))
	}
	return next
}

// unsent is what was written and is not with its agent yet, by the cell that shows the agent.
func (m *Model) unsent() map[string]grid.Unsent {
	cells := map[string]grid.Unsent{}
	if m.snap == nil {
		return cells
	}
	note := func(pane tracker.PaneID, tasks int) {
		if _, w, p := m.snap.FindPane(pane); p != nil {
			u := cells[string(w.ID)]
			u.Tasks += tasks
			u.Draft = u.Draft || tasks == 0
			cells[string(w.ID)] = u
		}
	}
	for i := range m.queue.Items {
		if t := &m.queue.Items[i]; waits(t) {
			note(t.Pane, 1)
		}
	}
	m.prompt.EachDraft(func(pane tracker.PaneID) { note(pane, 0) })
	return cells
}

// tasksFor is the beginnings of the tasks that wait for a pane's agent.
func (m *Model) tasksFor(pane tracker.PaneID) string {
	var texts []string
	for i := range m.queue.Items {
		if t := &m.queue.Items[i]; t.Pane == pane && waits(t) {
			text, _, _ := strings.Cut(strings.TrimSpace(t.Text), "\n")
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, "  "+m.style.Signs.Dot+"  ")
}

// queued reports whether a task for a pane's agent will still be sent.
func queued(q *Queue, pane tracker.PaneID) bool {
	return slices.ContainsFunc(q.Items, func(w prompt.Waiting) bool { return w.Pane == pane && waits(&w) })
}

// taskCount is how many tasks the list has: those that wait, and those that somebody should look at.
func (m *Model) taskCount() int { return len(m.queue.Items) }

func (m *Model) openTasks() tea.Cmd {
	m.open(&sheet{kind: sheetTasks})
	return nil
}

// taskKey gives a key to the list.
func (m *Model) taskKey(msg tea.KeyMsg) tea.Cmd {
	a := m.tasks.HandleKey(prompt.Key{Name: msg.String()})
	if m.opt.ReadOnly && (a.Kind == prompt.ListEdit || a.Kind == prompt.ListCancel || a.Kind == prompt.ListDismiss || a.Kind == prompt.ListJump) {
		m.say(style.Dim, "the board is read-only")
		return nil
	}
	switch a.Kind {
	case prompt.ListClose:
		m.closeSheet()
	case prompt.ListCancel, prompt.ListDismiss:
		return withdraw(m.opt.Sender, a.Item.ID)
	case prompt.ListJump:
		m.closeSheet()
		return m.jumpThere(a.Item.Pane)
	case prompt.ListEdit:
		return m.editTask(a.Item)
	case prompt.ListNone:
		if b := m.keys.find(msg.String()); b != nil && b.action == sheetAction[sheetTasks] {
			m.closeSheet()
		}
	}
	return nil
}

// editTask opens the prompt on a task that waits.
func (m *Model) editTask(t prompt.Waiting) tea.Cmd {
	m.closeSheet()
	if _, w, p := m.snap.FindPane(t.Pane); p != nil {
		m.show(string(w.ID), t.Pane)
	}
	m.beginComposing()
	return m.ask(m.prompt.OpenEntry(prompt.TargetIn(m.snap, t.Pane), t.ID, t.Text, t.AsCommand, m.now))
}

// layoutTasks draws the list for the frame.
func (m *Model) layoutTasks(h int) {
	m.tasks.SetItems(m.waitingTasks())
	h -= m.problemRows()
	if h <= 0 {
		m.taskRows = m.taskRows[:0]
		return
	}
	m.taskRows = strings.Split(m.tasks.View(m.width, h, m.now), "\n")
}

// problemRows is the rows above the list that say why the queue does not work.
func (m *Model) problemRows() int {
	if m.queue.Problem == "" {
		return 0
	}
	return 2
}

func (m *Model) appendTaskLine(b []byte, i int) []byte {
	if n := m.problemRows(); i < n {
		l := m.liner(b, m.width)
		if i == 0 {
			l.gap(1)
			l.put(style.Warn, m.queue.Problem)
		}
		return l.end()
	} else if i -= n; i < len(m.taskRows) {
		return append(b, m.taskRows[i]...)
	}
	return style.Pad(b, m.width)
}
