package grid_test

import (
	"regexp"
	"strings"
	"testing"

	"signalbox/tui/grid"
	"signalbox/tui/tuitest"
)

// gaps are the blanks between what stands at the left and what stands at the right.
var gaps = regexp.MustCompile(" {3,}")

// A title has the lamp of whoever is most urgent below it, and says how many there are of each kind.
func TestATitleSumsUpItsSession(t *testing.T) {
	const agents = "0 a | busy | x | 1m\n1 b | idle | x | 1m\n2 c | needs | x | 1m\n3 d | review | x | 1m\n4 e | failed | x | 1m\n" +
		"5 f | unknown | x | 1m\n6 g | bg | x | 1m\n7 h | dialog | x | 1m\n8 i | shell | x | 1m\n9 j | run | x | 1m\n10 k | idle | x | 1m\n+ l | busy | x | 1m\n"
	for _, c := range []struct {
		name, board, want string
		width             int
		fold              bool
	}{
		{"everything", "$ s\n" + agents, "▲ s  /home/me … ▲1 ✕1 ◆1 ?1 ◐3 ·2", 80, false},
		{"somebody is attached", "$ s attached\n" + agents, "▲ s  /home/me … attached  ▲1 ✕1 ◆1 ?1 ◐3 ·2", 80, false},
		{"folded", "$ s\n" + agents, "▲ s  11 windows folded  c  x … ▲1 ✕1 ◆1 ?1 ◐3 ·2 … 1m", 80, true},
		{"folded, with nobody in it", "$ s\n0 a | shell | x | 1m\n1 b | run | x | 1m\n", "s  2 windows folded", 80, true},
		{"no agent", "$ s attached\n0 a | shell | x | 1m\n1 b | run | x | 1m\n", "s … attached", 80, false},
		{"one agent", "$ s\n0 a | shell | x | 1m\n1 b | busy | x | 1m\n", "◐ s  /home/me", 80, false},
		{"two in one window", "$ s\n0 a | busy | x | 1m\n+ b | idle | y | 1m\n1 c | shell | x | 1m\n", "◐ s  /home/me … ◐1 ·1", 80, false},
		{"hundreds", "$ s\n" + strings.Repeat("0 a | busy | x | 1m\n", 120) + "1 b | needs | x | 1m\n", "▲ s  /home/me … ▲1 ◐120", 80, false},
		{"a dialog of the person's own, and one that waits", "$ s\n0 a | dialog | x | 1m\n1 b | review | x | 1m\n", "◆ s  2 windows folded  b  x … ◆1 … 1m", 80, true},
		{"who waits longest speaks for them", "$ s\n0 a | needs | x | 1m\n1 b | needs | y | 3h\n", "▲ s  2 windows folded  b  y … ▲2 … 3h", 80, true},
		{"no room for both", "$ a-session-of-a-long-name attached\n" + agents, "▲ a-session-of-a-long-name … ▲1 ✕1 ◆1 ?1 ◐3 ·2", 50, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			snap := tuitest.Parse(c.board)
			v := grid.View{}
			if c.fold {
				v.Folded = map[string]bool{"s": true}
			}
			line := strings.Trim(lines(newGrid(c.width, 20, snap, v), 20)[0], " ▌")
			if got := gaps.ReplaceAllString(line, " … "); got != c.want {
				t.Errorf("the title is %q, want %q", got, c.want)
			}
		})
	}
}
