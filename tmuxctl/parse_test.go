package tmuxctl

import (
	"strings"
	"testing"

	"signalbox/tracker"
)

const (
	fuzzMark = "~MARK~"
	fullOne  = "S 42 3.3a 1796083000 /tmp/s\nC $1 attached,focused,UTF-8\n" + fuzzMark +
		"P $1 @2 %3 4 [*Z] 1796083033 1796083033 8248 10000 0 120 40 1796083000 []" +
		fuzzMark + "/dev/pts/3" + fuzzMark + "work" + fuzzMark + fuzzMark + "claude" + fuzzMark + "title" + fuzzMark + "bash" + fuzzMark + "/home/me\n"
	lightOne = "S 42\nC $1 attached,focused,UTF-8\nP $1 @2 %3 4 [*Z] 1796083034 1796083034 8248 10100\n"
)

func TestParseFullRefusesAndCounts(t *testing.T) {
	twice := fullOne + strings.Replace(fullOne[strings.Index(fullOne, fuzzMark):], "%3", "%4", 1)
	for name, row := range map[string]struct {
		in        string
		panes     int
		malformed int
	}{
		"one":                         {fullOne, 1, 0},
		"two":                         {twice, 2, 0},
		"no panes":                    {"S 42 3.3a 1796083000 /tmp/s\n", 0, 0},
		"second has a bad id":         {strings.Replace(twice, "%4", "4", 1), 1, 1},
		"first has a bad number":      {strings.Replace(twice, "8248", "82x8", 1), 1, 1},
		"first has four flags":        {strings.Replace(twice, "10000", "1000", 1), 1, 1},
		"first has an empty flag":     {strings.Replace(twice, "10000", "1000 ", 1), 1, 1},
		"a text is missing":           {strings.Replace(twice, fuzzMark+"title", "", 1), 2, 1},
		"a client without a session":  {strings.Replace(fullOne, "C $1", "C ", 1), 1, 1},
		"something between the parts": {strings.Replace(fullOne, "UTF-8\n", "UTF-8\nnoise\n", 1), 1, 1},
		"cut off":                     {twice[:len(twice)-40], 2, 1},
	} {
		r, err := parseFull(row.in, fuzzMark)
		if err != nil || len(r.panes) != row.panes || r.malformed != row.malformed {
			t.Errorf("%s: %d panes, %d malformed, %v; want %d, %d", name, len(r.panes), r.malformed, err, row.panes, row.malformed)
		}
	}
	for _, in := range []string{"", "\n", "S\n", "S x\n", "P $1 @2", "usage: tmux"} {
		if _, err := parseFull(in, fuzzMark); err == nil {
			t.Errorf("%q was taken for a listing", in)
		}
	}
}

func TestParseLightNeedsTheSamePanes(t *testing.T) {
	known, err := parseFull(fullOne, fuzzMark)
	if err != nil {
		t.Fatal(err)
	}
	r, err := parseLight(lightOne, known)
	if err != nil || len(r.panes) != 1 || !r.panes[0].pane.InMode || r.panes[0].pane.Dead || r.panes[0].pane.Path != "/home/me" {
		t.Fatalf("%+v %v", r, err)
	}
	for name, change := range map[string][2]string{
		"another server":  {"S 42", "S 43"},
		"another session": {"P $1", "P $2"},
		"another window":  {"@2", "@3"},
		"another place":   {"%3 4", "%3 5"},
		"another pane":    {"%3", "%4"},
		"another process": {"8248", "8249"},
		"died":            {"10100", "11100"},
		"none":            {lightOne[strings.Index(lightOne, "P "):], ""},
		"one more":        {"P $1", "P $1 @2 %2 4 [] 1 1 1 10000\nP $1"},
	} {
		if _, err := parseLight(strings.Replace(lightOne, change[0], change[1], 1), known); err != errStale {
			t.Errorf("%s: %v, not stale", name, err)
		}
	}
	if _, err := parseLight(strings.Replace(lightOne, "10100", "1010", 1), known); err == nil || err == errStale {
		t.Errorf("a malformed line: %v", err)
	}
}

func TestCountsAsAttached(t *testing.T) {
	for flags, want := range map[string]bool{
		"attached,focused,UTF-8":                                     true,
		"attached,suspended,UTF-8":                                   false,
		"attached,control-mode,ignore-size,no-output,UTF-8":          false,
		"attached,focused,control-mode,pause-after=120":              true,
		"attached,control-mode,ignore-size,read-only":                true,
		"attached,control-mode,ignore-size,no-output,read-only,UTF8": false,
		"": true,
	} {
		if countsAsAttached(flags) != want {
			t.Errorf("%q: %v", flags, !want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(fullOne)
	f.Add(lightOne)
	f.Add(fullOne + fullOne[strings.Index(fullOne, fuzzMark):])
	f.Add("S 42 3.3a 1796083000 /tmp/s\nC $1 a\nC $2 suspended\n" + fuzzMark + "P $1 @2 %3 4 [] 0 0 0 00000 0 0 0 0 [3]" + strings.Repeat(fuzzMark, 7) + "\n")
	f.Add("S 99999999999 x\n")
	known, err := parseFull(fullOne, fuzzMark)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in string) {
		for _, parse := range []func() (records, error){
			func() (records, error) { return parseFull(in, fuzzMark) },
			func() (records, error) { return parseLight(in, known) },
		} {
			r, err := parse()
			if err != nil {
				continue
			}
			seen := make(map[tracker.WindowID]bool)
			n := 0
			for _, s := range r.topology().Sessions {
				if CheckSession(s.ID) != nil || s.Attached < 0 {
					t.Errorf("session %+v", s)
				}
				for _, w := range s.Windows {
					if CheckWindow(w.ID) != nil || seen[w.ID] || len(w.Panes) == 0 {
						t.Errorf("window %+v, seen %v", w, seen[w.ID])
					}
					seen[w.ID] = true
					for _, p := range w.Panes {
						n++
						if CheckPane(p.ID) != nil || p.PID < 0 {
							t.Errorf("pane %+v", p)
						}
					}
				}
			}
			if n > len(r.panes) {
				t.Errorf("%d panes of %d records", n, len(r.panes))
			}
		}
	})
}
