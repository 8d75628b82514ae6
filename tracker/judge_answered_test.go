package tracker

import "testing"

// TestADialogEndsWithTheResultOfItsOwnCall: approving and denying fire no hook, and the hook at the end
// of a call may be lost. Without the registry the call's result in the transcript tells that the dialog
// is over, and nothing less does: the same command may be asked for again at once.
func TestADialogEndsWithTheResultOfItsOwnCall(t *testing.T) {
	asked := heard(
		call{1, prompt("p")}, call{2, pre("p", "Bash", "old")}, call{4, post("p", "Bash", "old")},
		call{5, Hook{Name: HookPreToolUse, PromptID: "p", Tool: "Bash", ToolUseID: "new", ToolKey: "kold"}},
		call{5.1, request("p", "Bash", "old")},
	)
	tests := []struct {
		name string
		tr   TranscriptEvidence
		want Status
	}{
		{"nothing yet", TranscriptEvidence{At: at(6), LastAt: at(6)}, StatusNeedsInput},
		{"its own result", TranscriptEvidence{At: at(9), ResultOf: "new", ResultAt: at(9)}, StatusBusy},
		{"the result of the same command before it", TranscriptEvidence{At: at(9), LastAt: at(9), ResultOf: "old", ResultAt: at(4)}, StatusNeedsInput},
		{"another call beside it came back", TranscriptEvidence{At: at(9), ResultOf: "other", ResultAt: at(9)}, StatusNeedsInput},
		{"the model's words from before it", TranscriptEvidence{At: at(9), LastAt: at(5.2)}, StatusNeedsInput},
	}
	for _, tt := range tests {
		e := Evidence{Hooks: asked, Transcript: tt.tr}
		if v := Judge(&e, at(20)); v.Status != tt.want {
			t.Errorf("%s: %v (%s), want %v", tt.name, v.Status, v.Reason, tt.want)
		}
	}
}
