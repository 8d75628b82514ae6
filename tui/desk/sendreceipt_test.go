package desk

import (
	"path/filepath"
	"testing"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
)

// Lines that Claude Code 2.1.332 wrote when a hook of somebody else's decided about a prompt.
const (
	blockedLine = `{"type":"system","subtype":"informational","content":"UserPromptSubmit operation blocked by hook:\n[check.sh]: not allowed today\n\n\nOriginal prompt: say\n\"hello\"","isMeta":false,"timestamp":"2026-12-01T03:10:38.689Z","sessionId":"` + someSession + `"}` + "\n"
	stoppedLine = `{"type":"system","subtype":"informational","content":"Operation stopped by hook: enough","isMeta":false,"timestamp":"2026-12-01T03:11:40.301Z","sessionId":"` + someSession + `"}` + "\n"
	noticeLine  = `{"type":"system","subtype":"informational","content":"Auto-update failed","timestamp":"2026-12-01T03:11:40.301Z","sessionId":"` + someSession + `"}` + "\n"
)

func TestTheTranscriptTellsWhatHooksDecided(t *testing.T) {
	tests := []struct {
		name, lines string
		want        []interlock.Prompt // At, SessionID and Source aside
	}{
		{"blocked", blockedLine, []interlock.Prompt{{Text: "\n[check.sh]: not allowed today\n\n\nOriginal prompt: say\n\"hello\"", Reception: interlock.Blocked}}},
		{"stopped", userLine("x") + stoppedLine, []interlock.Prompt{{Text: "x", Stop: "enough"}}},
		{"the one before it was stopped", userLine("x") + userLine("y") + stoppedLine, []interlock.Prompt{{Text: "x"}, {Text: "y", Stop: "enough"}}},
		{"stopped without a prompt", stoppedLine, nil},
		{"something else", noticeLine, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "projects", "p", someSession+".jsonl")
			tail := newPromptTail(dir, someSession, path)
			tail.skip()
			appendTo(t, path, tt.lines)
			var got []interlock.Prompt
			tail.read(func(p interlock.Prompt) { got = append(got, p) })
			if len(got) != len(tt.want) {
				t.Fatalf("%+v", got)
			}
			for i, p := range got {
				if p.At.Year() != 2026 || p.SessionID != someSession || p.Source != tracker.SourceTranscript {
					t.Errorf("%+v", p)
				}
				if w := tt.want[i]; p.Text != w.Text || p.Reception != w.Reception || p.Stop != w.Stop {
					t.Errorf("%+v, want %+v", p, w)
				}
			}
		})
	}
}

// TestHooksTellHowFarAPromptGot holds what each hook says of a prompt: ours hears of it while another may
// still block it, and later ones are called for what was let through.
func TestHooksTellHowFarAPromptGot(t *testing.T) {
	hook := func(name tracker.HookName, id string) tracker.Hook {
		return tracker.Hook{Name: name, ClaudePID: 7, PromptID: id, Prompt: "x"}
	}
	clear := tracker.Hook{Name: tracker.HookSessionStart, StartSource: "clear", ClaudePID: 7, PromptID: "p"}
	subagent := hook(tracker.HookPreToolUse, "p")
	subagent.SubagentID = "s"
	tests := []struct {
		hook tracker.Hook
		told bool
		want interlock.Reception
	}{
		{hook(tracker.HookUserPromptSubmit, "p"), true, interlock.Heard},
		{hook(tracker.HookUserPromptSubmit, ""), true, interlock.Heard},
		{clear, true, interlock.Taken},
		{hook(tracker.HookPreToolUse, "p"), true, interlock.WorkedOn},
		{hook(tracker.HookPermissionRequest, "p"), true, interlock.WorkedOn},
		{hook(tracker.HookStop, "p"), true, interlock.WorkedOn},
		{hook(tracker.HookStopFailure, "p"), true, interlock.WorkedOn},
		{hook(tracker.HookStop, ""), false, 0}, // of which prompt?
		{hook(tracker.HookNotification, "p"), false, 0},
		{subagent, false, 0},
	}
	for _, tt := range tests {
		p, told := promptOf(tracker.HookReceived{Hook: tt.hook})
		if told != tt.told || told && (p.Reception != tt.want || p.ID != tt.hook.PromptID || p.ClaudePID != 7) {
			t.Errorf("%s of %q: %+v, told %v", tt.hook.Name, tt.hook.PromptID, p, told)
		}
	}
}
