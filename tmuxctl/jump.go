package tmuxctl

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"signalbox/tracker"
)

// JumpResult says where the person is now.
type JumpResult struct {
	To     Place
	From   Place  // what the client showed before; zero outside of tmux
	Client string // the client that was moved; "" outside of tmux
	// Switched is set when the client went to another session.
	Switched bool
	// Attach is set outside of tmux, where there is no client to move: the window and pane are
	// selected, and running this command on the same server, in the person's own terminal and
	// without TMUX in its environment, leads there. See Exec.Argv.
	Attach Command
}

// guardRefused is what our command list prints when its guard does not hold.
const guardRefused = "G"

// Jump takes the person's client to a pane: session, window and pane in one command list that tmux
// runs in one go. A client that shows the session already is not switched, since that makes some
// terminals rebuild all their windows. A window that is zoomed stays zoomed, on the target.
//
// Nothing is guessed. A target that is gone is ErrGone; a client that cannot be told is
// ErrNoClient or an *AmbiguousClientError; another server is an *OtherServerError.
func Jump(ctx context.Context, conn Conn, j Jumper, target tracker.PaneID) (JumpResult, error) {
	if err := CheckPane(target); err != nil {
		return JumpResult{}, fmt.Errorf("jumping: %w", err)
	}
	panes := []tracker.PaneID{target}
	if j.Pane != "" {
		if err := CheckPane(j.Pane); err != nil {
			return JumpResult{}, fmt.Errorf("jumping from TMUX_PANE: %w", err)
		}
		panes = append(panes, j.Pane)
	}
	sc, err := readScene(ctx, conn, panes...)
	if err != nil {
		return JumpResult{}, fmt.Errorf("jumping to %s: %w", target, err)
	}
	res, err := sc.jump(ctx, conn, j, target)
	if err != nil {
		return JumpResult{}, fmt.Errorf("jumping to %s: %w", target, err)
	}
	return res, nil
}

func (sc scene) jump(ctx context.Context, conn Conn, j Jumper, target tracker.PaneID) (JumpResult, error) {
	places := slices.DeleteFunc(slices.Clone(sc.places), func(p shown) bool { return p.at.Pane != target })
	if len(places) == 0 {
		return JumpResult{}, ErrGone
	}
	if j.Outside() {
		to := sc.best(places, "")
		res := JumpResult{To: to.at, Attach: Command{"attach-session", "-t", string(to.at.Session)}}
		_, err := sc.guarded(ctx, conn, to, selectPane(to.at, ""))
		return res, err
	}
	tmux := ParseTmuxVar(j.Tmux)
	if j.Tmux != "" && tmux.PID != sc.server.PID {
		return JumpResult{}, &OtherServerError{Ours: tmux.Socket, Socket: sc.server.Socket, Session: sc.best(places, "").at.Session}
	}
	me, err := sc.ours(j, tmux)
	if err != nil {
		return JumpResult{}, err
	}
	to := sc.best(places, me.at.Session)
	res := JumpResult{To: to.at, From: me.at, Client: me.name, Switched: to.at.Session != me.at.Session}
	cmds := selectPane(to.at, me.at.Window)
	if res.Switched {
		cmds = []Command{{"switch-client", "-Z", "-c", me.name, "-t", to.at.target()}}
	}
	after, err := sc.guarded(ctx, conn, to, cmds)
	if err != nil {
		return JumpResult{}, err
	}
	return res, after.shows(me.name, to.at)
}

// best is where to show the pane: in the session the client is in, else in the attached one, else
// in the one with the lowest id, as the listing does.
func (sc scene) best(places []shown, in tracker.SessionID) shown {
	r := records{attached: make(map[tracker.SessionID]int)}
	for _, c := range sc.clients {
		if countsAsAttached(c.flags) {
			r.attached[c.at.Session]++
		}
	}
	best := places[0]
	for _, p := range places {
		if p.at.Session == in {
			return p
		}
		if r.better(place{session: p.at.Session}, place{session: best.at.Session}) {
			best = p
		}
	}
	return best
}

// selectPane shows the pane in its session. current is the window shown there already, if known.
func selectPane(to Place, current tracker.WindowID) []Command {
	var cmds []Command
	if to.Window != current {
		cmds = append(cmds, Command{"select-window", "-t", to.window()})
	}
	return append(cmds, Command{"select-pane", "-Z", "-t", to.target()})
}

// guarded runs the commands if the target still is what was read: this server, in this window, with
// this first process. tmux checks and runs them in one go. It returns what the clients show then.
func (sc scene) guarded(ctx context.Context, conn Conn, to shown, cmds []Command) (scene, error) {
	cond := "#{&&:" + equal("pid", sc.server.PID) + ",#{&&:" + equal("pane_pid", to.panePID) + "," + isPane(to.at.Pane) + "}}"
	out, err := conn.Run(ctx,
		Command{"if-shell", "-F", "-t", to.at.target(), cond, quoteCommands(cmds...), "display-message -p " + guardRefused},
		Command{"display-message", "-p", "S #{pid} #{socket_path}"},
		Command{"list-clients", "-F", sceneClient})
	if err != nil {
		return scene{}, err
	}
	if strings.HasPrefix(string(out), guardRefused+"\n") {
		return scene{}, ErrGone
	}
	return parseScene(string(out))
}

// equal is a format that compares a number.
func equal(name string, n int) string {
	return "#{==:#{" + name + "}," + strconv.Itoa(n) + "}"
}

// shows checks that the client is where it was sent. A hook of the user's may have had other plans.
func (sc scene) shows(name string, want Place) error {
	for _, c := range sc.clients {
		if c.name != name {
			continue
		}
		// A client with an active pane of its own shows another one than its window's.
		if c.at == want || strings.Contains(c.flags, "active-pane") {
			return nil
		}
		return fmt.Errorf("tmux shows %s in %s instead", c.at.Pane, c.at.window())
	}
	return ErrNoClient
}
