package tui

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tui/style"
)

// span is a run of one look on a captured line.
type span struct {
	open string // SGR sequence, "" for the default look
	text string
	w    int
}

// screenLine is a captured line that is safe to draw.
type screenLine []span

// screenReader turns captured lines into safe ones. It keeps text and SGR and drops every other
// sequence and control. The look carries over from line to line, as tmux prints it, but every
// line it returns stands for itself.
type screenReader struct {
	profile termenv.Profile
	look    look
	open    string // sequence of look, computed once per change
}

// look is the part of SGR that a preview keeps. Blinking and hidden text are left out: the first
// is motion that nobody asked for, the second would hide what is about to be confirmed.
type look struct {
	fg, bg                                      string // parameters such as "38;5;246", "" for default
	bold, faint, italic, under, reverse, strike bool
}

// maxScreenLine bounds the bytes read of one captured line; no terminal is that wide.
const maxScreenLine = 1 << 14

func (r *screenReader) line(s string) screenLine {
	if len(s) > maxScreenLine {
		s = s[:maxScreenLine]
	}
	var out screenLine
	var text []byte
	flush := func() {
		if len(text) > 0 {
			t := string(text)
			out = append(out, span{open: r.open, text: t, w: style.Width(t)})
			text = text[:0]
		}
	}
	for i := 0; i < len(s); {
		if s[i] == 0x1b {
			n, params, isSGR := escape(s[i:])
			i += n
			if isSGR {
				flush()
				r.look.apply(params)
				r.open = r.look.sequence(r.profile)
			}
			continue
		}
		c, size := utf8.DecodeRuneInString(s[i:])
		i += size
		text = style.AppendRune(text, c)
	}
	flush()
	return out
}

// escape measures the sequence at the beginning of s, and says whether it is SGR.
func escape(s string) (n int, params string, isSGR bool) {
	n = style.EscapeLen(s)
	if n > 2 && s[1] == '[' && s[n-1] == 'm' {
		params = s[2 : n-1]
		return n, params, strings.IndexFunc(params, func(c rune) bool { return !unicode.IsDigit(c) && c != ';' && c != ':' }) < 0
	}
	return n, "", false
}

func (l *look) apply(params string) {
	fields := strings.Split(params, ";")
	for i := 0; i < len(fields); i++ {
		f := fields[i]
		code, rest, _ := strings.Cut(f, ":")
		n, _ := strconv.Atoi(code)
		if n == 38 || n == 48 || n == 58 {
			color, used := extended(rest, fields[i+1:])
			i += used
			switch n {
			case 38:
				l.fg = color
			case 48:
				l.bg = color
			}
			continue
		}
		l.simple(n, rest)
	}
}

func (l *look) simple(n int, rest string) {
	switch {
	case n == 0:
		*l = look{}
	case n == 1:
		l.bold = true
	case n == 2:
		l.faint = true
	case n == 3:
		l.italic = true
	case n == 4:
		l.under = rest != "0"
	case n == 7:
		l.reverse = true
	case n == 9:
		l.strike = true
	case n == 22:
		l.bold, l.faint = false, false
	case n == 23:
		l.italic = false
	case n == 24:
		l.under = false
	case n == 27:
		l.reverse = false
	case n == 29:
		l.strike = false
	case n >= 30 && n <= 37:
		l.fg = "5;" + strconv.Itoa(n-30)
	case n >= 90 && n <= 97:
		l.fg = "5;" + strconv.Itoa(n-90+8)
	case n == 39:
		l.fg = ""
	case n >= 40 && n <= 47:
		l.bg = "5;" + strconv.Itoa(n-40)
	case n >= 100 && n <= 107:
		l.bg = "5;" + strconv.Itoa(n-100+8)
	case n == 49:
		l.bg = ""
	}
}

// extended reads the colour after a 38 or 48: "5;n" or "2;r;g;b", in the colon form (rest) or as
// further fields, and returns it in one form with the number of fields it used.
func extended(rest string, fields []string) (color string, used int) {
	parts := strings.Split(rest, ":")
	if rest == "" {
		parts = fields
	}
	take := func(n int) ([]string, int) {
		if len(parts) < n+1 {
			return nil, len(parts)
		}
		if rest != "" {
			// The colon form may name a colour space before the values; they are the last ones.
			return parts[len(parts)-n:], 0
		}
		return parts[1 : n+1], n + 1
	}
	if len(parts) == 0 {
		return "", 0
	}
	switch parts[0] {
	case "5":
		values, used := take(1)
		if values == nil || !bytesOnly(values) {
			return "", used
		}
		return "5;" + values[0], used
	case "2":
		values, used := take(3)
		if values == nil || !bytesOnly(values) {
			return "", used
		}
		return "2;" + strings.Join(values, ";"), used
	}
	return "", 0
}

func bytesOnly(values []string) bool {
	for _, v := range values {
		if n, err := strconv.Atoi(v); err != nil || n < 0 || n > 255 {
			return false
		}
	}
	return true
}

