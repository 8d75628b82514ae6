package tmuxctl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

func TestSweepsAreFewerWhereEachIsAProgram(t *testing.T) {
	polling(t, 0, func(t *testing.T, c *fakeConn, _ *Poller, _ func() []tracker.Event) {
		count := func(forks bool) int {
			c.set(func() { c.forks = forks })
			time.Sleep(forkInterval + 100*time.Millisecond) // the rest that began before
			c.took()
			time.Sleep(20 * time.Second)
			return len(strings.Fields(c.took()))
		}
		if n := count(true); n != 10 {
			t.Errorf("%d sweeps in 20 s without a connection, want 10", n)
		}
		if n := count(false); n != 20 {
			t.Errorf("%d sweeps in 20 s over one, want 20", n)
		}
	})
}

// TestRefusedConnectionsAreNotTriedAgainSoon counts what is started where no connection can be: on a
// server that is not the one of this terminal.
func TestRefusedConnectionsAreNotTriedAgainSoon(t *testing.T) {
	s := tmuxtest.New(t)
	log, script := filepath.Join(s.TmpDir(), "log"), filepath.Join(s.TmpDir(), "tmux")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho x >>"+log+"\nexec "+s.Tmux()+" \"$@\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	e := NewExec(Server{Path: s.Socket()}, ExecOptions{Tmux: script, Environ: s.Env()})
	synctest.Test(t, func(t *testing.T) {
		c := NewControl(e, Jumper{Tmux: "/x,1,0", Pane: "%0"}, func(Notice) { t.Error("a sweep is asked for, and no connection ever stood") })
		const minutes = 10
		ctx, cancel := context.WithTimeout(t.Context(), minutes*time.Minute-time.Second)
		defer cancel()
		if err := c.Keep(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if n := strings.Count(s.UntilFile(log), "x"); n > minutes {
			t.Errorf("tmux was started %d times in %d minutes", n, minutes)
		}
	})
}
