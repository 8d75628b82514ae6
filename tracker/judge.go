package tracker

import (
	"cmp"
	"fmt"
	"time"
)

// Deadlines of Judge.
const (
	// hookGrace is how long a hook that is newer than Claude's own word beats it. Claude writes its
	// word within 0.2 s of a change; a second covers a loaded machine.
	hookGrace = time.Second
	// startingLimit is how long a Claude process may be silent before silence means something.
	// Registry file and SessionStart hook come within 2 s of the start in the recordings.
	startingLimit = 10 * time.Second
	// removalGrace is how long the last word stands after its file was removed: an agent that exits
	// removes it some 50 ms before it ends.
	removalGrace = time.Second
	// QuietAfter is how long a busy agent may show no sign of progress before the board says so.
	QuietAfter = 5 * time.Minute
)

// reasonBackground tells the work of a resting agent's shells and subagents from that of a turn beside which
// they run.
const reasonBackground = "background work"

// reasonGoesOn is said between the end of background work and the turn that Claude begins over it.
const reasonGoesOn = "goes on by itself"

// reasonWorks is said of a turn that runs.
const reasonWorks = "works"

// Judge derives the status of one agent from what is known of it. It is the only place that
// assigns one. It is pure and total: the first rule that matches decides, in the order of the
// function body, and the verdict names the source that decided.
func Judge(e *Evidence, now time.Time) Verdict {
	v := decide(e, now)
	if v.FactAt.IsZero() {
		v.FactAt = v.Since
	}
	v.Subagents = e.Hooks.subagentsNow()
	v.Compacting = e.Hooks.compacting(now) && v.Status != StatusNeedsInput && v.Status != StatusUnknown
	if v.Status == StatusBusy {
		if v.Compacting {
			v.Reason = "compacts the conversation"
		}
		markQuiet(&v, e, now)
	}
	if v.Compacting {
		v.Next = soonest(v.Next, e.Hooks.Compact.Add(compactLimit))
	}
	return v
}

func decide(e *Evidence, now time.Time) Verdict {
	p := hookPhase(e, now)
	switch {
	case e.Process.Gone: // rule 1
		return Verdict{Status: StatusUnknown, Reason: "gone", Source: SourceProcess, Gone: true, Since: e.Process.At}
	case e.Process.Stopped: // rule 2
		return Verdict{
			Status: StatusUnknown, Reason: "suspended (fg to resume)", Source: SourceProcess,
			Suspended: true, Since: e.suspendedSince(), FactAt: e.Process.StoppedAt,
		}
	case e.Registry.Speaks(now): // rule 3
		// A Stop hook is called while the others of the same turn still run, and one of them may keep Claude
		// at work: until Claude itself rests, the turn is not over. A `claude -p` never rests, it ends.
		over := p.status == StatusReview && e.Registry.Word == "busy" && !e.Process.Headless
		if p.status != StatusNone && !over && newer(e.Registry.StatusAt, p.at) && now.Before(p.at.Add(hookGrace)) {
			v := p.verdict(SourceHook)
			v.Next = soonest(v.Next, p.at.Add(hookGrace))
			return v
		}
		v := judgeRegistry(e, p, now)
		v.Since = p.beganWith(&v)
		if newer(e.Registry.At, e.Registry.RemovedAt) {
			v.Next = soonest(v.Next, e.Registry.RemovedAt.Add(removalGrace))
		}
		return v
	case p.status != StatusNone: // rule 4
		return p.verdict(SourceHook)
	}
	return judgeSilence(e, now) // rules 5 and 6
}

// suspendedSince is when an agent was stopped. A board that has never seen it run goes by what the one
// before it knew, unless the agent has done something since: what is stopped does nothing.
func (e *Evidence) suspendedSince() time.Time {
	r, p := &e.Restored, &e.Process
	moved := latest(latest(e.Hooks.At, e.Registry.StatusAt), e.Transcript.LastAt)
	if r.Suspended && !p.Ran && !newer(r.Since, moved) {
		return earliest(p.StoppedAt, r.Since)
	}
	return p.StoppedAt
}

