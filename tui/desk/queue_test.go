package desk

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// queueWorld is a board with an agent in each window, to be changed by tests.
type queueWorld struct {
	snap *tracker.Snapshot
	dead map[tracker.AgentID]bool
}

func newQueueWorld(windows string) *queueWorld {
	return &queueWorld{snap: tuitest.Parse("$ api attached\n" + windows), dead: map[tracker.AgentID]bool{}}
}

func (w *queueWorld) pane(i int) *tracker.PaneRow { return w.snap.Sessions[0].Windows[i].Panes[0] }

func (w *queueWorld) agent(i int) *tracker.AgentRow { return w.pane(i).Agent }

func (w *queueWorld) alive(id tracker.AgentID) bool { return !w.dead[id] }

// turns makes an agent idle, busy, …
func (w *queueWorld) turns(i int, s tracker.Status) { w.agent(i).Verdict.Status = s }

// task is a waiting task for the agent in a window.
func (w *queueWorld) task(id string, i int) queueEntry {
	p := w.pane(i)
	return queueEntry{
		ID: id, Server: w.snap.Tmux.Server, Pane: p.ID, PanePID: p.PID, Agent: p.Agent.ID, Session: p.Agent.SessionID,
		Where: fmt.Sprintf("api:%d.0", i), Text: "text of " + id, Created: tuitest.Now(), State: queueWaiting,
	}
}

const twoAgents = "0 one | idle | waits | 1m\n1 two | idle | waits | 1m"

func TestWhenAWaitingTaskIsDue(t *testing.T) {
	now := tuitest.Now()
	for _, c := range []struct {
		name string
		do   func(w *queueWorld, e *queueEntry) // before the first look
		then func(w *queueWorld)                // half a second later
		sent bool                               // a second after the first look
	}{
		{"an agent at rest", nil, nil, true},
		{"after a turn that nobody has seen", func(w *queueWorld, _ *queueEntry) { w.turns(0, tracker.StatusReview) }, nil, true},
		{"busy", func(w *queueWorld, _ *queueEntry) { w.turns(0, tracker.StatusBusy) }, nil, false},
		{"waits for a person", func(w *queueWorld, _ *queueEntry) { w.turns(0, tracker.StatusNeedsInput) }, nil, false},
		{"unknown is not rest", func(w *queueWorld, _ *queueEntry) { w.turns(0, tracker.StatusUnknown) }, nil, false},
		{"compacting", func(w *queueWorld, _ *queueEntry) { w.agent(0).Verdict.Compacting = true }, nil, false},
		{"background work goes on", func(w *queueWorld, _ *queueEntry) { w.agent(0).Verdict.Background = 1 }, nil, false},
		{"background work may go on", func(w *queueWorld, e *queueEntry) { w.agent(0).Verdict.Background = 1; e.AllowBackground = true }, nil, true},
		{"busy with background work only, which may go on", func(w *queueWorld, e *queueEntry) {
			w.turns(0, tracker.StatusBusy)
			w.agent(0).Verdict.Background, e.AllowBackground = 1, true
		}, nil, true},
		{"busy, and background work may go on", func(w *queueWorld, e *queueEntry) { w.turns(0, tracker.StatusBusy); e.AllowBackground = true }, nil, false},
		{"rested for a moment only", nil, func(w *queueWorld) { w.turns(0, tracker.StatusBusy) }, false},
		{"came to rest half a second ago", func(w *queueWorld, _ *queueEntry) { w.turns(0, tracker.StatusBusy) }, func(w *queueWorld) { w.turns(0, tracker.StatusIdle) }, false},
		{"tmux cannot be asked", func(w *queueWorld, _ *queueEntry) { w.snap.Tmux.State = tracker.StateFailed }, nil, false},
		{"not on the board yet", func(w *queueWorld, _ *queueEntry) { w.pane(0).Agent = nil }, nil, false},
		{"its session was not known", func(_ *queueWorld, e *queueEntry) { e.Session = "" }, nil, true},
		{"being sent", func(_ *queueWorld, e *queueEntry) { e.State = queueSending }, nil, false},
		{"unsure", func(_ *queueWorld, e *queueEntry) { e.State = queueUnsure }, nil, false},
		{"dropped", func(_ *queueWorld, e *queueEntry) { e.State = queueDropped }, nil, false},
	} {
		w := newQueueWorld(twoAgents)
		e := w.task("a", 0)
		if c.do != nil {
			c.do(w, &e)
		}
		watch := newQueueWatch()
		for _, at := range []time.Duration{0, restFor / 2} {
			if got, _ := watch.look([]queueEntry{e}, w.snap, w.alive, now.Add(at)); got != nil {
				t.Errorf("%s: already after %v: %+v", c.name, at, got)
			}
			if at == 0 && c.then != nil {
				c.then(w)
			}
		}
		got, _ := watch.look([]queueEntry{e}, w.snap, w.alive, now.Add(restFor))
		if sent := slices.Equal(got, []queueVerdict{{id: "a"}}); sent != c.sent {
			t.Errorf("%s: %+v, want sent %v", c.name, got, c.sent)
		}
	}
}

