package tmuxctl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"signalbox/tracker"
)

// ErrNoClient says that no terminal shows what the person runs, so that there is nobody to take
// anywhere. A *NoClientError says more.
var ErrNoClient = errors.New("the tmux client is gone")

// Jumper says where the person sits, as the environment of our own process tells it.
type Jumper struct {
	Tmux      string         // TMUX; "" outside of tmux
	Pane      tracker.PaneID // TMUX_PANE; "" in a popup, which has none
	ClientTTY string         // the client's terminal where the caller knows it, as from #{client_tty} in a key binding
}

// AmbiguousClientError says that several clients could be the person's.
type AmbiguousClientError struct {
	Session tracker.SessionID
	Clients []string // their terminals
	Popup   bool
}

func (e *AmbiguousClientError) Error() string {
	if e.Popup {
		return fmt.Sprintf("%d clients show session %s, and a popup does not tell which of them it is on: %s",
			len(e.Clients), e.Session, strings.Join(e.Clients, ", "))
	}
	return fmt.Sprintf("%d clients show the board and none was used last: %s", len(e.Clients), strings.Join(e.Clients, ", "))
}

// Hint says what a person can do about it.
func (e *AmbiguousClientError) Hint() string {
	return "give the client with the key binding: `run-shell -b 'tmux display-popup -c \"#{client_tty}\" -E \"SIGNALBOX_CLIENT=#{client_tty} signalbox --popup\"'`"
}

// OtherServerError says that the person sits in another tmux server than the pane.
type OtherServerError struct {
	Ours    string // socket of the server we are in
	Socket  string // socket of the pane's server
	Session tracker.SessionID
}

func (e *OtherServerError) Error() string {
	return fmt.Sprintf("the pane is in another tmux server (%s) than this terminal (%s)", e.Socket, e.Ours)
}

// Hint is the command that leads there.
func (e *OtherServerError) Hint() string {
	return "in a terminal outside of tmux: tmux -S " + shellQuote(e.Socket) + " attach-session -t " + shellQuote(string(e.Session))
}

// client is one client of the server, with what it shows.
type client struct {
	name     string
	at       Place
	activity int64 // Unix seconds of its last key
	flags    string
}

// Place is a pane with where it is shown.
type Place struct {
	Session tracker.SessionID
	Window  tracker.WindowID
	Pane    tracker.PaneID
}

// target is the place as tmux takes it. All its parts are ids that tmux printed.
func (p Place) target() string {
	return string(p.Session) + ":" + string(p.Window) + "." + string(p.Pane)
}

func (p Place) window() string { return string(p.Session) + ":" + string(p.Window) }

// shown is one pane of interest in one session that shows it.
type shown struct {
	at      Place
	panePID int
}

// scene is what a jump needs to know: every client, and every place of the panes asked for.
type scene struct {
	server  tracker.ServerID
	clients []client
	places  []shown
}

