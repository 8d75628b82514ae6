package style

import (
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tracker"
)

func build(p termenv.Profile, dark bool, o Options) *Style {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(p)
	r.SetHasDarkBackground(dark)
	return New(r, o)
}

// TestNoTwoLampsShareAShape holds the lamps to what a terminal without colours needs: every step of
// every lamp differs from every step of all others, in both sets.
func TestNoTwoLampsShareAShape(t *testing.T) {
	for name, steps := range map[string]func(look) [Frames]string{
		"drawn": func(l look) [Frames]string { return l.unicode },
		"ASCII": func(l look) [Frames]string { return l.ascii },
	} {
		owner := make(map[string]Lamp)
		for l := range lamps {
			for _, shape := range steps(looks[l]) {
				if other, taken := owner[shape]; taken && other != l {
					t.Errorf("%s: %q and %q both look like %q", name, other.Word(), l.Word(), shape)
				}
				owner[shape] = l
			}
		}
	}
}

// TestAnIdleAgentIsSeenWithoutColours: its lamp is only a dot, and next to it stand windows without any.
func TestAnIdleAgentIsSeenWithoutColours(t *testing.T) {
	s := build(termenv.Ascii, true, Options{})
	if got := s.Lamp(LampIdle, 0); got != "·" {
		t.Errorf("the lamp is drawn as %q, want the dot at its full strength", got)
	}
}

// TestContrast holds the themes to what they promise on the backgrounds that terminals ship with.
func TestContrast(t *testing.T) {
	backgrounds := map[bool][]string{
		true:  {"#000000", "#16181d", "#1e1e1e", "#282c34", "#002b36"},
		false: {"#ffffff", "#fafafa", "#fdf6e3"},
	}
	words := []Role{Dim, Needs, Review, Busy, Idle, Failed, Unknown, Good, Warn, Bad} // drawn as text
	lampsOnly := []Role{NeedsSoft, ReviewSoft}
	for _, theme := range []Theme{Dark, Light, Contrast} {
		for _, dark := range []bool{true, false} {
			if theme == Dark && !dark || theme == Light && dark {
				continue
			}
			inks := palette(theme, dark)
			least := 4.5
			if theme == Contrast {
				least = 6
			}
			for _, bg := range backgrounds[dark] {
				for _, r := range words {
					if c := contrast(inks[r].color.TrueColor, bg); c < least {
						t.Errorf("%s: role %d has a contrast of %.1f on %s, want %.1f", theme, r, c, bg, least)
					}
				}
				for _, r := range lampsOnly {
					if c := contrast(inks[r].color.TrueColor, bg); c < 3 {
						t.Errorf("%s: lamp role %d has a contrast of %.1f on %s, want 3", theme, r, c, bg)
					}
				}
			}
		}
	}
}

func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (math.Max(x, y) + 0.05) / (math.Min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		if err != nil {
			panic(err)
		}
		c := float64(n) / 255
		if c <= 0.03928 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}

func TestEveryLampIsOneCellWithAShapeOfItsOwn(t *testing.T) {
	for _, glyphs := range []Glyphs{Unicode, ASCII} {
		for _, theme := range Themes() {
			s := build(termenv.TrueColor, true, Options{Theme: theme, Glyphs: glyphs})
			shapes := map[string]Lamp{}
			for l := range lamps {
				for f := range Frames {
					if got := s.Lamp(l, f); ansi.StringWidth(got) != 1 {
						t.Errorf("%s: step %d of %q is %q, not one cell", theme, f, l.Word(), got)
					}
				}
				if other, taken := shapes[s.Shape(l)]; taken {
					t.Errorf("%s: %q looks like %q", glyphs, l.Word(), other.Word())
				}
				shapes[s.Shape(l)] = l
				if glyphs == ASCII && s.Shape(l)[0] > 0x7e {
					t.Errorf("%q is %q in ASCII", l.Word(), s.Shape(l))
				}
			}
		}
	}
}

