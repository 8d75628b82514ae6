package cli

import (
	"io"
	"strconv"
	"strings"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// tmuxTargetWidth bounds the name of the row that needs a person in the status line.
const tmuxTargetWidth = 20

// Looks of the parts of the status line, in tmux's words. What needs a person has a background of its
// own: tmux's status line is green unless somebody changed it, and a colour alone is unreadable on one
// bar or another. The colours are of the 256 that no theme changes, so that their contrast is known;
// tmux takes the nearest where there are fewer. The rest has none, and reads as well as the clock
// beside it.
const (
	chipNeeds  = "fg=colour16,bg=colour221,bold"
	chipFailed = "fg=colour231,bg=colour160,bold"
	chipReview = "fg=colour231,bg=colour92,bold"
)

// tmuxProblem prints the line for a board that cannot be read.
func tmuxProblem(w io.Writer) error {
	_, err := io.WriteString(w, "#["+chipFailed+"] "+plain().Shape(style.LampUnknown)+" signalbox #[default]\n")
	return err
}

// TmuxLine prints one line for tmux's status-right, with tmux's own colours: how many agents need a
// person and where the one that waits longest is, how many have failed, wait for a look and work. Nothing is
// printed for an empty board, so that a calm status line stays calm.
func TmuxLine(w io.Writer, snap *tracker.Snapshot) error {
	shape := plain().Shape
	c := snap.Counts
	var b strings.Builder
	chip := func(look, text string) { b.WriteString("#[" + look + "] " + text + " #[default]") }
	if snap.Tmux.State == tracker.StateFailed {
		chip(chipFailed, shape(style.LampUnknown)+" tmux")
	}
	if c.NeedsInput > 0 {
		text := shape(style.LampNeeds) + strconv.Itoa(c.NeedsInput)
		if id, ok := tracker.LongestWaiting(snap); ok {
			s, win, _ := snap.FindPane(id)
			name, _ := style.AppendCut(nil, targetOf(s, win), tmuxTargetWidth, style.Ellipsis)
			text += " " + escapeTmux(string(name))
		}
		chip(chipNeeds, text)
	}
	if c.Failed > 0 {
		chip(chipFailed, shape(style.LampFailed)+strconv.Itoa(c.Failed))
	}
	if n := c.Review - c.Failed; n > 0 {
		chip(chipReview, shape(style.LampReview)+strconv.Itoa(n))
	}
	if c.Busy > 0 {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(shape(style.LampBusy) + strconv.Itoa(c.Busy))
	}
	_, err := io.WriteString(w, b.String()+"\n")
	return err
}

// escapeTmux makes a text literal in a tmux format: tmux expands what `#(...)` prints.
func escapeTmux(text string) string { return strings.ReplaceAll(text, "#", "##") }
