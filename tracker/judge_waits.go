package tracker

import "time"

// waitingReason says in words people use what Claude waits for. The hooks know the tool; the
// registry's phrase is free text that differs between versions.
func waitingReason(word string, p phase) string {
	if word == dialogOpen {
		return "has a dialog open"
	}
	if p.status == StatusNeedsInput {
		return p.reason
	}
	switch word {
	case "permission prompt":
		return "waits for permission"
	case "input needed":
		return "asks a question"
	case "sandbox request":
		return "waits for a sandbox permission"
	case "worker request":
		return "a worker waits for permission"
	case "":
		return "waits for you"
	}
	return "waits: " + word
}

// dialogOpen is what Claude says of every dialog that is none of those with a word of their own.
const dialogOpen = "dialog open"

// waits adds what Claude waits for, and whether that is a dialog of the person's own.
func (e *Evidence) waits(v *Verdict, word string, p phase, now time.Time) {
	v.Reason, v.Dialog = waitingReason(word, p), word == dialogOpen
	if word != dialogOpen || !e.midTurn(p) {
		return
	}
	// A turn that ends under the person's own dialog does so in Claude's word first: what else tells of its
	// end comes a tenth of a second later. While a tool is at work no turn ends.
	if until := v.Since.Add(hookGrace); !e.toolAtWork() && now.Before(until) {
		v.Next = soonest(v.Next, until)
		return
	}
	v.Reason, v.Dialog = "a dialog holds its turn up", false
}

// toolAtWork reports whether a tool call of the agent's own turn has not come back.
func (e *Evidence) toolAtWork() bool {
	for i := range e.Hooks.Tools {
		if t := &e.Hooks.Tools[i]; t.Subagent == "" && !e.over(t) {
			return true
		}
	}
	return e.Transcript.ToolPending
}

// midTurn reports whether a turn is under way that Claude has not rested from. A person's own dialog
// (/model) leaves Claude's word at busy while a turn runs, so a "dialog open" in the middle of one is
// Claude's: auto mode that cannot check what it is to do asks this way, without any hook (2.1.332).
func (e *Evidence) midTurn(p phase) bool {
	begun := time.Time{}
	if p.status == StatusNeedsInput || p.status == StatusBusy && p.reason == reasonWorks {
		begun = p.at
	}
	tr := &e.Transcript
	if newer(latest(latest(tr.TurnEndAt, tr.InterruptedAt), tr.ErrorAt), tr.PromptAt) {
		begun = latest(begun, tr.PromptAt)
	}
	return newer(latest(e.Registry.RestedAt, e.began()), begun)
}
