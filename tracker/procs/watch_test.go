package procs

import (
	"context"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
)

// watching runs a watcher for the length of the test.
func watching(t *testing.T) (*Watcher, chan tracker.Event) {
	t.Helper()
	w, events := NewWatcher(), make(chan tracker.Event, 16)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- w.Run(ctx, func(ev tracker.Event) { events <- ev }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return w, events
}

func wantExit(t *testing.T, events <-chan tracker.Event, id tracker.AgentID) time.Time {
	t.Helper()
	ev, ok := next(t, events).(tracker.ProcessExited)
	if !ok || ev.ID != id {
		t.Fatalf("event %+v, want the exit of %v", ev, id)
	}
	return ev.At
}

func TestWatcherTellsAnExit(t *testing.T) {
	w, events := watching(t)
	cmd, in := shell(t, "echo ready; read x")
	killed, _ := shell(t, "echo ready; read x")
	a, b := identity(t, cmd.Process.Pid), identity(t, killed.Process.Pid)
	w.SetTargets([]tracker.AgentID{a, b})
	begin := time.Now()
	syscall.Kill(b.PID, syscall.SIGKILL)
	at := wantExit(t, events, b) // nobody has reaped it
	t.Logf("told %v after the kill", at.Sub(begin))
	w.SetTargets([]tracker.AgentID{b, a}) // still in the list: not told again
	in.Close()
	wantExit(t, events, a)
	if len(events) != 0 {
		t.Errorf("one more event: %+v", <-events)
	}
}

func TestWatcherTellsWhatIsOverAlready(t *testing.T) {
	w, events := watching(t)
	living, _ := shell(t, "echo ready; read x")
	id := identity(t, living.Process.Pid)
	recycled := id
	recycled.Start--
	w.SetTargets([]tracker.AgentID{recycled})
	wantExit(t, events, recycled) // the pid serves another process
	never := tracker.AgentID{PID: 1 << 22, Start: 1}
	w.SetTargets([]tracker.AgentID{never, id})
	wantExit(t, events, never)
	// Once the watcher has taken a list without it, nobody asks for it any more.
	w.SetTargets([]tracker.AgentID{{PID: 1<<22 + 1}})
	wantExit(t, events, tracker.AgentID{PID: 1<<22 + 1})
	syscall.Kill(id.PID, syscall.SIGKILL)
	w.SetTargets([]tracker.AgentID{{PID: 1<<22 + 2}})
	wantExit(t, events, tracker.AgentID{PID: 1<<22 + 2})
}

func TestWatcherHasTargetsBeforeRun(t *testing.T) {
	w := NewWatcher()
	gone := tracker.AgentID{PID: 1 << 22, Start: 1}
	w.SetTargets([]tracker.AgentID{gone})
	ctx, cancel := context.WithCancel(context.Background())
	var told atomic.Int32
	err := w.Run(ctx, func(ev tracker.Event) {
		if ev.(tracker.ProcessExited).ID == gone {
			told.Add(1)
			cancel()
		}
	})
	if err != nil || told.Load() != 1 {
		t.Errorf("Run: %v, told %d times, want once", err, told.Load())
	}
	w.SetTargets(nil) // after the end: nothing to wake
}

func TestGuardLooksAtWhatCannotBeHeld(t *testing.T) {
	cmd, in := shell(t, "echo ready; read x")
	id := identity(t, cmd.Process.Pid)
	s, err := newWaiter()
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	var told []tracker.AgentID
	g := guard{
		waiter: s, emit: func(ev tracker.Event) { told = append(told, ev.(tracker.ProcessExited).ID) },
		agents: map[tracker.AgentID]watchState{id: watchPolled}, polled: 1,
	}
	g.wait()
	if len(told) != 0 {
		t.Fatalf("a living process was told to be over: %v", told)
	}
	in.Close()
	cmd.Wait()
	looked := g.looked
	for begin := time.Now(); g.looked.Equal(looked) && time.Since(begin) < waitLimit; { // a wait may end before it is time to look
		g.wait()
	}
	if len(told) != 1 || told[0] != id || g.polled != 0 {
		t.Errorf("told %v with %d left, want %v and none", told, g.polled, id)
	}
}

func TestHurryNeverBlocks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := NewPoller()
		for i := range 100 {
			p.Hurry()
			p.SetTargets([]int{i}, nil)
		}
		panes, _ := p.targets()
		if len(panes) != 1 || panes[0] != 99 {
			t.Errorf("targets %v, want the latest", panes)
		}
	})
}
