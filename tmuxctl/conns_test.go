package tmuxctl

import (
	"context"
	"errors"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// execConn is a forking connection to a private server.
func execConn(s *tmuxtest.Server) *Exec {
	return NewExec(Server{Path: s.Socket()}, ExecOptions{Tmux: s.Tmux(), Environ: s.Env()})
}

// overEach runs a test over every kind of connection, each with a server of its own.
func overEach(t *testing.T, f func(t *testing.T, s *tmuxtest.Server, c Conn)) {
	t.Run("exec", func(t *testing.T) {
		t.Parallel()
		s := tmuxtest.New(t)
		f(t, s, execConn(s))
	})
	t.Run("control", func(t *testing.T) {
		t.Parallel()
		s := tmuxtest.New(t)
		c := keep(t, s, inPane(s, s.Main()), nil)
		f(t, s, c)
		if !c.Connected() {
			t.Errorf("the connection was lost: %s", c.Remark())
		}
	})
}

// keep is a control-mode connection to a private server, kept until the test ends.
func keep(t *testing.T, s *tmuxtest.Server, j Jumper, notify func(Notice)) *Control {
	t.Helper()
	return keepOver(t, s, execConn(s), j, notify)
}

// keepOver is the same with a tmux program or a patience of its own.
func keepOver(t *testing.T, s *tmuxtest.Server, e *Exec, j Jumper, notify func(Notice)) *Control {
	t.Helper()
	c := NewControl(e, j, notify)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- c.Keep(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Keep returned %v", err)
		}
	})
	s.Until("the control client", c.Connected)
	return c
}

// list is a full listing that has to work and to be whole.
func list(t *testing.T, c Conn) tracker.Topology {
	t.Helper()
	l, err := NewLister(c).Full(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if l.Malformed != 0 {
		t.Fatalf("%d malformed records", l.Malformed)
	}
	return l.Topology
}

// find returns the pane with everything above it.
func find(t *testing.T, top tracker.Topology, id tracker.PaneID) (tracker.Session, tracker.Window, tracker.Pane) {
	t.Helper()
	var fs tracker.Session
	var fw tracker.Window
	var fp tracker.Pane
	n := 0
	for _, s := range top.Sessions {
		for _, w := range s.Windows {
			for _, p := range w.Panes {
				if p.ID == id {
					fs, fw, fp = s, w, p
					n++
				}
			}
		}
	}
	if n != 1 {
		t.Fatalf("%s is listed %d times in %+v", id, n, top)
	}
	return fs, fw, fp
}

func session(t *testing.T, top tracker.Topology, id tracker.SessionID) tracker.Session {
	t.Helper()
	for _, s := range top.Sessions {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no session %s in %+v", id, top)
	return tracker.Session{}
}

// counting counts the calls of a connection.
type counting struct {
	Conn
	n int
}

func (c *counting) Run(ctx context.Context, cmds ...Command) ([]byte, error) {
	c.n++
	return c.Conn.Run(ctx, cmds...)
}

// oddTargets are what tmux would take for some pane, or worse, and what must never reach it.
func oddTargets() []string {
	return []string{
		"", ":", "=", "=:", "{marked}", "%", "%0;kill-server", "%0 ", " %0", "%0\n", "%5.1", "%-1", "%+1", "%0x1", "$1", "@1", "work", "0", "%٣",
		"%12345678901", "~", "!", "%5,", "{last}", "%0'", "%0\"",
	}
}
