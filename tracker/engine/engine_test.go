package engine

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
)

// start runs an engine in the test's bubble and ends it with the test.
func start(t *testing.T) (*Engine, *Latest, func()) {
	t.Helper()
	e := New(tracker.NewState(tracker.SourceTmux, tracker.SourceHook))
	l := e.Subscribe()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Run(ctx) }()
	return e, l, func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	}
}

func send(t *testing.T, e *Engine, evs ...tracker.Event) {
	t.Helper()
	for _, ev := range evs {
		if err := e.Send(t.Context(), ev); err != nil {
			t.Fatal(err)
		}
	}
}

// next waits for a snapshot newer than rev and returns it with the time it took.
func next(t *testing.T, l *Latest, rev uint64) (*tracker.Snapshot, time.Duration) {
	t.Helper()
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	s, err := l.Next(ctx, rev)
	if err != nil {
		t.Fatalf("no snapshot after %d: %v", rev, err)
	}
	return s, time.Since(began)
}

func topology() tracker.TmuxListed {
	return tracker.TmuxListed{At: time.Now(), Topology: tracker.Topology{
		Server:   tracker.ServerID{PID: 1},
		Sessions: []tracker.Session{{ID: "$0", Name: "s", Windows: []tracker.Window{{ID: "@0", Panes: []tracker.Pane{{ID: "%0", PID: 100}}}}}},
	}}
}

func word(status string) tracker.RegistryRead {
	now := time.Now()
	return tracker.RegistryRead{
		At: now, PID: 200, Chain: []tracker.Process{{PID: 200, PPID: 100, Start: 5, Name: "claude", Args: []string{"claude"}}, {PID: 100, PPID: 1, Start: 1}},
		Entry: &tracker.RegistryEntry{SessionID: "s", Status: status, StatusUpdatedAt: now, UpdatedAt: now},
	}
}

func TestDullChangesMergeAndNotableOnesHurry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, l, stop := start(t)
		defer stop()
		send(t, e, topology())
		synctest.Wait() // the first fact opens the merge window; those below come one by one
		time.Sleep(10 * time.Millisecond)
		send(t, e, word("busy"))
		s, took := next(t, l, 0)
		if want := MergeFor - 10*time.Millisecond; took != want {
			t.Errorf("dull changes were published after %v, want %v", took, want)
		}
		if s.Counts.Busy != 1 {
			t.Errorf("the two dull changes did not come together: %+v", s.Counts)
		}
		time.Sleep(time.Second)
		send(t, e, word("waiting"))
		s, took = next(t, l, s.Rev)
		if took != 0 || s.Counts.NeedsInput != 1 {
			t.Errorf("a notable change took %v, %+v", took, s.Counts)
		}
	})
}

func TestDeadlinesPassWithoutEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, l, stop := start(t)
		defer stop()
		w := word("waiting")
		send(t, e, topology(), tracker.ProcessesSeen{At: time.Now(), Complete: true, Procs: w.Chain},
			tracker.ScreenSeen{At: time.Now(), Pane: "%0", PanePID: 100, Dialog: true})
		s, _ := next(t, l, 0)
		if s.Counts.Unknown != 1 {
			t.Fatalf("want a starting agent, got %+v", s.Counts)
		}
		s, took := next(t, l, s.Rev)
		if s.Counts.NeedsInput != 1 || took < 9*time.Second || took > 11*time.Second {
			t.Errorf("after %v: %+v, want the start-up dialog after about ten seconds", took, s.Counts)
		}
	})
}

func TestAQuietEngineSleeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, l, stop := start(t)
		defer stop()
		send(t, e, topology(), word("idle"))
		s, _ := next(t, l, 0)
		time.Sleep(time.Hour)
		if p := l.Peek(); p.Rev > s.Rev+1 { // the window may leave "active" once
			t.Errorf("an hour of nothing made %d snapshots", p.Rev-s.Rev)
		}
	})
}

func TestASlowReaderSeesTheNewestAndHoldsNobodyUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e, l, stop := start(t)
		defer stop()
		send(t, e, topology())
		for range 50 {
			send(t, e, word("waiting"))
			time.Sleep(time.Second)
			send(t, e, word("busy"))
			time.Sleep(time.Second)
		}
		s, took := next(t, l, 0)
		if took != 0 || s.Counts.Busy != 1 || s.Rev < 50 {
			t.Errorf("rev %d after %v: %+v", s.Rev, took, s.Counts)
		}
	})
}

func TestShutdownAppliesWhatWaitsAndClosesTheMailbox(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := New(tracker.NewState())
		l := e.Subscribe()
		ctx, cancel := context.WithCancel(context.Background())
		send(t, e, topology(), word("waiting"))
		cancel()
		if err := e.Run(ctx); err != nil {
			t.Fatal(err)
		}
		s, _ := next(t, l, 0)
		if s.Counts.NeedsInput != 1 {
			t.Errorf("the queued facts were lost: %+v", s.Counts)
		}
		if _, err := l.Next(t.Context(), s.Rev); !errors.Is(err, ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	})
}

func TestSupervisorTurnsAPanicIntoAnErrorAndEndsTheRest(t *testing.T) {
	s := Supervise(t.Context())
	ended := make(chan struct{})
	s.Go("patient", func(ctx context.Context) error { <-ctx.Done(); close(ended); return ctx.Err() })
	s.Go("clumsy", func(context.Context) error { panic("slipped") })
	<-ended
	err := s.Stop(time.Second)
	var crash *Crash
	if !errors.As(err, &crash) || crash.Name != "clumsy" || !strings.Contains(string(crash.Stack), "engine_test.go") {
		t.Errorf("got %v, want the crash with its stack", err)
	}
}

func TestSupervisorKeepsTheFirstError(t *testing.T) {
	s := Supervise(t.Context())
	broken := errors.New("broken")
	s.Go("source", func(context.Context) error { return broken })
	<-s.Context().Done()
	if err := s.Stop(time.Second); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	s = Supervise(t.Context())
	s.Go("source", func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() })
	if err := s.Stop(time.Second); err != nil {
		t.Errorf("an ordinary stop: %v", err)
	}
}
