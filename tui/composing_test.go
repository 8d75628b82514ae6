package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/prompt"
	"signalbox/tui/tuitest"
)

func TestATaskGoesToTheSelectedAgent(t *testing.T) {
	d := everyday(t, 120, 40)
	d.sender.stages = []string{"typing", "waiting for the receipt"}
	d.write("notes", "draw it again")
	if !strings.Contains(text(d), "send to infra:4.0 notes") || !strings.Contains(text(d), "● claude idle") {
		t.Fatalf("the prompt shows\n%s", text(d))
	}
	d.press("enter")
	d.settle()
	if got, want := d.sender.sends(), `send %10 "draw it again"`; got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}
	if d.sender.free {
		t.Error("a request has no deadline")
	}
	if !strings.Contains(text(d), "delivered at 15:04:05, receipt from a hook") {
		t.Errorf("the outcome is not on the screen:\n%s", text(d))
	}
	d.pass(10 * settled)
	d.press("x", "j")
	if !strings.Contains(text(d), "delivered at 15:04:05") {
		t.Error("the outcome went by itself")
	}
	d.press("enter")
	if d.m.mode != browsing || strings.Contains(text(d), "delivered") {
		t.Error("Enter does not close the prompt")
	}
	if d.at("notes").press("s"); strings.Contains(text(d), "draw it again") {
		t.Error("a text that was delivered is still a draft")
	}
}

// What is kept for the next start has the text as long as it was not sent, and no longer.
func TestWhatWasSentIsNotKept(t *testing.T) {
	var kept Settings
	d := everyday(t, 120, 40, func(o *Options) { o.Keep = func(s Settings) { kept = s } })
	d.write("notes", "once")
	if len(kept.Drafts) != 1 || kept.Drafts[0].Text != "once" {
		t.Fatalf("while it is written %+v is kept", kept.Drafts)
	}
	d.press("enter")
	d.settle()
	if len(kept.Drafts) != 0 {
		t.Errorf("after it was sent %+v is kept", kept.Drafts)
	}
}

func TestEnterTwiceSendsOnce(t *testing.T) {
	d := everyday(t, 120, 40)
	d.write("notes", "once")
	d.press("enter", "enter")
	d.settle()
	d.press("enter")
	d.settle()
	if got, want := d.sender.sends(), `send %10 "once"`; got != want {
		t.Errorf("asked for %s, want %s", got, want)
	}
}

func TestEnterInTheGraceDoesNothing(t *testing.T) {
	d := everyday(t, 120, 40)
	d.at("notes").press("s")
	d.settle()
	d.typed("go")
	d.clock.at = d.clock.at.Add(settled / 10)
	d.press("enter")
	d.settle()
	if got := d.sender.sends(); got != "" {
		t.Errorf("asked for %s", got)
	}
	if d.m.mode != composing || !strings.Contains(text(d), "a moment") {
		t.Errorf("it does not say why:\n%s", text(d))
	}
	if d.pass(settled); strings.Contains(text(d), "a moment") {
		t.Error("it still says so when Enter counts")
	}
}

func TestADraftStaysWithItsAgent(t *testing.T) {
	d := everyday(t, 120, 40)
	d.write("notes", "for the notes")
	d.press("alt+up") // another agent
	d.settle()
	if shown := text(d); strings.Contains(shown, "for the notes") || d.m.prompt.Target().Pane == "%10" {
		t.Fatalf("another agent was chosen, and the text went along:\n%s", shown)
	}
	if got := d.m.selectedPane().ID; got != d.m.prompt.Target().Pane {
		t.Errorf("the panel is about %s, the prompt about %s", got, d.m.prompt.Target().Pane)
	}
	d.press("alt+down")
	if !strings.Contains(text(d), "for the notes") {
		t.Error("the draft is gone")
	}
	d.press("esc", "s")
	if !strings.Contains(text(d), "for the notes") {
		t.Error("Esc loses the draft")
	}
	d.press("esc")
	again := everyday(t, 120, 40, func(o *Options) { o.Settings = d.m.Settings() })
	again.at("notes").press("s")
	if !strings.Contains(text(again), "for the notes") {
		t.Error("a new start loses the draft")
	}
	other := tuitest.Parse(tuitest.Everyday)
	other.Tmux.Server.PID++
	elsewhere := newDriver(t, 120, 40, func(o *Options) { o.Settings = d.m.Settings() })
	elsewhere.give(other)
	if elsewhere.at("notes").press("s"); strings.Contains(text(elsewhere), "for the notes") {
		t.Error("the draft shows up on another tmux server")
	}
	if kept := elsewhere.m.Settings().Drafts; len(kept) != 1 || kept[0].Text != "for the notes" {
		t.Errorf("the draft of the other server is not kept: %+v", kept)
	}
}

