package desk

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"signalbox/tmuxctl"
	"signalbox/tracker"
	"signalbox/tracker/engine"
	"signalbox/tracker/notify"
	"signalbox/tracker/program"
	"signalbox/tracker/summaries"
	"signalbox/tui/cli"
	"signalbox/tui/config"
)

const (
	// commandTimeout bounds the program that shows a notification.
	commandTimeout = 10 * time.Second
	// maxAnswer bounds what the program that writes summaries may say.
	maxAnswer = 256 << 10
)

// extras is what a board does besides its screen: it tells people who do not look, and has summaries
// written. Of several boards of one world, one does so.
type extras struct {
	desk  *Desk
	src   *sources
	cfg   config.Config
	out   *terminal
	began time.Time

	silent atomic.Int64 // Unix nanoseconds until which nothing is told
}

// newExtras makes the extras of a board that began at this time. It is to be called before the
// engine runs, as every subscription.
func (d *Desk) newExtras(src *sources, cfg config.Config, out *terminal, began time.Time) *extras {
	return &extras{desk: d, src: src, cfg: cfg, out: out, began: began}
}

// start starts what the configuration asks for. A popup is gone in a moment and leaves it to others.
func (x *extras) start(o cli.BoardOptions) {
	if o.Popup {
		return
	}
	if len(x.cfg.Notifications.For) > 0 {
		snaps := x.src.eng.Subscribe()
		x.src.sup.Go("notifications", func(ctx context.Context) error { x.notify(ctx, snaps); return nil })
	}
	if x.cfg.Summaries.On() {
		snaps := x.src.eng.Subscribe()
		x.src.sup.Go("summaries", func(ctx context.Context) error {
			turn := x.desk.turn("summaries")
			defer turn.end()
			return x.writer(turn, snaps).Run(ctx)
		})
	}
}

// Silence keeps notifications back until a time; a time that has passed ends the silence. What
// happens in between is in the inbox and is not told later.
func (b *board) Silence(until time.Time) { b.extras.silent.Store(until.UnixNano()) }

// quiet reports whether the person wants to hear nothing now.
func (x *extras) quiet(now time.Time) bool {
	return now.UnixNano() < x.silent.Load() || x.cfg.Notifications.QuietHours.Contains(now.Local())
}

// notify tells what happens until ctx ends.
func (x *extras) notify(ctx context.Context, snaps *engine.Latest) {
	turn := x.desk.turn("notify")
	defer turn.end()
	notify.Run(ctx, snaps, notify.NewGather(x.began, x.cfg.Notifications.For), notify.Teller{
		Quiet: func(now time.Time) bool { return x.quiet(now) || !turn.ours() },
		Looked: func(ctx context.Context) ([]tracker.PaneID, error) {
			ws, err := tmuxctl.Watched(ctx, x.src.conn)
			panes := make([]tracker.PaneID, len(ws))
			for i, w := range ws {
				panes[i] = w.Pane
			}
			return panes, err
		},
		Tell:   x.tell,
		Report: x.src.report(tracker.SourceNotify),
	})
}

// writer has summaries written by the configured program. The program is given no tmux: what it runs
// is not part of the board's pane.
func (x *extras) writer(turn turn, snaps *engine.Latest) *summaries.Writer {
	c := x.cfg.Summaries
	p := program.Program{Argv: c.Command, Dir: x.desk.stateDir, Timeout: c.Timeout.Std(), Max: maxAnswer}
	for _, kv := range x.desk.environ {
		if !strings.HasPrefix(kv, "TMUX=") && !strings.HasPrefix(kv, "TMUX_PANE=") {
			p.Env = append(p.Env, kv)
		}
	}
	return &summaries.Writer{
		Every: c.Every.Std(), Max: c.Max, PerDay: c.PerDay, Self: x.desk.jumper().Pane,
		Latest: func() *tracker.Snapshot {
			if !turn.ours() {
				return nil
			}
			return snaps.Peek()
		},
		Capture: func(ctx context.Context, pane tracker.PaneID) (string, error) {
			s, err := tmuxctl.Capture(ctx, x.src.conn, pane, tmuxctl.CaptureOptions{})
			return strings.Join(s.Lines, "\n"), err
		},
		Ask:  p.Run,
		Emit: x.src.emit,
	}
}

// turnRetry is how often a turn that is waited for is tried.
const turnRetry = 20 * time.Millisecond

// turn decides which of several boards of one world does a thing. It belongs to one board from the
// first time it asks until it ends.
type turn struct{ lock *flock.Flock }

// turn makes the turn for a thing. Without a state folder every board takes it.
func (d *Desk) turn(what string) turn {
	if d.stateDir == "" || os.MkdirAll(d.stateDir, 0o700) != nil {
		return turn{}
	}
	world := sha256.Sum256([]byte(d.identity().Socket + "\x00" + d.identity().ClaudeDir))
	return turn{flock.New(filepath.Join(d.stateDir, what+"-"+hex.EncodeToString(world[:6])+".lock"), flock.SetPermissions(0o600))}
}

// ours reports whether it is this board's turn. A lock that cannot be had for another reason than
// another board keeps nobody back.
func (t turn) ours() bool {
	if t.lock == nil {
		return true
	}
	got, err := t.lock.TryLock()
	return got || err != nil
}

// wait waits until it is our turn, and reports false when ctx ends first.
func (t turn) wait(ctx context.Context) bool {
	if t.lock == nil {
		return true
	}
	got, _ := t.lock.TryLockContext(ctx, turnRetry)
	return got || ctx.Err() == nil
}

func (t turn) end() {
	if t.lock != nil {
		_ = t.lock.Unlock() // the end of the process does it too
	}
}