// Speaks reports whether Claude's own word can be believed and says anything.
func (r RegistryEvidence) Speaks(now time.Time) bool {
	return !r.At.IsZero() && r.Trust == TrustProven && r.Word != "" &&
		(!newer(r.At, r.RemovedAt) || now.Before(r.RemovedAt.Add(removalGrace)))
}

// shellEnded reports whether Claude rests after a shell in the background, which is the last that it said: when
// the shell ends it says idle for some milliseconds before it goes on.
func (r RegistryEvidence) shellEnded() bool {
	return r.Word == "idle" && newer(latest(r.WorkedAt, r.WaitingAt), r.ShellAt)
}

func (p phase) verdict(s Source) Verdict {
	return Verdict{
		Status: p.status, Reason: p.reason, Source: s, Since: p.since, FactAt: p.at, Failed: p.failed,
		Interrupted: p.interrupted, Background: p.background, Next: p.next,
	}
}

// beganWith is when a status began of which the hooks tell as well: when the first of the two said so.
func (p phase) beganWith(v *Verdict) time.Time {
	if p.status == v.Status && p.reason == v.Reason && v.Since.Sub(p.since).Abs() <= hookGrace {
		return earliest(v.Since, p.since)
	}
	return v.Since
}

// judgeRegistry translates Claude's own word.
func judgeRegistry(e *Evidence, p phase, now time.Time) Verdict {
	r := &e.Registry
	v := Verdict{Source: SourceRegistry, Since: r.StatusAt}
	switch r.Word {
	case "waiting":
		v.Status = StatusNeedsInput
		e.waits(&v, r.WaitingFor, p, now)
	case "busy":
		v.Status, v.Reason = StatusBusy, reasonWorks
		if q, ok := pendingQuestion(e); ok {
			return q
		}
		if p.status == StatusBusy && p.background > 0 {
			v.Background, v.Reason = p.background, reasonBackground
		}
	case "shell":
		running, _ := e.Hooks.backgroundNow()
		v.Status, v.Reason, v.Background = StatusBusy, reasonBackground, max(1, running)
	case "idle":
		return judgeIdle(e, p, now)
	default:
		v.Status, v.Reason = StatusUnknown, fmt.Sprintf("new status word %q", r.Word)
	}
	return v
}

// judgeIdle tells apart what Claude calls idle: a turn nobody has looked at yet, an interrupted
// one, and plain rest.
func judgeIdle(e *Evidence, p phase, now time.Time) Verdict {
	v := Verdict{Source: SourceRegistry, Status: StatusIdle, Reason: "ready", Since: e.Registry.StatusAt}
	if p.status == StatusBusy && now.Before(p.next) { // between two turns of one task
		q := p.verdict(SourceHook)
		return q
	}
	r, tr := &e.Registry, &e.Transcript
	if until := r.StatusAt.Add(wakeGrace); (r.shellEnded() || tr.QueueWaits) && now.Before(until) {
		since := cmp.Or(latest(r.ShellAt, r.WorkedAt), r.StatusAt)
		return Verdict{Status: StatusBusy, Reason: reasonGoesOn, Source: SourceRegistry, Since: since, Next: until}
	}
	if until := tr.PromptAt.Add(hookGrace); newer(e.Registry.StatusAt, tr.PromptAt) && now.Before(until) {
		// the transcript has the prompt some 20 ms before the registry has its word
		return Verdict{Status: StatusBusy, Reason: reasonWorks, Source: SourceTranscript, Since: tr.PromptAt, Next: until}
	}
	worked := latest(e.Registry.WorkedAt, tr.PromptAt)
	ended, failed := tr.TurnEndAt, ""
	for _, t := range e.Hooks.Turns {
		worked = latest(worked, t.Prompt)
		if !newer(t.Ended, ended) && !t.Ended.IsZero() {
			ended, failed = t.Ended, t.Failed
		}
	}
	if newer(ended, tr.ErrorAt) {
		ended, failed = tr.ErrorAt, tr.Error
	}
	switch {
	case ended.Before(e.began()) && tr.InterruptedAt.Before(e.began()):
		// what a process before this one did with the session is no news of this one (/resume)
	case newer(ended, tr.InterruptedAt) && !newer(tr.InterruptedAt, worked):
		v.Reason, v.Interrupted = "interrupted", true
	case e.Restored.Status == StatusIdle && newer(ended, e.Restored.Since):
		// it rested after that end already, and what ended the review (/compact) has left no other trace
	case ended.IsZero() || newer(ended, worked) || !newer(e.LookedAt, ended):
		v.Failed = ""
	case failed != "":
		v.Status, v.Reason, v.Failed, v.Since = StatusReview, "stopped with an API error", failed, ended
	default:
		v.Status, v.Reason, v.Since = StatusReview, "done", ended
	}
	if v.Status == StatusReview { // hook and transcript tell of one end a moment apart
		for _, at := range append(e.Hooks.ends(), tr.TurnEndAt) {
			if !at.Before(worked) && ended.Sub(at).Abs() <= hookGrace {
				v.Since = earliest(v.Since, at)
			}
		}
	}
	return v
}

