package tracker

import (
	"cmp"
	"time"
)

// agent is what State keeps of one Claude Code process.
type agent struct {
	id      AgentID
	ev      Evidence
	pane    PaneID // "" while it lives in no pane of this server
	nested  bool   // started by another agent: part of that one's work, not a row
	byName  bool   // known only because a process has Claude's name
	bg      bool   // runs without a pane on purpose
	verdict Verdict
	earlier []Stretch // newest first; replaced, never written into
	turned  time.Time // when the present status began, as this board saw it
	known   time.Time // when it was first judged
	label   labels

	first    time.Time // when its own sources first told of it
	began    time.Time // when its process began, as far as any reading of it tells
	provenAt time.Time // the newest moment at which a source read its process as alive
	endedAt  time.Time // when it was told that it has ended
	looked   time.Time // newest look of the person
	owed     time.Time // when something was not told that may be told later; see tellOwed
	drawn    time.Time // of the look at its process that its row shows
	had      []string  // sessions that it has told of, oldest first; see maxSessions
}

// labels are what is shown of an agent besides its status: the newest of each kind.
type labels struct {
	session, entryName, version, cwd stamped
	named                            bool // entryName was given by the person, to this very process
	title, mode, model, transcript   stamped
	prompt, last                     stamped
	facts                            TranscriptFacts
}

// stamped is a text with the time of the fact that told it.
type stamped struct {
	at   time.Time
	text string
}

// set keeps the newer text. An empty text tells nothing.
func (t *stamped) set(at time.Time, text string) bool {
	if text == "" || at.Before(t.at) || at.Equal(t.at) && text <= t.text {
		return false
	}
	changed := t.text != text
	*t = stamped{at: at, text: text}
	return changed
}

// phantomSlack is how much a "startup" yields to any other word on the session: with a resume comes
// a startup under an id of its own, within the same second and in either order.
const phantomSlack = 5 * time.Second

// clear forgets a text from before at.
func (t *stamped) clear(at time.Time) {
	if t.at.Before(at) {
		*t = stamped{at: at}
	}
}

// learn takes in what a hook tells besides status.
func (l *labels) learn(at time.Time, h *Hook) {
	if h.SubagentID != "" {
		return // a subagent speaks of its own work
	}
	if h.Name != HookSessionEnd { // the end of a conversation names the old one
		when := at
		if h.Name == HookSessionStart && h.StartSource == "startup" {
			when = at.Add(-phantomSlack)
		}
		l.session.set(when, h.SessionID)
		l.transcript.set(when, h.TranscriptPath)
	}
	l.cwd.set(at, h.CWD)
	l.mode.set(at, h.PermissionMode)
	l.model.set(at, h.Model)
	l.title.set(at, h.Title)
	switch h.Name {
	case HookUserPromptSubmit:
		if humanPrompt(h.Prompt) {
			l.prompt.set(at, h.Prompt)
		}
	case HookStop, HookStopFailure:
		l.last.set(at, h.LastMessage)
	case HookSessionStart:
		if h.StartSource == "clear" {
			l.prompt.clear(at)
			l.last.clear(at)
		}
	}
}

// name is the best label: what the person called this process, then the titles of its session in
// the documented order. Two processes may share a session and so its titles.
func (l *labels) name() string {
	if l.named {
		return l.entryName.text
	}
	return cmp.Or(l.facts.CustomTitle, l.title.text, l.facts.AITitle, l.entryName.text)
}

// row makes the agent's row. The evidence is shared: State replaces its slices, it never writes
// into them.
func (a *agent) row() *AgentRow {
	l := &a.label
	f := &l.facts
	tool, detail := a.currentTool()
	prompt, last := l.prompt, l.last
	if f.PromptAt.After(prompt.at) {
		prompt.set(f.PromptAt, f.Prompt)
	}
	if f.LastTextAt.After(last.at) {
		last.set(f.LastTextAt, f.LastText)
	}
	return &AgentRow{
		ID: a.id, Pane: a.pane, SessionID: l.session.text,
		Name:    l.name(),
		Version: cmp.Or(l.version.text, f.Version), CWD: cmp.Or(l.cwd.text, f.CWD),
		Mode: cmp.Or(l.mode.text, f.Mode), Model: cmp.Or(f.Model, l.model.text),
		Tool: tool, ToolDetail: detail, Prompt: unwrapPastes(prompt.text), Last: last.text,
		Queued: f.Queued, Tokens: f.Tokens, Branch: f.GitBranch,
		Transcript: cmp.Or(l.transcript.text, f.Path), Verdict: a.verdict, Earlier: a.earlier, Evidence: a.ev,
	}
}

// currentTool is the tool at work or asked for.
func (a *agent) currentTool() (tool, detail string) {
	if s := a.verdict.Status; s != StatusBusy && s != StatusNeedsInput {
		return "", ""
	}
	h, tr := &a.ev.Hooks, &a.ev.Transcript
	if a.verdict.Status == StatusNeedsInput {
		for _, r := range h.Requests { // newest first
			if !h.answered(r.At, r.Subagent, r.Prompt, r.Key, tr) && !r.At.Before(h.Start.At) {
				return r.Tool, r.Detail
			}
		}
	}
	for _, t := range h.Tools {
		if !a.ev.over(&t) {
			return t.Tool, t.Detail
		}
	}
	if tr.ToolPending {
		return tr.Tool, tr.ToolDetail
	}
	return "", ""
}

// over reports whether a tool call is known to be at work no more. A call that was refused or interrupted
// has no hook that says so: the rest of its turn and the next prompt do.
func (e *Evidence) over(t *ToolFact) bool {
	h, tr := &e.Hooks, &e.Transcript
	switch {
	case !t.Post.Before(t.Pre), newer(t.Pre, e.Registry.endedAt()), newer(t.Pre, h.endOf(t.Prompt)):
		return true
	case t.UseID != "" && tr.ResultOf == t.UseID && !tr.ResultAt.Before(t.Pre):
		return true
	case t.Subagent != "":
		return false // a subagent works on while its parent is given something else
	case newer(t.Pre, tr.InterruptedAt):
		return true
	}
	for _, turn := range h.Turns {
		if turn.ID != t.Prompt && newer(t.Pre, turn.Prompt) {
			return true
		}
	}
	return false
}

// endedAt is when Claude last said that it rests.
func (r RegistryEvidence) endedAt() time.Time {
	if r.Word == "idle" {
		return r.StatusAt
	}
	return time.Time{}
}

func (e *HookEvidence) endOf(prompt string) time.Time {
	for _, t := range e.Turns {
		if t.ID == prompt {
			return t.Ended
		}
	}
	return time.Time{}
}
