package tmuxctl

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// fakeConn answers listings from a script, in virtual time.
type fakeConn struct {
	mu     sync.Mutex
	begin  time.Time
	sweeps []string // "F@0s" for a full one at the beginning; L is a light one, G a glance
	takes  time.Duration
	err    error
	server int
	wrote  time.Time      // last output of the window; zero: all the time
	own    tracker.PaneID // where the board draws
	forks  bool           // tmux must be started for every question
}

func (f *fakeConn) Connected() bool { f.mu.Lock(); defer f.mu.Unlock(); return !f.forks }

func (f *fakeConn) Own() tracker.PaneID {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.own
}

func (f *fakeConn) Run(ctx context.Context, cmds ...Command) ([]byte, error) {
	full := strings.Contains(cmds[0][2], "version")
	kind := "L"
	switch {
	case full:
		kind = "F"
	case cmds[2][3] == paneGlance:
		kind = "G"
	}
	f.mu.Lock()
	f.sweeps = append(f.sweeps, kind+"@"+time.Since(f.begin).String())
	takes, err, server, wrote := f.takes, f.err, f.server, f.wrote
	f.mu.Unlock()
	if wrote.IsZero() {
		wrote = time.Now()
	}
	activity := fmt.Sprint(wrote.Unix())
	time.Sleep(takes)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	const head = "S %d\nC $1 attached,focused,UTF-8\n"
	switch kind {
	case "L":
		return fmt.Appendf(nil, head+"P $1 @2 %%3 4 [*Z] 1 %s 8248 10000\n", server, activity), nil
	case "G":
		return fmt.Appendf(nil, head+"G 8248 0 1 %s\n", server, activity), nil
	}
	mark, _, _ := strings.Cut(cmds[2][3], "P ")
	return []byte(strings.NewReplacer(fuzzMark, mark, "1796083033 1796083033", "1 "+activity).Replace(strings.Replace(fullOne, "42", fmt.Sprint(server), 1))), nil
}

func (f *fakeConn) set(change func()) { f.mu.Lock(); change(); f.mu.Unlock() }

// took returns the sweeps since the last call.
func (f *fakeConn) took() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	s := strings.Join(f.sweeps, " ")
	f.sweeps = nil
	return s
}

// steps is a test's way to do something and, a while later, to see what was read meanwhile.
func (f *fakeConn) steps(t *testing.T) func(what string, act func(), then time.Duration, want string) {
	return func(what string, act func(), then time.Duration, want string) {
		t.Helper()
		act()
		time.Sleep(then)
		if got := f.took(); got != want {
			t.Errorf("%s: %s, not %s", what, got, want)
		}
	}
}

// polling runs a poller over a fake in virtual time.
func polling(t *testing.T, takes time.Duration, f func(t *testing.T, c *fakeConn, p *Poller, events func() []tracker.Event), before ...func(*fakeConn)) {
	synctest.Test(t, func(t *testing.T) {
		c := &fakeConn{begin: time.Now(), server: 1 << 30, takes: takes} // no such process
		for _, set := range before {                                     // what must be so at the first look, which is as soon as what f does first
			set(c)
		}
		p := NewPoller(c, "/s")
		var mu sync.Mutex
		var seen []tracker.Event
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error)
		go func() {
			done <- p.Poll(ctx, func(e tracker.Event) { mu.Lock(); seen = append(seen, e); mu.Unlock() })
		}()
		f(t, c, p, func() []tracker.Event {
			mu.Lock()
			defer mu.Unlock()
			e := seen
			seen = nil
			return e
		})
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("Poll returned %v", err)
		}
	})
}

func TestPollCadence(t *testing.T) {
	polling(t, 0, func(t *testing.T, c *fakeConn, p *Poller, events func() []tracker.Event) {
		time.Sleep(6500 * time.Millisecond)
		if got := c.took(); got != "F@0s L@1s L@2s L@3s L@4s F@5s L@6s" {
			t.Errorf("looked at: %s", got)
		}
		if n := len(events()); n != 7 {
			t.Errorf("%d events", n)
		}
		p.SetIdle(true)
		time.Sleep(23 * time.Second)
		if got := c.took(); got != "L@7s L@10s L@13s L@16s L@19s F@22s L@25s L@28s" {
			t.Errorf("idle: %s", got)
		}
		p.SetIdle(false)
		time.Sleep(2100 * time.Millisecond)
		if got := c.took(); got != "F@29.5s L@30.5s L@31.5s" {
			t.Errorf("back: %s", got)
		}
	})
}

