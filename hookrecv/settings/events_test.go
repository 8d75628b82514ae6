package settings

import (
	"slices"
	"testing"

	"signalbox/tracker"
)

func TestEventsFor(t *testing.T) {
	// what each of them knows is written in its own source
	v2076 := []tracker.HookName{
		"PreToolUse", "PostToolUse", "PostToolUseFailure", "Notification", "UserPromptSubmit", "SessionStart",
		"SessionEnd", "Stop", "SubagentStart", "SubagentStop", "PreCompact", "PermissionRequest",
	}
	got := EventsFor("2.0.76 (Claude Code)")
	slices.Sort(got)
	slices.Sort(v2076)
	if !slices.Equal(got, v2076) {
		t.Errorf("2.0.76: %v, want %v", got, v2076)
	}
	for _, tt := range []struct {
		version string
		has     tracker.HookName
		want    bool
	}{
		{"2.1.332 (Claude Code)", "PermissionDenied", true},
		{"2.1.89", "PermissionDenied", true},
		{"2.1.88", "PermissionDenied", false},
		{"2.1.77", "StopFailure", false},
		{"2.1.78-beta.2", "StopFailure", true},
		{"v2.1.76\n", "PostCompact", true},
		{"10.0.0", "CwdChanged", true},
		{"2.0.44", "PermissionRequest", false},
		{"1.0.61", "SessionStart", false},
		{"0.2.9", "Stop", false},
		{"", "PermissionRequest", true},
		{"", "StopFailure", false},
		{"command not found", "PermissionRequest", true},
		{"2.1", "StopFailure", false},
		{"2.1.x", "StopFailure", false},
		{"-2.1.100", "StopFailure", false},
	} {
		if got := slices.Contains(EventsFor(tt.version), tt.has); got != tt.want {
			t.Errorf("%q has %s: %v, want %v", tt.version, tt.has, got, tt.want)
		}
	}
	all := EventsFor("2.1.332")
	if n := len(all); n != 18 {
		t.Errorf("%d events", n)
	}
	slices.Sort(all)
	if len(slices.Compact(all)) != 18 {
		t.Errorf("an event is listed twice: %v", all)
	}
}
