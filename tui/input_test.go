package tui

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

func click1(x, y int) tea.MouseMsg {
	return tea.MouseMsg{X: x, Y: y, Button: tea.MouseButtonLeft, Action: tea.MouseActionPress}
}

// find is where a text stands on the screen.
func find(d *driver, what string) (x, y int) {
	d.t.Helper()
	for y, l := range strings.Split(text(d), "\n") {
		if i := strings.Index(l, what); i >= 0 {
			return len([]rune(l[:i])), y
		}
	}
	d.t.Fatalf("%q is not on the screen", what)
	return 0, 0
}

func TestClickSelectsAndSecondClickJumps(t *testing.T) {
	d := everyday(t, 120, 40)
	x, y := find(d, "journalctl")
	d.send(click1(x, y))
	if got := selected(d); got != "logs" {
		t.Fatalf("a click on logs selected %q", got)
	}
	d.clock.at = d.clock.at.Add(200 * time.Millisecond)
	d.send(click1(x, y))
	d.settle()
	if !d.board.did("jump %8") {
		t.Errorf("the second click did not jump: %v", d.board.calls)
	}
}

func TestTwoSlowClicksDoNotJump(t *testing.T) {
	d := everyday(t, 120, 40)
	x, y := find(d, "journalctl")
	d.send(click1(x, y))
	d.clock.at = d.clock.at.Add(doubleClick + time.Millisecond)
	d.send(click1(x, y))
	x, y = find(d, "npm run dev")
	d.send(click1(x, y)) // close in time, but on another row
	d.settle()
	for _, c := range d.board.calls {
		if strings.HasPrefix(c, "jump") {
			t.Errorf("jumped: %v", d.board.calls)
		}
	}
}

func TestClicksBesideRowsSelectNothing(t *testing.T) {
	d := everyday(t, 120, 40)
	before := d.m.grid.SelectedKey()
	for _, p := range [][2]int{{0, 0}, {5, 1}, {-1, -1}, {119, 39}, {500, 500}, {60, 30}, {3, 2}} {
		d.send(click1(p[0], p[1]))
	}
	if d.m.grid.SelectedKey() != before {
		t.Error("a click beside the rows moved the selection")
	}
}

func TestEveryRowCanBeClicked(t *testing.T) {
	for _, w := range []int{34, 80, 120, 200} {
		d := newDriver(t, w, 40)
		d.give(tuitest.Parse(tuitest.Everyday))
		seen := make(map[string]bool)
		for y := range 40 {
			for x := range w {
				d.m.click = click{}
				d.send(click1(x, y))
				seen[d.m.grid.SelectedKey()] = true
			}
		}
		if n := d.m.grid.Len(); len(seen) != n {
			t.Errorf("at %d columns %d of %d rows can be clicked", w, len(seen), n)
		}
	}
}

func TestWheelScrolls(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Many(100))
	above, _ := d.m.grid.Hidden()
	d.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	after, _ := d.m.grid.Hidden()
	if after.Rows <= above.Rows {
		t.Errorf("the wheel scrolled from %d hidden rows to %d", above.Rows, after.Rows)
	}
	for range 100 {
		d.send(tea.MouseMsg{Button: tea.MouseButtonWheelDown, Action: tea.MouseActionPress})
	}
	if _, below := d.m.grid.Hidden(); below.Rows != 0 {
		t.Errorf("%d rows cannot be reached with the wheel", below.Rows)
	}
	keys := d.m.grid.VisibleKeys()
	found := false
	for _, k := range keys {
		found = found || k == d.m.grid.SelectedKey()
	}
	if !found {
		t.Error("the wheel left the selection out of sight")
	}
}

func TestFilterAsYouType(t *testing.T) {
	d := everyday(t, 120, 40)
	d.press("/")
	if d.m.mode != filtering {
		t.Fatal("/ does not filter")
	}
	for _, k := range "status:rev" {
		d.press(string(k))
	}
	if n := d.m.grid.Len(); n != 2 { // done and failed
		t.Errorf("status:rev leaves %d rows", n)
	}
	d.press("enter")
	if d.m.mode != browsing || d.m.view.Query.Empty() {
		t.Error("Enter does not keep the filter")
	}
	if !strings.Contains(text(d), "/status:rev") {
		t.Error("the footer does not say that a filter is on")
	}
	d.press("esc")
	if !d.m.view.Query.Empty() || d.m.grid.Len() != 12 {
		t.Error("Esc does not clear it")
	}
}

