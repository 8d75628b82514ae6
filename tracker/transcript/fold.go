package transcript

import (
	"slices"
	"strings"
	"time"

	"signalbox/tracker"
)

// accum folds the records of one file, in their order, into facts: of each kind the newest.
type accum struct {
	facts   tracker.TranscriptFacts
	pending []call // tool calls without a result, oldest first
	newest  call   // tool call seen last
	answer  string // message id of the answer seen last
	queue   queue
	tokens  counter
	weak    string // `last-prompt`: a prompt, not always the last one
	// settled: a record was seen before which no tool can be pending any more, so that older
	// records add nothing to the state of the turn.
	settled bool
	records int
	// clock stands in for timestamps as long as the file has shown none.
	clock time.Time
}

// call is a tool call on the main chain.
type call struct {
	id, tool, detail string
	answer           string // message id of the answer it is part of
	at               time.Time
}

func newAccum(l *ledger, o owner) *accum {
	return &accum{tokens: counter{ledger: l, owner: o}}
}

// fold takes the next record.
func (a *accum) fold(r *record) {
	a.records++
	at := a.time(r)
	if r.sidechain {
		return // a subagent: the time of its record is all that concerns the parent
	}
	a.context(r)
	switch r.kind {
	case "user":
		a.user(r, at)
	case "assistant":
		a.assistant(r, at)
	case "system":
		a.system(r, at)
	case "attachment":
		if r.sub == "queued_command" {
			a.delivered(r, at)
		}
	case "queue-operation":
		if absorbed := a.queue.operate(r.operation, clip(r.text, textRunes)); absorbed != "" {
			a.facts.Prompt, a.facts.PromptAt = absorbed, at
		}
	case "custom-title":
		a.facts.CustomTitle = label(r.text)
	case "ai-title":
		a.facts.AITitle = label(r.text)
	case "last-prompt":
		if !strings.HasPrefix(r.text, "!") {
			a.weak = clip(strings.TrimSpace(r.text), textRunes)
		}
	}
}

// time is when the record was written. Without a timestamp that is just after the one before it:
// the place in the file is the order of events.
func (a *accum) time(r *record) time.Time {
	at := r.at
	if at.IsZero() {
		at = a.clock
		if !a.facts.LastAt.IsZero() {
			at = a.facts.LastAt.Add(time.Nanosecond)
		}
		if r.kind != "user" && r.kind != "assistant" && r.kind != "system" {
			return at // titles and the like never have one and say nothing about time
		}
	}
	if at.After(a.facts.LastAt) {
		a.facts.LastAt = at
	}
	return at
}

// context takes what many kinds of records carry along.
func (a *accum) context(r *record) {
	set := func(field *string, v string) {
		if v != "" {
			*field = clip(v, textRunes)
		}
	}
	set(&a.facts.CWD, r.cwd)
	set(&a.facts.GitBranch, r.branch)
	set(&a.facts.Version, r.version)
	set(&a.facts.Mode, r.mode)
}

func (a *accum) user(r *record, at time.Time) {
	for i := range r.results {
		a.resolve(r.results[i].id)
		if !r.results[i].failed { // a refusal is a failure too, and the marker that follows it says more
			a.facts.ResultOf, a.facts.ResultAt = label(r.results[i].id), at
		}
	}
	if r.interrupted() {
		a.facts.InterruptedAt = at
		a.settle()
		return
	}
	text := strings.Join(r.texts, "\n")
	prompt := r.prompt()
	if prompt == "" {
		if machineText(text) {
			a.queue.delivered(clip(text, textRunes))
		}
		return
	}
	if r.source == "typed" {
		// Typed at the prompt and started at once: nothing can have been waiting before it. What
		// is left was lost in a crash.
		a.queue.clear()
	}
	a.delivered(r, at)
	a.settle()
}

// delivered notes a prompt that reached the model.
func (a *accum) delivered(r *record, at time.Time) {
	a.queue.delivered(clip(strings.Join(r.texts, "\n"), textRunes))
	if prompt := r.prompt(); prompt != "" {
		a.facts.Prompt, a.facts.PromptAt = clip(prompt, textRunes), at
	}
}

func (a *accum) assistant(r *record, at time.Time) {
	if r.apiError {
		a.facts.Error, a.facts.ErrorAt = errorLabel(r), at
		a.said(r, at) // it is what stands last on the screen, and what the hook of the failed turn tells
		a.settle()
		return
	}
	if r.model == "<synthetic>" {
		return // words of the harness, not of the model
	}
	a.nextAnswer(r)
	if a.tokens.add(r.messageID, r.usage, r.copied) && r.model != "" {
		a.facts.Model = label(r.model)
	}
	a.said(r, at)
	for _, u := range r.uses {
		a.newest = call{id: u.id, tool: label(u.name), detail: u.detail, answer: r.messageID, at: at}
		if len(a.pending) == maxPending {
			a.pending = a.pending[1:]
		}
		a.pending = append(a.pending, a.newest)
	}
}

