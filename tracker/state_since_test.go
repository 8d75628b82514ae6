package tracker

import (
	"testing"
	"time"
)

// TestSinceIsWhenTheFirstSourceSaidSo: two sources tell of one change a moment apart. The status began
// with the earlier word, whichever comes first, and what began later is another one.
func TestSinceIsWhenTheFirstSourceSaidSo(t *testing.T) {
	ask := Hook{Name: HookPermissionRequest, SessionID: "s", PromptID: "p", Tool: "Bash", ToolKey: "k"}
	submit := Hook{Name: HookUserPromptSubmit, SessionID: "s", PromptID: "p"}
	end := Hook{Name: HookStop, SessionID: "s", PromptID: "p"}
	turnEnd := TranscriptRead{At: at(9.4), SessionID: "s", Facts: TranscriptFacts{TurnEndAt: at(8.8), PromptAt: at(1)}}
	list := func(seconds float64, status string) Event {
		return AgentsListed{At: at(seconds), Available: true, Rows: []AgentsEntry{{PID: 200, Status: status}}}
	}
	tests := []struct {
		name  string
		evs   []Event
		since time.Time
	}{
		{"busy: hook, then registry", []Event{hooked(1, 0, submit), registry(1.2, 0, "s", "busy")}, at(1)},
		{"needs input: hook, then registry", []Event{hooked(1, 0, submit), hooked(3, 0, ask), registry(3.1, 0, "s", "waiting")}, at(3)},
		{"busy again after the answer", []Event{hooked(1, 0, submit), registry(1.2, 0, "s", "busy"), hooked(3, 0, ask), registry(3.1, 0, "s", "waiting"), registry(5, 0, "s", "busy")}, at(5)},
		{"review: hook, registry, transcript", []Event{hooked(1, 0, submit), registry(1.2, 0, "s", "busy"), hooked(9, 0, end), registry(9.1, 0, "s", "idle"), turnEnd}, at(8.8)},
		{"the list, asked again and again", []Event{ProcessesSeen{At: at(1), Complete: true, Procs: claude(0)}, list(2, "idle"), list(5, "busy"), list(40, "busy"), list(70, "busy")}, at(5)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			forward, backward := append([]Event{listed(0, 0)}, tt.evs...), []Event{listed(0, 0)}
			for i := range tt.evs {
				if _, list := tt.evs[0].(ProcessesSeen); !list {
					backward = append(backward, tt.evs[len(tt.evs)-1-i])
				}
			}
			for _, evs := range [][]Event{forward, backward} {
				s := play(evs...)
				s.Settle(at(100))
				if _, _, p := s.Snapshot().FindPane("%0"); p.Agent != nil && !p.Agent.Verdict.Since.Equal(tt.since) {
					t.Errorf("%s since %v, want %v", p.Agent.Verdict.Status, p.Agent.Verdict.Since.Sub(t0), tt.since.Sub(t0))
				}
			}
		})
	}
}

// TestABackgroundAgentKeepsItsAge: the list is asked again and again, and what it says of an agent without
// a pane began when it said so first.
func TestABackgroundAgentKeepsItsAge(t *testing.T) {
	list := func(seconds float64, state string) Event {
		return AgentsListed{At: at(seconds), Available: true, Rows: []AgentsEntry{{ID: "662cc699", Kind: "background", State: state}}}
	}
	s := play(listed(0, 0), list(1, "working"), list(40, "working"), list(80, "working"))
	for _, step := range []struct {
		ev   Event
		want time.Time
	}{{list(120, "working"), at(1)}, {list(160, "done"), at(160)}, {list(200, "done"), at(160)}} {
		s.Apply(step.ev)
		bg := s.Snapshot().Background
		if len(bg) != 1 || !bg[0].Verdict.Since.Equal(step.want) {
			t.Errorf("after %+v: %+v, want one row since %v", step.ev, bg, step.want.Sub(t0))
		}
	}
}

// TestASharedSessionIsFlaggedOnBothSides: whether a session is one's own alone depends on others.
func TestASharedSessionIsFlaggedOnBothSides(t *testing.T) {
	s := play(listed(0, 0, 1), registry(1, 0, "s1", "idle"))
	shared := func() (n int) {
		s.Snapshot().Windows(func(_ *SessionRow, w *WindowRow) bool {
			if a := w.Agent(); a != nil && a.SharesSession {
				n++
			}
			return true
		})
		return n
	}
	for _, step := range []struct {
		ev   Event
		want int
	}{
		{registry(2, 1, "s1", "idle"), 2},
		{registry(3, 1, "s2", "idle"), 0},
		{registry(4, 1, "s1", "idle"), 2},
		{ProcessExited{At: at(5), ID: AgentID{201, 5001}}, 0},
	} {
		shared()
		if s.Apply(step.ev); shared() != step.want {
			t.Errorf("after %+v %d say that they share their session, want %d", step.ev, shared(), step.want)
		}
	}
}

// TestWhoSpeaksForAWindow: of two agents in one window the one that the person is needed for most, and has
// kept waiting longest. The person's own dialog calls nobody.
func TestWhoSpeaksForAWindow(t *testing.T) {
	end := func(seconds float64, n int, session string) []Event {
		return []Event{
			hooked(seconds-1, n, Hook{Name: HookUserPromptSubmit, SessionID: session, PromptID: "p"}),
			hooked(seconds, n, Hook{Name: HookStop, SessionID: session, PromptID: "p"}),
		}
	}
	own := registry(9, 0, "s0", "waiting")
	own.Entry.WaitingFor = "dialog open"
	tests := []struct {
		name string
		evs  []Event
		want int
	}{
		{"both are done, the second one earlier", append(end(9, 0, "s0"), end(5, 1, "s1")...), 1},
		{"both are done, the first one earlier", append(end(5, 0, "s0"), end(9, 1, "s1")...), 0},
		{"both are idle, the first one is active", []Event{registry(5, 0, "s0", "idle"), registry(4, 1, "s1", "idle")}, 0},
		{"a dialog that the person opened, beside one that is done", append(end(5, 1, "s1"), registry(8, 0, "s0", "idle"), own), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			l := listed(0, 0, 1)
			windows := l.Topology.Sessions[0].Windows
			windows[1].Panes[0].Active = false
			windows[0].Panes = append(windows[0].Panes, windows[1].Panes...)
			l.Topology.Sessions[0].Windows = windows[:1]
			s := play(append([]Event{l}, tt.evs...)...)
			w := s.Snapshot().Sessions[0].Windows[0]
			if w.Lead != tt.want {
				t.Errorf("pane %d speaks for the window, want %d: %+v, %+v", w.Lead, tt.want, w.Panes[0].Agent.Verdict, w.Panes[1].Agent.Verdict)
			}
		})
	}
}