// ends are the times at which turns ended.
func (e *HookEvidence) ends() []time.Time {
	var out []time.Time
	for _, t := range e.Turns {
		if !t.Ended.IsZero() {
			out = append(out, t.Ended)
		}
	}
	return out
}

// pendingQuestion finds a question that is open although the word says busy: some versions did
// not count AskUserQuestion and ExitPlanMode as waiting. If Claude said "waiting" after it and
// busy again since, it was answered and only its hook is late.
func pendingQuestion(e *Evidence) (Verdict, bool) {
	v := Verdict{Status: StatusNeedsInput, Source: SourceHook}
	r := &e.Registry
	for i := range e.Hooks.Tools {
		t := &e.Hooks.Tools[i]
		if AsksPerson(t.Tool) && t.Post.Before(t.Pre) && !newer(t.Pre, r.WaitingAt) && !t.Pre.Before(e.Hooks.Start.At) &&
			!e.Hooks.answered(t.Pre, t.Subagent, t.Prompt, t.Key, &e.Transcript) {
			v.Reason, v.Since = dialogReason(t.Tool), t.Pre
			return v, true
		}
	}
	tr := &e.Transcript
	if tr.ToolPending && AsksPerson(tr.Tool) && !newer(tr.ToolAt, r.WaitingAt) && !newer(tr.ToolAt, e.Hooks.lastPost(tr.Tool)) {
		v.Reason, v.Since, v.Source = dialogReason(tr.Tool), tr.ToolAt, SourceTranscript
		return v, true
	}
	return v, false
}

// lastPost is when a call of this tool last came back.
func (e *HookEvidence) lastPost(tool string) time.Time {
	var at time.Time
	for _, t := range e.Tools {
		if t.Tool == tool {
			at = latest(at, t.Post)
		}
	}
	return at
}

// began is when this life of the conversation began: its process, or its last SessionStart.
func (e *Evidence) began() time.Time { return latest(e.Process.Began, e.Hooks.Start.At) }

const dialogAtStart = "start-up dialog (trust?)"

// startUpDialog reports whether a process that has said nothing shows a dialog instead of its input box.
func (e *Evidence) startUpDialog() bool {
	return !e.Screen.At.IsZero() && !e.Screen.Composer && e.Screen.Dialog && e.Process.Claude && !e.Process.Headless
}

