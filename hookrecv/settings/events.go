package settings

import (
	"strconv"
	"strings"

	"signalbox/tracker"
)

// A version is major, minor, patch.
type version [3]int

// known is an event with the first version of Claude Code that knows it.
type known struct {
	event tracker.HookName
	first version
}

// events lists what the board listens to. The versions are from Claude Code's changelog and, for
// PostToolUseFailure, which it leaves out, the oldest one the event was found in.
func events() []known {
	return []known{
		{tracker.HookSessionStart, version{1, 0, 62}},
		{tracker.HookSessionEnd, version{1, 0, 85}},
		{tracker.HookUserPromptSubmit, version{1, 0, 54}},
		{tracker.HookPreToolUse, version{1, 0, 38}},
		{tracker.HookPermissionRequest, version{2, 0, 45}},
		{tracker.HookPermissionDenied, version{2, 1, 89}},
		{tracker.HookPostToolUse, version{1, 0, 38}},
		{tracker.HookPostToolUseFailure, version{2, 0, 76}},
		{tracker.HookNotification, version{1, 0, 38}},
		{tracker.HookStop, version{1, 0, 38}},
		{tracker.HookStopFailure, version{2, 1, 78}},
		{tracker.HookSubagentStart, version{2, 0, 43}},
		{tracker.HookSubagentStop, version{1, 0, 41}},
		{tracker.HookPreCompact, version{1, 0, 48}},
		{tracker.HookPostCompact, version{2, 1, 76}},
		{tracker.HookElicitation, version{2, 1, 76}},
		{tracker.HookElicitationResult, version{2, 1, 76}},
		{tracker.HookCwdChanged, version{2, 1, 83}},
	}
}

// cautious is what is assumed of a Claude Code that does not tell its version: it has permission
// requests, and nothing newer. Before 2.1.101 a single unknown event makes it skip the whole
// settings file.
func cautious() version { return version{2, 0, 45} }

// EventsFor lists the events to install for a Claude Code of this version, as `claude --version`
// prints it ("2.1.332 (Claude Code)"). What is no version number gets the cautious list.
func EventsFor(claudeVersion string) []tracker.HookName {
	v, ok := parseVersion(claudeVersion)
	if !ok {
		v = cautious()
	}
	var names []tracker.HookName
	for _, k := range events() {
		if !v.before(k.first) {
			names = append(names, k.event)
		}
	}
	return names
}

func (v version) before(w version) bool {
	for i := range v {
		if v[i] != w[i] {
			return v[i] < w[i]
		}
	}
	return false
}

// parseVersion finds the number in the first word; a suffix such as "-beta.1" is left out.
func parseVersion(s string) (v version, ok bool) {
	word, _, _ := strings.Cut(strings.TrimSpace(s), " ")
	word, _, _ = strings.Cut(strings.TrimPrefix(word, "v"), "-")
	parts := strings.Split(word, ".")
	if len(parts) != len(v) {
		return version{}, false
	}
	for i, part := range parts {
		n, err := strconv.Atoi(part)
		if err != nil || n < 0 {
			return version{}, false
		}
		v[i] = n
	}
	return v, true
}
