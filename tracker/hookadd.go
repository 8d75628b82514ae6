package tracker

import (
	"cmp"
	"slices"
	"time"
)

// How much of the past the hook evidence keeps. More than one prompt is kept only so that a late
// hook of a finished prompt can be told from one of the current prompt.
const (
	maxTurns     = 16
	maxTools     = 16
	maxRequests  = 8
	maxSubagents = 16
)

// Add takes in one hook call that began at at. It is a merge: the order of calls does not matter,
// and adding the same call again changes nothing.
func (e *HookEvidence) Add(at time.Time, h *Hook) {
	e.At = latest(e.At, at)
	switch h.Name {
	case HookSessionStart:
		if h.StartSource == "compact" {
			e.Compacted = latest(e.Compacted, at)
			return
		}
		e.addStart(at, h.StartSource)
	case HookSessionEnd:
		e.End.merge(at, h.EndReason, "")
	case HookUserPromptSubmit, HookPreToolUse, HookPermissionRequest, HookPermissionDenied,
		HookPostToolUse, HookPostToolUseFailure:
		e.addWork(at, h)
	case HookStop, HookStopFailure:
		e.addEnd(at, h)
	case HookSubagentStart, HookSubagentStop:
		e.addSubagent(at, h.SubagentID, h.Name == HookSubagentStop)
	case HookNotification:
		e.addNotice(at, h)
	case HookElicitation:
		e.Notice.merge(at, "elicitation_dialog", h.Message)
	case HookElicitationResult:
		e.Answered = latest(e.Answered, at)
	case HookPreCompact:
		e.Compact = latest(e.Compact, at)
	case HookPostCompact:
		e.Compacted = latest(e.Compacted, at)
	}
}

// addStart keeps the newest beginning. A process starts up once: a "startup" beside any other kind
// is the phantom that comes with a resume, whichever of the two is seen first.
func (e *HookEvidence) addStart(at time.Time, source string) {
	const startup = "startup"
	switch {
	case source == startup && e.Start.Kind != "" && e.Start.Kind != startup:
	case source != startup && e.Start.Kind == startup:
		e.Start = HookFact{At: at, Kind: source}
	default:
		e.Start.merge(at, source, "")
	}
}

func (e *HookEvidence) addWork(at time.Time, h *Hook) {
	switch h.Name {
	case HookPreToolUse:
		e.addTool(at, h, false)
	case HookPostToolUse, HookPostToolUseFailure, HookPermissionDenied:
		e.addTool(at, h, true)
	case HookPermissionRequest:
		e.addRequest(at, h)
	}
	if h.SubagentID != "" {
		return // a subagent's work never changes its parent's turn
	}
	e.turn(h.PromptID, func(t *TurnFact) {
		t.First = earliest(t.First, at)
		t.Progress = latest(t.Progress, at)
		switch h.Name {
		case HookUserPromptSubmit:
			t.Asked = earliest(t.Asked, at)
			t.Prompt = latest(t.Prompt, at)
		case HookPreToolUse, HookPermissionRequest:
			t.Work = latest(t.Work, at)
		}
	})
}

func (e *HookEvidence) addEnd(at time.Time, h *Hook) {
	if h.SubagentID != "" { // some versions report a subagent's end as a Stop
		e.addSubagent(at, h.SubagentID, true)
		return
	}
	failed := ""
	if h.Name == HookStopFailure {
		failed = cmp.Or(h.Error, "unknown")
	}
	running := runningTasks(h.Background)
	if newer(e.BackgroundAt, at) || e.BackgroundAt.Equal(at) && len(running) > len(e.Background) {
		e.Background, e.BackgroundAt = running, at
	}
	e.turn(h.PromptID, func(t *TurnFact) {
		t.First = earliest(t.First, at)
		t.Progress = latest(t.Progress, at)
		switch {
		case newer(t.Ended, at):
			t.Ended, t.Failed = at, failed
		case t.Ended.Equal(at):
			t.Failed = max(t.Failed, failed)
		}
	})
}

func runningTasks(all []BackgroundTask) []BackgroundTask {
	var out []BackgroundTask
	for _, b := range all {
		switch b.Status {
		case "completed", "failed", "killed", "stopped", "cancelled":
		default:
			out = append(out, b)
		}
	}
	return out
}

