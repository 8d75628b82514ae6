package desk

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
)

// queueState is where a task in the queue is. The words are on disk.
type queueState string

const (
	queueWaiting queueState = "waiting" // until its agent rests
	queueSending queueState = "sending" // noted before anything is typed, so that it is never sent twice
	queueUnsure  queueState = "unsure"  // it may have been sent: somebody has to look
	queueDropped queueState = "dropped" // it will not be sent
)

// queueEntry is one task that waits for one agent in one session.
type queueEntry struct {
	ID              string           `json:"id"`
	Server          tracker.ServerID `json:"server"`
	Pane            tracker.PaneID   `json:"pane"`
	PanePID         int              `json:"panePid"`
	Agent           tracker.AgentID  `json:"agent"`
	Session         string           `json:"session"` // "" when it was not known
	Where           string           `json:"where"`   // session:window.pane, for people
	Name            string           `json:"name"`    // the agent's, for people
	Text            string           `json:"text"`
	AsCommand       bool             `json:"asCommand,omitempty"`
	AllowBackground bool             `json:"allowBackground,omitempty"`
	Created         time.Time        `json:"created"`
	State           queueState       `json:"state"`
	Note            string           `json:"note,omitempty"` // what it waits for, or why it ended
}

func (e *queueEntry) target() target {
	return target{Target: interlock.Target{Server: e.Server, Pane: e.Pane, PanePID: e.PanePID, Agent: e.Agent, SessionID: e.Session}}
}

const (
	// sessionSettles is how long an agent must be in another session before its tasks are dropped: a
	// resumed one shows a session of its own for a moment.
	sessionSettles = 2 * time.Second
	// queueRetryMost bounds the pause after refusals. A draft in the box may stay there for hours.
	queueRetryMost = 30 * time.Second
)

// patience is what is remembered of a waiting task from one look at it to the next.
type patience struct {
	rests  time.Time     // since when its agent rests
	strays time.Time     // since when its agent is in another session
	later  time.Time     // not before, after a refusal
	pause  time.Duration // the next one after that
}

// queueWatch decides what becomes of waiting tasks. It is pure: everything comes in as arguments.
type queueWatch struct{ known map[string]*patience }

func newQueueWatch() *queueWatch { return &queueWatch{known: map[string]*patience{}} }

// queueVerdict is what is to be done with one task.
type queueVerdict struct {
	id   string
	drop string // why it can never be sent, or "" when it is to be sent now
}

// look judges the waiting tasks by a snapshot: those that can never be sent, and at most one that is
// to be sent now. next is when the passing of time alone may change that; zero for never. An agent
// that the snapshot does not show is only gone when alive says so: a board that has just started
// does not know everybody yet.
func (w *queueWatch) look(entries []queueEntry, snap *tracker.Snapshot, alive func(tracker.AgentID) bool, now time.Time) (verdicts []queueVerdict, next time.Time) {
	w.forget(entries)
	if snap == nil {
		return nil, time.Time{}
	}
	chosen := false
	ahead := map[tracker.AgentID]bool{} // agents with an earlier task: one at a time, in order
	for i := range entries {
		e := &entries[i]
		blocked := ahead[e.Agent]
		if e.State == queueWaiting || e.State == queueSending {
			ahead[e.Agent] = true
		}
		if e.State != queueWaiting {
			continue
		}
		why, due := w.judge(e, snap, alive, now)
		switch {
		case why != "":
			verdicts = append(verdicts, queueVerdict{id: e.ID, drop: why})
		case due.IsZero() || blocked:
		case due.After(now):
			next = sooner(next, due)
		case !chosen:
			chosen = true
			verdicts = append(verdicts, queueVerdict{id: e.ID})
		}
	}
	return verdicts, next
}

// judge says why a task can never be sent, or when it is due; zero while its agent is at work.
func (w *queueWatch) judge(e *queueEntry, snap *tracker.Snapshot, alive func(tracker.AgentID) bool, now time.Time) (drop string, due time.Time) {
	p := w.of(e.ID)
	a, pane := agentIn(snap, e.Agent)
	switch {
	case a == nil || a.Verdict.Gone:
		p.rests = time.Time{}
		if !alive(e.Agent) {
			return "the agent is gone", time.Time{}
		}
		return "", time.Time{}
	case snap.Tmux.State != tracker.StateOK:
		p.rests = time.Time{}
		return "", time.Time{}
	case snap.Tmux.Server.PID != e.Server.PID:
		return "another tmux server runs now", time.Time{}
	case pane.ID != e.Pane || pane.PID != e.PanePID:
		return "the agent is in another pane now", time.Time{}
	case e.Session != "" && a.SessionID != "" && a.SessionID != e.Session:
		p.rests = time.Time{}
		if p.strays.IsZero() {
			p.strays = now
		}
		if settled := p.strays.Add(sessionSettles); settled.After(now) {
			return "", settled
		}
		return "the agent is in another session now", time.Time{}
	}
	p.strays = time.Time{}
	if !rests(a.Verdict, e.AllowBackground) {
		p.rests = time.Time{}
		return "", time.Time{}
	}
	if p.rests.IsZero() {
		p.rests = now
	}
	due = p.rests.Add(restFor)
	if p.later.After(due) {
		due = p.later
	}
	return "", due
}