func TestEveryStatusHasALamp(t *testing.T) {
	for _, s := range tracker.Statuses() {
		if l := LampOf(tracker.Verdict{Status: s}); l == LampNone {
			t.Errorf("%s has no lamp", s)
		}
	}
	for name, c := range map[string]struct {
		v    tracker.Verdict
		want Lamp
	}{
		"a failed turn":        {tracker.Verdict{Status: tracker.StatusReview, Failed: "rate_limit"}, LampFailed},
		"background work":      {tracker.Verdict{Status: tracker.StatusBusy, Background: 2}, LampBackground},
		"a hung turn":          {tracker.Verdict{Status: tracker.StatusBusy, Quiet: true}, LampQuiet},
		"the person's dialog":  {tracker.Verdict{Status: tracker.StatusNeedsInput, Dialog: true}, LampDialog},
		"no agent":             {tracker.Verdict{}, LampNone},
		"a suspended agent":    {tracker.Verdict{Status: tracker.StatusUnknown, Suspended: true}, LampUnknown},
		"an interrupted agent": {tracker.Verdict{Status: tracker.StatusIdle, Interrupted: true}, LampIdle},
	} {
		if got := LampOf(c.v); got != c.want {
			t.Errorf("%s has the lamp %q, want %q", name, got.Word(), c.want.Word())
		}
	}
}

// A window counts as active for a while after any output, and a shell writes when it shows its prompt. No
// lamp comes and goes for that.
func TestAShellAtItsPromptHasNoLamp(t *testing.T) {
	for name, c := range map[string]struct {
		kind tracker.WindowKind
		pane tracker.PaneRow
		want Lamp
	}{
		"a shell that has just shown its prompt": {tracker.KindActive, tracker.PaneRow{Pane: tracker.Pane{Command: "bash"}, FrontArgs: []string{"-bash"}}, LampNone},
		"one that waits":                         {tracker.KindWaiting, tracker.PaneRow{Pane: tracker.Pane{Command: "zsh"}}, LampNone},
		"a script":                               {tracker.KindActive, tracker.PaneRow{Pane: tracker.Pane{Command: "bash"}, FrontArgs: []string{"bash", "deploy.sh"}}, LampRunning},
		"a program":                              {tracker.KindActive, tracker.PaneRow{Pane: tracker.Pane{Command: "make"}}, LampRunning},
		"a shell that has died":                  {tracker.KindError, tracker.PaneRow{Pane: tracker.Pane{Command: "bash", Dead: true}}, LampBroken},
	} {
		if got := LampOfWindow(&tracker.WindowRow{Kind: c.kind, Panes: []*tracker.PaneRow{&c.pane}}); got != c.want {
			t.Errorf("%s has the lamp %q, want %q", name, got.Word(), c.want.Word())
		}
	}
}

func TestReducedMotionAndMissingColours(t *testing.T) {
	s := build(termenv.TrueColor, true, Options{Theme: Dark, Still: true})
	for l := range lamps {
		for f := range Frames {
			if s.Lamp(l, f) != s.Lamp(l, 0) {
				t.Errorf("%q moves", l.Word())
			}
		}
	}
	plain := build(termenv.Ascii, true, Options{Theme: Dark})
	for r := range roles {
		if got := plain.Render(r, "x"); strings.ContainsAny(got, "34") {
			t.Errorf("role %d has a colour without colours: %q", r, got)
		}
	}
	if plain.Render(Needs, "x") == plain.Render(Dim, "x") {
		t.Error("without colours what needs you looks like the rest")
	}
}

func TestRolesOpenAndClose(t *testing.T) {
	for _, p := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii} {
		for _, theme := range Themes() {
			for _, dark := range []bool{true, false} {
				s := build(p, dark, Options{Theme: theme})
				for r := range roles {
					got := s.Render(r, "x")
					if ansi.Strip(got) != "x" {
						t.Errorf("role %d draws %q", r, got)
					}
					if got != "x" && (!strings.HasPrefix(got, "\x1b[") || !strings.HasSuffix(got, reset)) {
						t.Errorf("role %d of %s is %q: it must open and close", r, theme, got)
					}
					if appended := string(s.Append(nil, r, "x")); appended != got {
						t.Errorf("Append gives %q, Render %q", appended, got)
					}
				}
			}
		}
	}
}
