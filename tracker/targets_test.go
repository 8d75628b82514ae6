package tracker

import (
	"slices"
	"testing"
)

// TestTranscriptsAreFollowedOnlyWhereSomethingMayHappen: a resting agent's is glanced at for its title,
// and costs nothing after.
func TestTranscriptsAreFollowedOnlyWhereSomethingMayHappen(t *testing.T) {
	for _, tt := range []struct {
		name   string
		evs    []Event
		glance bool
	}{
		{"idle", []Event{registry(1, 0, "s1", "idle")}, true},
		{"busy", []Event{registry(1, 0, "s1", "busy")}, false},
		{"needs input", []Event{registry(1, 0, "s1", "waiting")}, false},
		{"unknown", []Event{registry(1, 0, "s1", "hibernating")}, false},
		{"review", []Event{hooked(1, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p"}), hooked(2, 0, Hook{Name: HookStop, SessionID: "s1", PromptID: "p"})}, false},
	} {
		s := play(append([]Event{listed(0, 0)}, tt.evs...)...)
		got := TargetsOf(s.Snapshot(), at(3)).Transcripts
		if len(got) != 1 || got[0].SessionID != "s1" || got[0].Glance != tt.glance {
			t.Errorf("%s: %+v", tt.name, got)
		}
	}
}

// TestOnlyProvenProgramsAreRun: what merely has Claude's name is looked at, never asked.
func TestOnlyProvenProgramsAreRun(t *testing.T) {
	unproven := registry(2, 1, "s2", "idle")
	unproven.Trust = TrustUnproven
	s := play(listed(0, 0, 1, 2), registry(1, 0, "s1", "idle"), unproven, ProcessesSeen{At: at(3), Complete: true, Procs: slices.Concat(claude(0), claude(1), claude(2))})
	got := TargetsOf(s.Snapshot(), at(20))
	if !slices.Equal(got.Proven, []int{200}) || len(got.Agents) != 3 {
		t.Errorf("proven %v of %v", got.Proven, got.Agents)
	}
	if !slices.Equal(got.Screens, []PaneID{"%2"}) {
		t.Errorf("screens looked at: %v, want only that of the silent one", got.Screens)
	}
}
