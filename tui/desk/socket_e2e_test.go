package desk_test

import (
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
)

// TestStatusBesideABoardThatHasLostTmux stops the tmux server that a board looks at. What the board shows is
// old then, and a script must not take it for the present.
func TestStatusBesideABoardThatHasLostTmux(t *testing.T) {
	t.Parallel() // it waits more than it works
	s, seen := tmuxtest.New(t), tmuxtest.New(t)
	b := s.NewSession("board", tmuxtest.Command{Argv: []string{program, "--claude-dir", filepath.Join(s.Home(), ".claude"), "-S", seen.Socket()}})
	name := seen.NewSession("looked-at", tmuxtest.Command{})
	s.UntilText(b.ID, "looked-at")
	status := func() (out string, code int) {
		cmd := exec.CommandContext(t.Context(), program, "status", "-S", seen.Socket(), "--claude-dir", filepath.Join(s.Home(), ".claude"))
		cmd.Env = s.Env()
		data, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return string(data), cmd.ProcessState.ExitCode()
	}
	if out, code := status(); code != 0 || !strings.Contains(out, "looked-at") {
		t.Fatalf("status of %s: exit %d\n%s", name.ID, code, out)
	}
	pid := seen.PID()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
	s.Until("status to say that tmux cannot be reached", func() bool {
		out, code := status()
		return code == 6 && strings.Contains(out, "tmux")
	})
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	s.Until("status to be itself again", func() bool {
		out, code := status()
		return code == 0 && strings.Contains(out, "looked-at")
	})
}
