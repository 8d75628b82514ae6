package tracker

import (
	"reflect"
	"testing"
)

func TestIdentity(t *testing.T) {
	start := func(session, source string) Hook {
		return Hook{Name: HookSessionStart, SessionID: session, StartSource: source}
	}
	nested := append([]Process{{PID: 300, PPID: 200, Start: 9000, Name: "claude"}}, claude(0)...)
	wrapped := []Process{claude(0)[0], {PID: 150, PPID: 100, Start: 1500, Name: "bash"}, claude(0)[1]}
	wrapped[0].PPID = 150
	tests := []struct {
		name string
		evs  []Event
		want map[PaneID]string
	}{
		{"the pane is found by ancestry", []Event{listed(0, 0, 1), registry(1, 1, "s1", "idle")}, map[PaneID]string{"%1": "idle s1"}},
		{"facts that come before tmux lists the pane are kept", []Event{registry(1, 0, "s1", "busy"), listed(2, 0)}, map[PaneID]string{"%0": "busy s1"}},
		{
			"a wrapper between shell and agent is walked through",
			[]Event{listed(0, 0), RegistryRead{At: at(1), PID: 200, Chain: wrapped, Entry: &RegistryEntry{SessionID: "s1", Status: "idle", StatusUpdatedAt: at(1)}}},
			map[PaneID]string{"%0": "idle s1"},
		},
		{
			"a nested claude with the pane's environment claims nothing",
			[]Event{
				listed(0, 0), registry(1, 0, "s1", "busy"),
				HookReceived{At: at(2), Seen: at(2), Chain: nested, Hook: Hook{Name: HookSessionStart, SessionID: "s9", ClaudePID: 300, Pane: "%0"}},
				HookReceived{At: at(3), Seen: at(3), Chain: nested, Hook: Hook{Name: HookStop, SessionID: "s9", ClaudePID: 300, Pane: "%0"}},
			},
			map[PaneID]string{"%0": "busy s1"},
		},
		{
			"a hook that names no process is placed by its ancestors",
			[]Event{listed(0, 0), HookReceived{
				At: at(1), Seen: at(1), Chain: append([]Process{{PID: 400, PPID: 200, Start: 9, Name: "sh"}}, claude(0)...),
				Hook: Hook{Name: HookUserPromptSubmit, SessionID: "s1"},
			}},
			map[PaneID]string{"%0": "busy s1"},
		},
		{
			"a hook without process and pane is placed by its session",
			[]Event{listed(0, 0), hooked(1, 0, start("s1", "startup")), HookReceived{At: at(2), Seen: at(2), Hook: Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p"}}},
			map[PaneID]string{"%0": "busy s1"},
		},
		{
			"a phantom startup before the resume never appears (B19)",
			[]Event{listed(0, 0), hooked(1, 0, start("s9", "startup")), hooked(1.01, 0, start("s1", "resume"))},
			map[PaneID]string{"%0": "idle s1"},
		},
		{
			"and in the other order of arrival (B19)",
			[]Event{listed(0, 0), hooked(1.01, 0, start("s1", "resume")), hooked(1, 0, start("s9", "startup"))},
			map[PaneID]string{"%0": "idle s1"},
		},
		{
			"nor when the phantom begins after it (B19)",
			[]Event{listed(0, 0), hooked(1, 0, start("s1", "resume")), hooked(1.01, 0, start("s9", "startup"))},
			map[PaneID]string{"%0": "idle s1"},
		},
		{
			"and the prompt after it speaks for itself",
			[]Event{listed(0, 0), hooked(1, 0, start("s1", "startup")), hooked(1.2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p"})},
			map[PaneID]string{"%0": "busy s1"},
		},
		{
			"a stranger's hook with the pane's environment claims nothing",
			[]Event{
				listed(0, 0), registry(1, 0, "s1", "idle"),
				HookReceived{At: at(2), Seen: at(2), Hook: Hook{Name: HookUserPromptSubmit, SessionID: "s9", Pane: "%0", Prompt: "nested"}},
			},
			map[PaneID]string{"%0": "idle s1"},
		},
		{
			"a word read later counts although its clock was set back",
			[]Event{listed(0, 0), registry(3600, 0, "s1", "busy"), RegistryRead{
				At: at(3700), PID: 200, Chain: claude(0),
				Entry: &RegistryEntry{SessionID: "s1", Status: "idle", StatusUpdatedAt: at(100), UpdatedAt: at(100)},
			}},
			map[PaneID]string{"%0": "idle s1"},
		},
		{
			"a process whose arguments nobody knows yet is no row",
			[]Event{listed(0, 0), ProcessesSeen{At: at(1), Complete: true, Procs: []Process{claude(0)[1], {PID: 200, PPID: 100, Start: 5000, Name: "claude"}}}},
			map[PaneID]string{},
		},
		{
			"clear without a hook keeps the row under the new session (B20)",
			[]Event{listed(0, 0), registry(1, 0, "s1", "idle"), registry(2, 0, "s2", "idle")},
			map[PaneID]string{"%0": "idle s2"},
		},
		{
			"the end of the old session does not take the row back",
			[]Event{listed(0, 0), hooked(1, 0, start("s1", "startup")), hooked(2.01, 0, start("s2", "clear")), hooked(2, 0, Hook{Name: HookSessionEnd, SessionID: "s1", EndReason: "clear"})},
			map[PaneID]string{"%0": "idle s2"},
		},
		{
			"two agents with one session are two rows (B22)",
			[]Event{listed(0, 0, 1), registry(1, 0, "s1", "idle"), registry(1, 1, "s1", "busy")},
			map[PaneID]string{"%0": "idle s1", "%1": "busy s1"},
		},
		{
			"a dead process's file makes no row (B13)",
			[]Event{listed(0, 0), RegistryRead{At: at(1), PID: 200, Trust: TrustDead, Entry: &RegistryEntry{SessionID: "s1", Status: "waiting"}}},
			map[PaneID]string{},
		},
		{
			"a file from another pid namespace makes no row",
			[]Event{listed(0, 0), RegistryRead{At: at(1), PID: 200, Trust: TrustForeign, Chain: claude(0), Entry: &RegistryEntry{SessionID: "s1", Status: "waiting"}}},
			map[PaneID]string{},
		},
		{
			"an exited agent is gone and late facts do not bring it back",
			[]Event{listed(0, 0), registry(1, 0, "s1", "busy"), ProcessExited{At: at(2), ID: AgentID{200, 5000}}, registry(1.5, 0, "s1", "busy"), hooked(2.1, 0, Hook{Name: HookSessionEnd, SessionID: "s1"})},
			map[PaneID]string{},
		},
		{
			"a recycled pid is another agent",
			[]Event{
				listed(0, 0), registry(1, 0, "s1", "busy"),
				ProcessExited{At: at(2), ID: AgentID{200, 5000}},
				RegistryRead{At: at(3), PID: 200, Chain: []Process{{PID: 200, PPID: 100, Start: 7777, Name: "claude"}, claude(0)[1]}, Entry: &RegistryEntry{SessionID: "s2", Status: "idle", StatusUpdatedAt: at(3)}},
			},
			map[PaneID]string{"%0": "idle s2"},
		},
		{
			"a replayed hook older than the process is not its own",
			[]Event{listed(0, 0), HookReceived{
				At: at(-3600), Seen: at(0), Replayed: true, Hook: Hook{Name: HookUserPromptSubmit, ClaudePID: 200, SessionID: "s0"},
				Chain: []Process{{PID: 200, PPID: 100, Start: 5000, Name: "claude", Began: at(-60)}, claude(0)[1]},
			}},
			map[PaneID]string{},
		},
		{
			"a process with Claude's name and no word is a row, unknown",
			[]Event{listed(0, 0), ProcessesSeen{At: at(1), Complete: true, Procs: claude(0)}},
			map[PaneID]string{"%0": "unknown "},
		},
		{
			"a launcher whose child is an agent is no row of its own",
			[]Event{listed(0, 0), registry(1, 0, "s1", "idle"), ProcessesSeen{At: at(2), Complete: true, Procs: []Process{
				claude(0)[1],
				{PID: 150, PPID: 100, Start: 1500, Name: "claude"},
				{PID: 200, PPID: 150, Start: 5000, Name: "claude"},
			}}},
			map[PaneID]string{"%0": "idle s1"},
		},
		{
			"a sweep that began before the agent did does not end it",
			[]Event{listed(0, 0), registry(2, 0, "s1", "idle"), ProcessesSeen{At: at(1.9), Complete: true, Procs: claude(0)[1:]}},
			map[PaneID]string{"%0": "idle s1"},
		},
		{
			"one that began after it does",
			[]Event{listed(0, 0), registry(2, 0, "s1", "idle"), ProcessesSeen{At: at(2.1), Complete: true, Procs: claude(0)[1:]}},
			map[PaneID]string{},
		},
		{
			"a suspended agent stands behind the one in front",
			[]Event{
				listed(0, 0), registry(1, 0, "s1", "idle"),
				RegistryRead{At: at(2), PID: 201, Chain: []Process{
					{PID: 201, PPID: 100, Start: 5001, Name: "claude", Group: 201, TermGroup: 201},
					claude(0)[1],
				}, Entry: &RegistryEntry{SessionID: "s2", Status: "idle", StatusUpdatedAt: at(2)}},
				ProcessesSeen{At: at(3), Procs: []Process{{PID: 200, PPID: 100, Start: 5000, Name: "claude", State: ProcStopped, Group: 200, TermGroup: 201}}},
			},
			map[PaneID]string{"%0": "idle s2 + unknown s1"},
		},
		{
			"a failing listing turns no row into gone or idle (B66)",
			[]Event{listed(0, 0), registry(1, 0, "s1", "busy"), SourceFailed{At: at(2), Source: SourceTmux, Reason: "hangs"}},
			map[PaneID]string{"%0": "busy s1"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := rows(play(tt.evs...)); !reflect.DeepEqual(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestSharedSessionIsFlagged(t *testing.T) {
	s := play(listed(0, 0, 1), registry(1, 0, "s1", "idle"), registry(1, 1, "s1", "busy"))
	_, _, p := s.Snapshot().FindPane("%1")
	if !p.Agent.SharesSession {
		t.Error("the agent does not say that it shares its session")
	}
}
