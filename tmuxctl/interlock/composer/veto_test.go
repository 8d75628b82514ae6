package composer

import (
	"path/filepath"
	"strings"
	"testing"
)

// plain is a row of ordinary text.
func plain(text string) Line { return Line{Spans: []Span{{Text: text}}} }

// idle is a screen that is Ready, and where its box is.
func idle(t *testing.T) (Screen, Reading) {
	t.Helper()
	s := recorded(t, filepath.Join(recordings, "approve/screens/01-idle.ansi"))
	r := Read(s)
	if !r.Ready() {
		t.Fatalf("the idle screen is not ready: %s", r.Reason())
	}
	return s, r
}

// with is a copy of a screen with one row replaced.
func (s Screen) with(y int, l Line) Screen {
	s.Lines = append([]Line(nil), s.Lines...)
	for y >= len(s.Lines) {
		s.Lines = append(s.Lines, Line{})
	}
	s.Lines[y] = l
	return s
}

func TestNothingOfTheBoxMayBeMissing(t *testing.T) {
	s, r := idle(t)
	wide := strings.Repeat("─", s.Width)
	for name, broken := range map[string]Screen{
		"no top rule":               s.with(r.RuleTop, Line{}),
		"short top rule":            s.with(r.RuleTop, plain(wide[:30])),
		"no prompt mark":            s.with(r.Prompt, Line{}),
		"transcript's mark":         s.with(r.Prompt, plain("❯ ")),
		"a dialog's choice":         s.with(r.Prompt, plain("❯ 1. Yes")),
		"no bottom rule":            s.with(r.Prompt+1, Line{}),
		"nothing under the box":     s.with(r.Prompt+2, plain("  something new")),
		"a notice for the mode row": s.with(r.Prompt+2, plain("  Press Ctrl-C again to exit")),
		"a picker over the box":     s.with(r.RuleTop-1, plain("    /model   switch")),
		"a chosen row over the box": s.with(r.RuleTop-1, plain("  ❯ /model   switch")),
		"text close over the box":   s.with(r.RuleTop-1, plain("Press y to continue")),
		"a draft":                   s.with(r.Prompt, plain("❯\u00a0x")),
		"a second row in the box":   s.with(r.Prompt+1, plain("  x")).with(r.Prompt+2, plain(wide)).with(r.Prompt+3, plain("  ⏸ manual mode on")),
		"an empty row in the box":   s.with(r.Prompt+1, Line{}).with(r.Prompt+2, plain(wide)).with(r.Prompt+3, plain("  ⏸ manual mode on")),
		"nothing at all":            {Width: s.Width, Height: s.Height},
		"a screen of another size":  {Lines: s.Lines, Width: s.Width + 1, Height: s.Height, CursorX: 2, CursorY: s.CursorY},
	} {
		if got := Read(broken); got.Ready() {
			t.Errorf("%s: ready, want a veto", name)
		}
	}
	taller := s.with(r.Prompt+3, plain("  1. Yes"))
	taller.Height++
	if Read(taller).Ready() {
		t.Error("a row behind the mode row: ready, want a veto")
	}
	for _, at := range [][2]int{{0, 0}, {1, s.CursorY}, {3, s.CursorY}, {2, s.CursorY - 1}, {2, s.CursorY + 1}} {
		moved := s
		moved.CursorX, moved.CursorY = at[0], at[1]
		if Read(moved).Ready() {
			t.Errorf("cursor at %v: ready, want a veto", at)
		}
	}
}

