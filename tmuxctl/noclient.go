package tmuxctl

import "fmt"

// Outside reports whether we were started outside of tmux: there is no client to move then, and a
// jump has to become one.
func (j Jumper) Outside() bool { return j.Tmux == "" && j.ClientTTY == "" }

// NoClientError says why there is no client to take anywhere. It is an ErrNoClient. Without any field
// set nobody is attached to the server at all.
type NoClientError struct {
	Outside   bool   // we were started outside of tmux
	Ours      string // socket of the server we are in, where it is another one
	Socket    string // and of the one that was asked
	TTY       string // the client that was named and is not attached
	Elsewhere int    // clients that show other sessions than ours
}

func (e *NoClientError) Error() string {
	switch {
	case e.Outside:
		return "this shell is outside of tmux: there is no client to take anywhere"
	case e.Ours != "":
		return fmt.Sprintf("this shell is in another tmux server (%s) than the one asked (%s)", e.Ours, e.Socket)
	case e.TTY != "":
		return fmt.Sprintf("no client is attached at %q", clip(e.TTY))
	case e.Elsewhere == 1:
		return "nobody sees the tmux session that this runs in: the one client attached shows another"
	case e.Elsewhere > 1:
		return fmt.Sprintf("nobody sees the tmux session that this runs in: the %d clients attached show others", e.Elsewhere)
	}
	return "nobody sees the tmux session that this runs in: no client is attached"
}

// Unwrap makes it an ErrNoClient.
func (e *NoClientError) Unwrap() error { return ErrNoClient }

// Hint says what a person can do about it.
func (e *NoClientError) Hint() string {
	switch {
	case e.Outside:
		return "run it in a pane of that tmux server, or from a key binding there"
	case e.Ours != "":
		return "run it in a pane of that server, or choose this one with -S " + shellQuote(e.Ours)
	case e.TTY != "":
		return "`tmux list-clients` lists them; a key binding knows its own as #{client_tty}"
	}
	return "run it in a pane that you see, or attach to this session first"
}
