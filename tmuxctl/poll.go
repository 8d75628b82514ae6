package tmuxctl

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"signalbox/tracker"
)

const (
	// pollInterval is from sweep to sweep while somebody looks at the board. What a person waits
	// for comes from hooks, the registry and Hurry; the sweep is the truth that catches the rest.
	pollInterval = time.Second
	// idleInterval is the same while nobody looks, or while nothing but the board has written for
	// silentAfter: what begins then is told by tmux, or is seen three seconds later.
	idleInterval = 3 * time.Second
	silentAfter  = 10 * time.Second

	// fullEvery and idleFullEvery are how old names, titles, commands and paths may get. The server
	// reads commands and paths from the process table while everybody else waits.
	fullEvery     = 5 * time.Second
	idleFullEvery = 15 * time.Second

	// silentFullEvery is the same while nobody but the board has written anything: a program that
	// begins, a prompt in another directory and a new title are all output, as a rule.
	silentFullEvery = 30 * time.Second

	// forkInterval is the least of them while tmux must be started for every question: with the live
	// screen that is a little less than one program a second.
	forkInterval = 2 * time.Second

	// costShare stretches the intervals where a sweep is dear, up to those of an idle board: light
	// sweeps take at most so small a part of the server's time, and full ones as much again.
	costShare = 300

	// hurryGap is the least time between sweeps however often Hurry is called, so that a storm of
	// notifications costs ten listings a second and not hundreds.
	hurryGap = 100 * time.Millisecond

	// restFactor keeps a slow server at most a third of its time busy with us.
	restFactor = 2

	// maxBackoff is how rarely a failing server is asked in the end.
	maxBackoff = 10 * time.Second
)

// Poller lists a server again and again. Its methods but Poll may be called from any goroutine.
type Poller struct {
	conn   Conn
	lister *Lister
	socket string // for people, when no server answers

	hurry chan struct{} // one slot: calls that come together become one sweep
	stir  chan struct{} // the same for what is worth a sweep at the ordinary pace
	idle  atomic.Bool
	force atomic.Bool // the next sweep is to be a full one
	stale atomic.Bool // names or sizes have changed since the last full one

	server   tracker.ServerID // the last one that answered
	fullAt   time.Time        // when the last full listing was read
	fullFrom time.Time        // when reading it began
	wroteAt  time.Time        // last output anywhere but in the board's own window, to the second
	failures int              // in a row

	lightTook, fullTook time.Duration // by the last listing of each kind
}

// NewPoller returns a source for the server behind conn. socket is where that is, for messages.
func NewPoller(conn Conn, socket string) *Poller {
	return &Poller{conn: conn, lister: NewLister(conn), socket: socket, hurry: make(chan struct{}, 1), stir: make(chan struct{}, 1)}
}

// Hurry asks for a sweep soon, because something may have changed. It never blocks; calls that come
// before the sweep count as one. The sweep is a light one, as long as the same panes are there.
func (p *Poller) Hurry() { fillSlot(p.hurry) }

// fillSlot fills a slot that may be full already.
func fillSlot(slot chan<- struct{}) {
	select {
	case slot <- struct{}{}:
	default:
	}
}

// Refresh is Hurry for a full sweep: somebody asks to see everything anew.
func (p *Poller) Refresh() {
	p.force.Store(true)
	p.Hurry()
}

// Notice takes a notification of the connection, as NewControl wants. Changed names do not hurry:
// windows that are named after what they run may change theirs all the time. They are read at the
// ordinary pace, also where the next sweep would be later.
func (p *Poller) Notice(n Notice) {
	if n.Full {
		p.stale.Store(true)
		fillSlot(p.stir)
	}
	if n.Early {
		p.Hurry()
	}
}

// SetIdle says whether nobody looks at the board, so that sweeping less is enough. Coming back
// from idle refreshes.
func (p *Poller) SetIdle(idle bool) {
	if was := p.idle.Swap(idle); was && !idle {
		p.Refresh()
	}
}

// Poll sweeps until the context ends, and returns the context's error. It calls emit from its own
// goroutine, with TmuxListed, TmuxAbsent or SourceFailed after each sweep, even if nothing changed:
// that is what keeps the facts fresh. emit may block; the next sweep waits for it.
func (p *Poller) Poll(ctx context.Context, emit func(tracker.Event)) error {
	deep := depthFull
	for {
		for _, slot := range []chan struct{}{p.hurry, p.stir} {
			select {
			case <-slot: // this sweep answers it
				deep = max(deep, depthLight)
			default:
			}
		}
		begin := time.Now()
		event := p.sweep(ctx, deep)
		took := time.Since(begin)
		if ctx.Err() != nil {
			return ctx.Err() // a sweep that was cut short says nothing about tmux
		}
		emit(event)
		called := p.rest(ctx, begin.Add(took), took)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		deep = p.depth(called)
	}
}

// depth is how much a sweep reads.
type depth int

const (
	depthGlance depth = iota // only whether something has changed of which tmux does not tell
	depthLight
	depthFull
)

// depth is that of the next sweep. A glance is enough while nothing happens, and only with a connection that
// would tell of the rest.
func (p *Poller) depth(called bool) depth {
	c, ok := p.conn.(interface{ Connected() bool })
	switch {
	case p.wantsFull():
		return depthFull
	case !called && p.silent() && ok && c.Connected():
		return depthGlance
	}
	return depthLight
}