func TestGhostIsDimBehindACaretAtTheStart(t *testing.T) {
	s, r := idle(t)
	caret, dim := Attr{Reverse: true}, Attr{Dim: true}
	row := func(spans ...Span) Screen {
		return s.with(r.Prompt, Line{Spans: append([]Span{{Text: "❯\u00a0"}}, spans...)})
	}
	for _, c := range []struct {
		name  string
		s     Screen
		ready bool
	}{
		{"dim behind the caret", row(Span{"y", caret}, Span{"es, go ahead", dim}), true},
		{"dim, no focus and no caret", row(Span{"yes, go ahead", dim}), true},
		{"a draft with the caret moved to its start", row(Span{"y", caret}, Span{"es, go ahead", Attr{}}), false},
		{"grey is not dim", row(Span{"y", caret}, Span{"es, go ahead", Attr{FG: "38;5;246"}}), false},
		{"one letter, nothing to tell it by", row(Span{"y", caret}), false},
		{"half of it dim", row(Span{"y", caret}, Span{"es, ", dim}, Span{"go ahead", Attr{}}), false},
	} {
		got := Read(c.s)
		if got.Ready() != c.ready {
			t.Errorf("%s: ready = %v (%s), want %v", c.name, got.Ready(), got.Reason(), c.ready)
		}
	}
}

func TestParseLines(t *testing.T) {
	lines := ParseLines([]byte("\x1b[38;5;246ma\x1b[2mb\nc\x1b[0;7md\x1b[0m\x1b]8;;http://x\x1b\\e\x1b(B\x0e\xff\n"))
	want := []Line{
		{Spans: []Span{{"a", Attr{FG: "38;5;246"}}, {"b", Attr{FG: "38;5;246", Dim: true}}}, End: Attr{FG: "38;5;246", Dim: true}},
		{Spans: []Span{{"c", Attr{FG: "38;5;246", Dim: true}}, {"d", Attr{Reverse: true}}, {"e\ufffd", Attr{}}}},
	}
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d", len(lines), len(want))
	}
	for i := range want {
		if lines[i].End != want[i].End || len(lines[i].Spans) != len(want[i].Spans) {
			t.Fatalf("line %d = %+v, want %+v", i, lines[i], want[i])
		}
		for j, s := range want[i].Spans {
			if lines[i].Spans[j] != s {
				t.Errorf("line %d span %d = %+v, want %+v", i, j, lines[i].Spans[j], s)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	paths, _ := filepath.Glob(filepath.Join("testdata", "*", "*.ansi"))
	for _, p := range paths {
		s := captured(&testing.T{}, p)
		f.Add([]byte(s.Text()), s.CursorX, s.CursorY, s.Width)
	}
	f.Add([]byte("───\n❯\u00a0\n───\n  ⏸ manual mode on"), 2, 1, 3)
	f.Fuzz(func(t *testing.T, raw []byte, x, y, width int) {
		s := Screen{Lines: ParseLines(raw), Width: width, Height: 50, CursorX: x, CursorY: y}
		r := Read(s)
		if r.Ready() && (!r.Box || len(r.Rows) > 0 || s.CursorX != 2 || s.CursorY != r.Prompt) {
			t.Fatalf("ready without an empty box under the cursor: %+v", r)
		}
		if !r.Box && r.Reason() == "" {
			t.Fatal("no box and no reason")
		}
	})
}

// TestAHintInThePickersColumns holds that a hint which the width of the pane puts where a picker's entries
// stand is no picker, and that an entry or an unknown hint there is one.
func TestAHintInThePickersColumns(t *testing.T) {
	s := captured(t, filepath.Join("testdata", "2.1.332", "narrow34-long.ansi"))
	r := Read(s)
	if !r.Ready() || s.Width != 34 {
		t.Fatalf("%d columns: %s", s.Width, r.Reason())
	}
	for text, want := range map[string]bool{
		"    ctrl+y to paste deleted text": true,
		"    ◐ highest possible · /effort": false, // nobody has seen it
		"    + a-file-of-28-characters.go": false,
		"  ❯ ctrl+y to paste deleted text": false,
		"    ctrl+y to paste deleted tex":  false, // not at the edge
	} {
		got := Read(s.with(r.RuleTop-1, Line{Spans: []Span{{Text: text}}}))
		if got.Ready() != want {
			t.Errorf("%q: ready %v (%s), want %v", text, got.Ready(), got.Reason(), want)
		}
	}
}
