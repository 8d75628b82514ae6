package style

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// maxSequence bounds how far Clean looks for the end of an escape sequence. Real ones are shorter;
// an unfinished one must not hide the text behind it.
const maxSequence = 64

// Width is how many cells the terminal needs for a cleaned text.
func Width(text string) int {
	if printable(text) {
		return len(text)
	}
	return ansi.StringWidth(text)
}

// Clean makes a text from outside safe to draw on one line: no control bytes, no escape sequences,
// no direction controls, line breaks and tabs as single spaces, invalid bytes as U+FFFD.
//
// It also takes away what terminals disagree about: joiners, variation selectors, skin tones and
// enclosing marks go, and the two letters of a flag become plain letters. What is left has the same
// width everywhere, which is worth more in a grid than the exact picture.
func Clean(text string) string {
	if printable(text) {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if text[i] == 0x1b {
			i += EscapeLen(text[i:])
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		// Line breaks and odd spaces fold into the space before them; typed spaces stay.
		if n := len(b); r != ' ' && blank(r) && n > 0 && b[n-1] == ' ' {
			continue
		}
		b = AppendRune(b, r)
	}
	return string(b)
}

// AppendRune appends a rune the way Clean does: a space for every kind of blank, nothing for what
// must not be drawn. It does not fold blanks, so that columns stay where they are.
func AppendRune(b []byte, r rune) []byte {
	switch {
	case r >= 0x20 && r < 0x7f:
		return append(b, byte(r))
	case blank(r):
		return append(b, ' ')
	case disputed(r):
		return b
	case r >= 0x1f1e6 && r <= 0x1f1ff:
		return append(b, byte('A'+r-0x1f1e6))
	}
	return utf8.AppendRune(b, r)
}

func blank(r rune) bool {
	return r >= '\t' && r <= '\r' || r == 0x85 || r >= 0xa0 && unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp)
}

// disputed reports whether a rune is one that must not be drawn: a control, or one whose width
// depends on the terminal.
func disputed(r rune) bool {
	switch {
	case r < 0x20 || r >= 0x7f && r < 0xa0:
		return true
	case r >= 0xfe00 && r <= 0xfe0f, r >= 0xe0000 && r <= 0xe0fff: // variation selectors, tags
		return true
	case r >= 0x1f3fb && r <= 0x1f3ff: // skin tones
		return true
	}
	return r > 0xa0 && unicode.In(r, unicode.Cf, unicode.Cs, unicode.Me)
}

// EscapeLen is how many bytes of s, which begins with ESC, belong to the escape sequence: a whole
// CSI or string sequence when its end is near, else the ESC alone.
func EscapeLen(s string) int {
	if len(s) < 2 {
		return 1
	}
	end := min(len(s), maxSequence)
	switch s[1] {
	case '[':
		for i := 2; i < end; i++ {
			if s[i] >= 0x40 && s[i] <= 0x7e {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7e {
				return 2
			}
		}
		return 2
	case ']', 'P', '_', '^', 'X':
		for i := 2; i < end; i++ {
			if s[i] == 0x07 {
				return i + 1
			}
			if s[i] == 0x1b && i+1 < len(s) && s[i+1] == '\\' {
				return i + 2
			}
		}
	}
	return 1
}

// Fit is text cleaned, then cut with an ellipsis or padded with spaces to exactly w cells. With
// w <= 0 it is empty.
func Fit(text string, w int) string {
	return string(AppendFit(nil, text, w, Ellipsis))
}

// Ellipsis marks cut text. EllipsisASCII takes its place where a terminal draws it two cells wide.
const (
	Ellipsis      = "…"
	EllipsisASCII = "~"
)

// AppendFit appends what Fit returns. The mark must be one cell wide.
func AppendFit(b []byte, text string, w int, mark string) []byte {
	if w <= 0 {
		return b
	}
	if !printable(text) {
		text = Clean(text)
	}
	if printable(text) {
		return appendASCII(b, text, w, mark)
	}
	start := len(b)
	if total := ansi.StringWidth(text); total <= w {
		b = append(b, text...)
		b = pad(b, w-total)
	} else {
		b = appendCut(b, text, w, mark)
	}
	// Clusters may join across the cut. Exactness is worth more than the odd script: draw it in
	// question marks rather than push the columns out of line.
	if ansi.StringWidth(string(b[start:])) != w {
		b = appendASCII(b[:start], plain(text), w, mark)
	}
	return b
}

// AppendCut appends text like AppendFit but without padding, and returns how many cells it took.
func AppendCut(b []byte, text string, w int, mark string) ([]byte, int) {
	text = Clean(text)
	n := min(Width(text), w)
	if n <= 0 {
		return b, 0
	}
	return AppendFit(b, text, n, mark), n
}

func appendASCII(b []byte, text string, w int, mark string) []byte {
	if len(text) <= w {
		b = append(b, text...)
		return pad(b, w-len(text))
	}
	kept := strings.TrimRight(text[:w-1], " ")
	b = append(b, kept...)
	b = append(b, mark...)
	return pad(b, w-1-len(kept))
}

func appendCut(b []byte, text string, w int, mark string) []byte {
	used := 0
	for len(text) > 0 {
		cluster, cw := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		if cluster == "" || used+cw > w-1 {
			break
		}
		b = append(b, cluster...)
		used += cw
		text = text[len(cluster):]
	}
	b = append(b, mark...)
	return pad(b, w-1-used)
}

const spaces = "                                                                "

func pad(b []byte, n int) []byte {
	for n > len(spaces) {
		b = append(b, spaces...)
		n -= len(spaces)
	}
	if n > 0 {
		b = append(b, spaces[:n]...)
	}
	return b
}

// Pad appends n spaces.
func Pad(b []byte, n int) []byte { return pad(b, n) }

// printable reports whether text is printable ASCII only, which needs no care at all.
func printable(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < 0x20 || text[i] > 0x7e {
			return false
		}
	}
	return true
}

func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x20 || r > 0x7e {
			return '?'
		}
		return r
	}, text)
}
