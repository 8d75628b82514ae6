package tmuxctl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"signalbox/tracker"
)

// ErrBroken says that the connection ended before tmux had answered: the commands may have been
// run, or not. What only reads can be asked again.
var ErrBroken = errors.New("the connection to tmux broke")

// errRefused says that a connection is not wanted here. Trying again soon would be in vain.
var errRefused = errors.New("no connection")

const (
	// reconnectFirst and reconnectMax bound the pause before the next attempt to connect, which
	// doubles as long as they fail: a tmux too old for it should not be started for ever.
	reconnectFirst = time.Second
	reconnectMax   = time.Minute
	// steadyAfter is how long a connection must have lived for its end not to count as a failure.
	steadyAfter = 10 * time.Second

	// quietFor is how long nothing may have changed on the server before a client is started, and
	// quietTries how often that is looked at; see quiet.
	quietFor   = 150 * time.Millisecond
	quietTries = 30
	// quietPanes is what tmux tells every control client of.
	quietPanes = "#{session_id} #{session_name} #{window_id} #{window_active} #{pane_id} #{pane_active} #{pane_in_mode}"
	// quietNext tells of sessions that came and went between two looks.
	quietNext = "#{next_session_id}"
)

// Control is the Conn that asks over one control-mode client: no process per call, and
// notifications when something changes. While there is no such client, for whatever reason, it
// asks as Exec does, and Remark says so.
//
// The client is attached to the board's own session, without size, output or effect on the
// session's environment. It needs tmux 3.2.
type Control struct {
	exec   *Exec
	jumper Jumper
	notify func(Notice)

	mu     sync.Mutex
	client *controlClient
	reason string // why there is none
}

// NewControl returns a connection for a board that sits there. It asks over exec until Keep has
// connected. notify is called from Keep's goroutine and must not block; it may be nil.
func NewControl(e *Exec, j Jumper, notify func(Notice)) *Control {
	if notify == nil {
		notify = func(Notice) {}
	}
	return &Control{exec: e, jumper: j, notify: notify, reason: "not connected yet"}
}

// Keep connects, and connects again when the session, its server or the client goes, until the
// context ends; then it ends the client and returns the context's error.
func (c *Control) Keep(ctx context.Context) error {
	pause := reconnectFirst
	for {
		begin := time.Now()
		err := c.connect(ctx)
		stood := c.Connected()
		c.set(nil, strings.TrimPrefix(err.Error(), errRefused.Error()+": "))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if stood {
			c.notify(Notice{Early: true}) // the way it ends is often news: a server or session went
		}
		switch {
		case errors.Is(err, errRefused):
			pause = reconnectMax
		case time.Since(begin) > steadyAfter:
			pause = reconnectFirst
		}
		wait(ctx, pause, nil, nil)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		pause = min(2*pause, reconnectMax)
	}
}

// connect runs one client until it ends, and returns why it did.
func (c *Control) connect(ctx context.Context) error {
	target, err := c.home(ctx)
	if err != nil {
		return err
	}
	if err := c.welcome(ctx, target); err != nil {
		return err
	}
	if err := c.quiet(ctx); err != nil {
		return err
	}
	client, err := startControl(ctx, c.exec, string(target))
	if err != nil {
		return err
	}
	defer client.end()
	// Closing its input makes tmux end the client, and that ends serve.
	defer context.AfterFunc(ctx, client.end)()
	c.set(client, "")
	c.notify(Notice{Early: true, Full: true}) // what changed since the last sweep was told to nobody, names neither
	return client.serve(c.notify)
}

