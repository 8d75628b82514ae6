package tui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

// TestGoldenMatrix draws every size of board on every size of screen, with every kind of text in every
// theme. The texts are compared with golden frames; the themes must agree on them to the last cell, and
// differ in their colours. What the colours are is held by TestGoldenColours.
func TestGoldenMatrix(t *testing.T) {
	themes := []style.Theme{style.Dark, style.Light, style.Mono}
	for _, size := range goldenSizes {
		got := archive{comment: fmt.Sprintf("Boards of 0 to 500 windows on %d×%d cells, the panel off, without colours and blanks at line ends.\nWritten by: go test ./tui -run TestGolden -update\n", size.w, size.h)}
		for _, windows := range []int{0, 1, 12, 100, 500} {
			for _, kind := range tuitest.Kinds() {
				if windows == 0 && kind != tuitest.Plain && kind != tuitest.SourceDown || windows == 500 && kind == tuitest.OneEach {
					continue // no names to be long, and nothing that 100 do not show
				}
				name := fmt.Sprintf("%d windows, %s", windows, kind)
				frames := make([]string, len(themes))
				for i, theme := range themes {
					d := newDriver(t, size.w, size.h, func(o *Options) {
						o.Style, o.Settings.NoPreview = newStyle(testLook{theme, termenv.TrueColor, style.Unicode}), true
					})
					d.give(tuitest.ManyOf(windows, kind))
					frames[i] = d.m.View()
					checkFrame(t, frames[i], size.w, size.h)
					if text := ansi.Strip(frames[i]); text != ansi.Strip(frames[0]) {
						t.Errorf("%d×%d, %s: %s and %s are not the same picture.\n%s", size.w, size.h, name, themes[0], theme, firstDifference(ansi.Strip(frames[0]), text))
					}
					if i > 0 && frames[i] == frames[i-1] {
						t.Errorf("%d×%d, %s: %s and %s have the same colours", size.w, size.h, name, themes[i-1], theme)
					}
				}
				if colours := strings.Count(frames[2], "\x1b[38"); colours > 0 {
					t.Errorf("%d×%d, %s: the theme without colours has %d", size.w, size.h, name, colours)
				}
				got.add(name, trimmed(ansi.Strip(frames[0])))
			}
		}
		compareGolden(t, fmt.Sprintf("matrix-%dx%d.txtar", size.w, size.h), got)
	}
}
