package procs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"signalbox/tracker"
)

// exitPoll is how often agents are looked at that the system cannot watch.
const exitPoll = 250 * time.Millisecond

// Watcher tells the moment an agent's process ends, for any reason. On Linux it holds a pidfd per
// agent and sleeps until one of them fires; where the kernel refuses (before 5.3, a sandbox, too
// many open files), and on other systems, it looks at the agent every 250 ms.
type Watcher struct {
	mu      sync.Mutex
	targets []tracker.AgentID
	changed bool    // targets were set since Run last took them
	waiter  *waiter // of the running Run, or nil
}

// NewWatcher returns a watcher without targets.
func NewWatcher() *Watcher { return &Watcher{} }

// SetTargets replaces the agents to watch. It does not block; the latest call wins. An agent that
// is already gone is reported as well. One that stays in the list after it was reported is not
// reported again.
func (w *Watcher) SetTargets(agents []tracker.AgentID) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if slices.Equal(w.targets, agents) {
		return
	}
	w.targets, w.changed = slices.Clone(agents), true
	if w.waiter != nil {
		w.waiter.wake()
	}
}

// Run watches until the context ends and then returns nil. Every exit is handed to emit as a
// tracker.ProcessExited. Only one Run may be active.
func (w *Watcher) Run(ctx context.Context, emit func(tracker.Event)) error {
	s, err := newWaiter()
	if err != nil {
		return fmt.Errorf("watching processes: %w", err)
	}
	defer s.close()
	w.mu.Lock()
	w.waiter, w.changed = s, true
	w.mu.Unlock()
	defer func() {
		w.mu.Lock()
		w.waiter = nil
		w.mu.Unlock()
	}()
	defer context.AfterFunc(ctx, s.wake)()
	g := guard{waiter: s, emit: emit, agents: map[tracker.AgentID]watchState{}}
	for ctx.Err() == nil {
		if targets, changed := w.take(); changed {
			g.retarget(targets)
		}
		g.wait()
	}
	return nil
}

func (w *Watcher) take() ([]tracker.AgentID, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	changed := w.changed
	w.changed = false
	return w.targets, changed
}

// watchState says how an agent is watched.
type watchState uint8

const (
	watchHeld   watchState = iota // the waiter tells
	watchPolled                   // it must be looked at
	watchOver                     // it has ended, and that was told
)

// guard is the state of one Run.
type guard struct {
	waiter *waiter
	emit   func(tracker.Event)
	agents map[tracker.AgentID]watchState
	polled int // how many are in watchPolled
	looked time.Time
}

func (g *guard) retarget(targets []tracker.AgentID) {
	for id, st := range g.agents {
		if slices.Contains(targets, id) {
			continue
		}
		switch st {
		case watchHeld:
			g.waiter.release(id)
		case watchPolled:
			g.polled--
		}
		delete(g.agents, id)
	}
	for _, id := range targets {
		if _, ok := g.agents[id]; ok || id.IsZero() {
			continue
		}
		switch err := g.waiter.hold(id); {
		case err == nil:
			g.agents[id] = watchHeld
		case errors.Is(err, ErrGone):
			g.report(id)
		default:
			g.agents[id] = watchPolled
			g.polled++
		}
	}
}

// wait sleeps until an agent ends, the waiter is woken, or it is time to look at those that
// nobody tells about.
func (g *guard) wait() {
	timeout := time.Duration(-1)
	if g.polled > 0 {
		timeout = max(0, exitPoll-time.Since(g.looked))
	}
	for _, id := range g.waiter.wait(timeout) {
		g.waiter.release(id)
		g.report(id)
	}
	if g.polled == 0 || time.Since(g.looked) < exitPoll {
		return
	}
	g.looked = time.Now()
	for id, st := range g.agents {
		if st == watchPolled && ended(id) {
			g.polled--
			g.report(id)
		}
	}
}

func (g *guard) report(id tracker.AgentID) {
	g.agents[id] = watchOver
	g.emit(tracker.ProcessExited{At: time.Now(), ID: id})
}

// ended reports that the process with this identity is certainly over. A process that cannot be
// read is not.
func ended(id tracker.AgentID) bool {
	p, err := readStat(id.PID, make([]byte, statBytes))
	if err != nil {
		return errors.Is(err, ErrGone)
	}
	return p.Start != id.Start || p.State == tracker.ProcZombie
}
