package grid_test

import (
	"strings"
	"testing"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

// drawn is what a grid shows, without blanks at line ends.
func drawn(g *grid.Grid, h int) string {
	out := lines(g, h)
	for i := range out {
		out[i] = strings.TrimRight(out[i], " ")
	}
	return strings.Join(out, "\n")
}

func TestSessionsOfOneWindowShareLines(t *testing.T) {
	g := newGrid(80, 12, tuitest.Parse(tuitest.Projects), grid.View{Home: tuitest.Home})
	const want = `
▌▲ api api-worker  Bash: ls > lis… 10s   ◆ web web-tests   done: All 214…  14m
 ▸ notes           nvim notes.md
 ✕ infra  ~/src/infra                                                    ✕1 ◐1
 ◐ 0 plan          Bash: terrafor…  4m   ✕ 1 agent         stopped with a… 26m
   2 zsh           ~/src/infra

 ◐ mobile          Edit: app/Logi… 40s     3: zsh          ~
 · design-system   The tokens are… 50m   ◐ 5: billing-te…  Bash: go test…   3m
 ▸ logs            journalctl -f -u g…
 ◐ background
 ◐   docs-check    working          3m
`
	if got := strings.ReplaceAll("\n"+drawn(g, 12), "\n ", "\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestAWindowThatIsAllItsSessionHasIsNamedAfterIt(t *testing.T) {
	for _, c := range []struct{ session, window, want string }{
		{"api", "claude | idle | x | 1m | name=api-worker", "api api-worker    x"},  // what people call it, then its agent
		{"api", "claude | idle | x | 1m", "api       x"},                            // tmux's name of the window says nothing
		{"api", "zsh | shell | x | 1m", "api       x"},                              // nor does the program's
		{"notes", "notes | shell | x | 1m", "notes     x"},                          // nor the same once more
		{"3", "zsh | shell | x | 1m", "3: zsh    x"},                                // a number is no name
		{"3", "claude | idle | x | 1m | name=tests", "3: tests  x"},                 // before what tells more
		{"work", "deploy | shell | x | 1m", "work deploy   x"},                      // a person's own name is never left out
		{"a-very-long-session", "deploy | shell | x | 1m", "a-very-long-sessi…  x"}, // unless there is no room
		{"x", "a-very-long-window | shell | x | 1m", "x a-very-long-win…  x"},       // or for all of it
		{"x", "claude | idle | x | 1m | name=an-agent-with-a-long-name", "x                   x"},
	} {
		g := newGrid(60, 3, tuitest.Parse("$ "+c.session+"\n0 "+c.window+"\n"), grid.View{})
		l := strings.TrimRight(strings.TrimSuffix(strings.TrimSpace(lines(g, 3)[0]), "1m"), " ")
		if _, text, _ := strings.Cut(l+" ", "▌"); strings.TrimLeft(text, "· ") != c.want+" " {
			t.Errorf("session %q, window %q reads %q, want %q", c.session, c.window, text, c.want)
		}
	}
}

// withWindow is a copy of a snapshot in which a session has one window more.
func withWindow(t *testing.T, text, session string) string {
	t.Helper()
	head, tail, found := strings.Cut(text, "$ "+session+"\n")
	if !found {
		t.Fatalf("there is no session %s", session)
	}
	own, rest, _ := strings.Cut(tail, "$ ")
	return head + "$ " + session + "\n" + own + "9 extra | shell | ~ | 1m\n$ " + rest
}

func TestASecondWindowGivesItsSessionATitleInItsPlace(t *testing.T) {
	snap := tuitest.Parse(tuitest.Projects)
	g := newGrid(80, 20, snap, grid.View{})
	order := describe(grid.Arrange(snap, grid.View{}))
	snap = tuitest.Parse(withWindow(t, tuitest.Projects, "design-system"))
	g.SetSections(grid.Arrange(snap, grid.View{}), false)
	if got, want := describe(grid.Arrange(snap, grid.View{})), strings.Replace(order, "design-system[0]", "design-system[0 9]", 1); got != want {
		t.Errorf("the sessions are %s, want %s", got, want)
	}
	if text := drawn(g, 20); !strings.Contains(text, "\n  · design-system  ") || !strings.Contains(text, "0 tokens") {
		t.Errorf("a session with two windows has no title:\n%s", text)
	}
}

func TestARowIsNamedAnewWhenItsSessionGetsASecondWindow(t *testing.T) {
	snap := tuitest.Parse("$ wide-session-name\n0 z | shell | ~ | 1m\n$ b\n0 x | shell | ~ | 1m\n")
	g := newGrid(80, 9, snap, grid.View{})
	if text := drawn(g, 9); !strings.Contains(text, "    b ") {
		t.Fatalf("no row is named after session b:\n%s", text)
	}
	b, second := *snap.Sessions[1], *snap.Sessions[1].Windows[0]
	second.ID, second.Index = "@77", 1
	b.Windows = []*tracker.WindowRow{b.Windows[0], &second} // the first one is the same row as before
	snap.Sessions[1] = &b
	g.SetSections(grid.Arrange(snap, grid.View{}), false)
	if text := drawn(g, 9); !strings.Contains(text, "  0 x ") {
		t.Errorf("the row keeps the name of its session:\n%s", text)
	}
}

func TestAFilterLeavesTitlesAsTheyAre(t *testing.T) {
	snap := tuitest.Parse(tuitest.Projects)
	g := newGrid(80, 12, snap, grid.View{Filter: grid.FilterNeeds, Home: tuitest.Home})
	if text := drawn(g, 12); !strings.Contains(text, "\n  ✕ infra  ~/src/infra\n") {
		t.Errorf("one window is left of a session of three, and its title is gone:\n%s", text)
	}
}

func TestSessionsOfOneWindowDoNotFold(t *testing.T) {
	snap := tuitest.Parse(tuitest.Projects)
	sections := grid.Arrange(snap, grid.View{Folded: map[string]bool{"api": true, "infra": true}})
	for _, s := range sections {
		if s.Folded != (s.Title == "infra") {
			t.Errorf("section %s is folded: %v", s.Title, s.Folded)
		}
		if s.Folds() != (s.Title == "infra" || s.Title == "background") {
			t.Errorf("section %s can be folded: %v", s.Title, s.Folds())
		}
	}
}

func TestMovesAndClicksReachSessionsOfOneWindow(t *testing.T) {
	snap := tuitest.Parse(tuitest.Projects)
	g := newGrid(80, 12, snap, grid.View{})
	name := func() string {
		c, _ := g.Selected()
		if c.Window == nil {
			return c.Background.Name
		}
		return c.Session.Name + ":" + c.Window.Name
	}
	g.First()
	for _, step := range []struct {
		d    grid.Direction
		n    int
		want string
	}{
		{grid.Right, 1, "web:claude"},
		{grid.Down, 1, "notes:nvim"},  // a shorter line
		{grid.Down, 1, "infra:agent"}, // and back into the column
		{grid.Down, 2, "3:zsh"},
		{grid.Left, 1, "mobile:claude"},
		{grid.Down, 3, "docs-check"},
		{grid.Up, 4, "infra:zsh"},
	} {
		g.Move(step.d, step.n)
		if got := name(); got != step.want {
			t.Fatalf("the selection is on %s, want %s", got, step.want)
		}
	}
	seen := make(map[string]bool)
	for y := range 12 {
		for x := range 80 {
			if key := g.At(x, y); key != "" {
				seen[key] = true
			}
		}
	}
	if n := g.Len(); len(seen) != n {
		t.Errorf("%d of %d cells can be clicked", len(seen), n)
	}
	if keys := g.VisibleKeys(); len(keys) != g.Len() {
		t.Errorf("%d of %d rows get a label", len(keys), g.Len())
	}
}

func TestATitleNeverStandsAlone(t *testing.T) {
	snap := tuitest.Many(60)
	for h := 2; h < 9; h++ {
		g := newGrid(80, h, snap, grid.View{})
		for range 80 {
			text := lines(g, h)
			if last := text[h-1]; strings.Contains(last, "(main)") {
				t.Fatalf("at %d lines a title is the last one shown: %q", h, text)
			}
			if g.TitleAt(h-1) != "" {
				t.Fatalf("at %d lines a title that is not shown can be clicked", h)
			}
			g.Scroll(1)
		}
	}
	folded := newGrid(80, 4, snap, grid.View{Folded: map[string]bool{"api": true, "web": true, "infra": true, "docs": true}})
	if l := lines(folded, 4)[3]; !strings.Contains(l, "docs") {
		t.Errorf("a folded section needs nothing below it, and is hidden: %q", l)
	}
}

func TestWhoWaitsOutOfSightIsCounted(t *testing.T) {
	snap := tuitest.Parse(tuitest.Projects)
	g := newGrid(80, 3, snap, grid.View{})
	g.First()
	_, below := g.Hidden()
	if below.Needs != 0 || below.Failed != 1 || below.Review != 0 {
		t.Errorf("below the first lines: %+v, want the failed one", below)
	}
	g.Last()
	above, below := g.Hidden()
	if above.Needs != 1 || above.Failed != 1 || above.Review != 1 || below.Rows != 0 {
		t.Errorf("above the last lines: %+v, below %+v", above, below)
	}
	g = newGrid(80, 3, snap, grid.View{Folded: map[string]bool{"infra": true}})
	g.Last()
	if above, _ := g.Hidden(); above.Failed != 1 || above.Rows != 8 {
		t.Errorf("a folded section out of sight counts as %+v", above)
	}
}

func TestACardSaysANameOnce(t *testing.T) {
	for _, c := range []struct{ session, window, want string }{
		{"api-worker", "claude | idle | x | 1m | name=api-worker", "· api-worker                 1m"},
		{"notes", "notes | shell | x | 1m", "  notes"},
		{"api", "claude | idle | x | 1m | name=api-worker", "· api api-worker             1m"},
	} {
		g := newGrid(34, 4, tuitest.Parse("$ "+c.session+"\n0 "+c.window+"\n"), grid.View{Flat: true})
		if l := strings.TrimRight(lines(g, 4)[0], " "); !strings.HasSuffix(l, c.want) {
			t.Errorf("session %q, window %q reads %q, want %q", c.session, c.window, l, c.want)
		}
	}
}
