package tmuxctl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
)

// script is a stand-in for tmux.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tmux")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestErrorsTellWhatIsWrong(t *testing.T) {
	bin := tmuxtest.Binary(t)
	for name, row := range map[string]struct {
		conn func(t *testing.T) Conn
		want error
		text string
	}{
		"no socket": {func(t *testing.T) Conn { return execConn(tmuxtest.Unstarted(t)) }, ErrNoServer, "No such file"},
		"no folder for the socket": {func(t *testing.T) Conn {
			return NewExec(Server{Path: "/nonexistent/s"}, ExecOptions{Tmux: bin})
		}, ErrNoServer, "No such file"},
		"stale socket": {func(t *testing.T) Conn {
			s := tmuxtest.New(t)
			c := execConn(s)
			killHard(t, s)
			return c
		}, ErrNoServer, "no server running"},
		"server gone": {func(t *testing.T) Conn {
			s := tmuxtest.New(t)
			s.Kill()
			return execConn(s)
		}, ErrNoServer, ""},
		"socket removed under a known server": {func(t *testing.T) Conn {
			s := tmuxtest.New(t)
			remove(t, s.Socket())
			return NewExec(Server{Path: s.Socket(), PID: s.PID()}, ExecOptions{Tmux: bin, Environ: s.Env()})
		}, ErrUnreachable, "process"},
		"not a socket": {func(t *testing.T) Conn {
			s := tmuxtest.Unstarted(t)
			return NewExec(Server{Path: filepath.Join(s.Home(), "x", "s")}, ExecOptions{Tmux: bin, Environ: append(s.Env(), "x="+touch(t, s.Home(), "x"))})
		}, nil, "Not a directory"},
		"no binary":          {func(t *testing.T) Conn { return NewExec(Server{}, ExecOptions{Tmux: "/nonexistent/tmux"}) }, ErrNoTmux, "no such file"},
		"not executable":     {func(t *testing.T) Conn { return NewExec(Server{}, ExecOptions{Tmux: touch(t, t.TempDir(), "tmux")}) }, ErrNoTmux, "permission denied"},
		"hangs":              {func(t *testing.T) Conn { return hanging(script(t, "exec sleep 1000")) }, ErrTimeout, "no answer"},
		"its child hangs":    {func(t *testing.T) Conn { return hanging(script(t, "sleep 1000; echo")) }, ErrTimeout, "no answer"},
		"refuses in silence": {func(t *testing.T) Conn { return NewExec(Server{}, ExecOptions{Tmux: script(t, "exit 7")}) }, nil, "exit status 7"},
		"crashes": {func(t *testing.T) Conn {
			return NewExec(Server{}, ExecOptions{Tmux: script(t, "echo server exited unexpectedly >&2; exit 1")})
		}, nil, "unexpectedly"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := List(t.Context(), row.conn(t))
			if err == nil || !strings.Contains(err.Error(), row.text) {
				t.Fatalf("error is %v, want %q in it", err, row.text)
			}
			for _, kind := range []error{ErrNoServer, ErrUnreachable, ErrGone, ErrTimeout, ErrNoTmux} {
				if errors.Is(err, kind) != (kind == row.want) {
					t.Errorf("%v: is %q: %v", err, kind, kind != row.want)
				}
			}
			if row.want != nil && Hint(err) == "" {
				t.Errorf("no hint for %v", err)
			}
		})
	}
}

