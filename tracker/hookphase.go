package tracker

import (
	"slices"
	"time"
)

// wakeGrace is how long a turn that is about to go on by itself (background work just ended, a
// prompt waits in Claude's queue) is still called busy. Claude wakes up within 0.2 s of it in the
// recordings; calling it done in between would ring twice for one task.
const wakeGrace = time.Second

// parallelSlack separates tool calls made at once from those made one after another: a later call
// in the same scope proves that an earlier dialog was answered, one made together with it does not.
const parallelSlack = time.Second

// compactLimit ends a compaction whose PostCompact never came.
const compactLimit = 5 * time.Minute

// phase is what the hooks (and the transcript, where it completes them) say on their own. A zero
// status means they say nothing.
type phase struct {
	status      Status
	reason      string
	at          time.Time // the deciding fact
	since       time.Time
	failed      string
	interrupted bool
	background  int
	next        time.Time
}

// hookPhase derives the phase. It is a function of the newest fact of each kind, so it does not
// matter in which order the hooks came in.
func hookPhase(e *Evidence, now time.Time) phase {
	h := &e.Hooks
	begin := e.began() // facts of an earlier life of the conversation are void
	if p, ok := h.waiting(&e.Transcript, begin); ok {
		return p
	}
	t, ok := h.current(begin)
	if !ok {
		if h.Start.At.IsZero() {
			return phase{}
		}
		return phase{status: StatusIdle, reason: "new conversation", at: h.Start.At, since: h.Start.At}
	}
	if t.open() {
		return openPhase(e, t)
	}
	return endedPhase(e, t, now)
}

// current is the turn of the newest prompt since begin.
func (e *HookEvidence) current(begin time.Time) (TurnFact, bool) {
	var unnamed TurnFact
	for _, t := range e.Turns { // newest first
		switch {
		case t.Progress.Before(begin):
		case t.ID == "": // of a version without ids, or a call that came without one among others
			unnamed = t
		default:
			return t, true
		}
	}
	return unnamed, !unnamed.Progress.IsZero()
}

// open reports whether the turn still runs. A turn with an id ends once and for all; without ids
// only a new prompt or a new tool call opens one again, never the late end of a call.
func (t TurnFact) open() bool {
	if t.Ended.IsZero() {
		return true
	}
	return t.ID == "" && newer(t.Ended, latest(t.Prompt, t.Work))
}

func openPhase(e *Evidence, t TurnFact) phase {
	tr := &e.Transcript
	last := latest(t.Prompt, t.Work)
	if last.IsZero() {
		last = t.Progress
	}
	switch {
	case newer(last, tr.InterruptedAt) && !newer(tr.InterruptedAt, tr.TurnEndAt):
		return phase{status: StatusIdle, reason: "interrupted", at: tr.InterruptedAt, since: tr.InterruptedAt, interrupted: true}
	case newer(latest(last, t.Progress), tr.TurnEndAt):
		p := phase{status: StatusIdle, reason: "ready", at: tr.TurnEndAt, since: tr.TurnEndAt}
		if newer(e.LookedAt, tr.TurnEndAt) {
			p.status, p.reason = StatusReview, "done"
		}
		return p
	case newer(t.Progress, e.Hooks.IdleNotice):
		return phase{status: StatusIdle, reason: "ready", at: e.Hooks.IdleNotice, since: e.Hooks.IdleNotice}
	}
	return phase{status: StatusBusy, reason: reasonWorks, at: t.Progress, since: t.began()}
}

// began is when the turn began. Prompts without an id share one TurnFact, so there the newest
// prompt counts, or the newest call where Claude woke up without one.
func (t TurnFact) began() time.Time {
	switch {
	case t.ID != "":
		return t.First
	case newer(t.Ended, t.Prompt):
		return t.Prompt
	case newer(t.Ended, t.Work):
		return t.Work
	}
	return t.First
}

func endedPhase(e *Evidence, t TurnFact, now time.Time) phase {
	h := &e.Hooks
	running, lastEnd := h.backgroundNow()
	wake := time.Time{}
	if len(h.Background) > 0 && running == 0 {
		wake = lastEnd.Add(wakeGrace)
	}
	if newer(t.Asked, t.Prompt) && t.Ended.After(t.Prompt) { // a second prompt was queued behind the first
		wake = latest(wake, t.Ended.Add(wakeGrace))
	}
	switch {
	case running > 0:
		return phase{status: StatusBusy, reason: reasonBackground, at: latest(t.Ended, lastEnd), since: t.Ended, background: running}
	case now.Before(wake):
		return phase{status: StatusBusy, reason: reasonGoesOn, at: latest(t.Ended, lastEnd), since: t.Ended, next: wake}
	}
	p := phase{status: StatusIdle, reason: "ready", at: t.Ended, since: t.Ended, failed: t.Failed}
	if newer(e.LookedAt, t.Ended) {
		p.status, p.reason = StatusReview, "done"
		if t.Failed != "" {
			p.reason = "stopped with an API error"
		}
	}
	return p
}

