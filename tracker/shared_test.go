package tracker

import "testing"

// TestATurnInASharedSessionIsOneAgents has one of two agents with the same session open take a prompt: what the
// transcript tells of it moves the other neither into work nor out of its review.
func TestATurnInASharedSessionIsOneAgents(t *testing.T) {
	wrote := func(seconds float64, f TranscriptFacts) TranscriptRead {
		return TranscriptRead{At: at(seconds), SessionID: "s1", Facts: f}
	}
	s := play(listed(0, 0, 1), registry(1, 0, "s1", "idle"), registry(1, 1, "s1", "idle"),
		hooked(2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p", Prompt: "first"}), registry(2, 0, "s1", "busy"),
		hooked(4, 0, Hook{Name: HookStop, SessionID: "s1", PromptID: "p", LastMessage: "done"}), registry(4.1, 0, "s1", "idle"),
		wrote(4.2, TranscriptFacts{PromptAt: at(2), Prompt: "first", TurnEndAt: at(4), LastText: "done", LastTextAt: at(4), CustomTitle: "title"}))
	agents := func(now float64) (a, b *AgentRow) {
		s.Settle(at(now))
		w := s.Snapshot().Sessions[0].Windows
		return w[0].Agent(), w[1].Agent()
	}
	if a, b := agents(5); a.Verdict.Status != StatusReview || b.Verdict.Status != StatusIdle || b.Last != "" || b.Name != "title" {
		t.Fatalf("after the first turn: %+v, %+v, said %q", a.Verdict, b.Verdict, b.Last)
	}
	s.Apply(wrote(20, TranscriptFacts{PromptAt: at(20), Prompt: "second", TurnEndAt: at(4), CustomTitle: "title", Tool: "Bash", ToolAt: at(20), ToolPending: true}))
	s.Apply(registry(20.1, 1, "s1", "busy"))
	if a, b := agents(20.2); a.Verdict.Status != StatusReview || a.Prompt != "first" || a.Tool != "" || b.Verdict.Status != StatusBusy {
		t.Errorf("while the other works: %+v asked %q, %+v", a.Verdict, a.Prompt, b.Verdict)
	}
	s.Apply(registry(25, 1, "s1", "idle"))
	if a, _ := agents(26); a.Verdict.Status != StatusReview {
		t.Errorf("the other's turn took its review: %+v", a.Verdict)
	}
	s.Apply(ProcessExited{At: at(30), ID: AgentID{200, 5000}})
	s.Settle(at(31))
	if b := s.Snapshot().Sessions[0].Windows[1].Agent(); b == nil || b.SharesSession || b.Prompt != "second" {
		t.Errorf("alone again it shows %+v", b)
	}
}
