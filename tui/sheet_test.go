package tui

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

func TestSheetsOpenAndClose(t *testing.T) {
	for _, k := range []string{"?", " ", "e", "i", "H"} {
		for _, end := range []string{"esc", "q", k} {
			d := everyday(t, 80, 24)
			d.press(k)
			d.settle()
			if d.m.mode != reading {
				t.Errorf("%q opens nothing", k)
			}
			d.press(end)
			if d.m.mode != browsing {
				t.Errorf("%q does not close what %q opened", end, k)
			}
		}
	}
}

func TestPeekReadsHistoryAndScrolls(t *testing.T) {
	d := everyday(t, 80, 24)
	d.board.preview.Lines = nil
	for i := range 200 {
		d.board.preview.Lines = append(d.board.preview.Lines, fmt.Sprintf("line %03d", i))
	}
	d.board.preview.Height = 40
	d.press(" ")
	d.settle()
	if !d.board.did("preview %0 deep") {
		t.Fatalf("the history was not read: %v", d.board.calls)
	}
	if s := text(d); !strings.Contains(s, "line 199") || strings.Contains(s, "line 100") {
		t.Fatal("a peek does not open at the end")
	}
	d.press("g")
	if !strings.Contains(text(d), "line 000") {
		t.Error("g does not go to the beginning")
	}
	d.press("j")
	if s := text(d); strings.Contains(s, "line 000") || !strings.Contains(s, "line 001") {
		t.Error("j does not scroll by a line")
	}
	d.press("G")
	if !strings.Contains(text(d), "line 199") {
		t.Error("G does not go to the end")
	}
	d.board.preview.Lines = append(append([]string(nil), d.board.preview.Lines...), "line 200")
	d.pass(previewIdle)
	d.settle()
	if !strings.Contains(text(d), "line 200") {
		t.Error("at the end the peek does not follow what is written")
	}
	d.press("pgup")
	d.board.preview.Lines = append(append([]string(nil), d.board.preview.Lines...), "line 201")
	d.pass(previewIdle)
	d.settle()
	if strings.Contains(text(d), "line 201") {
		t.Error("reading above the end is torn away by news")
	}
	d.press("enter")
	d.settle()
	if d.m.mode != browsing || !d.board.did("jump %0") {
		t.Error("Enter does not jump from a peek")
	}
}

// TestAPeekThatIsWiderThanTheBoardSaysSoAndMoves: nothing of a pane is cut off without a word, and all of it
// can be read.
func TestAPeekThatIsWiderThanTheBoardSaysSoAndMoves(t *testing.T) {
	const wide = 200
	for _, w := range []int{34, 80, 120} {
		d := everyday(t, w, 24)
		line := strings.Repeat("0123456789", wide/10-1) + "測試測試 END"
		d.board.preview = Preview{Lines: []string{"short", line, "\x1b[7m" + strings.Repeat(" ", 10)}, Width: wide, Height: 3}
		d.press(" ")
		d.settle()
		title := func() string { return strings.Split(text(d), "\n")[2] }
		if want := fmt.Sprintf("1-%d of 202", w); !strings.Contains(title(), want) || !strings.Contains(footer(d), "hjkl scroll   esc back") {
			t.Errorf("%d cells: %q and %q do not say that %s is shown", w, title(), footer(d), want)
		}
		for range wide {
			before := d.m.sheet.left
			d.press("l")
			checkFrame(t, d.m.View(), w, 24)
			if d.m.sheet.left == before {
				break
			}
		}
		if want := fmt.Sprintf("%d-202 of 202", 203-w); !strings.Contains(text(d), "END") || !strings.Contains(title(), want) {
			t.Errorf("%d cells: at the right end %q, want %s:\n%s", w, title(), want, text(d))
		}
		d.press("left")
		if strings.Contains(text(d), "END") {
			t.Errorf("%d cells: it does not move back", w)
		}
		d.send(tea.WindowSizeMsg{Width: 220, Height: 24})
		if s := text(d); !strings.Contains(s, "0123456789") || !strings.Contains(s, "END") || strings.Contains(s, "of 202") || strings.Contains(footer(d), "hjkl") {
			t.Errorf("where everything has room it is still cut:\n%s", s)
		}
	}
}

