package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

func TestOnlyOnePreviewIsOnItsWay(t *testing.T) {
	d := everyday(t, 120, 40)
	d.pass(previewSettle)
	for range 5 { // no answer comes
		d.pass(previewIdle)
	}
	if n := d.m.seq.preview; n != 1 {
		t.Errorf("%d requests are under way", n)
	}
}

func TestOvertakenPreviewIsDropped(t *testing.T) {
	d := everyday(t, 120, 40)
	d.pass(previewSettle)
	stale := previewMsg{seq: d.m.seq.preview, pane: "%0", preview: Preview{Lines: []string{"STALE"}}}
	d.press("j", "j")
	d.pass(previewSettle)
	d.send(stale)
	if d.m.preview.shots["%0"] != nil {
		t.Error("an overtaken answer was kept")
	}
}

func TestNoPreviewWithoutRoomOrWish(t *testing.T) {
	small := everyday(t, 60, 12)
	small.pass(time.Second)
	if n := previews(small); n != 0 {
		t.Errorf("%d screens were read on a terminal without a panel", n)
	}
	small.press("p")
	if got := footer(small); got != " p: the screen has no room for it; space shows it whole" || small.m.Settings().NoPreview {
		t.Errorf("turning off what is not there says %q", got)
	}
	off := everyday(t, 120, 40)
	before := previews(off)
	off.press("p")
	off.press("j")
	off.pass(time.Minute)
	if n := previews(off); n != before {
		t.Errorf("%d screens were read with the preview off", n-before)
	}
	down := newDriver(t, 120, 40)
	down.give(tuitest.Parse(tuitest.Everyday + "\ntmux failed no answer"))
	down.pass(time.Second)
	if n := previews(down); n != 0 {
		t.Errorf("%d screens were read while tmux does not answer", n)
	}
}

func TestFailedPreviewSaysSo(t *testing.T) {
	d := everyday(t, 120, 40)
	d.board.err = errors.New("can't find pane %0")
	d.pass(previewSettle)
	d.settle()
	if !strings.Contains(text(d), "The screen cannot be read: can't find pane %0") {
		t.Error("the panel does not say why there is no screen")
	}
}

func TestComingBackShowsTheLastScreenAtOnce(t *testing.T) {
	d := everyday(t, 120, 40)
	d.pass(previewSettle)
	d.settle()
	d.press("j", "j")
	d.pass(previewSettle)
	d.settle()
	d.press("k", "k")
	if !strings.Contains(text(d), "Do you want to proceed?") {
		t.Error("the panel is empty until the next capture")
	}
}

func TestShotsAreBounded(t *testing.T) {
	d := newDriver(t, 120, 40)
	d.give(tuitest.Many(100))
	for range 60 {
		d.press("l")
		d.press("j")
		d.pass(previewSettle)
		d.settle()
	}
	if n := len(d.m.preview.shots); n > maxShots {
		t.Errorf("%d screens are kept", n)
	}
}

func TestTheTimerRestsWhenNothingMoves(t *testing.T) {
	still := func(o *Options) { o.Style = newStyle(testLook{style.Mono, 0, style.Unicode}) }
	d := newDriver(t, 80, 10, still) // no panel, no motion
	d.give(tuitest.Parse("$ a\n0 zsh | shell | ~ | 3m\n1 c | idle | x | 5h\n"))
	next := d.m.nextChange()
	if next.IsZero() || next.Sub(d.clock.at) < 30*time.Minute {
		t.Errorf("the next change is %v away, but only an age of 5 hours will change", next.Sub(d.clock.at))
	}
	arms := 0
	d.m.timer.arm = func(time.Duration, uint64) tea.Cmd { arms++; return nil }
	d.send(tickMsg{seq: d.m.timer.seq - 1})
	if arms > 0 {
		t.Error("a timer that was overtaken arms another one beside that which is armed")
	}
	d.press("j", "k", "j", "k")
	if arms > 0 {
		t.Errorf("keys that change no time armed %d more timers", arms)
	}
}

func TestLampsRestWithoutFocusAndWithReducedMotion(t *testing.T) {
	d := everyday(t, 80, 10)
	if !d.m.moving() {
		t.Fatal("no lamp moves although agents are busy")
	}
	d.pass(frameEvery)
	if d.m.frame == 0 {
		d.pass(frameEvery)
	}
	d.send(tea.BlurMsg{})
	if d.m.moving() || d.m.frame != 0 {
		t.Error("lamps move without the focus, or rest while they are dark")
	}
	if next := d.m.nextChange(); next.Sub(d.clock.at) < restAge {
		t.Errorf("without the focus the board wakes up after %v", next.Sub(d.clock.at))
	}
	calm := everyday(t, 80, 10, func(o *Options) { o.Style = newStyle(testLook{style.Mono, 0, style.Unicode}) })
	frame := calm.m.View()
	calm.pass(500 * time.Millisecond)
	if calm.m.moving() || calm.m.View() != frame {
		t.Error("lamps move although motion is off")
	}
}

