package interlock

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestAShellThatIsInFrontAtSomeLooks suspends the agent before some looks of the check and resumes it
// before the process table is asked, which then sees what it expects.
func TestAShellThatIsInFrontAtSomeLooks(t *testing.T) {
	suspended := deeds()[index(t, "is suspended and leaves its screen")].do
	for _, looks := range []string{"1 3", "2 3", "2", "3"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			look := 0
			w.point = func(name string) {
				switch {
				case name == "look before":
					if look++; strings.Contains(looks, fmt.Sprint(look)) {
						w.locked(func() { suspended(w) })
					}
				case name == "inspect before":
					w.locked(w.recover)
				}
			}
			if r := w.run(t, t.Context()); r.Outcome != Refused {
				t.Errorf("a shell in front at the looks %s: %s, %s", looks, r.Outcome, r.Detail)
			}
		})
	}
}

// index finds a deed.
func index(t *testing.T, name string) int {
	for i, d := range deeds() {
		if d.name == name {
			return i
		}
	}
	t.Fatalf("there is no deed %q", name)
	return 0
}

// TestHooksOfThePrompt holds what is told of a prompt that somebody else's hook decides about.
func TestHooksOfThePrompt(t *testing.T) {
	tests := []struct {
		name    string
		world   func(*world)
		timeout time.Duration
		want    Outcome
		says    string
		within  time.Duration
	}{
		{"lets it through", func(*world) {}, 0, Delivered, "Claude has it", time.Second},
		{"lets it through late", func(w *world) { w.hookLag = 20 * time.Second }, 0, Delivered, "Claude has it", 21 * time.Second},
		{"takes longer than the person waits", func(w *world) { w.hookLag = 20 * time.Second }, 2 * time.Second, Unconfirmed, "nothing tells that it is in the conversation, no receipt within 2s", 3 * time.Second},
		{"blocks it", func(w *world) { w.blocks = true }, 0, Unconfirmed, "a hook of the agent's blocked it (“no”): the text is in the input box", time.Second},
		{"blocks it late", func(w *world) { w.blocks, w.hookLag = true, 10*time.Second }, 0, Unconfirmed, "the text is in the input box", 11 * time.Second},
		{"stops Claude after it", func(w *world) { w.stops = true }, 0, Delivered, "stopped Claude there: “enough”", time.Second},
		{"lets it through without a transcript", func(w *world) { w.silent, w.works = true, time.Second }, 0, Delivered, "Claude has it", 2 * time.Second},
		{"lets it through late without a transcript", func(w *world) { w.silent, w.hookLag, w.works = true, 4*time.Second, time.Second }, 0, Delivered, "Claude has it", 6 * time.Second},
		{"lets it through without a transcript and works on nothing", func(w *world) { w.silent = true }, 0, Unconfirmed, "nothing tells that it is in the conversation, no receipt within 31s: the input box is empty", 32 * time.Second},
		{"is overtaken by the work", func(w *world) { w.silent, w.works = true, time.Nanosecond }, 0, Delivered, "Claude has it", time.Second},
		{"is called off", func(w *world) {
			w.hookLag = time.Hour
			w.onEnter(time.Second, (*world).escape)
		}, 0, Unconfirmed, "back in the input box", 4 * time.Second},
		{"is called off without a transcript", func(w *world) {
			w.silent, w.hookLag = true, time.Hour
			w.onEnter(time.Second, (*world).escape)
		}, 0, Unconfirmed, "back in the input box", 4 * time.Second},
		{"blocks it without a transcript", func(w *world) { w.silent, w.blocks = true, true }, 0, Unconfirmed, "back in the input box", 3 * time.Second},
		{"is submitted by somebody else", func(w *world) { w.onEcho((*world).submit) }, 0, Delivered, "Claude has it", 5 * time.Second},
		{"is submitted by somebody else and blocked", func(w *world) { w.blocks, w.hookLag = true, time.Second; w.onEcho((*world).submit) }, 0, Unconfirmed, "somebody else pressed Enter, but a hook", 5 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				tt.world(w)
				began := time.Now()
				r := w.interlock().Send(t.Context(), Request{Target: modelTarget(), Text: task, ReceiptTimeout: tt.timeout}, nil)
				took := time.Since(began)
				w.locked(func() { w.judge(t, r) })
				if r.Outcome != tt.want || !strings.Contains(r.Detail, tt.says) || took > tt.within {
					t.Errorf("after %v: %s, %q, want %s with %q within %v", took, r.Outcome, r.Detail, tt.want, tt.says, tt.within)
				}
			})
		})
	}
}

