package grid_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

func TestMovesReachEveryCell(t *testing.T) {
	for _, w := range []int{34, 80, 120, 250} {
		snap := tuitest.Parse(tuitest.Everyday)
		g := newGrid(w, 8, snap, grid.View{})
		g.First()
		seen := map[string]bool{}
		for {
			for g.Move(grid.Left, 1) {
			}
			for {
				seen[g.SelectedKey()] = true
				if !g.Move(grid.Right, 1) {
					break
				}
			}
			for g.Move(grid.Left, 1) {
			}
			if !g.Move(grid.Down, 1) {
				break
			}
		}
		if n := g.Len(); len(seen) != n {
			t.Errorf("at %d columns the arrows reach %d of %d cells", w, len(seen), n)
		}
		if first := g.SelectedKey(); first == "" {
			t.Error("nothing is selected")
		}
	}
}

func TestDownKeepsItsColumn(t *testing.T) {
	snap := tuitest.Parse("$ a\n0 a0 | shell | . | 1m\n1 a1 | shell | . | 1m\n$ b\n0 b0 | shell | . | 1m\n$ c\n0 c0 | shell | . | 1m\n1 c1 | shell | . | 1m\n")
	g := newGrid(80, 4, snap, grid.View{}) // too low for one column
	g.First()
	g.Move(grid.Right, 1)
	g.Move(grid.Down, 2)
	if c, _ := g.Selected(); c.Window.Name != "c1" {
		t.Errorf("two lines down from the second column is %s", c.Window.Name)
	}
}

func TestTheSelectionIsAlwaysVisible(t *testing.T) {
	g := newGrid(80, 7, tuitest.Many(60), grid.View{})
	visible := func() bool {
		for _, k := range g.VisibleKeys() {
			if k == g.SelectedKey() {
				return true
			}
		}
		return false
	}
	steps := []func(){
		func() { g.Last() }, func() { g.First() }, func() { g.Page(grid.Down) }, func() { g.Page(grid.Down) }, func() { g.Page(grid.Up) },
		func() { g.Scroll(5) }, func() { g.Scroll(-3) }, func() { g.Scroll(1000) }, func() { g.Scroll(-1000) }, func() { g.Nth(33) },
		func() { g.SetSize(80, 1, 2) }, func() { g.Last() }, func() { g.SetSize(200, 3, 4) }, func() { g.SetSize(80, 1, 2) }, func() { g.SetSize(80, 50, 1) },
	}
	for i, f := range steps {
		f()
		if !visible() {
			t.Errorf("after step %d the selection is out of sight", i)
		}
	}
}

func TestTitleOfTheSelectedRowIsVisible(t *testing.T) {
	g := newGrid(80, 6, tuitest.Many(60), grid.View{})
	g.First()
	g.Last()
	for range 100 {
		g.Move(grid.Up, 1)
	}
	if l := lines(g, 6)[0]; !strings.Contains(l, "api") {
		t.Errorf("going up to the first row leaves its title out of sight: %q", l)
	}
}

func TestNothingScrollsByItself(t *testing.T) {
	snap := tuitest.Many(60)
	g := newGrid(80, 7, snap, grid.View{})
	g.Nth(30)
	for _, n := range []int{2, 1, -3, 5} {
		g.Scroll(n)
		before := lines(g, 7)
		g.SetSections(grid.Arrange(snap, grid.View{}), false)
		if after := lines(g, 7); strings.Join(after, "\n") != strings.Join(before, "\n") {
			t.Fatalf("after scrolling by %d, the same board again moved the picture:\n%s\nwas\n%s", n, strings.Join(after, "\n"), strings.Join(before, "\n"))
		}
	}
}

func TestTheSelectedRowStaysOnItsLineWhenOthersCome(t *testing.T) {
	snap := tuitest.Many(60)
	g := newGrid(80, 7, snap, grid.View{})
	g.Nth(40)
	row := func() int {
		for y, l := range lines(g, 7) {
			if strings.Contains(l, "▌") {
				return y
			}
		}
		return -1
	}
	before := row()
	snap.Sessions = snap.Sessions[1:] // a session above it is closed
	g.SetSections(grid.Arrange(snap, grid.View{}), false)
	if after := row(); after != before || before < 0 {
		t.Errorf("the selected row moved from line %d to %d", before, after)
	}
}

// A filter that is cleared brings back what stood above the row it has found.
func TestAClearedFilterHidesNoTitleAlone(t *testing.T) {
	snap := tuitest.Many(60)
	g := newGrid(80, 9, snap, grid.View{})
	all := grid.Arrange(snap, grid.View{})
	g.Nth(3) // in the second line of the first section
	key := g.SelectedKey()
	found := all[:1:1]
	found[0].Cells = found[0].Cells[2:3]
	g.SetSections(found, false)
	g.SetSections(grid.Arrange(snap, grid.View{}), false)
	if g.SelectedKey() != key || !strings.Contains(lines(g, 9)[0], "(main)") {
		t.Errorf("%q is selected, %q was; above it all stands %q", g.SelectedKey(), key, lines(g, 9)[0])
	}
}

func TestTitleIsVisibleOnALowScreenToo(t *testing.T) {
	g := newGrid(80, 3, tuitest.Many(60), grid.View{})
	g.Last()
	for range 40 {
		g.Move(grid.Up, 1)
		c, _ := g.Selected()
		if c.Window.Index < 2 && !strings.Contains(lines(g, 3)[0]+lines(g, 3)[1], "(main)") { // the first row of a section
			t.Fatalf("the title of the selected row is out of sight: %q", lines(g, 3))
		}
	}
}

func TestHiddenCountsWhatIsOutOfSight(t *testing.T) {
	g := newGrid(80, 6, tuitest.Many(60), grid.View{})
	for range 12 {
		above, below := g.Hidden()
		if n := above.Rows + below.Rows + len(g.VisibleKeys()); n != 60 {
			t.Fatalf("%d above, %d below and %d visible are not 60", above.Rows, below.Rows, len(g.VisibleKeys()))
		}
		g.Page(grid.Down)
	}
}

func TestZeroSizesAreSafe(t *testing.T) {
	for _, w := range []int{0, 1, 5} {
		for _, h := range []int{0, 1} {
			g := newGrid(w, h, tuitest.Parse(tuitest.Long()), grid.View{})
			g.Move(grid.Down, 3)
			g.Page(grid.Up)
			g.Scroll(2)
			for _, l := range lines(g, h) {
				if n := ansi.StringWidth(l); n != w {
					t.Errorf("%d×%d: a line of %d cells", w, h, n)
				}
			}
		}
	}
}

// TestASingleLineShowsTheSelection: a title has no room above its rows then.
func TestASingleLineShowsTheSelection(t *testing.T) {
	g := newGrid(80, 1, tuitest.Parse("$ a\n0 x | busy | x | 1m\n1 y | shell | x | 1m\n$ b\n0 x | needs | x | 1m\n1 y | needs | x | 3h\n"), grid.View{})
	shown := func(after string) {
		t.Helper()
		if l := lines(g, 1)[0]; !strings.Contains(l, "▌") {
			t.Errorf("after %s the line is %q", after, l)
		}
	}
	shown("the start")
	for i := range 12 {
		n := []int{3, 3, 1, -3, -1, 2}[i%6]
		g.Scroll(n)
		shown(fmt.Sprintf("scrolling by %d", n))
	}
	g.Last()
	g.Rest(false)
	shown("a rest")
}
