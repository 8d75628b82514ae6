package prompt

import (
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

// TestWhatEnterMeans has one row for every state a prompt can be in when the person presses Enter.
func TestWhatEnterMeans(t *testing.T) {
	gone, busy := worker(), worker()
	gone.Gone = true
	busy.Status = tracker.StatusBusy
	dialog := waitingWorker()
	dialog.Dialog = true
	for _, c := range []struct {
		name   string
		target Target
		lamps  []Lamp // nil: not known yet
		text   string
		want   Kind
		word   string // beside the lamps
		note   string // part of the notes after the key
	}{
		{"all green", worker(), lampsWith(), "fix it", Send, "send", "checking"},
		{"nothing written", worker(), lampsWith(), "", None, "send", "nothing is written yet"},
		{"blanks only", worker(), lampsWith(), "  \t ", None, "send", "nothing is written yet"},
		{"lamps not known yet", worker(), nil, "fix it", None, "send", "not known yet"},
		{"busy", busy, lampsWith(redClaude), "fix it", Queue, "queue", ""},
		{"somebody types in the pane: the send waits for that", worker(), lampsWith(redTyping), "fix it", Send, "send", ""},
		{"busy, and somebody types in the pane", busy, lampsWith(redClaude, redTyping), "fix it", Queue, "queue", ""},
		{"a draft in its box", worker(), lampsWith(redComposer), "fix it", None, "send", "the input box is not empty"},
		{"a draft in its box while busy", busy, lampsWith(redComposer, redClaude), "fix it", None, "send", "claude: Claude is busy"},
		{"waits for permission, lamps still green", waitingWorker(), lampsWith(), "fix it", None, "send", "^T jumps there"},
		{"waits for permission", waitingWorker(), lampsWith(Lamp{Name: lampClaude, Reason: "Claude waits for you"}), "", Jump, "jump there", ""},
		{"its own dialog", dialog, lampsWith(), "", Jump, "jump there", ""},
		{"its own dialog, and a text", dialog, lampsWith(), "fix it", None, "send", "^T jumps there"},
		{"gone", gone, lampsWith(), "fix it", None, "send", "the agent is gone"},
		{"a shell line", worker(), lampsWith(), "!ls", None, "send", "would not be a prompt"},
		{"a shell line to a busy agent", busy, lampsWith(redClaude), "!ls", None, "send", "would not be a prompt"},
	} {
		d := newDriver(t)
		d.take(d.p.Open(c.target, d.now))
		if c.lamps != nil {
			d.answer(c.lamps)
		}
		d.paste(c.text)
		d.wait(grace)
		if got := d.p.enterWord(); got != c.word {
			t.Errorf("%s: the word is %q, want %q", c.name, got, c.word)
		}
		a := d.key("enter")
		if a.Kind != c.want {
			t.Errorf("%s: Enter was %v, want %v", c.name, a.Kind, c.want)
		}
		if (a.Kind == Send || a.Kind == Queue) && (a.Text != c.text || a.Target != c.target || a.Seq == 0) {
			t.Errorf("%s: %+v", c.name, a)
		}
		if view := d.view(120, 10); !strings.Contains(view, c.note) {
			t.Errorf("%s: no %q in\n%s", c.name, c.note, view)
		}
		if c.want == Jump && d.p.Drafts()["%5"].Text != strings.TrimSpace(c.text) {
			t.Errorf("%s: the draft is %q", c.name, d.p.Drafts()["%5"].Text)
		}
	}
}

func TestEveryLampHoldsEnterBack(t *testing.T) {
	for _, name := range LampNames() {
		if name == lampText {
			continue // the prompt's own
		}
		d := newDriver(t)
		d.open(worker(), lampsWith(Lamp{Name: name, Reason: "red"}))
		d.typed("x")
		d.wait(time.Second)
		if a := d.key("enter"); a.Kind != None {
			t.Errorf("%s is red, and Enter was %v", name, a.Kind)
		}
		missing := slices.DeleteFunc(lampsWith(), func(l Lamp) bool { return l.Name == name })
		d = newDriver(t)
		d.open(worker(), missing)
		d.typed("x")
		d.wait(time.Second)
		if a := d.key("enter"); a.Kind != None {
			t.Errorf("%s is missing, and Enter was %v", name, a.Kind)
		}
	}
}

// TestEnterCountsAfterItsGrace: whatever Enter has come to mean, a key that was on its way does
// nothing.
func TestEnterCountsAfterItsGrace(t *testing.T) {
	if grace < 300*time.Millisecond || grace > time.Second {
		t.Errorf("the grace is %v: a key on its way takes up to a third of a second, and nobody waits a whole one", grace)
	}
	for _, c := range []struct {
		name string
		turn func(d *driver) // Enter gets a new meaning
		want Kind
	}{
		{"opening on one that waits", func(d *driver) { d.take(d.p.Open(waitingWorker(), d.now)) }, Jump},
		{"opening with a draft", func(d *driver) {
			d.open(worker(), lampsWith())
			d.paste("fix it")
			d.key("esc")
			d.open(worker(), lampsWith())
		}, Send},
		{"lamps turn green", func(d *driver) {
			d.open(worker(), lampsWith(redComposer))
			d.paste("fix it")
			d.wait(time.Minute)
			d.answer(lampsWith())
		}, Send},
		{"it turns busy", func(d *driver) {
			d.open(worker(), lampsWith())
			d.paste("fix it")
			d.wait(time.Minute)
			d.answer(lampsWith(redClaude))
		}, Queue},
		{"it comes to rest", func(d *driver) {
			d.open(worker(), lampsWith(redClaude))
			d.paste("fix it")
			d.wait(time.Minute)
			d.answer(lampsWith())
		}, Send},
		{"a dialog opens", func(d *driver) {
			d.open(worker(), lampsWith())
			d.wait(time.Minute)
			d.take(d.p.SetTarget(waitingWorker(), d.now))
		}, Jump},
		{"another session in the same pane", func(d *driver) {
			d.open(worker(), lampsWith())
			d.paste("fix it")
			d.wait(time.Minute)
			next := worker()
			next.SessionID = "s2"
			d.take(d.p.SetTarget(next, d.now))
			d.answer(lampsWith())
		}, Send},
		{"another target with a draft", func(d *driver) {
			other := worker()
			other.Pane = "%6"
			d.p.SetDrafts(map[tracker.PaneID]Draft{"%6": {Text: "for the other"}})
			d.open(worker(), lampsWith())
			d.paste("fix it")
			d.wait(time.Minute)
			d.take(d.p.SetTarget(other, d.now))
			d.answer(lampsWith())
		}, Send},
	} {
		for _, after := range []time.Duration{0, grace / 2, grace - 1} {
			d := newDriver(t)
			c.turn(d)
			d.now = d.now.Add(after)
			if a := d.p.HandleKey(Key{Name: "enter"}, d.now); a.Kind != None {
				t.Errorf("%s: Enter after %v was %v", c.name, after, a.Kind)
			}
			if !d.p.IsOpen() {
				t.Errorf("%s: the prompt closed", c.name)
			}
		}
		d := newDriver(t)
		c.turn(d)
		d.now = d.now.Add(grace)
		if a := d.p.HandleKey(Key{Name: "enter"}, d.now); a.Kind != c.want {
			t.Errorf("%s: Enter after the grace was %v, want %v", c.name, a.Kind, c.want)
		}
	}
}

// TestATextIsNoWayIntoADialog holds that Enter after a text never leads to a pane that waits, and that
// another key does, which means nothing to what stands there.
func TestATextIsNoWayIntoADialog(t *testing.T) {
	for _, text := range []string{"fix it", ""} {
		d := newDriver(t)
		d.open(worker(), lampsWith())
		d.paste(text)
		d.take(d.p.SetTarget(waitingWorker(), d.now))
		d.wait(time.Minute)
		for range 3 {
			if a := d.p.HandleKey(Key{Name: "enter"}, d.now); text != "" && (a.Kind != None || !d.p.IsOpen()) {
				t.Errorf("with %q Enter does %v", text, a.Kind)
			}
		}
		d = newDriver(t)
		d.open(waitingWorker(), lampsWith())
		d.paste(text)
		if a := d.p.HandleKey(Key{Name: "ctrl+t"}, d.now); a.Kind != Jump || d.p.IsOpen() {
			t.Errorf("with %q the key does %v", text, a.Kind)
		}
	}
	d := newDriver(t)
	d.open(worker(), lampsWith())
	if a := d.p.HandleKey(Key{Name: "ctrl+t"}, d.now); a.Kind != None || !d.p.IsOpen() {
		t.Errorf("nobody waits, and the key does %v", a.Kind)
	}
}

// TestTheGraceIsSeen: the timer asks for a redraw when Enter begins to count.
func TestTheGraceIsSeen(t *testing.T) {
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.typed("x")
	early := d.view(80, 8)
	if next := d.p.Next(); !next.Equal(d.p.enterSince.Add(grace)) {
		t.Errorf("the timer is set for %v", next)
	}
	d.wait(grace)
	if late := d.view(80, 8); late == early {
		t.Error("Enter looks the same before and after it counts")
	}
	if next := d.p.Next(); !next.Equal(d.p.checked.Add(recheck)) {
		t.Errorf("then for %v", next)
	}
}

func TestOneEnterOneSend(t *testing.T) {
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.typed("fix it")
	d.wait(time.Second)
	d.kinds()
	d.key("enter", "enter", "enter", "x", "esc", "ctrl+j", "ctrl+r")
	if got := d.kinds(); !slices.Equal(got, []Kind{Send}) {
		t.Errorf("%v", got)
	}
	if d.key("ctrl+c").Kind != Cancel {
		t.Error("a running send cannot be called off")
	}
}

// TestAnUnmarkedPasteSendsNothing: in a terminal that does not mark pastes, line ends arrive as
// Enter, right behind the text before them.
func TestAnUnmarkedPasteSendsNothing(t *testing.T) {
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.typed("go: ")
	d.wait(time.Second)
	d.kinds()
	for _, k := range []Key{{Name: "first line", Text: "first line"}, {Name: "enter"}, {Name: "second", Text: "second"}, {Name: "enter"}, {Name: "enter"}} {
		d.now = d.now.Add(time.Millisecond)
		d.take(d.p.HandleKey(k, d.now))
	}
	if got := d.kinds(); got != nil || d.p.edit.String() != "go: first line\nsecond\n\n" {
		t.Errorf("%v, %q", got, d.p.edit.String())
	}
	d.wait(time.Second)
	if a := d.key("enter"); a.Kind != Send {
		t.Errorf("a key of its own was %v", a.Kind)
	}
}

func TestAsCommandAndBesideBackgroundWork(t *testing.T) {
	d := newDriver(t)
	target := worker()
	target.Background = true
	shell := Lamp{Name: lampClaude, Reason: "a background shell is running", Passing: true}
	d.open(target, lampsWith(shell))
	d.typed("/compact")
	d.wait(time.Second)
	if a := d.key("enter"); a.Kind != None {
		t.Fatalf("a command without being asked for: %v", a.Kind)
	}
	d.key("ctrl+o")
	d.wait(time.Second)
	if a := d.last(); a.AllowBackground {
		t.Errorf("background work is not asked about yet: %+v", a)
	}
	if a := d.key("ctrl+g"); a.Kind != Check || !a.AllowBackground || !a.AsCommand {
		t.Fatalf("%+v", a)
	}
	d.answer(lampsWith())
	d.wait(time.Second)
	if a := d.key("enter"); a.Kind != Send || !a.AsCommand || !a.AllowBackground || a.Text != "/compact" {
		t.Errorf("%+v", a)
	}
	d = newDriver(t)
	d.open(worker(), lampsWith())
	if a := d.key("ctrl+g"); a.Kind != None || d.p.bgOK {
		t.Error("there is no background work to go beside")
	}
}
