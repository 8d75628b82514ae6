package fakeagent

import (
	"fmt"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// view says which screen is shown.
type view uint8

const (
	viewMain view = iota
	viewTranscript
	viewHistory
	viewCustom // a screen set from outside, see Control
)

// screen is everything a frame is made of. It is a copy of the agent's state at one moment, so
// that drawing needs no lock and tests need no agent.
type screen struct {
	width, height int
	version, dir  string
	name, mode    string
	mark          string // prompt mark of the composer
	view          view
	custom        frame
	conv          []entry
	dialog        *dialog
	comp          composer
	vim           bool
	ghost         string // dim suggestion in the empty composer
	busy          bool
	spin          int    // step of the spinner
	word          string // what the spinner says
	elapsed       time.Duration
	tokens        int
	hint          string // right-aligned above the composer
	footnote      string // replaces the footer: "Press Ctrl-C again to exit"
	tasks         []string
	shells        int
	agents        bool // "· ← for agents" is still shown
	history       []string
}

// render makes a frame of a screen.
func (s *screen) render() frame {
	if s.view == viewCustom {
		return s.custom
	}
	if s.dialog != nil && s.dialog.kind == dialogTrust {
		dd := s.dialog.draw(s.width, "")
		return frame{rows: dd.rows, x: dd.x, y: dd.y}
	}
	if s.view == viewTranscript {
		foot := "  Showing detailed transcript · ctrl+o to toggle · ↑/↓ to scroll · v to open in vi · ? for shortcuts"
		return s.pin([]string{fg(colourRule, rule(s.width)), fg(colourGrey, cut(foot, s.width))}, 0, 1)
	}
	if s.view == viewHistory {
		dd := s.drawHistory()
		return s.pin(dd.rows, dd.x, dd.y)
	}
	if s.dialog != nil {
		dd := s.dialog.draw(s.width, s.name)
		return s.pin(dd.rows, dd.x, dd.y)
	}
	rows, x, y := s.drawBottom()
	return s.pin(rows, x, y)
}

// pin puts rows at the bottom of the screen under the conversation; x, y is the cursor in them.
// Rows that do not fit lose their top, and say so where there is an empty row.
func (s *screen) pin(bottom []string, x, y int) frame {
	if over := len(bottom) - s.height; over > 0 {
		bottom = append([]string(nil), bottom[over:]...)
		for i := len(bottom) - 1; i >= 0; i-- {
			if bottom[i] == "" {
				bottom[i] = " " + fg(colourGrey, fmt.Sprintf("↑ %d more lines", over))
				break
			}
		}
		return frame{rows: bottom, x: x, y: max(0, y-over)}
	}
	area := s.height - len(bottom)
	above := s.conversation(area)
	rows := make([]string, 0, s.height)
	rows = append(rows, above...)
	for len(rows) < area {
		rows = append(rows, "")
	}
	return frame{rows: append(rows, bottom...), x: x, y: area + y}
}

// conversation is the header and the blocks, or their end where they do not fit.
func (s *screen) conversation(area int) []string {
	rows := s.header()
	for i, e := range s.conv {
		if i > 0 {
			rows = append(rows, "")
		}
		for _, p := range e {
			rows = append(rows, p.rows(s.width)...)
		}
	}
	if over := len(rows) - area; over > 0 {
		rows = rows[over:]
	}
	return rows
}

// header is the logo with version, model and folder, and two empty rows.
func (s *screen) header() []string {
	about := []string{bold("Claude Code") + " " + fg(colourGrey, "v"+s.version), fg(colourGrey, "Opus 5.5 · API Usage Billing"), fg(colourGrey, clean(s.dir))}
	if s.width < 40 {
		about = []string{about[0], fg(colourGrey, "Opus 5.5"), fg(colourGrey, "API Usage Billing"), about[2]}
	}
	logo := []string{" ▐▛███▛█   ", "▝▜██████▀  ", " ▝▝   ▝▝   "}
	for len(logo) < len(about) {
		logo = append([]string{strings.Repeat(" ", 11)}, logo...)
	}
	rows := []string{""}
	for i, a := range about {
		rows = append(rows, cut(fg(colourClay, logo[i])+a, s.width))
	}
	return append(rows, "", "")
}

// drawBottom is the spinner, the hint, the composer between its two rules, and the footer.
func (s *screen) drawBottom() (rows []string, x, y int) {
	if s.busy {
		rows = append(rows, s.spinner())
	}
	menu := s.menu()
	if menu == nil {
		hint := cut(s.hint, s.width-2)
		rows = append(rows, strings.Repeat(" ", max(0, s.width-2-ansi.StringWidth(hint)))+fg(colourGrey, hint))
	}
	rows = append(rows, menu...)
	rows = append(rows, namedRule(s.width, s.name))
	lines, cx, cy := s.comp.layout(s.width - 3)
	x, y = cx+2, len(rows)+cy
	for i, l := range lines {
		rows = append(rows, s.composerRow(l, i, cx, cy))
	}
	rows = append(rows, fg(colourRule, rule(s.width)), s.footer())
	if len(s.tasks) > 0 {
		rows = append(rows, "", "  ● main")
		for _, t := range s.tasks {
			rows = append(rows, "  ◯ "+cut(t, s.width-6))
		}
	}
	return rows, x, y
}

// composerRow draws one row of the input box with Claude's own cursor: an inverse cell.
func (s *screen) composerRow(line string, i, cx, cy int) string {
	lead := "  "
	switch {
	case i == 0 && s.comp.shell:
		lead = fg(colourPink, "!"+nbsp)
	case i == 0 && s.busy:
		lead = fg(colourGrey, s.mark+nbsp)
	case i == 0:
		lead = s.mark + nbsp
	}
	if s.comp.empty() && s.ghost != "" {
		r := []rune(clean(s.ghost))
		return lead + inverse(string(r[0])) + dim(cut(string(r[1:]), s.width-4))
	}
	line = clean(line)
	if i != cy {
		return lead + line
	}
	before, rest := ansi.Truncate(line, cx, ""), ansi.TruncateLeft(line, cx, "")
	at, after := " ", ""
	if rest != "" {
		at, after = ansi.Truncate(rest, 1, ""), ansi.TruncateLeft(rest, 1, "")
	}
	return lead + before + inverse(at) + after
}

// spinnerMarks are the steps of the spinner, in Claude's order.
var spinnerMarks = [...]string{"·", "✢", "*", "✶", "✻", "✽"}

func (s *screen) spinner() string {
	mark := spinnerMarks[s.spin%len(spinnerMarks)]
	word := []rune(s.word)
	at := s.spin % max(1, len(word))
	text := fg(colourClay, string(word[:at])) + fg(colourShine, string(word[at:min(at+3, len(word))])) +
		fg(colourClay, string(word[min(at+3, len(word)):])+"…")
	more := fmt.Sprintf(" (%ds · ↓ %d tokens)", int(s.elapsed.Seconds()), s.tokens)
	return cut(fg(colourClay, mark)+" "+text+fg(colourGrey, more), s.width)
}

// footer is the mode line.
func (s *screen) footer() string {
	if s.footnote != "" {
		return "  " + fg(colourGrey, cut(s.footnote, s.width-2))
	}
	if s.comp.shell {
		return "  " + fg(colourPink, "! for shell mode")
	}
	text := map[string]string{
		"plan": "⏸ plan mode on (shift+tab to cycle)", "acceptEdits": "⏵⏵ accept edits on (shift+tab to cycle)",
		"auto": "⏵⏵ auto mode on (shift+tab to cycle)",
	}[s.mode]
	if text == "" {
		text = "⏸ manual mode on"
		if s.comp.empty() && !s.busy && s.shells == 0 && !(s.vim && !s.comp.normal) {
			text += " · ? for shortcuts"
		}
	}
	if s.busy {
		text += " · esc to interrupt"
	}
	if s.shells > 0 {
		text += fmt.Sprintf(" · %d shell", s.shells)
	}
	if s.agents && s.comp.empty() {
		text += " · ← for agents"
	}
	if s.shells > 0 || len(s.tasks) > 0 {
		text += " · ↓ to manage"
	}
	if s.vim && !s.comp.normal {
		text = "-- INSERT -- " + text
	}
	return "  " + fg(colourGrey, cut(text, s.width-4))
}
