package notify

import (
	"context"
	"errors"
	"time"

	"signalbox/tracker"
)

// Source is where snapshots come from; it is satisfied by the engine's mailbox. Next blocks until
// there is a snapshot newer than rev.
type Source interface {
	Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error)
}

// Teller is what Run asks of the rest of the program. All functions are called from Run's goroutine,
// one at a time, and only when there is something to tell.
type Teller struct {
	// Quiet reports whether nothing is to be told now; what happens meanwhile is not told later.
	Quiet func(now time.Time) bool
	// Looked lists the panes that somebody looks at. On an error nobody is thought to look: a
	// notification too many is better than one too few.
	Looked func(ctx context.Context) ([]tracker.PaneID, error)
	// Tell shows the message. It is bounded in time by itself.
	Tell func(ctx context.Context, m Message) error
	// Report is told how each message went.
	Report func(error)
}

// Run tells what happens until the source or ctx ends.
func Run(ctx context.Context, src Source, g *Gather, t Teller) {
	var rev uint64
	var snap *tracker.Snapshot
	for {
		next, err := nextUntil(ctx, src, rev, g.Due())
		switch {
		case err == nil:
			snap, rev = next, next.Rev
			g.Take(snap, time.Now())
		case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
			return
		}
		if due := g.Due(); !due.IsZero() && !time.Now().Before(due) {
			t.tell(ctx, g, snap)
		}
	}
}

// nextUntil waits for a snapshot, but not longer than until a time; zero is for ever.
func nextUntil(ctx context.Context, src Source, rev uint64, until time.Time) (*tracker.Snapshot, error) {
	if until.IsZero() {
		return src.Next(ctx, rev)
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	return src.Next(ctx, rev)
}

func (t Teller) tell(ctx context.Context, g *Gather, snap *tracker.Snapshot) {
	now := time.Now()
	if t.Quiet(now) {
		g.Drop()
		return
	}
	looked := map[tracker.PaneID]bool{}
	panes, _ := t.Looked(ctx) // see Teller
	for _, p := range panes {
		looked[p] = true
	}
	notices := g.Flush(snap, now, func(p tracker.PaneID) bool { return looked[p] })
	if len(notices) > 0 {
		t.Report(t.Tell(ctx, Compose(notices)))
	}
}
