package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
)

// Deadlines of the commands. tmux answers in milliseconds; these are for when it hangs, and short
// enough that the person still remembers the key.
const (
	jumpTimeout    = 3 * time.Second
	previewTimeout = 2 * time.Second
	ackTimeout     = 2 * time.Second
	hooksTimeout   = 5 * time.Second // may ask `claude --version`
)

// peekHistory is how many lines above the screen a peek reads.
const peekHistory = 2000

// nextSnapshot waits for the board to change. It has no deadline: waiting is its purpose, and it
// ends when the board is closed.
func nextSnapshot(b Board, rev uint64) tea.Cmd {
	return func() tea.Msg {
		snap, err := b.Next(context.Background(), rev)
		return snapshotMsg{snap: snap, err: err}
	}
}

func tick(d time.Duration, seq uint64) tea.Cmd {
	return tea.Tick(d, func(at time.Time) tea.Msg { return tickMsg{seq: seq, at: at} })
}

func previewPane(b Board, pane tracker.PaneID, deep bool, seq uint64) tea.Cmd {
	history := 0
	if deep {
		history = peekHistory
	}
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), previewTimeout)
		defer cancel()
		p, err := b.Preview(ctx, pane, history)
		return previewMsg{seq: seq, pane: pane, deep: deep, preview: p, err: err}
	}
}

func jumpTo(b Board, pane tracker.PaneID, seq uint64) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), jumpTimeout)
		defer cancel()
		out, err := b.Jump(ctx, pane)
		return jumpMsg{seq: seq, outcome: out, err: err}
	}
}

func jumpBack(b Board, seq uint64) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), jumpTimeout)
		defer cancel()
		out, err := b.Back(ctx)
		return jumpMsg{seq: seq, outcome: out, err: err}
	}
}

func runInPlace(c tea.ExecCommand) tea.Cmd {
	return tea.Exec(c, func(err error) tea.Msg { return execMsg{err: err} })
}

func acknowledge(b Board, pane tracker.PaneID) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), ackTimeout)
		defer cancel()
		return ackMsg{pane: pane, err: b.Acknowledge(ctx, pane)}
	}
}

func sawInbox(b Board, newest time.Time) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), ackTimeout)
		defer cancel()
		_ = b.SawInbox(ctx, newest) // what follows is only that a later board calls it new
		return nil
	}
}

func readHooks(b Board, show bool, seq uint64) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), hooksTimeout)
		defer cancel()
		setup, err := b.Hooks(ctx)
		return hooksMsg{seq: seq, setup: setup, show: show, err: err}
	}
}

// waitHooks waits for another state of the hooks. It has no deadline, as nextSnapshot has none.
func waitHooks(b Board) tea.Cmd {
	return func() tea.Msg { return hooksMovedMsg{err: b.HooksMoved(context.Background())} }
}

func installHooks(b Board) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), hooksTimeout)
		defer cancel()
		return installedMsg{err: b.InstallHooks(ctx)}
	}
}