// judgeSilence is for a living process that has said nothing that can be used.
func judgeSilence(e *Evidence, now time.Time) Verdict {
	v := Verdict{Status: StatusUnknown, Source: SourceNone, Since: e.FirstSeen}
	r := &e.Registry
	switch {
	case e.Agents.Speaks():
		return judgeAgents(e, now)
	case !r.At.IsZero() && r.Trust == TrustUnproven:
		v.Reason, v.Source = "its start time cannot be checked", SourceRegistry
	case e.Restored.Status == StatusNeedsInput && e.startUpDialog():
		v.Status, v.Reason, v.Source, v.Since = StatusNeedsInput, dialogAtStart, SourceScreen, earliest(e.FirstSeen, e.Restored.Since)
	case e.Restored.Status != StatusNone && e.Restored.Status != StatusUnknown:
		v.Source, v.Since, v.Status, v.Reason = SourceJournal, e.Restored.Since, e.Restored.Status, "as before the restart"
		switch {
		case v.Status == StatusBusy:
			v.Status, v.Reason = StatusUnknown, "was busy before the restart"
		case v.Status == StatusReview && newer(e.Restored.Since, e.LookedAt):
			v.Status, v.Since = StatusIdle, e.LookedAt
		}
	case now.Before(e.FirstSeen.Add(startingLimit)):
		v.Reason, v.Source, v.Starting, v.Next = "starting", SourceProcess, true, e.FirstSeen.Add(startingLimit)
	case e.startUpDialog():
		v.Status, v.Reason, v.Source, v.Since = StatusNeedsInput, dialogAtStart, SourceScreen, e.FirstSeen
	default:
		v.Reason = "no hooks, no registry"
	}
	return v
}

// Speaks reports whether `claude agents --json` named this process.
func (a AgentsEvidence) Speaks() bool { return !a.At.IsZero() && !a.Missing && a.Status != "" }

// judgeAgents is for an agent of which only the slow list tells.
func judgeAgents(e *Evidence, now time.Time) Verdict {
	v := Verdict{Source: SourceAgents, Since: e.Agents.Since, FactAt: e.Agents.At}
	switch e.Agents.Status {
	case "waiting":
		v.Status = StatusNeedsInput
		e.waits(&v, e.Agents.WaitingFor, phase{}, now)
	case "busy":
		v.Status, v.Reason = StatusBusy, reasonWorks
	case "idle":
		v.Status, v.Reason = StatusIdle, "ready"
	default:
		v.Status, v.Reason = StatusUnknown, fmt.Sprintf("new status word %q", e.Agents.Status)
	}
	return v
}

// markQuiet adds that a busy agent has shown no sign of life for a long time. A sign of life is
// not a sign of progress, so the status stays.
func markQuiet(v *Verdict, e *Evidence, now time.Time) {
	sign := e.progressAt(v.Since)
	after := cmp.Or(e.QuietAfter, QuietAfter)
	if after < 0 {
		return
	}
	if at := sign.Add(after); now.Before(at) {
		v.Next = soonest(v.Next, at)
	} else {
		v.Quiet, v.QuietFor = true, int(now.Sub(sign)/time.Minute)
		v.Next = soonest(v.Next, sign.Add(time.Duration(v.QuietFor+1)*time.Minute))
	}
}

// progressAt is the newest sign of progress of what has gone on since.
func (e *Evidence) progressAt(since time.Time) time.Time {
	return latest(latest(e.Hooks.At, e.Transcript.LastAt), latest(e.OutputAt, since))
}

func soonest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// judgeListed is for a background agent of which only a row of `claude agents --json` tells. Its
// `state` is the story of the task and has been seen to lag behind ("working" when it rests);
// `status` is what a living process does now.
func judgeListed(e *AgentsEntry, since, at time.Time) Verdict {
	v := Verdict{Source: SourceAgents, Since: since, FactAt: at}
	switch {
	case e.State == "blocked", e.Status == "waiting":
		v.Status, v.Reason = StatusNeedsInput, waitingReason(e.WaitingFor, phase{})
	case e.State == "failed":
		v.Status, v.Reason, v.Failed = StatusReview, "failed", "failed"
	case e.State == "done", e.State == "stopped":
		v.Status, v.Reason = StatusIdle, e.State
	case e.Status == "busy", e.Status == "" && e.State == "working":
		v.Status, v.Reason = StatusBusy, reasonWorks
	case e.Status == "idle":
		v.Status, v.Reason = StatusIdle, "ready"
	default:
		v.Status, v.Reason = StatusUnknown, fmt.Sprintf("new state %q", cmp.Or(e.State, e.Status))
	}
	return v
}
