package tui

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
)

// toRow moves the cursor to the beginning of a line.
var toRow = regexp.MustCompile("\x1b\\[[0-9]+H")

const (
	enter = "\x1b[?1049h"
	leave = "\x1b[?1049l"
)

func TestOnlyLinesThatDifferAreWritten(t *testing.T) {
	term := &terminal{}
	s := &screenOut{Terminal: term}
	written := func() string {
		text, _ := term.taken()
		return text
	}
	steps := []struct {
		name string
		do   func()
		want string
	}{
		{"nothing before the screen is ours", func() { s.draw("a\nb") }, ""},
		{"taking the screen is passed on", func() { _, _ = s.Write([]byte(enter)) }, enter},
		{"the first frame is written whole", func() { s.draw("a\nb\nc") }, "\x1b[2J\x1b[1Ha\x1b[2Hb\x1b[3Hc"},
		{"the same frame is not written again", func() { s.draw("a\nb\nc") }, ""},
		{"one line that changed is one line", func() { s.draw("a\nX\nc") }, "\x1b[2HX"},
		{"another height is a new screen", func() { s.draw("a\nX") }, "\x1b[2J\x1b[1Ha\x1b[2HX"},
		{"frames of the other renderer are dropped", func() { _, _ = s.Write([]byte("\x1b[H \x1b[K\x1b[1;0H")) }, ""},
		{"other sequences pass", func() { _, _ = s.Write([]byte("\x1b]2;title\a")) }, "\x1b]2;title\a"},
		{"homing the cursor alone passes", func() { _, _ = s.Write([]byte("\x1b[H")) }, "\x1b[H"},
		{"an empty frame is no frame", func() { s.draw("") }, ""},
		{"giving the screen back is passed on", func() { _, _ = s.Write([]byte(leave)) }, leave},
		{"and nothing is drawn after it", func() { s.draw("a\nY") }, ""},
		{"whatever is written then is not ours to drop", func() { _, _ = s.Write([]byte("\x1b[Hhello")) }, "\x1b[Hhello"},
		{"back again, everything is drawn", func() { _, _ = s.Write([]byte(enter)); s.draw("a\nY") }, enter + "\x1b[2J\x1b[1Ha\x1b[2HY"},
		{"and after a resize too", func() { s.forget(); s.draw("a\nY") }, "\x1b[2J\x1b[1Ha\x1b[2HY"},
	}
	for _, step := range steps {
		step.do()
		if got := written(); got != step.want {
			t.Errorf("%s: wrote %q, want %q", step.name, got, step.want)
		}
	}
}

func TestResizeAndFocusDrawEverything(t *testing.T) {
	d := everyday(t, 80, 24)
	term := &terminal{}
	out := &screenOut{Terminal: term}
	_, _ = out.Write([]byte(enter))
	p := drawn{d.m, out, &heard{}}
	p.View()
	for _, msg := range []tea.Msg{tea.WindowSizeMsg{Width: 80, Height: 24}, tea.FocusMsg{}} {
		term.taken()
		p.Update(msg)
		p.View()
		if text, _ := term.taken(); len(toRow.FindAllString(text, -1)) != 24 {
			t.Errorf("after %T the screen is not drawn anew", msg)
		}
	}
}

// brokenTerminal fails while it is told to.
type brokenTerminal struct {
	terminal
	broken bool
}

func (b *brokenTerminal) Write(p []byte) (int, error) {
	if b.broken {
		return 0, errors.New("input/output error")
	}
	return b.terminal.Write(p)
}

func TestAFailedWriteIsDrawnAgain(t *testing.T) {
	term := &brokenTerminal{}
	s := &screenOut{Terminal: term}
	_, _ = s.Write([]byte(enter))
	s.draw("a\nb")
	term.broken = true
	s.draw("a\nX")
	term.broken = false
	term.taken()
	s.draw("a\nX")
	if text, _ := term.taken(); !strings.HasSuffix(text, "\x1b[1Ha\x1b[2HX") {
		t.Errorf("after a failed write the screen has %q", text)
	}
}

func TestAFrameIsOneWrite(t *testing.T) {
	d := everyday(t, 80, 24)
	term := &terminal{}
	s := &screenOut{Terminal: term}
	_, _ = s.Write([]byte(enter))
	term.taken()
	s.draw(d.m.View())
	if _, n := term.taken(); n != 1 {
		t.Errorf("a frame was written in %d pieces", n)
	}
	d.press("j")
	s.draw(d.m.View())
	text, n := term.taken()
	if rows := len(toRow.FindAllString(text, -1)); n != 1 || rows == 0 || rows > 12 {
		t.Errorf("one step of the selection wrote %d times, %d lines", n, rows)
	}
}

func BenchmarkDrawOneStep(b *testing.B) {
	d := everyday(b, 200, 50)
	s := &screenOut{Terminal: &discard{}}
	_, _ = s.Write([]byte(enter))
	keys := []string{"j", "k"}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		d.m.Update(keyMsg(keys[i%2]))
		s.draw(d.m.View())
	}
}

type discard struct{ terminal }

func (*discard) Write(p []byte) (int, error) { return len(p), nil }
