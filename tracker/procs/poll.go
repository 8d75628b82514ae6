package procs

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"signalbox/tracker"
)

// Cadence of the poller. A sweep of 300 processes takes about 4 ms of a core, a look at 30 agents
// a third of one.
const (
	lookEvery  = time.Second      // state of the awake agents: Ctrl-Z shows within this
	sweepEvery = 5 * time.Second  // everything below the panes
	sweepIdle  = 10 * time.Second // the same while nobody looks at the board
	portsEvery = 10 * time.Second // listening ports: the kernel walks all its connections for it
	portsIdle  = time.Minute      // the same when no process was new in the panes for that long
	hurryGap   = 100 * time.Millisecond

	// A slow machine must not spend its time on looking at itself: what took long is done seldom.
	sweepRest = 2   // times the last sweep's duration until the next
	portsRest = 100 // the same for ports

	// sweepShare bounds what sweeps take of a core, as far as sweepIdle allows: with a thousand processes
	// on the machine they were a quarter of all that a board at rest did.
	sweepShare = 1000
)

// Poller is the source of everything the process table tells. It emits a complete
// tracker.ProcessesSeen with every sweep, an incomplete one when an agent was stopped, continued,
// moved to or from the foreground, or when ports changed, and SourceFailed and SourceWorks for
// tracker.SourceProcess.
type Poller struct {
	mu     sync.Mutex
	panes  []int
	agents []tracker.AgentID
	awake  []tracker.AgentID
	told   bool          // SetAwake was called
	hurry  chan struct{} // one slot: calls while one is pending are the same call
	rouse  chan struct{} // the same for agents that have become awake
	idle   atomic.Bool
}

// NewPoller returns a poller without targets.
func NewPoller() *Poller {
	return &Poller{hurry: make(chan struct{}, 1), rouse: make(chan struct{}, 1)}
}

// SetTargets says which panes (pids of their first processes) and agents to look at. It does not
// block; the latest call wins. A change brings the next sweep forward.
func (p *Poller) SetTargets(panes []int, agents []tracker.AgentID) {
	p.mu.Lock()
	same := slices.Equal(p.panes, panes) && slices.Equal(p.agents, agents)
	if !same {
		p.panes, p.agents = slices.Clone(panes), slices.Clone(agents)
	}
	p.mu.Unlock()
	if !same {
		p.Hurry()
	}
}

// SetAwake says which of the agents have shown a sign of life lately. Only those are looked at between
// the sweeps: one that is stopped has its shell write to the terminal, so it is awake, and one more is
// looked at now. Until the first call all are. It does not block; the latest call wins.
func (p *Poller) SetAwake(agents []tracker.AgentID) {
	p.mu.Lock()
	fresh := slices.ContainsFunc(agents, func(id tracker.AgentID) bool { return !slices.Contains(p.awake, id) })
	p.awake, p.told = slices.Clone(agents), true
	p.mu.Unlock()
	if fresh {
		select {
		case p.rouse <- struct{}{}:
		default:
		}
	}
}

// SetIdle says whether nobody looks at the board, so that sweeping less is enough. Coming back from
// idle hurries.
func (p *Poller) SetIdle(idle bool) {
	if was := p.idle.Swap(idle); was && !idle {
		p.Hurry()
	}
}

// Hurry asks for a look now and a sweep as soon as the load allows. It does not block; calls that
// come while one is pending are one.
func (p *Poller) Hurry() {
	select {
	case p.hurry <- struct{}{}:
	default:
	}
}

func (p *Poller) targets() ([]int, []tracker.AgentID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.panes, p.agents
}

// wakeful are the agents to look at between sweeps.
func (p *Poller) wakeful() []tracker.AgentID {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.told {
		return p.agents
	}
	return p.awake
}

// Run polls until the context ends and then returns nil. Only one Run may be active.
func (p *Poller) Run(ctx context.Context, emit func(tracker.Event)) error {
	r := round{Poller: p, emit: emit, table: NewTable(), last: map[tracker.AgentID]tracker.Process{}}
	timer := time.NewTimer(0) // the first sweep is due at once
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-p.hurry:
			_, agents := p.targets()
			r.look(agents)
			r.advance(time.Now())
		case <-p.rouse:
			r.look(p.wakeful())
		case <-timer.C:
		}
		r.step(ctx)
		timer.Reset(time.Until(r.next()))
	}
}