func TestFilterKeepsPlaceOfGrid(t *testing.T) {
	d := everyday(t, 120, 40)
	before := d.m.areas
	d.press("/", "z", "z", "z")
	if d.m.areas != before {
		t.Errorf("the picture moved while typing: %+v, was %+v", d.m.areas, before)
	}
	if !strings.Contains(text(d), "No window matches.") {
		t.Error("an empty board does not say why")
	}
}

func TestFilterEditing(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("/", "a", "b", "c", "left", "left", "X", "backspace", "delete", "end", "d", " ", "e")
	if got := d.m.filter.String(); got != "acd e" {
		t.Errorf("the text is %q", got)
	}
	d.press("ctrl+w")
	if got := d.m.filter.String(); got != "acd " {
		t.Errorf("after ^w the text is %q", got)
	}
	d.press("ctrl+u")
	if got := d.m.filter.String(); got != "" {
		t.Errorf("after ^u the text is %q", got)
	}
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("a\x1b[31m\nb" + strings.Repeat("x", 500)), Paste: true})
	if got := d.m.filter.String(); strings.ContainsAny(got, "\x1b\n") || len(got) > maxFilter {
		t.Errorf("a paste brought %q", got)
	}
	d.press("esc")
	if d.m.mode != browsing || d.m.filter.String() != "" {
		t.Error("Esc keeps the text")
	}
}

func TestTheFilterCanStayOnTheMove(t *testing.T) {
	d := everyday(t, 60, 40)
	d.press("/", "c", "l", "a", "u", "d", "e", "down")
	if d.m.mode != filtering {
		t.Error("an arrow ends the filter")
	}
	if d.m.grid.SelectedKey() == "@0" {
		t.Error("an arrow does not move the selection while filtering")
	}
}

func TestStatusFilterCycles(t *testing.T) {
	d := everyday(t, 120, 40)
	var got []int
	for range 5 {
		got = append(got, d.m.grid.Len())
		d.press("f")
	}
	want := []int{12, 3, 3, 7, 12} // all, needs you, busy, agents, all
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("f shows %v rows, want %v", got, want)
		}
	}
}

func TestSortCycles(t *testing.T) {
	d := everyday(t, 120, 40)
	d.press("o")
	if d.m.view.Sort != grid.SortUrgency {
		t.Fatalf("o sorts by %s", d.m.view.Sort)
	}
	d.m.grid.First()
	if a := d.m.selectedAgent(); a == nil || a.Name != "api-worker" {
		t.Error("the most urgent window does not come first")
	}
	d.press("o", "o")
	if d.m.view.Sort != grid.SortTmux {
		t.Errorf("three times o sorts by %s", d.m.view.Sort)
	}
}

// TestKeysOfOneReadAreSingleKeys: over a slow line several keys arrive at once.
func TestKeysOfOneReadAreSingleKeys(t *testing.T) {
	d := everyday(t, 120, 40)
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("/work")})
	if got := d.m.filter.String(); d.m.mode != filtering || got != "work" {
		t.Errorf("mode %d, filter %q", d.m.mode, got)
	}
	d.press("esc")
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("?q"), Paste: true})
	if d.m.mode != browsing {
		t.Error("a paste was taken for commands")
	}
}

type silentBoard struct {
	*fakeBoard
	until []time.Time
}

func (b *silentBoard) Silence(until time.Time) { b.until = append(b.until, until) }

func TestSilenceKey(t *testing.T) {
	d := everyday(t, 120, 40)
	d.press("m")
	if !strings.Contains(text(d), "sends no notifications") {
		t.Error("the key does not say why it does nothing")
	}
	b := &silentBoard{fakeBoard: d.board}
	d.m.board = b
	d.press("m")
	if len(b.until) != 1 || !b.until[0].Equal(d.m.now.Add(time.Hour)) {
		t.Fatalf("silenced until %v", b.until)
	}
	d.press("j")
	if !strings.Contains(text(d), "silent until "+b.until[0].Format("15:04")) {
		t.Error("nobody sees that the board is silent")
	}
	d.press("m", "j")
	if len(b.until) != 2 || !b.until[1].IsZero() || strings.Contains(text(d), "silent until") {
		t.Errorf("the same key does not end it: %v", b.until)
	}
}
