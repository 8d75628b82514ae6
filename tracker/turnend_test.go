package tracker

import (
	"slices"
	"testing"
)

// TestASlowStopHookEndsATurnOnce has a hook of somebody else's run after ours has told that the turn ended:
// Claude is still at work, and may stay so. The end is one transition and one alert.
func TestASlowStopHookEndsATurnOnce(t *testing.T) {
	s := play(listed(0, 0), registry(1, 0, "s1", "idle"),
		hooked(2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p", Prompt: "x"}), registry(2, 0, "s1", "busy"))
	status := func(seconds float64) Status {
		s.Settle(at(seconds))
		return s.Snapshot().Sessions[0].Windows[0].Agent().Verdict.Status
	}
	s.Apply(hooked(5, 0, Hook{Name: HookStop, SessionID: "s1", PromptID: "p", LastMessage: "done"}))
	for _, seconds := range []float64{5, 5.5, 7, 9} {
		if got := status(seconds); got != StatusBusy {
			t.Errorf("at %v it is %v, and Claude works", seconds, got)
		}
	}
	s.Apply(registry(9.2, 0, "s1", "idle"))
	if got := status(9.2); got != StatusReview {
		t.Errorf("at the end it is %v", got)
	}
	if inbox := s.Snapshot().Inbox; len(inbox) != 1 || inbox[0].Kind != HappenedReview {
		t.Errorf("the inbox has %+v", inbox)
	}
}

// TestAnAgentThatWasDoneIsNotMissed holds that one which goes right after its last turn did not end while
// it was busy.
func TestAnAgentThatWasDoneIsNotMissed(t *testing.T) {
	s := play(listed(0, 0), registry(2, 0, "s1", "busy"),
		hooked(5, 0, Hook{Name: HookStop, SessionID: "s1", PromptID: "p", LastMessage: "done"}),
		ProcessExited{At: at(5.1), ID: AgentID{200, 5000}})
	if inbox := s.Snapshot().Inbox; len(inbox) != 0 {
		t.Errorf("the inbox has %+v", inbox[0])
	}
}

// TestARestAfterATurnIsKept restarts the board after a /compact had ended a review: no fact but the last
// verdict tells of it.
func TestARestAfterATurnIsKept(t *testing.T) {
	for rested, want := range map[float64]Status{30: StatusIdle, 5: StatusReview} {
		e := Evidence{
			Registry:   RegistryEvidence{At: at(40), Trust: TrustProven, Word: "idle", StatusAt: at(30)},
			Transcript: TranscriptEvidence{At: at(40), PromptAt: at(10), TurnEndAt: at(20)},
			Restored:   RestoredEvidence{Status: StatusIdle, Since: at(rested)},
		}
		if got := Judge(&e, at(40)); got.Status != want {
			t.Errorf("a rest since %v: %v %q, want %v", rested, got.Status, got.Reason, want)
		}
	}
}

// TestADialogAtTheStartIsNamedAfterARestart: "as before" is no word for somebody who has to answer it.
func TestADialogAtTheStartIsNamedAfterARestart(t *testing.T) {
	e := Evidence{
		FirstSeen: at(1), Process: ProcessEvidence{Claude: true},
		Screen:   ScreenEvidence{At: at(2), Dialog: true},
		Restored: RestoredEvidence{Status: StatusNeedsInput, Since: at(-60)},
	}
	if got := Judge(&e, at(3)); got.Status != StatusNeedsInput || got.Reason != dialogAtStart || !got.Since.Equal(at(-60)) {
		t.Errorf("%+v", got)
	}
	e.Screen = ScreenEvidence{}
	if got := Judge(&e, at(3)); got.Status != StatusNeedsInput || got.Source != SourceJournal {
		t.Errorf("before the screen is known: %+v", got)
	}
}

// TestWorkInTheBackgroundIsCalledSo by the registry's word as by the hook's.
func TestWorkInTheBackgroundIsCalledSo(t *testing.T) {
	stop := Hook{Name: HookStop, SessionID: "s1", PromptID: "p", Background: []BackgroundTask{{ID: "b", Type: "subagent", Status: "running"}}}
	s := play(slices.Concat([]Event{listed(0, 0), registry(1, 0, "s1", "idle")}, []Event{
		hooked(2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p", Prompt: "x"}), registry(2, 0, "s1", "busy"), hooked(5, 0, stop), registry(5.1, 0, "s1", "busy"),
	})...)
	s.Settle(at(20))
	if v := s.Snapshot().Sessions[0].Windows[0].Agent().Verdict; v.Status != StatusBusy || v.Background == 0 || v.Reason != reasonBackground {
		t.Errorf("%+v", v)
	}
}
