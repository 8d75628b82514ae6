package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

// twelve is a session of twelve agents, of whom the named ones wait for the person.
func twelve(waiting ...int) *tracker.Snapshot {
	var b strings.Builder
	b.WriteString("$ work attached\n")
	for i := range 12 {
		status := "busy"
		for _, n := range waiting {
			if n == i {
				status = "needs"
			}
		}
		fmt.Fprintf(&b, "%d agent%d | %s | Bash: make | 1m | name=agent%d\n", i, i, status, i)
	}
	return tuitest.Parse(b.String())
}

// Who begins to wait is sorted to the top. On a board that nobody is at, that is where one looks.
func TestWhoWaitsIsSeenOnABoardThatNobodyIsAt(t *testing.T) {
	later := twelve(7, 8, 9, 10, 11)
	for _, c := range []struct {
		name string
		play func(d *driver)
		kept bool // the selection stays on its line, and who waits is counted at the edge
	}{
		{"never touched", func(*driver) {}, false},
		{"a key was pressed", func(d *driver) { d.press("j", "k") }, true},
		{"a key was pressed long ago", func(d *driver) { d.press("j", "k"); d.pass(handRests + 1) }, false},
		{"the person looks elsewhere", func(d *driver) { d.press("j", "k"); d.send(tea.BlurMsg{}) }, false},
		{"the person jumped away", func(d *driver) { d.press("j", "k", "enter"); d.settle() }, false},
		{"something is read", func(d *driver) { d.press("e"); d.pass(handRests + 1) }, true},
		{"a filter is written", func(d *driver) { d.press("/"); d.pass(handRests + 1) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDriver(t, 34, 14)
			d.give(twelve())
			c.play(d)
			d.give(later)
			above, _ := d.m.grid.Hidden()
			if kept := above.Needs > 0; kept != c.kept {
				t.Errorf("%d that wait are above the edge, selected is %s\n%s", above.Needs, selected(d), text(d))
			}
			if want := "agent0"; c.kept && selected(d) != want {
				t.Errorf("selected is %s, want %s", selected(d), want)
			}
			if want := "agent7"; !c.kept && selected(d) != want {
				t.Errorf("selected is %s, want %s: who waits longest", selected(d), want)
			}
		})
	}
}

// The news may come before the person goes, and be the last for hours.
func TestWhoWaitsIsSeenOnceThePersonHasGone(t *testing.T) {
	for name, leave := range map[string]func(d *driver){
		"nothing is pressed any more": func(d *driver) {
			if at := d.m.timer.at; at.After(d.clock.at.Add(handRests + 1)) {
				d.t.Errorf("the timer fires at %v", at)
			}
			d.pass(handRests + 1)
		},
		"the person looks elsewhere": func(d *driver) { d.send(tea.BlurMsg{}) },
		"the person jumped away":     func(d *driver) { d.press("enter"); d.settle() },
	} {
		d := newDriver(t, 34, 14)
		d.give(twelve())
		d.press("j", "k")
		d.give(twelve(7, 8, 9, 10, 11))
		if got := selected(d); got != "agent0" {
			t.Fatalf("selected is %s", got)
		}
		leave(d)
		if above, _ := d.m.grid.Hidden(); above.Needs > 0 || selected(d) != "agent7" {
			t.Errorf("%s: %d that wait are above the edge, selected is %s\n%s", name, above.Needs, selected(d), text(d))
		}
	}
}

// The order of tmux does not bring anybody to the top, so nothing moves.
func TestABoardInTmuxOrderStandsStill(t *testing.T) {
	d := newDriver(t, 80, 12, func(o *Options) { o.Settings.NoPreview = true })
	d.give(tuitest.Many(100))
	d.press("1", "5", "j")
	d.send(tea.BlurMsg{})
	before, key := text(d), d.m.grid.SelectedKey()
	d.give(tuitest.Many(100))
	if d.m.grid.SelectedKey() != key || text(d) != before {
		t.Errorf("the board moved:\n%s\nwas\n%s", text(d), before)
	}
}

// The same holds for the wide board once its order is by urgency.
func TestWhoWaitsIsSeenWhereTheOrderIsByUrgency(t *testing.T) {
	sessions := func(waiting ...string) *tracker.Snapshot {
		var b strings.Builder
		for i := range 30 {
			name, status := fmt.Sprintf("s%02d", i), "busy"
			for _, w := range waiting {
				if w == name {
					status = "needs"
				}
			}
			fmt.Fprintf(&b, "$ %s\n0 one | %s | x | 1m\n1 two | shell | ~ | 1m\n", name, status)
		}
		return tuitest.Parse(b.String())
	}
	later := sessions("s20", "s21", "s22", "s23", "s24", "s25")
	d := newDriver(t, 80, 12, func(o *Options) { o.Settings.View.Sort = grid.SortUrgency })
	d.give(sessions())
	d.give(later)
	if above, _ := d.m.grid.Hidden(); above.Needs > 0 {
		t.Errorf("%d that wait are above the edge\n%s", above.Needs, text(d))
	}
	d = newDriver(t, 80, 12, func(o *Options) { o.Settings.View.Sort = grid.SortUrgency })
	d.give(sessions())
	d.press("3", "j")
	chosen := d.m.grid.SelectedKey()
	d.pass(handRests + 1)
	d.give(later)
	if d.m.grid.SelectedKey() != chosen {
		t.Error("somebody looks at the agent in the panel, and it was taken from there")
	}
}
