package tmuxctl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
)

// controlClients are the pids of the control-mode clients of a server.
func controlClients(s *tmuxtest.Server) []string {
	var pids []string
	for line := range strings.Lines(s.Run("list-clients", "-F", "#{client_control_mode} #{client_pid}")) {
		if pid, ok := strings.CutPrefix(strings.TrimSpace(line), "1 "); ok {
			pids = append(pids, pid)
		}
	}
	return pids
}

func TestControlIsDiscreet(t *testing.T) {
	s := tmuxtest.New(t)
	person := s.Attach(s.Main().Session)
	s.Run("set-option", "-g", "window-size", "smallest")
	// A client that is attached in the ordinary way would take this variable away, having none.
	s.Run("set-environment", "-t", string(s.Main().Session), "SSH_AUTH_SOCK", "the person's")
	before := s.Run("show-environment", "-t", string(s.Main().Session)) + person.Format("#{window_width}x#{window_height}")
	c := keep(t, s, inPane(s, s.Main()), nil)
	if n := len(controlClients(s)); n != 1 {
		t.Fatalf("%d control clients", n)
	}
	if got := session(t, list(t, c), s.Main().Session); got.Attached != 1 {
		t.Errorf("attached %d times: ours counts", got.Attached)
	}
	// Another board's connection counts neither.
	keep(t, s, inPane(s, s.Main()), nil)
	if got := session(t, list(t, execConn(s)), s.Main().Session); got.Attached != 1 || len(controlClients(s)) != 2 {
		t.Errorf("attached %d times: another board's counts", got.Attached)
	}
	if after := s.Run("show-environment", "-t", string(s.Main().Session)) + person.Format("#{window_width}x#{window_height}"); after != before {
		t.Errorf("environment or size was %s, is %s", before, after)
	}
	if c.Remark() != "" {
		t.Error(c.Remark())
	}
}

