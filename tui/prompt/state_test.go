package prompt

import (
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

func TestDraftsSurvive(t *testing.T) {
	send := func(d *driver) {
		d.answer(lampsWith())
		d.wait(time.Second)
		if a := d.key("enter"); a.Kind != Send {
			d.t.Fatalf("%v", a.Kind)
		}
	}
	outcome := func(k OutcomeKind) func(*driver) {
		return func(d *driver) {
			send(d)
			d.p.SetOutcome(d.last().Seq, Outcome{Kind: k, Detail: "because"}, d.now)
		}
	}
	for _, c := range []struct {
		name string
		do   func(*driver)
		kept bool
	}{
		{"Esc", func(d *driver) { d.key("esc") }, true},
		{"a refusal", outcome(Refused), true},
		{"a failure", outcome(Failed), true},
		{"a text that was typed and not sent", outcome(Withheld), true},
		{"no receipt", outcome(Unconfirmed), true},
		{"delivery", outcome(Delivered), false},
		{"the queue", outcome(Queued), false},
		{"being called off", func(d *driver) { send(d); d.key("ctrl+c") }, true},
		{"closing while it is on its way", func(d *driver) { send(d); d.p.Close() }, true},
		{"a jump", func(d *driver) {
			d.take(d.p.SetTarget(waitingWorker(), d.now))
			d.wait(time.Second)
			d.key("enter")
		}, true},
		{"another target", func(d *driver) {
			other := worker()
			other.Pane = "%6"
			d.take(d.p.SetTarget(other, d.now))
			d.typed("something else")
		}, true},
		{"the agent's end", func(d *driver) {
			gone := worker()
			gone.Gone = true
			d.take(d.p.SetTarget(gone, d.now))
			d.key("enter", "esc")
		}, true},
		{"being emptied", func(d *driver) { d.key("ctrl+u", "esc") }, false},
	} {
		d := newDriver(t)
		d.take(d.p.Open(worker(), d.now))
		d.paste("fix the tests")
		c.do(d)
		d.p.Close()
		if got := d.p.HasDraft("%5"); got != c.kept {
			t.Errorf("%s: kept %v, want %v", c.name, got, c.kept)
		}
		// The program restarts, too.
		next := newDriver(t)
		next.p.SetDrafts(d.p.Drafts())
		next.take(next.p.Open(worker(), next.now))
		want := ""
		if c.kept {
			want = "fix the tests"
		}
		if got := next.p.edit.String(); got != want {
			t.Errorf("%s: the next prompt holds %q", c.name, got)
		}
		if a := next.last(); a.Kind != Check || a.Text != want {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
}

func TestACommandStaysACommandInItsDraft(t *testing.T) {
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.typed("/compact")
	d.key("ctrl+o", "esc")
	d.open(worker(), lampsWith())
	d.wait(time.Second)
	if a := d.key("enter"); a.Kind != Send || !a.AsCommand {
		t.Errorf("%+v", a)
	}
}

// TestAWaitingTaskIsChanged: a task in the queue and a draft for the same pane are
// two texts.
func TestAWaitingTaskIsChanged(t *testing.T) {
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.paste("a draft")
	d.take(d.p.OpenEntry(worker(), "q1", "waiting text", false, d.now))
	d.answer(lampsWith(redClaude))
	if d.p.edit.String() != "waiting text" || d.p.Drafts()["%5"].Text != "a draft" {
		t.Fatalf("%q, %v", d.p.edit.String(), d.p.Drafts())
	}
	d.typed(", changed")
	d.wait(time.Second)
	if a := d.key("enter"); a.Kind != Queue || a.Entry != "q1" || a.Text != "waiting text, changed" {
		t.Fatalf("%+v", a)
	}
	d.p.SetOutcome(d.last().Seq, Outcome{Kind: Queued}, d.now)
	d.wait(time.Second)
	d.key("enter")
	d.take(d.p.Open(worker(), d.now))
	if d.p.edit.String() != "a draft" {
		t.Errorf("the draft is %q", d.p.edit.String())
	}
	d.take(d.p.OpenEntry(waitingWorker(), "q1", "waiting text", false, d.now))
	d.wait(time.Second)
	if a := d.key("enter"); a.Kind != Queue {
		t.Errorf("a task that waits for an agent that waits: %v", a.Kind)
	}
}

func TestStaleAnswersAreDropped(t *testing.T) {
	d := newDriver(t)
	first := d.take(d.p.Open(worker(), d.now))
	other := worker()
	other.Pane = "%6"
	second := d.take(d.p.SetTarget(other, d.now))
	if first.Seq == second.Seq {
		t.Fatal("two requests have one number")
	}
	d.p.SetLamps(first.Seq, lampsWith(), d.now)
	d.p.SetLamp(first.Seq, Lamp{Name: lampClaude, OK: true}, d.now)
	if len(d.p.lamps) > 0 {
		t.Error("lamps of another target are shown")
	}
	d.p.SetLamps(second.Seq, lampsWith(), d.now)
	d.paste("x")
	d.wait(time.Second)
	send := d.key("enter")
	d.p.SetLamps(second.Seq, lampsWith(redClaude), d.now)
	d.p.SetOutcome(second.Seq, Outcome{Kind: Delivered}, d.now)
	d.p.SetStage(second.Seq, "typing")
	if d.p.phase != sending || d.p.stage != "" || !d.p.lamps[lampClaude].OK {
		t.Error("an old answer was taken for a new one")
	}
	d.p.Close()
	d.p.SetOutcome(send.Seq, Outcome{Kind: Delivered}, d.now)
	if d.p.IsOpen() {
		t.Error("a closed prompt was opened by an outcome")
	}
}

// TestWhatIsOnItsWayStaysInSight: neither a send nor what came of it gives way to another target.
func TestWhatIsOnItsWayStaysInSight(t *testing.T) {
	other := worker()
	other.Pane, other.Where = "%6", "web:1.0"
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.paste("fix it")
	d.wait(time.Second)
	send := d.key("enter")
	for _, phase := range []string{"on its way", "told"} {
		if a := d.p.SetTarget(other, d.now); a.Kind != None || d.p.Target().Pane != "%5" {
			t.Errorf("%s: the prompt went to another target", phase)
		}
		d.p.SetOutcome(send.Seq, Outcome{Kind: Withheld}, d.now)
	}
}

// TestNobodyWaitsForAClosedPrompt: an answer that comes after the prompt was closed says nothing
// about what it is opened on next.
func TestNobodyWaitsForAClosedPrompt(t *testing.T) {
	d := newDriver(t)
	a := d.take(d.p.Open(worker(), d.now))
	d.key("esc")
	gone := worker()
	gone.Gone = true
	d.take(d.p.Open(gone, d.now))
	d.p.SetLamps(a.Seq, lampsWith(), d.now)
	if d.p.lamps[lampClaude].OK {
		t.Error("an old answer lights lamps")
	}
}

func TestAnOutcomeStaysUntilItIsPutAway(t *testing.T) {
	at := time.Date(2026, 3, 4, 10, 31, 5, 0, time.UTC)
	for _, c := range []struct {
		kind   OutcomeKind
		shows  []string
		enter  Kind // what Enter does
		verb   string
		hidden string // not to be seen
	}{
		{Delivered, []string{"delivered at 10:31:05, receipt from a hook", "fix the tests"}, Close, "sent to", ""},
		{Queued, []string{"queued", "fix the tests"}, Close, "queued for api", ""},
		{Withheld, []string{"withheld", "because", "holds: fix the", "fix the tests"}, Jump, "not sent to api", ""},
		{Unconfirmed, []string{"unconfirmed", "because", "fix the tests"}, Jump, "perhaps sent to api", "delivered"},
	} {
		for _, key := range []string{"enter", "esc"} {
			d := newDriver(t)
			d.open(worker(), lampsWith())
			d.paste("fix the tests")
			d.wait(time.Second)
			d.key("enter")
			o := Outcome{Kind: c.kind, Detail: "because", Lamps: lampsWith(), Receipt: at, By: "from a hook"}
			if c.kind == Withheld {
				o.Box = "fix the"
			}
			d.p.SetOutcome(d.last().Seq, o, d.now)
			d.key("x", "backspace", "up", "tab", "ctrl+r")
			d.wait(time.Hour)
			d.take(d.p.SetTarget(waitingWorker(), d.now))
			view := d.view(100, 12)
			for _, want := range append(c.shows, c.verb) {
				if !strings.Contains(plainText(view), want) {
					t.Errorf("%s: no %q in\n%s", c.kind, want, plainText(view))
				}
			}
			if c.hidden != "" && strings.Contains(plainText(view), c.hidden) {
				t.Errorf("%s: says %q", c.kind, c.hidden)
			}
			want := Close
			if key == "enter" {
				want = c.enter
			}
			if a := d.key(key); a.Kind != want || d.p.IsOpen() || a.Target.Pane != "%5" {
				t.Errorf("%s: %s was %+v", c.kind, key, a)
			}
		}
	}
}

// TestARefusalStands: the reasons of a refusal stay below the draft until the person writes on.
func TestARefusalStands(t *testing.T) {
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.paste("fix the tests")
	d.wait(time.Second)
	d.key("enter")
	d.p.SetOutcome(d.last().Seq, Outcome{Kind: Refused, Detail: "claude: Claude is busy", Lamps: lampsWith(redClaude)}, d.now)
	d.wait(time.Minute)
	d.answer(lampsWith(redClaude))
	if view := plainText(d.view(80, 10)); !strings.Contains(view, "refused: nothing was typed") || !strings.Contains(view, "Claude is busy") {
		t.Errorf("\n%s", view)
	}
	d.key("esc")
	if !d.p.IsOpen() || d.p.outcome != nil {
		t.Error("Esc closes the prompt before the outcome")
	}
	if a := d.key("enter"); a.Kind != Queue || a.Text != "fix the tests" {
		t.Errorf("the draft cannot be queued after a refusal: %+v", a)
	}
}

// TestLampsStayFresh: they are asked for when the prompt opens, when the agent changes, when the
// person asks, and when they have got old; and while an answer is due they do not flicker.
func TestLampsStayFresh(t *testing.T) {
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.typed("fix it")
	d.wait(time.Second)
	if got := d.kinds(); !slices.Equal(got, []Kind{Check}) {
		t.Errorf("opening: %v", got)
	}
	before := d.view(80, 8)
	d.wait(recheck)
	if got := d.kinds(); !slices.Equal(got, []Kind{Check}) {
		t.Errorf("old lamps: %v", got)
	}
	if d.view(80, 8) != before {
		t.Error("the lamps flicker while they are looked at")
	}
	if !d.p.Next().IsZero() {
		t.Error("a second check is due before the first is answered")
	}
	d.wait(time.Hour)
	if got := d.kinds(); got != nil {
		t.Errorf("an answer is due, and %v", got)
	}
	d.p.SetLamps(d.p.seq, lampsWith(), d.now)
	busy := worker()
	busy.Status = tracker.StatusBusy
	if a := d.p.SetTarget(busy, d.now); a.Kind != Check {
		t.Errorf("the agent turned busy: %v", a.Kind)
	}
	d.p.SetLamps(d.p.seq, lampsWith(redClaude), d.now)
	if a := d.p.SetTarget(busy, d.now); a.Kind != None {
		t.Errorf("nothing changed: %v", a.Kind)
	}
	if a := d.key("ctrl+r"); a.Kind != Check || !strings.Contains(plainText(d.view(80, 8)), "○ claude") {
		t.Error("asked for anew, the old lamps still stand")
	}
	gone := busy
	gone.Gone = true
	if a := d.p.SetTarget(gone, d.now); a.Kind != None || !d.p.Next().IsZero() {
		t.Error("the lamps of an agent that is gone are asked for")
	}
}

func TestAClosedPromptDoesNothing(t *testing.T) {
	d := newDriver(t)
	d.p.SetLamps(0, lampsWith(), d.now)
	d.p.SetOutcome(0, Outcome{Kind: Delivered}, d.now)
	if a := d.p.SetTarget(worker(), d.now); a.Kind != None || d.p.IsOpen() {
		t.Error("a snapshot opened the prompt")
	}
	if a := d.p.Tick(d.now); a.Kind != None || !d.p.Next().IsZero() {
		t.Error("a closed prompt has something to do")
	}
	if a := d.key("enter"); a.Kind != None {
		t.Error("a closed prompt reads keys")
	}
}