// rests reports whether an agent is at its prompt with nothing going on.
func rests(v tracker.Verdict, background bool) bool {
	switch v.Status {
	case tracker.StatusIdle, tracker.StatusReview:
		return !v.Compacting && (v.Background == 0 || background)
	case tracker.StatusBusy:
		return background && v.Background > 0 // at the prompt: the turn ended
	}
	return false
}

// refused notes that an attempt was refused, so that the next one comes later.
func (w *queueWatch) refused(id string, now time.Time) {
	p := w.of(id)
	p.pause = min(max(2*p.pause, retryFirst), queueRetryMost)
	p.later = now.Add(p.pause)
}

func (w *queueWatch) of(id string) *patience {
	p := w.known[id]
	if p == nil {
		p = &patience{}
		w.known[id] = p
	}
	return p
}

// forget drops what is remembered of tasks that are no more.
func (w *queueWatch) forget(entries []queueEntry) {
	for id := range w.known {
		if !slices.ContainsFunc(entries, func(e queueEntry) bool { return e.ID == id && e.State == queueWaiting }) {
			delete(w.known, id)
		}
	}
}

func sooner(a, b time.Time) time.Time {
	if a.IsZero() || b.Before(a) {
		return b
	}
	return a
}

// agentIn finds an agent in a snapshot, and the pane it lives in.
func agentIn(snap *tracker.Snapshot, id tracker.AgentID) (a *tracker.AgentRow, pane *tracker.PaneRow) {
	snap.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		for _, p := range w.Panes {
			for _, row := range append([]*tracker.AgentRow{p.Agent}, p.Others...) {
				if row != nil && row.ID == id {
					a, pane = row, p
				}
			}
		}
		return a == nil
	})
	return a, pane
}

// Why a task in the queue cannot be changed.
var (
	errNoSuchTask = errors.New("that task is not in the queue any more")
	errOnItsWay   = errors.New("that task is being sent")
	errQueueFull  = errors.New("the queue is full")
)

// Bounds of the queue. It is read and written whole.
const (
	maxQueueEntries = 100
	maxQueueBytes   = 4 << 20
)

// tasks are the entries, as the operations on them see them. Every operation either does all or
// fails and changes nothing.
type tasks []queueEntry

func (q tasks) find(id string) (*queueEntry, error) {
	for i := range q {
		if q[i].ID == id {
			return &q[i], nil
		}
	}
	return nil, errNoSuchTask
}

func (q *tasks) add(e queueEntry) error {
	bytes := len(e.Text)
	for i := range *q {
		bytes += len((*q)[i].Text)
	}
	if len(*q) >= maxQueueEntries || bytes > maxQueueBytes {
		return errQueueFull
	}
	*q = append(*q, e)
	return nil
}

// edit changes a waiting task.
func (q tasks) edit(id, text string, asCommand, allowBackground bool) error {
	e, err := q.waiting(id)
	if err != nil {
		return err
	}
	e.Text, e.AsCommand, e.AllowBackground = text, asCommand, allowBackground
	return nil
}

func (q tasks) waiting(id string) (*queueEntry, error) {
	e, err := q.find(id)
	switch {
	case err != nil:
		return nil, err
	case e.State == queueSending:
		return nil, errOnItsWay
	case e.State != queueWaiting:
		return nil, errNoSuchTask
	}
	return e, nil
}

// remove takes a task out: one that waits is cancelled, one that has ended is put away.
func (q *tasks) remove(id string) error {
	e, err := q.find(id)
	if err != nil {
		return err
	}
	if e.State == queueSending {
		return errOnItsWay
	}
	*q = slices.DeleteFunc(*q, func(e queueEntry) bool { return e.ID == id })
	return nil
}

// begin marks a task as being sent and returns it as it then stands. It is written down before
// anything is typed: whatever happens afterwards, the task is not sent a second time.
func (q tasks) begin(id string) (queueEntry, error) {
	e, err := q.waiting(id)
	if err != nil {
		return queueEntry{}, err
	}
	e.State, e.Note = queueSending, ""
	return *e, nil
}

// drop ends a waiting task.
func (q tasks) drop(id, why string) (queueEntry, error) {
	e, err := q.waiting(id)
	if err != nil {
		return queueEntry{}, err
	}
	e.State, e.Note = queueDropped, why
	return *e, nil
}

// finish notes what came of a task that was being sent.
func (q *tasks) finish(id string, res interlock.Result) (queueEntry, error) {
	e, err := q.find(id)
	if err != nil {
		return queueEntry{}, err
	}
	if e.State != queueSending {
		return queueEntry{}, fmt.Errorf("task %s is %s, not being sent", id, e.State)
	}
	e.Note = res.Detail
	switch {
	case res.Outcome == interlock.Delivered:
		done := *e
		*q = slices.DeleteFunc(*q, func(e queueEntry) bool { return e.ID == id })
		return done, nil
	case res.Outcome != interlock.Refused:
		e.State = queueUnsure
	case mayPass(res):
		e.State = queueWaiting
	default:
		e.State = queueDropped
	}
	return *e, nil
}

// recover judges what a board that ended left behind: nobody knows what came of a task that was
// being sent.
func (q tasks) recover() (changed bool) {
	for i := range q {
		if q[i].State == queueSending {
			q[i].State, q[i].Note = queueUnsure, "the board ended while it was being sent"
			changed = true
		}
	}
	return changed
}
