package tui

import (
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// Update takes one message. It only routes; see doc.go for the picture.
func (m *Model) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	m.now = m.opt.Now()
	switch msg.(type) {
	case tea.KeyMsg, tea.MouseMsg:
		m.stirred, m.hand = m.now, m.now
	case tea.WindowSizeMsg, tea.FocusMsg:
		m.stirred = m.now
	}
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case tickMsg:
		cmd = m.ticked(msg)
		return m, tea.Batch(cmd, m.wake())
	case tea.KeyMsg:
		m.focus(true) // whatever the terminal said
		cmd = m.typed(msg)
		m.keepSettings()
	case tea.MouseMsg:
		cmd = m.mouse(msg)
	case tea.WindowSizeMsg:
		m.resize(msg.Width, msg.Height)
	case tea.FocusMsg:
		m.focus(true)
	case tea.BlurMsg:
		m.focus(false)
	case snapshotMsg:
		cmd = m.snapshot(msg)
	default:
		cmd = m.result(msg)
	}
	late := m.catchUp()
	m.fitPrompt()
	m.dirty = true
	return m, tea.Batch(cmd, late, m.follow(), m.wake())
}

// result takes what commands bring.
func (m *Model) result(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case previewMsg:
		m.previewed(msg)
	case jumpMsg:
		return m.jumpDone(msg)
	case execMsg:
		m.complain(msg.err)
		return m.returned()
	case tea.ResumeMsg:
		return m.returned()
	case ackMsg:
		m.complain(msg.err)
	case hooksMsg:
		m.hooksRead(msg)
	case hooksMovedMsg:
		return m.hooksMoved(msg)
	case installedMsg:
		return m.hooksInstalled(msg)
	case senderMsg:
		cmd := m.answered(msg)
		m.keepSettings() // what was sent is no draft any more
		return cmd
	case queueMsg:
		return m.queueRead(msg)
	case withdrawnMsg:
		m.complain(msg.err)
	}
	return nil
}

// returned takes the terminal back from another program. Bubble Tea gives it everything again but the
// mouse.
func (m *Model) returned() tea.Cmd {
	m.board.Refresh()
	m.preview.due = m.now
	return tea.EnableMouseCellMotion
}

// snapshot swaps in a new snapshot and asks for the next one.
func (m *Model) snapshot(msg snapshotMsg) tea.Cmd {
	if msg.err != nil || msg.snap == nil {
		return tea.Quit
	}
	m.snap = msg.snap
	m.notePlace()
	m.recall()
	m.recallDrafts()
	m.arrange()
	if !m.begun && len(m.snap.Sessions) > 0 {
		m.begun = true
		m.selectFirst()
	}
	return tea.Batch(nextSnapshot(m.board, msg.snap.Rev), m.retitle(), m.retarget(), m.noteInboxSeen())
}

// selectFirst chooses where the board opens: on who needs the person, else on an agent, else at least
// not on itself, where no key does anything. It opens no section that was left folded.
func (m *Model) selectFirst() {
	if list := m.needy(m.view); len(list) > 0 {
		m.grid.Select(list[0].key)
		return
	}
	other := ""
	for _, s := range grid.Arrange(m.snap, m.view) {
		for _, c := range s.Cells {
			switch {
			case s.Folded:
			case c.HasAgent():
				m.grid.Select(c.Key)
				return
			case other == "":
				if p := c.Window.LeadPane(); p == nil || p.ID != m.opt.Self {
					other = c.Key
				}
			}
		}
	}
	if other != "" {
		m.grid.Select(other)
	}
}

// retitle sets the terminal's title when the number of agents that wait has changed. The title is
// made of our own words only.
func (m *Model) retitle() tea.Cmd {
	title := appName
	if n := m.snap.Counts.Attention(); n > 0 {
		title = "(" + strconv.Itoa(n) + ") " + appName
	}
	if title == m.title {
		return nil
	}
	m.title, m.stirred = title, m.now
	return tea.SetWindowTitle(title)
}

func (m *Model) resize(w, h int) {
	m.width, m.height = max(w, 0), max(h, 0)
	m.grid.SetSize(0, 0, 0) // what suited the old size binds nobody
	m.grid.SetRoomy(false)
	m.cols = 0
	m.prompt.rows = 0
	m.arrange()
}

func (m *Model) focus(on bool) {
	if m.focused == on {
		return
	}
	m.focused = on
	m.board.Focus(on)
	if on {
		m.preview.due = m.now
		return
	}
	m.hand, m.frame = time.Time{}, 0 // lamps that rest are lit
	if m.preview.shots[m.preview.pane] != nil {
		m.preview.due = time.Time{}
	}
	m.rest() // there may have been news before
}

