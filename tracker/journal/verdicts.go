package journal

import (
	"context"
	"errors"
	"time"

	"signalbox/tracker"
)

// refreshEvery is how often the verdicts are written although nothing has changed, so that those of
// a board that runs for weeks are never taken for leftovers.
const refreshEvery = time.Hour

// Load reads the verdicts of the last run. No file is no error. A file that cannot be understood
// is ErrDamaged and an empty result: the board then starts as if it had never run. Times that lie
// in the future, after a clock was set back, become now.
func Load(path string, now time.Time) (tracker.Restored, error) {
	r := tracker.Restored{At: now}
	stored, err := read(path)
	for _, v := range stored {
		s, ok := tracker.ParseStatus(v.Status)
		if !ok || s == tracker.StatusNone || v.id().IsZero() {
			continue // a newer version may know more
		}
		r.Verdicts = append(r.Verdicts, tracker.RestoredVerdict{
			ID: v.id(), Status: s,
			Since: earlier(v.Since, now), LookedAt: earlier(v.LookedAt, now), Suspended: v.Suspended,
		})
	}
	return r, err
}

// Keep writes the verdicts and the inbox of every snapshot that changes them, at most every two seconds,
// and a last time when the source ends, which it does soon after ctx. Verdicts of agents that this board
// does not know are other boards' and stay. It never gives up on a failed write, which is tried
// again: report is told of every outcome. The error is always nil.
func Keep(ctx context.Context, src Source, path string, inbox Inbox, report func(error)) error {
	k := keeper{path: path, inbox: inboxKeeper{file: inbox}, report: report}
	r := rhythm{beat: refreshEvery, write: k.write}
	r.run(ctx, src)
	return nil
}

// keeper remembers what it wrote last.
type keeper struct {
	path   string
	inbox  inboxKeeper
	report func(error)
	saved  map[tracker.AgentID]verdict
}

func (k *keeper) write(snap *tracker.Snapshot, force bool) outcome {
	now := time.Now()
	changed, err := k.writeVerdicts(snap, now, force)
	changedToo, errToo := k.inbox.write(snap, now, force)
	if !changed && !changedToo {
		return unchanged
	}
	err = errors.Join(err, errToo)
	k.report(err)
	if err != nil {
		return failed
	}
	return written
}

// writeVerdicts reports whether there was anything to write.
func (k *keeper) writeVerdicts(snap *tracker.Snapshot, now time.Time, force bool) (bool, error) {
	mine := verdicts(snap)
	if !force && sameVerdicts(k.saved, mine) {
		return false, nil
	}
	err := update(k.path, now, func(stored []verdict) []verdict {
		return merge(stored, k.saved, mine, now)
	})
	if err == nil {
		k.saved = mine
	}
	return true, err
}

// verdicts are those of every agent on the board.
func verdicts(snap *tracker.Snapshot) map[tracker.AgentID]verdict {
	vs := map[tracker.AgentID]verdict{}
	add := func(id tracker.AgentID, v *tracker.Verdict, looked time.Time) {
		vs[id] = verdict{
			PID: id.PID, Start: id.Start, Status: v.Status.String(),
			Since: v.Since.UTC(), LookedAt: looked.UTC(), Suspended: v.Suspended,
		}
	}
	snap.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		for _, p := range w.Panes {
			if a := p.Agent; a != nil {
				add(a.ID, &a.Verdict, a.Evidence.LookedAt)
			}
			for _, a := range p.Others {
				add(a.ID, &a.Verdict, a.Evidence.LookedAt)
			}
		}
		return true
	})
	for _, b := range snap.Background {
		if !b.Agent.IsZero() {
			add(b.Agent, &b.Verdict, time.Time{})
		}
	}
	return vs
}

// sameVerdicts compares with what was saved; nil was never saved.
func sameVerdicts(saved, vs map[tracker.AgentID]verdict) bool {
	if saved == nil || len(saved) != len(vs) {
		return false
	}
	for id, x := range saved {
		y, ok := vs[id]
		if !ok || x.Status != y.Status || x.Suspended != y.Suspended || !x.Since.Equal(y.Since) || !x.LookedAt.Equal(y.LookedAt) {
			return false
		}
	}
	return true
}

// merge puts the verdicts of a board in place of those it wrote before. Of two looks at one agent
// the later counts, whichever board it was at.
func merge(stored []verdict, before, mine map[tracker.AgentID]verdict, now time.Time) []verdict {
	out := make([]verdict, 0, len(mine)+len(stored))
	looked := map[tracker.AgentID]time.Time{}
	for _, v := range stored {
		id := v.id()
		if _, ok := mine[id]; ok {
			looked[id] = later(looked[id], earlier(v.LookedAt, now))
			continue
		}
		if _, ended := before[id]; !ended {
			out = append(out, v)
		}
	}
	for id, v := range mine {
		v.LookedAt = later(v.LookedAt, looked[id])
		v.SeenAt = now.UTC()
		out = append(out, v)
	}
	return out
}

// Acknowledge notes that a person looked at an agent, for when no board runs to be told: review
// becomes idle, everything else keeps its status. A file that cannot be understood is replaced.
func Acknowledge(path string, id tracker.AgentID, at time.Time) error {
	return update(path, at, func(stored []verdict) []verdict {
		v := verdict{PID: id.PID, Start: id.Start, Status: tracker.StatusIdle.String(), Since: at.UTC()}
		out := make([]verdict, 0, len(stored)+1)
		for _, s := range stored {
			if s.id() != id {
				out = append(out, s)
			} else if s.Status != tracker.StatusReview.String() {
				v.Status, v.Since, v.Suspended = s.Status, s.Since, s.Suspended
			}
		}
		v.LookedAt, v.SeenAt = at.UTC(), at.UTC()
		return append(out, v)
	})
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