func TestHurryIsEarlyAndCoalesced(t *testing.T) {
	polling(t, 0, func(t *testing.T, c *fakeConn, p *Poller, _ func() []tracker.Event) {
		time.Sleep(1500 * time.Millisecond)
		c.took()
		for range 1000 {
			p.Hurry()
		}
		time.Sleep(time.Millisecond)
		if got := c.took(); got != "L@1.5s" {
			t.Errorf("hurried: %s", got)
		}
		for range 30 { // a storm: one call every 10 ms
			p.Hurry()
			time.Sleep(10 * time.Millisecond)
		}
		if got := c.took(); got != "L@1.6s L@1.7s L@1.8s" {
			t.Errorf("storm: %s", got)
		}
		c.set(func() { c.takes = 400 * time.Millisecond })
		time.Sleep(1200 * time.Millisecond)
		c.took()
		p.Hurry() // while a sweep runs or rests
		time.Sleep(1200 * time.Millisecond)
		if got := c.took(); got != "L@4s" {
			t.Errorf("slow: %s", got)
		}
	})
}

func TestRefreshAndNotices(t *testing.T) {
	polling(t, 0, func(t *testing.T, c *fakeConn, p *Poller, _ func() []tracker.Event) {
		step := c.steps(t)
		time.Sleep(2500 * time.Millisecond)
		c.took()
		step("refresh", p.Refresh, 700*time.Millisecond, "F@2.5s")
		step("nothing", func() {}, time.Second, "L@3.5s")
		step("something came", func() { p.Notice(Notice{Early: true}) }, 700*time.Millisecond, "L@4.2s")
		step("a name changed", func() { p.Notice(Notice{Full: true}) }, time.Second, "F@5.2s")
		step("a size changed", func() { p.Notice(Notice{Early: true, Full: true}) }, 1500*time.Millisecond, "L@5.9s F@6.9s")
		step("output", func() { p.Notice(Notice{}) }, time.Second, "L@7.9s")
		for range 200 { // windows that are renamed all the time
			p.Notice(Notice{Full: true})
			time.Sleep(10 * time.Millisecond)
		}
		if got := c.took(); got != "F@8.9s F@9.9s" {
			t.Errorf("a storm of names: %s", got)
		}
	})
}

func TestSlowServerGetsRest(t *testing.T) {
	polling(t, 700*time.Millisecond, func(t *testing.T, c *fakeConn, p *Poller, _ func() []tracker.Event) {
		time.Sleep(7 * time.Second)
		if got := c.took(); got != "F@0s L@2.1s L@5.1s" {
			t.Errorf("looked at: %s", got)
		}
	})
}

func TestDearSweepsAreFewer(t *testing.T) {
	polling(t, 8*time.Millisecond, func(t *testing.T, c *fakeConn, p *Poller, _ func() []tracker.Event) {
		time.Sleep(9 * time.Second)
		if got := c.took(); got != "F@0s L@1s L@3.4s F@5.8s L@8.2s" {
			t.Errorf("looked at: %s", got)
		}
		p.Hurry()
		time.Sleep(50 * time.Millisecond)
		if got := c.took(); got != "L@9s" {
			t.Errorf("hurried: %s", got)
		}
	})
}

// TestFullSweepsFollowOutput plays a server where nothing is written for a while, and one where only
// the board writes.
func TestFullSweepsFollowOutput(t *testing.T) {
	fulls := func(c *fakeConn) (all string) {
		for _, s := range strings.Fields(c.took()) {
			if strings.HasPrefix(s, "F") {
				all += s + " "
			}
		}
		return all
	}
	polling(t, 0, func(t *testing.T, c *fakeConn, _ *Poller, _ func() []tracker.Event) {
		time.Sleep(12500 * time.Millisecond)
		c.set(func() { c.wrote = time.Now() })
		time.Sleep(80 * time.Second)
		if got := fulls(c); got != "F@0s F@16s F@46s F@1m16s " {
			t.Errorf("silent: %s", got)
		}
		c.set(func() { c.wrote = time.Time{} })
		time.Sleep(17 * time.Second)
		if got := fulls(c); got != "F@1m35s F@1m40s F@1m45s " {
			t.Errorf("written to all the time: %s", got)
		}
		c.set(func() { c.own = "%3" }) // its own frames
		time.Sleep(70 * time.Second)
		if got := fulls(c); got != "F@1m50s F@2m20s F@2m50s " {
			t.Errorf("written to by the board: %s", got)
		}
	}, func(c *fakeConn) { c.wrote = time.Now().Add(-time.Hour) })
}

