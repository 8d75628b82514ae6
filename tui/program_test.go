package tui

import (
	"bytes"
	"context"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// streamBoard hands out snapshots from a channel, as the engine's mailbox does.
type streamBoard struct {
	*fakeBoard
	snaps chan *tracker.Snapshot
}

func (b *streamBoard) Next(ctx context.Context, _ uint64) (*tracker.Snapshot, error) {
	select {
	case s, ok := <-b.snaps:
		if !ok {
			return nil, ErrClosed
		}
		return s, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// terminal is what the program writes to.
type terminal struct {
	mu sync.Mutex
	b  bytes.Buffer
	n  int
}

func (t *terminal) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.n++
	return t.b.Write(p)
}

func (t *terminal) Read([]byte) (int, error) { return 0, io.EOF }
func (t *terminal) Close() error             { return nil }
func (t *terminal) Fd() uintptr              { return ^uintptr(0) } // no terminal: sizes come as messages

func (t *terminal) taken() (text string, writes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	text, writes = t.b.String(), t.n
	t.b.Reset()
	t.n = 0
	return text, writes
}

// TestTheEndOfTheContextIsAnOrdinaryEnd holds Run to giving the terminal back in that case too.
func TestTheEndOfTheContextIsAnOrdinaryEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		board := &streamBoard{&fakeBoard{}, make(chan *tracker.Snapshot)}
		m := New(board, Options{Style: newStyle(testLook{}), Home: tuitest.Home})
		out := &terminal{}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- Run(ctx, m, nil, out, tea.WithInput(nil)) }()
		time.Sleep(time.Second)
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		if text, _ := out.taken(); !strings.Contains(text, leave) {
			t.Error("the terminal was not given back")
		}
		close(board.snaps)
		time.Sleep(2 * longestWait)
	})
}

// TestWholeProgram runs the screen as main does, with a real tea.Program, in virtual time.
func TestWholeProgram(t *testing.T) {
	preview := recorded(t, "permission")
	synctest.Test(t, func(t *testing.T) {
		board := &streamBoard{&fakeBoard{hooks: HookSetup{Installed: true}, preview: preview}, make(chan *tracker.Snapshot)}
		m := New(board, Options{Style: newStyle(testLook{}), Home: tuitest.Home})
		out := &terminal{}
		done := make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var p *tea.Program
		go func() {
			done <- Run(ctx, m, nil, out, tea.WithInput(nil), func(q *tea.Program) { p = q })
		}()
		synctest.Wait() // until the program waits for messages
		p.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		board.snaps <- tuitest.Parse(tuitest.Everyday)
		time.Sleep(time.Second)
		if text, _ := out.taken(); !strings.Contains(text, "api-worker") || !strings.Contains(text, "Yes, and switch to auto mode") {
			t.Errorf("after a second the screen shows %q", text)
		}
		board.mu.Lock()
		n := len(board.calls)
		board.mu.Unlock()
		if n == 0 {
			t.Error("no preview was asked for")
		}

		p.Send(tea.BlurMsg{})
		time.Sleep(time.Second)
		out.taken()
		time.Sleep(10 * time.Second)
		if text, n := out.taken(); n > 2 {
			t.Errorf("without the focus the board wrote %d times in ten seconds: %q", n, text)
		}

		close(board.snaps)
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		time.Sleep(2 * longestWait) // outlive the last armed timer, which cannot be stopped
	})
}
