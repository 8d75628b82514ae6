package tracker

import (
	"slices"
	"testing"
)

// TestAToolThatWasRefusedIsNotAtWork gives an agent another prompt after a call that no hook ended: nobody may
// be told that what they refused is running.
func TestAToolThatWasRefusedIsNotAtWork(t *testing.T) {
	refused := func(tool string, more ...Event) []Event {
		return slices.Concat([]Event{
			listed(0, 0), registry(1, 0, "s1", "idle"),
			hooked(2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p1", Prompt: "first"}), registry(2, 0, "s1", "busy"),
			hooked(3, 0, Hook{Name: HookPreToolUse, SessionID: "s1", PromptID: "p1", Tool: tool, ToolDetail: "touch q", ToolUseID: "t1", ToolKey: "k"}),
			registry(3.2, 0, "s1", "waiting"), registry(9, 0, "s1", "idle"),
		}, more)
	}
	next := []Event{
		hooked(20, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p2", Prompt: "second"}), registry(20, 0, "s1", "busy"),
	}
	interrupted := TranscriptRead{At: at(9.5), SessionID: "s1", Facts: TranscriptFacts{InterruptedAt: at(9)}}
	nextOnly := []Event{registry(20, 0, "s1", "busy"), TranscriptRead{At: at(20), SessionID: "s1", Facts: TranscriptFacts{InterruptedAt: at(9), Prompt: "second", PromptAt: at(20)}}}
	result := TranscriptRead{At: at(10), SessionID: "s1", Facts: TranscriptFacts{ResultOf: "t1", ResultAt: at(9.5)}}
	tests := []struct {
		name string
		evs  []Event
		want string
	}{
		{"the next prompt, by hooks", refused("Bash", next...), "second"},
		{"a question", refused("AskUserQuestion", next...), "second"},
		{"interrupted, by the transcript", refused("Bash", append([]Event{interrupted}, nextOnly...)...), "second"},
		{"refused, and the turn goes on", refused("Bash", registry(9.6, 0, "s1", "busy"), result), "first"},
		{"a turn later", refused("Bash", append(slices.Clone(next),
			hooked(21, 0, Hook{Name: HookPreToolUse, SessionID: "s1", PromptID: "p2", Tool: "Bash", ToolDetail: "ls", ToolUseID: "t2", ToolKey: "l"}),
			hooked(22, 0, Hook{Name: HookPostToolUse, SessionID: "s1", PromptID: "p2", Tool: "Bash", ToolUseID: "t2", ToolKey: "l"}))...), "second"},
		{"at work", refused("Bash", registry(9.6, 0, "s1", "busy")), "Bash: touch q"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := play(tt.evs...)
			s.Settle(at(30))
			w := s.Snapshot().Sessions[0].Windows[0]
			if got := w.Agent(); got == nil || got.Verdict.Status != StatusBusy || w.Summary != tt.want {
				t.Errorf("%q, %+v", w.Summary, got)
			}
		})
	}
}
