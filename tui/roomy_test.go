package tui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/tuitest"
)

// TestRowsHaveTwoLinesWhereNothingElseNeedsThem: a large screen with few windows says what each was asked.
// Above a panel the lines are the panel's, and what a filter leaves changes no row.
func TestRowsHaveTwoLinesWhereNothingElseNeedsThem(t *testing.T) {
	const asked = "❯ make the test suite green"
	has := func(d *driver) bool { return strings.Contains(text(d), asked) }
	large := everyday(t, 220, 50)
	if !has(large) {
		t.Fatalf("an empty half, and nothing is said of what was asked:\n%s", text(large))
	}
	large.press("/", "n", "v", "i", "m")
	for range 4 {
		if !large.m.grid.Roomy() {
			t.Error("rows lose their second line while a filter is typed")
		}
		large.press("backspace")
	}
	d := everyday(t, 120, 40)
	if has(d) {
		t.Error("rows have taken the lines of the live screen")
	}
	if d.press("p"); !has(d) {
		t.Errorf("the lines of the panel that was put away are empty:\n%s", text(d))
	}
	one := newDriver(t, 120, 40)
	one.press("p")
	one.give(tuitest.Parse("$ work\n0 claude | idle | ready | 3m | asked=tidy up"))
	if !strings.Contains(text(one), "❯ tidy up") {
		t.Error("a board of one row has one line")
	}
	if one.press("p"); one.m.grid.Roomy() {
		t.Error("its second line stays above the panel")
	}
	d.send(tea.WindowSizeMsg{Width: 120, Height: 16})
	if d.m.grid.Roomy() {
		t.Error("rows have two lines, and do not fit")
	}
	many := newDriver(t, 220, 50)
	many.give(tuitest.Many(100))
	many.press("/", "7")
	if many.m.grid.Roomy() {
		t.Error("what a filter has found is drawn otherwise than it was")
	}
}

// TestANewSizeShowsTheBeginning: columns become cards in another order, and the place of the selection
// among the old ones hides nobody above.
func TestANewSizeShowsTheBeginning(t *testing.T) {
	d := everyday(t, 120, 40)
	d.at("zsh").press("x") // one of the first by tmux, and one of the last by urgency
	key := d.m.grid.SelectedKey()
	d.send(tea.WindowSizeMsg{Width: 34, Height: 24})
	if above, _ := d.m.grid.Hidden(); above.Rows > 0 || d.m.grid.SelectedKey() != key {
		t.Errorf("%d cards are above the edge:\n%s", above.Rows, text(d))
	}
}
