package interlock

import (
	"strings"

	"signalbox/tmuxctl/interlock/composer"
)

// screen draws what is in the pane, 14 rows high.
func (w *world) screen() composer.Screen {
	const height = 14
	s := composer.Screen{Width: w.width, Height: height, Alternate: w.alternate}
	rule := strings.Repeat("─", w.width)
	var rows []string
	shown := w.view
	if w.relic && shown == viewShell {
		shown = viewBox
	}
	switch shown {
	case viewDialog:
		rows = []string{"● Running Bash.", rule, " Do you want to proceed?", " ❯ 1. Yes", "   2. No", " Esc to cancel", rule[:len(rule)-len("─")*4] + " a ─"}
		s.CursorX, s.CursorY = 1, height-len(rows)+3
	case viewTranscript:
		rows = []string{rule, "  Showing detailed transcript"}
		s.CursorX, s.CursorY = 0, height-1
	case viewEditor:
		rows, s.CursorX, s.CursorY = []string{"~", "~"}, 0, 0
	case viewShell:
		rows = []string{"[1]+  Stopped  claude", "$ "}
		s.CursorX, s.CursorY = 2, height-1
	default:
		rows = w.boxRows(rule)
		s.CursorY = height - 3
		s.CursorX = 2 + len([]rune(w.box))
		if i := strings.LastIndex(w.box, "\n"); i >= 0 {
			s.CursorX = 2 + len([]rune(w.box[i+1:]))
		}
	}
	for len(rows) < height {
		rows = append([]string{""}, rows...)
	}
	for _, r := range rows {
		s.Lines = append(s.Lines, composer.Line{Spans: []composer.Span{{Text: r}}})
	}
	return s
}

func (w *world) boxRows(rule string) []string {
	rows := []string{"❯ hello", "● Echo: hello", ""}
	if w.picker {
		rows = append(rows, "    + README.md")
	}
	rows = append(rows, rule)
	for i, line := range strings.Split(w.box, "\n") {
		mark := "  "
		if i == 0 {
			mark = "❯\u00a0"
		}
		rows = append(rows, mark+line)
	}
	return append(rows, rule, "  "+w.hint)
}