// TestNothingMovesWhereNobodyCanSee hides the board's window behind another one, and detaches the last
// client of its session.
func TestNothingMovesWhereNobodyCanSee(t *testing.T) {
	d := everyday(t, 80, 10)
	own := d.m.snap.Sessions[0].Windows[0].Panes[0].ID
	place := func(attached, active bool) *tracker.Snapshot {
		s := *d.m.snap
		s.Rev++
		s.Sessions = slices.Clone(s.Sessions)
		sess := *s.Sessions[0]
		sess.Attached = attached
		sess.Windows = slices.Clone(sess.Windows)
		w := *sess.Windows[0]
		w.Active = active
		sess.Windows[0] = &w
		s.Sessions[0] = &sess
		return &s
	}
	d.m.opt.Self = own
	for _, step := range []struct {
		name             string
		attached, active bool
		after            time.Duration
		moves            bool
	}{
		{"its window is shown", true, true, 0, true},
		{"another window is shown", true, false, 0, false},
		{"its window is shown again", true, true, 0, true},
		{"nobody is attached", false, true, 0, true},
		{"for a while", false, true, detachedGrace / 2, true},
		{"for longer", false, true, detachedGrace, false},
		{"somebody is back", true, true, 0, true},
	} {
		d.give(place(step.attached, step.active))
		d.pass(step.after)
		d.settle()
		if got := d.m.moving(); got != step.moves {
			t.Errorf("%s: lamps move: %v", step.name, got)
		}
		if next := d.m.nextChange().Sub(d.clock.at); (next < restAge) != step.moves {
			t.Errorf("%s: the board wakes up after %v", step.name, next)
		}
	}
}

func TestTimerFiresAtMostAtTheFrameRate(t *testing.T) {
	d := everyday(t, 120, 40)
	d.pass(previewSettle)
	d.settle()
	fired := 0
	end := d.clock.at.Add(10 * time.Second)
	for d.clock.at.Before(end) {
		if d.m.timer.at.IsZero() {
			t.Fatal("the timer is not armed although lamps move")
		}
		d.pass(d.m.timer.at.Sub(d.clock.at))
		d.settle()
		fired++
	}
	if most := 10*style.FrameHz + 2*10; fired > most {
		t.Errorf("the timer fired %d times in ten seconds, want at most %d", fired, most)
	}
}

func TestLampsTakeFewerStepsOnACalmBoard(t *testing.T) {
	d := everyday(t, 80, 10)
	steps := func() (n int) { // in ten seconds
		d.m.wake() // as after any message
		last := d.m.frame
		for end := d.clock.at.Add(10 * time.Second); d.clock.at.Before(end); {
			d.pass(d.m.timer.at.Sub(d.clock.at))
			d.settle()
			if d.m.frame != last {
				n, last = n+1, d.m.frame
			}
		}
		return n
	}
	const lively, calm = 10 * style.FrameHz, 10 * style.FrameHz / 2
	want := func(when string, want int) {
		t.Helper()
		if n := steps(); n < want-1 || n > want+1 {
			t.Errorf("%s the lamps took %d steps in ten seconds, want %d", when, n, want)
		}
	}
	want("at first", lively)
	d.pass(calmAfter)
	want("after a calm while", calm)
	d.press("j")
	want("after a key", lively)
	d.pass(calmAfter)
	more := *d.m.snap
	more.Rev++
	more.Counts.NeedsInput++
	d.give(&more)
	want("after somebody began to wait", lively)
}

// TestYoungAgesShareTheBeat has many agents that began at different moments of a second.
func TestYoungAgesShareTheBeat(t *testing.T) {
	still := func(o *Options) { o.Style = newStyle(testLook{style.Mono, 0, style.Unicode}) }
	d := newDriver(t, 80, 20, still) // no panel, no motion
	var board strings.Builder
	board.WriteString("$ a\n")
	for n := range 10 {
		fmt.Fprintf(&board, "%d w%d | idle | x | %dms\n", n, n, 5000+97*n)
	}
	d.give(tuitest.Parse(board.String()))
	frames, last := 0, text(d)
	for end := d.clock.at.Add(5 * time.Second); d.clock.at.Before(end); {
		d.pass(d.m.timer.at.Sub(d.clock.at))
		if now := text(d); now != last {
			frames, last = frames+1, now
		}
	}
	// All become ten seconds old within one second.
	if frames < 1 || frames > style.FrameHz+1 {
		t.Errorf("the ages of ten agents were %d frames in a second, want at most %d", frames, style.FrameHz+1)
	}
}

func TestAgesMoveOnWithoutFocus(t *testing.T) {
	d := everyday(t, 80, 24)
	d.send(tea.BlurMsg{})
	if !strings.Contains(text(d), "14m") {
		t.Fatal("no age of 14 minutes on the board")
	}
	for range 5 {
		d.pass(restAge)
	}
	if !strings.Contains(text(d), "15m") {
		t.Error("ages stand still without the focus")
	}
}

func TestPreviewTargetIsThePaneOfThePeek(t *testing.T) {
	d := newDriver(t, 80, 24)
	base := tuitest.Parse(three)
	d.give(base)
	d.press(" ")
	d.give(without(base, "one")) // its window goes while it is read
	if pane, _ := d.m.previewTarget(); pane != "" {
		t.Errorf("a peek at a pane that is gone reads %s", pane)
	}
	if d.m.sheet.pane != tracker.PaneID("%0") {
		t.Errorf("the peek moved to %s", d.m.sheet.pane)
	}
}
