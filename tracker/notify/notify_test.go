package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
)

// world is a board with agents 1 to 9 in the panes %1 to %9, and agent 20 in the background.
type world struct {
	rev   uint64
	inbox []*tracker.Happening
}

func agent(n int) tracker.AgentID { return tracker.AgentID{PID: n, Start: 7} }

func pane(n int) tracker.PaneID { return tracker.PaneID(fmt.Sprintf("%%%d", n)) }

// happens adds an entry as State does, newest first.
func (w *world) happens(n int, kind tracker.HappeningKind, at time.Time, text string) *tracker.Happening {
	h := &tracker.Happening{
		At: at, Kind: kind, Agent: agent(n), Pane: pane(n), Title: fmt.Sprintf("agent-%d", n), Text: text,
		Over: kind == tracker.HappenedEnded,
	}
	w.inbox = slices.Insert(slices.Clone(w.inbox), 0, h)
	return h
}

// change replaces an entry by a copy, as State does.
func (w *world) change(h *tracker.Happening, f func(*tracker.Happening)) {
	c := *h
	f(&c)
	w.inbox = slices.Clone(w.inbox)
	w.inbox[slices.Index(w.inbox, h)] = &c
}

func (w *world) snapshot() *tracker.Snapshot {
	w.rev++
	s := &tracker.Snapshot{Rev: w.rev, Inbox: w.inbox, Background: []*tracker.BackgroundRow{{Agent: agent(20)}}}
	row := &tracker.SessionRow{ID: "$0", Name: "work"}
	for n := 1; n < 10; n++ {
		row.Windows = append(row.Windows, &tracker.WindowRow{Index: n, Panes: []*tracker.PaneRow{
			{Pane: tracker.Pane{ID: pane(n)}, Agent: &tracker.AgentRow{ID: agent(n), Pane: pane(n)}},
		}})
	}
	s.Sessions = []*tracker.SessionRow{row}
	return s
}

// allKinds are told in tests.
var allKinds = []tracker.HappeningKind{tracker.HappenedNeedsInput, tracker.HappenedReview, tracker.HappenedFailed, tracker.HappenedEnded}

func nobody(tracker.PaneID) bool { return false }

func TestWhatIsNews(t *testing.T) {
	began := time.Unix(1000, 0)
	late := began.Add(time.Minute)
	for _, c := range []struct {
		name string
		do   func(w *world, g *Gather)
		want int
	}{
		{"a question", func(w *world, _ *Gather) { w.happens(1, tracker.HappenedNeedsInput, late, "x") }, 1},
		{"one from before the board began", func(w *world, _ *Gather) { w.happens(1, tracker.HappenedNeedsInput, began.Add(-time.Second), "x") }, 0},
		{"one that was seen before", func(w *world, g *Gather) {
			w.happens(1, tracker.HappenedNeedsInput, late, "x")
			g.Take(w.snapshot(), late)
			g.Flush(w.snapshot(), late, nobody)
		}, 0},
		{"the same agent asks again", func(w *world, g *Gather) {
			h := w.happens(1, tracker.HappenedNeedsInput, late, "x")
			g.Take(w.snapshot(), late)
			g.Flush(w.snapshot(), late, nobody)
			w.change(h, func(h *tracker.Happening) { h.Over = true })
			w.happens(1, tracker.HappenedNeedsInput, late.Add(time.Second), "y")
		}, 1},
		{"one that is told again in other words", func(w *world, g *Gather) {
			h := w.happens(1, tracker.HappenedNeedsInput, late, "x")
			g.Take(w.snapshot(), late)
			g.Flush(w.snapshot(), late, nobody)
			w.change(h, func(h *tracker.Happening) { h.Text = "Bash: ls" })
		}, 0},
		{"one that was answered while it waited", func(w *world, g *Gather) {
			h := w.happens(1, tracker.HappenedNeedsInput, late, "x")
			g.Take(w.snapshot(), late)
			w.change(h, func(h *tracker.Happening) { h.Over = true })
		}, 0},
		{"one that was over for a moment and is so again", func(w *world, g *Gather) {
			h := w.happens(1, tracker.HappenedReview, late, "x")
			g.Take(w.snapshot(), late)
			w.change(h, func(h *tracker.Happening) { h.Over = true })
			w.happens(1, tracker.HappenedReview, late, "x")
		}, 1},
		{"one that was over when it was to be told, and is so again", func(w *world, g *Gather) {
			h := w.happens(1, tracker.HappenedReview, late, "x")
			g.Take(w.snapshot(), late)
			w.change(h, func(h *tracker.Happening) { h.Over = true })
			g.Take(w.snapshot(), late)
			g.Flush(w.snapshot(), late, nobody)
			g.Take(w.snapshot(), late)
			w.happens(1, tracker.HappenedReview, late, "x")
		}, 1},
		{"one that was told, was over for a moment and is so again", func(w *world, g *Gather) {
			h := w.happens(1, tracker.HappenedReview, late, "x")
			g.Take(w.snapshot(), late)
			g.Flush(w.snapshot(), late, nobody)
			w.change(h, func(h *tracker.Happening) { h.Over = true })
			g.Take(w.snapshot(), late)
			w.happens(1, tracker.HappenedReview, late, "x")
		}, 0},
		{"one that was looked at while it waited", func(w *world, g *Gather) {
			h := w.happens(1, tracker.HappenedReview, late, "x")
			g.Take(w.snapshot(), late)
			w.change(h, func(h *tracker.Happening) { h.Read = true })
		}, 0},
		{"a kind that nobody wants", func(w *world, _ *Gather) { w.happens(1, tracker.HappenedQuiet, late, "x") }, 0},
		{"an agent that ended", func(w *world, _ *Gather) { w.happens(1, tracker.HappenedEnded, late, "x") }, 1},
		{"an end that the board found at its start", func(w *world, _ *Gather) { w.happens(1, tracker.HappenedEnded, began.Add(time.Second), "x") }, 0},
		{"an agent that is not on the board", func(w *world, _ *Gather) { w.happens(77, tracker.HappenedReview, late, "x") }, 0},
		{"an agent in the background", func(w *world, _ *Gather) { w.happens(20, tracker.HappenedReview, late, "x").Pane = "" }, 1},
		{"one whose pane was found later", func(w *world, _ *Gather) { w.happens(1, tracker.HappenedReview, late, "x").Pane = "" }, 1},
		{"the pane that is looked at", func(w *world, _ *Gather) { w.happens(5, tracker.HappenedNeedsInput, late, "x") }, 0},
		{"the pane that is looked at, of an agent that was placed later", func(w *world, _ *Gather) {
			w.happens(5, tracker.HappenedNeedsInput, late, "x").Pane = ""
		}, 0},
	} {
		w, g := &world{}, NewGather(began, allKinds)
		c.do(w, g)
		g.Take(w.snapshot(), late)
		got := g.Flush(w.snapshot(), late, func(p tracker.PaneID) bool { return p == "%5" })
		if len(got) != c.want {
			t.Errorf("%s: %+v", c.name, got)
		}
		if !g.Due().IsZero() {
			t.Errorf("%s: something is still due", c.name)
		}
	}
}

