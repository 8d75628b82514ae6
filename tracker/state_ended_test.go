package tracker

import (
	"testing"
	"time"
)

// TestWhatIsToldLateOfTheEndedMakesNoRow: the word that a process has ended may overtake what it said
// while it lived.
func TestWhatIsToldLateOfTheEndedMakesNoRow(t *testing.T) {
	id := AgentID{200, 5000}
	young := registry(4, 0, "s1", "busy")
	young.Chain[0].Began = at(3.9)
	for _, tt := range []struct {
		name string
		evs  []Event
		rows int
	}{
		{"a registry file after the exit", []Event{ProcessExited{At: at(5), ID: id}, registry(4, 0, "s1", "busy")}, 0},
		{"a hook after the exit", []Event{ProcessExited{At: at(5), ID: id}, hooked(4, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1"})}, 0},
		{"a file after a table that lacks the process", []Event{ProcessesSeen{At: at(5), Complete: true, Procs: claude(0)[1:]}, registry(4, 0, "s1", "busy")}, 0},
		{"a file from after that table", []Event{ProcessesSeen{At: at(5), Complete: true, Procs: claude(0)[1:]}, registry(6, 0, "s1", "busy")}, 1},
		{"a process that the table may have been too early for", []Event{ProcessesSeen{At: at(4.1), Complete: true, Procs: claude(0)[1:]}, young}, 1},
		{"a table that cannot tell", []Event{ProcessesSeen{At: at(5), Procs: claude(0)[1:]}, registry(4, 0, "s1", "busy")}, 1},
	} {
		if got := rows(play(append([]Event{listed(0, 0)}, tt.evs...)...)); len(got) != tt.rows {
			t.Errorf("%s: rows %v, want %d", tt.name, got, tt.rows)
		}
	}
}

// TestTheWorkOfAnEndedAgentIsNoRow: what an agent started may outlive it for a moment.
func TestTheWorkOfAnEndedAgentIsNoRow(t *testing.T) {
	nested := append([]Process{{PID: 300, PPID: 200, Start: 9000, Name: "claude"}}, claude(0)...)
	child := RegistryRead{
		At: at(2), PID: 300, Chain: nested,
		Entry: &RegistryEntry{SessionID: "s9", Status: "busy", StatusUpdatedAt: at(2)},
	}
	parent, exit := registry(1, 0, "s1", "busy"), ProcessExited{At: at(3), ID: AgentID{200, 5000}}
	joined := ProcessesSeen{At: at(0.5), Complete: true, Procs: nested[2:]} // late: from before all this
	for i, evs := range [][]Event{{parent, child, exit}, {parent, child, exit, exit, joined}, {exit, parent, child}, {exit, child, parent}} {
		s := play(append([]Event{listed(0, 0)}, evs...)...)
		if got := rows(s); len(got) != 0 {
			t.Errorf("rows %v after %T first", got, evs[0])
		}
		s.Apply(ProcessExited{At: at(3.1), ID: AgentID{300, 9000}})
		for _, h := range s.Snapshot().Inbox {
			if h.Agent.PID == 300 && i < 3 {
				t.Errorf("an entry of what is no agent of the board: %+v", h)
			}
		}
	}
}

// TestALauncherThatStandsBackClosesItsEntries: a process of Claude's name that showed a dialog turns out
// to be the launcher of an agent that speaks for itself.
func TestALauncherThatStandsBackClosesItsEntries(t *testing.T) {
	procs := claude(0)
	child := Process{PID: 300, PPID: 200, Start: 9000, Name: "node", Group: 200, TermGroup: 200}
	s := play(listed(0, 0), ProcessesSeen{At: at(1), Complete: true, Procs: procs}, ScreenSeen{At: at(2), Pane: "%0", PanePID: 100, Dialog: true})
	s.Settle(at(20))
	if snap := s.Snapshot(); len(snap.Inbox) != 1 || snap.Inbox[0].Over {
		t.Fatalf("inbox %+v", snap.Inbox)
	}
	s.Apply(RegistryRead{
		At: at(21), PID: 300, Chain: append([]Process{child}, procs...),
		Entry: &RegistryEntry{SessionID: "s1", Status: "idle", StatusUpdatedAt: at(21)},
	})
	if got := rows(s)["%0"]; got != "idle s1" {
		t.Errorf("got %q", got)
	}
	if in := s.Snapshot().Inbox; len(in) != 1 || !in[0].Over {
		t.Errorf("the launcher's dialog is still open: %+v", in[0])
	}
}

// TestAnAgentIsAsOldAsItsProcess: a board that starts late does not call what it finds "starting".
func TestAnAgentIsAsOldAsItsProcess(t *testing.T) {
	for began, want := range map[time.Time]bool{at(-60): false, at(1): true, {}: true} {
		procs := claude(0)
		procs[0].Began = began
		s := play(listed(0, 0), ProcessesSeen{At: at(1), Complete: true, Procs: procs})
		if _, _, p := s.Snapshot().FindPane("%0"); p.Agent == nil || p.Agent.Verdict.Starting != want {
			t.Errorf("began %v: %+v", began, p.Agent)
		}
	}
}
