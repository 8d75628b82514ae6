package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/prompt"
	"signalbox/tui/style"
)

// mode decides who reads keys.
type mode uint8

const (
	browsing  mode = iota
	filtering      // a line at the bottom takes text
	labelling      // every row has a letter; typing it selects the row
	reading        // a sheet covers the grid: help, peek, explain, inbox, tasks, hooks
	composing      // the prompt takes text
)

// Model is the screen. It is used through a pointer, by one goroutine at a time, as tea.Program
// does.
type Model struct {
	board Board
	opt   Options
	style *style.Style
	keys  *keymap

	snap    *tracker.Snapshot
	grid    *grid.Grid
	rows    int // cells there would be without a filter text
	cols    int // columns the grid would have without one
	view    grid.View
	width   int
	height  int
	areas   areas
	focused bool
	mode    mode

	unseenFrom time.Time // from when on the board's window is on no screen; zero while it is on one

	now   time.Time
	frame int
	timer timer

	pinned  tracker.PaneID // pane chosen inside the selected window; "" for its most urgent one
	panel   panel
	preview preview
	sheet   *sheet
	prompt  composer
	queue   Queue
	tasks   *prompt.List
	drafted bool     // drafts of earlier runs were looked at
	kept    Settings // as they were handed out last
	filter  lineEdit
	labels  labels
	count   int // digits typed before a movement
	click   click
	refused time.Time // when a key of a text that cannot be written came last; zero for none

	hooks       HookSetup
	hooksSeen   bool
	notice      notice
	dismissed   [banners]bool
	jumped      bool         // there may be a place to go back to
	begun       bool         // the first board was shown
	ready       bool         // there is something to press keys on
	waiting     []tea.KeyMsg // pressed before
	atOnce      tea.Cmd      // what those of them have led to that did not wait
	inboxSeen   time.Time    // newest entry when the inbox was last open
	inboxBefore time.Time    // the same before it was opened this time
	seq         sequences
	title       string

	silent  time.Time // until when notifications are kept back
	hand    time.Time // when the person last pressed a key or a button here; zero once they went elsewhere
	stirred time.Time // when the person last did something, or another number of agents began to wait for them

	dirty     bool
	text      string
	buf       []byte
	factRows  []textRow // of the frame being drawn
	sheetRows []textRow
	taskRows  []string
}

// sequences number the requests of each kind; a result with a lower number is stale.
type sequences struct {
	jump, preview, hooks uint64
}

// panel is the area with the facts and the live screen of the selected window.
type panel struct {
	on bool // wanted by the person; a small screen may have no room for it
}

// notice is one line that takes the footer's place for a while: a text, or the choices that a key goes
// round and which one it is at.
type notice struct {
	text    string
	role    style.Role
	choices []string
	at      int
	until   time.Time
}

// noticeFor is how long a notice stays: long enough to read a line twice.
const noticeFor = 5 * time.Second

// New returns the screen of a board. Nothing happens until a tea.Program runs it.
func New(b Board, o Options) *Model {
	if o.Now == nil {
		o.Now = time.Now
	}
	m := &Model{
		board: b, opt: o, style: o.Style, keys: newKeymap(o.Keys), grid: grid.New(o.Style, o.Home),
		focused: true, dirty: true, panel: panel{on: !o.Settings.NoPreview},
	}
	m.view = grid.View{
		Sort: o.Settings.View.Sort, Group: o.Settings.View.Group, Filter: o.Settings.View.Filter,
		Folded: make(map[string]bool), Home: o.Home,
	}
	for _, title := range o.Settings.Folded {
		m.view.Folded[title] = true
	}
	po := prompt.Options{Style: o.Style}
	if o.Sender != nil {
		po.CheckText = o.Sender.CheckText
	}
	m.prompt.Prompt, m.tasks = prompt.New(po), prompt.NewList(o.Style)
	m.jumped = o.Jumped
	m.preview.shots = make(map[tracker.PaneID]*shot)
	m.timer.arm = tick
	m.now = o.Now()
	m.stirred = m.now
	return m
}

// Init asks for the first snapshot and for the state of the hooks.
func (m *Model) Init() tea.Cmd {
	m.seq.hooks++
	return tea.Batch(nextSnapshot(m.board, 0), nextQueue(m.opt.Sender, 0), readHooks(m.board, false, m.seq.hooks), waitHooks(m.board), tea.SetWindowTitle(appName), m.atOnce)
}

const appName = "signalbox"

// offer shows what a key goes round, and where it is now.
func (m *Model) offer(what string, at int, choices ...string) {
	m.notice = notice{text: what, role: style.Dim, choices: choices, at: at, until: m.now.Add(noticeFor)}
}

func (m *Model) say(r style.Role, text string) {
	m.notice = notice{text: text, role: r, until: m.now.Add(noticeFor)}
}
