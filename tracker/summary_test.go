package tracker

import (
	"strings"
	"testing"
	"unicode"
)

// TestWordsOfTheModelMoveNoCursor (B65): what is summed up of prompts, tool inputs and answers holds no
// control sequence, breaks no line and turns no text around.
func TestWordsOfTheModelMoveNoCursor(t *testing.T) {
	hostile := "a\x1b]52;c;AAAA\a\x1b[2Jb\u009b31m\u202ec\nd\te 👨‍👩‍👧"
	facts := TranscriptFacts{
		Prompt: hostile, PromptAt: at(1), LastText: hostile, LastTextAt: at(1), Tool: hostile, ToolDetail: hostile,
		ToolAt: at(1), ToolPending: true, Error: hostile,
	}
	for _, word := range []string{"busy", "waiting", "idle", hostile} {
		ev := registry(2, 0, "s1", word)
		ev.Entry.WaitingFor, ev.Entry.Name = hostile, hostile
		s := play(listed(0, 0), ev, TranscriptRead{At: at(3), SessionID: "s1", Facts: facts})
		w := s.Snapshot().Sessions[0].Windows[0]
		if strings.ContainsFunc(w.Summary, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) }) {
			t.Errorf("%s: summary %q", word, w.Summary)
		}
	}
}

// What an agent was asked and said is shown without what Claude puts around it, and nothing is said twice.
func TestSummariesSayThingsOnce(t *testing.T) {
	for _, c := range []struct {
		name, want string
		row        AgentRow
	}{
		{"an error that says so itself", "stopped: API Error: 500 overloaded", AgentRow{Last: "API Error: 500 overloaded", Verdict: Verdict{Status: StatusReview, Reason: "stopped with an API error", Failed: "server_error"}}},
		{"an error in other words", "stopped with an API error: Prompt is too long", AgentRow{Last: "Prompt is too long", Verdict: Verdict{Status: StatusReview, Reason: "stopped with an API error", Failed: "invalid_request"}}},
		{"an end that speaks of errors", "done: API Error: 500 is handled now", AgentRow{Last: "API Error: 500 is handled now", Verdict: Verdict{Status: StatusReview, Reason: "done"}}},
	} {
		if got := AgentSummary(&c.row); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for text, want := range map[string]string{
		"\n\n<pasted_content id=\"4d76\">\nrow 0\nrow 1\n</pasted_content id=\"4d76\">\n\n": "row 0\nrow 1",
		"look at\n<pasted_content id=\"1\">\na\n</pasted_content id=\"1\">\nand answer":     "look at\na\nand answer",
		"cut <pasted_content id=\"4d76\">\nrow 0…":                                          "cut\nrow 0…",
		"what is <pasted_content>?":                                                         "what is <pasted_content>?",
		"plain":                                                                             "plain",
	} {
		s := play(listed(0, 0), registry(1, 0, "s1", "busy"), hooked(2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p", Prompt: text}))
		if got := s.Snapshot().Sessions[0].Windows[0].Agent().Prompt; got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}
