package tui

import (
	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// sheetKind says what a sheet shows.
type sheetKind uint8

const (
	sheetHelp sheetKind = iota
	sheetPeek
	sheetExplain
	sheetInbox
	sheetTasks
	sheetHooks
)

// sheet covers the grid with something to read. Its lines are made anew for every frame from what
// is known then, so an explanation or a peek stays true while it is open.
type sheet struct {
	kind    sheetKind
	pane    tracker.PaneID // peek, explain
	top     int
	left    int     // peek: columns that are out of sight at the left
	entry   entryID // inbox: selected entry
	tail    bool    // peek: at the end, and staying there
	loading bool    // hooks: the answer is not there yet
	rows    int     // lines of the content, as last drawn
	height  int     // lines it is drawn on
}

func (m *Model) open(s *sheet) {
	m.sheet = s
	m.mode = reading
}

func (m *Model) closeSheet() {
	m.sheet = nil
	m.mode = browsing
	m.preview.due = m.now
}

// farther is more lines than any sheet has.
const farther = 1 << 20

// scroll moves the content by n lines.
func (s *sheet) scroll(n int) {
	most := max(s.rows-s.height, 0)
	if s.tail {
		s.top = most
	}
	s.top = clamp(s.top+n, 0, most)
	s.tail = s.kind == sheetPeek && s.top == most
}

// sheetKey reads keys while a sheet is open. The key that opened it closes it as well.
func (m *Model) sheetKey(msg tea.KeyMsg) tea.Cmd {
	s, key := m.sheet, msg.String()
	if s.kind == sheetTasks {
		return m.taskKey(msg)
	}
	switch key {
	case "esc", "q":
		m.closeSheet()
	case "ctrl+c":
		return tea.Quit
	case "up", "k":
		m.sheetMove(-1)
	case "down", "j":
		m.sheetMove(1)
	case "left", "h":
		m.moveSideways(-1)
	case "right", "l":
		m.moveSideways(1)
	case "pgup", "ctrl+b", "u":
		s.scroll(-max(s.height-1, 1))
	case "pgdown", "ctrl+f", "d":
		s.scroll(max(s.height-1, 1))
	case "home", "g":
		m.sheetMove(-farther)
	case "end", "G":
		m.sheetMove(farther)
	case "enter":
		return m.sheetEnter()
	default:
		if b := m.keys.find(key); b != nil && b.action == sheetAction[s.kind] {
			m.closeSheet()
		}
	}
	return nil
}

// sheetAction is the action that opens each sheet.
var sheetAction = [...]string{sheetHelp: "help", sheetPeek: "peek", sheetExplain: "explain", sheetInbox: "inbox", sheetTasks: "tasks", sheetHooks: "hooks"}

func (m *Model) sheetMove(n int) {
	if m.sheet.kind == sheetInbox {
		m.moveEntry(n)
		return
	}
	m.sheet.scroll(n)
}

// sheetEnter does what a sheet is for: jump to what it is about, or install the hooks.
func (m *Model) sheetEnter() tea.Cmd {
	s := m.sheet
	switch s.kind {
	case sheetPeek, sheetExplain:
		m.closeSheet()
		return m.perform("jump")
	case sheetInbox:
		return m.enterEntry()
	case sheetHooks:
		if m.opt.ReadOnly {
			m.say(style.Dim, "the board is read-only")
			return nil
		}
		if !s.loading && !m.hooks.Installed && m.hooks.Problem == "" {
			s.loading = true
			return installHooks(m.board)
		}
	}
	return nil
}

func (m *Model) openHelp() tea.Cmd {
	m.open(&sheet{kind: sheetHelp})
	return nil
}

func (m *Model) explain() tea.Cmd {
	m.open(&sheet{kind: sheetExplain, pane: m.selectedPane().ID})
	return nil
}

func (m *Model) openHooks() tea.Cmd {
	m.open(&sheet{kind: sheetHooks, loading: true})
	m.seq.hooks++
	return readHooks(m.board, true, m.seq.hooks)
}

func (m *Model) hooksRead(msg hooksMsg) {
	if msg.seq != m.seq.hooks {
		return
	}
	if msg.err != nil {
		if msg.show {
			m.complain(msg.err)
		}
	} else {
		m.hooks, m.hooksSeen = msg.setup, true
	}
	if m.mode == reading && m.sheet.kind == sheetHooks {
		m.sheet.loading = false
	}
	if m.snap != nil {
		m.recall()
	}
	m.arrange()
}

// hooksMoved asks for the state of the hooks anew, and waits for the next change.
func (m *Model) hooksMoved(msg hooksMovedMsg) tea.Cmd {
	if msg.err != nil {
		return nil // the program ends
	}
	m.seq.hooks++
	return tea.Batch(readHooks(m.board, false, m.seq.hooks), waitHooks(m.board))
}

func (m *Model) hooksInstalled(msg installedMsg) tea.Cmd {
	if m.mode == reading && m.sheet.kind == sheetHooks {
		m.sheet.loading = false
	}
	if msg.err != nil {
		m.complain(msg.err)
		return nil
	}
	if m.mode == reading && m.sheet.kind == sheetHooks {
		m.closeSheet()
	}
	m.say(style.Good, "hooks are installed; agents that run take them up within seconds")
	m.seq.hooks++
	return readHooks(m.board, false, m.seq.hooks)
}

// perform runs an action by name, or says why it cannot.
func (m *Model) perform(action string) tea.Cmd {
	for i := range m.keys.table {
		b := &m.keys.table[i]
		if b.action != action {
			continue
		}
		if why := b.why(m); why != "" {
			m.say(style.Dim, why)
			return nil
		}
		return b.run(m)
	}
	return nil
}
