package grid_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

// TestARowUnderItsRepositorySaysOnlyWhatTheTitleDoesNot: not the name again, but another session, and the
// branch where there are two.
func TestARowUnderItsRepositorySaysOnlyWhatTheTitleDoesNot(t *testing.T) {
	snap := tuitest.Parse(`$ api
0 one | busy | . | 1m | cwd=/src/api | branch=main
1 two | busy | . | 1m | cwd=/src/api | branch=main
$ web_app
0 three | busy | . | 1m | cwd=/src/web.app | branch=main
10 four | busy | . | 1m | cwd=/src/web.app/sub | branch=fix/ünï
2 five | shell | . | 1m | cwd=/src/web.app
$ scratch
3 six | busy | . | 1m | cwd=/src/web.app | branch=main
`)
	g := newGrid(70, 20, snap, grid.View{Group: grid.GroupRepository})
	// The last window of a section is widest: its index tells where all end.
	want := map[string]string{
		"one": "0", "two": "1",
		"three": "        0 main", "four": "       10 fix/ünï", "five": "        2", "six": "scratch:3 main",
	}
	names := map[int]bool{}
	for _, l := range lines(g, 20) {
		for name, where := range want {
			before, _, found := strings.Cut(l, name)
			if !found {
				continue
			}
			delete(want, name)
			if got := strings.TrimRight(string([]rune(before)[4:]), " "); got != where {
				t.Errorf("before %q stands %q, want %q", name, got, where)
			}
			names[utf8.RuneCountInString(before)] = true
		}
	}
	if len(want) > 0 || len(names) != 1 {
		t.Errorf("not seen %v, names in the columns %v:\n%s", want, names, drawn(g, 20))
	}
}
