package grid_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

// Whatever is done to a board of cards, it shows whole ones: half a card at an edge is a name without
// what it does, or words that nobody has said.
func TestCardsAreShownWhole(t *testing.T) {
	snap := tuitest.Many(60)
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		g := newGrid(34, 9, snap, grid.View{Flat: true})
		height := 9
		steps := []func(){
			func() { g.Move(grid.Down, 1+rnd.IntN(4)) },
			func() { g.Move(grid.Up, 1+rnd.IntN(4)) },
			func() { g.Scroll(rnd.IntN(9) - 4) },
			func() { g.Page(grid.Down) },
			func() { g.Page(grid.Up) },
			func() { g.Nth(1 + rnd.IntN(60)) },
			func() { height = 2 + rnd.IntN(20); g.SetSize(34, height, 1) },
			func() {
				v := grid.View{Flat: true, Sort: grid.Sort(rnd.IntN(3)), Filter: grid.Filter(rnd.IntN(4))}
				g.SetSections(grid.Arrange(snap, v), true)
			},
			func() { g.Rest(rnd.IntN(2) == 0) },
		}
		for n := range 200 {
			steps[rnd.IntN(len(steps))]()
			keys := g.VisibleKeys()
			if want := min(height/grid.CardLines, g.Len()); len(keys) != want {
				t.Fatalf("seed %d, step %d: %d lines show %d cards, want %d", seed, n, height, len(keys), want)
			}
			selected := false
			for i, key := range keys {
				for half := range grid.CardLines {
					if got := g.At(5, grid.CardLines*i+half); got != key {
						t.Fatalf("seed %d, step %d: line %d belongs to %q, want %q", seed, n, grid.CardLines*i+half, got, key)
					}
				}
				selected = selected || key == g.SelectedKey()
			}
			if !selected {
				t.Fatalf("seed %d, step %d: the selection is out of sight", seed, n)
			}
			if height%grid.CardLines == 1 && g.At(5, height-1) != "" {
				t.Fatalf("seed %d, step %d: half a card stands on the last line", seed, n)
			}
		}
	}
}

// What a line says is drawn from the same card as what a click on it finds.
func TestCardsAreDrawnWhereTheyAre(t *testing.T) {
	g := newGrid(34, 7, tuitest.Many(60), grid.View{Flat: true})
	g.Nth(40)
	rows := lines(g, 7)
	for y := 0; y < 6; y += 2 {
		if strings.TrimSpace(rows[y]) == "" || !strings.Contains(rows[y], ":") || strings.Contains(rows[y+1][:4], ":") {
			t.Errorf("lines %d and %d are %q and %q", y, y+1, rows[y], rows[y+1])
		}
	}
	if strings.TrimSpace(rows[6]) != "" {
		t.Errorf("half a card: %q", rows[6])
	}
	if above, below := g.Hidden(); above.Rows+below.Rows+3 != g.Len() {
		t.Errorf("%d above, %d below and 3 shown of %d", above.Rows, below.Rows, g.Len())
	}
}

// A page of cards is as many cards as are on the screen, less what stays in sight.
func TestAPageOfCards(t *testing.T) {
	g := newGrid(34, 16, tuitest.Many(60), grid.View{Flat: true})
	g.First()
	before := g.VisibleKeys()
	g.Page(grid.Down)
	for i, key := range before {
		if key == g.SelectedKey() {
			if i != 6 {
				t.Errorf("a page down went to card %d of %d", i, len(before))
			}
			return
		}
	}
	t.Error("a page down went further than the screen")
}

// Nobody is at the board, and the order has what is most urgent first: the beginning is shown.
func TestRest(t *testing.T) {
	g := newGrid(34, 6, tuitest.Many(60), grid.View{Flat: true})
	g.Nth(3)
	third := g.SelectedKey()
	if g.Rest(false) || g.SelectedKey() != third {
		t.Error("a selection in sight moved")
	}
	for n, always := range map[int]bool{4: false, 3: true, 33: true} {
		g.Nth(n)
		if !g.Rest(always) {
			t.Errorf("the selection did not move from card %d", n)
		}
		if keys := g.VisibleKeys(); g.SelectedKey() != keys[0] {
			t.Errorf("%q is selected, want %q", g.SelectedKey(), keys[0])
		}
		if above, _ := g.Hidden(); above.Rows != 0 {
			t.Errorf("%d cards are above", above.Rows)
		}
	}
}

// A session with one window is called by its name alone, and by both once it has a second one.
func TestACardOfASessionWithOneWindow(t *testing.T) {
	snap := tuitest.Parse("$ web\n0 claude | busy | x | 1m | name=page\n$ 3\n0 zsh | shell | ~ | 1m\n")
	g := newGrid(40, 8, snap, grid.View{})
	if got := drawn(g, 8); !strings.Contains(got, " web page") || !strings.Contains(got, " 3:0 zsh") {
		t.Fatalf("the cards are\n%s", got)
	}
	web, second := *snap.Sessions[0], *snap.Sessions[0].Windows[0]
	second.ID, second.Index = "@77", 1
	web.Windows = append(web.Windows[:1:1], &second)
	snap.Sessions[0] = &web
	g.SetSections(grid.Arrange(snap, grid.View{Flat: true}), true)
	if got := drawn(g, 8); !strings.Contains(got, " web:0 page") || !strings.Contains(got, " web:1 page") {
		t.Errorf("the cards are\n%s", got)
	}
}