func TestFailingSourceBacksOffAndRecovers(t *testing.T) {
	polling(t, 0, func(t *testing.T, c *fakeConn, p *Poller, events func() []tracker.Event) {
		time.Sleep(500 * time.Millisecond)
		c.took()
		events()
		c.set(func() { c.err = &CommandError{Command: "list-panes", Kind: ErrTimeout, Stderr: "no answer within 3s"} })
		time.Sleep(30 * time.Second)
		if got := c.took(); got != "L@1s L@2s L@4s F@8s F@16s F@26s" {
			t.Errorf("failing: %s", got)
		}
		for _, e := range events() {
			if f, ok := e.(tracker.SourceFailed); !ok || f.Source != tracker.SourceTmux || !strings.Contains(f.Reason, "no answer within 3s") {
				t.Errorf("event %+v", e)
			}
		}
		c.set(func() { c.err = nil })
		p.Hurry()
		time.Sleep(1100 * time.Millisecond)
		if got := c.took(); got != "F@30.5s L@31.5s" {
			t.Errorf("recovered: %s", got)
		}
		if e := events(); len(e) != 2 || len(e[0].(tracker.TmuxListed).Topology.Sessions) != 1 {
			t.Errorf("events %+v", e)
		}
	})
}

func TestNoServerIsAnAnswer(t *testing.T) {
	polling(t, 0, func(t *testing.T, c *fakeConn, p *Poller, events func() []tracker.Event) {
		time.Sleep(500 * time.Millisecond)
		c.set(func() { c.err = &CommandError{Command: "list-panes", Kind: ErrNoServer} })
		events()
		time.Sleep(3 * time.Second)
		es := events()
		if len(es) != 3 {
			t.Fatalf("no back-off is needed: %+v", es)
		}
		for _, e := range es {
			if a, ok := e.(tracker.TmuxAbsent); !ok || a.Socket != "/s" {
				t.Errorf("event %+v", e)
			}
		}
		c.set(func() { c.err, c.server = nil, 1<<30+1 })
		c.took()
		time.Sleep(time.Second)
		if got := c.took(); !strings.HasSuffix(got, "F@4s") {
			t.Errorf("a new server: %s", got)
		}
		if e := events(); e[len(e)-1].(tracker.TmuxListed).Topology.Server.PID != 1<<30+1 {
			t.Errorf("events %+v", e)
		}
	})
}

func TestCutShortSweepSaysNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := &fakeConn{begin: time.Now(), takes: time.Second}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		err := NewPoller(c, "/s").Poll(ctx, func(e tracker.Event) { t.Errorf("event %+v", e) })
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}

// TestPollRealServer plays B66: a listing that fails is not an empty one.
func TestPollRealServer(t *testing.T) {
	s := tmuxtest.New(t)
	p := NewPoller(execConn(s), s.Socket())
	events := make(chan tracker.Event, 100)
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { _ = p.Poll(ctx, func(e tracker.Event) { events <- e }) })
	defer wg.Wait()
	defer cancel()
	next := func(what string, ok func(tracker.Event) bool) {
		t.Helper()
		s.Until(what, func() bool {
			p.Hurry()
			select {
			case e := <-events:
				return ok(e)
			default:
				return false
			}
		})
	}
	panes := func(n int) func(tracker.Event) bool {
		return func(e tracker.Event) bool {
			l, ok := e.(tracker.TmuxListed)
			if _, absent := e.(tracker.TmuxAbsent); absent {
				t.Error("a living server was called absent")
			}
			return ok && len(l.Topology.Sessions) == n
		}
	}
	next("the listing", panes(1))
	s.NewSession("new", tmuxtest.Command{})
	next("the new session", panes(2))
	remove(t, s.Socket())
	next("the failure", func(e tracker.Event) bool {
		if _, absent := e.(tracker.TmuxAbsent); absent {
			t.Error("a living server was called absent")
		}
		f, ok := e.(tracker.SourceFailed)
		return ok && strings.Contains(f.Reason, "USR1")
	})
	signal(t, s, "USR1")
	s.Until("the socket", func() bool { _, err := os.Stat(s.Socket()); return err == nil })
	next("the recovery", panes(2))
	s.Kill()
	next("no server", func(e tracker.Event) bool { _, ok := e.(tracker.TmuxAbsent); return ok })
	s.Start()
	next("the new server", func(e tracker.Event) bool { // looks from before it may still say "absent"
		l, ok := e.(tracker.TmuxListed)
		return ok && len(l.Topology.Sessions) == 1
	})
}

func TestRemarks(t *testing.T) {
	plain, control := NewPoller(&fakeConn{}, ""), NewPoller(NewControl(hanging("/nonexistent"), Jumper{}, nil), "")
	for _, row := range []struct {
		p         *Poller
		malformed int
		want      string
	}{
		{plain, 0, ""},
		{plain, 2, "2 rows of tmux's answer could not be read"},
		{control, 0, "tmux is started for every question: not connected yet"},
		{control, 1, "1 rows of tmux's answer could not be read; tmux is started for every question: not connected yet"},
	} {
		if got := row.p.remark(row.malformed); got != row.want {
			t.Errorf("%q, not %q", got, row.want)
		}
	}
}
