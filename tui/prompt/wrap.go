package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"

	"signalbox/tui/style"
)

// tabCells is how wide a tab is drawn: Claude Code makes four spaces of it.
const tabCells = 4

// line is one line of the text, with how it breaks into rows of a width.
type line struct {
	text string
	rows []row
	wide int // cells the rows were made for; 0 for not made
}

// row is a part of a line that is drawn on one row: the bytes from..to.
type row struct{ from, to int }

// break breaks the line into rows of at most w cells, at blanks where there are any.
func (l *line) wrap(w int) []row {
	if l.wide == w && l.rows != nil {
		return l.rows
	}
	l.rows, l.wide = l.rows[:0], w
	from, cells, blank := 0, 0, 0
	for i := 0; i < len(l.text); {
		n, cw := cluster(l.text[i:])
		if cells+cw > w && i > from {
			to := i
			if blank > from {
				to = blank
			}
			l.rows = append(l.rows, row{from, to})
			from, i, cells, blank = to, to, 0, 0
			continue
		}
		cells += cw
		i += n
		if c := l.text[i-1]; c == ' ' || c == '\t' {
			blank = i
		}
	}
	l.rows = append(l.rows, row{from, len(l.text)})
	return l.rows
}

// cluster is the first character of a text as a person counts them: how many bytes it has and how
// many cells it takes when it is drawn.
func cluster(text string) (size, cells int) {
	switch c := text[0]; {
	case c == '\t':
		return 1, tabCells
	case c < utf8.RuneSelf && (len(text) == 1 || text[1] < utf8.RuneSelf):
		return 1, 1
	}
	s, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
	return len(s), style.Width(drawn(s))
}

// before is where the character ends that begins before i, going backwards.
func before(text string, i int) int {
	if i <= 0 {
		return 0
	}
	if text[i-1] < utf8.RuneSelf && (i == len(text) || text[i] < utf8.RuneSelf) {
		return i - 1
	}
	at := 0
	for at < i {
		n, _ := cluster(text[at:])
		if at+n >= i {
			break
		}
		at += n
	}
	return at
}

// cellsOf is how many cells a text takes when it is drawn.
func cellsOf(text string) int {
	cells := 0
	for len(text) > 0 {
		n, cw := cluster(text)
		cells += cw
		text = text[n:]
	}
	return cells
}

// drawn is a part of a line as it is drawn: tabs as blanks, and nothing that a terminal might take
// for more or less than it is. A mark without a letter would go to whatever stands before it.
func drawn(text string) string {
	b := make([]byte, 0, len(text)+tabCells)
	letter := false
	for _, r := range text {
		switch {
		case r == '\t':
			b = style.Pad(b, tabCells)
			letter = false
			continue
		case !letter && r >= utf8.RuneSelf && unicode.Is(unicode.M, r):
			r = '?'
		}
		n := len(b)
		b = style.AppendRune(b, r)
		letter = letter || len(b) > n
	}
	return string(b)
}

// ascii is a text with nothing in it that could be disputed at all.
func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e {
			return '?'
		}
		return r
	}, text)
}
