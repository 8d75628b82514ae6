package desk

import (
	"io"
	"os"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Sequences that keep the terminal's title and give it back. tmux and the usual terminals know them,
// the others ignore them.
const (
	pushTitle = "\x1b[22;0t"
	popTitle  = "\x1b[23;0t"
)

// terminal is the board's terminal for more than one speaker: each write comes through whole, so
// that a bell never falls into the middle of a frame.
type terminal struct {
	*os.File
	tr *trace

	mu   sync.Mutex
	lent int // another program has it
}

func newTerminal(f *os.File, tr *trace) *terminal { return &terminal{File: f, tr: tr} }

// Write draws.
func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	began := time.Now()
	n, err := t.File.Write(p)
	t.tr.drew(n, began)
	return n, err
}

// say writes a sequence that leaves the picture alone. While another program has the terminal it is
// not ours to speak to; a terminal that is gone ends the board elsewhere.
func (t *terminal) say(seq string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.lent == 0 && seq != "" {
		_, _ = io.WriteString(t.File, seq)
	}
}

// keepTitle keeps the title of the terminal and returns what gives it back.
func (t *terminal) keepTitle() (restore func()) {
	t.say(pushTitle)
	return func() { t.say(popTitle) }
}

// lend marks the terminal as lent while a command runs in the board's place. nil stays nil.
func (t *terminal) lend(c tea.ExecCommand) tea.ExecCommand {
	if c == nil {
		return nil
	}
	return &borrower{c, t}
}

type borrower struct {
	tea.ExecCommand
	t *terminal
}

func (b *borrower) Run() error {
	b.count(1)
	defer b.count(-1)
	return b.ExecCommand.Run()
}

func (b *borrower) count(by int) {
	b.t.mu.Lock()
	defer b.t.mu.Unlock()
	b.t.lent += by
}
