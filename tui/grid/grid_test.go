package grid_test

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

func newGrid(w, h int, snap *tracker.Snapshot, v grid.View) *grid.Grid {
	r := lipgloss.NewRenderer(io.Discard)
	g := grid.New(style.New(r, style.Options{Theme: style.Mono}), tuitest.Home)
	v.Flat = grid.Narrow(w)
	sections := grid.Arrange(snap, v)
	g.SetSize(w, h, grid.Columns(sections, w, h, 0))
	g.SetSections(sections, v.Flat || v.Group != grid.GroupSession)
	return g
}

func lines(g *grid.Grid, h int) []string {
	out := make([]string, h)
	for y := range out {
		out[y] = ansi.Strip(string(g.AppendLine(nil, y, tuitest.Now(), 0)))
	}
	return out
}

func TestAge(t *testing.T) {
	now := tuitest.Now()
	for _, c := range []struct {
		ago   time.Duration
		want  string
		valid time.Duration
	}{
		{-time.Hour, "now", time.Hour + 10*time.Second},
		{0, "now", 10 * time.Second},
		{9999 * time.Millisecond, "now", time.Millisecond},
		{10 * time.Second, "10s", 10 * time.Second},
		{32 * time.Second, "30s", 8 * time.Second},
		{59 * time.Second, "50s", time.Second},
		{time.Minute, "1m", time.Minute},
		{59*time.Minute + 59*time.Second, "59m", time.Second},
		{time.Hour, "1h", time.Hour},
		{47 * time.Hour, "47h", time.Hour},
		{48 * time.Hour, "2d", 24 * time.Hour},
		{99 * 24 * time.Hour, "99d", 24 * time.Hour},
		{100 * 24 * time.Hour, "14w", 5 * 24 * time.Hour},
		{700 * 24 * time.Hour, "1y", 30 * 24 * time.Hour},
		{100 * 365 * 24 * time.Hour, "100y", 365 * 24 * time.Hour},
	} {
		got, valid := grid.Age(now, now.Add(-c.ago))
		if got != c.want || valid != c.valid {
			t.Errorf("Age after %v = %q for %v, want %q for %v", c.ago, got, valid, c.want, c.valid)
		}
		// What is said to stay true must stay true, and no longer.
		if later, _ := grid.Age(now.Add(valid-1), now.Add(-c.ago)); later != got {
			t.Errorf("Age after %v was %q, said to hold for %v, but turned into %q before", c.ago, got, valid, later)
		}
		if next, _ := grid.Age(now.Add(valid), now.Add(-c.ago)); next == got {
			t.Errorf("Age after %v is %q beyond %v", c.ago, got, valid)
		}
	}
	if text, valid := grid.Age(now, time.Time{}); text != "" || valid != 0 {
		t.Errorf("no time has the age %q", text)
	}
}

func TestColumns(t *testing.T) {
	few := grid.Arrange(tuitest.Parse("$ a\n0 x | shell | ~ | 1m\n1 y | shell | ~ | 1m\n"), grid.View{})
	many := grid.Arrange(tuitest.Many(200), grid.View{})
	for _, c := range []struct {
		name                string
		sections            []grid.Section
		width, height, have int
		want                int
	}{
		{"narrow screens have one", many, 34, 20, 0, 1},
		{"a classic terminal with much to show has two", many, 80, 10, 0, 2},
		{"and one when everything fits", few, 80, 10, 0, 1},
		{"a wide one is not filled with very wide rows", few, 200, 40, 0, 3},
		{"as many as fit at about forty cells", many, 300, 40, 0, 7},
		{"a column more is taken when it is needed", few, 80, 2, 1, 2},
		{"but given back only with lines to spare", few, 80, 3, 2, 2},
		{"when there are some", few, 80, 6, 2, 1},
	} {
		if got := grid.Columns(c.sections, c.width, c.height, c.have); got != c.want {
			t.Errorf("%s: %d columns at %d×%d, want %d", c.name, got, c.width, c.height, c.want)
		}
	}
}