// rest waits for the next sweep, and reports whether somebody asked for it.
func (p *Poller) rest(ctx context.Context, swept time.Time, took time.Duration) (called bool) {
	least := max(hurryGap, restFactor*took)
	all := max(p.interval()-took, least)
	ordinary := min(all, max(pollInterval-took, least))
	called = wait(ctx, ordinary, p.hurry, nil) || wait(ctx, all-ordinary, p.hurry, p.stir)
	wait(ctx, least-time.Since(swept), nil, nil)
	return called
}

func (p *Poller) wantsFull() bool {
	age := time.Since(p.fullAt)
	return p.force.Swap(false) || p.stale.Load() && age >= pollInterval || age >= silentFullEvery ||
		age >= p.fullInterval() && (p.wroteAt.IsZero() || !p.wroteAt.Before(p.fullFrom.Truncate(time.Second)))
}

// wait waits for the time and reports whether it ended early, by one of the channels or the context.
func wait(ctx context.Context, d time.Duration, early, other <-chan struct{}) bool {
	if d <= 0 {
		return false
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-early:
	case <-other:
	case <-timer.C:
		return false
	}
	return true
}

func (p *Poller) interval() time.Duration {
	d := max(pollInterval, min(idleInterval, costShare*p.lightTook))
	if c, ok := p.conn.(interface{ Connected() bool }); ok && !c.Connected() {
		d = max(d, forkInterval)
	}
	if p.idle.Load() || p.silent() {
		d = idleInterval
	}
	// 1, 2, 4, 8, 10 seconds. The shift is bounded so that it cannot run over.
	if p.failures > 0 {
		d = max(d, min(maxBackoff, pollInterval<<min(p.failures-1, 8)))
	}
	return d
}

// silent reports whether nothing but the board has written for a while.
func (p *Poller) silent() bool {
	return !p.wroteAt.IsZero() && time.Since(p.wroteAt) >= silentAfter
}

func (p *Poller) fullInterval() time.Duration {
	if p.idle.Load() {
		return idleFullEvery
	}
	return max(fullEvery, min(idleFullEvery, costShare*p.fullTook))
}

// sweep lists once and says what came of it.
func (p *Poller) sweep(ctx context.Context, deep depth) tracker.Event {
	read := p.lister.Light
	switch deep {
	case depthFull:
		p.stale.Store(false) // before reading: what changes now is news again
		read = p.lister.Full
	case depthGlance:
		read = func(ctx context.Context) (Listing, error) { return p.lister.Glance(ctx, p.own()) }
	}
	begin := time.Now()
	l, err := read(ctx)
	now := time.Now()
	if err != nil {
		return p.failed(now, err)
	}
	if l.Full {
		p.fullFrom, p.fullAt, p.fullTook = begin, now, now.Sub(begin)
	} else if deep == depthLight {
		p.lightTook = now.Sub(begin)
	}
	p.noteOutput(l.Topology)
	p.failures, p.server = 0, l.Topology.Server
	return tracker.TmuxListed{At: now, Topology: l.Topology, Detail: p.remark(l.Malformed)}
}

// noteOutput finds the last output that may have changed what only a full listing reads.
func (p *Poller) noteOutput(t tracker.Topology) {
	own := p.own()
	for i := range t.Sessions {
		for j := range t.Sessions[i].Windows {
			w := &t.Sessions[i].Windows[j]
			if len(w.Panes) == 1 && w.Panes[0].ID == own {
				continue // it writes whenever a lamp turns
			}
			if w.Activity.After(p.wroteAt) {
				p.wroteAt = w.Activity
			}
		}
	}
}

// own is the pane that the board draws in, "" where that is not known.
func (p *Poller) own() tracker.PaneID {
	if c, ok := p.conn.(interface{ Own() tracker.PaneID }); ok {
		return c.Own()
	}
	return ""
}

// failed tells "no server runs", which is an answer, from everything that is not one.
func (p *Poller) failed(now time.Time, err error) tracker.Event {
	p.wroteAt = time.Time{} // nothing is known of it any more
	if errors.Is(err, ErrNoServer) {
		if !livesAsTmux(p.server.PID) {
			p.failures, p.server = 0, tracker.ServerID{}
			return tracker.TmuxAbsent{At: now, Socket: p.socket, Detail: Hint(err)}
		}
		err = &unreachable{socket: p.socket, pid: p.server.PID}
	}
	p.failures++
	reason := err.Error()
	if hint := Hint(err); hint != "" {
		reason += " (" + hint + ")"
	}
	return tracker.SourceFailed{At: now, Source: tracker.SourceTmux, Reason: reason}
}

// remark is what a person should know although the listing worked.
func (p *Poller) remark(malformed int) string {
	var say []string
	if malformed > 0 {
		say = append(say, fmt.Sprintf("%d rows of tmux's answer could not be read", malformed))
	}
	if c, ok := p.conn.(interface{ Remark() string }); ok {
		if r := c.Remark(); r != "" {
			say = append(say, r)
		}
	}
	return strings.Join(say, "; ")
}