func TestExplainNamesTheDecidingSource(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("e")
	if s := text(d); !strings.Contains(s, "▲ needs input  waits") || !strings.Contains(s, "told by Claude") || !strings.Contains(s, "ends by") {
		t.Errorf("explain shows\n%s", s)
	}
}

func TestInboxShowsThePaneWhereverItIs(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("f", "f", "i") // its row is hidden by a filter
	d.press("j", "enter")
	if a := d.m.selectedAgent(); a == nil || a.Name != "web-tests" {
		t.Errorf("the inbox selected %v", a)
	}
	d.press("i", "G", "enter")
	if d.m.notice.text != "its pane is gone" {
		t.Errorf("an entry without a pane says %q", d.m.notice.text)
	}
}

// An entry has the name that its row has on the board, and the agent's own once it is gone from there.
func TestInboxCallsThingsAsTheBoardDoes(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse("$ infra\n0 plan | review | done | 1m | name=cluster-plan\n1 zsh | shell | ~ | 1m\n$ api\n0 claude | needs | x | 1m | name=api-worker\n" +
		"$ web\n0 web | needs | x | 1m | name=page\n> review 1m %0 cluster-plan: done\n> needs-input 1m %2 api-worker: x\n> needs-input 1m %3 page: x\n> ended 1m %77 old-one: gone\n> ended 1m %0 earlier: gone\n"))
	d.press("i")
	for _, want := range []string{"infra:0 plan ", "api api-worker ", "  web ", "  old-one ", "  earlier "} {
		if !strings.Contains(text(d), want) {
			t.Errorf("%q is not in\n%s", want, text(d))
		}
	}
}

func TestEmptyInboxSaysSo(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse(three))
	d.press("i")
	if !strings.Contains(text(d), "Nothing happened while you were away.") {
		t.Error("an empty inbox is a blank sheet")
	}
	d.press("enter", "j", "k", "G")
	d = newDriver(t, 34, 20)
	d.give(tuitest.Parse(three))
	d.press("i")
	if s := text(d); strings.Contains(s, "…") || !strings.Contains(s, "away.") || !strings.Contains(s, "noted here.") {
		t.Errorf("in a narrow pane the words are cut:\n%s", s)
	}
}

func TestInboxCountsWhatIsNew(t *testing.T) {
	d := everyday(t, 80, 24)
	if !strings.Contains(text(d), "i inbox 4") {
		t.Error("the footer does not count four new entries")
	}
	d.press("i")
	_ = d.m.View()
	d.press("esc")
	if strings.Contains(text(d), "i inbox 4") || d.m.unseen() != 0 {
		t.Error("entries count as new after they were read")
	}
	d.give(tuitest.Parse(tuitest.Everyday + "\n> review 1s %4 web-review: done\n> review read 0s %4 web-review: done"))
	if n := d.m.unseen(); n != 1 {
		t.Errorf("%d new entries after one more, and one that was looked at", n)
	}
}

func TestInboxSelectionStaysOnItsEntry(t *testing.T) {
	d := newDriver(t, 80, 24)
	const entries = "$ a\n0 x | busy | . | 1m\n1 y | busy | . | 1m\n"
	d.give(tuitest.Parse(entries + "> review 1m %0 first: one\n> review 2m %1 second: two"))
	d.press("i", "j")
	next := tuitest.Parse(entries + "> review 1m %0 first: one\n> review 2m %1 second: two")
	newer := *next.Inbox[0]
	newer.At, newer.Title, newer.Agent.PID = tuitest.Now(), "newest", 99
	next.Inbox = append([]*tracker.Happening{&newer}, next.Inbox...)
	d.give(next)
	if h := d.m.inbox()[d.m.entryAt()]; h.Title != "second" {
		t.Errorf("the selection moved to %q when an entry came in", h.Title)
	}
}

