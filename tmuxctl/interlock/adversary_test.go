package interlock

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
)

// deed is one thing that can happen to a pane at the worst moment.
type deed struct {
	name string
	do   func(*world)
}

// deeds lists everything the adversary knows.
func deeds() []deed {
	shell := func(w *world) { w.view, w.bracketed, w.alternate = viewShell, false, false }
	return []deed{
		{"opens a dialog", func(w *world) { w.view, w.word, w.waiting = viewDialog, "waiting", "permission prompt" }},
		{"opens a dialog that Claude does not tell of", func(w *world) { w.view = viewDialog }},
		{"turns busy", func(w *world) { w.word = "busy" }},
		{"turns busy and says so under the box", func(w *world) { w.word, w.hint = "busy", "⏸ manual mode on · esc to interrupt" }},
		{"exits", func(w *world) { shell(w); w.alive = false }},
		{"exits and leaves its screen", func(w *world) { w.alive, w.bracketed, w.relic = false, false, true; w.view = viewShell }},
		{"is suspended", func(w *world) { shell(w); w.stopped = true }},
		{"is suspended and leaves its screen", func(w *world) { w.stopped, w.bracketed, w.relic = true, false, true; w.view = viewShell }},
		{"is respawned", func(w *world) { w.become(300, tracker.AgentID{PID: 310, Start: 99}, "s2") }},
		{"is replaced by another agent", func(w *world) { w.become(w.panePID, tracker.AgentID{PID: 211, Start: 88}, "s9") }},
		{"is replaced under the same pid", func(w *world) { w.become(w.panePID, tracker.AgentID{PID: 210, Start: 88}, "s9") }},
		{"changes the session", func(w *world) { w.session = "s2" }},
		{"enters copy mode", func(w *world) { w.facts.InMode = true }},
		{"is synchronised", func(w *world) { w.facts.Synchronized = true }},
		{"has its input switched off", func(w *world) { w.facts.InputOff = true }},
		{"dies", func(w *world) { w.alive, w.facts.Dead = false, true }},
		{"loses the pane", func(w *world) { w.pane = "" }},
		{"moves into a narrower window", func(w *world) { w.width = 50 }},
		{"gets another server", func(w *world) { w.serverPID++ }},
		{"shows the transcript", func(w *world) { w.view = viewTranscript }},
		{"opens an editor", func(w *world) { w.view, w.reader = viewEditor, "vim" }},
		{"opens a picker", func(w *world) { w.picker = true }},
		{"gets typed into", func(w *world) { w.box += "x" }},
		{"has somebody press a key", func(w *world) { w.clients = []Client{{TTY: "/dev/pts/1", Pane: "%5", Active: time.Now()}} }},
		{"gets its box emptied", func(w *world) { w.box = "" }},
		{"is given another prompt", func(w *world) { w.say(Prompt{At: time.Now(), Text: "something else"}) }},
		{"tells late of an old prompt", func(w *world) { w.say(Prompt{At: w.began.Add(-time.Second), Text: task}) }},
		{"has its person press Enter", func(w *world) { w.submit() }},
		{"has a hook that blocks prompts", func(w *world) { w.blocks = true }},
		{"has a slow hook that blocks prompts", func(w *world) { w.blocks, w.hookLag = true, 2*time.Second }},
		{"has slow hooks", func(w *world) { w.hookLag = 7 * time.Second }},
		{"has hooks without end", func(w *world) { w.hookLag = time.Hour }},
		{"has a hook that stops Claude", func(w *world) { w.stops = true }},
		{"calls off the prompt that hooks hold", (*world).escape},
		{"keeps no transcript", func(w *world) { w.silent = true }},
		{"keeps no transcript, and works at once", func(w *world) { w.silent, w.works = true, 500*time.Millisecond }},
		{"keeps no transcript and has a slow hook that blocks prompts", func(w *world) { w.silent, w.blocks, w.hookLag = true, true, 3*time.Second }},
		{"keeps no transcript and has slow hooks", func(w *world) { w.silent, w.hookLag, w.works = true, 3*time.Second, time.Second }},
		{"swallows the first Enter", func(w *world) { w.swallow = 1 }},
		{"acts on Enter late", func(w *world) { w.enterLag = 200 * time.Millisecond }},
		{"acts on Enter far too late", func(w *world) { w.enterLag = time.Minute }},
		{"draws late", func(w *world) { w.echoIn = 500 * time.Millisecond }},
		{"draws far too late", func(w *world) { w.echoIn = time.Minute }},
		{"loses pastes", func(w *world) { w.lose = true }},
	}
}

