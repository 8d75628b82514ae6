package tui

import (
	"context"
	"io"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
)

// mostEarly bounds the keys that are kept for the first board: more than anybody types until then.
const mostEarly = 4096

// early reports whether a key has to wait: what it is about is not on the screen yet, and a key that found
// nothing to do would be lost. Whoever wants to leave need not wait for a tmux that does not answer.
func (m *Model) early(msg tea.KeyMsg) bool {
	if m.ready || len(m.waiting) >= mostEarly {
		return false
	}
	if msg.Type == tea.KeyCtrlC {
		return false
	}
	b := m.keys.find(msg.String())
	return len(m.waiting) > 0 || b == nil || b.action != "quit" // behind others it may be a letter
}

// started reports whether there is a board to press keys on, or it is known why there is none.
func (m *Model) started() bool {
	if m.width == 0 {
		return false
	}
	return m.opt.NoTmux || m.snap != nil && (m.snap.Tmux.State != tracker.StateUnknown || len(m.snap.Sessions) > 0)
}

// catchUp gives the keys that had to wait to the first board, in their order.
func (m *Model) catchUp() tea.Cmd {
	if m.ready || !m.started() {
		return nil
	}
	m.ready = true
	keys := m.waiting
	m.waiting = nil
	cmds := make([]tea.Cmd, 0, len(keys))
	for _, msg := range keys {
		cmds = append(cmds, m.typed(msg))
	}
	m.keepSettings()
	return tea.Batch(cmds...)
}

// hearEarly takes the keys among what was read of the terminal before the screen could. What does not wait,
// as the wish to leave, is done as soon as the program runs.
func (m *Model) hearEarly(ctx context.Context, h *heard) {
	for _, msg := range understood(ctx, m.opt.Typed) {
		if key, is := h.take(msg, m.opt.Now()).(tea.KeyMsg); is {
			m.atOnce = tea.Batch(m.atOnce, m.typed(key))
		}
	}
}

// understood is what Bubble Tea makes of these bytes. Its reader of keys is to be had with a program around
// it only: one that shows nothing, and ends with its input.
func understood(ctx context.Context, typed []byte) []tea.Msg {
	if len(typed) == 0 {
		return nil
	}
	all := &listener{}
	in := &lastWords{rest: typed}
	p := tea.NewProgram(all, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(io.Discard), tea.WithoutRenderer(), tea.WithoutSignalHandler())
	in.end = p.Quit
	if _, err := p.Run(); err != nil {
		return nil // ctx ended
	}
	return all.msgs
}

// listener notes what it gets.
type listener struct{ msgs []tea.Msg }

func (l *listener) Init() tea.Cmd { return nil }
func (l *listener) View() string  { return "" }

func (l *listener) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	l.msgs = append(l.msgs, msg)
	return l, nil
}

// lastWords is an input that says when all of it was taken: the reader hands on one thing after the other,
// and has done so with all of them when it asks for more.
type lastWords struct {
	rest []byte
	full bool // the last read filled the buffer: its end may be in the middle of a key
	end  func()
}

func (w *lastWords) Read(b []byte) (int, error) {
	if len(w.rest) == 0 && !w.full {
		w.end()
		return 0, io.EOF
	}
	n := copy(b, w.rest)
	w.rest, w.full = w.rest[n:], n == len(b)
	return n, nil
}
