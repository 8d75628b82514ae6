package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tracker"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

var update = flag.Bool("update", false, "write the golden frames anew")

const goldenDir = "../testdata/golden"

// sizes of the golden frames: a phone-wide split, the classic terminal, half a screen, a whole one.
var goldenSizes = []struct{ w, h int }{{34, 20}, {80, 24}, {120, 40}, {220, 50}}

var goldenBoards = []struct {
	name string
	snap func() *tracker.Snapshot
	keys []string
}{
	{"before the first snapshot", func() *tracker.Snapshot { return nil }, nil},
	{"no server", func() *tracker.Snapshot { return tuitest.Parse("tmux absent no server") }, nil},
	{"no session", func() *tracker.Snapshot { return tuitest.Parse("") }, nil},
	{"one window without an agent", func() *tracker.Snapshot {
		return tuitest.Parse("$ work attached\n0 zsh | shell | /home/me/src | 3m | cwd=~/src")
	}, nil},
	{"a dozen windows", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, nil},
	{"a dozen windows, the second who needs you", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"tab"}},
	{"a window without an agent is selected", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"l", "j"}},
	{"a background agent is selected", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"G"}},
	{"wide runes", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Wide) }, nil},
	{"long names", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Long()) }, nil},
	{"tmux does not answer", func() *tracker.Snapshot {
		return tuitest.Parse(tuitest.Everyday + "\n! tmux failed 3m list-panes did not answer for 5 s\ntmux failed list-panes did not answer for 5 s")
	}, nil},
	{"a source is down", func() *tracker.Snapshot {
		return tuitest.Parse(tuitest.Everyday + "\n! registry failed 20m too many watches; polling instead")
	}, nil},
	{"100 windows", func() *tracker.Snapshot { return tuitest.Many(100) }, nil},
	{"500 windows, the last", func() *tracker.Snapshot { return tuitest.Many(500) }, []string{"G"}},
	{"filter", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"/", "t", "f"}},
	{"folded, by urgency", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"o", "j", "j", "z"}},
	{"by repository", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"v"}},
	{"labels", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"'"}},
	{"help", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"?"}},
	{"peek", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{" "}},
	{"explain", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"e"}},
	{"inbox", func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }, []string{"i"}},
}

// goldenFrame draws one board at one size, with the preview that a real Claude Code gave.
func goldenFrame(t *testing.T, w, h int, look testLook, snap *tracker.Snapshot, keys []string) string {
	t.Helper()
	d := newDriver(t, w, h, func(o *Options) { o.Style = newStyle(look) })
	if snap != nil {
		d.give(snap)
	}
	d.press(keys...)
	d.pass(previewSettle)
	d.settle()
	frame := d.m.View()
	checkFrame(t, frame, w, h)
	return frame
}

// checkFrame holds a frame to what every frame must be: exactly as many lines and cells as the
// screen has, and not one sequence besides SGR.
func checkFrame(t *testing.T, frame string, w, h int) {
	t.Helper()
	lines := strings.Split(frame, "\n")
	if len(lines) != h {
		t.Fatalf("%d×%d: the frame has %d lines", w, h, len(lines))
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			t.Errorf("%d×%d: line %d is %d cells wide: %q", w, h, i, n, l)
		}
		if strings.Contains(l, "\x1b") && !strings.HasSuffix(strings.TrimRight(l, " │┬┴─"), "\x1b[0m") && leaks(l) {
			t.Errorf("%d×%d: line %d does not end its colours: %q", w, h, i, l)
		}
	}
	if rest := sgr.ReplaceAllString(frame, ""); strings.ContainsFunc(rest, func(r rune) bool { return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 }) {
		t.Errorf("%d×%d: the frame holds a control that is not SGR: %q", w, h, rest)
	}
}

// leaks reports whether a look is still on at the end of a line.
func leaks(l string) bool {
	all := sgr.FindAllString(l, -1)
	return len(all) > 0 && all[len(all)-1] != "\x1b[0m"
}

func TestGoldenFrames(t *testing.T) {
	plain := testLook{style.Dark, termenv.TrueColor, style.Unicode}
	for _, size := range goldenSizes {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			got := archive{comment: fmt.Sprintf("Frames of %d×%d cells without their colours and without blanks at line ends.\nWritten by: go test ./tui -run TestGolden -update\n", size.w, size.h)}
			for i, b := range goldenBoards {
				if size.w > 200 && i > 3 && len(b.keys) > 0 {
					continue // what keys do is seen well enough on the smaller ones
				}
				frame := ansi.Strip(goldenFrame(t, size.w, size.h, plain, b.snap(), b.keys))
				got.add(b.name, trimmed(frame))
			}
			compareGolden(t, fmt.Sprintf("%dx%d.txtar", size.w, size.h), got)
		})
	}
}

