package tracker

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Explanation says why an agent has its status.
type Explanation struct {
	Status   string  `json:"status"`
	Reason   string  `json:"reason"`
	Told     string  `json:"told"` // the deciding source in words: "told by Claude"
	Since    float64 `json:"since"`
	Lines    []Piece `json:"evidence"`
	Conflict string  `json:"conflict,omitempty"` // two sources that disagree
	Changes  string  `json:"changes"`            // what would change the verdict
}

// Piece is one piece of evidence. At is zero for a source that has said nothing.
type Piece struct {
	Source  Source    `json:"source"`
	Text    string    `json:"text"`
	At      time.Time `json:"at"`
	Decided bool      `json:"decided"`
}

// Told names a source in the words of the board.
func Told(s Source) string {
	switch s {
	case SourceRegistry, SourceAgents:
		return "told by Claude"
	case SourceHook:
		return "from a hook"
	case SourceTranscript:
		return "from the transcript"
	case SourceProcess:
		return "from the process table"
	case SourceJournal:
		return "remembered"
	case SourceScreen:
		return "guessed from the screen"
	}
	return "nothing is known"
}

// Explain lists the evidence on an agent, each piece with its time, and which one decided.
func Explain(a *AgentRow) Explanation {
	e, v := &a.Evidence, a.Verdict
	x := Explanation{
		Status: v.Status.String(), Reason: v.Reason, Told: Told(v.Source),
		Since: seconds(v.Since), Changes: whatChanges(v),
	}
	x.Lines = append(x.Lines, explainProcess(a, e), explainRegistry(e))
	x.Lines = append(x.Lines, explainHooks(e)...)
	x.Lines = append(x.Lines, explainTranscript(e), explainAgents(e))
	if !e.Screen.At.IsZero() {
		text := "no input box on screen"
		if e.Screen.Composer {
			text = "an input box is on screen"
		}
		x.Lines = append(x.Lines, Piece{Source: SourceScreen, Text: text, At: e.Screen.At})
	}
	if !e.Restored.At.IsZero() {
		x.Lines = append(x.Lines, Piece{Source: SourceJournal, Text: e.Restored.Status.String() + " before the restart", At: e.Restored.Since})
	}
	if !e.LookedAt.IsZero() {
		x.Lines = append(x.Lines, Piece{Source: SourceNone, Text: "you looked at it, or asked something new", At: e.LookedAt})
	}
	x.markDecided(v)
	x.Conflict = conflict(e)
	return x
}

func seconds(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMilli()) / 1000
}

// markDecided marks the piece of the deciding source whose time is nearest to the deciding fact.
func (x *Explanation) markDecided(v Verdict) {
	best := -1
	for i, p := range x.Lines {
		if p.Source == v.Source && !p.At.IsZero() &&
			(best < 0 || p.At.Sub(v.FactAt).Abs() < x.Lines[best].At.Sub(v.FactAt).Abs()) {
			best = i
		}
	}
	if best >= 0 {
		x.Lines[best].Decided = true
	}
}

func explainProcess(a *AgentRow, e *Evidence) Piece {
	text := fmt.Sprintf("process %d is alive", a.ID.PID)
	switch {
	case e.Process.Gone:
		text = fmt.Sprintf("process %d is gone", a.ID.PID)
	case e.Process.Stopped:
		text = fmt.Sprintf("process %d is stopped", a.ID.PID)
	case e.Process.At.IsZero():
		text = fmt.Sprintf("process %d, not looked at yet", a.ID.PID)
	}
	return Piece{Source: SourceProcess, Text: text, At: e.Process.At}
}

func explainRegistry(e *Evidence) Piece {
	r := e.Registry
	p := Piece{Source: SourceRegistry, At: r.StatusAt}
	switch {
	case r.At.IsZero():
		p.Text = "no registry file (older than 2.1.139, or not started yet)"
	case newer(r.At, r.RemovedAt):
		p.Text, p.At = "the registry file was removed", r.RemovedAt
	case r.Trust == TrustUnproven:
		p.Text = "not believed: its start time cannot be checked"
	case r.Word == "":
		p.Text, p.At = "the registry file has no status yet", r.At
	case r.WaitingFor != "":
		p.Text = r.Word + " (" + r.WaitingFor + ")"
	default:
		p.Text = r.Word
	}
	return p
}

