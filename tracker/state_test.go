package tracker

import (
	"testing"
	"time"
)

func TestSnapshotSharesWhatDidNotChange(t *testing.T) {
	s := play(listed(0, 0, 1, 2), registry(1, 0, "s1", "idle"), registry(1, 1, "s2", "idle"))
	a := s.Snapshot()
	if b := s.Snapshot(); b != a {
		t.Error("nothing changed, yet there is a new snapshot")
	}
	s.Apply(registry(2, 1, "s2", "busy"))
	b := s.Snapshot()
	for i, w := range b.Sessions[0].Windows {
		if same := w == a.Sessions[0].Windows[i]; same != (i != 1) {
			t.Errorf("window %d: shared %v", i, same)
		}
	}
	s.Apply(listed(3, 0, 1, 2))
	if c := s.Snapshot(); c != b {
		t.Error("the same listing again made a new snapshot")
	}
}

func TestNotableChanges(t *testing.T) {
	s := play(listed(0, 0))
	for _, step := range []struct {
		ev   Event
		want Change
	}{
		{registry(1, 0, "s1", "busy"), ChangeDull},
		{registry(2, 0, "s1", "waiting"), ChangeNotable},
		{registry(2, 0, "s1", "waiting"), ChangeNone},
		{registry(3, 0, "s1", "busy"), ChangeNotable},
		{ProcessExited{At: at(4), ID: AgentID{200, 5000}}, ChangeNotable},
		{ProcessExited{At: at(4), ID: AgentID{200, 5000}}, ChangeNone},
	} {
		if got := s.Apply(step.ev); got != step.want {
			t.Errorf("%T %v: change %d, want %d", step.ev, step.ev, got, step.want)
		}
	}
}

func TestAcknowledgeEndsReviewUntilTheNextTurn(t *testing.T) {
	s := play(listed(0, 0), hooked(1, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s", PromptID: "p1"}), hooked(2, 0, Hook{Name: HookStop, SessionID: "s", PromptID: "p1"}))
	expect := func(want string) {
		t.Helper()
		if got := rows(s)["%0"]; got != want+" s" {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	expect("review")
	s.Apply(Acknowledged{At: at(3), Pane: "%0"})
	expect("idle")
	s.Apply(hooked(4, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s", PromptID: "p2"}))
	s.Apply(hooked(5, 0, Hook{Name: HookStop, SessionID: "s", PromptID: "p2"}))
	expect("review")
}

func TestTimePassing(t *testing.T) {
	s := play(listed(0, 0), ProcessesSeen{At: at(1), Complete: true, Procs: claude(0)}, ScreenSeen{At: at(5), Pane: "%0", PanePID: 100, Dialog: true})
	if next := s.Next(); !next.Equal(at(11)) {
		t.Errorf("next deadline %v, want when starting ends", next.Sub(t0))
	}
	if c := s.Settle(at(11)); c != ChangeNotable {
		t.Errorf("change %d, want notable", c)
	}
	if got := rows(s)["%0"]; got != "needs-input " {
		t.Errorf("got %q, want the start-up dialog", got)
	}
	if next := s.Next(); !next.IsZero() && !next.After(at(11)) {
		t.Errorf("next deadline %v is not in the future: the engine would spin", next.Sub(t0))
	}
}

func TestNoServerIsNotAFailure(t *testing.T) {
	s := play(listed(0, 0), TmuxAbsent{At: at(1), Socket: "/s", Detail: "no server running"})
	snap := s.Snapshot()
	if snap.Tmux.State != StateAbsent || len(snap.Sessions) != 0 || snap.Sources[0].State != StateOK {
		t.Errorf("got %+v %+v", snap.Tmux, snap.Sources)
	}
	s.Apply(SourceFailed{At: at(2), Source: SourceTmux, Reason: "hangs"})
	s.Apply(SourceFailed{At: at(9), Source: SourceTmux, Reason: "hangs"})
	if h := s.Snapshot().Sources[0]; h.State != StateFailed || !h.Since.Equal(at(2)) || !h.LastOK.Equal(at(1)) {
		t.Errorf("a failure must keep its beginning and the last success: %+v", h)
	}
}

// TestEveryEventIsHandled fails for an event that Apply ignores by omission.
func TestEveryEventIsHandled(t *testing.T) {
	before := time.Time{}
	for _, ev := range []Event{
		listed(1, 0),
		TmuxAbsent{At: at(1)},
		SourceFailed{At: at(1)},
		SourceWorks{At: at(1)},
		registry(1, 0, "s", "idle"),
		hooked(1, 0, Hook{}),
		ProcessesSeen{At: at(1)},
		ProcessExited{At: at(1)},
		TranscriptRead{At: at(1)},
		AgentsListed{At: at(1)},
		ScreenSeen{At: at(1)},
		Acknowledged{At: at(1)},
		Restored{At: at(1)},
	} {
		s := NewState()
		if s.Apply(ev); s.now == before {
			t.Errorf("%T did not even move the clock", ev)
		}
	}
}

func TestTheNameAPersonGaveThisProcessWins(t *testing.T) {
	ev := registry(1, 0, "s1", "idle")
	ev.Entry.Name, ev.Entry.NameSource = "w2", "user"
	s := play(listed(0, 0), ev, TranscriptRead{At: at(2), SessionID: "s1", Facts: TranscriptFacts{CustomTitle: "w4"}})
	if _, _, p := s.Snapshot().FindPane("%0"); p.Agent.Name != "w2" {
		t.Errorf("named %q after another process of its session", p.Agent.Name)
	}
}

func TestTheFrontChangesWithItsProcess(t *testing.T) {
	shell := Process{PID: 100, PPID: 1, Start: 7, Name: "bash", Group: 100, TermGroup: 100}
	s := play(listed(0, 0), ProcessesSeen{At: at(20), Complete: true, Procs: []Process{shell}})
	s.Snapshot()
	shell.Args = []string{"-bash"} // its arguments are read a moment later: it is the same program
	s.Apply(ProcessesSeen{At: at(25), Complete: true, Procs: []Process{shell}})
	if w := s.Snapshot().Sessions[0].Windows[0]; w.Kind == KindActive {
		t.Error("a shell at its prompt is called active")
	}
	shell.TermGroup = 300
	s.Apply(ProcessesSeen{At: at(40), Complete: true, Procs: []Process{shell, {PID: 300, PPID: 100, Start: 9, Name: "make", Group: 300, TermGroup: 300}}})
	if w := s.Snapshot().Sessions[0].Windows[0]; w.Kind != KindActive {
		t.Errorf("another program in front is %v", w.Kind)
	}
}