func TestGoldenColours(t *testing.T) {
	got := archive{comment: "Frames with their colours: ␛ stands for ESC.\nWritten by: go test ./tui -run TestGolden -update\n"}
	for _, c := range []struct {
		name string
		look testLook
	}{
		{"dark", testLook{style.Dark, termenv.TrueColor, style.Unicode}},
		{"light", testLook{style.Light, termenv.TrueColor, style.Unicode}},
		{"contrast", testLook{style.Contrast, termenv.TrueColor, style.Unicode}},
		{"mono", testLook{style.Mono, termenv.TrueColor, style.Unicode}},
		{"no colours", testLook{style.Dark, termenv.Ascii, style.Unicode}},
		{"256 colours", testLook{style.Dark, termenv.ANSI256, style.Unicode}},
		{"16 colours", testLook{style.Dark, termenv.ANSI, style.Unicode}},
		{"ascii shapes", testLook{style.Dark, termenv.ANSI256, style.ASCII}},
	} {
		frame := goldenFrame(t, 80, 24, c.look, tuitest.Parse(tuitest.Everyday), nil)
		if c.look.glyphs == style.ASCII {
			checkASCII(t, frame)
		}
		got.add(c.name, trimmed(strings.ReplaceAll(frame, "\x1b", "␛")))
	}
	calm := goldenFrame(t, 80, 24, testLook{style.Dark, termenv.TrueColor, style.Unicode}, tuitest.Parse(three), nil)
	got.add("dark, nobody waits", trimmed(strings.ReplaceAll(calm, "\x1b", "␛")))
	for _, profile := range []termenv.Profile{termenv.TrueColor, termenv.Ascii} {
		look := testLook{style.Dark, profile, style.Unicode}
		found := goldenFrame(t, 80, 24, look, tuitest.Parse(tuitest.Everyday), []string{"/", "t", "f"})
		got.add(map[bool]string{true: "no colours", false: "dark"}[profile == termenv.Ascii]+", a filter", trimmed(strings.ReplaceAll(found, "\x1b", "␛")))
	}
	for _, glyphs := range []style.Glyphs{style.Unicode, style.ASCII} {
		look := testLook{style.Mono, termenv.TrueColor, glyphs}
		got.add("every lamp, "+string(glyphs)+" shapes without colours", trimmed(ansi.Strip(goldenFrame(t, 80, 24, look, tuitest.Parse(everyLamp), nil))))
	}
	compareGolden(t, "colours.txtar", got)
}

// checkASCII holds the board's own signs to ASCII. The captured screen is the pane's business.
func checkASCII(t *testing.T, frame string) {
	t.Helper()
	for i, l := range strings.Split(ansi.Strip(frame), "\n") {
		if strings.HasPrefix(l, " | ") {
			continue
		}
		for _, r := range l {
			if r > 0x7e {
				t.Errorf("line %d has %q without the ASCII shapes: %q", i, r, l)
				break
			}
		}
	}
}

func trimmed(frame string) string {
	lines := strings.Split(frame, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// archive is a txtar file: a comment, then texts, each behind a line "-- name --".
type archive struct {
	comment string
	names   []string
	texts   map[string]string
}

func (a *archive) add(name, text string) {
	if a.texts == nil {
		a.texts = make(map[string]string)
	}
	a.names = append(a.names, name)
	a.texts[name] = text
}

func (a *archive) String() string {
	var b strings.Builder
	b.WriteString(a.comment)
	for _, name := range a.names {
		b.WriteString("-- " + name + " --\n" + a.texts[name])
	}
	return b.String()
}

func parseArchive(text string) archive {
	var a archive
	name := ""
	for _, line := range strings.SplitAfter(text, "\n") {
		if n, ok := strings.CutPrefix(strings.TrimSuffix(line, " --\n"), "-- "); ok && strings.HasSuffix(line, " --\n") {
			name = n
			a.add(name, "")
		} else if name != "" {
			a.texts[name] += line
		}
	}
	return a
}

func compareGolden(t *testing.T, file string, got archive) {
	t.Helper()
	path := filepath.Join(goldenDir, file)
	if *update {
		if err := os.MkdirAll(goldenDir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	want := parseArchive(string(raw))
	for _, name := range got.names {
		if want.texts[name] != got.texts[name] {
			t.Errorf("%s: %q differs; if that is right, run with -update.\n%s", file, name, firstDifference(want.texts[name], got.texts[name]))
		}
		delete(want.texts, name)
	}
	for name := range want.texts {
		t.Errorf("%s: no frame %q is drawn any more", file, name)
	}
}

// firstDifference is the first line that is not the same in two frames.
func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		var a, b string
		if i < len(w) {
			a = w[i]
		}
		if i < len(g) {
			b = g[i]
		}
		if a != b {
			return fmt.Sprintf("line %d was %q\n     and is %q", i+1, a, b)
		}
	}
	return "only in the line ends"
}