// become puts another agent into the pane, idle, with an empty box on the same screen.
func (w *world) become(panePID int, agent tracker.AgentID, session string) {
	w.panePID, w.agent, w.session = panePID, agent, session
	w.alive, w.stopped, w.box, w.pending, w.echoAt = true, false, "", "", time.Time{}
	w.asking = ""
	w.view, w.word, w.waiting = viewBox, "idle", ""
	w.bracketed, w.alternate, w.relic = true, true, false
}

// recover is the person putting everything back: whoever lives in the pane is idle at its box.
func (w *world) recover() {
	if w.alive {
		w.view, w.stopped, w.bracketed, w.alternate, w.relic = viewBox, false, true, true, false
	}
	w.word, w.waiting, w.picker, w.reader, w.hint = "idle", "", false, "", "⏸ manual mode on"
	w.facts, w.width = Facts{Dead: w.facts.Dead}, 60
}

const task = "run the tests\nand tell me what fails"

// run sends the task and checks everything that must hold whatever happened.
func (w *world) run(t *testing.T, ctx context.Context) Result {
	t.Helper()
	r := w.interlock().Send(ctx, Request{Target: modelTarget(), Text: task}, nil)
	w.mu.Lock()
	sent := len(w.log)
	w.mu.Unlock()
	time.Sleep(2 * time.Minute) // nothing of ours may come later
	w.locked(func() {
		if len(w.log) != sent {
			t.Errorf("something was typed after the outcome was told: %+v", w.log[sent:])
		}
		w.judge(t, r)
	})
	return r
}

func (w *world) judge(t *testing.T, r Result) {
	t.Helper()
	pastes, enters := 0, 0
	for _, b := range w.log {
		if b.panePID != modelTarget().PanePID || b.facts != (Facts{}) {
			t.Errorf("%q went to pane process %d in state %+v", b.text, b.panePID, b.facts)
		}
		switch {
		case b.text != "\r":
			pastes++
			if !b.bracketed {
				t.Errorf("the text reached %s without brackets", b)
			}
			if b.view == viewShell {
				t.Errorf("the text reached a shell")
			}
			if b.text != task {
				t.Errorf("not our text: %q", b.text)
			}
		default:
			enters++
			if b.view != viewBox || b.box != task || b.agent != modelTarget().Agent || b.picker {
				t.Errorf("Enter reached %s", b)
			}
		}
	}
	if pastes > 1 || enters > 1 {
		t.Errorf("%d pastes and %d Enters, at most one of each is allowed", pastes, enters)
	}
	w.judgeOutcome(t, r, pastes, enters)
	if r.Detail == "" || len(r.Lamps) != len(LampNames()) {
		t.Errorf("a result without its reasons: %+v", r)
	}
	if r.Outcome == Refused && len(r.Red()) == 0 && !strings.Contains(r.Detail, "typed") {
		t.Errorf("refused with all lamps green: %+v", r)
	}
}

// judgeOutcome holds the outcome against what really arrived.
func (w *world) judgeOutcome(t *testing.T, r Result, pastes, enters int) {
	t.Helper()
	ours := 0
	for _, g := range w.got {
		if g == task {
			ours++
		}
	}
	switch r.Outcome {
	case Delivered:
		if ours != 1 || r.Receipt == nil {
			t.Errorf("delivered, but Claude got it %d times (%v)", ours, r.Receipt)
		}
	case Refused:
		if pastes+enters > 0 {
			t.Errorf("refused, but %d pastes and %d Enters arrived: %s", pastes, enters, r.Detail)
		}
	case Withheld:
		if enters > 0 || pastes == 0 && !strings.Contains(r.Detail, "may") {
			t.Errorf("withheld, but %d pastes and %d Enters arrived: %s", pastes, enters, r.Detail)
		}
	case Unconfirmed:
		told := strings.Contains(r.Detail, "may") || strings.Contains(r.Detail, "somebody else pressed Enter")
		if pastes != 1 || enters == 0 && !told {
			t.Errorf("unconfirmed, but %d pastes and %d Enters arrived: %s", pastes, enters, r.Detail)
		}
	default:
		t.Errorf("outcome %q", r.Outcome)
	}
}

func (b reached) String() string {
	return fmt.Sprintf("view %d of agent %v with %q in its box (picker %v)", b.view, b.agent, b.box, b.picker)
}

// points is how many places there are in an undisturbed send at which something can happen.
func points(t *testing.T) int {
	n := 0
	w := newWorld()
	w.point = func(string) { n++ }
	if r := w.run(t, t.Context()); r.Outcome != Delivered {
		t.Fatalf("an undisturbed send is %s: %s", r.Outcome, r.Detail)
	}
	return n
}

