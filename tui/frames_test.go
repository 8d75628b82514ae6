package tui

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/muesli/termenv"

	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

var framesDir = flag.String("frames", "", "write a few frames with their colours into this folder, to look at")

// everyLamp is a board with all that a lamp can show.
const everyLamp = "$ lamps attached\n0 needs | needs | Bash: ls | 1m | name=a\n1 dialog | dialog | /model | 1m | name=b\n2 review | review | done: yes | 1m | name=c\n" +
	"3 failed | failed | stopped | 1m | name=d\n4 unknown | unknown | no hooks | 1m | name=e\n5 busy | busy | Read: x | 1m | name=f\n6 background | bg | tests run | 1m | name=g\n" +
	"7 quiet | quiet | Bash: make | 9m | name=h\n8 idle | idle | ready | 1m | name=i\n9 runs | run | make | 1m\n10 broken | error | exit 1 | 1m\n11 shell | shell | ~ | 1m\n"

// TestWriteFrames is for eyes, not for machines: it writes frames as files that a terminal can show.
func TestWriteFrames(t *testing.T) {
	if *framesDir == "" {
		t.Skip("no -frames folder was given")
	}
	for _, f := range []struct {
		name  string
		w, h  int
		theme style.Theme
		board string
		keys  []string
	}{
		{"80x24-dark", 80, 24, style.Dark, tuitest.Everyday, nil},
		{"120x40-dark", 120, 40, style.Dark, tuitest.Everyday, []string{"tab"}},
		{"200x50-dark", 200, 50, style.Dark, tuitest.Everyday, nil},
		{"34x20-dark", 34, 20, style.Dark, tuitest.Everyday, nil},
		{"80x24-light", 80, 24, style.Light, tuitest.Everyday, nil},
		{"120x40-light", 120, 40, style.Light, tuitest.Everyday, []string{"j", "l"}},
		{"80x24-mono", 80, 24, style.Mono, tuitest.Everyday, nil},
		{"120x40-contrast", 120, 40, style.Contrast, tuitest.Everyday, nil},
		{"200x50-100", 200, 50, style.Dark, "100", nil},
		{"300x60-500", 300, 60, style.Dark, "500", nil},
		{"120x40-100", 120, 40, style.Dark, "100", nil},
		{"120x40-help", 120, 40, style.Dark, tuitest.Everyday, []string{"?"}},
		{"120x40-explain", 120, 40, style.Dark, tuitest.Everyday, []string{"e"}},
		{"120x40-filter", 120, 40, style.Dark, tuitest.Everyday, []string{"/", "t", "f"}},
		{"120x40-labels", 120, 40, style.Dark, tuitest.Everyday, []string{"'"}},
		{"120x40-fold", 120, 40, style.Dark, tuitest.Everyday, []string{"j", "j", "z"}},
		{"200x50-long", 200, 50, style.Dark, tuitest.Long(), nil},
		{"120x40-long", 120, 40, style.Dark, tuitest.Long(), nil},
		{"120x40-wide", 120, 40, style.Dark, tuitest.Wide, nil},
		{"80x24-inbox-mono", 80, 24, style.Mono, tuitest.Everyday, []string{"i"}},
		{"34x20-inbox", 34, 20, style.Dark, tuitest.Everyday, []string{"i"}},
		{"120x40-inbox", 120, 40, style.Dark, tuitest.Everyday, []string{"i"}},
		{"120x40-peek", 120, 40, style.Dark, tuitest.Everyday, []string{" "}},
		{"120x40-repo", 120, 40, style.Dark, tuitest.Everyday, []string{"v", "esc"}},
		{"120x40-agents", 120, 40, style.Dark, tuitest.Everyday, []string{"f", "f", "f", "o", "esc"}},
		{"34x20-modes", 34, 20, style.Dark, tuitest.Everyday, []string{"f", "o", "k"}},
		{"80x24-modes", 80, 24, style.Dark, tuitest.Everyday, []string{"f", "o", "v", "j"}},
		{"80x24-offer", 80, 24, style.Dark, tuitest.Everyday, []string{"f"}},
		{"80x24-one", 80, 24, style.Dark, "$ work attached\n0 zsh | shell | /home/me/src | 3m | cwd=~/src", nil},
		{"80x24-projects", 80, 24, style.Dark, tuitest.Projects, nil},
		{"120x40-projects", 120, 40, style.Dark, tuitest.Projects, nil},
		{"220x50-projects", 220, 50, style.Dark, tuitest.Projects, nil},
		{"300x60-projects", 300, 60, style.Dark, tuitest.Projects, nil},
		{"34x20-projects", 34, 20, style.Dark, tuitest.Projects, nil},
		{"80x24-projects-mono", 80, 24, style.Mono, tuitest.Projects, nil},
		{"80x24-projects-light", 80, 24, style.Light, tuitest.Projects, nil},
		{"80x24-lamps-mono", 80, 24, style.Mono, everyLamp, nil},
		{"80x24-lamps", 80, 24, style.Dark, everyLamp, nil},
		{"80x24-scrolled", 80, 24, style.Dark, "100", []string{"1", "5", "j"}},
		{"160x45-dark", 160, 45, style.Dark, tuitest.Everyday, nil},
		{"34x20-light", 34, 20, style.Light, tuitest.Everyday, nil},
		{"80x24-empty", 80, 24, style.Dark, "tmux absent no server", nil},
		{"80x24-failed", 80, 24, style.Dark, tuitest.Everyday + "\n! tmux failed 3m timeout\ntmux failed list-panes did not answer for 5 s", nil},
	} {
		d := newDriver(t, f.w, f.h, func(o *Options) {
			o.Style = newStyle(testLook{f.theme, termenv.TrueColor, style.Unicode})
		})
		switch f.board {
		case "100":
			d.give(tuitest.Many(100))
		case "500":
			d.give(tuitest.Many(500))
		default:
			d.give(tuitest.Parse(f.board))
		}
		d.press(f.keys...)
		d.pass(previewSettle)
		d.settle()
		writeFrame(t, d, f.name)
	}
	for _, s := range promptScenes {
		for _, f := range []struct {
			w, h  int
			theme style.Theme
		}{{34, 20, style.Dark}, {80, 24, style.Dark}, {120, 40, style.Dark}, {220, 50, style.Dark}, {120, 40, style.Light}} {
			d := everyday(t, f.w, f.h, func(o *Options) { o.Style = newStyle(testLook{f.theme, termenv.TrueColor, style.Unicode}) })
			s.play(d)
			writeFrame(t, d, fmt.Sprintf("%dx%d-%s-%s", f.w, f.h, f.theme, strings.ReplaceAll(s.name, " ", "-")))
		}
	}
}

func writeFrame(t *testing.T, d *driver, name string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(*framesDir, name+".ansi"), []byte(d.m.View()+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
