package journal

import (
	"context"
	"time"

	"signalbox/tracker"
)

const (
	// writeGap is the shortest pause between two writes of a file: what is on the board may change
	// twenty times a second. It is also the most a kill -9 can lose.
	writeGap = 2 * time.Second
	// lookGap is the shortest pause before a snapshot is looked at again that brought nothing new.
	lookGap = 500 * time.Millisecond
	// retryGap is the pause after a write that failed: a full disk stays full for a while.
	retryGap = 5 * time.Second
	// lastWait is how long the source has, once the program ends, to publish a last time and close.
	// It takes it milliseconds.
	lastWait = time.Second
)

// Source is where snapshots come from; it is satisfied by the engine's mailbox. Next blocks until
// there is a snapshot newer than rev. Its error is the end: of the source, or of the context.
type Source interface {
	Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error)
}

// outcome is what came of handing a snapshot over.
type outcome uint8

const (
	unchanged outcome = iota // the file says that already
	written
	failed
	refused // another writer has taken the file over; the rhythm ends
)

// rhythm hands snapshots over to be written: on change, but not more often than every writeGap; at
// least every beat; at once when hurried; again after a failure; and a last time at the end.
//
// write gets force when it is to write even what has not changed.
type rhythm struct {
	beat  time.Duration
	hurry <-chan struct{} // nil for never
	write func(snap *tracker.Snapshot, force bool) outcome

	snap     *tracker.Snapshot // newest; nil before the first
	pending  bool              // snap is newer than what was handed over
	forced   bool              // a beat or a hurry has not been answered by a write yet
	earliest time.Time         // of the next write
	latest   time.Time
}

// run returns when the source has ended, soon after ctx has, or when write refused.
func (r *rhythm) run(ctx context.Context, src Source) {
	ctx, cancel := outlive(ctx, lastWait)
	defer cancel()
	snaps := make(chan *tracker.Snapshot)
	go follow(ctx, src, snaps)
	r.latest = time.Now().Add(r.beat)
	timer := time.NewTimer(r.beat)
	defer timer.Stop()
	for {
		select {
		case snap, ok := <-snaps:
			if !ok {
				r.hand() // nothing is lost at an orderly end
				return
			}
			r.snap, r.pending = snap, true
		case <-r.hurry:
			r.forced, r.earliest = true, time.Time{}
		case <-timer.C:
		}
		if now := time.Now(); !now.Before(r.due()) {
			r.forced = r.forced || !now.Before(r.latest)
			if r.hand() == refused {
				return
			}
		}
		timer.Reset(time.Until(r.due()))
	}
}

// due is when the next write is to be tried.
func (r *rhythm) due() time.Time {
	if (r.pending || r.forced) && r.snap != nil && r.earliest.Before(r.latest) {
		return r.earliest
	}
	return r.latest
}

// hand hands the newest snapshot over, if there is a reason to, and sets the time of the next.
func (r *rhythm) hand() outcome {
	o := unchanged
	if r.snap != nil && (r.pending || r.forced) {
		o = r.write(r.snap, r.forced)
	}
	now := time.Now()
	switch {
	case o == failed:
		r.earliest, r.latest = now.Add(retryGap), now.Add(r.beat)
		r.pending = true
		return o
	case o == written:
		r.earliest, r.latest = now.Add(writeGap), now.Add(r.beat)
	case r.forced: // there is nothing to say yet
		r.latest = now.Add(r.beat)
	default:
		r.earliest = now.Add(lookGap)
	}
	r.pending = false
	if r.snap != nil {
		r.forced = false
	}
	return o
}

// outlive returns a context that ends some time after ctx.
func outlive(ctx context.Context, by time.Duration) (context.Context, context.CancelFunc) {
	out, cancel := context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, func() { pause(out, by); cancel() })
	return out, func() { stop(); cancel() }
}

// follow hands over snapshots until the source ends, and closes the channel then. One that waits to
// be taken may have been overtaken; the newer one follows at once.
func follow(ctx context.Context, src Source, out chan<- *tracker.Snapshot) {
	defer close(out)
	var rev uint64
	for {
		snap, err := src.Next(ctx, rev)
		if err != nil {
			return
		}
		rev = snap.Rev
		select {
		case out <- snap:
		case <-ctx.Done():
			return
		}
	}
}

// pause waits and reports whether it waited in full.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}