// TestEveryDeedAtEveryPoint does each deed before and after every single step.
func TestEveryDeedAtEveryPoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := points(t)
		if n < 20 {
			t.Fatalf("only %d points: the rig does not see every step", n)
		}
		outcomes := map[Outcome]int{}
		for _, d := range deeds() {
			for at := range n {
				w := newWorld()
				where, i := "", 0
				w.point = func(name string) {
					if i == at {
						where = name
						w.locked(func() { d.do(w) })
					}
					i++
				}
				r := w.run(t, t.Context())
				outcomes[r.Outcome]++
				if t.Failed() {
					t.Fatalf("the agent %s at point %d (%s): %s, %s", d.name, at, where, r.Outcome, r.Detail)
				}
			}
		}
		t.Logf("%d points, %d deeds: %v", n, len(deeds()), outcomes)
		for _, o := range []Outcome{Delivered, Refused, Withheld, Unconfirmed} {
			if outcomes[o] == 0 {
				t.Errorf("no run ended %s: the adversary is too weak", o)
			}
		}
	})
}

// TestEveryFaultAtEveryCall fails each call in each way.
func TestEveryFaultAtEveryCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.run(t, t.Context())
		for n := 1; n <= w.calls; n++ {
			for _, f := range []fault{faultError, faultLost, faultHang, faultLate} {
				w := newWorld()
				w.faults = map[int]fault{n: f}
				r := w.run(t, t.Context())
				if t.Failed() {
					t.Fatalf("fault %d in call %d: %s, %s", f, n, r.Outcome, r.Detail)
				}
			}
		}
	})
}

// TestCalledOffAtEveryPoint ends the context at each point.
func TestCalledOffAtEveryPoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for at := range points(t) {
			w := newWorld()
			ctx, cancel := context.WithCancel(t.Context())
			i := 0
			w.point = func(string) {
				if i == at {
					cancel()
				}
				i++
			}
			began := time.Now()
			r := w.interlock().Send(ctx, Request{Target: modelTarget(), Text: task}, nil)
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("point %d: it took %s to stop", at, took)
			}
			w.locked(func() { w.judge(t, r) })
			cancel()
		}
	})
}

// TestRandomInterleavings throws several deeds, recoveries and faults at one send, many times.
func TestRandomInterleavings(t *testing.T) {
	t.Parallel()
	const runs = interleavings
	all := deeds()
	outcomes := map[Outcome]int{}
	for batch := range 12 {
		synctest.Test(t, func(t *testing.T) {
			for i := range runs / 12 {
				seed := uint64(batch*runs + i)
				outcomes[randomRun(t, all, seed)]++
				if t.Failed() {
					t.Fatalf("seed %d", seed)
				}
			}
		})
	}
	t.Logf("%d runs: %v", runs, outcomes)
	for _, o := range []Outcome{Delivered, Refused, Withheld, Unconfirmed} {
		if outcomes[o] < runs/1000 {
			t.Errorf("only %d runs ended %s: the adversary is too weak", outcomes[o], o)
		}
	}
}

func randomRun(t *testing.T, all []deed, seed uint64) Outcome {
	rnd := rand.New(rand.NewPCG(seed, 1))
	w := newWorld()
	plan := map[int][]deed{}
	const span = 44 // a little more than an undisturbed send has points
	for range 1 + rnd.IntN(4) {
		at := rnd.IntN(span)
		plan[at] = append(plan[at], all[rnd.IntN(len(all))])
		if rnd.IntN(2) == 0 {
			at += rnd.IntN(6)
			plan[at] = append(plan[at], deed{"recovers", (*world).recover})
		}
	}
	if rnd.IntN(4) == 0 {
		w.faults = map[int]fault{1 + rnd.IntN(20): fault(1 + rnd.IntN(4))}
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	i, off := 0, -1
	if rnd.IntN(10) == 0 {
		off = rnd.IntN(span)
	}
	var story []string
	w.point = func(name string) {
		for _, d := range plan[i] {
			story = append(story, fmt.Sprintf("%d %s: %s", i, name, d.name))
			w.locked(func() { d.do(w) })
		}
		if i == off {
			cancel()
		}
		i++
	}
	r := w.run(t, ctx)
	if t.Failed() {
		t.Logf("%s (%s)\nfaults %v, off at %d\n%s", r.Outcome, r.Detail, w.faults, off, strings.Join(story, "\n"))
	}
	return r.Outcome
}
