package fakeagent

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"github.com/muesli/cancelreader"
)

// stopWait is how long a Ctrl-Z may take to stop the process. In a pane without a job-control shell
// (an orphaned process group) the signal does nothing, and the agent simply comes back.
const stopWait = 300 * time.Millisecond

// readSize is one read from the terminal.
const readSize = 32 << 10

// terminal is where the agent reads keys and draws: a real terminal in raw mode, or any reader
// and writer.
type terminal struct {
	in    cancelreader.CancelReader
	file  *os.File // the terminal of the input; nil when it is none
	out   *os.File // the terminal of the output; nil when it is none
	state *term.State
	size  func() (width, height int)
}

func openTerminal(o Options, stdin io.Reader, stdout io.Writer) (*terminal, error) {
	t := &terminal{size: func() (int, int) { return o.Width, o.Height }}
	if f, ok := stdin.(*os.File); ok && term.IsTerminal(f.Fd()) {
		t.file = f
	}
	if f, ok := stdout.(*os.File); ok && term.IsTerminal(f.Fd()) {
		t.out = f
		t.size = func() (int, int) {
			w, h, err := term.GetSize(f.Fd())
			if err != nil || w <= 0 || h <= 0 {
				return o.Width, o.Height
			}
			return w, h
		}
	}
	in, err := cancelreader.NewReader(stdin)
	if err != nil {
		return nil, fmt.Errorf("preparing to read the terminal: %w", err)
	}
	t.in = in
	return t, t.raw()
}

func (t *terminal) raw() error {
	if t.file == nil {
		return nil
	}
	state, err := term.MakeRaw(t.file.Fd())
	if err != nil {
		return fmt.Errorf("switching the terminal to raw mode: %w", err)
	}
	if t.state == nil {
		t.state = state
	}
	return nil
}

func (t *terminal) restore() {
	if t.file != nil && t.state != nil {
		// Nothing is left to do about a terminal that cannot be reset.
		_ = term.Restore(t.file.Fd(), t.state)
	}
}

// read sends what is typed to the channel until the reader ends or done is closed.
func (t *terminal) read(chunks chan<- []byte, done <-chan struct{}) {
	defer close(chunks)
	buf := make([]byte, readSize)
	for {
		n, err := t.in.Read(buf)
		if n > 0 {
			select {
			case chunks <- append([]byte(nil), buf[:n]...):
			case <-done:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// stop suspends the process group as Ctrl-Z does, and returns when it goes on.
func (t *terminal) stop() {
	if t.file == nil {
		return
	}
	cont := make(chan os.Signal, 1)
	signal.Notify(cont, syscall.SIGCONT)
	defer signal.Stop(cont)
	if err := syscall.Kill(0, syscall.SIGTSTP); err != nil {
		return
	}
	timer := time.NewTimer(stopWait)
	defer timer.Stop()
	select {
	case <-cont:
	case <-timer.C:
	}
}
