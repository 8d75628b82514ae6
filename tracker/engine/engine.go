// Package engine runs the one goroutine that owns the board's state.
//
// Facts come in over one bounded channel, in order; a source blocks when it is full and nothing is
// dropped. Snapshots go out through one-slot mailboxes, one per reader: a slow reader sees only the
// newest and never holds anybody up. Dull changes are merged for MergeFor; what a person waits for
// is published at once, together with everything merged so far.
package engine

import (
	"context"
	"time"

	"signalbox/tracker"
)

const (
	// MergeFor is how long dull changes are merged: a frame at 20 frames a second.
	MergeFor = 50 * time.Millisecond
	// queueSize is how many facts may wait. A burst of hooks fills it in a few milliseconds; after
	// that the senders wait, as their own sockets and timers allow.
	queueSize = 256
	// settleGap is the shortest pause between two looks at the clock, so that many close deadlines
	// cost one.
	settleGap = 20 * time.Millisecond
)

// Engine owns a tracker.State. Make it with New; Run it once.
type Engine struct {
	events  chan tracker.Event
	readers []*Latest
	state   *tracker.State
	watch   Watch
}

// Watch is told what the engine does and how long each step takes, for a log. Its functions are
// called from Run's goroutine and may be nil.
type Watch struct {
	Applied   func(ev tracker.Event, c tracker.Change, took time.Duration)
	Published func(snap *tracker.Snapshot, took time.Duration)
}

// Observe sets the watch, before Run.
func (e *Engine) Observe(w Watch) { e.watch = w }

// New returns an engine over state, which it owns from then on.
func New(state *tracker.State) *Engine {
	return &Engine{events: make(chan tracker.Event, queueSize), state: state}
}

// Subscribe adds a reader. All readers must subscribe before Run.
func (e *Engine) Subscribe() *Latest {
	l := newLatest()
	e.readers = append(e.readers, l)
	return l
}

// Send hands over one fact. It blocks while the queue is full and gives up when ctx ends.
func (e *Engine) Send(ctx context.Context, ev tracker.Event) error {
	select {
	case e.events <- ev:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Events is the channel behind Send, for sources that select on more than one thing.
func (e *Engine) Events() chan<- tracker.Event { return e.events }

// Run applies facts and publishes snapshots until ctx ends. Then it applies what still waits,
// publishes a last time and closes the mailboxes, so that every reader returns.
func (e *Engine) Run(ctx context.Context) error {
	r := run{Engine: e, merge: stopped(), deadline: stopped()}
	defer r.close()
	for {
		select {
		case ev := <-e.events:
			r.take(ev)
		case <-r.merge.C:
			r.publish()
		case <-r.deadline.C:
			r.deadlineAt = time.Time{}
			r.note(e.state.Settle(time.Now()))
			r.arm()
		case <-ctx.Done():
			r.drain()
			return nil
		}
	}
}

// run is the state of one Run.
type run struct {
	*Engine
	merge, deadline *time.Timer
	merging         bool
	deadlineAt      time.Time
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// take applies an event and whatever is queued behind it, so that a burst costs one snapshot.
func (r *run) take(ev tracker.Event) {
	c := r.apply(ev)
	for range queueSize {
		select {
		case ev := <-r.events:
			c = max(c, r.apply(ev))
			continue
		default:
		}
		break
	}
	r.note(c)
	r.arm()
}

func (r *run) apply(ev tracker.Event) tracker.Change {
	if r.watch.Applied == nil {
		return r.state.Apply(ev)
	}
	began := time.Now()
	c := r.state.Apply(ev)
	r.watch.Applied(ev, c, time.Since(began))
	return c
}

func (r *run) note(c tracker.Change) {
	switch {
	case c >= tracker.ChangeNotable:
		r.publish()
	case c == tracker.ChangeDull && !r.merging:
		r.merging = true
		r.merge.Reset(MergeFor)
	}
}

func (r *run) publish() {
	r.merge.Stop()
	r.merging = false
	began := time.Now()
	snap := r.state.Snapshot()
	if r.watch.Published != nil {
		r.watch.Published(snap, time.Since(began))
	}
	for _, l := range r.readers {
		l.put(snap)
	}
}

// arm sets the timer to the earliest moment at which time alone may change something.
func (r *run) arm() {
	next := r.state.Next()
	if next.IsZero() || next.Equal(r.deadlineAt) {
		return
	}
	r.deadlineAt = next
	r.deadline.Reset(max(time.Until(next), settleGap))
}

func (r *run) drain() {
	for {
		select {
		case ev := <-r.events:
			r.state.Apply(ev)
		default:
			r.publish()
			return
		}
	}
}

func (r *run) close() {
	r.merge.Stop()
	r.deadline.Stop()
	for _, l := range r.readers {
		l.close()
	}
}