// backgroundNow counts the background tasks of the newest Stop that still run, and tells when the
// last of those that ended did so. Only subagents tell of their end by a hook; a shell's end shows
// as the prompt by which Claude wakes up.
func (e *HookEvidence) backgroundNow() (running int, lastEnd time.Time) {
	for _, b := range e.Background {
		ended := time.Time{}
		for _, s := range e.Subagents {
			if s.ID == b.ID {
				ended = s.Ended
			}
		}
		if ended.IsZero() {
			running++
		}
		lastEnd = latest(lastEnd, ended)
	}
	return running, lastEnd
}

// subagentsNow counts the subagents at work.
func (e *HookEvidence) subagentsNow() int {
	n := 0
	for _, s := range e.Subagents {
		if newer(s.Ended, s.Started) {
			n++
		}
	}
	return n
}

// waiting finds a dialog that nobody has answered yet: a question, a permission request, or a
// notice of one. The newest decides.
func (e *HookEvidence) waiting(tr *TranscriptEvidence, begin time.Time) (phase, bool) {
	var p phase
	consider := func(at time.Time, reason string) {
		if at.Before(begin) || !newer(p.at, at) {
			return
		}
		p = phase{status: StatusNeedsInput, reason: reason, at: at, since: at}
	}
	for i := range e.Requests {
		if r := &e.Requests[i]; !e.answered(r.At, r.Subagent, r.Prompt, r.Key, tr) {
			consider(r.At, dialogReason(r.Tool))
		}
	}
	for i := range e.Tools {
		t := &e.Tools[i]
		if AsksPerson(t.Tool) && t.Post.Before(t.Pre) && !e.answered(t.Pre, t.Subagent, t.Prompt, t.Key, tr) {
			consider(t.Pre, dialogReason(t.Tool))
		}
	}
	if n := e.Notice; !n.At.IsZero() && (n.Kind != "permission_prompt" || len(e.Requests) == 0) &&
		!newer(n.At, e.Answered) && !e.answered(n.At, "", "", "", tr) {
		consider(n.At, noticeReason(n.Kind))
	}
	return p, p.status != StatusNone
}

// answered reports whether a dialog that opened at at is over: its own tool call came back, its
// turn ended, a newer prompt or a later tool call of the same scope came in, or the transcript
// goes on. The end of another call made at the same time proves nothing.
//
// Between the answer and the end of the call no hook fires and no record is written. That the agent has
// started a process since is no proof: its status line, its hooks (the notice of this very dialog among
// them), its servers and the calls beside this one are its children too, and to call a dialog
// answered that still stands is worse than to call it so late.
func (e *HookEvidence) answered(at time.Time, subagent, prompt, key string, tr *TranscriptEvidence) bool {
	if newer(at, tr.InterruptedAt) {
		return true
	}
	for i := range e.Tools {
		t := &e.Tools[i]
		switch {
		case t.Subagent != subagent:
		case key != "" && t.Key == key && newer(at, t.Post),
			key != "" && t.Key == key && t.UseID != "" && t.UseID == tr.ResultOf && newer(at, tr.ResultAt),
			key == "" && newer(at, t.Post),
			newer(at.Add(parallelSlack), t.Pre):
			return true
		}
	}
	for i := range e.Turns {
		t := &e.Turns[i]
		if newer(at, t.Prompt) || subagent == "" && newer(at, t.Ended) && (t.ID == prompt || prompt == "") {
			return true
		}
	}
	if subagent == "" {
		return newer(at, latest(tr.TurnEndAt, tr.PromptAt))
	}
	return slices.ContainsFunc(e.Subagents, func(s SubagentFact) bool { return s.ID == subagent && newer(at, s.Ended) })
}

// compacting reports whether the conversation is being compacted.
func (e *HookEvidence) compacting(now time.Time) bool {
	return newer(e.Compacted, e.Compact) && now.Before(e.Compact.Add(compactLimit))
}

// AsksPerson reports whether a tool is itself a question to the person.
func AsksPerson(tool string) bool { return tool == "AskUserQuestion" || tool == "ExitPlanMode" }

func dialogReason(tool string) string {
	switch tool {
	case "AskUserQuestion":
		return "asks a question"
	case "ExitPlanMode":
		return "waits for plan approval"
	}
	return "waits for permission"
}

func noticeReason(kind string) string {
	switch kind {
	case "elicitation_dialog", "elicitation_url_dialog":
		return "a server asks for input"
	case "worker_permission_prompt":
		return "a worker waits for permission"
	}
	return "waits for permission"
}