// safeName reports whether a client's name can be put into a command: a terminal's path, or
// client-<pid> for a client without one.
func safeName(name string) bool {
	if pid, ok := strings.CutPrefix(name, "client-"); ok {
		return isDigits(pid)
	}
	return strings.HasPrefix(name, "/dev/") && strings.IndexFunc(name, func(r rune) bool {
		return r != '/' && r != '.' && r != '-' && r != '_' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) < 0
}

const sceneClient = "C #{session_id} #{window_id} #{pane_id} #{client_activity} [#{client_flags}] #{client_name}"

// readScene asks for all of it in one call.
func readScene(ctx context.Context, conn Conn, panes ...tracker.PaneID) (scene, error) {
	filter := "0"
	for _, id := range panes {
		filter = "#{||:" + filter + "," + isPane(id) + "}"
	}
	out, err := ask(ctx, conn,
		Command{"display-message", "-p", "S #{pid} #{socket_path}"},
		Command{"list-clients", "-F", sceneClient},
		Command{"list-panes", "-a", "-f", filter, "-F", "P #{session_id} #{window_id} #{pane_id} #{pane_pid}"})
	if err != nil {
		return scene{}, err
	}
	return parseScene(string(out))
}

func parseScene(out string) (scene, error) {
	var sc scene
	line, rest, _ := strings.Cut(out, "\n")
	pid, socket, ok := strings.Cut(strings.TrimPrefix(line, "S "), " ")
	if !ok || !isDigits(pid) {
		return sc, fmt.Errorf("unexpected answer %q", clip(line))
	}
	sc.server.PID, _ = strconv.Atoi(pid)
	sc.server.Socket = socket
	for line := range strings.Lines(rest) {
		line = strings.TrimSuffix(line, "\n")
		if len(line) < 2 {
			return sc, fmt.Errorf("unexpected answer %q", clip(line))
		}
		f := fields{rest: line[2:]}
		at := Place{tracker.SessionID(f.id('$')), tracker.WindowID(f.id('@')), tracker.PaneID(f.id('%'))}
		switch line[:2] {
		case "C ":
			c := client{at: at, activity: f.number(), flags: f.bracketed(), name: f.rest}
			// A client that cannot be named safely cannot be moved; the others can.
			if !f.bad && safeName(c.name) {
				sc.clients = append(sc.clients, c)
			}
			continue
		case "P ":
			sc.places = append(sc.places, shown{at, int(f.number())})
		default:
			f.bad = true
		}
		if f.bad {
			return sc, fmt.Errorf("unexpected answer %q", clip(line))
		}
	}
	return sc, nil
}

// ours finds the person's own client. It never guesses: where several could be, and not even their
// last keys tell them apart, that is an error.
func (sc scene) ours(j Jumper, tmux TmuxVar) (client, error) {
	people := slices.DeleteFunc(slices.Clone(sc.clients), func(c client) bool { return !countsAsAttached(c.flags) })
	if j.ClientTTY != "" {
		i := slices.IndexFunc(people, func(c client) bool { return c.name == j.ClientTTY || c.name == "/dev/"+j.ClientTTY })
		if i < 0 {
			return client{}, &NoClientError{TTY: j.ClientTTY}
		}
		return people[i], nil
	}
	if j.Pane == "" {
		on := slices.DeleteFunc(people, func(c client) bool { return c.at.Session != tmux.Session })
		return sc.only(on, tmux.Session, true)
	}
	var windows []tracker.WindowID
	var sessions []tracker.SessionID
	for _, p := range sc.places {
		if p.at.Pane == j.Pane {
			windows, sessions = append(windows, p.at.Window), append(sessions, p.at.Session)
		}
	}
	// Those that show our window, else those that could: the board may run in a window that is not
	// the current one, started by a key binding or a script.
	look := slices.DeleteFunc(slices.Clone(people), func(c client) bool { return !slices.Contains(windows, c.at.Window) })
	if len(look) == 0 {
		look = slices.DeleteFunc(people, func(c client) bool { return !slices.Contains(sessions, c.at.Session) })
	}
	return sc.only(look, tmux.Session, false)
}

// only is the function of this name with what else is attached.
func (sc scene) only(cs []client, id tracker.SessionID, popup bool) (client, error) {
	c, err := only(cs, id, popup)
	var none *NoClientError
	if errors.As(err, &none) {
		for _, other := range sc.clients {
			if countsAsAttached(other.flags) {
				none.Elsewhere++
			}
		}
	}
	return c, err
}

// only picks the one client, or the one that had the last key. tmux tells the time of a key to the
// second. It does not note keys that go to a popup, so there the time proves nothing.
func only(cs []client, id tracker.SessionID, popup bool) (client, error) {
	switch len(cs) {
	case 0:
		return client{}, &NoClientError{}
	case 1:
		return cs[0], nil
	}
	slices.SortFunc(cs, func(a, b client) int { return int(b.activity - a.activity) })
	if !popup && cs[0].activity > cs[1].activity {
		return cs[0], nil
	}
	e := &AmbiguousClientError{Session: id, Popup: popup}
	for _, c := range cs {
		e.Clients = append(e.Clients, c.name)
	}
	return client{}, e
}

// shellQuote makes one word of a shell command for a person to paste.
func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
