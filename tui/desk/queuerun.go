package desk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
	"signalbox/tracker/procs"
)

// queuePoll is how often the queue's file is looked at for what other boards have changed, and
// whether the board that sends has ended.
const queuePoll = 2 * time.Second

// queue is the tasks that wait for their agents, as one board sees them. The methods for the person
// may be called from any goroutine; Run is called once.
type queue struct {
	file  *queueFile
	send  func(context.Context, queueEntry, *tracker.AgentRow) interlock.Result
	alive func(tracker.AgentID) bool
	looks bool // it only looks on: a board that changes nothing sends nothing either

	watch      *queueWatch
	read       fs.FileInfo // the file as last read
	looked     time.Time   // when it was last looked at
	release    func()      // gives the lock of the sender back; nil while another board has it
	unfinished []queueEnd  // outcomes that could not be written yet

	mu      sync.Mutex
	wake    context.CancelFunc // ends the wait of Run
	woken   bool
	entries tasks
	problem string
	news    queueNews
	rev     uint64
	changed chan struct{} // closed when rev grows
}

type queueEnd struct {
	id  string
	res interlock.Result
}

// queueNews is the newest thing that happened to a task, for people.
type queueNews struct {
	text string
	bad  bool
}

// newQueue makes a queue. Nothing is read before Run.
func newQueue(file *queueFile, send func(context.Context, queueEntry, *tracker.AgentRow) interlock.Result) *queue {
	return &queue{file: file, send: send, alive: livingAgent, watch: newQueueWatch(), changed: make(chan struct{})}
}

// livingAgent reports whether an agent's process is there. One that cannot be looked at is.
func livingAgent(id tracker.AgentID) bool {
	_, err := procs.ReadAgent(id)
	return !errors.Is(err, procs.ErrGone)
}

// snapshots is where Run gets its snapshots: engine.Latest, or a stand-in.
type snapshots interface {
	Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error)
}

// Run sends waiting tasks when their agents rest, until ctx ends or there are no more snapshots.
// Where another board of the same world does that already, it only follows the file.
func (q *queue) Run(ctx context.Context, snaps snapshots) error {
	defer func() {
		if q.release != nil {
			q.release()
		}
	}()
	var snap *tracker.Snapshot
	var rev uint64
	for {
		next := q.step(ctx, snap)
		wait, cancel := q.waiting(ctx, next)
		s, err := snaps.Next(wait, rev)
		ended := wait.Err() != nil
		cancel()
		switch {
		case err == nil:
			snap, rev = s, s.Rev
		case ctx.Err() != nil || !ended:
			return nil
		}
	}
}

// waiting is the context of the next wait. It ends when something is due, when the file should be
// looked at, or when the person changes the queue.
func (q *queue) waiting(ctx context.Context, next time.Time) (context.Context, context.CancelFunc) {
	pause := queuePoll
	if !next.IsZero() {
		pause = min(max(time.Until(next), 0), pause)
	}
	wait, cancel := context.WithTimeout(ctx, pause)
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.wake = cancel; q.woken {
		cancel() // follow looks, and forgets that it was asked to
	}
	return wait, cancel
}

// hurry has Run look at once.
func (q *queue) hurry() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.woken = true
	if q.wake != nil {
		q.wake()
	}
}

// step looks at file and snapshot once and does what is to be done. It returns when it should be
// called again at the latest; zero for whenever.
func (q *queue) step(ctx context.Context, snap *tracker.Snapshot) time.Time {
	q.follow()
	q.settleEnds(ctx)
	if !q.drives(ctx) {
		return time.Time{}
	}
	verdicts, next := q.watch.look(q.tasks(), snap, q.alive, time.Now())
	for _, v := range verdicts {
		if ctx.Err() != nil {
			return next
		}
		if v.drop != "" {
			q.drop(ctx, v)
			continue
		}
		q.deliver(ctx, v.id, snap)
		next = time.Now() // somebody else may be due
	}
	return next
}

// follow reads the file when it has changed. It is called for every snapshot and looks no more
// often than it must.
func (q *queue) follow() {
	q.mu.Lock()
	woken := q.woken
	q.woken = false
	q.mu.Unlock()
	if now := time.Now(); woken || now.Sub(q.looked) >= queuePoll {
		q.looked = now
		if !sameFile(q.read, q.file.stamp()) {
			q.reload()
		}
	}
}