// said notes the last words of an answer.
func (a *accum) said(r *record, at time.Time) {
	for _, t := range r.texts {
		if t = strings.TrimSpace(t); t != "" {
			a.facts.LastText, a.facts.LastTextAt = clip(t, textRunes), at
		}
	}
}

// nextAnswer lets go of calls that can have no result any more. The model is asked again only
// when every call of its last answer has one, so a call of an earlier answer was dropped (a stream
// that fell back, an unpaired call of an older version) or is in a part of the file not read.
func (a *accum) nextAnswer(r *record) {
	if r.finished {
		a.settle()
	}
	if r.messageID == "" || r.messageID == a.answer {
		return
	}
	a.settled = a.settled || a.answer != ""
	a.answer = r.messageID
	a.pending = slices.DeleteFunc(a.pending, func(c call) bool { return c.answer != r.messageID })
}

// errorLabel is the kind of an API error where it is a telling word, else its text.
func errorLabel(r *record) string {
	if r.errorKind != "" && r.errorKind != "unknown" {
		return label(r.errorKind)
	}
	if text := label(strings.Join(r.texts, " ")); text != "" {
		return text
	}
	return "unknown"
}

func (a *accum) system(r *record, at time.Time) {
	switch r.sub {
	case "turn_duration":
		a.facts.TurnEndAt = at
		a.settle()
	case "compact_boundary":
		// The calls before it are gone from the conversation: no result can come any more.
		a.facts.CompactedAt = at
		a.settle()
	}
}

// settle forgets the pending tools: the turn they belonged to is over.
func (a *accum) settle() {
	a.pending = a.pending[:0]
	a.settled = true
}

// resolve notes the result of a tool call.
func (a *accum) resolve(id string) {
	for i := range a.pending {
		if a.pending[i].id == id {
			a.pending = append(a.pending[:i], a.pending[i+1:]...)
			return
		}
	}
}

// current is the call to show: a question first, since it waits for a person; else the oldest
// without a result, since calls that do not run side by side run in order; else the newest.
func (a *accum) current() (c call, pending bool) {
	for _, p := range a.pending {
		if tracker.AsksPerson(p.tool) {
			return p, true
		}
	}
	if len(a.pending) > 0 {
		return a.pending[0], true
	}
	return a.newest, false
}

// sum is what is known so far. head is what was counted before the part of the file that a has
// seen, or nil; whole says that it is complete, so that its newest facts are the newest ones
// before that part. It fills gaps and never wins.
func (a *accum) sum(head *accum, whole bool) tracker.TranscriptFacts {
	f := a.facts
	c, pending := a.current()
	f.Tool, f.ToolDetail, f.ToolUseID, f.ToolAt, f.ToolPending = c.tool, c.detail, c.id, c.at, pending
	f.Queued, f.QueueWaits = a.queue.prompts(), len(a.queue.items) > 0
	f.Tokens = a.tokens.sum
	if head != nil {
		f.Tokens = addTokens(f.Tokens, head.tokens.sum)
	}
	if head != nil && whole {
		fillGaps(&f, &head.facts)
	}
	if f.Prompt == "" {
		f.Prompt = a.weak
	}
	return f
}

// fillGaps takes from the older part of a file what the newer part did not say.
func fillGaps(f, older *tracker.TranscriptFacts) {
	text := func(field *string, v string) {
		if *field == "" {
			*field = v
		}
	}
	if f.PromptAt.IsZero() {
		f.Prompt, f.PromptAt = older.Prompt, older.PromptAt
	}
	if f.LastTextAt.IsZero() {
		f.LastText, f.LastTextAt = older.LastText, older.LastTextAt
	}
	if f.ErrorAt.IsZero() {
		f.Error, f.ErrorAt = older.Error, older.ErrorAt
	}
	if f.ResultAt.IsZero() {
		f.ResultOf, f.ResultAt = older.ResultOf, older.ResultAt
	}
	when(&f.InterruptedAt, older.InterruptedAt)
	when(&f.TurnEndAt, older.TurnEndAt)
	when(&f.CompactedAt, older.CompactedAt)
	text(&f.CustomTitle, older.CustomTitle)
	text(&f.AITitle, older.AITitle)
	text(&f.Model, older.Model)
	text(&f.Mode, older.Mode)
}

func when(field *time.Time, t time.Time) {
	if field.IsZero() {
		*field = t
	}
}
