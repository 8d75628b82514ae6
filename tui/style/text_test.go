package style

import (
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

func TestCleanTakesAwayWhatMayNotBeDrawn(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"plain text is left alone", "Bash: go test ./...", "Bash: go test ./..."},
		{"line breaks and tabs become one space", "a\n\tb\r\nc", "a b c"},
		{"colours go", "\x1b[31mred\x1b[0m", "red"},
		{"a clipboard sequence goes whole", "x\x1b]52;c;aGk=\x07y", "xy"},
		{"a title sequence ended by ST goes whole", "x\x1b]2;t\x1b\\y", "xy"},
		{"an unfinished sequence hides nothing", "x\x1b]52;keep this visible", "x]52;keep this visible"},
		{"a screen clear goes", "a\x1b[2Jb", "ab"},
		{"a lone ESC goes", "a\x1b", "a"},
		{"C1 controls go", "a\u009b31mb\u0085c", "a31mb c"},
		{"raw C1 bytes become a mark", "a\x9bb", "a\ufffdb"},
		{"bell, backspace and delete go", "a\a\b\x7fb", "ab"},
		{"direction controls go", "a\u202eb\u2066c\u200fd", "abcd"},
		{"joiners and selectors go", "👨\u200d👩\u200d👧 ❤\ufe0f", "👨👩👧 ❤"},
		{"skin tones go", "👍🏽", "👍"},
		{"flags become letters", "🇩🇪 ok", "DE ok"},
		{"wide and odd spaces become one", "a\u3000b\u00a0c\u2028d", "a b c d"},
		{"combining marks stay", "e\u0301", "e\u0301"},
		{"enclosing marks go", "1\ufe0f\u20e3", "1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Clean(c.in); got != c.want {
				t.Errorf("Clean(%q) = %q, want %q", c.in, got, c.want)
			}
		})
	}
}

func TestFitIsExact(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"abc", 5, "abc  "},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, ""},
		{"abcd", -1, ""},
		{"", 2, "  "},
		{"one two", 5, "one… "},
		{"日本語", 6, "日本語"},
		{"日本語", 5, "日本…"},
		{"日本語", 4, "日… "},
		{"日本語", 1, "…"},
		{"é́x", 2, "é́x"},
		{"שלום", 3, "של…"},
	} {
		if got := Fit(c.in, c.w); got != c.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
}

func TestFitOfPlainTextDoesNotAllocate(t *testing.T) {
	buf := make([]byte, 0, 256)
	n := testing.AllocsPerRun(100, func() {
		buf = AppendFit(buf[:0], "Bash: go test ./... and some more text", 20, Ellipsis)
		buf = AppendFit(buf, "short", 20, Ellipsis)
	})
	if n != 0 {
		t.Errorf("AppendFit allocated %v times for ASCII text, want 0", n)
	}
}

func FuzzFit(f *testing.F) {
	for _, s := range []string{
		"", "plain", "\x1b[31mred", "日本語テキスト", "👨‍👩‍👧‍👦 family", "🇩🇪🇫🇷", "e\u0301\u0301\u0301", "שלום עולם", "\u0d4e…", "ก็็็็", "नमस्ते", "각",
		"a\x9b\xff\xfe", "\x1b]52;c;aaaa\x07", "\x1bP1;2|x\x1b\\", strings.Repeat("z", 300), "1\ufe0f\u20e3", "\u0600\u0601", "\U000111c2x",
	} {
		for _, w := range []int{0, 1, 2, 7, 40} {
			f.Add(s, w)
		}
	}
	f.Fuzz(func(t *testing.T, s string, w int) {
		if w > 500 {
			w %= 500
		}
		got := Fit(s, w)
		if n := ansi.StringWidth(got); n != max(w, 0) {
			t.Fatalf("Fit(%q, %d) = %q is %d cells wide", s, w, got, n)
		}
		for _, r := range got {
			if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
				t.Fatalf("Fit(%q, %d) = %q holds %U", s, w, got, r)
			}
		}
		if again := Clean(Clean(s)); again != Clean(s) {
			t.Fatalf("Clean is not stable: %q, then %q", Clean(s), again)
		}
	})
}