// reload reads the file and tells whoever waits for news.
func (q *queue) reload() {
	stamp := q.file.stamp()
	entries, err := q.file.read()
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		if q.problem != err.Error() {
			q.problem = err.Error()
			q.tellLocked()
		}
		return
	}
	q.problem, q.entries, q.read = "", entries, stamp
	q.tellLocked()
}

func (q *queue) tellLocked() {
	q.rev++
	close(q.changed)
	q.changed = make(chan struct{})
}

func (q *queue) tell(n queueNews) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.news = n
	q.tellLocked()
}

func (q *queue) tasks() tasks {
	q.mu.Lock()
	defer q.mu.Unlock()
	return append(tasks(nil), q.entries...)
}

// drives reports whether this board is the one that sends. It becomes that one when there is
// something to send and no other board is. What a board that ended was sending is unsure then.
func (q *queue) drives(ctx context.Context) bool {
	if q.release != nil {
		return true
	}
	if q.looks || len(q.tasks()) == 0 {
		return false
	}
	release, ok := q.file.drive()
	if !ok {
		return false
	}
	q.release = release
	err := q.file.change(ctx, func(t *tasks) error {
		if !t.recover() {
			return errUnchanged
		}
		return nil
	})
	if errors.Is(err, errUnchanged) {
		return true
	}
	q.reload()
	if err != nil {
		q.complain(err)
		q.release()
		q.release = nil // what is being sent must be told from what was
		return false
	}
	q.tell(queueNews{"a task was being sent when the board ended: look whether it arrived", true})
	return true
}

// errUnchanged keeps a change that changes nothing from being written.
var errUnchanged = errors.New("nothing to change")

func (q *queue) complain(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.problem = err.Error()
	q.tellLocked()
}

func (q *queue) drop(ctx context.Context, v queueVerdict) {
	var e queueEntry
	err := q.file.change(ctx, func(t *tasks) (err error) {
		e, err = t.drop(v.id, v.drop)
		return err
	})
	q.reload()
	if err == nil {
		q.tell(queueNews{fmt.Sprintf("the task for %s is dropped: %s", e.Where, v.drop), true})
	} else if !errors.Is(err, errNoSuchTask) {
		q.complain(err)
	}
}

// deliver sends one task. First it is written down that it is being sent: if that fails nothing is
// sent, and if everything else fails it is not sent again.
func (q *queue) deliver(ctx context.Context, id string, snap *tracker.Snapshot) {
	var e queueEntry
	err := q.file.change(ctx, func(t *tasks) (err error) {
		e, err = t.begin(id)
		return err
	})
	q.reload()
	if err != nil {
		q.watch.refused(id, time.Now())
		if !errors.Is(err, errNoSuchTask) {
			q.complain(err)
		}
		return
	}
	row, _ := agentIn(snap, e.Agent)
	res := q.send(ctx, e, row)
	if res.Outcome == interlock.Refused {
		q.watch.refused(id, time.Now())
	}
	q.unfinished = append(q.unfinished, queueEnd{id, res})
	q.settleEnds(ctx)
}

// settleEnds writes down what came of tasks, also when the board is about to end. What cannot be
// written is tried again; until then the task stays marked as being sent.
func (q *queue) settleEnds(ctx context.Context) {
	left := q.unfinished[:0]
	for _, end := range q.unfinished {
		var e queueEntry
		err := q.file.change(context.WithoutCancel(ctx), func(t *tasks) (err error) {
			e, err = t.finish(end.id, end.res)
			return err
		})
		q.reload()
		switch {
		case err == nil:
			if n := newsOf(e, end.res); n.text != "" {
				q.tell(n)
			}
		case errors.Is(err, errNoSuchTask):
		default:
			left = append(left, end)
			q.complain(err)
		}
	}
	q.unfinished = left
}

// newsOf is what a person should hear about the end of an attempt. A task that goes on waiting says
// why in the list.
func newsOf(e queueEntry, res interlock.Result) queueNews {
	switch {
	case res.Outcome == interlock.Delivered:
		return queueNews{"the queued task was delivered to " + e.Where, false}
	case e.State == queueUnsure:
		return queueNews{fmt.Sprintf("the queued task for %s is %s: %s", e.Where, res.Outcome, res.Detail), true}
	case e.State == queueDropped:
		return queueNews{fmt.Sprintf("the task for %s is dropped: %s", e.Where, res.Detail), true}
	}
	return queueNews{}
}