// turn finds or makes the turn of a prompt and keeps the list bounded, newest first.
func (e *HookEvidence) turn(id string, change func(*TurnFact)) {
	i := slices.IndexFunc(e.Turns, func(t TurnFact) bool { return t.ID == id })
	if i < 0 {
		e.Turns = append(slices.Clip(e.Turns), TurnFact{ID: id})
		i = len(e.Turns) - 1
	} else {
		e.Turns = slices.Clone(e.Turns) // snapshots share the old array
	}
	change(&e.Turns[i])
	slices.SortFunc(e.Turns, func(a, b TurnFact) int {
		return cmp.Or(b.First.Compare(a.First), cmp.Compare(a.ID, b.ID))
	})
	e.Turns = e.Turns[:min(len(e.Turns), maxTurns)]
}

func (e *HookEvidence) addTool(at time.Time, h *Hook, post bool) {
	key := func(t ToolFact) bool {
		return t.UseID == h.ToolUseID && t.Subagent == h.SubagentID && (t.UseID != "" || t.Key == h.ToolKey)
	}
	i := slices.IndexFunc(e.Tools, key)
	if i < 0 {
		e.Tools = append(slices.Clip(e.Tools), ToolFact{
			UseID: h.ToolUseID, Subagent: h.SubagentID,
			Prompt: h.PromptID, Tool: h.Tool, Detail: h.ToolDetail, Key: h.ToolKey,
		})
		i = len(e.Tools) - 1
	} else {
		e.Tools = slices.Clone(e.Tools)
	}
	if t := &e.Tools[i]; post {
		t.Post = latest(t.Post, at)
	} else {
		t.Pre = latest(t.Pre, at)
	}
	slices.SortFunc(e.Tools, func(a, b ToolFact) int {
		return cmp.Or(b.newest().Compare(a.newest()), cmp.Compare(a.UseID, b.UseID), cmp.Compare(a.Key, b.Key))
	})
	e.Tools = e.Tools[:min(len(e.Tools), maxTools)]
}

func (t ToolFact) newest() time.Time { return latest(t.Pre, t.Post) }

func (e *HookEvidence) addRequest(at time.Time, h *Hook) {
	i := slices.IndexFunc(e.Requests, func(r RequestFact) bool {
		return r.Subagent == h.SubagentID && r.Key == h.ToolKey && r.Tool == h.Tool
	})
	if i < 0 {
		e.Requests = append(slices.Clip(e.Requests), RequestFact{})
		i = len(e.Requests) - 1
	} else {
		e.Requests = slices.Clone(e.Requests)
	}
	if r := &e.Requests[i]; newer(r.At, at) || r.At.IsZero() {
		*r = RequestFact{
			At: at, Subagent: h.SubagentID, Prompt: h.PromptID, Tool: h.Tool,
			Detail: h.ToolDetail, Key: h.ToolKey,
		}
	}
	slices.SortFunc(e.Requests, func(a, b RequestFact) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Key, b.Key), cmp.Compare(a.Subagent, b.Subagent))
	})
	e.Requests = e.Requests[:min(len(e.Requests), maxRequests)]
}

func (e *HookEvidence) addSubagent(at time.Time, id string, ended bool) {
	if id == "" {
		return
	}
	i := slices.IndexFunc(e.Subagents, func(s SubagentFact) bool { return s.ID == id })
	if i < 0 {
		e.Subagents = append(slices.Clip(e.Subagents), SubagentFact{ID: id})
		i = len(e.Subagents) - 1
	} else {
		e.Subagents = slices.Clone(e.Subagents)
	}
	if s := &e.Subagents[i]; ended {
		s.Ended = latest(s.Ended, at)
	} else {
		s.Started = latest(s.Started, at)
	}
	slices.SortFunc(e.Subagents, func(a, b SubagentFact) int {
		return cmp.Or(latest(b.Started, b.Ended).Compare(latest(a.Started, a.Ended)), cmp.Compare(a.ID, b.ID))
	})
	e.Subagents = e.Subagents[:min(len(e.Subagents), maxSubagents)]
}

func (e *HookEvidence) addNotice(at time.Time, h *Hook) {
	switch h.Notification {
	case "permission_prompt", "worker_permission_prompt", "elicitation_dialog", "elicitation_url_dialog":
		e.Notice.merge(at, h.Notification, h.Message)
	case "elicitation_complete", "elicitation_response":
		e.Answered = latest(e.Answered, at)
	case "idle_prompt":
		e.IdleNotice = latest(e.IdleNotice, at)
	}
}

// merge keeps the newer fact; of two at the same instant the one whose text sorts last, so that
// the outcome does not depend on arrival.
func (f *HookFact) merge(at time.Time, kind, detail string) {
	g := HookFact{At: at, Kind: kind, Detail: detail}
	if f.At.IsZero() || newer(f.At, at) || f.At.Equal(at) && kind+detail > f.Kind+f.Detail {
		*f = g
	}
}

func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