func TestARefusalKeepsTheDraft(t *testing.T) {
	d := everyday(t, 120, 40)
	d.sender.outcome = prompt.Outcome{Kind: prompt.Refused, Detail: "input box: somebody has typed something"}
	d.write("notes", "not now")
	d.press("enter")
	d.settle()
	if shown := text(d); !strings.Contains(shown, "refused: nothing was typed") || !strings.Contains(shown, "not now") {
		t.Errorf("after a refusal\n%s", shown)
	}
	d.typed("!")
	if !strings.Contains(text(d), "not now!") {
		t.Error("it cannot be written on")
	}
}

func TestADialogTakesEnterAwayFromAText(t *testing.T) {
	d := everyday(t, 120, 40)
	d.write("notes", "yes")
	snap := tuitest.Parse(strings.Replace(tuitest.Everyday, "4 notes | idle | The module graph is in docs/graph.md. | 3h | name=notes",
		"4 notes | needs | Bash: rm -rf build | 0s | name=notes | tool=Bash | detail=rm -rf build", 1))
	snap.Rev++
	d.give(snap)
	d.press("enter")
	if d.m.mode != composing {
		t.Error("Enter counts although it has only just come to mean something else")
	}
	d.pass(settled)
	d.settle()
	if shown := text(d); !strings.Contains(shown, "Bash: rm -rf build") || !strings.Contains(shown, "jump there") {
		t.Errorf("the prompt does not say what it waits for:\n%s", shown)
	}
	d.press("enter")
	if d.m.mode != composing || d.board.did("jump %10") {
		t.Error("Enter after a text leads to the pane, where another one would answer the dialog")
	}
	d.press("ctrl+t")
	d.settle()
	if !d.board.did("jump %10") || d.sender.sends() != "" || d.m.mode != browsing {
		t.Errorf("jumps %v, sends %q", d.board.calls, d.sender.sends())
	}
	if !d.m.prompt.HasDraft("%10") {
		t.Error("the draft is gone")
	}
}

func TestLampsOfAnEarlierRequestAreDropped(t *testing.T) {
	d := everyday(t, 120, 40)
	d.at("notes").press("s")
	d.settle()
	d.typed("go")
	old := prompt.Action{Kind: prompt.Check, Seq: 0}
	d.send(senderMsg{action: old, end: true, lamps: []prompt.Lamp{{Name: "tmux", Reason: "the pane is in copy mode"}}})
	d.send(senderMsg{action: old, end: true, outcome: prompt.Outcome{Kind: prompt.Delivered}})
	if shown := text(d); strings.Contains(shown, "copy mode") || strings.Contains(shown, "delivered") {
		t.Errorf("an answer to an older request is shown:\n%s", shown)
	}
}

func TestALongPasteIsWholeAndSentAsOne(t *testing.T) {
	d := everyday(t, 80, 24)
	d.at("notes").press("s")
	d.settle()
	lines := strings.Repeat("a line of it\r", 59) + "the last line"
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(lines), Paste: true})
	d.pass(settled)
	d.settle()
	if shown := text(d); !strings.Contains(shown, "the last line") || !strings.Contains(shown, "of 60") || !strings.Contains(shown, "infra:4.0 notes") {
		t.Errorf("a long paste shows\n%s", shown)
	}
	checkFrame(t, d.m.View(), 80, 24)
	d.press("enter")
	d.settle()
	if got := d.sender.sends(); strings.Count(got, `\n`) != 59 || strings.Count(got, "send") != 1 {
		t.Errorf("asked for %s", got)
	}
}

func TestLettersThatSpellAKeyAreText(t *testing.T) {
	d := everyday(t, 80, 24)
	d.at("notes").press("s")
	d.typed("esc")
	d.typed("enter")
	d.press("tab", "q")
	if got := d.m.prompt.Drafts()["%10"].Text; got != "escenter\tq" {
		t.Errorf("the text is %q", got)
	}
}