// home is the session to attach to: the one that shows our own pane, or the one a popup stands on.
func (c *Control) home(ctx context.Context) (tracker.SessionID, error) {
	tmux := ParseTmuxVar(c.jumper.Tmux)
	if c.jumper.Tmux == "" {
		return "", fmt.Errorf("%w: this terminal is not in tmux", errRefused)
	}
	if c.jumper.Pane != "" && CheckPane(c.jumper.Pane) != nil {
		return "", fmt.Errorf("TMUX_PANE: %w", CheckPane(c.jumper.Pane))
	}
	if c.jumper.Pane == "" && CheckSession(tmux.Session) != nil {
		return "", fmt.Errorf("TMUX: %w", CheckSession(tmux.Session))
	}
	var panes []tracker.PaneID
	if c.jumper.Pane != "" {
		panes = append(panes, c.jumper.Pane)
	}
	sc, err := readScene(ctx, c.exec, panes...)
	if err != nil {
		return "", err
	}
	if tmux.PID != sc.server.PID {
		return "", fmt.Errorf("%w: this terminal is in another tmux server", errRefused)
	}
	if c.jumper.Pane == "" {
		return tmux.Session, nil
	}
	places := slices.DeleteFunc(sc.places, func(p shown) bool { return p.at.Pane != c.jumper.Pane })
	if len(places) == 0 {
		return "", fmt.Errorf("our own pane %s: %w", c.jumper.Pane, ErrGone)
	}
	return sc.best(places, "").at.Session, nil
}

// welcome refuses where one more client would change what the person's options mean: a session or
// server that is to go with its last client would stay, or, worse, go with ours.
func (c *Control) welcome(ctx context.Context, id tracker.SessionID) error {
	out, err := c.exec.Run(ctx, Command{"display-message", "-p", "-t", string(id), "#{destroy-unattached} #{exit-unattached}"})
	if err != nil {
		return err
	}
	destroy, exit, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	for name, value := range map[string]string{"destroy-unattached": destroy, "exit-unattached": exit} {
		if value != "0" && value != "off" {
			return fmt.Errorf("%w: the option %s is set", errRefused, name)
		}
	}
	return nil
}

// quiet waits until nothing happens on the server. Up to 3.6 tmux crashes, and takes every session with it,
// when it has to tell a control client of something before that client has told who it is. That takes the
// client a millisecond, or what a busy machine makes of it; what people and scripts do comes in bursts.
func (c *Control) quiet(ctx context.Context) error {
	var last []byte
	for range quietTries {
		now, err := c.exec.Run(ctx, Command{"list-panes", "-a", "-F", quietPanes},
			Command{"list-clients", "-F", "#{client_name}"}, Command{"display-message", "-p", quietNext})
		if err != nil {
			return err
		}
		if last != nil && bytes.Equal(now, last) {
			return nil
		}
		last = now
		wait(ctx, quietFor, nil, nil)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return errors.New("something changes all the time on the tmux server")
}

func (c *Control) set(client *controlClient, reason string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.client, c.reason = client, reason
}

// Forgo says why there will be no connection, instead of Keep.
func (c *Control) Forgo(reason string) { c.set(nil, reason) }

// Connected reports whether a control-mode client answers.
func (c *Control) Connected() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.client != nil
}

// Own is the pane of this server that the board draws in; "" for none, or while that is not certain.
func (c *Control) Own() tracker.PaneID {
	if !c.Connected() {
		return ""
	}
	return c.jumper.Pane
}

// Remark says why tmux is started for every question, or "" if it is not.
func (c *Control) Remark() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client != nil {
		return ""
	}
	return "tmux is started for every question: " + strings.TrimSpace(c.reason)
}

// Run implements Conn. It is ErrBroken when the connection ends before the answer has come.
func (c *Control) Run(ctx context.Context, cmds ...Command) ([]byte, error) {
	if err := checkCommands(cmds); err != nil {
		return nil, err
	}
	c.mu.Lock()
	client := c.client
	c.mu.Unlock()
	if client != nil {
		out, err := client.ask(ctx, c.exec.timeout, cmds)
		if !errors.Is(err, errNotSent) {
			return out, err
		}
	}
	return c.exec.Run(ctx, cmds...)
}

// Feed implements Feeder. With input it starts a tmux, as a control-mode client has none to give.
func (c *Control) Feed(ctx context.Context, input []byte, cmds ...Command) ([]byte, error) {
	if input == nil {
		return c.Run(ctx, cmds...)
	}
	return c.exec.Feed(ctx, input, cmds...)
}

// ask runs commands that only read, once more if the connection broke under them.
func ask(ctx context.Context, conn Conn, cmds ...Command) ([]byte, error) {
	out, err := conn.Run(ctx, cmds...)
	if errors.Is(err, ErrBroken) && ctx.Err() == nil {
		return conn.Run(ctx, cmds...)
	}
	return out, err
}
