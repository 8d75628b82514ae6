package desk

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
)

// mailbox gives snapshots as engine.Latest does.
type mailbox struct {
	mu   sync.Mutex
	snap *tracker.Snapshot
	more chan struct{}
}

func newMailbox() *mailbox { return &mailbox{more: make(chan struct{})} }

// put publishes a copy: what tests change afterwards is not seen, as with the real thing.
func (m *mailbox) put(s *tracker.Snapshot) {
	data, err := json.Marshal(s)
	var next tracker.Snapshot
	if err = errors.Join(err, json.Unmarshal(data, &next)); err != nil {
		panic(err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.snap != nil {
		next.Rev = m.snap.Rev + 1
	}
	m.snap = &next
	close(m.more)
	m.more = make(chan struct{})
}

func (m *mailbox) Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error) {
	for {
		m.mu.Lock()
		s, more := m.snap, m.more
		m.mu.Unlock()
		if s != nil && s.Rev > rev {
			return s, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// rail is a queue on its own file, an agent's box it sends into, and a board that shows the agents.
type rail struct {
	t     *testing.T
	world *queueWorld
	file  *queueFile
	snaps *mailbox
	begun time.Time

	mu      sync.Mutex
	texts   []string // id: text
	times   []time.Duration
	answers []interlock.Result                // in turn; then delivered
	during  func(context.Context, queueEntry) // while a task is being sent
}

func newRail(t *testing.T, windows string) *rail {
	r := &rail{t: t, world: newQueueWorld(windows), file: newQueueFile(t), snaps: newMailbox(), begun: time.Now()}
	r.snaps.put(r.world.snap)
	return r
}

func (r *rail) send(ctx context.Context, e queueEntry, row *tracker.AgentRow) interlock.Result {
	if row == nil || row.ID != e.Agent {
		r.t.Errorf("sending %s without its agent's row", e.ID)
	}
	if on, err := r.file.read(); err != nil || !slices.ContainsFunc(on, func(d queueEntry) bool { return d.ID == e.ID && d.State == queueSending }) {
		r.t.Errorf("%s is being sent, but that is not on disk", e.ID)
	}
	if r.during != nil {
		r.during(ctx, e)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.texts = append(r.texts, e.ID+": "+e.Text)
	r.times = append(r.times, time.Since(r.begun))
	if n := len(r.texts); n <= len(r.answers) {
		return r.answers[n-1]
	}
	return interlock.Result{Outcome: interlock.Delivered}
}

// sent is what was sent, and when after the beginning.
func (r *rail) sent() (texts []string) { texts, _ = r.log(); return texts }

func (r *rail) when() (times []time.Duration) { _, times = r.log(); return times }

func (r *rail) log() ([]string, []time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.texts), slices.Clone(r.times)
}

func (r *rail) queue() *queue {
	q := newQueue(r.file, r.send)
	q.alive = func(id tracker.AgentID) bool {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.world.alive(id)
	}
	return q
}

// run runs a board's queue until stop is called.
func (r *rail) run(q *queue) (stop func()) {
	ctx, cancel := context.WithCancel(r.t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := q.Run(ctx, r.snaps); err != nil {
			r.t.Error(err)
		}
	})
	return func() {
		cancel()
		wg.Wait()
	}
}

// put puts tasks on disk as another board would.
func (r *rail) put(entries ...queueEntry) {
	r.t.Helper()
	err := r.file.change(r.t.Context(), func(q *tasks) error {
		*q = append(*q, entries...)
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
}

func (r *rail) turns(i int, s tracker.Status) {
	r.world.turns(i, s)
	r.snaps.put(r.world.snap)
}

// states is what is on disk.
func (r *rail) states() string {
	q, err := r.file.read()
	if err != nil {
		r.t.Fatal(err)
	}
	var parts []string
	for _, e := range q {
		parts = append(parts, e.ID+" "+string(e.State))
	}
	return strings.Join(parts, ", ")
}

// bubble runs a test in virtual time.
func bubble(t *testing.T, windows string, f func(*testing.T, *rail)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { f(t, newRail(t, windows)) })
}