func TestHooksAreShownBeforeTheyAreInstalled(t *testing.T) {
	d := everyday(t, 80, 24)
	d.board.hooks = HookSetup{File: "~/.claude/settings.json", Diff: []string{" {", `+  "hooks": {`, "-  \"x\": 1", " }"}}
	d.press("r")
	d.settle()
	if !strings.Contains(text(d), "Claude Code does not call signalbox yet") {
		t.Error("the board does not say that hooks are missing")
	}
	d.press("H")
	d.press("enter") // before the answer is there
	d.settle()
	if d.board.did("install") {
		t.Fatal("hooks were installed before the change was shown")
	}
	if !strings.Contains(text(d), `+  "hooks": {`) {
		t.Fatal("the change is not shown")
	}
	d.press("enter", "enter")
	d.board.hooks = HookSetup{Installed: true}
	d.settle()
	installs := 0
	for _, c := range d.board.calls {
		if c == "install" {
			installs++
		}
	}
	if installs != 1 || d.m.mode != browsing || !strings.Contains(text(d), "hooks are installed") {
		t.Errorf("%d installs, then:\n%s", installs, text(d))
	}
}

// The path of the settings is written as every path on the board is: a narrow one has no room for a home.
func TestTheSettingsFileIsShownBelowTheHome(t *testing.T) {
	for _, setup := range []HookSetup{{Installed: true}, {Diff: []string{"+x"}}, {Problem: "it is a folder"}} {
		d := everyday(t, 34, 20)
		setup.File = tuitest.Home + "/.claude/settings.json"
		d.board.hooks = setup
		d.press("r")
		d.settle()
		d.press("H")
		d.settle()
		if !strings.Contains(text(d), "~/.claude/settings.json") {
			t.Errorf("%+v is shown as\n%s", setup, text(d))
		}
	}
}

func TestLongDiffLinesAreShownToTheirEnd(t *testing.T) {
	d := everyday(t, 60, 40)
	d.board.hooks = HookSetup{File: "f", Diff: []string{"+    \"Stop\": [ " + strings.Repeat("abcdefghij", 12) + "END"}}
	d.press("H")
	d.settle()
	s := text(d)
	if !strings.Contains(s, "   +    \"Stop\": [ abc") || !strings.Contains(s, "END") {
		t.Errorf("the end of a long line, or its indentation, is lost:\n%s", s)
	}
}

func TestFailedInstallSaysWhy(t *testing.T) {
	d := everyday(t, 80, 24)
	d.board.hooks = HookSetup{File: "f", Diff: []string{"+x"}}
	d.press("H")
	d.settle()
	d.board.err = errors.New("settings.json: line 3: trailing comma")
	d.press("enter")
	d.settle()
	if !strings.Contains(text(d), "trailing comma") {
		t.Error("a failed install is silent")
	}
}

func TestBannerIsPutAwayAndComesBackWithItsReason(t *testing.T) {
	const failing = tuitest.Everyday + "\n! registry failed 20m too many watches"
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse(failing))
	shown := func() bool { return strings.Contains(text(d), "registry cannot be read") }
	if !shown() {
		t.Fatal("no banner for a source that failed")
	}
	d.press("esc")
	if shown() {
		t.Fatal("Esc does not put it away")
	}
	d.press("esc", "esc")
	if shown() {
		t.Error("Esc brings it back")
	}
	d.give(tuitest.Parse(tuitest.Everyday))
	d.give(tuitest.Parse(failing))
	if !shown() {
		t.Error("a new failure is not told because an old one was put away")
	}
}

func TestBannersThatMatterStay(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse(tuitest.Everyday + "\n! tmux failed 3m timeout\ntmux failed timeout"))
	d.press("esc")
	if !strings.Contains(text(d), "tmux cannot be reached") {
		t.Error("Esc hides that tmux does not answer")
	}
	d.pass(2 * time.Minute)
	if !strings.Contains(text(d), "What you see is 5 min old") {
		t.Error("the age of stale rows stands still")
	}
}

