package tui

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

// quits reports whether a command, or one of a batch, ends the program.
func quits(cmd tea.Cmd) bool {
	if cmd == nil {
		return false
	}
	switch msg := cmd().(type) {
	case tea.BatchMsg:
		return slices.ContainsFunc(msg, quits)
	case tea.QuitMsg:
		return true
	}
	return false
}

func everyday(t testing.TB, w, h int, change ...func(*Options)) *driver {
	d := newDriver(t, w, h, change...)
	d.give(tuitest.Parse(tuitest.Everyday))
	return d
}

func text(d *driver) string { return ansi.Strip(d.m.View()) }

func TestTheEndOfTheBoardEndsTheScreen(t *testing.T) {
	d := newDriver(t, 80, 24)
	if _, cmd := d.m.Update(snapshotMsg{err: ErrClosed}); !quits(cmd) {
		t.Error("the screen stays after the board was closed")
	}
}

func TestEachSnapshotAsksForTheNext(t *testing.T) {
	d := newDriver(t, 80, 24)
	snap := tuitest.Parse(three)
	snap.Rev = 41
	asked := uint64(0)
	d.m.board = nextBoard{d.board, &asked}
	_, cmd := d.m.Update(snapshotMsg{snap: snap})
	d.cmds = append(d.cmds, cmd)
	d.settle()
	if asked != 41 {
		t.Errorf("asked for news after revision %d, want 41", asked)
	}
}

// nextBoard notes the revision that Next is asked with.
type nextBoard struct {
	*fakeBoard
	asked *uint64
}

func (b nextBoard) Next(_ context.Context, rev uint64) (*tracker.Snapshot, error) {
	*b.asked = rev
	return nil, ErrClosed
}

func TestJump(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("enter")
	d.settle()
	if !d.board.did("jump %0") {
		t.Fatalf("Enter did not jump: %v", d.board.calls)
	}
	if why := noWayBack(d.m); why != "" {
		t.Errorf("no way back after a jump: %s", why)
	}
}

func TestJumpOutcomes(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("enter")
	if _, cmd := d.m.Update(jumpMsg{seq: d.m.seq.jump, outcome: JumpOutcome{Leave: true}}); !quits(cmd) {
		t.Error("a popup stays after its jump")
	}
	d.send(jumpMsg{seq: d.m.seq.jump, err: errors.New("pane %0 is gone")})
	if !strings.Contains(text(d), "pane %0 is gone") {
		t.Error("a failed jump is not said")
	}
	d.press("enter")
	if _, cmd := d.m.Update(jumpMsg{seq: d.m.seq.jump - 1, outcome: JumpOutcome{Leave: true}}); quits(cmd) {
		t.Error("an overtaken jump still ends the screen")
	}
}

func TestTheBoardItselfIsNoTarget(t *testing.T) {
	d := everyday(t, 80, 24, func(o *Options) { o.Self = "%0" })
	d.pass(time.Second)
	d.press("enter", " ")
	d.settle()
	for _, call := range d.board.calls {
		if strings.HasSuffix(call, " %0") || strings.HasSuffix(call, " %0 deep") {
			t.Errorf("the board was asked for itself: %s", call)
		}
	}
	if !strings.Contains(text(d), "This is the board itself.") {
		t.Error("the panel does not say that this is the board")
	}
	if d.m.notice.text == "" {
		t.Error("Enter on the board itself says nothing")
	}
}

// TestABoardBesideOthersShowsThem: in a pane of a window it stands for the rest of it.
func TestABoardBesideOthersShowsThem(t *testing.T) {
	d := newDriver(t, 120, 40, func(o *Options) { o.Self = "%0" })
	d.give(tuitest.Parse("$ work\n0 dev | run | signalbox | 1m\n  + vite | run | vite | 1m\n  + zsh | shell | ~ | 1m"))
	d.pass(previewSettle)
	d.press("enter")
	d.settle()
	if !d.board.did("jump %1") || !d.board.did("preview %1") || d.board.did("preview %0") {
		t.Errorf("the board was asked %v, want what is beside it", d.board.calls)
	}
}