// handRests is how long after a key or a click somebody is taken to be at a board of cards.
const handRests = time.Minute

// rest shows the beginning of an order that has the most urgent first, while nobody is about to do
// something with the selection. Cards have nothing but keys that depends on it, so it waits on the first
// one. Elsewhere the panel shows it, perhaps to somebody who only looks: it stays as long as it is in
// sight, and until the person has gone.
func (m *Model) rest() {
	cards := m.view.Flat
	sorted := cards || m.view.Sort != grid.SortTmux
	gone := m.hand.IsZero() || cards && m.now.Sub(m.hand) > handRests
	if m.mode == browsing && sorted && gone && m.grid.Rest(cards) {
		m.pinned = ""
	}
}

// restsAt is when a board of cards is taken to be left alone, zero for never or already.
func (m *Model) restsAt() time.Time {
	if at := m.hand.Add(handRests + 1); m.view.Flat && !m.hand.IsZero() && at.After(m.now) {
		return at
	}
	return time.Time{}
}

// arrange puts the snapshot on the grid and the grid on the screen.
func (m *Model) arrange() {
	m.view.Flat = grid.Narrow(m.width)
	sections := grid.Arrange(m.snap, m.view)
	all := sections
	if !m.view.Query.Empty() {
		// While a filter is typed the grid keeps its size; only its rows go.
		v := m.view
		v.Query, v.Folded = grid.Query{}, nil
		all = grid.Arrange(m.snap, v)
	}
	m.rows = 0
	for i := range all {
		m.rows += len(all[i].Cells)
	}
	panel := m.panel.on && m.snap != nil && len(m.snap.Sessions) > 0
	banner := m.bannerHeight()
	most := divide(m.width, m.height, m.height, banner, panel).grid
	m.cols = grid.Columns(all, most.w, most.h, m.cols)
	m.areas = divide(m.width, m.height, grid.Height(all, most.w, m.cols), banner, panel)
	cols := m.cols
	if !m.view.Query.Empty() {
		cols = grid.Found(sections, m.areas.grid.w, m.areas.grid.h, m.cols, m.grid.Columns())
	}
	room := m.areas.grid.h
	if m.mode == composing {
		m.areas.makeRoom(m.promptRows)
	}
	m.grid.SetSize(m.areas.grid.w, m.areas.grid.h, cols)
	m.grid.SetUnsent(m.unsent())
	m.grid.SetQuery(m.view.Query)
	below := panel && !m.areas.side && m.areas.panel.h > 0 // which has better use for the lines
	m.grid.SetRoomy(!below && grid.Roomy(all, m.areas.grid.w, room, m.cols, m.grid.Roomy()))
	m.grid.SetSections(sections, m.view.Flat || m.view.Group != grid.GroupSession)
	m.rest()
	if m.pinned != "" && m.selectedPane() == nil {
		m.pinned = ""
	}
}

// selectedPane is the pane that keys and the panel are about, or nil.
func (m *Model) selectedPane() *tracker.PaneRow {
	c, ok := m.grid.Selected()
	if !ok || c.Window == nil {
		return nil
	}
	for _, p := range c.Window.Panes {
		if p.ID == m.pinned {
			return p
		}
	}
	if m.pinned != "" {
		m.pinned = ""
	}
	if lead := c.Window.LeadPane(); lead == nil || lead.ID != m.opt.Self {
		return lead
	}
	for _, p := range c.Window.Panes { // a board beside others shows them, and not itself
		if p.ID != m.opt.Self {
			return p
		}
	}
	return c.Window.LeadPane()
}

func (m *Model) selectedAgent() *tracker.AgentRow {
	if p := m.selectedPane(); p != nil {
		return p.Agent
	}
	return nil
}

func (m *Model) jumpDone(msg jumpMsg) tea.Cmd {
	if msg.seq != m.seq.jump {
		return nil
	}
	if msg.err != nil {
		m.complain(msg.err)
		return nil
	}
	m.jumped, m.hand = true, time.Time{}
	m.rest()
	if msg.outcome.Note != "" {
		m.say(style.Dim, msg.outcome.Note)
	}
	switch {
	case msg.outcome.Leave:
		return tea.Quit
	case msg.outcome.Exec != nil:
		return runInPlace(msg.outcome.Exec)
	}
	return nil
}

// complain shows an error in the footer.
func (m *Model) complain(err error) {
	if err != nil {
		m.say(style.Bad, err.Error())
	}
}