func TestHangingTmuxIsEndedWhole(t *testing.T) {
	s := tmuxtest.Unstarted(t)
	script, pidFile := filepath.Join(s.Home(), "tmux"), filepath.Join(s.Home(), "pid")
	if err := os.WriteFile(script, []byte("#!/bin/sh\nsleep 60 & echo $! >"+pidFile+"; wait\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for patience := hangs; ; patience *= 2 { // on a busy machine it is ended before it has started anything
		c := NewExec(Server{}, ExecOptions{Tmux: script, Environ: []string{"PATH=/usr/bin:/bin"}, Timeout: patience})
		if _, err := c.Run(t.Context(), Command{"list-panes"}); !errors.Is(err, ErrTimeout) {
			t.Fatal(err)
		}
		if data, err := os.ReadFile(pidFile); err == nil && len(data) > 0 {
			break
		}
	}
	pid, err := strconv.Atoi(strings.TrimSpace(s.UntilFile(pidFile)))
	if err != nil {
		t.Fatal(err)
	}
	s.Until("what tmux started to end", func() bool { return processGone(pid) })
}

func TestStoppedServerTimesOut(t *testing.T) {
	s := tmuxtest.New(t)
	c := NewExec(Server{Path: s.Socket()}, ExecOptions{Tmux: s.Tmux(), Environ: s.Env(), Timeout: 200 * time.Millisecond})
	stop(t, s)
	begin := time.Now()
	if _, err := List(t.Context(), c); !errors.Is(err, ErrTimeout) || time.Since(begin) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := List(ctx, c); !errors.Is(err, context.Canceled) || errors.Is(err, ErrTimeout) {
		t.Errorf("cancelled: %v", err)
	}
	resume(t, s)
	if _, err := List(t.Context(), execConn(s)); err != nil {
		t.Errorf("resumed: %v", err)
	}
}

func TestSocketComesBack(t *testing.T) {
	s := tmuxtest.New(t)
	remove(t, s.Socket())
	if _, err := List(t.Context(), execConn(s)); !errors.Is(err, ErrNoServer) {
		t.Errorf("nothing is known of the server: %v", err)
	}
	signal(t, s, "USR1")
	s.Until("the socket", func() bool { _, err := os.Stat(s.Socket()); return err == nil })
	if _, err := List(t.Context(), execConn(s)); err != nil {
		t.Error(err)
	}
}

// TestArgumentsAreLiteral sends arguments through tmux and looks at what arrives.
func TestArgumentsAreLiteral(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		for _, text := range []string{
			"plain", "two words", "ends;", ";", `ends\;`, `\`, `back\slash\`, "it's", `"x"`, "$HOME ~ {a} }{", "#{pane_id} #(touch x)", "# no comment",
			"-t", "%if 1", "é 👩‍👩‍👧", "'", "''", `'\''`, "a;b", `a\;b;;`, "*?[x]", "`x`", "!x", "a\tb", "\t",
		} {
			_, err := c.Run(t.Context(), Command{"set-buffer", "-b", "probe", "--", text})
			if out := s.Run("show-buffer", "-b", "probe"); err != nil || out != text {
				t.Errorf("%q arrived as %q, %v", text, out, err)
			}
		}
		for _, text := range []string{"a\nb", "a\n", "\x00", "\r", "\x1b", "\x7f"} {
			if _, err := c.Run(t.Context(), Command{"set-buffer", "-b", "probe", "--", text}); err == nil {
				t.Errorf("%q was not refused", text)
			}
		}
		for _, cmds := range [][]Command{nil, {{}}, {{""}}, {{"list-panes"}, {}}} {
			if _, err := c.Run(t.Context(), cmds...); err == nil {
				t.Errorf("%q was not refused", cmds)
			}
		}
	})
}

func TestListStopsAtTheFirstFailure(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		out, err := c.Run(t.Context(), Command{"display-message", "-p", "one"}, Command{"kill-pane", "-t", "%999"}, Command{"display-message", "-p", "two"})
		if !errors.Is(err, ErrGone) || string(out) != "one\n" {
			t.Errorf("%q, %v", out, err)
		}
		var refused *CommandError
		if _, err := c.Run(t.Context(), Command{"no-such-command"}); !errors.As(err, &refused) || refused.Kind != nil || !strings.Contains(refused.Stderr, "unknown command") {
			t.Errorf("%v", err)
		}
		if out, err := c.Run(t.Context(), Command{"display-message", "-p", "still there"}); err != nil || string(out) != "still there\n" {
			t.Errorf("%q, %v", out, err)
		}
	})
}

func TestFeedGivesInput(t *testing.T) {
	s := tmuxtest.New(t)
	text := strings.Repeat("line; 'x' é\n", 30000)
	out, err := execConn(s).Feed(t.Context(), []byte(text), Command{"load-buffer", "-b", "probe", "-"}, Command{"show-buffer", "-b", "probe"})
	if err != nil || string(out) != text {
		t.Errorf("%d bytes of %d, %v", len(out), len(text), err)
	}
}

func TestWhereWeAreDoesNotLeakIn(t *testing.T) {
	s := tmuxtest.New(t)
	other := s.NewSession("other", tmuxtest.Command{})
	for _, p := range []tmuxtest.Pane{s.Main(), other} {
		c := NewExec(Server{Path: s.Socket()}, ExecOptions{Tmux: s.Tmux(), Environ: s.EnvIn(p)})
		out, err := c.Run(t.Context(), Command{"display-message", "-p", "#{pane_id}"})
		if err != nil || string(out) != string(other.ID)+"\n" {
			t.Errorf("from %s the default target is %q, %v", p.ID, out, err)
		}
	}
}

func TestOutputIsBounded(t *testing.T) {
	b := bounded{max: 10}
	if n, err := b.Write(make([]byte, 8)); n != 8 || err != nil {
		t.Error(n, err)
	}
	if _, err := b.Write(make([]byte, 3)); err == nil || b.Len() != 8 {
		t.Error("the limit did not hold")
	}
}
