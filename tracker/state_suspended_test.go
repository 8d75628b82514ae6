package tracker

import (
	"testing"
	"time"
)

// stoppedClaude is an agent process that was stopped by Ctrl-Z.
func stoppedClaude(n int) []Process {
	procs := claude(n)
	procs[0].State, procs[0].TermGroup = ProcStopped, procs[1].PID
	return procs
}

// TestSuspendedSinceSurvivesARestartOfTheBoard: the system does not tell when a process was stopped, so
// only the board before this one knows. What it knew holds unless the agent was at work since.
func TestSuspendedSinceSurvivesARestartOfTheBoard(t *testing.T) {
	restored := Restored{At: at(100), Verdicts: []RestoredVerdict{{ID: AgentID{200, 5000}, Status: StatusUnknown, Since: at(10), Suspended: true}}}
	seen := func(seconds float64, procs []Process) Event {
		return ProcessesSeen{At: at(seconds), Complete: true, Procs: procs}
	}
	resting := registry(5, 0, "s1", "idle")
	tests := []struct {
		name string
		evs  []Event
		want time.Time
	}{
		{"nothing was known before", []Event{resting, seen(101, stoppedClaude(0))}, at(101)},
		{"stopped all the time", []Event{restored, resting, seen(101, stoppedClaude(0)), seen(106, stoppedClaude(0))}, at(10)},
		{"and the last verdicts come in late", []Event{resting, seen(101, stoppedClaude(0)), restored}, at(10)},
		{"it ran and was stopped again", []Event{restored, resting, seen(101, claude(0)), seen(106, stoppedClaude(0))}, at(106)},
		{"it was at work while no board ran", []Event{restored, registry(50, 0, "s1", "busy"), seen(101, stoppedClaude(0))}, at(101)},
		{"it was no more than unknown before", []Event{Restored{At: at(100), Verdicts: []RestoredVerdict{{ID: AgentID{200, 5000}, Status: StatusUnknown, Since: at(10)}}}, resting, seen(101, stoppedClaude(0))}, at(101)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := play(append([]Event{listed(0, 0)}, tt.evs...)...)
			_, _, p := s.Snapshot().FindPane("%0")
			if p.Agent == nil || !p.Agent.Verdict.Suspended {
				t.Fatalf("not suspended: %+v", p.Agent)
			}
			if got := p.Agent.Verdict.Since; !got.Equal(tt.want) {
				t.Errorf("suspended since %v, want %v", got.Sub(t0), tt.want.Sub(t0))
			}
		})
	}
}
