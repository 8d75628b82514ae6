package tui

import (
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"signalbox/tracker"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

// fakeBoard answers at once with what it was given, and notes what it was asked.
type fakeBoard struct {
	mu       sync.Mutex
	calls    []string
	preview  Preview
	err      error
	outcome  JumpOutcome
	hooks    HookSetup
	previews int
}

func (f *fakeBoard) note(call string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, call)
}

func (f *fakeBoard) did(call string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.calls {
		if c == call {
			return true
		}
	}
	return false
}

func (f *fakeBoard) Next(context.Context, uint64) (*tracker.Snapshot, error) { return nil, ErrClosed }

func (f *fakeBoard) Jump(ctx context.Context, pane tracker.PaneID) (JumpOutcome, error) {
	f.note("jump " + string(pane))
	return f.outcome, f.deadline(ctx)
}

func (f *fakeBoard) Back(ctx context.Context) (JumpOutcome, error) {
	f.note("back")
	return f.outcome, f.deadline(ctx)
}

func (f *fakeBoard) Preview(ctx context.Context, pane tracker.PaneID, history int) (Preview, error) {
	call := "preview " + string(pane)
	if history > 0 {
		call += " deep"
	}
	f.note(call)
	f.previews++
	return f.preview, f.deadline(ctx)
}

func (f *fakeBoard) Acknowledge(ctx context.Context, pane tracker.PaneID) error {
	f.note("ack " + string(pane))
	return f.deadline(ctx)
}

func (f *fakeBoard) SawInbox(ctx context.Context, newest time.Time) error {
	f.note("saw inbox " + newest.Format(time.RFC3339))
	return f.deadline(ctx)
}

func (f *fakeBoard) Hooks(ctx context.Context) (HookSetup, error) { return f.hooks, f.deadline(ctx) }

func (f *fakeBoard) HooksMoved(context.Context) error {
	f.note("wait for hooks")
	return ErrClosed
}

func (f *fakeBoard) InstallHooks(ctx context.Context) error {
	f.note("install")
	return f.deadline(ctx)
}

func (f *fakeBoard) Refresh() { f.note("refresh") }

func (f *fakeBoard) Focus(on bool) {
	if on {
		f.note("focus")
	} else {
		f.note("blur")
	}
}

// deadline fails a call that was made without one: every command must end by itself.
func (f *fakeBoard) deadline(ctx context.Context) error {
	if _, ok := ctx.Deadline(); !ok {
		return errors.New("the command has no deadline")
	}
	return f.err
}

// clock is a clock that stands still until it is moved.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

// look describes the terminal of a test.
type testLook struct {
	theme   style.Theme
	profile termenv.Profile
	glyphs  style.Glyphs
}

func newStyle(l testLook) *style.Style {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(l.profile)
	r.SetHasDarkBackground(l.theme != style.Light)
	return style.New(r, style.Options{Theme: l.theme, Glyphs: l.glyphs, Still: l.theme == style.Mono})
}

// driver runs a model by hand: messages in, commands kept until they are wanted.
type driver struct {
	t      testing.TB
	m      *Model
	board  *fakeBoard
	sender *fakeSender
	clock  *clock
	cmds   []tea.Cmd
}

func newDriver(t testing.TB, w, h int, change ...func(*Options)) *driver {
	t.Helper()
	d := &driver{t: t, sender: newFakeSender(), board: &fakeBoard{hooks: HookSetup{Installed: true, File: "~/.claude/settings.json"}}, clock: &clock{tuitest.Now()}}
	o := Options{Style: newStyle(testLook{style.Dark, termenv.TrueColor, style.Unicode}), Home: tuitest.Home, Now: d.clock.now, Sender: d.sender}
	for _, f := range change {
		f(&o)
	}
	d.m = New(d.board, o)
	d.m.timer.arm = func(time.Duration, uint64) tea.Cmd { return nil } // time passes in pass only
	d.board.preview = recorded(t, "permission")
	d.send(tea.WindowSizeMsg{Width: w, Height: h})
	d.send(hooksMsg{setup: d.board.hooks})
	return d
}

func (d *driver) send(msg tea.Msg) {
	d.t.Helper()
	_, cmd := d.m.Update(msg)
	if cmd != nil {
		d.cmds = append(d.cmds, cmd)
	}
}

// give sends a snapshot.
func (d *driver) give(s *tracker.Snapshot) { d.t.Helper(); d.send(snapshotMsg{snap: s}) }

func (d *driver) press(keys ...string) {
	d.t.Helper()
	for _, k := range keys {
		d.send(keyMsg(k))
	}
}

// settle runs every command and feeds back what comes, until nothing is left. The wait for the next
// snapshot ends at once with a fakeBoard; its answer is left out, as are requests to end.
func (d *driver) settle() {
	d.t.Helper()
	for len(d.cmds) > 0 {
		cmd := d.cmds[0]
		d.cmds = d.cmds[1:]
		switch msg := cmd().(type) {
		case tea.BatchMsg:
			d.cmds = append(d.cmds, msg...)
		case nil, snapshotMsg, tea.QuitMsg:
		default:
			d.send(msg)
		}
	}
}

// pass lets time go by and the timer fire.
func (d *driver) pass(by time.Duration) {
	d.t.Helper()
	d.clock.at = d.clock.at.Add(by)
	d.send(tickMsg{seq: d.m.timer.seq, at: d.clock.at})
}

func keyMsg(k string) tea.KeyMsg {
	types := map[string]tea.KeyType{
		"enter": tea.KeyEnter, "tab": tea.KeyTab, "shift+tab": tea.KeyShiftTab, "esc": tea.KeyEsc, "up": tea.KeyUp, "down": tea.KeyDown,
		"left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd, "pgdown": tea.KeyPgDown, "pgup": tea.KeyPgUp,
		"ctrl+r": tea.KeyCtrlR, "ctrl+t": tea.KeyCtrlT, "ctrl+o": tea.KeyCtrlO, "ctrl+j": tea.KeyCtrlJ, "backspace": tea.KeyBackspace, "ctrl+c": tea.KeyCtrlC, "ctrl+z": tea.KeyCtrlZ, "ctrl+u": tea.KeyCtrlU, "ctrl+w": tea.KeyCtrlW, "delete": tea.KeyDelete,
	}
	if t, ok := types[k]; ok {
		return tea.KeyMsg{Type: t}
	}
	if rest, ok := strings.CutPrefix(k, "alt+"); ok {
		msg := keyMsg(rest)
		msg.Alt = true
		return msg
	}
	if k == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune{' '}}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(k)}
}

// recorded is the screen of a real Claude Code that asks for permission.
func recorded(t testing.TB, name string) Preview {
	t.Helper()
	file := map[string]string{"permission": "naive-send/screens/01-permission.ansi"}[name]
	raw, err := os.ReadFile("../testdata/recordings/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return Preview{Lines: strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n"), Width: 120, Height: 40}
}
