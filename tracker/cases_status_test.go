package tracker

import (
	"fmt"
	"slices"
	"testing"
)

// The cases of this file are reports from the field about the status of a row, each played from the
// events that were reported to what the row says.

// said is a history of the one agent of pane %0: what its row says after each event.
func said(evs ...Event) []string {
	s := play(listed(0, 0))
	var out []string
	for _, ev := range evs {
		s.Apply(ev)
		_, _, p := s.Snapshot().FindPane("%0")
		if p == nil || p.Agent == nil {
			out = append(out, "none")
			continue
		}
		v := p.Agent.Verdict
		text := v.Status.String()
		if v.Background > 0 {
			text += fmt.Sprint(" background ", v.Background)
		}
		out = append(out, text)
	}
	return out
}

func expectSaid(t *testing.T, evs []Event, want ...string) {
	t.Helper()
	if got := said(evs...); !slices.Equal(got, want) {
		t.Errorf("said %q\nwant %q", got, want)
	}
}

func named0(name HookName, prompt string) Hook {
	return Hook{Name: name, SessionID: "s1", PromptID: prompt}
}

// entries are the kinds of the inbox, oldest first.
func entries(s *State) []string {
	var out []string
	for _, h := range s.Snapshot().Inbox {
		out = append(out, string(h.Kind))
	}
	slices.Reverse(out)
	return out
}

// TestBackgroundWorkEndsInOneTransitionAndOneAlert (B03): a turn that leaves work behind is not done,
// and is done once when that work has woken Claude and the turn after it has ended.
func TestBackgroundWorkEndsInOneTransitionAndOneAlert(t *testing.T) {
	left := named0(HookStop, "p1")
	left.Background = []BackgroundTask{{ID: "a1", Type: "subagent", Status: "running"}}
	woken := named0(HookUserPromptSubmit, "p2")
	woken.Prompt = "<task-notification>"
	stopped := inside("a1", named0(HookSubagentStop, ""))
	for name, spoken := range map[string]bool{"with its word": true, "with hooks alone": false} {
		t.Run(name, func(t *testing.T) {
			s := play(listed(0, 0))
			word := func(seconds float64, w string) {
				if spoken {
					s.Apply(registry(seconds, 0, "s1", w))
				}
			}
			s.Apply(hooked(1, 0, named0(HookUserPromptSubmit, "p1")))
			word(1.1, "busy")
			s.Apply(hooked(5, 0, left))
			word(5.1, "shell")
			s.Settle(at(30))
			if got := entries(s); len(got) != 0 {
				t.Errorf("while the work goes on the inbox has %q", got)
			}
			if got := rows(s)["%0"]; got != "busy s1" {
				t.Errorf("while the work goes on: %q", got)
			}
			s.Apply(hooked(40, 0, stopped))
			word(40.02, "idle")
			word(40.05, "busy")
			s.Apply(hooked(40.1, 0, woken))
			s.Settle(at(42))
			s.Apply(hooked(45, 0, named0(HookStop, "p2")))
			word(45.1, "idle")
			s.Settle(at(60))
			if got := entries(s); !slices.Equal(got, []string{"review"}) {
				t.Errorf("the inbox has %q, want one end", got)
			}
		})
	}
}

// TestASubagentNeverEndsItsParentsTurn (B05), in whatever order its events come.
func TestASubagentNeverEndsItsParentsTurn(t *testing.T) {
	expectSaid(t, []Event{
		hooked(1, 0, named0(HookUserPromptSubmit, "p")),
		hooked(3, 0, inside("a1", named0(HookSubagentStop, "p"))),
		hooked(4, 0, inside("a1", named0(HookStop, "p"))),
		hooked(2, 0, inside("a1", named0(HookPostToolUse, "p"))),
		hooked(5, 0, inside("a1", named0(HookStopFailure, "p"))),
	}, "busy", "busy", "busy", "busy", "busy")
}

// TestALateNoticeIsNoNewWait (B06): the notice of a permission prompt comes six seconds after it, and may
// come when the prompt is answered. It makes neither a new wait nor a second alert.
func TestALateNoticeIsNoNewWait(t *testing.T) {
	ask := Hook{Name: HookPermissionRequest, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolKey: "k"}
	tool := Hook{Name: HookPreToolUse, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolKey: "k", ToolUseID: "t1"}
	back := tool
	back.Name = HookPostToolUse
	late := Hook{Name: HookNotification, SessionID: "s1", Notification: "permission_prompt"}
	withWord := []Event{
		registry(1, 0, "s1", "busy"), hooked(2, 0, tool), hooked(2.1, 0, ask), registry(2.1, 0, "s1", "waiting"),
		registry(5, 0, "s1", "busy"), hooked(8.4, 0, late), hooked(9, 0, back),
	}
	expectSaid(t, withWord, "busy", "busy", "needs-input", "needs-input", "busy", "busy", "busy")
	hooksOnly := []Event{
		hooked(1, 0, named0(HookUserPromptSubmit, "p")), hooked(2, 0, tool), hooked(2.1, 0, ask), hooked(5, 0, back), hooked(8.4, 0, late),
	}
	expectSaid(t, hooksOnly, "busy", "busy", "needs-input", "busy", "busy")
	s := play(append([]Event{listed(0, 0)}, withWord...)...)
	if got := entries(s); !slices.Equal(got, []string{"needs-input"}) {
		t.Errorf("one dialog made %q", got)
	}
}

// TestAFinishedPromptIsNotReopened (B15): hooks are processes of their own and come late.
func TestAFinishedPromptIsNotReopened(t *testing.T) {
	late := Hook{Name: HookPostToolUse, SessionID: "s1", PromptID: "p1", Tool: "Bash", ToolUseID: "t1", ToolKey: "k"}
	expectSaid(t, []Event{
		hooked(1, 0, named0(HookUserPromptSubmit, "p1")), hooked(3, 0, named0(HookStop, "p1")), hooked(3.3, 0, late),
		registry(3.4, 0, "s1", "idle"), hooked(9, 0, named0(HookUserPromptSubmit, "p2")), hooked(3.1, 0, named0(HookStop, "p1")),
	}, "busy", "review", "review", "review", "busy", "busy")
}

// TestAnUnknownWordTouchesNoOtherRow (B11).
func TestAnUnknownWordTouchesNoOtherRow(t *testing.T) {
	s := play(listed(0, 0, 1), registry(1, 0, "s1", "busy"), registry(1, 1, "s2", "idle"), registry(2, 0, "s1", "shell"))
	if got := rows(s); got["%0"] != "busy s1" || got["%1"] != "idle s2" {
		t.Errorf("after shell: %v", got)
	}
	s.Apply(registry(3, 0, "s1", "hibernating"))
	if got := rows(s); got["%0"] != "unknown s1" || got["%1"] != "idle s2" {
		t.Errorf("after a word nobody knows: %v", got)
	}
}
