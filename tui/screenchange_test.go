package tui

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// cellScreen is as much of a terminal as it takes to see what a frame looks like: letters and looks
// by cell.
type cellScreen struct {
	cells map[[2]int]string // by line and column
	y, x  int
	look  string
}

func (c *cellScreen) write(s string) {
	for s != "" {
		if s[0] != 0x1b {
			cluster, w := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
			c.cells[[2]int{c.y, c.x}] = c.look + cluster
			for i := 1; i < w; i++ {
				c.cells[[2]int{c.y, c.x + i}] = "right half"
			}
			c.x += w
			s = s[len(cluster):]
			continue
		}
		end := 2 + strings.IndexAny(s[2:], "HmKJ")
		c.sequence(s[2:end], s[end])
		s = s[end+1:]
	}
}

func (c *cellScreen) sequence(params string, kind byte) {
	switch kind {
	case 'H':
		y, x, _ := strings.Cut(params, ";")
		c.y, c.x = number(y)-1, number(x)-1
	case 'm':
		c.look += params + "m"
		if params == "0" {
			c.look = ""
		}
	case 'K':
		for at := range c.cells {
			if at[0] == c.y && at[1] >= c.x {
				delete(c.cells, at)
			}
		}
	case 'J':
		clear(c.cells)
	}
}

func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 1
	}
	return n
}

// randomSegment is a piece of a line. Some are given no look of their own, or do not give it back.
func randomSegment(r *rand.Rand) string {
	text := []string{"a", "bc", "  ", "◐", "漢字", "é", "wide 漢"}[r.IntN(7)]
	switch r.IntN(6) {
	case 0:
		return text
	case 1:
		return "\x1b[1m" + text
	}
	return fmt.Sprintf("\x1b[38;5;%dm%s%s", r.IntN(2), text, lookBack)
}

// changeLine changes some of a line's segments, or how many there are.
func changeLine(r *rand.Rand, line []string) []string {
	if len(line) == 0 || r.IntN(8) == 0 {
		line = nil
		for range r.IntN(9) {
			line = append(line, randomSegment(r))
		}
	}
	for range r.IntN(3) {
		if len(line) > 0 {
			line[r.IntN(len(line))] = randomSegment(r)
		}
	}
	return line
}

// TestChangesLeaveTheSameScreenAsAWholeFrame draws random frames one after another, and each anew on
// an empty screen.
func TestChangesLeaveTheSameScreenAsAWholeFrame(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	term := &terminal{}
	s := &screenOut{Terminal: term}
	_, _ = s.Write([]byte(enter))
	term.taken()
	step := &cellScreen{cells: map[[2]int]string{}}
	lines, segments := make([]string, 3), make([][]string, 3)
	for n := range 5000 {
		y := r.IntN(len(lines))
		segments[y] = changeLine(r, segments[y])
		lines[y] = strings.Join(segments[y], "") + lookBack
		frame := strings.Join(lines, "\n")
		s.draw(frame)
		text, _ := term.taken()
		step.write(text)
		whole := &cellScreen{cells: map[[2]int]string{}}
		for y, l := range lines {
			whole.write(fmt.Sprintf("\x1b[%dH%s", y+1, l))
		}
		if fmt.Sprint(step.cells) != fmt.Sprint(whole.cells) {
			t.Fatalf("frame %d %q\nafter %q the screen has\n%v\nnot\n%v", n, frame, text, step.cells, whole.cells)
		}
	}
}

// TestALampThatTurnsIsAFewBytes counts what a moving board writes: every byte is parsed by tmux and
// drawn by the terminal, four times a second.
func TestALampThatTurnsIsAFewBytes(t *testing.T) {
	d := everyday(t, 120, 40)
	term := &terminal{}
	s := &screenOut{Terminal: term}
	_, _ = s.Write([]byte(enter))
	s.draw(d.m.View())
	term.taken()
	d.pass(time.Second / 2)
	s.draw(d.m.View())
	text, _ := term.taken()
	lamps := strings.Count(text, "H")
	if lamps == 0 || len(text) > 50*lamps {
		t.Errorf("a step of %d lamps wrote %d bytes: %q", lamps, len(text), text)
	}
}
