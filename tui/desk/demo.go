package desk

import (
	"context"
	"errors"
	"fmt"
	"os"

	"signalbox/testdata/fakeagent"
	"signalbox/testdata/fakeagent/demo"
	"signalbox/tmuxctl"
	"signalbox/tracker/engine"
	"signalbox/tui/cli"
)

// demoVersion is the Claude Code that the demo's agents play.
const demoVersion = fakeagent.DefaultVersion

// demoTmux runs the demo's tmux commands on its own server, without anybody's configuration.
type demoTmux struct{ conn *tmuxctl.Exec }

// Run implements demo.Tmux. A ";" separates commands.
func (t demoTmux) Run(ctx context.Context, args ...string) error {
	var cmds []tmuxctl.Command
	var cmd tmuxctl.Command
	for _, a := range args {
		if a == ";" {
			cmds, cmd = append(cmds, cmd), nil
			continue
		}
		cmd = append(cmd, a)
	}
	_, err := t.conn.Run(ctx, append(cmds, cmd)...)
	return err
}

// Demo implements cli.Desk: a private world, the board on it, and nothing left behind.
func (d *Desk) Demo(ctx context.Context) error {
	hooks, err := d.demoHooks()
	if err != nil {
		return err
	}
	w, err := demo.New(demo.Config{Settings: hooks})
	if err != nil {
		return fmt.Errorf("making the demo's world: %w", err)
	}
	return errors.Join(d.playDemo(ctx, w), w.Close())
}

func (d *Desk) playDemo(ctx context.Context, w *demo.World) error {
	t := demoTmux{tmuxctl.NewExec(tmuxctl.Server{Path: w.Socket}, tmuxctl.ExecOptions{Environ: w.Env(), Config: os.DevNull})}
	if err := w.Start(ctx, t); err != nil {
		return fmt.Errorf("starting the demo's tmux server: %w", explained(err))
	}
	sup := engine.Supervise(ctx)
	sup.Go("demo", func(ctx context.Context) error { return w.Drive(ctx, t) })
	in := newDesk(d.version, cli.Options{Path: w.Socket, ClaudeDir: w.ClaudeDir}, append(w.Env(), d.terminal()...))
	err := in.Board(sup.Context(), cli.BoardOptions{})
	return errors.Join(err, sup.Stop(stopLimit))
}

// terminal is what of our own environment says how our terminal draws; the demo's world has none.
func (d *Desk) terminal() []string {
	var out []string
	for _, name := range []string{"TERM", "COLORTERM", "NO_COLOR", "LANG", "LC_ALL", "LC_CTYPE"} {
		if v := d.env(name); v != "" {
			out = append(out, name+"="+v)
		}
	}
	return out
}
