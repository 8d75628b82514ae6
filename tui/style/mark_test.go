package style

import (
	"regexp"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"
)

var underlined = regexp.MustCompile(`\x1b\[4m(.*?)\x1b\[0m`)

// all is what the words are in a text, for tests.
func all(word string) func(string, int, []bool) {
	return func(text string, shown int, hit []bool) {
		for i := range text[:shown] {
			if strings.HasPrefix(text[i:], word) {
				for j := range word {
					hit[i+j] = true
				}
			}
		}
	}
}

func TestMarkedTextIsTheSameTextAtTheSameWidth(t *testing.T) {
	for _, c := range []struct {
		text, word string
		w          int
		want       string // the marked parts, joined by |
	}{
		{"run the tests", "test", 20, "test"},
		{"aXbXc", "X", 5, "X|X"},
		{"aXXc", "X", 4, "XX"},
		{"the end of it", "end of", 9, "end"},
		{"the end", "none", 9, ""},
		{"測試 run 測試", "試", 14, "試|試"},
		{"測試測試", "試", 6, "試"}, // the third letter has no room, and half of one is none
		{"測試測試", "試", 4, ""},
		{"cafe\u0301 noir", "e", 20, "e\u0301"},
		{"cafe\u0301 noir", "\u0301", 20, "e\u0301"},
		{"👩\u200d💻 at work", "work", 20, "work"},
		{"a\x1b[31mb\x00c", "bc", 5, "bc"},
		{"wörtlich", "ö", 3, "ö"},
		{"…and more", "and", 3, ""}, // a cut text ends in what this one begins with
		{"x", "x", 0, ""},
	} {
		for _, theme := range []Theme{Dark, Mono} {
			for _, role := range []Role{Text, Strong, Dim} {
				s := build(termenv.TrueColor, true, Options{Theme: theme})
				got := string(s.AppendMarked(nil, role, c.text, c.w, all(c.word)))
				if want := string(s.AppendFit(nil, role, c.text, c.w)); ansi.Strip(got) != ansi.Strip(want) {
					t.Errorf("%q in %d cells: %q, want the letters of %q", c.text, c.w, got, want)
				}
				var parts []string
				for _, m := range underlined.FindAllStringSubmatch(got, -1) {
					parts = append(parts, m[1])
				}
				if joined := strings.Join(parts, "|"); joined != c.want && c.text != "…and more" {
					t.Errorf("%q in %d cells marks %q, want %q", c.text, c.w, joined, c.want)
				}
				if open := s.open[role]; open != "" && c.want != "" && strings.Count(got, open) != len(parts)+1 {
					t.Errorf("%q loses its ink behind a mark: %q", c.text, got)
				}
			}
		}
	}
}

func FuzzMarked(f *testing.F) {
	f.Add("測試 e\u0301 क्षि run", "試", 7)
	f.Add("a\x1b]2;b\x07\u202e\U0001F1E9\U0001F1EA", "a", 3)
	s := build(termenv.TrueColor, true, Options{})
	f.Fuzz(func(t *testing.T, text, word string, w int) {
		w = min(max(w, 0), 300)
		got := string(s.AppendMarked(nil, Dim, text, w, all(word)))
		if n := ansi.StringWidth(got); n != w {
			t.Errorf("%q takes %d cells, want %d", got, n, w)
		}
	})
}