// explainHooks lists the few hooks that matter, newest first.
func explainHooks(e *Evidence) []Piece {
	h := &e.Hooks
	if h.At.IsZero() {
		return []Piece{{Source: SourceHook, Text: "no hook has come (not installed, or not allowed here)"}}
	}
	var out []Piece
	add := func(at time.Time, text string) {
		if !at.IsZero() {
			out = append(out, Piece{Source: SourceHook, Text: text, At: at})
		}
	}
	for _, t := range h.Turns[:min(len(h.Turns), 2)] {
		add(t.Prompt, "a prompt was submitted")
		end := "the turn ended"
		if t.Failed != "" {
			end = "the turn failed: " + t.Failed
		}
		add(t.Ended, end)
	}
	for _, r := range h.Requests[:min(len(h.Requests), 1)] {
		add(r.At, "permission asked: "+toolWords(r.Tool, r.Detail))
	}
	for _, t := range h.Tools[:min(len(h.Tools), 2)] {
		add(t.Pre, "tool call: "+toolWords(t.Tool, t.Detail))
		add(t.Post, "tool call came back: "+t.Tool)
	}
	add(h.Start.At, "conversation began: "+h.Start.Kind)
	add(h.Notice.At, "notice: "+strings.ReplaceAll(h.Notice.Kind, "_", " "))
	add(h.IdleNotice, "notice: waits for a prompt")
	add(h.Compact, "compaction began")
	add(h.Compacted, "compaction ended")
	if n, _ := h.backgroundNow(); n > 0 {
		add(h.BackgroundAt, fmt.Sprintf("%d background tasks run", n))
	}
	slices.SortStableFunc(out, func(a, b Piece) int { return b.At.Compare(a.At) })
	return out[:min(len(out), 8)]
}

func explainTranscript(e *Evidence) Piece {
	t := e.Transcript
	p := Piece{Source: SourceTranscript, At: t.LastAt, Text: "not read"}
	if t.At.IsZero() {
		return p
	}
	newest := time.Time{}
	for _, f := range []struct {
		at   time.Time
		text string
	}{
		{t.PromptAt, "a prompt"},
		{t.ToolAt, "tool call: " + toolWords(t.Tool, t.ToolDetail)},
		{t.TurnEndAt, "the turn ended"},
		{t.InterruptedAt, "interrupted"},
		{t.ErrorAt, "API error"},
	} {
		if !f.at.IsZero() && !newer(f.at, newest) {
			newest, p.Text, p.At = f.at, f.text, f.at
		}
	}
	if newest.IsZero() {
		p.Text = "read, nothing decisive"
	}
	return p
}

func explainAgents(e *Evidence) Piece {
	a := e.Agents
	switch {
	case a.At.IsZero():
		return Piece{Source: SourceAgents, Text: "`claude agents` was not asked or is not available"}
	case a.Missing:
		return Piece{Source: SourceAgents, Text: "not in `claude agents`", At: a.At}
	case a.WaitingFor != "":
		return Piece{Source: SourceAgents, Text: a.Status + " (" + a.WaitingFor + ")", At: a.At}
	}
	return Piece{Source: SourceAgents, Text: a.Status, At: a.At}
}

// conflict names two sources that disagree although both should know. `claude agents` prints
// "shell" as busy, and its answer is as old as its start.
func conflict(e *Evidence) string {
	r, a := e.Registry, e.Agents
	if r.Word == "" || r.Trust != TrustProven || newer(r.At, r.RemovedAt) || a.At.IsZero() || !newer(r.StatusAt, a.At) {
		return ""
	}
	word := r.Word
	if word == "shell" {
		word = "busy"
	}
	switch {
	case a.Missing:
		return "the registry file says " + r.Word + ", `claude agents` does not list it"
	case a.Status != "" && a.Status != word:
		return "the registry file says " + r.Word + ", `claude agents` says " + a.Status
	}
	return ""
}

// whatChanges names what would end the verdict, in words for "changes when".
func whatChanges(v Verdict) string {
	switch {
	case v.Gone:
		return "the row goes, in a moment"
	case v.Suspended:
		return "fg in its shell"
	case v.Starting:
		return "its first hook or registry file, or ten seconds of silence"
	case v.Source == SourceJournal && v.Status == StatusReview:
		return "jumping there, acknowledging it, or its first hook or registry file"
	case v.Source == SourceJournal:
		return "its first hook or registry file"
	}
	switch v.Status {
	case StatusNeedsInput:
		switch {
		case v.Source == SourceScreen:
			return "answering the dialog in its pane: the first hook or registry file follows"
		case v.Dialog:
			return "closing the dialog in its pane"
		}
		return "answering it in its pane"
	case StatusReview:
		return "jumping there, acknowledging it, or its next prompt"
	case StatusBusy:
		switch {
		case v.Compacting:
			return "the end of the compaction"
		case v.Background > 0 && v.Reason == reasonBackground:
			return "the end of the background work, or the next prompt"
		}
		return "the end of the turn, a dialog, or Esc"
	case StatusIdle:
		return "the next prompt, or a dialog"
	}
	return "a hook, a registry file that can be believed, or word of `claude agents`"
}