func TestABusyAgentsTaskWaits(t *testing.T) {
	d := everyday(t, 120, 40)
	d.sender.red["claude"] = prompt.Lamp{Name: "claude", Reason: "Claude is busy", Passing: true}
	d.write("web-review", "then the docs")
	if !strings.Contains(text(d), "↵ queue") {
		t.Fatalf("Enter does not queue:\n%s", text(d))
	}
	d.press("enter")
	d.settle()
	if got := d.sender.sends(); got != `queue %4 "then the docs" ` {
		t.Errorf("asked for %s", got)
	}
	if !strings.Contains(text(d), "queued: it is sent when the agent rests") {
		t.Errorf("the outcome is not on the screen:\n%s", text(d))
	}
}

func TestASendCanBeCalledOff(t *testing.T) {
	d := everyday(t, 120, 40)
	d.write("notes", "go")
	d.press("enter")
	called := false
	stop := d.m.prompt.stop
	d.m.prompt.stop = func() { called = true; stop() }
	d.press("q", "esc")
	if called || d.m.mode != composing {
		t.Error("any key calls it off")
	}
	d.press("ctrl+c")
	if !called {
		t.Error("^C does not")
	}
}

func TestAPopupLeavesOnceATaskHasGoneOut(t *testing.T) {
	d := everyday(t, 120, 40, func(o *Options) { o.Popup = true })
	d.write("notes", "go")
	if _, cmd := d.m.Update(keyMsg("esc")); quits(cmd) {
		t.Error("Esc on a draft ends the board")
	}
	d.write("notes", "")
	d.press("enter")
	d.settle()
	d.pass(settled)
	if _, cmd := d.m.Update(keyMsg("enter")); !quits(cmd) {
		t.Error("it stays")
	}
}

func TestWhyNothingCanBeWritten(t *testing.T) {
	for _, c := range []struct {
		window, why string
		change      func(*Options)
	}{
		{"zsh", "no agent runs there", nil},
		{"notes", "the board is read-only", func(o *Options) { o.ReadOnly = true }},
		{"notes", "this board cannot send", func(o *Options) { o.Sender = nil }},
		{"notes", "this is the board itself", func(o *Options) { o.Self = "%10" }},
	} {
		change := c.change
		if change == nil {
			change = func(*Options) {}
		}
		d := everyday(t, 120, 40, change)
		d.at(c.window).press("s")
		if d.m.mode != browsing || !strings.Contains(d.m.notice.text, c.why) {
			t.Errorf("%s: the footer says %q, want %q", c.window, d.m.notice.text, c.why)
		}
	}
}

func TestTheSelectionCannotCarryTheTextAway(t *testing.T) {
	d := everyday(t, 120, 40)
	d.write("notes", "for notes alone")
	var rest []string
	for _, line := range strings.Split(tuitest.Everyday, "\n") {
		if !strings.Contains(line, "name=notes") {
			rest = append(rest, line)
		}
	}
	snap := tuitest.Parse(strings.Join(rest, "\n"))
	snap.Rev++
	d.give(snap)
	d.pass(settled)
	d.settle()
	d.press("enter")
	d.settle()
	if d.sender.sends() != "" || d.m.prompt.Target().Pane != tracker.PaneID("%10") {
		t.Errorf("sends %q, target %+v", d.sender.sends(), d.m.prompt.Target())
	}
	if !strings.Contains(text(d), "send to infra:4.0 notes") || !strings.Contains(text(d), "the agent is gone; the text is kept") {
		t.Errorf("it does not say so:\n%s", text(d))
	}
}

func TestAClickChoosesAnotherAgentToWriteTo(t *testing.T) {
	d := everyday(t, 120, 40)
	d.write("notes", "hello")
	click := func(name string) {
		for y := range 40 {
			for x := range 120 {
				key := ""
				if d.m.areas.grid.has(x, y) {
					key = d.m.grid.At(x-d.m.areas.grid.x, y-d.m.areas.grid.y)
				}
				if _, w, _ := d.m.snap.FindPane("%4"); name == "web-review" && key == string(w.ID) {
					d.send(click1(x, y))
					return
				}
				if _, w, _ := d.m.snap.FindPane("%2"); name == "zsh" && key == string(w.ID) {
					d.send(click1(x, y))
					return
				}
			}
		}
		t.Fatalf("%s is not on the screen", name)
	}
	click("zsh")
	if d.m.prompt.Target().Pane != "%10" || d.m.selectedPane().ID != "%10" {
		t.Errorf("a shell was chosen: %s", d.m.prompt.Target().Pane)
	}
	click("web-review")
	if d.m.prompt.Target().Pane != "%4" || d.m.selectedPane().ID != "%4" || d.m.mode != composing {
		t.Errorf("the prompt is about %s, the panel about %s", d.m.prompt.Target().Pane, d.m.selectedPane().ID)
	}
}