// round is the state of one Run.
type round struct {
	*Poller
	emit  func(tracker.Event)
	table *Table
	last  map[tracker.AgentID]tracker.Process // agents as last told

	sweepAt, portsAt, lookAt time.Time // when each is due
	swept                    time.Time // end of the last sweep
	took                     time.Duration
	ports                    bool // the last sweep's rows are there to be looked through
}

// next is when there is something to do.
func (r *round) next() time.Time {
	if len(r.wakeful()) == 0 {
		return r.sweepAt
	}
	return earlier(r.sweepAt, r.lookAt)
}

// advance brings the next sweep forward, as far as the last one's cost allows.
func (r *round) advance(now time.Time) {
	soonest := r.swept.Add(max(hurryGap, sweepRest*r.took))
	if soonest.Before(now) {
		soonest = now
	}
	if soonest.Before(r.sweepAt) {
		r.sweepAt = soonest
	}
}

// step does what is due.
func (r *round) step(ctx context.Context) {
	now := time.Now()
	if !now.Before(r.sweepAt) {
		r.doSweep(ctx)
	} else if !now.Before(r.lookAt) {
		r.look(r.wakeful())
	}
	if r.ports && !now.Before(r.portsAt) {
		r.doPorts()
	}
}

func (r *round) doSweep(ctx context.Context) {
	panes, agents := r.targets()
	begin := time.Now()
	seen, err := r.table.Sweep(ctx, panes, agents)
	r.swept = time.Now()
	r.took = r.swept.Sub(begin)
	r.sweepAt = r.swept.Add(r.sweepGap())
	r.lookAt = r.swept.Add(lookEvery)
	r.ports = err == nil
	if begin.Before(r.table.newest) { // somebody new, who may open a port
		r.portsAt = earlier(r.portsAt, r.swept.Add(portsEvery))
	}
	if err != nil {
		if ctx.Err() == nil {
			r.emit(tracker.SourceFailed{At: r.swept, Source: tracker.SourceProcess, Reason: err.Error()})
		}
		return
	}
	clear(r.last)
	for _, p := range seen.Procs {
		if slices.Contains(agents, p.ID()) {
			r.last[p.ID()] = p
		}
	}
	r.emit(tracker.SourceWorks{At: r.swept, Source: tracker.SourceProcess})
	r.emit(seen)
}

// sweepGap is the time from the end of a sweep to the next.
func (r *round) sweepGap() time.Duration {
	every := max(sweepEvery, min(sweepIdle, sweepShare*r.took))
	if r.idle.Load() {
		every = sweepIdle
	}
	return max(every, sweepRest*r.took)
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// look reads these agents alone and tells those whose state or place in front of their terminal
// changed.
func (r *round) look(agents []tracker.AgentID) {
	at := time.Now()
	r.lookAt = at.Add(lookEvery)
	var changed []tracker.Process
	for _, p := range r.table.Look(agents) {
		was, ok := r.last[p.ID()]
		if ok && was.State == p.State && was.TermGroup == p.TermGroup && was.Group == p.Group && was.PPID == p.PPID {
			continue
		}
		r.last[p.ID()] = p
		changed = append(changed, p)
	}
	if len(changed) > 0 {
		r.emit(tracker.ProcessesSeen{At: at, Procs: changed})
	}
}

func (r *round) doPorts() {
	begin := time.Now()
	changed, err := r.table.Ports()
	r.portsAt = begin.Add(portsGap(begin.Sub(r.table.newest), time.Since(begin)))
	r.ports = false
	if err == nil && len(changed) > 0 {
		r.emit(tracker.ProcessesSeen{At: begin, Procs: changed})
	}
}

// portsGap is the time from one look at the ports to the next: how long no process was new, and how long
// the look took.
func portsGap(rested, took time.Duration) time.Duration {
	every := portsEvery
	if rested > portsIdle {
		every = portsIdle
	}
	return max(every, portsRest*took)
}