func TestWhenAWaitingTaskIsDropped(t *testing.T) {
	now := tuitest.Now()
	for _, c := range []struct {
		name  string
		do    func(w *queueWorld)
		at    time.Duration
		why   string // part of the reason, "" for not dropped
		ready bool   // it is sent instead
	}{
		{"the agent is gone", func(w *queueWorld) { w.dead[w.agent(0).ID] = true; w.pane(0).Agent = nil }, 0, "gone", false},
		{"its row is about to go", func(w *queueWorld) { w.dead[w.agent(0).ID] = true; w.agent(0).Verdict.Gone = true }, 0, "gone", false},
		{"another agent in the same pane", func(w *queueWorld) {
			w.dead[w.agent(0).ID] = true
			next := *w.agent(0)
			next.ID.PID++
			w.pane(0).Agent = &next
		}, 0, "gone", false},
		{"a board that has just started", func(w *queueWorld) { w.snap = &tracker.Snapshot{} }, time.Hour, "", false},
		{"tmux cannot be asked", func(w *queueWorld) { w.snap.Tmux.State = tracker.StateFailed; w.pane(0).Agent = nil }, time.Hour, "", false},
		{"tmux cannot be asked, and the agent is gone", func(w *queueWorld) {
			w.dead[w.agent(0).ID] = true
			w.snap.Tmux.State = tracker.StateFailed
			w.pane(0).Agent = nil
		}, 0, "gone", false},
		{"no server, the agent lives", func(w *queueWorld) { w.snap.Tmux.State, w.snap.Sessions = tracker.StateAbsent, nil }, time.Hour, "", false},
		{"another server", func(w *queueWorld) { w.snap.Tmux.Server.PID++ }, 0, "another tmux server", false},
		{"another pane", func(w *queueWorld) { w.pane(0).ID = "%77" }, 0, "another pane", false},
		{"another process in the pane", func(w *queueWorld) { w.pane(0).PID++ }, 0, "another pane", false},
		{"another session, a moment ago", func(w *queueWorld) { w.agent(0).SessionID = "another" }, sessionSettles - 1, "", false},
		{"another session", func(w *queueWorld) { w.agent(0).SessionID = "another" }, sessionSettles, "another session", false},
		{"a session that is not known for a moment", func(w *queueWorld) { w.agent(0).SessionID = "" }, time.Hour, "", true},
	} {
		w := newQueueWorld(twoAgents)
		e := w.task("a", 0)
		c.do(w)
		watch := newQueueWatch()
		got, _ := watch.look([]queueEntry{e}, w.snap, w.alive, now)
		if c.at > 0 {
			got, _ = watch.look([]queueEntry{e}, w.snap, w.alive, now.Add(c.at))
		}
		switch {
		case c.ready && slices.Equal(got, []queueVerdict{{id: "a"}}):
		case c.why == "" && !c.ready && got == nil:
		case c.why != "" && len(got) == 1 && strings.Contains(got[0].drop, c.why):
		default:
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// TestOneTaskAtATime: the tasks of one agent go in their order, one by one, and no look asks for two
// sends.
func TestOneTaskAtATime(t *testing.T) {
	w := newQueueWorld(twoAgents)
	now := tuitest.Now()
	entries := []queueEntry{w.task("a1", 0), w.task("a2", 0), w.task("b1", 1)}
	watch := newQueueWatch()
	watch.look(entries, w.snap, w.alive, now)
	now = now.Add(time.Hour)
	look := func() (ids []string) {
		verdicts, _ := watch.look(entries, w.snap, w.alive, now)
		for _, v := range verdicts {
			ids = append(ids, v.id)
		}
		return ids
	}
	if got := look(); !slices.Equal(got, []string{"a1"}) {
		t.Errorf("first: %v", got)
	}
	entries[0].State = queueSending
	if got := look(); !slices.Equal(got, []string{"b1"}) {
		t.Errorf("while the first is being sent: %v", got)
	}
	watch.refused("b1", now)
	if got := look(); got != nil {
		t.Errorf("a refused one comes later: %v", got)
	}
	entries[0].State = queueUnsure
	if got := look(); !slices.Equal(got, []string{"a2"}) {
		t.Errorf("after an unsure one: %v", got)
	}
}

func TestRefusedTasksComeLessAndLessOften(t *testing.T) {
	w := newQueueWorld(twoAgents)
	now := tuitest.Now()
	entries := []queueEntry{w.task("a", 0)}
	watch := newQueueWatch()
	watch.look(entries, w.snap, w.alive, now)
	now = now.Add(restFor)
	last := time.Duration(0)
	for range 8 {
		watch.refused("a", now)
		got, next := watch.look(entries, w.snap, w.alive, now)
		if got != nil || !next.After(now) {
			t.Fatalf("at once again: %+v", got)
		}
		pause := next.Sub(now)
		if pause < last || pause > queueRetryMost {
			t.Errorf("after %v comes %v", last, pause)
		}
		last, now = pause, next
		if got, _ := watch.look(entries, w.snap, w.alive, now); len(got) != 1 {
			t.Errorf("after %v it is not tried again", pause)
		}
	}
	if last != queueRetryMost {
		t.Errorf("the longest pause was %v", last)
	}
	if watch.look(nil, w.snap, w.alive, now); len(watch.known) > 0 {
		t.Error("tasks that are no more are remembered")
	}
}

func TestWhatBecomesOfATask(t *testing.T) {
	w := newQueueWorld(twoAgents)
	text := interlock.Lamp{Name: interlock.LampText, Reason: "the text is empty"}
	for _, c := range []struct {
		name string
		res  interlock.Result
		want queueState // "" for out of the queue
	}{
		{"delivered", interlock.Result{Outcome: interlock.Delivered}, ""},
		{"busy again", refusal(lampBusy), queueWaiting},
		{"a draft in the way", refusal(lampDraft), queueWaiting},
		{"the target is wrong", refusal(lampGone), queueDropped},
		{"the text cannot be sent", refusal(text), queueDropped},
		{"called off before anything was typed", interlock.Result{Outcome: interlock.Refused, Lamps: lamps()}, queueWaiting},
		{"withheld", interlock.Result{Outcome: interlock.Withheld, Detail: "Enter was not pressed"}, queueUnsure},
		{"unconfirmed", interlock.Result{Outcome: interlock.Unconfirmed}, queueUnsure},
		{"a word nobody knows", interlock.Result{Outcome: "new"}, queueUnsure},
	} {
		q := tasks{w.task("a", 0), w.task("b", 1)}
		if _, err := q.finish("a", c.res); err == nil {
			t.Errorf("%s: a task that nobody sends has an outcome", c.name)
		}
		if _, err := q.begin("a"); err != nil {
			t.Fatal(err)
		}
		e, err := q.finish("a", c.res)
		if err != nil {
			t.Fatal(err)
		}
		left, missing := q.find("a")
		switch {
		case c.want == "" && errors.Is(missing, errNoSuchTask) && e.ID == "a":
		case c.want != "" && missing == nil && left.State == c.want && left.Note == c.res.Detail:
		default:
			t.Errorf("%s: %+v, %v", c.name, left, missing)
		}
		if other, err := q.find("b"); err != nil || !reflect.DeepEqual(*other, w.task("b", 1)) {
			t.Errorf("%s: another task changed", c.name)
		}
	}
}

func TestOperationsOnTasks(t *testing.T) {
	w := newQueueWorld(twoAgents)
	in := func(state queueState) tasks {
		e := w.task("a", 0)
		e.State = state
		return tasks{e}
	}
	for _, c := range []struct {
		state             queueState
		edit, remove, beg error
	}{
		{queueWaiting, nil, nil, nil},
		{queueSending, errOnItsWay, errOnItsWay, errOnItsWay},
		{queueUnsure, errNoSuchTask, nil, errNoSuchTask},
		{queueDropped, errNoSuchTask, nil, errNoSuchTask},
	} {
		q := in(c.state)
		if err := q.edit("a", "new", true, true); !errors.Is(err, c.edit) || (err == nil) != (q[0].Text == "new" && q[0].AsCommand && q[0].AllowBackground) {
			t.Errorf("editing a task that is %s: %v", c.state, err)
		}
		q = in(c.state)
		if _, err := q.begin("a"); !errors.Is(err, c.beg) || err == nil && q[0].State != queueSending {
			t.Errorf("sending a task that is %s: %v", c.state, err)
		}
		q = in(c.state)
		if err := q.remove("a"); !errors.Is(err, c.remove) || (err == nil) != (len(q) == 0) {
			t.Errorf("removing a task that is %s: %v", c.state, err)
		}
		q = in(c.state)
		if changed := q.recover(); changed != (c.state == queueSending) || changed && (q[0].State != queueUnsure || q[0].Note == "") {
			t.Errorf("recovering a task that is %s: %v", c.state, changed)
		}
	}
	q := tasks{}
	for i := 0; ; i++ {
		e := w.task(fmt.Sprint(i), 0)
		if err := q.add(e); err != nil {
			if !errors.Is(err, errQueueFull) || i != maxQueueEntries {
				t.Errorf("%d tasks: %v", i, err)
			}
			break
		}
	}
	big := w.task("big", 0)
	big.Text = strings.Repeat("x", maxQueueBytes)
	q = tasks{w.task("a", 0)}
	if err := q.add(big); !errors.Is(err, errQueueFull) || len(q) != 1 {
		t.Errorf("more bytes than fit: %v", err)
	}
}
