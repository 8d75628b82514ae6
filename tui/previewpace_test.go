package tui

import (
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/tuitest"
)

// previews counts how often the board was asked for a screen.
func previews(d *driver) int {
	d.settle()
	d.board.mu.Lock()
	defer d.board.mu.Unlock()
	return d.board.previews
}

func TestPreviewWaitsUntilTheSelectionRests(t *testing.T) {
	d := everyday(t, 120, 40)
	d.pass(previewSettle)
	first := previews(d)
	if first != 1 {
		t.Fatalf("%d screens were read for one selection", first)
	}
	for range 6 { // a held key
		d.press("j")
		d.clock.at = d.clock.at.Add(10 * time.Millisecond)
	}
	if n := previews(d) - first; n != 0 {
		t.Errorf("%d screens were read while the selection moved", n)
	}
	d.pass(previewSettle)
	if n := previews(d) - first; n != 1 {
		t.Errorf("%d screens were read after it rested, want 1", n)
	}
}

func TestPreviewSlowsDownWhenNothingChanges(t *testing.T) {
	d := everyday(t, 120, 40)
	d.pass(previewSettle)
	previews(d)
	d.pass(previewBusy)
	after := previews(d) // the second one is the same picture
	d.pass(previewBusy)
	if n := previews(d); n != after {
		t.Error("a still picture is read every second")
	}
	d.pass(previewIdle)
	if n := previews(d); n != after+1 {
		t.Errorf("a still picture was read %d times in its time, want 1", n-after)
	}
	for range stillLooks {
		d.pass(previewIdle)
	}
	after = previews(d)
	d.pass(previewIdle)
	d.pass(previewIdle)
	if n := previews(d); n != after {
		t.Error("a picture that has stood still for long is read every few seconds")
	}
	d.pass(previewRest)
	if n := previews(d); n != after+1 {
		t.Errorf("a picture that has stood still for long was read %d times in its time, want 1", n-after)
	}
}

func TestPreviewKeepsUpWithAPictureThatChanges(t *testing.T) {
	d := newDriver(t, 120, 40)
	snap := tuitest.Parse(three)
	d.give(snap)
	d.pass(previewSettle)
	for range 2 * stillLooks { // it comes to rest
		d.pass(previewIdle)
	}
	d.board.preview.Lines = append(slices.Clone(d.board.preview.Lines), "something new")
	d.give(changed(snap, 0))
	d.pass(previewNews)
	after := previews(d)
	if !strings.Contains(d.m.View(), "something new") {
		t.Error("news of a window that stood still is not shown")
	}
	d.pass(previewBusy)
	if n := previews(d); n != after+1 {
		t.Error("a picture that changes is not read every second")
	}
}

func TestPreviewFollowsNewsOfItsWindow(t *testing.T) {
	d := newDriver(t, 120, 40)
	snap := tuitest.Parse(three)
	d.give(snap)
	d.pass(previewSettle)
	previews(d)
	d.pass(previewBusy)
	before := previews(d)
	d.give(changed(snap, 0))
	d.pass(previewNews)
	if n := previews(d); n != before+1 {
		t.Errorf("news of the window read its screen %d times, want 1", n-before)
	}
	d.give(changed(snap, 2)) // another window
	d.pass(previewNews)
	if n := previews(d); n > before+2 {
		t.Errorf("news of another window read the screen again")
	}
}

func TestPreviewRestsWithoutFocus(t *testing.T) {
	d := everyday(t, 120, 40)
	d.pass(previewSettle)
	before := previews(d)
	d.send(tea.BlurMsg{})
	for range 5 {
		d.pass(previewIdle)
	}
	if n := previews(d); n != before {
		t.Errorf("%d screens were read without the focus", n-before)
	}
	d.send(tea.FocusMsg{})
	if n := previews(d); n != before+1 {
		t.Errorf("coming back read %d screens, want 1 at once", n-before)
	}
}
