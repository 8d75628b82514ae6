package tmuxctl

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

const (
	// runTimeout is how long tmux may take to answer. A healthy server with 500 panes needs about
	// 25 ms; one that needs seconds is stopped or stuck, and the board must say so.
	runTimeout = 3 * time.Second

	// killWait is how long to wait for the output of a tmux that was killed: something it started
	// may still hold the pipe.
	killWait = 200 * time.Millisecond

	// maxOutput bounds what is read from one tmux. A capture of a deep history is a few megabytes.
	maxOutput = 64 << 20
)

// ExecOptions are the choices for NewExec; the zero value is the ordinary one.
type ExecOptions struct {
	Tmux    string        // binary; "" for tmux in PATH
	Environ []string      // environment of the tmux that is started, as from os.Environ
	Timeout time.Duration // for one call; 0 for a few seconds
	Config  string        // configuration file of a server that this call starts; "" for the person's own
}

// Exec is the Conn that starts one tmux for each Run.
type Exec struct {
	server  Server
	tmux    string
	environ []string
	timeout time.Duration
	config  string
}

// NewExec returns a connection to the server. It does not ask tmux anything yet.
func NewExec(server Server, o ExecOptions) *Exec {
	e := &Exec{server: server, tmux: o.Tmux, timeout: o.Timeout, config: o.Config}
	if e.tmux == "" {
		e.tmux = "tmux"
	}
	if e.timeout == 0 {
		e.timeout = runTimeout
	}
	for _, v := range o.Environ {
		// Which server and pane we are in must not leak into what a command means by default.
		if !strings.HasPrefix(v, "TMUX=") && !strings.HasPrefix(v, "TMUX_PANE=") {
			e.environ = append(e.environ, v)
		}
	}
	if e.environ == nil {
		e.environ = []string{} // nil would mean ours
	}
	return e
}

// Server is the server this connection was made for.
func (e *Exec) Server() Server { return e.server }

// Argv is the complete command line of a tmux that runs the commands on this server. -u makes tmux
// pass on UTF-8 and tabs, which it replaces otherwise where the locale is a poor one.
func (e *Exec) Argv(cmds ...Command) []string {
	argv := append([]string{e.tmux, "-u"}, e.server.Args()...)
	if e.config != "" {
		argv = append(argv, "-f", e.config)
	}
	return append(argv, joinCommands(cmds)...)
}

// joinCommands makes one argument list of several commands. tmux takes an argument that ends in a
// semicolon for the end of a command, unless it is escaped.
func joinCommands(cmds []Command) []string {
	var args []string
	for i, c := range cmds {
		if i > 0 {
			args = append(args, ";")
		}
		for _, a := range c {
			if cut, ok := strings.CutSuffix(a, ";"); ok {
				a = cut + `\;`
			}
			args = append(args, a)
		}
	}
	return args
}

// Run implements Conn.
func (e *Exec) Run(ctx context.Context, cmds ...Command) ([]byte, error) {
	return e.Feed(ctx, nil, cmds...)
}

// Feed implements Feeder.
func (e *Exec) Feed(ctx context.Context, input []byte, cmds ...Command) ([]byte, error) {
	if err := checkCommands(cmds); err != nil {
		return nil, err
	}
	call, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	argv := e.Argv(cmds...)
	cmd := exec.CommandContext(call, argv[0], argv[1:]...)
	cmd.Env = e.environ
	// In a group of its own a tmux gets no signals from our terminal, and if "tmux" is a wrapper
	// the whole of it can be ended.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = killWait
	out, msg := bounded{max: maxOutput}, bounded{max: maxOutput}
	cmd.Stdout, cmd.Stderr = &out, &msg
	if input != nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	err := cmd.Run()
	if err == nil {
		return out.Bytes(), nil
	}
	return out.Bytes(), e.explain(ctx, call, cmds[0][0], msg.String(), err)
}

// explain turns the failure of a tmux into one of this package's errors.
func (e *Exec) explain(ctx, call context.Context, name, stderr string, err error) error {
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("tmux %s: %w", name, ctx.Err())
	case call.Err() != nil:
		return &CommandError{Command: name, Kind: ErrTimeout, Stderr: "no answer within " + e.timeout.String()}
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		return &CommandError{Command: name, Kind: ErrNoTmux, Stderr: err.Error()}
	case !errors.As(err, &exit):
		return fmt.Errorf("tmux %s: %w", name, err)
	}
	stderr = strings.TrimSpace(stderr)
	if stderr == "" {
		stderr = err.Error()
	}
	kind := kindOf(stderr)
	if errors.Is(kind, ErrNoServer) && livesAsTmux(e.server.PID) {
		return &unreachable{socket: e.server.Socket(), pid: e.server.PID}
	}
	return &CommandError{Command: name, Kind: kind, Stderr: stderr}
}

// checkCommands refuses what cannot be said to tmux over every connection: nothing at all, and
// control bytes other than tab, which would end the line of a control-mode client or the argument
// of a process.
func checkCommands(cmds []Command) error {
	if len(cmds) == 0 {
		return errors.New("tmux: no command")
	}
	for _, c := range cmds {
		if len(c) == 0 || c[0] == "" {
			return errors.New("tmux: empty command")
		}
		for _, a := range c {
			if i := strings.IndexFunc(a, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }); i >= 0 {
				return fmt.Errorf("tmux %s: control character %q in an argument", c[0], a[i])
			}
		}
	}
	return nil
}

// bounded collects output up to a limit; what exceeds it fails the command.
type bounded struct {
	bytes.Buffer
	max int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.max {
		return 0, fmt.Errorf("more than %d bytes of output", b.max)
	}
	return b.Buffer.Write(p)
}
