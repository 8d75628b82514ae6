package tui

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

func shown(p termenv.Profile, lines ...string) []string {
	r := screenReader{profile: p}
	out := make([]string, len(lines))
	for i, l := range lines {
		sl := r.line(l)
		out[i] = string(sl.crop(nil, 0, sl.width()))
	}
	return out
}

func TestScreenKeepsColoursAndNothingElse(t *testing.T) {
	for _, c := range []struct {
		name    string
		profile termenv.Profile
		in      string
		want    string
	}{
		{"plain text", termenv.TrueColor, "hello", "hello"},
		{"a basic colour", termenv.TrueColor, "\x1b[31mred\x1b[0m x", "\x1b[31mred\x1b[0m x"},
		{"a bright colour", termenv.TrueColor, "\x1b[95mx", "\x1b[95mx\x1b[0m"},
		{"256 colours", termenv.TrueColor, "\x1b[38;5;174mx", "\x1b[38;5;174mx\x1b[0m"},
		{"true colour", termenv.TrueColor, "\x1b[38;2;1;2;3mx", "\x1b[38;2;1;2;3mx\x1b[0m"},
		{"the colon form", termenv.TrueColor, "\x1b[38:2::1:2:3mx", "\x1b[38;2;1;2;3mx\x1b[0m"},
		{"attributes add up", termenv.TrueColor, "\x1b[1m\x1b[4mx\x1b[22my", "\x1b[1;4mx\x1b[0m\x1b[4my\x1b[0m"},
		{"background and reverse", termenv.TrueColor, "\x1b[7;48;5;237mx", "\x1b[7;48;5;237mx\x1b[0m"},
		{"blinking and hidden text are plain", termenv.TrueColor, "\x1b[5;8mx", "x"},
		{"underline colour is skipped whole", termenv.TrueColor, "\x1b[58;2;9;9;9;1mx", "\x1b[1mx\x1b[0m"},
		{"nonsense colours are nothing", termenv.TrueColor, "\x1b[38;5;999mx\x1b[38;2;1mx\x1b[38mx", "xxx"},
		{"cursor movement goes", termenv.TrueColor, "a\x1b[2J\x1b[Hb\x1b[10Cc", "abc"},
		{"titles and clipboards go", termenv.TrueColor, "a\x1b]2;x\ab\x1b]52;c;eA==\x1b\\c", "abc"},
		{"private modes that end in m go", termenv.TrueColor, "\x1b[>4;1mx\x1b[?1mx", "xx"},
		{"controls go", termenv.TrueColor, "a\a\b\x00\x7f\u009bb", "ab"},
		{"fewer colours: 256", termenv.ANSI256, "\x1b[38;2;255;0;0mx", "\x1b[38;5;196mx\x1b[0m"},
		{"fewer colours: 16", termenv.ANSI, "\x1b[38;5;196mx", "\x1b[91mx\x1b[0m"},
		{"no colours, but weight", termenv.Ascii, "\x1b[1;31mx\x1b[22my", "\x1b[1mx\x1b[0my"},
	} {
		if got := shown(c.profile, c.in)[0]; got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestScreenCarriesColoursOverLines(t *testing.T) {
	got := shown(termenv.TrueColor, "\x1b[32ma", "b", "\x1b[39mc")
	want := []string{"\x1b[32ma\x1b[0m", "\x1b[32mb\x1b[0m", "c"}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("line %d is %q, want %q", i, got[i], want[i])
		}
	}
}

func TestScreenCursor(t *testing.T) {
	for _, c := range []struct {
		line string
		x    int
		want string
	}{
		{"abc", 1, "a\x1b[7mb\x1b[0mc"},
		{"abc", 0, "\x1b[7ma\x1b[0mbc"},
		{"abc", 3, "abc\x1b[7m \x1b[0m"},
		{"abc", 5, "abc  \x1b[7m \x1b[0m"},
		{"日本", 1, "\x1b[7m日\x1b[0m本"}, // inside a wide letter: all of it
		{"", 0, "\x1b[7m \x1b[0m"},
	} {
		r := screenReader{profile: termenv.TrueColor}
		l := r.line(c.line).withCursor(c.x)
		w := 0
		for _, s := range l {
			w += s.w
		}
		if got := string(l.crop(nil, 0, w)); got != c.want {
			t.Errorf("%q with the cursor at %d is %q, want %q", c.line, c.x, got, c.want)
		}
	}
}

func FuzzScreenLine(f *testing.F) {
	for _, l := range recorded(f, "permission").Lines {
		f.Add(l, 0, 80)
	}
	for _, s := range []string{"\x1b[38;2;1;2;3m日本\x1b[0m語", "\x1b[", "\x1b[1;2;3", "\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\", "\xff\xfe\x9b31m", "e\u0301\u202e"} {
		f.Add(s, 1, 3)
	}
	f.Fuzz(func(t *testing.T, s string, x, w int) {
		x, w = max(x%200, 0), max(w%200, 0)
		for _, p := range []termenv.Profile{termenv.TrueColor, termenv.ANSI256, termenv.ANSI, termenv.Ascii} {
			r := screenReader{profile: p}
			got := string(r.line(s).crop(nil, x, w))
			if n := ansi.StringWidth(got); n != w {
				t.Fatalf("%q from %d is %d cells wide, want %d: %q", s, x, n, w, got)
			}
			rest := sgr.ReplaceAllString(got, "")
			if strings.ContainsFunc(rest, func(r rune) bool { return unicode.IsControl(r) || unicode.In(r, unicode.Cf) }) {
				t.Fatalf("%q leaves a control in %q", s, got)
			}
			if strings.Contains(got, "\x1b[") && leaks(got) {
				t.Fatalf("%q leaves its colours on: %q", s, got)
			}
		}
	})
}
