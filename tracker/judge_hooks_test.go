package tracker

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Rule 4: hooks alone.
func TestJudgeByHooks(t *testing.T) {
	running := BackgroundTask{ID: "a1", Type: "subagent", Status: "running"}
	shell := BackgroundTask{ID: "b1", Type: "shell", Status: "running"}
	judgeAll(t, []judged{
		{
			"Stop with running background work is not done (B03)",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{3, stop("p1", shell)})},
			60,
			Verdict{Status: StatusBusy, Reason: "background work", Source: SourceHook, Background: 1},
		},
		{
			"a subagent's end does not end its parent's turn (B05)",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{2, inside("a1", Hook{Name: HookSubagentStop})}, call{3, inside("a1", stop("p1"))}, call{4, inside("a1", post("p1", "Bash", "t9"))})},
			60,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceHook},
		},
		{
			"a late event of a finished prompt reopens nothing (B15)",
			Evidence{LookedAt: at(2), Hooks: heard(call{1, stop("p1")}, call{1.3, post("p1", "Bash", "t1")})},
			5,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceHook},
		},
		{
			"a late Stop of the prompt before does not end this one (B15)",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{2, prompt("p2")}, call{2.3, stop("p1")})},
			5,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceHook},
		},
		{
			"without prompt ids the late end of a tool call reopens nothing",
			Evidence{LookedAt: at(4), Hooks: heard(call{1, prompt("")}, call{2, pre("", "Bash", "t1")}, call{3, stop("")}, call{3.03, post("", "Bash", "t1")})},
			5,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceHook},
		},
		{
			"without prompt ids a new prompt opens the next turn",
			Evidence{Hooks: heard(call{1, prompt("")}, call{3, stop("")}, call{4, prompt("")})},
			5,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceHook},
		},
		{
			"a subagent's permission request is on the parent's screen, after the parent's Stop",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{2, stop("p1", running)}, call{2.1, inside("a1", request("p1", "Bash", "t1"))})},
			60,
			Verdict{Status: StatusNeedsInput, Reason: "waits for permission", Source: SourceHook},
		},
		{
			"a call made together with the one that asks does not answer for it",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "Bash", "t1")}, call{2.1, request("p1", "Bash", "t1")}, call{2.15, pre("p1", "Read", "t2")}, call{2.2, post("p1", "Read", "t2")})},
			60,
			Verdict{Status: StatusNeedsInput, Reason: "waits for permission", Source: SourceHook},
		},
		{
			"approved: the tool call came back",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "Bash", "t1")}, call{2.1, request("p1", "Bash", "t1")}, call{9, post("p1", "Bash", "t1")})},
			60,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceHook},
		},
		{
			"denied with Esc: only the transcript tells",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "Bash", "t1")}, call{2.1, request("p1", "Bash", "t1")}), Transcript: TranscriptEvidence{At: at(9), InterruptedAt: at(9)}},
			60,
			Verdict{Status: StatusIdle, Reason: "interrupted", Source: SourceHook, Interrupted: true},
		},
		{
			"before PermissionRequest existed the notice is the only word",
			Evidence{Hooks: heard(call{1, prompt("")}, call{2, pre("", "Bash", "t1")}, call{8, notice("permission_prompt")})},
			60,
			Verdict{Status: StatusNeedsInput, Reason: "waits for permission", Source: SourceHook},
		},
		{
			"an idle notice ends a stuck busy and nothing else",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{61, notice("idle_prompt")})},
			62,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceHook},
		},
		{
			"an idle notice does not end a question",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "AskUserQuestion", "t1")}, call{62, notice("idle_prompt")})},
			63,
			Verdict{Status: StatusNeedsInput, Reason: "asks a question", Source: SourceHook},
		},
		{
			"compaction is a marker, not a turn",
			Evidence{LookedAt: at(4), Hooks: heard(call{1, prompt("p1")}, call{3, stop("p1")}, call{5, Hook{Name: HookPreCompact, PromptID: "p2"}}, call{6, Hook{Name: HookSessionStart, StartSource: "compact", PromptID: "p2"}})},
			7,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceHook},
		},
		{
			"clear begins anew",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{3, stop("p1")}, call{5, Hook{Name: HookSessionStart, StartSource: "clear"}})},
			7,
			Verdict{Status: StatusIdle, Reason: "new conversation", Source: SourceHook},
		},
		{
			"a server's question is needs-input until it is answered",
			Evidence{Hooks: heard(call{1, prompt("p1")}, call{2, Hook{Name: HookElicitation}})},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "a server asks for input", Source: SourceHook},
		},
	})
}

func TestSinceIsWhenThisTurnBegan(t *testing.T) {
	for name, calls := range map[string][]call{
		"with prompt ids":    {{1, prompt("p1")}, {3, stop("p1")}, {60, prompt("p2")}, {61, pre("p2", "Bash", "t1")}},
		"without prompt ids": {{1, prompt("")}, {3, stop("")}, {60, prompt("")}, {61, pre("", "Bash", "t1")}},
	} {
		if v := Judge(&Evidence{Hooks: heard(calls...)}, at(62)); !v.Since.Equal(at(60)) {
			t.Errorf("%s: busy since second %v, want 60", name, v.Since.Sub(t0).Seconds())
		}
	}
}

// TestHookOrderDoesNotMatter adds the same calls in many orders, some of them twice.
func TestHookOrderDoesNotMatter(t *testing.T) {
	calls := []call{
		{0, Hook{Name: HookSessionStart, StartSource: "startup"}},
		{1, prompt("p1")},
		{1.2, pre("p1", "Bash", "t1")},
		{1.3, request("p1", "Bash", "t1")},
		{7, notice("permission_prompt")},
		{9, post("p1", "Bash", "t1")},
		{9.1, stop("p1", BackgroundTask{ID: "a1", Status: "running"})},
		{9.1, Hook{Name: HookStopFailure, PromptID: "p1", Error: "x"}},
		{9.2, inside("a1", request("p1", "Bash", "t2"))},
		{10, inside("a1", Hook{Name: HookSubagentStop})},
		{10.1, prompt("p2")},
		{10.1, notice("elicitation_dialog")},
		{11, Hook{Name: HookPreCompact}},
		{12, stop("p2")},
	}
	want := heard(calls...)
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		shuffled := append([]call{}, calls...)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		shuffled = append(shuffled, shuffled[rng.IntN(len(shuffled))])
		if got := heard(shuffled...); !reflect.DeepEqual(got, want) {
			t.Fatalf("order %v:\ngot  %+v\nwant %+v", shuffled, got, want)
		}
	}
}

func TestJudgeListed(t *testing.T) {
	tests := []struct {
		state, status string
		want          Status
		failed        bool
	}{
		{"working", "busy", StatusBusy, false},
		{"working", "idle", StatusIdle, false}, // as recorded when the task was done
		{"working", "", StatusBusy, false},
		{"blocked", "waiting", StatusNeedsInput, false},
		{"blocked", "busy", StatusNeedsInput, false},
		{"done", "", StatusIdle, false},
		{"stopped", "", StatusIdle, false}, // never counted as running (B68)
		{"failed", "", StatusReview, true},
		{"dreaming", "", StatusUnknown, false},
		{"", "hibernating", StatusUnknown, false},
	}
	for _, tt := range tests {
		v := judgeListed(&AgentsEntry{State: tt.state, Status: tt.status}, t0, t0)
		if v.Status != tt.want || (v.Failed != "") != tt.failed || v.Reason == "" {
			t.Errorf("state %q status %q: got %v %q", tt.state, tt.status, v.Status, v.Reason)
		}
	}
}