func TestTheNoticeHasTheNewestText(t *testing.T) {
	now := time.Unix(2000, 0)
	w, g := &world{}, NewGather(now, allKinds)
	h := w.happens(3, tracker.HappenedNeedsInput, now, "waits for permission")
	g.Take(w.snapshot(), now)
	w.change(h, func(h *tracker.Happening) { h.Text = "Bash: ls > x" })
	m := Compose(g.Flush(w.snapshot(), now, nobody))
	if m.Title != "Needs input: agent-3" || m.Text != "In work:3: Bash: ls > x" {
		t.Errorf("%q %q", m.Title, m.Text)
	}
}

// An agent that went with its window did not run in the background.
func TestAnEndWithItsWindowSaysSo(t *testing.T) {
	now := time.Unix(2000, 0)
	for n, want := range map[int]string{1: "In work:1: ended while busy", 77: "Its window is closed: ended while busy"} {
		w, g := &world{}, NewGather(now, allKinds)
		w.happens(n, tracker.HappenedEnded, now.Add(time.Minute), "ended while busy")
		g.Take(w.snapshot(), now.Add(time.Minute))
		if m := Compose(g.Flush(w.snapshot(), now.Add(time.Minute), nobody)); m.Text != want {
			t.Errorf("%q, want %q", m.Text, want)
		}
	}
}

// mailbox is a source with one slot.
type mailbox struct {
	mu   sync.Mutex
	snap *tracker.Snapshot
	wake chan struct{}
}

func (m *mailbox) put(s *tracker.Snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.snap = s
	close(m.wake)
	m.wake = make(chan struct{})
}

var errClosed = errors.New("closed")

