package tmuxtest

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestServerIsIsolated(t *testing.T) {
	s := New(t)
	p := s.Main()
	s.Shell(p.ID, `env | sort > env.txt; echo do"ne"`)
	s.UntilText(p.ID, "done")
	env, err := os.ReadFile(filepath.Join(s.Home(), "env.txt"))
	if err != nil {
		t.Fatal(err)
	}
	allowed := []string{
		"HOME=" + s.Home(), "PATH=", "TERM=", "LANG=C.UTF-8", "SHELL=/bin/sh", "PS1=$ ", "HISTFILE=", "TMUX=" + s.TmuxVar(p.Session),
		"TMUX_PANE=" + string(p.ID), "TMUX_TMPDIR=" + s.TmpDir(), "TERM_PROGRAM", "COLORTERM=", "PWD=", "OLDPWD=", "SHLVL=", "_=",
	}
	for line := range strings.Lines(string(env)) {
		known := false
		for _, a := range allowed {
			known = known || strings.HasPrefix(line, a)
		}
		if !known {
			t.Errorf("the pane inherited %q", strings.TrimSpace(line))
		}
	}
	if !strings.Contains(string(env), "TMUX="+s.TmuxVar(p.Session)+"\n") {
		t.Errorf("TMUX is not %q:\n%s", s.TmuxVar(p.Session), env)
	}
	if len(s.Socket()) > 60 {
		t.Errorf("socket path %q leaves no room", s.Socket())
	}
}

func TestPanesAndKeys(t *testing.T) {
	s := New(t)
	work := s.NewSession("work", Command{})
	win := s.NewWindow(work.Session, Command{Argv: []string{"sh", "-c", `echo "got:$WORD:$PWD"; exec cat`}, Env: []string{"WORD=a b;c"}, Dir: s.TmpDir()})
	split := s.Split(win, Command{Argv: []string{"cat"}})
	if win.Session != work.Session || split.Window != win.Window || split.ID == win.ID || win.PID == 0 {
		t.Fatalf("ids do not fit: %+v %+v %+v", work, win, split)
	}
	s.UntilText(win.ID, "got:a b;c:"+s.TmpDir())
	s.Type(split.ID, "it's; $HOME;")
	s.UntilText(split.ID, "it's; $HOME;")
	if got := s.Format(win.ID, "#{pane_width}x#{window_height}"); got != "120x40" {
		t.Errorf("size is %s", got)
	}
}

func TestClientIsReal(t *testing.T) {
	s := New(t)
	c := s.Attach(s.Main().Session)
	c.Type("echo he''llo")
	c.Keys("Enter")
	c.UntilText("hello")
	if got := c.Shows(); got != s.Main().ID {
		t.Errorf("client shows %s", got)
	}
	if got := s.Run("display-message", "-p", "-t", string(s.Main().ID), "#{session_attached}"); got != "1" {
		t.Errorf("session_attached is %s", got)
	}
	c.Detach()
}

func TestCleanupEndsTheServer(t *testing.T) {
	var pid int
	var dir string
	t.Run("inner", func(t *testing.T) {
		s := New(t)
		pid, dir = s.PID(), s.Home()
		if err := os.Remove(s.Socket()); err != nil { // so that kill-server cannot work
			t.Fatal(err)
		}
		if syscall.Kill(pid, 0) != nil {
			t.Fatal("the server does not run")
		}
	})
	if alive(pid) {
		t.Errorf("server %d is still there", pid)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("the server's directory is still there: %v", err)
	}
}
