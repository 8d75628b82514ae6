package tui

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// maxCount bounds the number typed before a movement.
const maxCount = 9999

// typed takes what came from the keyboard. Keys that arrive in one read come as one message, which
// is as it should be for a text and means nothing where keys are commands.
func (m *Model) typed(msg tea.KeyMsg) tea.Cmd {
	if m.early(msg) {
		m.waiting = append(m.waiting, msg)
		return nil
	}
	if msg.Type != tea.KeyRunes || msg.Paste || len(msg.Runes) < 2 {
		return m.key(msg)
	}
	var cmds []tea.Cmd
	for i := range msg.Runes {
		if m.mode == composing || m.mode == filtering { // the rest is text
			return tea.Batch(append(cmds, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: msg.Runes[i:], Alt: msg.Alt}))...)
		}
		cmds = append(cmds, m.key(tea.KeyMsg{Type: tea.KeyRunes, Runes: msg.Runes[i : i+1], Alt: msg.Alt}))
	}
	return tea.Batch(cmds...)
}

// textPause is the longest pause between two keys of somebody who writes.
const textPause = 400 * time.Millisecond

// unwritten reports whether a key is part of a text that nobody takes: the key that begins one could not
// open the prompt, and whoever wrote on has not seen it yet. None of it is a command, nor is the Enter at
// its end.
func (m *Model) unwritten(msg tea.KeyMsg) bool {
	if m.refused.IsZero() || m.now.Sub(m.refused) > textPause {
		m.refused = time.Time{}
		return false
	}
	switch msg.Type {
	case tea.KeyRunes, tea.KeySpace, tea.KeyBackspace:
		m.refused = m.now
		return true
	case tea.KeyEnter:
		m.refused = time.Time{}
		return true
	}
	m.refused = time.Time{}
	return false
}

// key gives a key to whoever reads keys in this mode.
func (m *Model) key(msg tea.KeyMsg) tea.Cmd {
	if m.unwritten(msg) {
		m.notice.until = m.now.Add(noticeFor)
		return nil
	}
	m.notice = notice{}
	switch m.mode {
	case filtering:
		return m.filterKey(msg)
	case labelling:
		return m.labelKey(msg)
	case reading:
		return m.sheetKey(msg)
	case composing:
		return m.composeKey(msg)
	}
	key := msg.String() // a paste reads "[text]" and is bound to nothing
	if len(key) == 1 && (key[0] >= '1' && key[0] <= '9' || key[0] == '0' && m.count > 0) {
		m.count = min(m.count*10+int(key[0]-'0'), maxCount)
		return nil
	}
	cmd := m.press(key)
	m.count = 0
	return cmd
}

// press runs what a key is bound to, or says why it cannot.
func (m *Model) press(key string) tea.Cmd {
	b := m.keys.find(key)
	if b == nil {
		return nil
	}
	if why := b.why(m); why != "" {
		m.say(style.Dim, keyName(key)+": "+why)
		if b.text {
			m.refused = m.now
		}
		return nil
	}
	return b.run(m)
}

func (m *Model) move(d grid.Direction) tea.Cmd {
	m.grid.Move(d, max(m.count, 1))
	m.pinned = ""
	return nil
}

func (m *Model) first() tea.Cmd {
	m.grid.Nth(max(m.count, 1))
	m.pinned = ""
	return nil
}

func (m *Model) jump() tea.Cmd {
	return m.jumpThere(m.selectedPane().ID)
}

func (m *Model) back() tea.Cmd {
	m.seq.jump++
	return jumpBack(m.board, m.seq.jump)
}

func (m *Model) acknowledge() tea.Cmd {
	return acknowledge(m.board, m.selectedPane().ID)
}

func (m *Model) refresh() tea.Cmd {
	m.board.Refresh()
	m.preview.due = m.now
	m.say(style.Dim, "asked every source for news")
	m.seq.hooks++
	return readHooks(m.board, false, m.seq.hooks)
}

// needy is one agent that waits for a person, where it is shown.
type needy struct {
	key     string
	pane    tracker.PaneID
	verdict tracker.Verdict
}

// nextNeedy selects the next agent that needs a person, the most urgent and longest waiting first
// and round the end. Agents hidden by a filter or a fold are found too: they are the ones one would
// miss.
func (m *Model) nextNeedy(step int) tea.Cmd {
	list := m.needy(m.view)
	if len(list) == 0 {
		m.clearFilter()
		if list = m.needy(grid.View{}); len(list) == 0 {
			return nil
		}
	}
	shown := tracker.PaneID("")
	if p := m.selectedPane(); p != nil {
		shown = p.ID
	}
	at := slices.IndexFunc(list, func(n needy) bool { return n.key == m.grid.SelectedKey() && n.pane == shown })
	if at < 0 && step < 0 {
		at = 0
	}
	next := list[(at+step+len(list))%len(list)]
	if !m.grid.Select(next.key) {
		m.unfold(next.key)
		m.grid.Select(next.key)
	}
	m.pinned = next.pane
	return nil
}

