//go:build linux

package desk_test

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// screen is a terminal's screen without looks: what tmux sends to a terminal of the xterm kind, as far
// as it uses it.
type screen struct {
	rows     [][]rune // 0 behind a wide letter
	y, x     int
	top, bot int // of the part that scrolls
	rest     []byte
}

func newScreen(width, height int) *screen {
	s := &screen{rows: make([][]rune, height), bot: height - 1}
	for y := range s.rows {
		s.rows[y] = []rune(strings.Repeat(" ", width))
	}
	return s
}

// has reports whether a text stands on one of the lines.
func (s *screen) has(text string) bool {
	for _, row := range s.rows {
		if strings.Contains(strings.ReplaceAll(string(row), "\x00", ""), text) {
			return true
		}
	}
	return false
}

func (s *screen) String() string {
	var b strings.Builder
	for _, row := range s.rows {
		b.WriteString(strings.TrimRight(strings.ReplaceAll(string(row), "\x00", ""), " ") + "\n")
	}
	return b.String()
}

// write takes what arrives; half a sequence at the end waits for its other half.
func (s *screen) write(p []byte) {
	p = append(s.rest, p...)
	for len(p) > 0 {
		n := s.step(p)
		if n == 0 {
			break
		}
		p = p[n:]
	}
	s.rest = append(s.rest[:0:0], p...)
}

// step takes one letter, control or sequence and returns its length, 0 if there is more to come.
func (s *screen) step(p []byte) int {
	switch c := p[0]; {
	case c == 0x1b:
		return s.escape(p)
	case c == '\r':
		s.x = 0
	case c == '\n':
		s.down()
	case c == '\b':
		s.x = max(s.x-1, 0)
	case c < ' ' || c == 0x7f:
	default:
		if !utf8.FullRune(p) {
			return 0
		}
		r, n := utf8.DecodeRune(p)
		s.put(r)
		return n
	}
	return 1
}

func (s *screen) put(r rune) {
	w := ansi.StringWidth(string(r))
	if w == 0 {
		return
	}
	if s.x+w > len(s.rows[s.y]) { // behind the last cell the next letter wraps
		s.x = 0
		s.down()
	}
	s.rows[s.y][s.x] = r
	for i := 1; i < w; i++ {
		s.rows[s.y][s.x+i] = 0
	}
	s.x += w
}

func (s *screen) down() {
	if s.y == s.bot {
		s.scroll(s.top, 1)
	} else {
		s.y = min(s.y+1, len(s.rows)-1)
	}
}

// scroll moves the lines from y to the end of the scrolling part up by n, or down by -n.
func (s *screen) scroll(y, n int) {
	for ; n > 0; n-- {
		first := s.rows[y]
		copy(s.rows[y:s.bot], s.rows[y+1:s.bot+1])
		s.rows[s.bot] = first
		s.blank(s.bot, 0, len(first))
	}
	for ; n < 0; n++ {
		last := s.rows[s.bot]
		copy(s.rows[y+1:s.bot+1], s.rows[y:s.bot])
		s.rows[y] = last
		s.blank(y, 0, len(last))
	}
}

func (s *screen) blank(y, from, to int) {
	for x := from; x < min(to, len(s.rows[y])); x++ {
		s.rows[y][x] = ' '
	}
}

func (s *screen) escape(p []byte) int {
	if len(p) < 2 {
		return 0
	}
	switch p[1] {
	case '[':
		for i := 2; i < len(p); i++ {
			if p[i] >= '@' && p[i] <= '~' {
				s.sequence(string(p[2:i]), p[i])
				return i + 1
			}
		}
		return 0
	case ']', 'P', '_', '^':
		text := string(p)
		end, n := strings.IndexByte(text, 7), 1
		if st := strings.Index(text, "\x1b\\"); st >= 0 && (end < 0 || st < end) {
			end, n = st, 2
		}
		return max(end+n, 0) * min(end+1, 1)
	case '(', ')':
		return 3 * min(len(p)/3, 1)
	case 'M':
		if s.y == s.top {
			s.scroll(s.top, -1)
		} else {
			s.y = max(s.y-1, 0)
		}
	}
	return 2
}

func (s *screen) sequence(params string, kind byte) {
	f := strings.Split(params, ";")
	arg := func(i, zero int) int {
		if i >= len(f) {
			return zero
		}
		if n, err := strconv.Atoi(f[i]); err == nil && n > 0 {
			return n
		}
		return zero
	}
	width, height := len(s.rows[0]), len(s.rows)
	n := arg(0, 1)
	switch kind {
	case 'H', 'f':
		s.y, s.x = min(n, height)-1, min(arg(1, 1), width)-1
	case 'A':
		s.y = max(s.y-n, 0)
	case 'B':
		s.y = min(s.y+n, height-1)
	case 'C':
		s.x = min(s.x+n, width-1)
	case 'D':
		s.x = max(s.x-n, 0)
	case 'G':
		s.x = min(n, width) - 1
	case 'd':
		s.y = min(n, height) - 1
	case 'r':
		s.top, s.bot, s.y, s.x = n-1, arg(1, height)-1, 0, 0
	case 'S':
		s.scroll(s.top, n)
	case 'T':
		s.scroll(s.top, -n)
	case 'L':
		s.scroll(s.y, -n)
	case 'M':
		s.scroll(s.y, n)
	default:
		s.edit(kind, n, arg(0, 0))
	}
}

// edit changes cells of the line of the cursor, or erases lines.
func (s *screen) edit(kind byte, n, what int) {
	row, x := s.rows[s.y], min(s.x, len(s.rows[s.y])-1)
	switch kind {
	case 'X':
		s.blank(s.y, x, x+n)
	case '@':
		copy(row[min(x+n, len(row)):], row[x:])
		s.blank(s.y, x, x+n)
	case 'P':
		copy(row[x:], row[min(x+n, len(row)):])
		s.blank(s.y, len(row)-n, len(row))
	case 'K', 'J':
		from, to := x, len(row)
		if what == 1 {
			from, to = 0, x+1
		} else if what >= 2 {
			from = 0
		}
		s.blank(s.y, from, to)
		for y := range s.rows {
			if kind == 'J' && (y > s.y && what != 1 || y < s.y && what != 0) {
				s.blank(y, 0, len(row))
			}
		}
	}
}