func TestNoticeFades(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("r")
	if !strings.Contains(text(d), "asked every source") {
		t.Fatal("no notice")
	}
	d.pass(noticeFor)
	if strings.Contains(text(d), "asked every source") {
		t.Error("a notice stays for ever")
	}
}

func TestExplainKeepsItsColumnsApartOnANarrowScreen(t *testing.T) {
	for _, c := range []struct{ window, want string }{
		{"claude | idle | x | 1m | name=notes", " · idle  ready\n   1 min  told by Claude\n"},
		{"claude | needs | x | 1m | name=notes", " ▲ needs input  waits for\n                permission\n   1 min  told by Claude\n"},
	} {
		d := newDriver(t, 34, 20)
		d.give(tuitest.Parse("$ work\n0 " + c.window))
		d.press("e")
		var lines []string
		for _, l := range strings.Split(text(d), "\n") {
			lines = append(lines, strings.TrimRight(l, " "))
		}
		if s := strings.Join(lines, "\n"); !strings.Contains(s, c.want) {
			t.Errorf("explain shows\n%s\nwithout\n%s", s, c.want)
		}
	}
}

func TestHooksInPartAreCalledThat(t *testing.T) {
	d := everyday(t, 100, 24)
	d.board.hooks = HookSetup{Partly: true, File: "~/.claude/settings.json", Diff: []string{"+x"}}
	d.press("r")
	d.settle()
	if s := text(d); !strings.Contains(s, "hooks in part") || !strings.Contains(s, "for some of its events only") {
		t.Errorf("the board says\n%s", s)
	}
}

func TestHooksInstalledElsewhereAreNoticed(t *testing.T) {
	d := everyday(t, 80, 24)
	off := func() bool {
		return strings.Contains(text(d), "hooks off") && strings.Contains(text(d), "does not call signalbox yet")
	}
	for _, installed := range []bool{false, true, false} {
		d.board.calls = nil
		d.board.hooks.Installed = installed
		d.send(hooksMovedMsg{})
		d.settle()
		if off() == installed {
			t.Fatalf("installed is %v, but the board shows\n%s", installed, text(d))
		}
		if !d.board.did("wait for hooks") {
			t.Error("nobody waits for the next change")
		}
		if d.press("esc"); off() {
			t.Error("Esc does not put the banner away")
		}
	}
	d.board.calls = nil
	d.send(hooksMovedMsg{err: ErrClosed})
	if d.settle(); d.board.did("wait for hooks") {
		t.Error("a board that is closed is waited for")
	}
}

// What was read before the board began is no news of this one, and it tells the next one what was read
// here.
func TestWhatWasReadOutlivesTheBoard(t *testing.T) {
	d := newDriver(t, 80, 24)
	snap := tuitest.Parse(tuitest.Everyday)
	snap.InboxSeen = snap.Inbox[1].At
	d.give(snap)
	d.settle()
	if n := d.m.unseen(); n != 1 {
		t.Errorf("%d entries are news, want the one after what was read", n)
	}
	d.press("i")
	d.settle()
	if told := "saw inbox " + snap.Inbox[0].At.Format(time.RFC3339); !d.board.did(told) || d.m.unseen() != 0 {
		t.Errorf("%d entries are news; told %q, want %q", d.m.unseen(), d.board.calls, told)
	}
	if screen := text(d); strings.Count(screen, " new ") != 1 {
		t.Errorf("what is new cannot be told from the rest:\n%s", screen)
	}
	next := tuitest.Parse(tuitest.Everyday + "\n> review 0s %4 web-review: done")
	next.InboxSeen = snap.Inbox[0].At
	newest := next.Inbox[len(next.Inbox)-1].At
	d.give(next)
	d.settle()
	if !d.board.did("saw inbox " + newest.Format(time.RFC3339)) {
		t.Errorf("what came while the inbox was open is not told as read: %q", d.board.calls)
	}
}