func (m *mailbox) Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error) {
	for {
		m.mu.Lock()
		snap, wake := m.snap, m.wake
		m.mu.Unlock()
		switch {
		case snap != nil && snap.Rev == ^uint64(0):
			return nil, errClosed
		case snap != nil && snap.Rev > rev:
			return snap, nil
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// told is a message with the time since the start of the test.
type told struct {
	Message
	at time.Duration
}

// play runs a script against Run in virtual time.
func play(t *testing.T, script func(w *world, publish func()), adjust func(*Teller)) []told {
	t.Helper()
	var got []told
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		box := &mailbox{wake: make(chan struct{})}
		w := &world{}
		teller := Teller{
			Quiet:  func(time.Time) bool { return false },
			Looked: func(context.Context) ([]tracker.PaneID, error) { return nil, nil },
			Tell: func(_ context.Context, m Message) error {
				got = append(got, told{m, time.Since(began)})
				return nil
			},
			Report: func(err error) {
				if err != nil {
					t.Error(err)
				}
			},
		}
		if adjust != nil {
			adjust(&teller)
		}
		done := make(chan struct{})
		go func() { defer close(done); Run(t.Context(), box, NewGather(began, allKinds), teller) }()
		script(w, func() { box.put(w.snapshot()); synctest.Wait() })
		time.Sleep(time.Minute)
		box.put(&tracker.Snapshot{Rev: ^uint64(0)})
		<-done
	})
	return got
}

func TestManyAtOnceAreOneMessage(t *testing.T) {
	got := play(t, func(w *world, publish func()) {
		time.Sleep(time.Second)
		for n := 1; n <= 3; n++ {
			w.happens(n, tracker.HappenedNeedsInput, time.Now(), "Bash: ls")
			publish()
			time.Sleep(100 * time.Millisecond)
		}
		w.happens(4, tracker.HappenedReview, time.Now(), "done: well")
		publish()
	}, nil)
	if len(got) != 1 || len(got[0].Notices) != 4 || got[0].at != time.Second+gatherFor {
		t.Fatalf("%+v", got)
	}
	if m := got[0]; m.Title != "Agents: 3 need input, 1 done" || strings.Count(m.Text, "\n") != 3 || !strings.HasPrefix(m.Text, "Needs input: agent-1 · Bash: ls\n") {
		t.Errorf("%q\n%s", m.Title, m.Text)
	}
}

func TestMessagesKeepADistance(t *testing.T) {
	got := play(t, func(w *world, publish func()) {
		for n := 1; n <= 8; n++ { // one a second
			w.happens(n, tracker.HappenedReview, time.Now(), "done")
			publish()
			time.Sleep(time.Second)
		}
	}, nil)
	total := 0
	for i, m := range got {
		total += len(m.Notices)
		if i > 0 && m.at-got[i-1].at < pause {
			t.Errorf("messages at %v and %v", got[i-1].at, m.at)
		}
	}
	if total != 8 || len(got) != 4 {
		t.Errorf("%d notices in %d messages", total, len(got))
	}
}

func TestASlowWayDelaysAndLosesNothing(t *testing.T) {
	running := 0
	got := play(t, func(w *world, publish func()) {
		for n := 1; n <= 6; n++ {
			w.happens(n, tracker.HappenedReview, time.Now(), "done")
			publish()
			time.Sleep(time.Second)
		}
	}, func(tl *Teller) {
		tell := tl.Tell
		tl.Tell = func(ctx context.Context, m Message) error {
			if running++; running > 1 {
				t.Error("two at a time")
			}
			time.Sleep(10 * time.Second)
			running--
			return tell(ctx, m)
		}
	})
	if len(got) != 2 || len(got[0].Notices) != 1 || len(got[1].Notices) != 5 {
		t.Errorf("%+v", got)
	}
}

func TestSilenceDropsWhatHappensInIt(t *testing.T) {
	var quiet atomic.Bool
	quiet.Store(true)
	got := play(t, func(w *world, publish func()) {
		w.happens(1, tracker.HappenedReview, time.Now(), "done")
		w.happens(20, tracker.HappenedReview, time.Now(), "done")
		publish()
		time.Sleep(time.Second)
		quiet.Store(false)
		w.happens(2, tracker.HappenedReview, time.Now(), "done")
		publish()
	}, func(tl *Teller) { tl.Quiet = func(time.Time) bool { return quiet.Load() } })
	if len(got) != 1 || len(got[0].Notices) != 1 || got[0].Notices[0].Pane != "%2" {
		t.Errorf("%+v", got)
	}
}

func TestWhereLookingCannotBeToldOneIsTold(t *testing.T) {
	script := func(w *world, publish func()) {
		w.happens(5, tracker.HappenedReview, time.Now(), "done")
		publish()
	}
	looked := func(err error) func(*Teller) {
		return func(tl *Teller) {
			tl.Looked = func(context.Context) ([]tracker.PaneID, error) { return []tracker.PaneID{"%5"}[:btoi(err == nil)], err }
		}
	}
	if got := play(t, script, looked(nil)); len(got) != 0 {
		t.Errorf("told of what is looked at: %+v", got)
	}
	if got := play(t, script, looked(errors.New("no answer"))); len(got) != 1 {
		t.Errorf("%+v", got)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
