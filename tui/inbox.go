package tui

import (
	"cmp"
	"strconv"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// entryID names an entry of the inbox. The list grows at its top while it is read; the selection
// stays on its entry.
type entryID struct {
	agent tracker.AgentID
	kind  tracker.HappeningKind
	at    int64 // Unix nanoseconds
}

func idOf(h *tracker.Happening) entryID { return entryID{h.Agent, h.Kind, h.At.UnixNano()} }

func (m *Model) inbox() []*tracker.Happening {
	if m.snap == nil {
		return nil
	}
	return m.snap.Inbox
}

func (m *Model) openInbox() tea.Cmd {
	m.inboxBefore = m.inboxSeen
	m.open(&sheet{kind: sheetInbox})
	if list := m.inbox(); len(list) > 0 {
		m.sheet.entry = idOf(list[0])
	}
	return m.noteInboxSeen()
}

// unseen is how many entries are news since the inbox was last open.
func (m *Model) unseen() int {
	n := 0
	for _, h := range m.inbox() {
		if isNews(h, m.inboxSeen) {
			n++
		}
	}
	return n
}

// isNews reports whether an entry came after a time, was not looked at otherwise and still means
// something: a question that was answered meanwhile does not, an agent that ended does.
func isNews(h *tracker.Happening, after time.Time) bool {
	return !h.Read && (!h.Over || h.Kind == tracker.HappenedEnded) && h.At.After(after)
}

// noteInboxSeen remembers what the person has read, while the inbox is open, and takes over what was
// read before this board began.
func (m *Model) noteInboxSeen() tea.Cmd {
	if m.snap == nil {
		return nil
	}
	if m.snap.InboxSeen.After(m.inboxSeen) {
		m.inboxSeen = m.snap.InboxSeen
	}
	before := m.inboxSeen
	if m.mode == reading && m.sheet.kind == sheetInbox {
		for _, h := range m.inbox() {
			if h.At.After(m.inboxSeen) {
				m.inboxSeen = h.At
			}
		}
	}
	if m.inboxSeen.Equal(before) {
		return nil
	}
	return sawInbox(m.board, m.inboxSeen)
}

// entryAt is the index of the selected entry: the first one when it has fallen off the list.
func (m *Model) entryAt() int {
	for i, h := range m.inbox() {
		if idOf(h) == m.sheet.entry {
			return i
		}
	}
	return 0
}

func (m *Model) moveEntry(n int) {
	if list := m.inbox(); len(list) > 0 {
		m.sheet.entry = idOf(list[clamp(m.entryAt()+n, 0, len(list)-1)])
	}
}

// enterEntry closes the inbox on the pane that the selected entry is about, and jumps there. Where a
// jump cannot be, the board says why and shows the row.
func (m *Model) enterEntry() tea.Cmd {
	list := m.inbox()
	if len(list) == 0 {
		return nil
	}
	h := list[m.entryAt()]
	_, w, p := m.snap.FindPane(h.Pane)
	if h.Pane == "" || p == nil {
		m.say(style.Dim, "its pane is gone")
		return nil
	}
	m.closeSheet()
	m.show(string(w.ID), h.Pane)
	return m.perform("jump")
}

// show selects a pane wherever it is, also behind a filter or a fold.
func (m *Model) show(key string, pane tracker.PaneID) {
	if !m.grid.Select(key) {
		m.unfold(key)
	}
	if !m.grid.Select(key) {
		m.clearFilter()
		m.grid.Select(key)
	}
	m.pinned = pane
}

func (m *Model) inboxLines(w int) []textRow {
	list := m.inbox()
	if len(list) == 0 {
		var rows []textRow
		for _, l := range wrap("Nothing happened while you were away.", w-2) {
			rows = append(rows, textLine(style.Text, l))
		}
		for _, l := range wrap("Agents that need input, finish, fail or end are noted here.", w-2) {
			rows = append(rows, textLine(style.Dim, l))
		}
		return rows
	}
	out := make([]textRow, 0, len(list))
	selected := m.entryAt()
	for i, h := range list {
		age, _ := grid.Age(m.now, h.At)
		title, text := style.Text, style.Text
		if (h.Read || h.Over) && !isNews(h, m.inboxBefore) {
			title, text = style.Dim, style.Dim
		}
		if i == selected {
			title = style.Strong
		}
		first := piece{isLamp: true, lamp: happeningLamp[h.Kind], w: lampPiece}
		if h.Over || h.Read { // its lamp is off: nothing is left to do
			first = col(style.Faint, m.style.Shape(happeningLamp[h.Kind]), lampPiece)
		}
		pieces := []piece{first, col(style.Dim, age, grid.AgeWidth+2)}
		if !grid.Narrow(w) { // there the lamp says it alone: lit, or off
			pieces = append(pieces, m.entryState(h))
		}
		pieces = append(pieces, col(title, m.entryTitle(h, w), clamp(w/4, 12, 28)), txt(text, h.Text))
		out = append(out, textRow{marked: i == selected, pieces: pieces})
	}
	return out
}

// entryStateWidth is the width of the words below.
const entryStateWidth = 6

// entryState is one word for what is left to do about an entry: new ones came since the inbox was last
// open, open ones still wait for a look, and those that went on without one are over.
func (m *Model) entryState(h *tracker.Happening) piece {
	switch {
	case isNews(h, m.inboxBefore):
		return col(style.Strong, "new", entryStateWidth)
	case h.Read:
		return col(style.Dim, "seen", entryStateWidth)
	case h.Over:
		return col(style.Dim, "over", entryStateWidth)
	}
	return col(style.Text, "open", entryStateWidth)
}

// entryTitle is what the board calls the place of an entry, so that it is found there again, and the
// agent's own name once it has none.
func (m *Model) entryTitle(h *tracker.Happening, width int) string {
	s, w, p := m.snap.FindPane(h.Pane)
	if p == nil || w.Agent() == nil || w.Agent().ID != h.Agent {
		return cmp.Or(h.Title, string(h.Pane))
	}
	title, name := s.Name, grid.Name(w)
	if grid.Narrow(width) { // there is no room for more
		return name
	}
	if len(s.Windows) > 1 {
		title += ":" + strconv.Itoa(w.Index)
	}
	if name != s.Name {
		title += " " + name
	}
	return title
}

var happeningLamp = map[tracker.HappeningKind]style.Lamp{
	tracker.HappenedNeedsInput: style.LampNeeds,
	tracker.HappenedReview:     style.LampReview,
	tracker.HappenedFailed:     style.LampFailed,
	tracker.HappenedEnded:      style.LampBroken,
	tracker.HappenedQuiet:      style.LampQuiet,
}

// inboxChange is when the first age in the open inbox changes, zero for never.
func (m *Model) inboxChange() time.Time {
	if m.mode != reading || m.sheet.kind != sheetInbox {
		return time.Time{}
	}
	var next time.Time
	for _, h := range m.inbox() {
		if _, valid := grid.Age(m.now, h.At); valid > 0 {
			next = earliest(next, m.now.Add(valid))
		}
	}
	return next
}