func (m *Model) needy(v grid.View) []needy {
	var list []needy
	for _, s := range grid.Arrange(m.snap, v) {
		for _, c := range s.Cells {
			if c.Background != nil && c.Background.Verdict.NeedsPerson() {
				list = append(list, needy{key: c.Key, verdict: c.Background.Verdict})
			}
			if c.Window == nil {
				continue
			}
			for _, p := range c.Window.Panes {
				if p.Agent != nil && p.Agent.Verdict.NeedsPerson() {
					list = append(list, needy{c.Key, p.ID, p.Agent.Verdict})
				}
			}
		}
	}
	slices.SortStableFunc(list, func(a, b needy) int {
		return cmp.Or(cmp.Compare(b.verdict.Urgency(), a.verdict.Urgency()), a.verdict.Since.Compare(b.verdict.Since))
	})
	return list
}

// unfold opens the section that holds a cell.
func (m *Model) unfold(key string) {
	for _, s := range grid.Arrange(m.snap, m.view) {
		for _, c := range s.Cells {
			if c.Key == key {
				delete(m.view.Folded, s.Title)
			}
		}
	}
	m.arrange()
}

// nextPane looks at the next pane of the selected window.
func (m *Model) nextPane() tea.Cmd {
	c, _ := m.grid.Selected()
	panes := c.Window.Panes
	current := m.selectedPane()
	for i, p := range panes {
		if p == current {
			m.pinned = panes[(i+1)%len(panes)].ID
			break
		}
	}
	return nil
}

func (m *Model) fold() tea.Cmd {
	if s, ok := m.grid.SelectedSection(); ok {
		if m.view.Folded[s.Title] {
			delete(m.view.Folded, s.Title)
		} else {
			m.view.Folded[s.Title] = true
		}
		m.arrange()
	}
	return nil
}

func (m *Model) foldAll() tea.Cmd {
	sections := grid.Arrange(m.snap, m.view)
	open := false
	for _, s := range sections {
		open = open || s.Folds() && !s.Folded
	}
	clear(m.view.Folded)
	for _, s := range sections {
		if open && s.Folds() {
			m.view.Folded[s.Title] = true
		}
	}
	m.arrange()
	return nil
}

func (m *Model) cycleFilter() tea.Cmd {
	m.view.Filter = m.view.Filter.Next()
	m.arrange()
	m.offer("show", int(m.view.Filter), filterWords[:]...)
	return nil
}

func (m *Model) cycleSort() tea.Cmd {
	if m.view.Flat {
		return m.cycleFlatSort()
	}
	m.view.Sort = m.view.Sort.Next()
	m.arrange()
	m.offer("order", int(m.view.Sort), sortWords[:]...)
	return nil
}

// cycleFlatSort changes the order of a narrow board. It has no sessions, and so no order of theirs:
// there are two orders, and every press of the key changes something.
func (m *Model) cycleFlatSort() tea.Cmd {
	at := 1
	if m.view.Sort == grid.SortActivity {
		m.view.Sort, at = grid.SortTmux, 0
	} else {
		m.view.Sort = grid.SortActivity
	}
	m.arrange()
	m.offer("order", at, sortWords[grid.SortUrgency:]...)
	return nil
}

func (m *Model) cycleGroup() tea.Cmd {
	m.view.Group = m.view.Group.Next()
	m.arrange()
	m.offer("group", int(m.view.Group), groupWords[:]...)
	return nil
}

func (m *Model) togglePreview() tea.Cmd {
	m.panel.on = !m.panel.on
	m.arrange()
	return nil
}

// clear takes away what is in the way, one thing at a time.
func (m *Model) clear() tea.Cmd {
	switch {
	case !m.view.Query.Empty() || m.view.Filter != grid.FilterAll:
		m.clearFilter()
	case m.pinned != "":
		m.pinned = ""
	case m.dismiss():
		m.arrange()
	}
	return nil
}

func (m *Model) clearFilter() {
	m.filter.set("")
	m.view.Query, m.view.Filter = grid.Query{}, grid.FilterAll
	m.arrange()
}

// keysOf is how a person presses an action, for texts on the screen.
func (m *Model) keysOf(action string) string {
	for i := range m.keys.table {
		if b := &m.keys.table[i]; b.action == action && len(b.keys) > 0 {
			return m.showKey(b.keys[0])
		}
	}
	return ""
}

// showKey is a key as it is drawn.
func (m *Model) showKey(key string) string {
	switch key {
	case "enter":
		return m.style.Signs.Enter
	case "tab":
		return m.style.Signs.Tab
	case " ":
		return "space"
	}
	return strings.ReplaceAll(key, "ctrl+", "^")
}
