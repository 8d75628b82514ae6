package composer

import (
	"strings"
	"unicode/utf8"
)

// Screen is one captured screen with the state of its cursor, all of the same instant.
type Screen struct {
	Lines         []Line // top to bottom; rows below the last one are blank
	Width, Height int    // of the pane, in cells
	CursorX       int    // column of the terminal's cursor, from 0
	CursorY       int    // row of the terminal's cursor, from 0
	Alternate     bool   // the alternate screen is shown
}

// Line is one row of a screen: runs of text with their look.
type Line struct {
	Spans []Span
	End   Attr // look behind the last character: a capture drops trailing blanks, but not their colours
}

// Span is text of one look.
type Span struct {
	Text string
	Attr Attr
}

// Attr is the look of a cell, as far as the reading needs it.
type Attr struct {
	Dim, Reverse bool
	FG           string // SGR parameters of a colour, such as "38;5;246"; "" is the default
}

// Text is the row as text, without trailing blanks.
func (l Line) Text() string {
	var b strings.Builder
	for _, s := range l.Spans {
		b.WriteString(s.Text)
	}
	return strings.TrimRight(b.String(), " ")
}

// caret reports where the reversed cell of the row is, as a byte offset into its text. An offset
// at or behind the end means that the cell is a blank which the capture dropped.
func (l Line) caret() (int, bool) {
	at := 0
	for _, s := range l.Spans {
		if s.Attr.Reverse {
			return at, true
		}
		at += len(s.Text)
	}
	return at, l.End.Reverse
}

// after is the part of the row from a byte offset on, with its look.
func (l Line) after(offset int) []Span {
	var out []Span
	for _, s := range l.Spans {
		if n := len(s.Text); offset >= n {
			offset -= n
			continue
		}
		out = append(out, Span{s.Text[offset:], s.Attr})
		offset = 0
	}
	return out
}

// Line returns row y; a row outside the capture is blank.
func (s Screen) Line(y int) Line {
	if y < 0 || y >= len(s.Lines) {
		return Line{}
	}
	return s.Lines[y]
}

// Text is the whole screen as text, one line per row.
func (s Screen) Text() string {
	var b strings.Builder
	for _, l := range s.Lines {
		b.WriteString(l.Text())
		b.WriteByte('\n')
	}
	return b.String()
}

// ParseLines reads the output of `capture-pane -p -e`, with or without -N. Colours carry over from
// one row to the next, as tmux writes them. Everything but SGR is dropped: hyperlinks, charset
// shifts, and whatever a later tmux may add. Invalid UTF-8 becomes U+FFFD.
func ParseLines(capture []byte) []Line {
	text := strings.TrimSuffix(string(capture), "\n")
	rows := strings.Split(text, "\n")
	lines := make([]Line, 0, len(rows))
	var look Attr
	for _, row := range rows {
		var l Line
		l, look = parseLine(row, look)
		lines = append(lines, l)
	}
	return lines
}

func parseLine(row string, look Attr) (Line, Attr) {
	var l Line
	var run strings.Builder
	flush := func() {
		if run.Len() > 0 {
			l.Spans = append(l.Spans, Span{run.String(), look})
			run.Reset()
		}
	}
	for len(row) > 0 {
		if row[0] == 0x1b {
			params, n, sgr := escape(row)
			if sgr {
				flush()
				look = look.apply(params)
			}
			row = row[n:]
			continue
		}
		r, n := utf8.DecodeRuneInString(row)
		if r >= ' ' && r != 0x7f {
			run.WriteRune(r)
		}
		row = row[n:]
	}
	flush()
	l.End = look
	return l, look
}

// escape measures the escape sequence a row begins with and, if it is SGR, returns its parameters.
func escape(s string) (params string, length int, sgr bool) {
	if len(s) < 2 {
		return "", len(s), false
	}
	switch s[1] {
	case '[':
		for i := 2; i < len(s); i++ {
			if c := s[i]; c >= 0x40 && c <= 0x7e {
				return s[2:i], i + 1, c == 'm'
			}
		}
		return "", len(s), false
	case ']', 'P', '_', '^':
		for i := 2; i < len(s); i++ {
			if s[i] == 0x07 {
				return "", i + 1, false
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return "", i + 2, false
			}
		}
		return "", len(s), false
	case '(', ')':
		return "", min(3, len(s)), false
	}
	return "", 2, false
}

// apply is the look after one SGR sequence.
func (a Attr) apply(params string) Attr {
	p := strings.Split(params, ";")
	for i := 0; i < len(p); i++ {
		switch code := strings.SplitN(p[i], ":", 2)[0]; code {
		case "", "0":
			a = Attr{}
		case "2":
			a.Dim = true
		case "22":
			a.Dim = false
		case "7":
			a.Reverse = true
		case "27":
			a.Reverse = false
		case "39":
			a.FG = ""
		case "38", "48", "58":
			n := colourLength(p[i:])
			if code == "38" {
				a.FG = strings.Join(p[i:i+n], ";")
			}
			i += n - 1
		default:
			if len(code) == 2 && (code[0] == '3' || code[0] == '9') {
				a.FG = code
			}
		}
	}
	return a
}

// colourLength is how many parameters an extended colour takes, itself included.
func colourLength(p []string) int {
	n := 1
	if len(p) > 1 && !strings.Contains(p[0], ":") {
		switch p[1] {
		case "5":
			n = 3
		case "2":
			n = 5
		}
	}
	return min(n, len(p))
}
