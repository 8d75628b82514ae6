package tui

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// TestMonkey does whatever comes to its mind, while the world does the same, and looks at every frame.
func TestMonkey(t *testing.T) {
	steps := 400
	if testing.Short() {
		steps = 100
	}
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			k := newMonkey(t, seed)
			for range steps {
				k.step()
				if k.look(); t.Failed() {
					t.Fatalf("after:\n%s", strings.Join(k.did[max(len(k.did)-30, 0):], "\n"))
				}
			}
		})
	}
}

// monkey is a person with a world.
type monkey struct {
	*driver
	r     *rand.Rand
	world *monkeyWorld
	did   []string
	ascii bool
}

func newMonkey(t *testing.T, seed uint64) *monkey {
	r := rand.New(rand.NewPCG(seed, 1))
	look := testLook{style.Dark, termenv.TrueColor, style.Unicode}
	if seed%4 == 3 {
		look = testLook{style.Mono, termenv.Ascii, style.ASCII}
	}
	k := &monkey{r: r, world: newMonkeyWorld(r), ascii: look.glyphs == style.ASCII}
	k.driver = newDriver(t, 80, 24, func(o *Options) {
		o.Style, o.Shell = newStyle(look), true
		o.Self = tracker.PaneID([]string{"", "%3"}[r.IntN(2)])
		o.Settings.View.Sort = grid.Sort(r.IntN(3))
	})
	k.board.hooks.Installed = r.IntN(2) == 0
	k.send(hooksMsg{setup: k.board.hooks})
	k.give(k.world.snapshot())
	return k
}

func (k *monkey) note(format string, args ...any) {
	k.did = append(k.did, fmt.Sprintf(format, args...))
}

var monkeyKeys = []string{
	"j", "k", "h", "l", "up", "down", "left", "right", "tab", "tab", "shift+tab", "home", "end", "g", "G", "pgup", "pgdown", "3", "12", "'", ";",
	"a", "w", "n", "N", "m", "r", "b", "i", "t", "e", "f", "o", "v", "z", "Z", "p", "?", "/", " ", "esc", "esc", "esc", "s", "s", "x", "7", "status:", "日本", "עם",
	"ctrl+t", "ctrl+o", "ctrl+j", "backspace", "ctrl+u", "ctrl+w", "alt+up", "alt+down", "delete", "ctrl+r", "H", "aa", "sd", "session:s1",
}

func (k *monkey) step() {
	switch n := k.r.IntN(100); {
	case n < 40:
		key := monkeyKeys[k.r.IntN(len(monkeyKeys))]
		k.note("key %q", key)
		k.press(key)
	case n < 48:
		k.pointer()
	case n < 56:
		k.commit()
	case n < 66:
		k.resize()
	case n < 88:
		k.note("world: %s", k.world.change())
		k.give(k.world.snapshot())
	case n < 91:
		k.note("focus")
		k.send(tea.FocusMsg{})
	case n < 94:
		k.note("blur")
		k.send(tea.BlurMsg{})
	case n < 98:
		by := time.Duration(k.r.IntN(90_000)) * time.Millisecond
		k.note("time %s", by)
		k.pass(by)
	default:
		k.note("answers")
		k.settle()
	}
}

func (k *monkey) pointer() {
	x, y := k.r.IntN(k.m.width+2)-1, k.r.IntN(k.m.height+2)-1
	button := []tea.MouseButton{tea.MouseButtonLeft, tea.MouseButtonWheelUp, tea.MouseButtonWheelDown}[k.r.IntN(3)]
	k.note("mouse %v at %d,%d", button, x, y)
	k.send(tea.MouseMsg{X: x, Y: y, Button: button, Action: tea.MouseActionPress})
}

func (k *monkey) resize() {
	sizes := [][2]int{{34, 20}, {60, 20}, {80, 24}, {120, 40}, {220, 50}, {300, 60}, {1 + k.r.IntN(320), 1 + k.r.IntN(90)}, {1 + k.r.IntN(60), 1 + k.r.IntN(12)}}
	s := sizes[k.r.IntN(len(sizes))]
	k.note("size %d×%d", s[0], s[1])
	k.send(tea.WindowSizeMsg{Width: s[0], Height: s[1]})
}

// commit presses a key that is about one agent, with the world changing before the answer: it is the one
// that was drawn as selected when the key came.
func (k *monkey) commit() {
	if k.m.mode != browsing {
		return
	}
	k.settle()
	k.m.refused = time.Time{}
	drawn, key := k.m.grid.SelectedKey(), []string{"enter", "s"}[k.r.IntN(2)]
	k.look()
	k.board.calls = nil
	k.note("key %q on %s", key, drawn)
	k.press(key)
	cell, ok := k.m.grid.Selected()
	if k.m.mode == composing {
		if pane := k.m.prompt.Target().Pane; !ok || cell.Window == nil || !holds(cell, pane) {
			k.t.Errorf("the prompt is about %s, and %s is selected", pane, drawn)
		}
	}
	k.note("world: %s", k.world.change())
	k.give(k.world.snapshot())
	k.settle()
	for _, call := range k.board.calls {
		if pane, jumped := strings.CutPrefix(call, "jump "); jumped && (key != "enter" || !holds(cell, tracker.PaneID(pane))) {
			k.t.Errorf("%s on %s jumped to %s", key, drawn, pane)
		}
	}
}

func holds(c grid.Cell, pane tracker.PaneID) bool {
	if c.Window != nil {
		for _, p := range c.Window.Panes {
			if p.ID == pane {
				return true
			}
		}
	}
	return false
}

