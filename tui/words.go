package tui

import (
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// targetOf is a pane as tmux would name it: session:window.pane.
func targetOf(s *tracker.SessionRow, w *tracker.WindowRow, p *tracker.PaneRow) string {
	t := s.Name + ":" + strconv.Itoa(w.Index)
	if p != nil {
		t += "." + strconv.Itoa(p.Index)
	}
	return t
}

// nameOf is the best name for what lives in a pane.
func nameOf(w *tracker.WindowRow, p *tracker.PaneRow) string {
	if p != nil && p.Agent != nil && p.Agent.Name != "" {
		return p.Agent.Name
	}
	return w.Name
}

// ageWords is an age for the middle of a sentence.
func ageWords(now, since time.Time) string {
	age, _ := grid.Age(now, since)
	if age == "" || age == "now" {
		return age
	}
	n, unit := age[:len(age)-1], age[len(age)-1:]
	if unit == "m" {
		unit = "min"
	}
	return n + " " + unit
}

// lasted is how long something went on that is over: it does not change, so it need not be rough.
func lasted(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + "d"
}

// modelName is the short name of a model: without the maker in front and the date behind.
func modelName(model string) string {
	model = strings.TrimPrefix(model, "claude-")
	if i := strings.LastIndexByte(model, '-'); i > 0 && len(model)-i == len("-20250101") && strings.Trim(model[i+1:], "0123456789") == "" {
		model = model[:i]
	}
	return model
}

// modeName is a permission mode in the words people use.
func modeName(mode string) string {
	switch mode {
	case "default":
		return "manual"
	case "acceptEdits":
		return "accepts edits"
	case "bypassPermissions":
		return "asks nothing"
	case "dontAsk":
		return "denies what it would ask"
	case "plan":
		return "plan mode"
	}
	return mode
}

// tokenWords sums what an agent has used.
func tokenWords(t tracker.Tokens) string {
	if t == (tracker.Tokens{}) {
		return ""
	}
	text := amount(t.Input+t.CacheWrite) + " in " + amount(t.Output) + " out"
	if t.CacheRead > 0 {
		text += " " + amount(t.CacheRead) + " cached"
	}
	return text
}

// amount is a number in at most four characters.
func amount(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n)
	case n < 9_950:
		return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + "k"
	case n < 999_500:
		return strconv.Itoa((n+500)/1000) + "k"
	case n < 9_950_000:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + "M"
	}
	return strconv.Itoa((n+500_000)/1e6) + "M"
}

// kindWords says what a window without an agent does.
func kindWords(w *tracker.WindowRow) string {
	switch w.Kind {
	case tracker.KindActive:
		if w.AtShell() {
			return "at its prompt"
		}
		return "active"
	case tracker.KindRunning:
		return "running"
	case tracker.KindWaiting:
		return "at its prompt"
	case tracker.KindError:
		return "error"
	}
	return "quiet"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// wrap breaks a text into lines of at most w cells, between words where it can.
func wrap(text string, w int) []string {
	if text == "" || w <= 0 {
		return nil
	}
	var lines []string
	line := ""
	for _, word := range strings.Fields(style.Clean(text)) {
		switch {
		case line == "":
			line = word
		case style.Width(line)+1+style.Width(word) <= w:
			line += " " + word
		default:
			lines = append(lines, line)
			line = word
		}
	}
	return append(lines, line)
}
