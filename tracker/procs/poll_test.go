package procs

import (
	"context"
	"syscall"
	"testing"
	"time"

	"signalbox/tracker"
)

// polling runs a poller for the length of the test.
func polling(t *testing.T, panes []int, agents []tracker.AgentID) (*Poller, chan tracker.Event) {
	t.Helper()
	p, events := NewPoller(), make(chan tracker.Event, 64)
	p.panes, p.agents = panes, agents // SetTargets asks for a second sweep soon, which would tell what is to come from a look
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- p.Run(ctx, func(ev tracker.Event) { events <- ev }) }()
	t.Cleanup(func() {
		cancel()
		for {
			select {
			case <-events: // a blocked emit must not keep Run from ending
			case err := <-done:
				if err != nil {
					t.Errorf("Run: %v", err)
				}
				return
			}
		}
	})
	return p, events
}

// until returns the first event that satisfies ok.
func until(t *testing.T, events <-chan tracker.Event, ok func(tracker.ProcessesSeen) bool) tracker.ProcessesSeen {
	t.Helper()
	for end := time.Now().Add(waitLimit); time.Now().Before(end); {
		if seen, is := next(t, events).(tracker.ProcessesSeen); is && ok(seen) {
			return seen
		}
	}
	t.Fatal("timed out waiting for what the poller should tell")
	return tracker.ProcessesSeen{}
}

func TestPollerBeginsWithACompleteSweep(t *testing.T) {
	cmd, _ := shell(t, "echo ready; read x")
	pid := cmd.Process.Pid
	_, events := polling(t, []int{pid}, nil)
	if ev, ok := next(t, events).(tracker.SourceWorks); !ok || ev.Source != tracker.SourceProcess {
		t.Errorf("first event %+v, want that the source works", ev)
	}
	seen := until(t, events, func(tracker.ProcessesSeen) bool { return true })
	if p, ok := find(seen.Procs, pid); !seen.Complete || !ok || p.Args == nil {
		t.Errorf("first sweep: complete %v, the pane's process %+v", seen.Complete, p)
	}
}

func TestPollerTellsStopAndContinue(t *testing.T) {
	cmd, _ := shell(t, "echo ready; read x")
	id := identity(t, cmd.Process.Pid)
	p, events := polling(t, nil, []tracker.AgentID{id})
	until(t, events, func(s tracker.ProcessesSeen) bool { return s.Complete })
	for _, step := range []struct {
		sig  syscall.Signal
		want tracker.ProcState
	}{{syscall.SIGSTOP, tracker.ProcStopped}, {syscall.SIGCONT, tracker.ProcRunning}} {
		syscall.Kill(id.PID, step.sig)
		eventually(t, "the state to change", func() bool { q, err := Read(id.PID); return err == nil && q.State == step.want })
		p.Hurry()
		begin := time.Now()
		seen := until(t, events, func(s tracker.ProcessesSeen) bool { return !s.Complete })
		if len(seen.Procs) != 1 || seen.Procs[0].ID() != id || seen.Procs[0].State != step.want || seen.Procs[0].Args == nil {
			t.Fatalf("after %v: %+v", step.sig, seen.Procs)
		}
		t.Logf("%v told after %v", step.sig, time.Since(begin))
	}
}

func TestPollerLooksEverySecondUnasked(t *testing.T) {
	cmd, _ := shell(t, "echo ready; read x")
	id := identity(t, cmd.Process.Pid)
	_, events := polling(t, nil, []tracker.AgentID{id})
	until(t, events, func(s tracker.ProcessesSeen) bool { return s.Complete })
	syscall.Kill(id.PID, syscall.SIGSTOP)
	begin := time.Now()
	until(t, events, func(s tracker.ProcessesSeen) bool {
		q, ok := find(s.Procs, id.PID)
		return ok && q.State == tracker.ProcStopped
	})
	if d := time.Since(begin); d > sweepEvery-lookEvery {
		t.Errorf("told after %v: by a sweep, not by a look every %v", d, lookEvery)
	}
}

// TestOnlyTheAwakeAreLookedAt holds that an agent in which nothing happens costs nothing between two
// sweeps, and that one which becomes awake is looked at now.
func TestOnlyTheAwakeAreLookedAt(t *testing.T) {
	cmd, _ := shell(t, "echo ready; read x")
	id := identity(t, cmd.Process.Pid)
	now := time.Now()
	p := NewPoller()
	p.SetTargets(nil, []tracker.AgentID{id})
	r := round{Poller: p, lookAt: now.Add(lookEvery), sweepAt: now.Add(sweepEvery)}
	if at := r.next(); at != r.lookAt || len(r.wakeful()) != 1 {
		t.Errorf("before anything was told, the next step is in %v, for %v", at.Sub(now), r.wakeful())
	}
	p.SetAwake(nil)
	if at := r.next(); at != r.sweepAt || len(r.wakeful()) != 0 {
		t.Errorf("while all are asleep the next step is in %v, for %v", at.Sub(now), r.wakeful())
	}
	p.SetAwake([]tracker.AgentID{id})
	if at := r.next(); at != r.lookAt || len(p.rouse) != 1 {
		t.Errorf("one is awake and the next step is in %v; roused: %d", at.Sub(now), len(p.rouse))
	}
	<-p.rouse
	p.SetAwake([]tracker.AgentID{id})
	if len(p.rouse) != 0 {
		t.Error("one that stays awake rouses again")
	}
}