// look checks the frame.
func (k *monkey) look() {
	k.t.Helper()
	m := k.m
	frame := m.View()
	checkFrame(k.t.(*testing.T), frame, m.width, m.height)
	if m.mode == reading || m.areas.grid.h <= 0 {
		return
	}
	k.everybodyCounts()
	k.rulesTell(strings.Split(sgr.ReplaceAllString(frame, ""), "\n"))
	if m.grid.Len() > 0 {
		k.selectionShows(strings.Split(sgr.ReplaceAllString(frame, ""), "\n"))
	}
}

// everybodyCounts holds what is drawn and what the rules count against the snapshot.
func (k *monkey) everybodyCounts() {
	k.t.Helper()
	var want, got grid.Hidden
	note := func(h *grid.Hidden, c grid.Cell) {
		switch lamp := style.LampOf(c.Verdict()); lamp {
		case style.LampNeeds:
			h.Needs++
		case style.LampFailed:
			h.Failed++
		case style.LampReview:
			h.Review++
		}
	}
	drawn := make(map[string]bool)
	for _, key := range k.m.grid.VisibleKeys() {
		drawn[key] = true
	}
	for _, s := range grid.Arrange(k.m.snap, k.m.view) {
		for _, c := range s.Cells {
			note(&want, c)
			if drawn[c.Key] || s.Folded && drawn[s.Key] {
				note(&got, c)
			}
		}
	}
	above, below := k.m.grid.Hidden()
	got.Needs += above.Needs + below.Needs
	got.Failed += above.Failed + below.Failed
	got.Review += above.Review + below.Review
	if got != want {
		k.t.Errorf("%d×%d: drawn and counted %+v, there are %+v", k.m.width, k.m.height, got, want)
	}
}

// rulesTell holds the rules to what is out of sight behind them.
func (k *monkey) rulesTell(lines []string) {
	k.t.Helper()
	for _, y := range []int{k.m.areas.topRule, k.m.areas.panelRule, k.m.areas.footRule} {
		if y < 0 || k.m.areas.grid.w < 30 {
			continue
		}
		sign, h := k.m.hiddenAt(y)
		if above, below := k.m.grid.Hidden(); sign == k.m.style.Signs.Fewer && h != above || sign == k.m.style.Signs.More && h != below {
			k.t.Errorf("%d×%d: line %d counts %+v, %+v is above and %+v below", k.m.width, k.m.height, y, h, above, below)
		}
		if h.Rows > 0 && !strings.Contains(lines[y], fmt.Sprintf(" %d more", h.Rows)) {
			k.t.Errorf("%d×%d: %+v is out of sight, and line %d is %q", k.m.width, k.m.height, h, y, lines[y])
		}
	}
}

// selectionShows holds the drawn bar to what keys are about.
func (k *monkey) selectionShows(lines []string) {
	k.t.Helper()
	m := k.m
	if _, ok := m.grid.Selected(); !ok {
		k.t.Errorf("%d rows, and none is selected", m.grid.Len())
		return
	}
	if k.ascii || m.width < 5 || m.mode == labelling {
		return
	}
	bars := 0
	for y := m.areas.grid.y; y < m.areas.grid.y+m.areas.grid.h; y++ {
		x := 0
		for text := lines[y]; text != "" && x < m.areas.grid.w; {
			cluster, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
			if text = text[len(cluster):]; cluster == m.style.Signs.Bar {
				bars++
				if key := m.grid.At(x-m.areas.grid.x, y-m.areas.grid.y); key != m.grid.SelectedKey() {
					k.t.Errorf("%d×%d: %s is drawn as selected, and %s is", m.width, m.height, key, m.grid.SelectedKey())
				}
			}
			x += w
		}
	}
	if bars == 0 {
		k.t.Errorf("%d×%d: the selection %s is out of sight:\n%s", m.width, m.height, m.grid.SelectedKey(), strings.Join(lines, "\n"))
	}
}

// TestWhoWaitsLongestIsOnTopOfANarrowBoard: nobody touches it, whatever else happens.
func TestWhoWaitsLongestIsOnTopOfANarrowBoard(t *testing.T) {
	for seed := range uint64(6) {
		k := newMonkey(t, seed)
		if k.m.view.Sort == grid.SortActivity {
			k.m.view.Sort = grid.SortTmux
		}
		for range 150 {
			switch k.r.IntN(6) {
			case 0:
				k.send(tea.WindowSizeMsg{Width: 5 + k.r.IntN(43), Height: 3 + k.r.IntN(40)})
			case 1:
				k.send([]tea.Msg{tea.FocusMsg{}, tea.BlurMsg{}}[k.r.IntN(2)])
			case 2:
				k.pass(time.Duration(k.r.IntN(90)) * time.Second)
			case 3:
				if k.m.view.Flat && k.r.IntN(4) == 0 {
					k.press([]string{"j", "G", "k", "tab"}[k.r.IntN(4)])
					k.pass(handRests + time.Second)
				}
			}
			k.note("world: %s", k.world.change())
			k.give(k.world.snapshot())
			if !k.m.view.Flat || k.m.grid.Len() == 0 {
				continue
			}
			list := k.m.needy(grid.View{Flat: true})
			top := k.m.grid.VisibleKeys()[0]
			if len(list) > 0 && top != list[0].key || top != k.m.grid.SelectedKey() {
				t.Fatalf("seed %d, %d×%d: %s is on top, %s selected, %v wait; after:\n%s", seed, k.m.width, k.m.height, top, k.m.grid.SelectedKey(), list, strings.Join(k.did[max(len(k.did)-10, 0):], "\n"))
			}
		}
	}
}
