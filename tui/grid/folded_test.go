package grid_test

import (
	"strings"
	"testing"
	"time"

	"signalbox/tui/grid"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

const mixed = `
$ api attached
0 one | busy | Read: a.go | 3m | cwd=~/src/api
1 two | needs | Bash: rm -rf build | 50s | cwd=~/src/api | name=builder
2 three | review | done: it works | 14m | cwd=~/src/api
3 four | idle | ready | 2h | cwd=~/src/api
4 zsh | shell | ~/src/api | 1m
$ web
0 dev | run | vite | 1m
1 zsh | shell | ~ | 1m
`

// TestAFoldedSessionIsSummedUp: who is most urgent speaks for it, with name, words and age.
func TestAFoldedSessionIsSummedUp(t *testing.T) {
	folded := grid.View{Home: tuitest.Home, Folded: map[string]bool{"api": true, "web": true}}
	g := newGrid(120, 4, tuitest.Parse(mixed), folded)
	l := lines(g, 4)
	for _, want := range []string{"▌▲ api ", "5 windows folded", " attached  ▲1 ◆1 ◐1 ·1  50s ", " two ", "Bash: rm -rf build", "50s"} {
		if !strings.Contains(l[0], want) {
			t.Errorf("no %q in %q", want, l[0])
		}
	}
	if l[2] = strings.TrimSpace(l[2]); !strings.HasPrefix(l[2], "▸ web ") || !strings.HasSuffix(l[2], "2 windows folded") {
		t.Errorf("a session without an agent reads %q", l[2])
	}
	builds := g.Builds()
	now := tuitest.Now()
	for i := range 3 {
		for y := range 4 {
			g.AppendLine(nil, y, now.Add(time.Duration(i)*time.Second), i)
		}
	}
	if n := g.Builds() - builds; n != 0 {
		t.Errorf("%d titles were built with nothing new", n)
	}
	if g.AppendLine(nil, 0, now.Add(time.Minute), 0); g.Builds() != builds+1 {
		t.Error("a folded session does not grow older")
	}
}

// TestWhatIsLookedForIsNotFolded: a filter for those who wait, or who work, shows them. The one that
// leaves out windows without an agent is a way to live, and folds are part of it.
func TestWhatIsLookedForIsNotFolded(t *testing.T) {
	for filter, want := range map[grid.Filter]bool{grid.FilterAll: true, grid.FilterNeeds: false, grid.FilterBusy: false, grid.FilterAgents: true} {
		v := grid.View{Filter: filter, Folded: map[string]bool{"api": true}}
		if got := grid.Arrange(tuitest.Parse(mixed), v)[0].Folded; got != want {
			t.Errorf("filter %s: api is folded: %v, want %v", filter, got, want)
		}
	}
}

// TestRowsHaveASecondLineWhereThereIsRoom: what was asked, where the row is about something else, and
// where a window is, where its title does not say so.
func TestRowsHaveASecondLineWhereThereIsRoom(t *testing.T) {
	snap := tuitest.Parse(`
$ api
0 one | busy | Read: a.go | 3m | cwd=~/src/api | asked=fix the first failure
1 two | busy | fix the rest | 3m | cwd=~/src/api | asked=fix the rest
2 zsh | shell | at a prompt in ~/src/api | 1m | cwd=~/src/api
$ web
0 dev | run | vite | 1m | cwd=~/src/web
`)
	v := grid.View{Home: tuitest.Home}
	g := newGrid(80, 12, snap, v)
	sections := grid.Arrange(snap, v)
	g.SetRoomy(true)
	g.SetSections(sections, false)
	want := `  ◐ api  ~/src/api                                                           ◐2
 ▌◐ 0 one     Read: a.go                                                     3m
 ▌            ❯ fix the first failure
  ◐ 1 two     fix the rest                                                   3m

    2 zsh     at a prompt in ~/src/api


  ▸ web dev   vite
              ~/src/web`
	if got := strings.TrimRight(drawn(g, 12), "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if key := g.At(5, 2); key != g.SelectedKey() {
		t.Errorf("a click on the second line is on %q", key)
	}
	for i, k := range g.VisibleKeys() {
		if g.Select(k); g.SelectedKey() != k || i > 3 {
			t.Errorf("row %d of %v cannot be selected", i, g.VisibleKeys())
		}
	}
}

func TestRowsGetASecondLineWithRoomToSpareAndKeepItWhileItFits(t *testing.T) {
	sections := grid.Arrange(tuitest.Parse(mixed), grid.View{}) // in 2 columns: 2 titles, 4 rows, 1 blank line
	for _, c := range []struct {
		height     int
		has, roomy bool
	}{{14, false, true}, {13, false, false}, {13, true, true}, {11, true, true}, {10, true, false}} {
		if got := grid.Roomy(sections, 80, c.height, 2, c.has); got != c.roomy {
			t.Errorf("%d lines, two each before: %v: %v", c.height, c.has, got)
		}
	}
	if grid.Roomy(sections, 40, 500, 1, false) {
		t.Error("cards have two lines as it is")
	}
}

// TestTheAgesOfFoldedSessionsStandInOneColumn: with those of rows, whatever else is said at the right.
func TestTheAgesOfFoldedSessionsStandInOneColumn(t *testing.T) {
	const board = "$ a attached\n0 x | busy | x | 3m\n1 y | idle | x | 2h\n$ b\n0 x | needs | x | 14m\n1 y | shell | x | 1m\n" +
		"$ c\n0 x | busy | x | 50s\n$ d\n0 x | shell | x | 1m\n1 y | shell | x | 1m\n$ e attached\n0 x | review | x | 5m\n1 y | failed | x | 26m\n"
	for _, w := range []int{60, 80, 120} {
		g := newGrid(w, 14, tuitest.Parse(board), grid.View{Folded: map[string]bool{"a": true, "b": true, "d": true, "e": true}})
		ages := map[string]int{}
		for _, l := range lines(g, 14) {
			for _, age := range []string{" 3m", " 14m", " 26m"} {
				if before, _, found := strings.Cut(l, age); found {
					ages[age] = style.Width(before) + len(age)
				}
			}
		}
		if len(ages) != 3 || ages[" 3m"] != w-1 || ages[" 14m"] != w-1 || ages[" 26m"] != w-1 {
			t.Errorf("at %d columns the ages end in columns %v:\n%s", w, ages, strings.Join(lines(g, 14), "\n"))
		}
	}
}
