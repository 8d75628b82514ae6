package tui

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"signalbox/tracker"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

// TestNeedsYouIsOneSet: what the keys and the filter call so are three lamps, none of which has the name
// for itself.
func TestNeedsYouIsOneSet(t *testing.T) {
	for l := range style.LampBroken + 1 {
		if strings.Contains(l.Word(), "you") && !strings.Contains(l.Word(), "your") {
			t.Errorf("one lamp alone is called %q", l.Word())
		}
	}
	three := style.Legend()[:3]
	for _, what := range []string{"needs", "review", "failed"} {
		d := newDriver(t, 120, 24)
		d.give(tuitest.Parse("$ api\n0 claude | " + what + " | x | 5s | name=one\n1 claude | idle | x | 5s | name=two"))
		first, _, _ := strings.Cut(text(d), "\n")
		if strings.Contains(first, "need you") || strings.Contains(first, "needs you") {
			t.Errorf("%s: the header counts a part by the name of the whole: %q", what, first)
		}
		d.press("f")
		if d.m.grid.Len() != 1 || !strings.Contains(footer(d), "needs you") {
			t.Errorf("%s: %d rows under %q", what, d.m.grid.Len(), footer(d))
		}
		if why := nobodyWaits(d.m); why != "" || d.m.title != "(1) "+appName {
			t.Errorf("%s: Tab says %q, and the title %q", what, why, d.m.title)
		}
		if c, _ := d.m.grid.Selected(); !slices.Contains(three, style.LampOf(c.Verdict())) {
			t.Errorf("%s: its lamp is not among the first of the legend", what)
		}
		d.press("?")
		if !strings.Contains(text(d), "Lamps   the first three need you") {
			t.Errorf("the help does not say which need you:\n%s", text(d))
		}
	}
}

// The counters stand where they stood when another agent asks or is answered.
func TestCountersKeepTheirPlaces(t *testing.T) {
	d := newDriver(t, 120, 24)
	places := func(statuses ...string) (at []int) {
		t.Helper()
		board := "$ api"
		for i, s := range statuses {
			board += fmt.Sprintf("\n%d claude | %s | x | 5s | name=a%d", i, s, i)
		}
		d.give(tuitest.Parse(board))
		first, _, _ := strings.Cut(text(d), "\n")
		for _, word := range []string{"review", "busy", "idle"} {
			at = append(at, strings.Index(first, word))
		}
		return at
	}
	want := places("idle", "idle", "idle")
	if slices.Contains(want, -1) {
		t.Fatalf("not every counter stands there: %v", want)
	}
	for _, now := range [][]string{{"needs", "idle", "idle"}, {"needs", "needs", "review"}, {"busy", "busy", "needs"}} {
		if got := places(now...); !slices.Equal(got, want) {
			t.Errorf("%v: the words stand at %v, not %v", now, got, want)
		}
	}
}

// The word of a shell that has just shown its prompt is that of one which has stood there for long.
func TestAShellAtItsPromptIsNotActive(t *testing.T) {
	for command, want := range map[string]string{"zsh": "at its prompt", "make": "active"} {
		w := &tracker.WindowRow{Kind: tracker.KindActive, Panes: []*tracker.PaneRow{{Pane: tracker.Pane{Command: command}}}}
		if got := kindWords(w); got != want {
			t.Errorf("%s is %q, want %q", command, got, want)
		}
	}
}
