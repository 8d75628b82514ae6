package tui

import (
	"strings"
	"testing"

	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

// columnsWhile types a filter and returns how many columns the grid has after each letter.
func columnsWhile(d *driver, keys string) []int {
	cols := []int{d.m.grid.Columns()}
	for _, k := range keys {
		d.press(string(k))
		cols = append(cols, d.m.grid.Columns())
	}
	return cols
}

func TestAFilterShowsWhatIsFolded(t *testing.T) {
	d := newDriver(t, 80, 24)
	d.give(tuitest.Parse(tuitest.Projects))
	d.at("plan").press("z")
	if s := text(d); !strings.Contains(s, "3 windows folded") || strings.Contains(s, "terraform") {
		t.Fatalf("infra is not folded:\n%s", s)
	}
	d.press("/", "p", "l", "a", "n")
	if s := text(d); strings.Contains(s, "folded") || !strings.Contains(s, "Bash: terraform plan") || selected(d) != "plan" {
		t.Errorf("the match is not to be seen:\n%s", s)
	}
	d.press("enter", "z")
	if got := footer(d); got != " z: nothing is folded while a filter is on" {
		t.Errorf("folding what a filter opened says %q", got)
	}
	d.press("esc", "esc")
	if s := text(d); !strings.Contains(s, "3 windows folded") {
		t.Errorf("the fold has not come back:\n%s", s)
	}
}

func TestTheRowIsTheSameAfterFoldingAndUnfolding(t *testing.T) {
	for _, keys := range []string{"zz", "ZZ", "zkjz"} {
		d := newDriver(t, 120, 40)
		d.give(tuitest.Parse(tuitest.Projects))
		d.at("zsh") // neither the first nor the most urgent of its session
		before := d.m.grid.SelectedKey()
		for i, k := range keys {
			if d.press(string(k)); i == 0 && !strings.Contains(text(d), "3 windows folded") {
				t.Fatalf("%s: nothing is folded", keys)
			}
		}
		if got := d.m.grid.SelectedKey(); got != before || strings.Contains(text(d), "folded") {
			t.Errorf("%s: %q is selected, want %q", keys, selected(d), before)
		}
	}
}

// TestFewFoundRowsAreReadToTheirEnd: the columns change once on the way to them, and once on the way
// back.
func TestFewFoundRowsAreReadToTheirEnd(t *testing.T) {
	const last = "all two hundred and fourteen tests pass and the flaky one is fixed"
	d := newDriver(t, 80, 24)
	var board strings.Builder
	board.WriteString("$ work\n0 alpha | review | done: " + last + " | 14m\n")
	for _, name := range strings.Fields(strings.Repeat("alp alt ark bob cat dog eel fox gnu hen ibis ", 3)) {
		board.WriteString("1 " + name + " | shell | ~ | 1m\n")
	}
	d.give(tuitest.Parse(board.String()))
	if d.m.grid.Columns() != 2 || strings.Contains(text(d), last[:40]) {
		t.Fatalf("the board does not need two columns:\n%s", text(d))
	}
	d.press("/")
	cols := columnsWhile(d, "alpha")
	for range 5 {
		d.press("backspace")
		cols = append(cols, d.m.grid.Columns())
	}
	changes := 0
	for i, n := range cols[1:] {
		if n != cols[i] {
			changes++
		}
	}
	if changes != 2 || cols[5] != 1 || cols[len(cols)-1] != 2 {
		t.Errorf("columns while typing and deleting: %v", cols)
	}
	d.press("a", "l", "p", "h", "a")
	if s := text(d); !strings.Contains(s, last[:50]) {
		t.Errorf("the one row is cut:\n%s", s)
	}
	d.press("esc")
	if n := d.m.grid.Columns(); n != 2 {
		t.Errorf("%d columns after the filter", n)
	}
}

// TestTheWordsOfAStatusAreOffered: and each of them is one that the filter knows.
func TestTheWordsOfAStatusAreOffered(t *testing.T) {
	d := newDriver(t, 140, 24)
	d.give(tuitest.Parse("$ s\n0 a | needs | x | 1m\n1 b | failed | x | 1m\n2 c | busy | x | 1m\n3 d | bg | x | 1m\n4 e | idle | x | 1m\n5 f | unknown | x | 1m\n6 g | suspended | x | 1m\n7 h | quiet | x | 1m\n8 i | review | x | 1m"))
	d.press("/")
	d.typed("status:")
	for _, word := range grid.StatusWords() {
		if !strings.Contains(footer(d), word) {
			t.Errorf("%q is not offered: %q", word, footer(d))
		}
		d.typed(word)
		if n := d.m.grid.Len(); n == 0 || n == 9 {
			t.Errorf("status:%s finds %d of 9", word, n)
		}
		for range word {
			d.press("backspace")
		}
	}
}
