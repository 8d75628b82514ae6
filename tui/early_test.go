package tui

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// TestKeysBeforeTheFirstBoardCount: those that were read with the terminal's answers, and those that came
// before there was anything to press them on.
func TestKeysBeforeTheFirstBoardCount(t *testing.T) {
	for _, c := range []struct{ typed, then, want string }{
		{"", "", "browsing /"},
		{"/wo", "rk", "filtering /work"},
		{"/wo", "\x7f\r", "browsing /w"},
		{"\x1b[B", "\x1b[B", "browsing / 2"},
		{"G", "", "browsing / last"},
		{"j", "j", "browsing / 2"},
		{"jj", "", "browsing / 2"},
		{"/测é\x1b[D", "x", "filtering /测xé"},
		{"\x1b[200~\x1b]11;rgb:\x1b[201~", "j", "browsing / 1"},    // a paste is no key
		{"j\x1b]11;rgb:ffff/1e1e", "/bbbb\x1b\\j", "browsing / 2"}, // an answer that goes on when keys are read
		{"\x1b[?1;2c\x1b[12;40Rj", "", "browsing / 1"},             // other answers
		{"/" + strings.Repeat("a", 300), "", "filtering /" + strings.Repeat("a", maxFilter)},
		{"/" + strings.Repeat("b", 255), "", "filtering /" + strings.Repeat("b", maxFilter)},
		{"/" + strings.Repeat("\x1b[D", 85) + "z", "", "filtering /z"}, // a read that is full exactly, and one that is not
	} {
		if got := startWith(t, c.typed, c.then); got != c.want {
			t.Errorf("%q and %q: %s, want %s", c.typed, c.then, got, c.want)
		}
	}
}

// startWith runs a board for which some bytes were read before it and others come before its first
// snapshot, and says what it is like afterwards.
func startWith(t *testing.T, typed, then string) string {
	t.Helper()
	var got string
	synctest.Test(t, func(t *testing.T) {
		board := &streamBoard{&fakeBoard{hooks: HookSetup{Installed: true}}, make(chan *tracker.Snapshot)}
		m := New(board, Options{Style: newStyle(testLook{}), Home: tuitest.Home, Typed: []byte(typed)})
		in, keyboard := io.Pipe()
		done := make(chan error, 1)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var p *tea.Program
		go func() { done <- Run(ctx, m, in, &terminal{}, func(q *tea.Program) { p = q }) }()
		synctest.Wait()
		if then != "" {
			if _, err := io.WriteString(keyboard, then); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		p.Send(tea.WindowSizeMsg{Width: 80, Height: 24})
		board.snaps <- tuitest.Parse("$ a\n0 w0 | shell | ~ | 1m\n1 w1 | shell | ~ | 1m\n2 w2 | shell | ~ | 1m\n3 w3 | shell | ~ | 1m\n")
		synctest.Wait()
		close(board.snaps)
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
		_ = keyboard.Close()
		time.Sleep(2 * longestWait)
		got = fmt.Sprintf("%s /%s", map[mode]string{browsing: "browsing", filtering: "filtering"}[m.mode], m.filter.String())
		switch key := m.grid.SelectedKey(); {
		case m.filter.String() != "" || key == "@0":
		case key == "@3":
			got += " last"
		default:
			got += " " + strings.TrimPrefix(key, "@")
		}
	})
	return got
}

// TestLeavingWithTheFirstKey: it was read with the terminal's answers, and there never is a snapshot.
func TestLeavingWithTheFirstKey(t *testing.T) {
	for _, typed := range []string{"q", "\x03", "j\x03"} {
		synctest.Test(t, func(t *testing.T) {
			board := &streamBoard{&fakeBoard{hooks: HookSetup{Installed: true}}, make(chan *tracker.Snapshot)}
			m := New(board, Options{Style: newStyle(testLook{}), Home: tuitest.Home, Typed: []byte(typed)})
			in, keyboard := io.Pipe()
			done := make(chan error, 1)
			go func() { done <- Run(t.Context(), m, in, &terminal{}) }()
			time.Sleep(longestWait)
			select {
			case err := <-done:
				if err != nil {
					t.Errorf("%q: %v", typed, err)
				}
				close(board.snaps)
			default:
				t.Errorf("%q does not leave", typed)
				close(board.snaps)
				<-done
			}
			_ = keyboard.Close()
			time.Sleep(2 * longestWait)
		})
	}
}

// TestWhoeverWantsToLeaveNeedNotWait for a tmux that does not answer.
func TestWhoeverWantsToLeaveNeedNotWait(t *testing.T) {
	for keys, leaves := range map[string]bool{"q": true, "ctrl+c": true, "j ctrl+c": true, "/ q": false} {
		d := newDriver(t, 80, 24)
		d.press(strings.Fields(keys)...)
		left := false
		for _, cmd := range d.cmds {
			left = left || quits(cmd)
		}
		if left != leaves {
			t.Errorf("%s before the first board leaves: %v", keys, left)
		}
	}
}
