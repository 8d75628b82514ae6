package desk_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// TestTheBoardIsStoppedAndComesBack: Ctrl+Z gives the terminal back to the shell, hooks do not wait for
// a stopped board, and fg draws all of it anew, with what has changed meanwhile.
func TestTheBoardIsStoppedAndComesBack(t *testing.T) {
	s := tmuxtest.New(t)
	a := fake(t, s, "agent", fakeagent.Options{})
	b := s.NewSession("work", tmuxtest.Command{})
	s.Shell(b.ID, program+" --claude-dir "+filepath.Join(s.Home(), ".claude"))
	untilCell(s, b, "agent", "·")
	s.SendKeys(b.ID, "C-z")
	s.Until("the shell", func() bool {
		screen := s.Capture(b.ID)
		return strings.Contains(screen, "Stopped") && !strings.Contains(screen, "jump")
	})
	hook := exec.Command(program, "hook")
	hook.Env, hook.Stdin = s.EnvIn(a), strings.NewReader(`{"session_id":"x","hook_event_name":"Notification"}`)
	began := time.Now()
	if out, err := hook.CombinedOutput(); err != nil || len(out) > 0 || time.Since(began) > 3*time.Second {
		t.Errorf("a hook beside a stopped board: %v, %q, %v", err, out, time.Since(began))
	}
	s.Run("rename-window", "-t", string(a.Window), "renamed")
	s.Shell(b.ID, "fg")
	untilCell(s, b, "agent renamed", "·")
	s.UntilFormat(b.ID, "#{mouse_button_flag}", "1")
	s.SendKeys(b.ID, "q")
	s.Until("the shell again", func() bool { return !strings.Contains(s.Capture(b.ID), "jump") })
}

// TestABoardWithoutAShellIsNotStopped: nobody could continue it.
func TestABoardWithoutAShellIsNotStopped(t *testing.T) {
	s := tmuxtest.New(t)
	b := board(s)
	s.UntilText(b.ID, "jump")
	s.SendKeys(b.ID, "C-z")
	s.UntilText(b.ID, "ctrl+z: no shell waits behind the board")
	s.SendKeys(b.ID, "?")
	s.UntilText(b.ID, "this list")
}
