package desk

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/term"
	"github.com/google/renameio/v2"

	"signalbox/tmuxctl"
	"signalbox/tracker"
	"signalbox/tui"
	"signalbox/tui/cli"
	"signalbox/tui/style"
)

// jumper says where the person sits. A popup and a command run by a key have no pane of their own;
// their key binding can tell the client, which is then certain.
func (d *Desk) jumper() tmuxctl.Jumper {
	j := tmuxctl.Jumper{Tmux: d.env("TMUX"), Pane: tracker.PaneID(d.env("TMUX_PANE"))}
	if j.Tmux != "" && j.Pane == "" {
		j.ClientTTY = d.env("SIGNALBOX_CLIENT")
	}
	return j
}

// jump takes the person's client to a pane and remembers where it came from. Outside of tmux the
// outcome holds the command that leads there.
func (d *Desk) jump(ctx context.Context, conn tmuxctl.Conn, pane tracker.PaneID) (tui.JumpOutcome, error) {
	return d.lead(ctx, conn, pane, pane)
}

// lead is a jump; onward is where a way begins that the next jump may go on with, "" for the way back.
func (d *Desk) lead(ctx context.Context, conn tmuxctl.Conn, pane, onward tracker.PaneID) (tui.JumpOutcome, error) {
	res, err := tmuxctl.Jump(ctx, conn, d.jumper(), pane)
	if err != nil {
		return tui.JumpOutcome{}, err
	}
	if res.From.Pane != "" && res.From.Pane != pane {
		d.rememberPlace(res.Client, res.From.Pane, onward, time.Now())
	}
	if len(res.Attach) == 0 {
		return tui.JumpOutcome{}, nil
	}
	return tui.JumpOutcome{Exec: d.attach(res.Attach)}, nil
}

// explained adds what helps to an error of tmux, where there is one line for both.
func explained(err error) error {
	if hint := tmuxctl.Hint(err); hint != "" {
		return fmt.Errorf("%w (%s)", err, hint)
	}
	return err
}

// explainedBack is the same for the way back of a board: outside of tmux it speaks of a shell and of panes
// to run it in, which is no help to who looks at a board.
func explainedBack(err error) error {
	var nobody *tmuxctl.NoClientError
	if errors.As(err, &nobody) && nobody.Outside {
		return errBackOutside
	}
	return explained(err)
}

// attach is the tmux client that shows a session, without TMUX in its environment: from inside of
// another server tmux would refuse to nest.
func (d *Desk) attach(cmd tmuxctl.Command) tea.ExecCommand {
	argv := d.conn.Argv(cmd)
	c := exec.Command(argv[0], argv[1:]...)
	for _, kv := range d.environ {
		if !strings.HasPrefix(kv, "TMUX=") && !strings.HasPrefix(kv, "TMUX_PANE=") {
			c.Env = append(c.Env, kv)
		}
	}
	return &command{c}
}

// command is an exec.Cmd as Bubble Tea wants it.
type command struct{ *exec.Cmd }

func (c *command) SetStdin(r io.Reader)  { c.Stdin = r }
func (c *command) SetStdout(w io.Writer) { c.Stdout = w }
func (c *command) SetStderr(w io.Writer) { c.Stderr = w }

// place is where a client was before it jumped: before its last jump, or before the first of several in a
// row, for who goes from one agent to the next wants to come back to their own work, not to the last but
// one of them.
type place struct {
	Server tracker.ServerID `json:"server"`
	Pane   tracker.PaneID   `json:"pane"`
	To     tracker.PaneID   `json:"to"` // where the last jump led, "" for the way back
	At     time.Time        `json:"at"` // when it did
}

// walkPause is how long somebody may stay where a jump led and still be on their way.
const walkPause = time.Minute

// begun is where the way to a jump from a pane began.
func (p place) begun(server tracker.ServerID, from tracker.PaneID, now time.Time) tracker.PaneID {
	if p.Server == server && p.To == from && now.Sub(p.At).Abs() < walkPause {
		return p.Pane
	}
	return from
}

// Why there is no way back.
var (
	errNoWayBack = errors.New("there was no jump to come back from")
	errBackHere  = errors.New("the last jump began here")
	errBackGone  = errors.New("the place where the last jump began is gone")

	// A jump of a board outside of tmux lasts until its window is detached from: one is back by then.
	errBackOutside = errors.New("outside of tmux, detaching from the window is the way back")
)

// placeFile keeps one place per client, so that two terminals do not share their way back.
func (d *Desk) placeFile(client string) string {
	name := strings.NewReplacer("/", "-", ".", "-").Replace(strings.TrimPrefix(client, "/dev/"))
	return filepath.Join(d.stateDir, "back-"+name+".json")
}