// sequence is the SGR that switches from the default look to this one, within the colours the
// terminal has.
func (l look) sequence(p termenv.Profile) string {
	if l == (look{}) {
		return ""
	}
	var b strings.Builder
	attr := func(on bool, code string) {
		if on {
			b.WriteByte(';')
			b.WriteString(code)
		}
	}
	attr(l.bold, "1")
	attr(l.faint, "2")
	attr(l.italic, "3")
	attr(l.under, "4")
	attr(l.reverse, "7")
	attr(l.strike, "9")
	if c := reduce(p, l.fg, false); c != "" {
		attr(true, c)
	}
	if c := reduce(p, l.bg, true); c != "" {
		attr(true, c)
	}
	if b.Len() == 0 {
		return ""
	}
	return "\x1b[" + b.String()[1:] + "m"
}

// reduce turns a kept colour into parameters for the terminal's depth.
func reduce(p termenv.Profile, color string, bg bool) string {
	if color == "" || p == termenv.Ascii {
		return ""
	}
	kind, values, _ := strings.Cut(color, ";")
	var c termenv.Color
	if kind == "5" {
		n, _ := strconv.Atoi(values)
		if n < 16 {
			c = termenv.ANSIColor(n)
		} else {
			c = termenv.ANSI256Color(n)
		}
	} else {
		var r, g, b int
		if _, err := fmt.Sscanf(values, "%d;%d;%d", &r, &g, &b); err != nil {
			return ""
		}
		c = termenv.RGBColor(fmt.Sprintf("#%02x%02x%02x", r, g, b))
	}
	return p.Convert(c).Sequence(bg)
}

// crop appends the part of a line from column x on, w cells wide, padded.
func (l screenLine) crop(b []byte, x, w int) []byte {
	for _, s := range l {
		if w <= 0 {
			break
		}
		if x >= s.w {
			x -= s.w
			continue
		}
		text, tw := s.text, s.w
		if x > 0 || tw > w {
			tw = min(tw-x, w)
			text = cells(text, x, x+tw)
			x = 0
		}
		if s.open == "" {
			b = append(b, text...)
		} else {
			b = append(b, s.open...)
			b = append(b, text...)
			b = append(b, "\x1b[0m"...)
		}
		w -= tw
	}
	return style.Pad(b, w)
}

// width is how many cells the line takes, without trailing blanks of the default look.
func (l screenLine) width() int {
	w := 0
	for _, s := range l {
		w += s.w
	}
	if n := len(l); n > 0 && l[n-1].open == "" {
		w -= len(l[n-1].text) - len(strings.TrimRight(l[n-1].text, " "))
	}
	return w
}

// blank reports whether nothing is to be seen on the line.
func (l screenLine) blank() bool {
	for _, s := range l {
		if strings.TrimSpace(s.text) != "" || s.open != "" && strings.Contains(s.open, "7") {
			return false
		}
	}
	return true
}

// rule reports whether the line is drawn rather than written: it begins and ends with horizontal
// strokes, whatever name stands in between.
func (l screenLine) rule() bool {
	if len(l) == 0 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(l[0].text, " "))
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(l[len(l)-1].text, " "))
	return isStroke(first) && isStroke(last)
}

func isStroke(r rune) bool {
	return strings.ContainsRune("─━═╌╍┄┅┈┉╴╶╭╮╰╯", r)
}

// cells is columns from..to of a text that reaches that far. Halves of wide letters at the edges
// become blanks, so that the result is always exactly so wide.
func cells(text string, from, to int) string {
	if style.Width(text) == len(text) {
		return text[from:to]
	}
	var b []byte
	for at := 0; text != "" && at < to; {
		cluster, w := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		text = text[len(cluster):]
		switch {
		case at >= from && at+w <= to:
			b = append(b, cluster...)
		case at+w > from:
			b = style.Pad(b, min(at+w, to)-max(at, from))
		}
		at += w
	}
	return string(b)
}

// clusterAt is where in the text the letter that covers column x begins and ends, and its width.
func clusterAt(text string, x int) (start, end, w int) {
	for at := 0; start < len(text); {
		cluster, cw := ansi.FirstGraphemeCluster(text[start:], ansi.GraphemeWidth)
		if at+cw > x {
			return start, start + len(cluster), cw
		}
		at += cw
		start += len(cluster)
	}
	return start, start, 0
}

// withCursor shows the cell at column x in reverse.
func (l screenLine) withCursor(x int) screenLine {
	out := make(screenLine, 0, len(l)+2)
	for _, s := range l {
		if x < 0 || x >= s.w {
			out = append(out, s)
			if x >= 0 {
				x -= s.w
				if x < 0 {
					x = -1
				}
			}
			continue
		}
		start, end, w := clusterAt(s.text, x)
		before := style.Width(s.text[:start]) // less than x inside a wide letter, which is shown whole
		out = append(out, span{s.open, s.text[:start], before}, span{s.open + "\x1b[7m", s.text[start:end], w},
			span{s.open, s.text[end:], s.w - before - w})
		x = -1
	}
	if x >= 0 {
		out = append(out, span{"", strings.Repeat(" ", x), x}, span{"\x1b[7m", " ", 1})
	}
	return out
}
