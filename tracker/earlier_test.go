package tracker

import (
	"slices"
	"strings"
	"testing"
)

// pastOf is what the only agent was before, newest first, each with the seconds that it lasted.
func pastOf(t *testing.T, s *State) string {
	t.Helper()
	var out []string
	s.Snapshot().Windows(func(_ *SessionRow, w *WindowRow) bool {
		a := w.Agent()
		if a == nil {
			return true
		}
		for _, p := range a.Earlier {
			out = append(out, p.Verdict.Status.String()+" "+p.Until.Sub(p.Verdict.Since).String())
		}
		return true
	})
	return strings.Join(out, ", ")
}

func TestAnAgentRemembersWhatItWas(t *testing.T) {
	words := func(evs ...Event) []Event {
		return slices.Concat([]Event{listed(0, 0)}, evs)
	}
	many := words()
	for i := range 20 {
		many = append(many, registry(float64(10*i), 0, "s1", []string{"busy", "waiting"}[i%2]))
	}
	tests := []struct {
		name string
		evs  []Event
		want string
	}{
		{"nothing", words(registry(1, 0, "s1", "idle")), ""},
		{"one change", words(registry(1, 0, "s1", "idle"), registry(5, 0, "s1", "busy")), "idle 4s"},
		{"newest first", words(registry(1, 0, "s1", "idle"), registry(5, 0, "s1", "busy"), registry(20, 0, "s1", "waiting"), registry(22, 0, "s1", "busy")), "needs-input 2s, busy 15s, idle 4s"},
		{"what is approved began with its prompt", words(
			registry(1, 0, "s1", "idle"), hooked(10, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p", Prompt: "x"}), registry(10, 0, "s1", "busy"),
			hooked(15, 0, Hook{Name: HookPermissionRequest, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolKey: "k"}), registry(15, 0, "s1", "waiting"),
			registry(24, 0, "s1", "busy"), registry(30, 0, "s1", "idle")), "busy 6s, needs-input 9s, busy 5s, idle 9s"},
		{"what is known at first", words(
			hooked(-300, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p", Prompt: "x"}), registry(1, 0, "s1", "idle"), registry(20, 0, "s1", "busy")), "idle 19s"},
		{"the same word again", words(registry(1, 0, "s1", "busy"), registry(5, 0, "s1", "busy")), ""},
		{"too short to see", words(registry(1, 0, "s1", "busy"), registry(5, 0, "s1", "waiting"), registry(5, 0, "s1", "busy")), ""},
		{"a few of many", many, "busy 10s, needs-input 10s, busy 10s, needs-input 10s, busy 10s, needs-input 10s"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := pastOf(t, play(tt.evs...)); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestARememberedRowStaysWhatItWas holds that a published row is not written into.
func TestARememberedRowStaysWhatItWas(t *testing.T) {
	s := play(listed(0, 0), registry(1, 0, "s1", "idle"), registry(5, 0, "s1", "busy"))
	old := s.Snapshot()
	s.Apply(registry(9, 0, "s1", "waiting"))
	s.Apply(registry(12, 0, "s1", "busy"))
	s.Snapshot()
	old.Windows(func(_ *SessionRow, w *WindowRow) bool {
		if a := w.Agent(); a != nil && (len(a.Earlier) != 1 || a.Earlier[0].Verdict.Status != StatusIdle) {
			t.Errorf("the older row says %+v now", a.Earlier)
		}
		return true
	})
}
