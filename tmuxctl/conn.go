package tmuxctl

import "context"

// Command is one tmux command with its arguments, such as {"list-panes", "-a"}. Arguments are
// literal: whatever the connection, each arrives at tmux exactly as it stands here.
type Command []string

// Conn runs commands on one tmux server. Implementations are safe for concurrent use.
type Conn interface {
	// Run runs the commands as one list, in order, and returns what they print. tmux serves no
	// other client in between, and does not run the rest after a command that failed. Errors
	// are ErrNoServer, ErrGone and so on, or the context's.
	Run(ctx context.Context, cmds ...Command) ([]byte, error)
}

// Feeder is a Conn that can also give a command its standard input, as `load-buffer -` wants. That
// always starts a tmux: a control-mode client has no input of its own to give.
type Feeder interface {
	Conn
	Feed(ctx context.Context, input []byte, cmds ...Command) ([]byte, error)
}
