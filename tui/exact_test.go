package tui

import (
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/muesli/termenv"

	"signalbox/tui/prompt"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// TestFrameIsExactAtEverySize draws hostile boards at every small size and many larger ones. A
// frame one cell too wide wraps and ruins the screen; one line too many loses the header.
func TestFrameIsExactAtEverySize(t *testing.T) {
	for _, text := range []string{tuitest.Wide, tuitest.Long(), tuitest.Everyday, "tmux absent none", ""} {
		d := newDriver(t, 80, 24, func(o *Options) { o.Style = newStyle(testLook{style.Dark, termenv.ANSI256, style.Unicode}) })
		d.give(tuitest.Parse(text))
		d.send(queueMsg{queue: queueOf(1, prompt.Waiting{ID: "1", Pane: "%0", Where: strings.Repeat("設計", 30), Name: "x", Text: text, Note: text})})
		d.pass(previewSettle)
		d.settle()
		for _, mode := range [][]string{
			nil,
			{"?"},
			{"esc", " "},
			{"esc", "i"},
			{"esc", "'"},
			{"esc", "/", "x"},
			{"esc", "tab"},
			{"s", "日本語 👨\u200d👩\u200d👧 e\u0301", "alt+enter", "a very long line of words without an end"},
			{"esc", "t"},
		} {
			d.press(mode...)
			for w := 1; w <= 320; w = step(w) {
				for _, h := range []int{1, 2, 3, 8, 18, 40} {
					d.send(tea.WindowSizeMsg{Width: w, Height: h})
					d.m.dirty = true
					checkFrame(t, d.m.View(), w, h)
				}
			}
		}
	}
}

// step visits every small size and then ever fewer.
func step(n int) int { return n + 1 + n/4 }

func TestNothingIsDrawnBeforeTheSizeIsKnown(t *testing.T) {
	d := newDriver(t, 0, 0)
	if got := d.m.View(); got != "" {
		t.Errorf("View without a size is %q", got)
	}
	d.give(tuitest.Parse(tuitest.Everyday))
	if got := d.m.View(); got != "" {
		t.Errorf("View without a size is %q", got)
	}
}
