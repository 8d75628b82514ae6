package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tracker"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

// states are those that nobody thinks of while the board works. Each has a picture of its own, says
// what it means, and names the key or the command that helps.
var states = []struct {
	name  string
	opt   func(*Options)
	play  func(*driver)
	means string
	helps string
}{
	{
		"no tmux program", func(o *Options) { o.NoTmux = true }, nil,
		"tmux is not installed", "Install it",
	},
	{
		"no server", nil, func(d *driver) { d.give(tuitest.Parse("tmux absent no server")) },
		"No tmux server is running", "tmux new -s work",
	},
	{
		"no session", nil, func(d *driver) { d.give(tuitest.Parse("")) },
		"has no session", "tmux new -s work",
	},
	{
		"no agent", nil, func(d *driver) {
			d.give(tuitest.Parse("$ work attached\n0 zsh | shell | /home/me/src | 3m | cwd=~/src"))
		},
		"No Claude Code agent runs", "Run claude",
	},
	{
		"no hooks", nil, func(d *driver) {
			d.give(tuitest.Parse(three))
			d.send(hooksMsg{seq: d.m.seq.hooks, setup: HookSetup{File: "~/.claude/settings.json"}})
		},
		"does not call signalbox yet", "H shows what would be written",
	},
	{
		"hooks, the diff", nil, func(d *driver) {
			d.give(tuitest.Parse(three))
			d.board.hooks = HookSetup{File: "~/.claude/settings.json", Diff: []string{" {", `+  "hooks": {}`, " }"}}
			d.press("H")
			d.settle()
		},
		"This would be written to", "install",
	},
	{
		"hooks that cannot be installed", nil, func(d *driver) {
			d.give(tuitest.Parse(three))
			d.board.hooks = HookSetup{File: "~/.claude/settings.json", Problem: "the settings are no JSON: line 3"}
			d.press("H")
			d.settle()
		},
		"Hooks cannot be installed", "line 3",
	},
	{
		"a stale source", nil, func(d *driver) {
			d.give(tuitest.Parse(tuitest.Projects + "\n! registry failed 20m too many watches; polling instead"))
		},
		"registry cannot be read for 20 min", "r asks again",
	},
	{
		"tmux does not answer", nil, func(d *driver) {
			d.give(tuitest.Parse(tuitest.Projects + "\n! tmux failed 3m list-panes did not answer for 5 s\ntmux failed list-panes did not answer for 5 s"))
		},
		"tmux cannot be reached", "signalbox doctor",
	},
	{
		"nothing matches", nil, func(d *driver) {
			d.give(tuitest.Parse(three))
			d.press("/", "q", "q", "q", "enter")
		},
		"No window matches", "esc clears",
	},
	{
		"an action that failed", nil, func(d *driver) {
			d.give(tuitest.Parse(three))
			d.board.err = errors.New("%0 is gone; r asks tmux again")
			d.press("enter")
			d.settle()
		},
		"%0 is gone", "r asks tmux again",
	},
}

func TestGoldenStates(t *testing.T) {
	for _, size := range goldenSizes[:2] {
		got := archive{comment: fmt.Sprintf("The states that nobody should forget on %d×%d cells.\nWritten by: go test ./tui -run TestGolden -update\n", size.w, size.h)}
		for _, s := range states {
			d := newDriver(t, size.w, size.h, func(o *Options) {
				o.Style = newStyle(testLook{style.Dark, termenv.TrueColor, style.Unicode})
				if s.opt != nil {
					s.opt(o)
				}
			})
			if s.play != nil {
				s.play(d)
			}
			frame := d.m.View()
			checkFrame(t, frame, size.w, size.h)
			plain := ansi.Strip(frame)
			words := strings.Join(strings.Fields(plain), " ")
			if !strings.Contains(words, s.means) || !strings.Contains(words, s.helps) {
				t.Errorf("%d×%d: %q does not say %q and %q:\n%s", size.w, size.h, s.name, s.means, s.helps, plain)
			}
			got.add(s.name, trimmed(plain))
		}
		compareGolden(t, fmt.Sprintf("states-%dx%d.txtar", size.w, size.h), got)
	}
}

func TestOneLineStillAnswersTheFirstQuestion(t *testing.T) {
	for w, want := range map[int]string{80: "▲ 1 needs input", 34: "▲1 ✕1 ◆1"} {
		d := everyday(t, w, 1)
		if got := text(d); !strings.Contains(got, want) || strings.Contains(got, "\n") {
			t.Errorf("%d×1 shows %q", w, got)
		}
	}
	d := everyday(t, 80, 2)
	d.press("G")
	if got := text(d); !strings.Contains(got, "docs-check") {
		t.Errorf("80×2 does not show the selection: %q", got)
	}
}

// TestAStormOfSizesLeavesNoTrace: what is shown after many sizes is what a board of the last one shows.
func TestAStormOfSizesLeavesNoTrace(t *testing.T) {
	for windows := 8; windows < 60; windows += 5 { // somewhere among them the columns are a close thing
		stormOfSizes(t, tuitest.Many(windows))
	}
	stormOfSizes(t, tuitest.Parse(tuitest.Projects))
}

func stormOfSizes(t *testing.T, snap *tracker.Snapshot) {
	t.Helper()
	d := newDriver(t, 80, 24)
	d.give(snap)
	before := d.m.grid.SelectedKey()
	for i := range 400 {
		d.send(tea.WindowSizeMsg{Width: i * 37 % 301, Height: i * 53 % 61})
		d.m.View()
	}
	if d.m.grid.SelectedKey() != before {
		t.Errorf("the selection went from %s to %s", before, d.m.grid.SelectedKey())
	}
	for i := range 2 * len(goldenSizes) { // wider and wider, and back: a wide screen must not leave its columns
		size := goldenSizes[min(i, 2*len(goldenSizes)-1-i)]
		d.send(tea.WindowSizeMsg{Width: size.w, Height: size.h})
		d.press("g", "G") // the storm may have scrolled
		fresh := newDriver(t, size.w, size.h)
		fresh.give(snap)
		fresh.press("g", "G")
		if got, want := text(d), text(fresh); got != want {
			t.Errorf("%d windows on %d×%d after the storm: %s", snap.Counts.Windows, size.w, size.h, firstDifference(want, got))
		}
	}
}

func TestSuspendNeedsAShell(t *testing.T) {
	d := everyday(t, 80, 24)
	d.press("ctrl+z")
	if got := footer(d); got != " ctrl+z: no shell waits behind the board" {
		t.Errorf("without a shell the footer says %q", got)
	}
	d = everyday(t, 80, 24, func(o *Options) { o.Shell = true })
	_, cmd := d.m.Update(keyMsg("ctrl+z"))
	if !gives(cmd, tea.SuspendMsg{}) {
		t.Error("with a shell behind it the board is not stopped")
	}
	d.board.calls = nil
	_, cmd = d.m.Update(tea.ResumeMsg{})
	if !d.board.did("refresh") || !gives(cmd, tea.EnableMouseCellMotion()) {
		t.Errorf("a board that was continued asks for %v, and takes the mouse: %v", d.board.calls, gives(cmd, tea.EnableMouseCellMotion()))
	}
}

// gives reports whether a command, or one of a batch, brings this message.
func gives(cmd tea.Cmd, want tea.Msg) bool {
	if cmd == nil {
		return false
	}
	msg := cmd()
	if batch, ok := msg.(tea.BatchMsg); ok {
		return slices.ContainsFunc(batch, func(c tea.Cmd) bool { return gives(c, want) })
	}
	return msg == want
}
