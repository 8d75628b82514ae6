package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"

	"signalbox/tmuxctl"
	"signalbox/tracker"
	"signalbox/tracker/engine"
	"signalbox/tui"
	"signalbox/tui/cli"
	"signalbox/tui/config"
)

// stopLimit is how long the parts of the program may take to end.
const stopLimit = 2 * time.Second

// Board opens the board and returns when the person leaves it.
func (d *Desk) Board(ctx context.Context, o cli.BoardOptions) error {
	began := time.Now()
	cfg, err := d.config()
	if err != nil {
		return err
	}
	if !term.IsTerminal(os.Stdin.Fd()) || !term.IsTerminal(os.Stdout.Fd()) {
		return &cli.Exit{Code: cli.ExitUsage, Err: errors.New("the board needs a terminal"), Hint: "`signalbox status` prints one reading"}
	}
	sup := engine.Supervise(ctx)
	src := d.newSources(sup, cfg)
	src.hooks = newHookWatch(d.settingsFile(""))
	if err := src.listen(); err != nil {
		return fmt.Errorf("opening the hook socket: %w", err)
	}
	src.restore()
	if !o.NoStatusFile && cfg.StatusFile {
		src.publishStatus()
	}
	out := newTerminal(os.Stdout, d.trace)
	b := &board{desk: d, src: src, opts: o, out: out, extras: d.newExtras(src, cfg, out, began)}
	b.sender = src.newBoardSender(o.ReadOnly)
	b.extras.start(o)
	src.start()
	err = b.run(sup, cfg)
	return errors.Join(err, sup.Stop(stopLimit))
}

// gcPercent halves the number of collections, for five megabytes: what a board at rest leaves behind is
// little, and a heap this small would be looked through every few seconds.
const gcPercent = 200

// run shows the screen until the person leaves, or until a part of the program fails.
func (b *board) run(sup *engine.Supervisor, cfg config.Config) error {
	if b.desk.env("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	settings := chooseView(b.desk.loadSettings(), cfg)
	kept := b.desk.newKeptSettings(settings)
	sup.Go("settings", kept.run)
	look, typed := b.desk.newStyle(cfg)
	model := tui.New(b, tui.Options{
		Style: look, Typed: typed, Keys: cfg.Keys, Self: tracker.PaneID(b.desk.env("TMUX_PANE")),
		Home: b.desk.env("HOME"), Settings: settings, Keep: kept.put, Sender: b.sender, Popup: b.opts.Popup, ReadOnly: b.opts.ReadOnly, NoTmux: b.desk.noTmux(),
		Shell: shellBehind(), Jumped: b.desk.jumpedBefore(),
	})
	refresh := make(chan os.Signal, 1)
	signal.Notify(refresh, syscall.SIGUSR1)
	defer signal.Stop(refresh)
	sup.Go("signals", func(ctx context.Context) error {
		for {
			select {
			case <-refresh:
				b.Refresh()
			case <-ctx.Done():
				return nil
			}
		}
	})
	defer b.out.keepTitle()()
	err := tui.Run(sup.Context(), model, nil, b.out, b.desk.trace.options()...)
	kept.save(model.Settings())
	return err
}

// shellBehind reports whether our parent is a shell with job control: in our session and in another
// process group. Without one nobody could ever continue a stopped board, as in a pane of its own or in
// a popup.
func shellBehind() bool {
	parent := os.Getppid()
	ours, err := unix.Getsid(0)
	if err != nil {
		return false
	}
	session, err := unix.Getsid(parent)
	if err != nil || session != ours {
		return false
	}
	group, err := unix.Getpgid(parent)
	return err == nil && group != unix.Getpgrp()
}

// board is what the screen asks for, on the real sources.
type board struct {
	desk *Desk
	src  *sources
	opts cli.BoardOptions
	out  *terminal

	extras *extras
	sender *boardSender
}

func (b *board) Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error) {
	snap, err := b.src.board.Next(ctx, rev)
	if errors.Is(err, engine.ErrClosed) {
		err = tui.ErrClosed
	}
	return snap, err
}

func (b *board) Jump(ctx context.Context, pane tracker.PaneID) (tui.JumpOutcome, error) {
	out, err := b.desk.jump(ctx, b.src.conn, pane)
	if err != nil {
		return out, explained(err)
	}
	_ = b.Acknowledge(ctx, pane)
	out.Leave, out.Exec = out.Leave || b.opts.Popup, b.out.lend(out.Exec)
	return out, nil
}

func (b *board) Back(ctx context.Context) (tui.JumpOutcome, error) {
	out, err := b.desk.back(ctx, b.src.conn)
	if err != nil {
		return out, explainedBack(err)
	}
	out.Leave, out.Exec = out.Leave || b.opts.Popup, b.out.lend(out.Exec)
	return out, nil
}

func (b *board) Preview(ctx context.Context, pane tracker.PaneID, history int) (tui.Preview, error) {
	c, err := tmuxctl.Capture(ctx, b.src.asked, pane, tmuxctl.CaptureOptions{Colours: true, History: history})
	if err != nil {
		return tui.Preview{}, err
	}
	return tui.Preview{Lines: c.Lines, Width: c.Width, Height: c.Height, CursorX: c.CursorX, CursorY: c.CursorY, Cursor: c.CursorVisible}, nil
}

// Acknowledge says it to every board: the others, and those that a popup leaves behind. Our own must not
// depend on a socket.
func (b *board) Acknowledge(ctx context.Context, pane tracker.PaneID) error {
	b.src.emit(tracker.Acknowledged{At: time.Now(), Pane: pane})
	b.desk.tellSeen(ctx, pane)
	return nil
}

// SawInbox tells only our own state, which the next board of this world begins with: what was read on one
// of two screens stays new on the other.
func (b *board) SawInbox(ctx context.Context, newest time.Time) error {
	return b.src.eng.Send(ctx, tracker.InboxSeen{At: newest})
}

func (b *board) Hooks(ctx context.Context) (tui.HookSetup, error) { return b.desk.hookSetup(ctx) }

func (b *board) HooksMoved(ctx context.Context) error {
	return b.src.hooks.wait(ctx, b.src.sup.Context())
}

func (b *board) InstallHooks(ctx context.Context) error {
	_, err := b.desk.InstallHooks(ctx, "", false)
	return err
}

func (b *board) Refresh() {
	b.src.tmux.Refresh()
	b.src.list.Hurry()
	b.src.procs.Hurry()
	b.src.files.Hurry()
	select {
	case b.src.rewrite <- struct{}{}:
	default:
	}
}

func (b *board) Focus(focused bool) { b.src.Focus(focused) }
