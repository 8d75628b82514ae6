package desk

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strings"

	"signalbox/tmuxctl"
	"signalbox/tracker/notify"
	"signalbox/tracker/program"
	"signalbox/tui/config"
)

// tell shows a message in every way that was chosen. The ways do not wait for each other's success.
func (x *extras) tell(ctx context.Context, m notify.Message) error {
	n := x.cfg.Notifications
	if n.Bell {
		x.out.say(notify.Bell)
	}
	var problems []error
	if n.OSC != config.OSCOff {
		problems = append(problems, x.tellTerminal(ctx, m))
	}
	if argv := x.desk.notifier(n); len(argv) > 0 {
		in, err := m.JSON()
		if err == nil {
			_, err = program.Program{Argv: m.Argv(argv), Env: x.desk.environ, Timeout: commandTimeout}.Run(ctx, in)
		}
		problems = append(problems, err)
	}
	return errors.Join(problems...)
}

// notifier is the command that shows a message, nil for none.
func (d *Desk) notifier(n config.Notifications) []string {
	if len(n.Command) > 0 || !n.Desktop {
		return n.Command
	}
	has := func(name string) bool {
		_, err := exec.LookPath(name)
		return err == nil
	}
	return notify.Desktop(runtime.GOOS, has, d.env)
}

// waysOf names the ways by which messages would be shown.
func (d *Desk) waysOf(c config.Config) string {
	var ways []string
	if argv := d.notifier(c.Notifications); len(argv) > 0 && len(c.Notifications.For) > 0 {
		ways = append(ways, argv[0])
	}
	if c.Notifications.Bell {
		ways = append(ways, "bell")
	}
	if c.Notifications.OSC != config.OSCOff {
		ways = append(ways, "osc "+c.Notifications.OSC)
	}
	return strings.Join(ways, ", ")
}

// errNoPassthrough says why the terminal was not asked.
var errNoPassthrough = errors.New("tmux keeps notifications.osc from the terminal: `set -g allow-passthrough on` in tmux.conf lets it through")

// tellTerminal asks the terminal to show the message. Inside tmux that is the one that shows our
// pane now, if any.
func (x *extras) tellTerminal(ctx context.Context, m notify.Message) error {
	pane := x.desk.jumper().Pane
	names := []string{x.desk.env("TERM_PROGRAM"), x.desk.env("TERM")}
	if x.desk.env("KONSOLE_VERSION") != "" {
		names = append(names, "konsole")
	}
	inside := x.desk.env("TMUX") != "" && pane != ""
	if inside {
		passes, err := tmuxctl.PassesThrough(ctx, x.src.conn, pane)
		if err != nil {
			return err
		}
		if !passes {
			return errNoPassthrough
		}
		ws, err := tmuxctl.Watched(ctx, x.src.conn)
		if err != nil {
			return err
		}
		names = nil
		for _, w := range ws {
			names = append(names, w.Version, w.Term)
		}
	}
	way := notify.OSCNone
	switch x.cfg.Notifications.OSC {
	case config.OSC9:
		way = notify.OSC9
	case config.OSC777:
		way = notify.OSC777
	case config.Auto:
		way = notify.OSCOf(names...)
	}
	seq := m.Sequence(way)
	if inside {
		seq = notify.Passthrough(seq)
	}
	x.out.say(seq)
	return nil
}