// rememberPlace keeps the place for `jump --back`. A jump does not fail for it.
func (d *Desk) rememberPlace(client string, from, to tracker.PaneID, now time.Time) {
	if d.stateDir == "" || client == "" {
		return
	}
	server := tracker.ServerID{Socket: d.server.Socket(), PID: d.server.PID}
	p := place{Server: server, Pane: from, To: to, At: now}
	if to != "" {
		p.Pane = d.placeOf(client).begun(server, from, now)
	}
	data, err := json.Marshal(p)
	if err != nil || os.MkdirAll(d.stateDir, 0o700) != nil {
		return
	}
	_ = renameio.WriteFile(d.placeFile(client), data, 0o600)
}

// placeOf is what is remembered of a client; nothing for none, or for what cannot be read.
func (d *Desk) placeOf(client string) (p place) {
	data, err := os.ReadFile(d.placeFile(client))
	if err != nil || json.Unmarshal(data, &p) != nil {
		return place{}
	}
	return p
}

// back returns to where this client was before its last jump.
func (d *Desk) back(ctx context.Context, conn tmuxctl.Conn) (tui.JumpOutcome, error) {
	client, at, err := tmuxctl.OwnClient(ctx, conn, d.jumper())
	if err != nil {
		return tui.JumpOutcome{}, err
	}
	p := d.placeOf(client)
	if p.Pane == "" || p.Server.Socket != d.server.Socket() || p.Server.PID != d.server.PID {
		return tui.JumpOutcome{}, errNoWayBack
	}
	if p.Pane == at.Pane {
		return tui.JumpOutcome{}, errBackHere
	}
	out, err := d.lead(ctx, conn, p.Pane, "")
	if errors.Is(err, tmuxctl.ErrGone) {
		err = errBackGone
	}
	return out, err
}

// jumpedBefore reports whether somebody has jumped before this board began: from a popup that left with
// it, or by a command. Whether it was this client, tmux is asked when the person wants to go back.
func (d *Desk) jumpedBefore() bool {
	places, err := filepath.Glob(d.placeFile("*"))
	return err == nil && d.stateDir != "" && len(places) > 0
}

// errNoTerminal says that outside of tmux there is nothing to show a pane on.
var errNoTerminal = errors.New("outside of tmux a jump shows the pane in your terminal, and this is none")

// Jump implements cli.Desk. Outside of tmux it becomes the client that shows the pane, so nothing is
// selected where there is no terminal to show it on.
func (d *Desk) Jump(ctx context.Context, pane tracker.PaneID) error {
	if d.jumper().Outside() && !term.IsTerminal(os.Stdin.Fd()) {
		return &cli.Exit{Code: cli.ExitInternal, Err: errNoTerminal, Hint: "run it in a terminal, or in a pane of that tmux server"}
	}
	out, err := d.jump(ctx, d.conn, pane)
	if err == nil {
		// Nobody has failed to arrive because it could not be noted that they have.
		_ = d.Acknowledge(ctx, pane)
	}
	return d.arrive(out, err)
}

// Here implements cli.Desk.
func (d *Desk) Here(ctx context.Context) tracker.PaneID {
	_, at, err := tmuxctl.OwnClient(ctx, d.conn, d.jumper())
	if err != nil {
		return ""
	}
	return at.Pane
}

// Back implements cli.Desk.
func (d *Desk) Back(ctx context.Context) error {
	out, err := d.back(ctx, d.conn)
	return d.arrive(out, err)
}

func (d *Desk) arrive(out tui.JumpOutcome, err error) error {
	var several *tmuxctl.AmbiguousClientError
	code := cli.ExitInternal
	switch {
	case err == nil && out.Exec == nil:
		return nil
	case err == nil:
		return become(out.Exec)
	case errors.Is(err, tmuxctl.ErrGone), errors.Is(err, errNoWayBack), errors.Is(err, errBackHere), errors.Is(err, errBackGone), errors.Is(err, tmuxctl.ErrNoClient), errors.As(err, &several):
		code = cli.ExitNoTarget
	case errors.Is(err, tmuxctl.ErrNoServer), errors.Is(err, tmuxctl.ErrUnreachable), errors.Is(err, tmuxctl.ErrTimeout), errors.Is(err, tmuxctl.ErrNoTmux):
		code = cli.ExitNoTmux
	}
	return &cli.Exit{Code: code, Err: err, Hint: tmuxctl.Hint(err)}
}

// become runs a tmux client in this terminal until it is detached. tmux uses stderr for its reasons
// alone, which belong into our own error.
func become(client tea.ExecCommand) error {
	var said bytes.Buffer
	client.SetStdin(os.Stdin)
	client.SetStdout(os.Stdout)
	client.SetStderr(&said)
	err := client.Run()
	if why := style.Clean(strings.TrimSpace(said.String())); err != nil && why != "" {
		err = errors.New(why)
	}
	if err != nil {
		return &cli.Exit{Code: cli.ExitInternal, Err: fmt.Errorf("tmux could not show the pane in this terminal: %w", err), Hint: "`tmux attach-session` here shows whether it is the terminal; its name is in TERM"}
	}
	return nil
}
