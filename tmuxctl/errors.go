package tmuxctl

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// What can keep tmux from doing what it was asked. Test with errors.Is.
var (
	// ErrNoServer says that no server runs behind the socket. That is a normal answer.
	ErrNoServer = errors.New("no tmux server is running")
	// ErrUnreachable says that the server's process lives but its socket does not lead to it, for
	// instance because a cleaner removed the socket file.
	ErrUnreachable = errors.New("the tmux server cannot be reached")
	// ErrGone says that the pane, window, session or client does not exist, or not any more.
	ErrGone = errors.New("gone")
	// ErrTimeout says that tmux did not answer in time.
	ErrTimeout = errors.New("tmux does not answer")
	// ErrNoTmux says that there is no tmux to run.
	ErrNoTmux = errors.New("tmux cannot be started")
	// ErrBadTarget says that an id does not have the form of one. tmux was not asked.
	ErrBadTarget = errors.New("not a tmux id")
)

// CommandError is a command that tmux refused.
type CommandError struct {
	Command string // its name, "list-panes"
	Stderr  string // tmux's own words, untrusted
	Kind    error  // one of the sentinels, or nil for anything else
}

func (e *CommandError) Error() string {
	msg := "tmux " + e.Command
	if e.Kind != nil {
		msg += ": " + e.Kind.Error()
	}
	if e.Stderr != "" {
		msg += ": " + e.Stderr
	}
	return msg
}

func (e *CommandError) Unwrap() error { return e.Kind }

// Hint says what a person can do about an error of this package, or "".
func Hint(err error) string {
	var hinted interface{ Hint() string }
	switch {
	case errors.As(err, &hinted):
		return hinted.Hint()
	case errors.Is(err, ErrNoServer):
		return "start one with `tmux`, or choose another with -L or -S"
	case errors.Is(err, ErrTimeout):
		return "the server may be stopped or overloaded; `tmux list-sessions` in a shell shows whether it answers"
	case errors.Is(err, ErrNoTmux):
		return "install tmux 3.2 or newer and make sure it is in PATH"
	}
	return ""
}

// unreachable is ErrUnreachable with what is known of the server.
type unreachable struct {
	socket string
	pid    int
}

func (e *unreachable) Error() string {
	return fmt.Sprintf("%v: it runs as process %d, but not behind %s", ErrUnreachable, e.pid, e.socket)
}

func (e *unreachable) Unwrap() error { return ErrUnreachable }

func (e *unreachable) Hint() string {
	return fmt.Sprintf("`kill -USR1 %d` makes the server create its socket again", e.pid)
}

// kindOf classifies what tmux writes to stderr. The words are the same from 3.2 to 3.7; tmux does
// not translate them.
func kindOf(stderr string) error {
	switch {
	case strings.Contains(stderr, "no server running on "):
		return ErrNoServer // a stale socket file
	case strings.Contains(stderr, "error connecting to ") && strings.Contains(strings.ToLower(stderr), "no such file"):
		return ErrNoServer // no socket file
	case strings.Contains(stderr, "can't find "):
		return ErrGone
	}
	return nil
}

// livesAsTmux reports whether the process runs and may be a tmux server. It is used to tell a
// server that is gone from one whose socket is gone, where both say the same.
func livesAsTmux(pid int) bool {
	if pid <= 0 {
		return false
	}
	if err := syscall.Kill(pid, 0); err != nil && !errors.Is(err, syscall.EPERM) {
		return false
	}
	// Linux tells the name, which catches a recycled pid, and a zombie. Without procfs the signal
	// has to do.
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return true
	}
	name, rest, _ := strings.Cut(string(stat), ") ")
	return strings.Contains(name, "tmux") && !strings.HasPrefix(rest, "Z")
}
