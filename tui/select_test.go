package tui

import (
	"testing"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

const three = `
$ a attached
0 one | busy | x | 1m
1 two | busy | x | 1m
2 three | busy | x | 1m
$ b
0 four | shell | ~ | 1m
`

// without is a snapshot with some windows gone.
func without(s *tracker.Snapshot, names ...string) *tracker.Snapshot {
	next := *s
	next.Rev++
	next.Sessions = nil
	for _, sess := range s.Sessions {
		row := *sess
		row.Windows = nil
		for _, w := range sess.Windows {
			keep := true
			for _, n := range names {
				keep = keep && w.Name != n
			}
			if keep {
				row.Windows = append(row.Windows, w)
			}
		}
		if len(row.Windows) > 0 {
			next.Sessions = append(next.Sessions, &row)
		}
	}
	tuitest.Recount(&next)
	return &next
}

func selected(d *driver) string {
	d.t.Helper()
	c, ok := d.m.grid.Selected()
	switch {
	case !ok:
		return ""
	case c.Window != nil:
		return c.Window.Name
	}
	return c.Background.Name
}

func TestSelectionUnderChange(t *testing.T) {
	base := tuitest.Parse(three)
	for _, c := range []struct {
		name  string
		start string
		next  func() *tracker.Snapshot
		want  string
	}{
		{"stays when nothing changes", "two", func() *tracker.Snapshot { return base }, "two"},
		{"stays when windows before it go", "two", func() *tracker.Snapshot { return without(base, "one") }, "two"},
		{"goes to the following window when its own goes", "two", func() *tracker.Snapshot { return without(base, "two") }, "three"},
		{"goes to the following session at the end of one", "three", func() *tracker.Snapshot { return without(base, "three") }, "four"},
		{"goes to the one before when nothing follows", "four", func() *tracker.Snapshot { return without(base, "four") }, "three"},
		{"goes to the nearest that is left", "two", func() *tracker.Snapshot { return without(base, "two", "three") }, "one"},
		{"is nothing on an empty board", "two", func() *tracker.Snapshot { return without(base, "one", "two", "three", "four") }, ""},
		{"stays when the window moves to another session", "two", func() *tracker.Snapshot {
			next := without(base, "two")
			next.Sessions[1].Windows = append(next.Sessions[1].Windows, base.Sessions[0].Windows[1])
			return next
		}, "two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDriver(t, 80, 24)
			d.give(base)
			for selected(d) != c.start {
				before := selected(d)
				d.press("l")
				if selected(d) == before {
					d.press("j", "h", "h")
				}
			}
			d.give(c.next())
			if got := selected(d); got != c.want {
				t.Errorf("selected %q, want %q", got, c.want)
			}
		})
	}
}

func TestSelectionComesBackAfterTheBoardWasEmpty(t *testing.T) {
	d := newDriver(t, 80, 24)
	base := tuitest.Parse(three)
	d.give(base)
	d.press("l")
	d.give(without(base, "one", "two", "three", "four"))
	d.give(base)
	if got := selected(d); got == "" {
		t.Error("nothing is selected although there are windows")
	}
}

func TestPinnedPaneIsForgottenWhenItGoes(t *testing.T) {
	text := "$ a\n0 pair | busy | x | 1m | name=first\n+ second | idle | y | 2m | name=second\n1 other | shell | ~ | 1m\n"
	d := newDriver(t, 80, 24)
	snap := tuitest.Parse(text)
	d.give(snap)
	d.press("w")
	if a := d.m.selectedAgent(); a == nil || a.Name != "second" {
		t.Fatalf("w selected %v, want the second pane", a)
	}
	d.press("enter")
	d.settle()
	if !d.board.did("jump %1") {
		t.Errorf("Enter did not jump to the chosen pane: %v", d.board.calls)
	}
	next := changed(snap, 0)
	w := next.Sessions[0].Windows[0]
	w.Panes = w.Panes[:1]
	d.give(next)
	if a := d.m.selectedAgent(); a == nil || a.Name != "first" {
		t.Errorf("after its pane went the selection is on %v", a)
	}
	if d.m.pinned != "" {
		t.Error("a pane that is gone is still chosen")
	}
}

func TestTabWalksThoseWhoNeedYou(t *testing.T) {
	d := newDriver(t, 120, 40)
	d.give(tuitest.Parse(tuitest.Everyday))
	var got []string
	for range 4 {
		got = append(got, selected(d))
		d.press("tab")
	}
	want := []string{"claude", "agent", "claude", "claude"} // permission, failure, review, and round
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("the board opened and Tab went through %v, want %v", got, want)
		}
	}
	d.press("shift+tab")
	if got := selected(d); got != "claude" {
		t.Errorf("Shift+Tab selected %q", got)
	}
}