func TestControlStartsNothing(t *testing.T) {
	s := tmuxtest.New(t)
	log, script := filepath.Join(s.TmpDir(), "log"), filepath.Join(s.TmpDir(), "tmux")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho x >>"+log+"\nexec "+s.Tmux()+" \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	starts := func() int { return strings.Count(s.UntilFile(log), "x") }
	e := NewExec(Server{Path: s.Socket()}, ExecOptions{Tmux: script, Environ: s.Env()})
	c, ctx := keepOver(t, s, e, inPane(s, s.Main()), nil), t.Context()
	before := starts()
	l := NewLister(c)
	for range 20 {
		for _, read := range []func(context.Context) (Listing, error){l.Full, l.Light} {
			if _, err := read(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := Capture(ctx, c, s.Main().ID, CaptureOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := starts() - before; n != 0 {
		t.Errorf("tmux was started %d times", n)
	}
	if out, err := c.Feed(ctx, []byte("text"), Command{"load-buffer", "-b", "probe", "-"}, Command{"show-buffer", "-b", "probe"}); err != nil || string(out) != "text" || starts() != before+1 {
		t.Errorf("fed %q, %v, %d starts", out, err, starts()-before)
	}
	if out, err := c.Feed(ctx, nil, Command{"display-message", "-p", "x"}); err != nil || string(out) != "x\n" || starts() != before+1 {
		t.Errorf("without input %q, %v, %d starts", out, err, starts()-before)
	}
}

func TestControlNotifies(t *testing.T) {
	s := tmuxtest.New(t)
	var mu sync.Mutex
	var seen, first Notice
	keep(t, s, inPane(s, s.Main()), func(n Notice) {
		mu.Lock()
		defer mu.Unlock()
		if first == (Notice{}) {
			first = n
		}
		seen.Early, seen.Full = seen.Early || n.Early, seen.Full || n.Full
	})
	early, full, both := Notice{Early: true}, Notice{Full: true}, Notice{Early: true, Full: true}
	s.Until("the connection to ask for a sweep", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return first.Early
	})
	if !first.Full {
		t.Error("what was renamed before it stood is told by nobody, and not asked for")
	}
	other := s.NewSession("other", tmuxtest.Command{})
	split := s.Split(other, tmuxtest.Command{})
	for _, row := range []struct {
		args []string
		want Notice
	}{
		{[]string{"new-window", "-d", "-t", string(other.Session) + ":"}, early},
		{[]string{"kill-window", "-t", string(other.Session) + ":1"}, early},
		{[]string{"rename-window", "-t", string(other.Window), "x"}, full},
		{[]string{"rename-session", "-t", string(other.Session), "y"}, full},
		{[]string{"select-pane", "-t", string(split.ID)}, early},
		{[]string{"copy-mode", "-t", string(split.ID)}, early},
		{[]string{"split-window", "-d", "-t", string(s.Main().ID)}, both},
		{[]string{"new-session", "-d", "-s", "third"}, early},
		{[]string{"kill-session", "-t", string(other.Session)}, early},
	} {
		mu.Lock()
		seen = Notice{}
		mu.Unlock()
		s.Run(row.args...)
		s.Until(fmt.Sprintf("%q to be noticed as %+v", row.args, row.want), func() bool {
			mu.Lock()
			defer mu.Unlock()
			return (seen.Early || !row.want.Early) && (seen.Full || !row.want.Full)
		})
	}
}

func TestControlAnswersInOrder(t *testing.T) {
	s := tmuxtest.New(t)
	c := keep(t, s, inPane(s, s.Main()), nil)
	// What hooks print is not ours.
	s.Run("set-hook", "-g", "after-display-message", "display-message -p hooked")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for j := range 25 {
				want := fmt.Sprintf("%d/%d", i, j)
				cmds := []Command{{"display-message", "-p", want}, {"if-shell", "-F", "1", "display-message -p inner"}}
				if j%5 == 0 {
					cmds = append(cmds, Command{"kill-pane", "-t", "%999"}, Command{"display-message", "-p", "not me"})
				}
				out, err := c.Run(t.Context(), cmds...)
				if string(out) != want+"\ninner\n" || errors.Is(err, ErrGone) != (j%5 == 0) {
					t.Errorf("%s: %q, %v", want, out, err)
				}
			}
		})
	}
	wg.Wait()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Run(ctx, Command{"wait-for", "never"}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s.Run("wait-for", "-S", "never")
	if out, err := c.Run(t.Context(), Command{"display-message", "-p", "after"}); err != nil || string(out) != "after\n" {
		t.Errorf("after a cancelled one: %q, %v", out, err)
	}
}

// TestOnlyReadsAreAskedTwice breaks the connection under everything.
func TestOnlyReadsAreAskedTwice(t *testing.T) {
	s := tmuxtest.New(t)
	target := s.NewSession("target", tmuxtest.Command{})
	person := s.Attach(s.Main().Session)
	for name, row := range map[string]struct {
		breakAt int
		call    func(Conn) error
		calls   int
		broken  bool
	}{
		"list":              {1, func(c Conn) error { _, err := List(t.Context(), c); return err }, 2, false},
		"capture":           {1, func(c Conn) error { _, err := Capture(t.Context(), c, target.ID, CaptureOptions{}); return err }, 2, false},
		"look before jump":  {1, func(c Conn) error { _, err := Jump(t.Context(), c, inPane(s, s.Main()), target.ID); return err }, 3, false},
		"the jump itself":   {2, func(c Conn) error { _, err := Jump(t.Context(), c, inPane(s, s.Main()), target.ID); return err }, 2, true},
		"breaks both times": {-1, func(c Conn) error { _, err := List(t.Context(), c); return err }, 2, true},
	} {
		s.Run("switch-client", "-t", string(s.Main().Session), "-c", person.TTY())
		c := &breaking{Conn: execConn(s), at: row.breakAt}
		if err := row.call(c); errors.Is(err, ErrBroken) != row.broken || (err == nil) == row.broken || c.n != row.calls {
			t.Errorf("%s: %d calls, %v", name, c.n, err)
		}
	}
}

// breaking is a connection that breaks at one call, or at all.
type breaking struct {
	Conn
	n, at int
}

func (b *breaking) Run(ctx context.Context, cmds ...Command) ([]byte, error) {
	if b.n++; b.n == b.at || b.at < 0 {
		return nil, ErrBroken
	}
	return b.Conn.Run(ctx, cmds...)
}

func pendingRequests(c *Control) int {
	c.mu.Lock()
	client := c.client
	c.mu.Unlock()
	if client == nil {
		return -1
	}
	client.mu.Lock()
	defer client.mu.Unlock()
	return len(client.pending)
}

func TestControlSaysWhyNot(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	script := filepath.Join(s.TmpDir(), "tmux")
	// A tmux that does not know control mode's flags.
	if err := os.WriteFile(script, []byte("#!/bin/sh\nfor a; do [ \"$a\" = -C ] && { echo 'usage: tmux' >&2; exit 1; }; done\nexec "+s.Tmux()+" \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, row := range map[string]struct {
		tmux string
		j    Jumper
		want string
	}{
		"old tmux":       {script, inPane(s, s.Main()), "usage: tmux"},
		"outside":        {s.Tmux(), Jumper{}, "not in tmux"},
		"other server":   {s.Tmux(), Jumper{Tmux: "/x,1,0", Pane: "%0"}, "another tmux server"},
		"pane gone":      {s.Tmux(), Jumper{Tmux: s.TmuxVar("$0"), Pane: "%999"}, "gone"},
		"odd pane":       {s.Tmux(), Jumper{Tmux: s.TmuxVar("$0"), Pane: "%0;x"}, "not a tmux id"},
		"session gone":   {s.Tmux(), Jumper{Tmux: s.TmuxVar("$999")}, "can't find session"},
		"no session":     {s.Tmux(), Jumper{Tmux: s.Socket() + "," + strconv.Itoa(s.PID()) + ",x"}, "not a tmux id"},
		"binary missing": {"/nonexistent/tmux", inPane(s, s.Main()), "cannot be started"},
	} {
		e := NewExec(Server{Path: s.Socket()}, ExecOptions{Tmux: row.tmux, Environ: s.Env()})
		c := NewControl(e, row.j, nil)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() { done <- c.Keep(ctx) }()
		s.Until(name+": the reason", func() bool { return strings.Contains(c.Remark(), row.want) })
		if _, err := List(ctx, c); (err == nil) != (name != "binary missing") {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
		<-done
	}
	s.Until("every client to be gone", func() bool { return len(controlClients(s)) == 0 })
}

func TestControlRespectsUnattachedOptions(t *testing.T) {
	for _, option := range []string{"destroy-unattached", "exit-unattached"} {
		s := tmuxtest.New(t)
		s.Attach(s.Main().Session)
		s.Run("set-option", "-g", option, "on")
		ctx, cancel := context.WithCancel(t.Context())
		c := NewControl(execConn(s), inPane(s, s.Main()), nil)
		done := make(chan error)
		go func() { done <- c.Keep(ctx) }()
		s.Until("the reason", func() bool { return strings.Contains(c.Remark(), option+" is set") })
		cancel()
		<-done
		s.Run("set-option", "-g", option, "off")
	}
}

func TestControlFromAPopup(t *testing.T) {
	s := tmuxtest.New(t)
	work := s.NewSession("work", tmuxtest.Command{})
	keep(t, s, Jumper{Tmux: s.TmuxVar(work.Session)}, nil)
	if got := s.Run("list-clients", "-F", "#{session_id}"); got != string(work.Session) {
		t.Errorf("attached to %s", got)
	}
}
