package tracker

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// maxSummary bounds a summary in characters; the readers cut it to cells.
const maxSummary = 160

// shells are the programs that wait at a prompt when they are in front.
var shells = []string{"bash", "zsh", "fish", "sh", "dash", "ksh", "tcsh", "csh", "nu", "elvish", "xonsh", "pwsh"}

// describe sets the kind and the summary of a window: what happens right now.
func (s *State) describe(w *WindowRow) {
	p := w.LeadPane()
	if p == nil {
		w.Kind, w.Summary = KindIdle, ""
		return
	}
	if a := p.Agent; a != nil {
		w.Kind, w.Summary = agentKind(a.Verdict), AgentSummary(a)
		return
	}
	f := windowFacts{pane: p, output: w.Activity, screen: s.facts.screens[screenKey{p.ID, p.PID}], now: s.now, home: s.home}
	w.Kind, w.Summary = classify(&f)
}

func agentKind(v Verdict) WindowKind {
	switch v.Status {
	case StatusBusy:
		if v.Background > 0 {
			return KindRunning
		}
		return KindActive
	case StatusNeedsInput, StatusReview, StatusIdle:
		return KindWaiting
	}
	return KindIdle
}

// IsShell reports whether a command name is that of an interactive shell.
func IsShell(command string) bool {
	return slices.Contains(shells, strings.TrimPrefix(command, "-"))
}

// apiError is how Claude begins the words with which a turn ends that the API has failed.
const apiError = "API Error"

var pasteTag = lazyRegexp(`\s*</?pasted_content id="[^"]{0,64}">\s*`)

// unwrapPastes takes away what Claude puts around a long paste for the model's eyes (2.1.2xx and later).
func unwrapPastes(prompt string) string {
	if !strings.Contains(prompt, "pasted_content id=") {
		return prompt
	}
	return strings.TrimSpace(pasteTag().ReplaceAllString(prompt, "\n"))
}

// AgentSummary says in one line what an agent does right now, or what it wants.
func AgentSummary(a *AgentRow) string {
	v := a.Verdict
	tool := ""
	if a.Tool != "" {
		tool = toolWords(a.Tool, a.ToolDetail)
	}
	text := ""
	switch v.Status {
	case StatusNeedsInput:
		text = v.Reason
		if tool != "" && !v.Dialog {
			text = tool
		}
	case StatusReview:
		text = join(v.Reason, a.Last)
		if v.Failed != "" && strings.HasPrefix(a.Last, apiError) { // it says so itself, and there is no room to say it twice
			text = join("stopped", a.Last)
		}
	case StatusBusy:
		switch {
		case v.Compacting:
			text = v.Reason
		case v.Background > 0:
			text = join("background work", join(tool, a.Last))
		case tool != "":
			text = tool
		case a.Prompt != "":
			text = a.Prompt
		default:
			text = v.Reason
		}
		if v.Quiet {
			text = join(fmt.Sprintf("quiet %dm", v.QuietFor), text)
		}
	case StatusIdle:
		switch {
		case v.Interrupted:
			text = join("interrupted", a.Prompt)
		case a.Last != "":
			text = a.Last
		default:
			text = v.Reason
		}
	default:
		text = v.Reason
	}
	return clipLine(text, maxSummary)
}

func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + ": " + b
}

// toolWords names a tool call in words: the tool and its most telling argument.
func toolWords(tool, detail string) string {
	switch tool {
	case "AskUserQuestion":
		return join("asks", detail)
	case "ExitPlanMode":
		return "plan is ready for approval"
	}
	if rest, ok := strings.CutPrefix(tool, "mcp__"); ok {
		tool = strings.ReplaceAll(rest, "__", " ")
	}
	return join(tool, detail)
}

// clipLine folds white space and removes control characters, also those that turn text around; it
// cuts at limit characters. It is for texts of strangers: what it returns cannot move a cursor or
// break a line.
func clipLine(text string, limit int) string {
	var b strings.Builder
	space, n := false, 0
	for _, r := range text {
		if unicode.Is(unicode.Bidi_Control, r) {
			continue
		}
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = b.Len() > 0
			continue
		}
		if n >= limit {
			break
		}
		if space {
			b.WriteByte(' ')
			space = false
			n++
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}
