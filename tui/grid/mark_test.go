package grid_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

var marked = regexp.MustCompile(`\x1b\[4m(.*?)\x1b\[0m`)

// TestWhatARowWasFoundByIsMarked: in its names letter by letter, in what it says as a word, and in the title
// above it.
func TestWhatARowWasFoundByIsMarked(t *testing.T) {
	const board = `$ api
0 claude | busy | Bash: run the TESTS | 5s | name=test-runner | asked=make them pass | cwd=~/src/api | branch=main
1 claude | busy | Read: x.go | 5s | name=tee-shirt | asked=read the tests | cwd=~/src/api | branch=main
$ wéb
0 claude | idle | 測試 was done | 5s | name=測試-worker | cwd=~/src/web | branch=fix/flaky
`
	for _, c := range []struct {
		name, query string
		w           int
		view        grid.View
		want        []string
	}{
		{"nothing looked for", "", 70, grid.View{}, nil},
		{"a word, in every text of the row, whatever its case", "tests", 70, grid.View{}, []string{"TESTS"}},
		{"letters in a name", "tst", 70, grid.View{}, []string{"t", "st", "t", "s", "t"}},
		{"a word rather than its letters", "runner", 70, grid.View{}, []string{"runner"}},
		{"two words", "shirt read", 70, grid.View{}, []string{"shirt", "Read"}},
		{"wide letters", "試", 70, grid.View{}, []string{"試", "試"}},
		{"the session's name in the title", "api", 70, grid.View{}, []string{"api", "api"}},
		{"the session by its term, not the rest", "session:ap", 70, grid.View{}, []string{"ap"}},
		{"the branch in the title", "main", 70, grid.View{}, []string{"main"}},
		{"a directory by its term", "cwd:src/a", 70, grid.View{}, []string{"src/a"}},
		{"a status has no letters", "status:busy", 70, grid.View{}, nil},
		{"a card", "shirt", 34, grid.View{}, []string{"shirt"}},
		{"a branch below a repository", "flk", 70, grid.View{Group: grid.GroupRepository}, []string{"f", "l", "k"}},
	} {
		c.view.Query = grid.ParseQuery(c.query)
		g := newGrid(c.w, 12, tuitest.Parse(board), c.view)
		g.SetQuery(c.view.Query)
		var got []string
		for y := range 12 {
			line := string(g.AppendLine(nil, y, tuitest.Now(), 0))
			if n := ansi.StringWidth(line); n != c.w {
				t.Errorf("%s: a line of %d cells: %q", c.name, n, line)
			}
			for _, m := range marked.FindAllStringSubmatch(line, -1) {
				got = append(got, m[1])
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q marks %q, want %q", c.name, c.query, got, c.want)
		}
	}
}

// TestMarksGoWithTheQuery: a row that stays is drawn anew when something else is looked for.
func TestMarksGoWithTheQuery(t *testing.T) {
	snap := tuitest.Parse("$ a\n0 claude | busy | x | 5s | name=worker\n1 zsh | shell | ~ | 1m\n")
	g := newGrid(70, 6, snap, grid.View{})
	draw := func() string {
		var b []byte
		for y := range 6 {
			b = g.AppendLine(b, y, tuitest.Now(), 0)
		}
		return string(b)
	}
	plain := draw()
	for _, text := range []string{"w", "wo", ""} {
		g.SetQuery(grid.ParseQuery(text))
		if got := draw(); ansi.Strip(got) != ansi.Strip(plain) || strings.Contains(got, "\x1b[4m"+text+"\x1b[0m") != (text != "") {
			t.Errorf("%q: %q", text, got)
		}
	}
	if draw() != plain {
		t.Error("marks are left when nothing is looked for")
	}
	builds := g.Builds()
	g.SetQuery(grid.Query{})
	if draw(); g.Builds() != builds {
		t.Error("the same query builds rows")
	}
}
