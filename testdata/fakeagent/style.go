package fakeagent

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Colours of Claude Code's dark theme, as captured in the recordings.
const (
	colourRule    = 244
	colourGrey    = 246
	colourDash    = 239
	colourClay    = 174 // logo, spinner
	colourShine   = 216 // the moving highlight of the spinner's word
	colourWhite   = 231
	colourBlue    = 153 // selections and permission dialogs
	colourYellow  = 220 // errors and the trust dialog
	colourPink    = 211 // shell mode
	colourTeal    = 73
	colourPrompBG = 237
)

// nbsp follows the prompt mark of the composer; prompts in the conversation have a plain blank.
const nbsp = "\u00a0"

func fg(colour int, s string) string {
	return "\x1b[38;5;" + strconv.Itoa(colour) + "m" + s + "\x1b[39m"
}

func bold(s string) string { return "\x1b[1m" + s + "\x1b[22m" }

func inverse(s string) string { return "\x1b[7m" + s + "\x1b[27m" }

func dim(s string) string { return "\x1b[2m" + s + "\x1b[22m" }

// onPrompt paints a whole row with the background of a prompt.
func onPrompt(s string, width int) string {
	return "\x1b[48;5;" + strconv.Itoa(colourPrompBG) + "m" + pad(s, width) + "\x1b[49m"
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

func rule(width int) string { return strings.Repeat("─", max(0, width)) }

// namedRule is a rule that carries the session's name near its right end.
func namedRule(width int, name string) string {
	if name == "" {
		return fg(colourRule, rule(width))
	}
	name = ansi.Truncate(clean(name), max(0, width-4), "")
	return fg(colourRule, rule(width-ansi.StringWidth(name)-3)+" "+name+" ─")
}

// cut shortens a styled row to the width with an ellipsis.
func cut(s string, width int) string {
	if ansi.StringWidth(s) <= width {
		return s
	}
	return ansi.Truncate(s, width, "…")
}

// clean drops control characters: prompts and names come from whoever runs the agent, and what
// they hold must not steer the terminal.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r >= 0x7f && r < 0xa0 {
			return -1
		}
		return r
	}, s)
}

// wrap breaks plain text at blanks into rows of at most width cells.
func wrap(text string, width int) []string {
	var out []string
	for _, line := range strings.Split(text, "\n") {
		for _, row := range strings.Split(ansi.Wrap(clean(line), max(1, width), ""), "\n") {
			out = append(out, strings.TrimRight(row, " "))
		}
	}
	return out
}

// para is a paragraph of the conversation: a lead in front of its first row, the rest indented to
// match, and one colour for its text (0: the default).
type para struct {
	lead   string // styled
	text   string // plain
	colour int
	prompt bool // painted as a prompt of the person
	oneRow bool // cut instead of wrapped
}

func (p para) rows(width int) []string {
	indent := ansi.StringWidth(p.lead)
	lines := wrap(p.text, width-indent)
	if p.oneRow {
		lines = []string{cut(clean(p.text), width-indent-2)}
	}
	out := make([]string, 0, len(lines))
	for i, l := range lines {
		lead := p.lead
		if i > 0 {
			lead = strings.Repeat(" ", indent)
		}
		if p.colour != 0 {
			l = fg(p.colour, l)
		}
		row := lead + l
		if p.prompt {
			row = onPrompt(row, width)
		}
		out = append(out, row)
	}
	return out
}

// entry is one block of the conversation; blocks are separated by an empty row.
type entry []para

// Blocks of the conversation.

func promptEntry(text string) entry {
	return entry{{lead: "❯ ", text: text, colour: colourWhite, prompt: true}}
}

func sayEntry(text string) entry {
	return entry{{lead: fg(colourWhite, "●") + " ", text: text}}
}

func errorEntry(text string) entry {
	return entry{{lead: fg(colourYellow, "●") + " ", text: text, colour: colourYellow}}
}

// noteEntry is a grey line with an optional line below it.
func noteEntry(text string, below ...string) entry {
	e := entry{{lead: "  ", text: text, colour: colourGrey}}
	for _, b := range below {
		e = append(e, belowPara(b))
	}
	return e
}

// toolEntry is a tool call with what is known of its result.
func toolEntry(title string, below ...string) entry {
	e := entry{{lead: fg(colourGrey, "●") + " ", text: title}}
	for _, b := range below {
		e = append(e, belowPara(b))
	}
	return e
}

func belowPara(text string) para {
	return para{lead: fg(colourGrey, "  ⎿  "), text: text, colour: colourGrey, oneRow: true}
}

const interruptedText = "Interrupted · What should Claude do instead?"
