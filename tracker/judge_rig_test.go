package tracker

import (
	"testing"
	"time"
)

// t0 is the origin of the tests' clock; at(1.5) is one and a half seconds later.
var t0 = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time {
	return t0.Add(time.Duration(seconds * float64(time.Second)))
}

// hooks builds evidence from calls; each is a time and a hook.
type call struct {
	at float64
	h  Hook
}

func heard(calls ...call) HookEvidence {
	var e HookEvidence
	for _, c := range calls {
		e.Add(at(c.at), &c.h)
	}
	return e
}

func prompt(id string) Hook { return Hook{Name: HookUserPromptSubmit, PromptID: id} }
func stop(id string, tasks ...BackgroundTask) Hook {
	return Hook{Name: HookStop, PromptID: id, Background: tasks}
}

func pre(id, tool, use string) Hook {
	return Hook{Name: HookPreToolUse, PromptID: id, Tool: tool, ToolUseID: use, ToolKey: "k" + use}
}

func post(id, tool, use string) Hook {
	return Hook{Name: HookPostToolUse, PromptID: id, Tool: tool, ToolUseID: use, ToolKey: "k" + use}
}

func request(id, tool, use string) Hook {
	return Hook{Name: HookPermissionRequest, PromptID: id, Tool: tool, ToolKey: "k" + use}
}
func inside(agent string, h Hook) Hook { h.SubagentID = agent; return h }
func notice(kind string) Hook          { return Hook{Name: HookNotification, Notification: kind} }

func word(status string, since float64) RegistryEvidence {
	r := RegistryEvidence{At: at(since), Word: status, StatusAt: at(since)}
	switch status {
	case "busy":
		r.WorkedAt = at(since)
	case "waiting":
		r.WaitingAt = at(since)
	case "idle", "shell":
		r.RestedAt = at(since)
	}
	return r
}

// dialogAt is Claude's word for a dialog without a word of its own, after it last rested then.
func dialogAt(since, rested float64) RegistryEvidence {
	r := word("waiting", since)
	r.WaitingFor, r.RestedAt = "dialog open", at(rested)
	return r
}

// judged is a case of Judge: what is known, when it is judged, and the status, reason, source and
// modifiers that follow. Times are not compared.
type judged struct {
	name string
	e    Evidence
	now  float64
	want Verdict
}

func judgeAll(t *testing.T, tests []judged) {
	t.Helper()
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Judge(&tt.e, at(tt.now))
			got.Since, got.FactAt, got.Next = time.Time{}, time.Time{}, time.Time{}
			got.Subagents = 0
			if got != tt.want {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}