// onEnter does something a while after the Enter.
func (w *world) onEnter(later time.Duration, do func(*world)) {
	w.point = func(name string) {
		if name == "enter after" {
			time.AfterFunc(later, func() { w.locked(func() { do(w) }) })
		}
	}
}

// TestTheSameWordsInASharedSession has another agent with the same session open say the same: its prompt is
// no receipt for ours, whether ours is held, blocked or let through.
func TestTheSameWordsInASharedSession(t *testing.T) {
	others := Prompt{ID: "of the other", Text: task}
	tests := []struct {
		name  string
		world func(*world)
		want  Outcome
	}{
		{"ours is let through", func(*world) {}, Delivered},
		{"ours is blocked", func(w *world) { w.blocks, w.hookLag = true, 3*time.Second }, Unconfirmed},
		{"ours is held", func(w *world) { w.hookLag = time.Hour }, Unconfirmed},
	}
	for _, tt := range tests {
		for _, late := range []time.Duration{0, 50 * time.Millisecond, 2 * time.Second} {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				tt.world(w)
				w.point = func(name string) {
					if name == "enter before" || name == "enter after" {
						time.AfterFunc(late, func() {
							w.locked(func() { p := others; p.At = time.Now(); w.say(p) })
						})
					}
				}
				r := w.interlock().Send(t.Context(), Request{Target: modelTarget(), Text: task, Shared: true}, nil)
				w.locked(func() { w.judge(t, r) })
				if r.Outcome != tt.want {
					t.Errorf("%s, the other speaks after %v: %s, %s", tt.name, late, r.Outcome, r.Detail)
				}
			})
		}
	}
}

// onEcho does something right after the first look that follows the paste.
func (w *world) onEcho(do func(*world)) {
	pasted := false
	w.point = func(name string) {
		switch {
		case name == "paste after":
			pasted = true
		case name == "look after" && pasted && w.box != "":
			pasted = false
			w.locked(func() { do(w) })
		}
	}
}

// TestARefusalDoesNotAskClaude holds that a send which is refused by what is at hand does not wait for the
// list of agents, a whole start of Claude, and that whoever wants to see all lamps still gets it.
func TestARefusalDoesNotAskClaude(t *testing.T) {
	tests := []struct {
		deed, claude string
		waitable     bool
	}{
		{"opens a dialog", "permission prompt", false},
		{"turns busy and says so under the box", "Claude is busy", true},
		{"gets typed into", unasked, false},
		{"is suspended", unasked, false},
		{"changes the session", "another session", false},
	}
	for _, tt := range tests {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			deeds()[index(t, tt.deed)].do(w)
			asked := 0
			w.point = func(name string) {
				if name == "rows before" {
					asked++
				}
			}
			r := w.interlock().Send(t.Context(), Request{Target: modelTarget(), Text: task}, nil)
			if r.Outcome != Refused || asked > 0 || r.Waitable() != tt.waitable || strings.Contains(r.Detail, unasked) {
				t.Errorf("%s: asked %d times, waitable %v: %s, %s", tt.deed, asked, r.Waitable(), r.Outcome, r.Detail)
			}
			if got := r.Lamps[3]; got.OK || !strings.Contains(got.Reason, tt.claude) {
				t.Errorf("%s: the lamp of Claude says %+v, want %q", tt.deed, got, tt.claude)
			}
			if w.interlock().Check(t.Context(), Request{Target: modelTarget(), Text: task}, nil); asked != 1 {
				t.Errorf("%s: a check asked %d times", tt.deed, asked)
			}
		})
	}
}

// TestWhatClaudeStartsHasTheTerminalForAMoment holds that a child of the agent's which has not put its own
// input in place yet refuses nothing, and that one which keeps the terminal does.
func TestWhatClaudeStartsHasTheTerminalForAMoment(t *testing.T) {
	for looks, want := range map[int]Outcome{1: Delivered, readerTries - 1: Delivered, readerTries: Refused} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			seen := 0
			w.point = func(name string) {
				if name == "inspect before" {
					seen++
					w.locked(func() {
						if w.reader = ""; seen <= looks {
							w.reader = "claude (pid 9)"
						}
					})
				}
			}
			if r := w.run(t, t.Context()); r.Outcome != want {
				t.Errorf("seen in %d looks: %s, %s", looks, r.Outcome, r.Detail)
			}
		})
	}
}
