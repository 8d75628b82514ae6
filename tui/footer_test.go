package tui

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"signalbox/tracker"
	"signalbox/tui/prompt"
	"signalbox/tui/tuitest"
)

// TestNoHintComesOrGoesWithANumber: which hints there are is a matter of the width alone.
func TestNoHintComesOrGoesWithANumber(t *testing.T) {
	number := regexp.MustCompile(` [0-9]+\+?( |$)`)
	hints := func(d *driver) string {
		return strings.Join(strings.Fields(number.ReplaceAllString(footer(d), " ")), " ")
	}
	boards := map[string]*tracker.Snapshot{}
	for _, row := range []string{"needs", "idle", "shell"} {
		for _, news := range []int{0, 1, 10, 150} {
			board := "$ api\n0 claude | " + row + " | x | 5s | name=one"
			for i := range news {
				board += fmt.Sprintf("\n> ended 1h - worker-%d: ended while busy", i)
			}
			boards[fmt.Sprintf("%s, %d news", row, news)] = tuitest.Parse(board)
		}
	}
	for w := 16; w <= 120; w++ {
		want := ""
		for name, snap := range boards {
			for _, tasks := range []int{0, 1, 12} {
				d := newDriver(t, w, 12)
				d.m.queue.Items = make([]prompt.Waiting, tasks)
				d.give(snap)
				got := hints(d)
				if want == "" {
					want = got
				}
				if got != want || strings.Contains(got, "…") {
					t.Fatalf("%d cells, %s, %d tasks: %q, want %q", w, name, tasks, got, want)
				}
			}
		}
		d := newDriver(t, w, 12)
		d.m.queue.Items = make([]prompt.Waiting, 3)
		d.give(boards["idle, 0 news"])
		if w >= 20 && !strings.Contains(text(d), "t tasks 3") {
			t.Errorf("%d cells do not show that tasks wait:\n%s", w, text(d))
		}
		if w == 80 && want != "↵ jump s send ⇥ next a seen space peek / filter i inbox ? help q quit" {
			t.Errorf("80 cells show %q", want)
		}
	}
}

// TestEveryHintHasAPlaceOfItsOwn: two that go at the same time would leave it open which one stays.
func TestEveryHintHasAPlaceOfItsOwn(t *testing.T) {
	seen := map[int]string{}
	for _, b := range bindings() {
		if b.hint == "" {
			continue
		}
		if b.stays == 0 || seen[b.stays] != "" {
			t.Errorf("%s and %q stay equally long", b.action, seen[b.stays])
		}
		seen[b.stays] = b.action
	}
}
