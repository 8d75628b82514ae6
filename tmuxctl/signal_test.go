package tmuxctl

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
)

func signal(t *testing.T, s *tmuxtest.Server, name string) {
	t.Helper()
	sig := map[string]syscall.Signal{"USR1": syscall.SIGUSR1, "STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT, "KILL": syscall.SIGKILL}[name]
	if err := syscall.Kill(s.PID(), sig); err != nil {
		t.Fatal(err)
	}
}

// stop stops the server, and lets it go on at the end of the test so that it can be ended.
func stop(t *testing.T, s *tmuxtest.Server) {
	t.Helper()
	signal(t, s, "STOP")
	pid := s.PID()
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
}

func resume(t *testing.T, s *tmuxtest.Server) { t.Helper(); signal(t, s, "CONT") }

// killHard ends the server so that it leaves its socket file behind.
func killHard(t *testing.T, s *tmuxtest.Server) {
	t.Helper()
	signal(t, s, "KILL")
	s.Until("the server to go", func() bool { return !livesAsTmux(s.PID()) })
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func touch(t *testing.T, dir, name string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// hangs is how long a tmux is waited for that does not answer.
const hangs = 100 * time.Millisecond

// hanging is a connection through a tmux that does not answer, with a short patience.
func hanging(tmux string) *Exec {
	return NewExec(Server{}, ExecOptions{Tmux: tmux, Environ: []string{"PATH=/usr/bin:/bin"}, Timeout: hangs})
}

// processGone reports whether the process has ended, reaped or not.
func processGone(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, rest, _ := strings.Cut(string(stat), ") ")
	return err == nil && strings.HasPrefix(rest, "Z")
}