func TestTheSameThingStandsInTheSameColumn(t *testing.T) {
	g := newGrid(80, 12, tuitest.Parse(tuitest.Everyday), grid.View{})
	at := -1
	for _, l := range lines(g, 12) {
		if !strings.Contains(l, " 0 ") {
			continue
		}
		i := strings.Index(l, " 0 ")
		i = len([]rune(l[:i]))
		if at >= 0 && i != at {
			t.Errorf("an index stands at %d, others at %d: %q", i, at, l)
		}
		at = i
		if !strings.HasPrefix(string([]rune(l)[38:]), "s") && !strings.HasPrefix(string([]rune(l)[38:]), "m") {
			t.Errorf("the age does not end at the edge of its column: %q", l)
		}
	}
	if at < 0 {
		t.Fatal("no row with index 0 was drawn")
	}
}

func TestRowsAreNamedSoThatTheyCanBeToldApart(t *testing.T) {
	for _, c := range []struct{ window, agent, want string }{
		{"claude", "api-worker", "api-worker"}, // tmux repeats the program's name
		{"node", "api-worker", "api-worker"},
		{"2.1.332", "api-worker", "api-worker"}, // the version is the program's name
		{"reviews", "api-worker", "reviews"},    // a person's own name stays
		{"claude", "", "claude"},
	} {
		snap := tuitest.Parse("$ a\n0 " + c.window + " | busy | x | 1m | name=" + c.agent + "\n1 z | shell | ~ | 1m\n")
		snap.Sessions[0].Windows[0].Panes[0].Command = "2.1.332"
		g := newGrid(80, 3, snap, grid.View{})
		if l := lines(g, 3)[1]; !strings.Contains(l, " 0 "+c.want+" ") {
			t.Errorf("a window %q with the agent %q reads %q", c.window, c.agent, l)
		}
	}
}

func TestHomeIsShort(t *testing.T) {
	for text, want := range map[string]string{
		"/home/me/src": "~/src", "at a prompt in /home/me": "at a prompt in ~", "cp /home/me/a /home/me/b": "cp ~/a ~/b", "/home/mean": "/home/mean", "/var": "/var",
	} {
		g := newGrid(80, 3, tuitest.Parse("$ a\n0 x | run | "+text+" | 1m\n"), grid.View{})
		if l := lines(g, 3)[0]; !strings.HasSuffix(strings.TrimRight(l, " "), "  "+want) {
			t.Errorf("%q reads %q, want %q", text, l, want)
		}
	}
}

func TestRenamedWindowsDoNotMoveTheColumns(t *testing.T) {
	snap := tuitest.Parse("$ a\n0 long-name-12 | shell | HERE | 1m\n1 x | shell | HERE | 1m\n")
	g := newGrid(80, 10, snap, grid.View{})
	before := strings.Index(lines(g, 10)[2], "HERE")
	snap = tuitest.Parse("$ a\n0 z | shell | HERE | 1m\n1 x | shell | HERE | 1m\n")
	g.SetSections(grid.Arrange(snap, grid.View{}), false)
	if after := strings.Index(lines(g, 10)[2], "HERE"); after != before {
		t.Errorf("a shorter name moved the summaries from column %d to %d", before, after)
	}
}

// Grouping the board otherwise and back again leaves it as it was.
func TestGroupingAndBackLeavesTheColumns(t *testing.T) {
	snap := tuitest.Parse("$ a\n0 one | busy | x | 1m\n1 two | shell | ~ | 1m\n$ b\n0 journalctl | run | journalctl -f | 1m\n")
	g := newGrid(120, 20, snap, grid.View{})
	before := drawn(g, 20)
	v := grid.View{Group: grid.GroupRepository}
	g.SetSections(grid.Arrange(snap, v), true)
	if drawn(g, 20) == before {
		t.Fatal("grouping by repository changes nothing")
	}
	g.SetSections(grid.Arrange(snap, grid.View{}), false)
	if after := drawn(g, 20); after != before {
		t.Errorf("it was\n%s\nand is\n%s", before, after)
	}
}
