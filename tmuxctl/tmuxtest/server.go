package tmuxtest

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/tracker"
)

// Size of the screen of every session. Large enough that no helper line wraps.
const (
	Width  = 120
	Height = 40
)

const (
	// Prompt is what a pane's shell shows when it waits for input.
	Prompt = "$ "

	// commandTimeout ends a tmux that hangs before the whole test binary is timed out, so that the
	// failure names the command.
	commandTimeout = 20 * time.Second

	// baseDir is short on purpose: a socket path may have no more than about 100 bytes, which
	// t.TempDir exceeds on some systems.
	baseDir = "/tmp"
)

// Server is one private tmux server with a first session called "main".
type Server struct {
	t      testing.TB
	tmux   string // path of the binary
	dir    string
	socket string
	pid    int
	main   Pane
	outer  *Server // where attached clients live; see Attach
}

// Pane names one pane by its ids.
type Pane struct {
	Session tracker.SessionID
	Window  tracker.WindowID
	ID      tracker.PaneID
	PID     int
}

// Binary returns the path of the tmux to test, or skips or fails the test when there is none.
func Binary(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("tmux")
	if err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("tmux is needed by this test and CI has none: %v", err)
	}
	t.Skipf("SKIPPED, NOT TESTED: this test needs a real tmux: %v", err)
	return ""
}

// New starts a server and ends it when the test does.
func New(t testing.TB) *Server {
	t.Helper()
	s := Unstarted(t)
	s.Start()
	return s
}

// Unstarted returns a server that does not run yet: its directory exists, its socket does not.
func Unstarted(t testing.TB) *Server {
	t.Helper()
	bin := Binary(t)
	dir, err := os.MkdirTemp(baseDir, "tt")
	if err != nil {
		t.Fatalf("making the server's directory: %v", err)
	}
	s := &Server{t: t, tmux: bin, dir: dir, socket: filepath.Join(dir, "s")}
	for _, sub := range []string{"home", "tmp"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o700); err != nil {
			t.Fatalf("making the server's directory: %v", err)
		}
	}
	t.Cleanup(func() {
		s.Kill()
		if err := removeAll(dir); err != nil {
			t.Errorf("removing the server's directory: %v", err)
		}
	})
	return s
}

// Start starts the server (again) and its session "main".
func (s *Server) Start() {
	s.t.Helper()
	s.Run("start-server", ";",
		"set-option", "-g", "default-command", "exec bash --norc --noprofile", ";",
		"new-session", "-d", "-s", "main", "-c", s.Home(), "-x", strconv.Itoa(Width), "-y", strconv.Itoa(Height))
	s.pid = s.int("display-message", "-p", "#{pid}")
	s.main = s.pane(s.Run("list-panes", "-a", "-F", paneFormat))
	s.untilPrompt(s.main.ID)
}

// Main is the pane of the session "main".
func (s *Server) Main() Pane { return s.main }

// Socket is the path of the server's socket, as for tmux -S.
func (s *Server) Socket() string { return s.socket }

// PID is the server's process id.
func (s *Server) PID() int { return s.pid }

// Tmux is the path of the tmux binary.
func (s *Server) Tmux() string { return s.tmux }

// Home is the home directory of everything in the server; tests may put files there.
func (s *Server) Home() string { return filepath.Join(s.dir, "home") }

// TmpDir is an empty directory of the server's own with a short path.
func (s *Server) TmpDir() string { return filepath.Join(s.dir, "tmp") }

// Env is the complete environment for a program that stands outside of tmux but shares the
// server's home. It is built from nothing but PATH.
func (s *Server) Env() []string {
	return []string{
		"HOME=" + s.Home(),
		"PATH=" + os.Getenv("PATH"),
		"TERM=xterm-256color",
		"LANG=C.UTF-8",
		"SHELL=/bin/sh",
		"PS1=" + Prompt,
		"HISTFILE=/dev/null",
		"TMUX_TMPDIR=" + s.TmpDir(),
	}
}

// EnvIn is the environment a program in this pane has, as far as tmux makes it.
func (s *Server) EnvIn(p Pane) []string {
	return append(s.Env(), "TMUX="+s.TmuxVar(p.Session), "TMUX_PANE="+string(p.ID))
}

// TmuxVar is the value of TMUX in a pane of this session.
func (s *Server) TmuxVar(id tracker.SessionID) string {
	return fmt.Sprintf("%s,%d,%s", s.socket, s.pid, strings.TrimPrefix(string(id), "$"))
}

// Run runs one tmux command line against the server and returns its output without the last
// newline.
func (s *Server) Run(args ...string) string {
	s.t.Helper()
	out, err := s.Try(args...)
	if err != nil {
		s.t.Fatalf("tmux %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// Try is Run for commands that may fail; the error holds what tmux wrote to stderr.
func (s *Server) Try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), commandTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.tmux, append([]string{"-u", "-S", s.socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = s.Env()
	cmd.Dir = s.Home()
	cmd.WaitDelay = time.Second // a server that is stopped keeps our pipes open
	var out, msg bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &msg
	err := cmd.Run()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(msg.Bytes()))
	}
	return strings.TrimSuffix(out.String(), "\n"), err
}

// Kill ends the server, if it runs, and returns when its process is gone.
func (s *Server) Kill() {
	s.t.Helper()
	if s.outer != nil {
		s.outer.Kill()
	}
	if s.pid == 0 {
		return
	}
	pid := s.pid
	s.pid = 0
	if _, err := s.Try("kill-server"); err != nil {
		// The test has ended it already, or has removed its socket: ask the process itself.
		_ = syscall.Kill(pid, syscall.SIGTERM)
	}
	if exitedWithin(pid, killGrace) {
		return
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil && err != syscall.ESRCH {
		s.t.Errorf("ending tmux server %d: %v", pid, err)
	}
	if !exitedWithin(pid, killGrace) {
		s.t.Errorf("tmux server %d is still there", pid)
	}
}

// removeAll removes the directory. Programs that ran in a pane may still be writing their last words
// into it when the server is gone.
func removeAll(dir string) error {
	var err error
	for deadline := time.Now().Add(killGrace); time.Now().Before(deadline); time.Sleep(pollInterval) {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
	}
	return err
}

// killGrace is how long a server may take to go after it was asked to.
const killGrace = 3 * time.Second

func exitedWithin(pid int, d time.Duration) bool {
	for deadline := time.Now().Add(d); time.Now().Before(deadline); time.Sleep(pollInterval) {
		if !alive(pid) {
			return true
		}
	}
	return false
}

// alive reports whether the process runs. A zombie does not count: the server is a child of
// whoever adopts orphans, which may reap late or never.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true // no procfs here: trust the signal
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z")
}

func (s *Server) int(args ...string) int {
	s.t.Helper()
	out := s.Run(args...)
	n, err := strconv.Atoi(out)
	if err != nil {
		s.t.Fatalf("tmux %s: not a number: %q", strings.Join(args, " "), out)
	}
	return n
}
