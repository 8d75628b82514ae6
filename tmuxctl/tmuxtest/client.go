package tmuxtest

import (
	"slices"
	"strings"

	"signalbox/tracker"
)

// Client is a real client attached to the server: a tmux that runs in a terminal of its own,
// which is a pane of a second private server.
type Client struct {
	s   *Server
	tty string
	at  Pane // in the outer server
}

// Attach attaches a client to the session. extra is put behind attach-session.
func (s *Server) Attach(id tracker.SessionID, extra ...string) *Client {
	s.t.Helper()
	argv := append([]string{"env", "-u", "TMUX", "-u", "TMUX_PANE", s.tmux, "-u", "-S", s.socket, "attach-session", "-t", string(id)}, extra...)
	return s.Terminal(argv...)
}

// Terminal runs a program that attaches itself to the server, in a terminal of its own outside of
// the server, and waits for its client.
func (s *Server) Terminal(argv ...string) *Client {
	s.t.Helper()
	if s.outer == nil {
		s.outer = New(s.t)
		s.outer.Run("set-option", "-g", "status", "off")
		s.outer.Run("set-option", "-g", "prefix", "None")
		s.outer.Run("set-option", "-g", "remain-on-exit", "on") // so that an error message can be seen
	}
	at := s.outer.NewSession("", Command{Argv: argv})
	c := &Client{s: s, at: at, tty: s.outer.Format(at.ID, "#{pane_tty}")}
	s.Until("a client at "+c.tty, c.Attached)
	return c
}

// TTY is the client's terminal, which is also its name in tmux.
func (c *Client) TTY() string { return c.tty }

// Attached reports whether the client is attached.
func (c *Client) Attached() bool {
	return slices.Contains(strings.Split(c.s.Run("list-clients", "-F", "#{client_tty}"), "\n"), c.tty)
}

// Keys presses keys in the client's terminal.
func (c *Client) Keys(keys ...string) {
	c.s.t.Helper()
	c.s.outer.SendKeys(c.at.ID, keys...)
}

// Type types text in the client's terminal.
func (c *Client) Type(text string) {
	c.s.t.Helper()
	c.s.outer.Type(c.at.ID, text)
}

// Screen is what the person at the client sees.
func (c *Client) Screen() string {
	c.s.t.Helper()
	return c.s.outer.Capture(c.at.ID)
}

// UntilText waits until the person at the client sees the text.
func (c *Client) UntilText(text string) {
	c.s.t.Helper()
	c.s.outer.UntilText(c.at.ID, text)
}

// Format expands a tmux format for the client, for instance "#{session_id} #{window_id}".
func (c *Client) Format(format string) string {
	c.s.t.Helper()
	for _, line := range strings.Split(c.s.Run("list-clients", "-F", "#{client_tty} "+format), "\n") {
		if rest, ok := strings.CutPrefix(line, c.tty+" "); ok {
			return rest
		}
	}
	c.s.t.Fatalf("client %s is not attached", c.tty)
	return ""
}

// Shows is the pane the client shows: the active pane of the current window of its session.
func (c *Client) Shows() tracker.PaneID {
	c.s.t.Helper()
	return tracker.PaneID(c.Format("#{pane_id}"))
}

// Detach detaches the client.
func (c *Client) Detach() {
	c.s.t.Helper()
	c.s.Run("detach-client", "-t", c.tty)
	c.s.Until("client "+c.tty+" to detach", func() bool { return !c.Attached() })
}
