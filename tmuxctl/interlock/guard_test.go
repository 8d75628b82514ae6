package interlock

import (
	"strings"
	"testing"

	"signalbox/tmuxctl/interlock/composer"
)

// TestFormatHoldsNothingOfTheScreen puts everything that means something to a format, to an
// expression or to a command into what a guard is made of.
func TestFormatHoldsNothingOfTheScreen(t *testing.T) {
	hostile := "a#{pid}#(touch pwned),},1}#[fg=red];\"'\\$(x)`y`^.*+?|[b]{3}:%H/~!\ufffd"
	w := newWorld()
	w.box = hostile
	l := w.lookNow()
	l.Command = hostile
	plain := newWorld().lookNow()
	for name, pair := range map[string][2]Guard{
		"enter": {enterGuard(l, composer.Read(l.Screen)), enterGuard(plain, composer.Read(plain.Screen))},
		"paste": {pasteGuard(l, composer.Read(l.Screen)), pasteGuard(plain, composer.Read(plain.Screen))},
	} {
		got, want := pair[0].Format(), pair[1].Format()
		for _, c := range "#{},:;\"'`$%()|*+?[]!~/\\" {
			// The guard's own format uses some of these; what comes from outside must add none.
			if n, m := strings.Count(got, string(c)), strings.Count(want, string(c)); n != m {
				t.Errorf("%s guard: %d of %q, %d without the hostile text:\n%s", name, n, c, m, got)
			}
		}
		if !pair[0].Holds(l) {
			t.Errorf("%s guard does not hold on the screen it was made of: %s", name, pair[0].Fails(l))
		}
	}
}

// TestFormatIsShallow keeps the nesting far from tmux's limit of 100 and uses && with two
// arguments only.
func TestFormatIsShallow(t *testing.T) {
	w := newWorld()
	w.box = task
	l := w.lookNow()
	depth, deepest := 0, 0
	format := enterGuard(l, composer.Read(l.Screen)).Format()
	for i := range format {
		switch {
		case strings.HasPrefix(format[i:], "#{"):
			depth++
		case format[i] == '}':
			depth--
		}
		deepest = max(deepest, depth)
	}
	if depth != 0 || deepest > 10 {
		t.Errorf("depth %d at the end, %d at most:\n%s", depth, deepest, format)
	}
}

func TestFailsNamesEveryCondition(t *testing.T) {
	base := newWorld()
	l := base.lookNow()
	g := pasteGuard(l, composer.Read(l.Screen))
	g.Bracketed, g.KeyAt = true, l.KeyAt
	l.Bracketed = FlagOn
	if why := g.Fails(l); why != "" {
		t.Fatalf("the guard fails on its own screen: %s", why)
	}
	for name, change := range map[string]func(*Look){
		"server":    func(l *Look) { l.ServerPID++ },
		"pane":      func(l *Look) { l.Pane = "%6" },
		"pid":       func(l *Look) { l.PanePID++ },
		"dead":      func(l *Look) { l.Dead = true },
		"mode":      func(l *Look) { l.InMode = true },
		"input":     func(l *Look) { l.InputOff = true },
		"sync":      func(l *Look) { l.Synchronized = true },
		"command":   func(l *Look) { l.Command = "bash" },
		"brackets":  func(l *Look) { l.Bracketed = FlagOff },
		"a key":     func(l *Look) { l.KeyAt++ },
		"x":         func(l *Look) { l.Screen.CursorX++ },
		"y":         func(l *Look) { l.Screen.CursorY++ },
		"width":     func(l *Look) { l.Screen.Width++ },
		"height":    func(l *Look) { l.Screen.Height++ },
		"alternate": func(l *Look) { l.Screen.Alternate = !l.Screen.Alternate },
		"rows":      func(l *Look) { l.Screen.Lines = nil },
	} {
		changed := l
		change(&changed)
		if g.Holds(changed) || g.Fails(changed) == "" {
			t.Errorf("%s: the guard still holds", name)
		}
	}
}

// TestOlderPictureOfTheBox resumes Claude on the main screen: the box it drew before still stands
// above. A paste is safe by the cursor; an Enter needs the row itself to be the first of its kind.
func TestOlderPictureOfTheBox(t *testing.T) {
	w := newWorld()
	older := func(l Look, row string) Look {
		l.Screen.Lines = append([]composer.Line(nil), l.Screen.Lines...)
		l.Screen.Lines[2] = composer.Line{Spans: []composer.Span{{Text: row}}}
		return l
	}
	l := older(w.lookNow(), "❯\u00a0what stood there before")
	r := composer.Read(l.Screen)
	if g := pasteGuard(l, r); !r.Ready() || !g.Holds(l) {
		t.Errorf("an older box above: ready %v, guard fails: %s", r.Ready(), g.Fails(l))
	}
	w.box = "hello"
	l = older(w.lookNow(), "❯\u00a0what stood there before")
	if g := enterGuard(l, composer.Read(l.Screen)); !g.Holds(l) {
		t.Errorf("another text in the older box: %s", g.Fails(l))
	}
	l = older(l, "❯\u00a0hello")
	if g := enterGuard(l, composer.Read(l.Screen)); g.Holds(l) {
		t.Error("the same text in the older box: it cannot be told which one is meant, but the guard holds")
	}
}
