package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/tuitest"
)

// TestALiveScreenBesideSomebodyElsewhere: a board in sight of somebody who types in another pane shows the
// screen as it is at each news of its window, reads nothing otherwise, and says that it does not follow.
func TestALiveScreenBesideSomebodyElsewhere(t *testing.T) {
	d := newDriver(t, 120, 40)
	d.send(tea.BlurMsg{}) // it never had the focus
	snap := tuitest.Parse(three)
	d.give(snap)
	d.pass(previewSettle)
	if n := previews(d); n != 1 || !strings.Contains(text(d), "Do you want to proceed?") {
		t.Fatalf("%d screens were read for a board that opens without the focus:\n%s", n, text(d))
	}
	if !strings.Contains(text(d), pausedWord) {
		t.Error("nothing says that the screen stands still")
	}
	for range 5 {
		d.pass(previewIdle)
	}
	if n := previews(d); n != 1 {
		t.Errorf("%d screens were read without news", n-1)
	}
	d.give(changed(snap, 0))
	d.pass(previewNews)
	before := previews(d)
	d.pass(previewBusy)
	if n := previews(d); before != 1 || n != 2 {
		t.Errorf("news read %d screens at once and %d after a second, want 0 and 1", before-1, n-1)
	}
	d.send(tea.FocusMsg{})
	if strings.Contains(text(d), pausedWord) {
		t.Error("it is said to stand still with the focus")
	}
}

// TestAKeyIsProofOfTheFocus: where keys arrive somebody is there, whatever the terminal said last.
func TestAKeyIsProofOfTheFocus(t *testing.T) {
	d := everyday(t, 120, 40)
	d.send(tea.BlurMsg{})
	d.pass(time.Second)
	d.press("j")
	if !d.m.watched() || !d.board.did("focus") {
		t.Error("a board that is used rests as if nobody was there")
	}
}

// TestAnEmptyMiddleIsLeftOut: between what was said and an input box at the bottom there may be half a
// screen of nothing. The lines with something on them are worth more.
func TestAnEmptyMiddleIsLeftOut(t *testing.T) {
	d := newDriver(t, 120, 40)
	d.board.preview = Preview{Width: 80, Height: 40, Lines: strings.Split("❯ count the words\n\n● There are 4711."+strings.Repeat("\n", 30)+"────\n❯\n────\n  ? for shortcuts", "\n")}
	d.give(tuitest.Parse(three))
	d.pass(previewSettle)
	d.settle()
	s := text(d)
	for _, want := range []string{"│ ❯ count the words", "│ ● There are 4711.", "│ ────", "? for shortcuts"} {
		if !strings.Contains(s, want) {
			t.Errorf("%q is not to be seen:\n%s", want, s)
		}
	}
}