func TestAWayBackFromBeforeTheBoard(t *testing.T) {
	for _, jumped := range []bool{false, true} {
		d := everyday(t, 80, 24, func(o *Options) { o.Jumped = jumped })
		d.press("b")
		d.settle()
		if d.board.did("back") != jumped {
			t.Errorf("jumped before: %v, and the board was asked %v", jumped, d.board.calls)
		}
	}
}

func TestAcknowledge(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("a")
	d.settle()
	if d.board.did("ack %0") {
		t.Error("an agent that waits for permission was acknowledged")
	}
	if want := "a: nothing to acknowledge: it needs input"; d.m.notice.text != want {
		t.Errorf("notice %q, want %q", d.m.notice.text, want)
	}
	d.press("tab", "a")
	d.settle()
	if !d.board.did("ack %9") {
		t.Errorf("the failed turn was not acknowledged: %v", d.board.calls)
	}
}

func TestReadOnlyBoardChangesNothing(t *testing.T) {
	d := everyday(t, 80, 24, func(o *Options) { o.ReadOnly = true })
	d.press("enter", "tab", "a", "b")
	d.settle()
	d.board.hooks = HookSetup{Diff: []string{"+x"}}
	d.press("H")
	d.settle()
	d.press("enter")
	d.settle()
	for _, call := range d.board.calls {
		if strings.HasPrefix(call, "jump") || strings.HasPrefix(call, "ack") || call == "back" || call == "install" {
			t.Errorf("a read-only board did %q", call)
		}
	}
}

func TestCommandsHaveDeadlines(t *testing.T) {
	d := everyday(t, 80, 24)
	d.pass(time.Second)
	d.press("enter", "b", "tab", "a", "i", "esc", "H", "esc", "r", " ")
	d.settle() // fakeBoard answers with an error where there is none
	if strings.Contains(d.m.notice.text, "deadline") {
		t.Error(d.m.notice.text)
	}
	for pane, s := range d.m.preview.shots {
		if s.problem != "" {
			t.Errorf("preview of %s: %s", pane, s.problem)
		}
	}
}

func TestTitleCountsWhoWaits(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse(tuitest.Everyday))
	if d.m.title != "(3) signalbox" {
		t.Errorf("title %q", d.m.title)
	}
	d.give(tuitest.Parse(three))
	if d.m.title != "signalbox" {
		t.Errorf("title %q", d.m.title)
	}
}

func TestFocusIsPassedOnOnce(t *testing.T) {
	d := everyday(t, 80, 24)
	d.send(tea.BlurMsg{})
	d.send(tea.BlurMsg{})
	d.send(tea.FocusMsg{})
	if got := fmt.Sprint(d.board.calls); strings.Count(got, "blur") != 1 || strings.Count(got, "focus") != 1 {
		t.Errorf("focus was told as %s", got)
	}
}

func TestRefresh(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("r")
	if !d.board.did("refresh") {
		t.Error("r does not refresh")
	}
}

func TestPasteIsNoCommand(t *testing.T) {
	d := everyday(t, 80, 24)
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("q"), Paste: true})
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("aZr"), Paste: true})
	d.settle()
	if len(d.board.calls) > 0 && d.board.did("refresh") || len(d.m.view.Folded) > 0 {
		t.Errorf("pasted text was taken for keys: %v", d.board.calls)
	}
}

func TestSettingsAreGivenBack(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("o", "v", "p", "z")
	d.press("f")
	got := d.m.Settings()
	want := ViewSettings{Sort: grid.SortUrgency, Group: grid.GroupRepository, Filter: grid.FilterNeeds}
	if got.View != want || !got.NoPreview || len(got.Folded) != 1 {
		t.Fatalf("settings %+v", got)
	}
	again := newDriver(t, 80, 24, func(o *Options) { o.Settings = got })
	again.give(tuitest.Parse(tuitest.Everyday))
	if s := again.m.Settings(); fmt.Sprint(s) != fmt.Sprint(got) {
		t.Errorf("a board with these settings has %+v, want %+v", s, got)
	}
}

func TestQuit(t *testing.T) {
	for _, k := range []string{"q", "ctrl+c"} {
		d := everyday(t, 80, 24)
		if _, cmd := d.m.Update(keyMsg(k)); !quits(cmd) {
			t.Errorf("%s does not quit", k)
		}
	}
}
