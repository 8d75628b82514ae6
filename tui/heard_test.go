package tui

import (
	"context"
	"io"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// listen runs the whole program with a terminal that sends these pieces, a while apart, and returns the
// model as it was left.
func listen(t *testing.T, apart time.Duration, pieces ...string) *Model {
	t.Helper()
	var m *Model
	synctest.Test(t, func(t *testing.T) {
		board := &streamBoard{&fakeBoard{hooks: HookSetup{Installed: true}}, make(chan *tracker.Snapshot)}
		m = New(board, Options{Style: newStyle(testLook{}), Home: tuitest.Home})
		in, keyboard := io.Pipe()
		done := make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var p *tea.Program
		go func() {
			done <- Run(ctx, m, in, &terminal{}, func(q *tea.Program) { p = q })
		}()
		synctest.Wait()
		p.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		board.snaps <- tuitest.Parse(tuitest.Everyday)
		synctest.Wait()
		for _, piece := range pieces {
			if _, err := io.WriteString(keyboard, piece); err != nil {
				t.Fatal(err)
			}
			time.Sleep(apart)
		}
		close(board.snaps)
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		_ = keyboard.Close()
		time.Sleep(2 * longestWait)
	})
	return m
}

// TestALateAnswerOfTheTerminalIsNoKeys: r asks for news, g and b move, / opens the filter.
func TestALateAnswerOfTheTerminalIsNoKeys(t *testing.T) {
	const answer = "\x1b]11;rgb:ffff/1e1e/bbbb"
	for _, pieces := range [][]string{
		{answer + "\x1b\\\x1b[?1;2c"},
		{answer + "\a"},
		{answer, "\x1b\\"},
		{answer + "\x1b", "\\"},
		{answer[:1], answer[1:] + "\a"},
		{answer[:2], answer[2:] + "\a"},
		{answer[:4], answer[4:9], answer[9:13], answer[13:] + "\x1b\\"},
		{"\x1b]11;rgba:00/b2/b36/ffff\x1b\\"},
		{"\x1b]11;#bbbbbb\a"},
	} {
		m := listen(t, 50*time.Millisecond, append([]string{"3"}, append(slices.Clone(pieces), "j")...)...)
		board := m.board.(*streamBoard)
		if m.mode != browsing || len(m.filter.text) > 0 || m.count != 0 {
			t.Errorf("%q: mode %d, filter %q, count %d", pieces, m.mode, m.filter.String(), m.count)
		}
		if board.did("refresh") || board.did("back") {
			t.Errorf("%q did %q", pieces, board.calls)
		}
		if m.grid.SelectedKey() == "@0" {
			t.Errorf("%q: the key after the answer did nothing", pieces)
		}
	}
}

// TestKeysThatLookLikeAnAnswerAreKeys: only what no person types in so short a time is the terminal's.
func TestKeysThatLookLikeAnAnswerAreKeys(t *testing.T) {
	for _, pieces := range [][]string{
		{"\x1b]", "1", "1"},
		{"\x1b", "]", "1", "1"},
		{"\x1b]", "j", "11"},
		{"\x1b[200~\x1b]11;rgb:\x1b[201~11"},
	} {
		if m := listen(t, 50*time.Millisecond, pieces...); m.count != 11 {
			t.Errorf("%q: the count is %d", pieces, m.count)
		}
	}
	if m := listen(t, time.Second, "\x1b]", "11"); m.count != 11 {
		t.Errorf("long after the first key the count is %d", m.count)
	}
	if m := listen(t, 50*time.Millisecond, "\x1b]11;rgb:ffff/ffff/ffff", "j", "/rgb:12"); m.filter.String() != "rgb:12" {
		t.Errorf("what is written after an answer without an end is %q", m.filter.String())
	}
}

// TestAClickThatBringsTheFocus: tmux sends both at once.
func TestAClickThatBringsTheFocus(t *testing.T) {
	const click = "\x1b[<0;10;5M"
	if m := listen(t, 50*time.Millisecond, "\x1b[O", "\x1b[I"+click); !m.focused {
		t.Error("the board does not know that the person is there")
	}
	if m := listen(t, 50*time.Millisecond, click+"\x1b[O"); m.focused {
		t.Error("the board does not know that the person has gone")
	}
	if m := listen(t, 50*time.Millisecond, "\x1b[O"+click); m.focused {
		t.Error("a click alone is taken for the focus")
	}
}
