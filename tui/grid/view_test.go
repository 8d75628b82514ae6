package grid_test

import (
	"fmt"
	"strings"
	"testing"

	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

func TestSectionsAndOrder(t *testing.T) {
	snap := tuitest.Parse(tuitest.Everyday)
	for _, c := range []struct {
		name string
		view grid.View
		want string
	}{
		{"tmux order", grid.View{}, "api[0 1 2] web[0 1 2] infra[0 1 2 3 4] background[-]"},
		{"urgency", grid.View{Sort: grid.SortUrgency}, "api[0 1 2] infra[3 0 4 1 2] web[0 1 2] background[-]"},
		{"activity", grid.View{Sort: grid.SortActivity}, "infra[1 0 3 4 2] api[0 1 2] web[1 0 2] background[-]"},
		{"repositories", grid.View{Group: grid.GroupRepository}, "api[0 1 2] web[0 1 2] infra[0 1 3 4] me[2] background[-]"},
		{"only who needs you", grid.View{Filter: grid.FilterNeeds}, "api[0] web[0] infra[3]"},
		{"only busy", grid.View{Filter: grid.FilterBusy}, "web[1] infra[0] background[-]"},
		{"only agents", grid.View{Filter: grid.FilterAgents}, "api[0] web[0 1] infra[0 3 4] background[-]"},
		{"flat", grid.View{Flat: true, Filter: grid.FilterAgents}, "[0 3 0 1 0 - 4]"},
	} {
		if got := describe(grid.Arrange(snap, c.view)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	if grid.Arrange(nil, grid.View{}) != nil {
		t.Error("no snapshot has sections")
	}
}

func describe(sections []grid.Section) string {
	var out []string
	for _, s := range sections {
		var cells []string
		for _, c := range s.Cells {
			if c.Window == nil {
				cells = append(cells, "-")
			} else {
				cells = append(cells, fmt.Sprint(c.Window.Index))
			}
		}
		out = append(out, s.Title+"["+strings.Join(cells, " ")+"]")
	}
	return strings.Join(out, " ")
}

func TestTheSessionOfWhoWaitsLongestIsFirst(t *testing.T) {
	snap := tuitest.Parse("$ a\n0 x | needs | x | 2h\n1 y | shell | x | 1m\n$ b\n0 x | needs | x | 1m\n1 y | needs | x | 3h\n")
	if got := describe(grid.Arrange(snap, grid.View{Sort: grid.SortUrgency})); got != "b[1 0] a[0 1]" {
		t.Errorf("the order is %s", got)
	}
}

func TestUrgencyKeepsBusyAgentsInPlace(t *testing.T) {
	snap := tuitest.Parse("$ a\n0 x | busy | . | 1m\n1 y | busy | . | 9m\n2 z | needs | . | 1m\n3 w | needs | . | 9m\n4 d | dialog | . | 9m\n5 u | unknown | . | 1m\n6 i | idle | . | 1m\n7 s | shell | . | 1m\n8 r | review | . | 1m\n9 f | failed | . | 1m\n")
	if got := describe(grid.Arrange(snap, grid.View{Sort: grid.SortUrgency})); got != "a[3 2 9 8 4 5 0 1 6 7]" {
		t.Errorf("order %s: want the longest wait first, busy ones as they stand, shells last", got)
	}
}

func TestRepositoryTrees(t *testing.T) {
	snap := tuitest.Parse(`
$ a
0 x | busy | . | 1m | cwd=/src/api | branch=main
1 y | busy | . | 1m | cwd=/src/api/cmd/tool | branch=main
2 z | shell | . | 1m | cwd=/src/api/docs
3 w | busy | . | 1m | cwd=/src/api-v2 | branch=next
4 h | idle | . | 1m | cwd=/src
5 v | shell | . | 1m | cwd=/src/other
$ b
0 q | busy | . | 1m | cwd=/src/api | branch=feature
`)
	sections := grid.Arrange(snap, grid.View{Group: grid.GroupRepository})
	if got := describe(sections); got != "api[0 1 2 0] api-v2[3] src[4] other[5]" {
		t.Errorf("trees %s", got)
	}
	if sections[0].Branch != "" || sections[1].Branch != "next" {
		t.Errorf("branches %q and %q: one is only shown when all agree", sections[0].Branch, sections[1].Branch)
	}
}

func TestQuery(t *testing.T) {
	snap := tuitest.Parse(tuitest.Everyday)
	for _, c := range []struct{ query, want string }{
		{"", "api[0 1 2] web[0 1 2] infra[0 1 2 3 4] background[-]"},
		{"apw", "api[0]"}, // api-worker, by its letters
		{"APW", "api[0]"},
		{"nvim", "web[2] infra[1]"},
		{"flaky", "web[0]"}, // branch and last words
		{"status:needs", "api[0]"},
		{"status:review", "web[0] infra[3]"},
		{"status:failed", "infra[3]"},
		{"status:", "api[0 1 2] web[0 1 2] infra[0 1 2 3 4] background[-]"},
		{"status:busy session:web", "web[1]"},
		{"session:inf plan", "infra[0]"},
		{"session:ai", ""}, // a term looks for the letters together
		{"cwd:docs", "background[-]"},
		{"cwd:src/web", "web[0 1 2]"},
		{"nvim nowhere", ""},
		{"gateway", "infra[2]"},
		{"%1", "api[1]"},
		{"graph.md", "infra[4]"},
	} {
		if got := describe(grid.Arrange(snap, grid.View{Query: grid.ParseQuery(c.query)})); got != c.want {
			t.Errorf("%q finds %s, want %s", c.query, got, c.want)
		}
	}
}

func TestWordsOfViewsRoundTrip(t *testing.T) {
	for _, s := range []grid.Sort{grid.SortTmux, grid.SortUrgency, grid.SortActivity} {
		var back grid.Sort
		if b, _ := s.MarshalText(); back.UnmarshalText(b) != nil || back != s {
			t.Errorf("%v does not round-trip", s)
		}
	}
	for f, n := grid.FilterAll, 0; n == 0 || f != grid.FilterAll; f, n = f.Next(), n+1 {
		var back grid.Filter
		if b, _ := f.MarshalText(); back.UnmarshalText(b) != nil || back != f {
			t.Errorf("%v does not round-trip", f)
		}
	}
	var g grid.Group
	if err := g.UnmarshalText([]byte("galaxy")); err == nil {
		t.Error("an unknown word is taken")
	}
}