func TestTabStopsAtEachPaneOfAWindow(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse("$ a\n0 pair | needs | x | 9m | name=first\n+ second | needs | y | 2m | name=second\n"))
	d.press("tab")
	if a := d.m.selectedAgent(); a.Name != "second" {
		t.Errorf("Tab stays on %s although another agent in the window waits too", a.Name)
	}
	d.press("tab")
	if a := d.m.selectedAgent(); a.Name != "first" {
		t.Errorf("Tab does not come back to the first agent, but to %s", a.Name)
	}
}

func TestTabFindsWhoIsHidden(t *testing.T) {
	for _, hide := range [][]string{{"/", "n", "v", "i", "m", "enter"}, {"f", "f"}, {"Z"}} {
		d := newDriver(t, 120, 40)
		d.give(tuitest.Parse(tuitest.Everyday))
		d.press(hide...)
		d.press("tab")
		a := d.m.selectedAgent()
		if a == nil || !a.Verdict.NeedsPerson() {
			t.Errorf("after %q Tab selected %q, which needs nobody", hide, selected(d))
		}
	}
}

func TestTabSaysWhenNobodyNeedsYou(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse(three))
	d.press("tab")
	if got := d.m.notice.text; got != "tab: nobody needs you" {
		t.Errorf("notice %q", got)
	}
}

func TestCounts(t *testing.T) {
	d := newDriver(t, 60, 40)
	d.give(tuitest.Parse(three))
	d.press("2", "j")
	if got := selected(d); got != "three" {
		t.Errorf("2j selected %q", got)
	}
	d.press("2", "g")
	if got := selected(d); got != "two" {
		t.Errorf("2g selected %q", got)
	}
	d.press("9", "9", "9", "9", "9", "9", "j")
	if got := selected(d); got != "four" {
		t.Errorf("a huge count selected %q", got)
	}
	d.press("g", "0", "j")
	if got := selected(d); got != "two" {
		t.Errorf("0 is not a count by itself: %q", got)
	}
}

func TestFoldedSectionIsOneRow(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse(three))
	d.press("z")
	if n := d.m.grid.Len(); n != 2 {
		t.Fatalf("%d rows with one of two sections folded", n)
	}
	d.press("enter")
	d.settle()
	if !d.board.did("jump %0") {
		t.Errorf("Enter on a folded section went nowhere: %v", d.board.calls)
	}
	d.press("z")
	if n := d.m.grid.Len(); n != 4 {
		t.Errorf("%d rows after unfolding", n)
	}
	if got := d.m.Settings().Folded; len(got) != 0 {
		t.Errorf("still folded in the settings: %v", got)
	}
}

func TestLabelsSelect(t *testing.T) {
	d := newDriver(t, 120, 40)
	d.give(tuitest.Parse(tuitest.Everyday))
	d.press("'", "k")
	if got := selected(d); got != "nvim" {
		t.Errorf("label k selected %q", got)
	}
	if d.m.mode != browsing {
		t.Error("a finished label leaves the mode on")
	}
	before := selected(d)
	d.press("'", "1")
	if d.m.mode != browsing || selected(d) != before {
		t.Error("a key that is no label gives up")
	}
}

func TestTwoLetterLabels(t *testing.T) {
	d := newDriver(t, 300, 60)
	d.give(tuitest.Many(200))
	d.press("'")
	keys := d.m.grid.VisibleKeys()
	if len(keys) <= len(labelLetters) {
		t.Fatalf("only %d rows are visible", len(keys))
	}
	d.press("s", "a")
	if got := d.m.grid.SelectedKey(); got != keys[len(labelLetters)] {
		t.Errorf("sa selected %q, want the 27th row %q", got, keys[len(labelLetters)])
	}
}

func TestTheBoardOpensOnWhoMattersMost(t *testing.T) {
	for _, c := range []struct{ name, board, want string }{
		{"who needs the person", "$ a\n0 own | run | . | 1m\n1 busy | busy | . | 1m\n2 asks | needs | . | 1m\n", "asks"},
		{"else an agent", "$ a\n0 own | run | . | 1m\n1 shell | shell | . | 1m\n2 busy | busy | . | 1m\n", "busy"},
		{"else another window", "$ a\n0 own | run | . | 1m\n1 shell | shell | . | 1m\n", "shell"},
		{"else itself", "$ a\n0 own | run | . | 1m\n", "own"},
	} {
		d := newDriver(t, 80, 24, func(o *Options) { o.Self = "%0" })
		d.give(tuitest.Parse(c.board))
		if got := selected(d); got != c.want {
			t.Errorf("%s: it opens on %q", c.name, got)
		}
	}
}
