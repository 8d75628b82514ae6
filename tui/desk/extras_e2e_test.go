package desk_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// configure writes the configuration of the person whose server this is.
func configure(t *testing.T, s *tmuxtest.Server, text string) {
	t.Helper()
	path := filepath.Join(s.Home(), ".config", "signalbox", "config.toml")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// script makes a program of a shell script and returns its path.
func script(t *testing.T, s *tmuxtest.Server, name, text string) string {
	t.Helper()
	path := filepath.Join(s.TmpDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

// notified is what a configured command was given.
type notified struct {
	Version     int
	Title, Text string
	Notices     []struct{ Kind, Pane, Target, Name, Text, SessionID string }
}

// notifications are those that were shown so far, in order.
func notifications(t *testing.T, file string) []notified {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	var out []notified
	for l := range strings.Lines(string(data)) {
		var n notified
		if err := json.Unmarshal([]byte(l), &n); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		out = append(out, n)
	}
	return out
}

// listener is a configuration whose command writes each notification to a file, and that file.
func listener(t *testing.T, s *tmuxtest.Server, more string) (file string) {
	t.Helper()
	file = filepath.Join(s.TmpDir(), "notified")
	cmd := script(t, s, "notify", `cat >> "`+file+`"`)
	configure(t, s, fmt.Sprintf("[notifications]\ncommand = ['%s', '{title}', '{text}']\n%s", cmd, more))
	return file
}

func TestOneNotificationPerTransitionAndNoneForTheRest(t *testing.T) {
	t.Parallel() // it waits more than it works
	s := tmuxtest.New(t)
	installHooks(t, s)
	file := listener(t, s, "")
	old := fake(t, s, "old", fakeagent.Options{}) // its dialog is older than the board
	say(s, old, "bash old thing")
	s.UntilText(old.ID, "Do you want to proceed?")
	seen := fake(t, s, "seen", fakeagent.Options{}) // somebody looks at its pane
	s.Attach(seen.Session)
	b := board(s)
	a := fake(t, s, "worker", fakeagent.Options{Notice: 200 * time.Millisecond}) // its late Notification is no second transition
	untilCell(s, b, "worker", "·")
	untilCell(s, b, "old", "▲")
	say(s, seen, "bash seen thing")
	untilCell(s, b, "seen", "▲")
	say(s, a, "bash ls > x")
	untilCell(s, b, "worker", "▲", "Bash: ls > x")
	s.Until("a notification", func() bool { return len(notifications(t, file)) > 0 })
	s.SendKeys(a.ID, "Enter") // approved: the turn goes on and ends
	untilCell(s, b, "worker", "◆")
	s.Until("a second one", func() bool { return len(notifications(t, file)) > 1 })
	got := notifications(t, file)
	if len(got) != 2 || len(got[0].Notices) != 1 || len(got[1].Notices) != 1 {
		t.Fatalf("%+v", got)
	}
	if n := got[0]; n.Version != 1 || n.Title != "Needs input: worker" || n.Text != "In worker:0: Bash: ls > x" || n.Notices[0].Kind != "needs-input" ||
		n.Notices[0].Pane != string(a.ID) || n.Notices[0].SessionID == "" {
		t.Errorf("%+v", n)
	}
	if n := got[1]; n.Title != "Done: worker" || n.Notices[0].Kind != "review" {
		t.Errorf("%+v", n)
	}
}

// say types a prompt as a person does, into an agent that rests.
func say(s *tmuxtest.Server, p tmuxtest.Pane, text string) {
	s.UntilText(p.ID, "? for shortcuts")
	s.Type(p.ID, text)
	s.UntilText(p.ID, text)
	s.SendKeys(p.ID, "Enter")
}

// TestReplayedHooksAreNotNotified: what happened while no board ran is on the board and in the inbox,
// but it is told to nobody.
func TestReplayedHooksAreNotNotified(t *testing.T) {
	t.Parallel() // it waits more than it works
	s := tmuxtest.New(t)
	installHooks(t, s)
	file := listener(t, s, "")
	a := fake(t, s, "older", fakeagent.Options{Version: "2.0.76", NoRegistry: true})
	say(s, a, "bash ls")
	s.UntilText(a.ID, "Do you want to proceed?")
	log := filepath.Join(s.Home(), ".local", "state", "signalbox", "events.jsonl")
	s.Until("the hook in the log", func() bool {
		data, _ := os.ReadFile(log)
		return strings.Contains(string(data), "PermissionRequest")
	})
	b := board(s)
	untilCell(s, b, "older", "▲", "Bash: ls")
	fresh := fake(t, s, "fresh", fakeagent.Options{})
	untilCell(s, b, "fresh", "·")
	say(s, fresh, "hello")
	s.Until("news of another agent", func() bool { return len(notifications(t, file)) > 0 })
	if got := notifications(t, file); len(got) != 1 || got[0].Title != "Done: fresh" {
		t.Errorf("%+v", got)
	}
}

// TestTwoBoardsNotifyOnce, and the second takes over when the first has left.
func TestTwoBoardsNotifyOnce(t *testing.T) {
	t.Parallel() // it waits more than it works
	s := tmuxtest.New(t)
	file := listener(t, s, "")
	first := board(s)
	s.UntilText(first.ID, "main")
	second := boardIn(s, "second", tmuxtest.Command{Argv: []string{program, "--claude-dir", filepath.Join(s.Home(), ".claude")}})
	s.UntilText(second.ID, "main")
	a := fake(t, s, "worker", fakeagent.Options{})
	untilCell(s, first, "worker", "·")
	untilCell(s, second, "worker", "·")
	say(s, a, "hello")
	untilCell(s, second, "worker", "◆")
	s.Until("one notification", func() bool { return len(notifications(t, file)) > 0 })
	s.SendKeys(first.ID, "q")
	s.Until("the first board to leave", func() bool {
		return !strings.Contains(s.Run("list-panes", "-a", "-F", "#{pane_id}"), string(first.ID)+"\n")
	})
	say(s, a, "hello again")
	s.Until("news of the second turn", func() bool {
		got := notifications(t, file)
		return len(got) > 0 && strings.HasSuffix(got[len(got)-1].Text, "hello again")
	})
	if got := notifications(t, file); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// TestTheTerminalIsAsked: the bell marks the board's window, and an OSC reaches the terminal through
// tmux where tmux lets it.
func TestTheTerminalIsAsked(t *testing.T) {
	t.Parallel() // it waits more than it works
	s := tmuxtest.New(t)
	configure(t, s, "[notifications]\ndesktop = false\nbell = true\nosc = \"9\"\n")
	s.Run("set-option", "-g", "allow-passthrough", "on")
	b := board(s)
	s.UntilText(b.ID, "main")
	a := fake(t, s, "worker", fakeagent.Options{})
	untilCell(s, b, "worker", "·")
	other := s.NewWindow(b.Session, tmuxtest.Command{}) // tmux marks a window that is not shown
	s.Run("select-window", "-t", string(other.Window))
	raw := filepath.Join(s.TmpDir(), "raw")
	s.Run("pipe-pane", "-t", string(b.ID), "cat >> "+raw)
	say(s, a, "hello")
	untilCell(s, b, "worker", "◆")
	s.Until("the sequence in the board's output", func() bool {
		data, _ := os.ReadFile(raw)
		return strings.Contains(string(data), "\x1bPtmux;\x1b\x1b]9;Done: worker - In worker:0: ")
	})
	s.UntilFormat(b.ID, "#{window_bell_flag}", "1")
	s.Run("select-window", "-t", string(b.Window))
	s.Run("set-option", "-g", "allow-passthrough", "off")
	say(s, a, "hello again")
	s.UntilText(b.ID, "set -g allow-passthrough on")
}

// TestAFailingCommandIsAFailedSource: a command that fails is told on the board and harms nothing.
func TestAFailingCommandIsAFailedSource(t *testing.T) {
	t.Parallel() // it waits more than it works
	s := tmuxtest.New(t)
	configure(t, s, fmt.Sprintf("[notifications]\ncommand = ['%s']\n", script(t, s, "fails", "echo no bus here >&2; exit 3")))
	b := board(s)
	s.UntilText(b.ID, "main")
	a := fake(t, s, "worker", fakeagent.Options{})
	untilCell(s, b, "worker", "·")
	say(s, a, "hello")
	s.UntilText(b.ID, "no bus here")
	untilCell(s, b, "worker", "◆")
}
