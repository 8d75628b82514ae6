package fakeagent

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// A paste of more than this is kept aside and shown as "[Pasted text #1 +N lines]"; measured with
// 2.1.332: three lines and 800 characters are shown, a fourth line or one character more is not.
const (
	maxPasteRunes  = 800
	maxPasteBreaks = 2
)

// composer is the input box: text, cursor and the pastes kept aside. It is a plain value type
// without any drawing of its own.
type composer struct {
	text   []rune
	pos    int  // cursor, index into text
	shell  bool // "!" mode
	normal bool // vim normal mode
	pastes []string
	pasted int // pastes kept aside so far: their numbers go on through the session
}

func (c *composer) empty() bool    { return len(c.text) == 0 && !c.shell }
func (c *composer) string() string { return string(c.text) }

// insert puts text at the cursor. A "!" at the start of an empty box enters shell mode instead.
func (c *composer) insert(s string) {
	if len(c.text) == 0 && !c.shell && strings.HasPrefix(s, "!") {
		c.shell = true
		s = s[1:]
	}
	r := []rune(s)
	c.text = append(c.text[:c.pos], append(r, c.text[c.pos:]...)...)
	c.pos += len(r)
}

// paste inserts a bracketed paste: CR and CRLF are line ends, tabs are four blanks, control bytes
// are dropped, and a long one is replaced by a placeholder.
func (c *composer) paste(s string) {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	s = strings.ReplaceAll(s, "\t", "    ")
	s = strings.Map(func(r rune) rune {
		if r != '\n' && (r < 0x20 || r >= 0x7f && r < 0xa0) {
			return -1
		}
		return r
	}, s)
	lines := strings.Count(s, "\n")
	if len([]rune(s)) <= maxPasteRunes && lines <= maxPasteBreaks {
		c.insert(s)
		return
	}
	c.pastes = append(c.pastes, s)
	c.pasted++
	c.insert(placeholder(c.pasted, lines))
}

func placeholder(n, lines int) string {
	if lines == 0 {
		return fmt.Sprintf("[Pasted text #%d]", n)
	}
	return fmt.Sprintf("[Pasted text #%d +%d lines]", n, lines)
}

func (c *composer) backspace() {
	switch {
	case c.pos > 0:
		c.text = append(c.text[:c.pos-1], c.text[c.pos:]...)
		c.pos--
	case len(c.text) == 0:
		c.shell = false
	}
}

func (c *composer) clear() { *c = composer{normal: c.normal, pasted: c.pasted} }

func (c *composer) set(s string) {
	c.clear()
	c.text = []rune(s)
	c.pos = len(c.text)
}

func (c *composer) move(k key) {
	switch k {
	case keyLeft:
		c.pos = max(c.pos-1, 0)
	case keyRight:
		c.pos = min(c.pos+1, len(c.text))
	case keyHome:
		c.pos = 0
	case keyEnd:
		c.pos = len(c.text)
	}
}

// take empties the box and returns the prompt as Claude submits it: pastes kept aside come back
// wrapped.
func (c *composer) take() (prompt string, shell bool) {
	s := string(c.text)
	for i, p := range c.pastes {
		id := randomHex(2)
		wrapped := fmt.Sprintf("\n\n<pasted_content id=%q>\n%s\n</pasted_content id=%q>\n\n", id, strings.TrimRight(p, "\n"), id)
		n := c.pasted - len(c.pastes) + i + 1
		s = strings.Replace(s, placeholder(n, strings.Count(p, "\n")), wrapped, 1)
	}
	shell = c.shell
	c.clear()
	return s, shell
}

// layout wraps the text into rows of at most width cells and finds the cursor in them. Rows break
// at blanks as Claude's do; a word longer than a row is cut.
func (c *composer) layout(width int) (rows []string, x, y int) {
	width = max(width, 1)
	start := 0
	for {
		end, next := breakRow(c.text, start, width)
		row := string(c.text[start:end])
		if c.pos >= start && (c.pos < next || next > len(c.text)) {
			x = ansi.StringWidth(string(c.text[start:min(c.pos, end)]))
			y = len(rows)
		}
		rows = append(rows, row)
		if next > len(c.text) {
			break
		}
		start = next
	}
	return rows, x, y
}

// breakRow finds the end of the row that begins at start, and where the next one begins; next is
// past the text for the last row.
func breakRow(text []rune, start, width int) (end, next int) {
	cells, blank := 0, -1
	for i := start; i < len(text); i++ {
		if text[i] == '\n' {
			return i, i + 1
		}
		w := ansi.StringWidth(string(text[i]))
		if cells+w > width {
			if blank > start {
				return blank, blank + 1
			}
			if i == start {
				return i + 1, i + 1
			}
			return i, i
		}
		if text[i] == ' ' {
			blank = i
		}
		cells += w
	}
	return len(text), len(text) + 1
}