// TestPollerTellsOfWhoBecomesAwake stops an agent that nobody looks at.
func TestPollerTellsOfWhoBecomesAwake(t *testing.T) {
	cmd, _ := shell(t, "echo ready; read x")
	id := identity(t, cmd.Process.Pid)
	p, events := polling(t, nil, []tracker.AgentID{id})
	p.SetAwake(nil)
	until(t, events, func(s tracker.ProcessesSeen) bool { return s.Complete })
	syscall.Kill(id.PID, syscall.SIGSTOP)
	eventually(t, "the agent to stop", func() bool { q, err := Read(id.PID); return err == nil && q.State == tracker.ProcStopped })
	begin := time.Now()
	p.SetAwake([]tracker.AgentID{id})
	until(t, events, func(s tracker.ProcessesSeen) bool {
		q, ok := find(s.Procs, id.PID)
		return ok && q.State == tracker.ProcStopped
	})
	if d := time.Since(begin); d > sweepEvery-lookEvery {
		t.Errorf("told after %v: by a sweep, not at once", d)
	}
}

func TestPollerSweepsForNewTargets(t *testing.T) {
	p, events := polling(t, nil, nil)
	until(t, events, func(s tracker.ProcessesSeen) bool { return s.Complete })
	cmd, _ := shell(t, "echo ready; read x")
	begin := time.Now()
	p.SetTargets([]int{cmd.Process.Pid}, nil)
	until(t, events, func(s tracker.ProcessesSeen) bool {
		q, ok := find(s.Procs, cmd.Process.Pid)
		return s.Complete && ok && q.Args != nil
	})
	if d := time.Since(begin); d > sweepEvery-lookEvery {
		t.Errorf("swept %v after the targets were set: when it was time anyway", d)
	}
}

func TestRoundSpacesSweeps(t *testing.T) {
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	tests := []struct {
		name     string
		took     time.Duration
		ago, due time.Duration // of the last sweep's end, and of the next sweep, from now
		want     time.Duration
	}{
		{"long ago: at once", 3 * time.Millisecond, 2 * time.Second, 3 * time.Second, 0},
		{"a moment ago: after the gap", 3 * time.Millisecond, 30 * time.Millisecond, 3 * time.Second, 70 * time.Millisecond},
		{"on a slow machine: twice as long as it took", 2 * time.Second, time.Second, 4 * time.Second, 3 * time.Second},
		{"never later than planned", 5 * time.Second, 0, time.Second, time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := round{took: tt.took, swept: now.Add(-tt.ago), sweepAt: now.Add(tt.due)}
			r.advance(now)
			if got := r.sweepAt.Sub(now); got != tt.want {
				t.Errorf("next sweep in %v, want %v", got, tt.want)
			}
		})
	}
}

func TestDearSweepsOfTheTableAreFewer(t *testing.T) {
	r := &round{Poller: NewPoller()}
	for _, row := range []struct{ took, want, unseen time.Duration }{
		{3 * time.Millisecond, sweepEvery, sweepIdle},
		{8 * time.Millisecond, 8 * time.Second, sweepIdle},
		{100 * time.Millisecond, sweepIdle, sweepIdle},
		{20 * time.Second, 40 * time.Second, 40 * time.Second}, // it never takes more than a third of a core
	} {
		r.took = row.took
		for idle, want := range map[bool]time.Duration{false: row.want, true: row.unseen} {
			r.idle.Store(idle)
			if gap := r.sweepGap(); gap != want {
				t.Errorf("after a sweep of %v the next comes %v later (idle %v), want %v", row.took, gap, idle, want)
			}
		}
	}
}

func TestPortsAreLookedAtSeldomAtRest(t *testing.T) {
	for _, row := range []struct{ rested, took, want time.Duration }{
		{0, time.Millisecond, portsEvery},
		{portsIdle, time.Millisecond, portsEvery},
		{2 * portsIdle, time.Millisecond, portsIdle},
		{0, 200 * time.Millisecond, 20 * time.Second}, // it never takes more than a hundredth of a core
		{2 * portsIdle, time.Second, 100 * time.Second},
	} {
		if gap := portsGap(row.rested, row.took); gap != row.want {
			t.Errorf("nobody new for %v, a look of %v: the next comes %v later, want %v", row.rested, row.took, gap, row.want)
		}
	}
}

// TestRoundLooksAtPortsForWhoeverIsNew: how dear a look is on a busy machine is not what this is about, and
// only moves the next one further away.
func TestRoundLooksAtPortsForWhoeverIsNew(t *testing.T) {
	table := NewTable()
	seen := sweep(t, table, []int{selfPID()})
	self, _ := find(seen.Procs, selfPID())
	r := round{Poller: NewPoller(), emit: func(tracker.Event) {}, table: table, last: map[tracker.AgentID]tracker.Process{}}
	begin := time.Now()
	if r.doPorts(); r.portsAt.Before(begin.Add(portsEvery)) {
		t.Errorf("somebody is new: next look in %v, want %v", r.portsAt.Sub(begin), portsEvery)
	}
	table.newest = time.Now().Add(-2 * portsIdle)
	if r.doPorts(); r.portsAt.Before(begin.Add(portsIdle)) {
		t.Errorf("nobody is new: next look in %v, want %v", r.portsAt.Sub(begin), portsIdle)
	}
	r.SetTargets([]int{selfPID()}, nil)
	planned := r.portsAt
	if r.doSweep(t.Context()); !r.portsAt.Equal(planned) {
		t.Errorf("still nobody: next look %v, want %v", r.portsAt, planned)
	}
	delete(table.known, self.ID())
	if r.doSweep(t.Context()); !r.portsAt.Equal(earlier(planned, r.swept.Add(portsEvery))) || !r.portsAt.Before(planned) {
		t.Errorf("somebody new came: next look in %v, want %v", r.portsAt.Sub(r.swept), portsEvery)
	}
}
