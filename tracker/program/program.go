// Package program runs the programs that a person names in the configuration: bounded in time and
// output, without our terminal, and with everything they have started ended when they are.
package program

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"
	"unicode"
)

const (
	// endGrace is how long pipes may stay open after the program was ended: a child that has left
	// the group may hold them.
	endGrace = time.Second
	// maxComplaint bounds what is kept of standard error, for the message when it fails.
	maxComplaint = 300
)

// ErrTooMuch says that a program wrote more than it may.
var ErrTooMuch = errors.New("it wrote too much")

// Program is a command line with its bounds. Nothing of it is handed to a shell.
type Program struct {
	Argv    []string
	Env     []string // whole environment
	Dir     string   // "" for ours
	Timeout time.Duration
	Max     int // bytes of standard output; 0 for none to be kept
}

// Run runs the program and returns its standard output. It blocks for at most the timeout and a
// second, and never returns while the program runs. Errors name the program, not its input.
func (p Program) Run(ctx context.Context, stdin []byte) ([]byte, error) {
	if len(p.Argv) == 0 {
		return nil, errors.New("there is no program to run")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, p.Timeout, fmt.Errorf("it did not end within %v", p.Timeout))
	defer cancel()
	out := &bounded{max: p.Max, full: cancel}
	complaint := &tail{}
	cmd := exec.CommandContext(ctx, p.Argv[0], p.Argv[1:]...)
	cmd.Env, cmd.Dir = p.Env, p.Dir
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(stdin), out, complaint
	// A session of its own: no terminal to draw on, no signals from our keys, one group to end.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = endGrace
	err := cmd.Run()
	switch {
	case out.over:
		err = ErrTooMuch
	case err == nil, errors.Is(err, exec.ErrWaitDelay): // it has ended well; what it left behind holds a pipe
		return out.kept, nil
	case ctx.Err() != nil && context.Cause(ctx) != nil:
		err = context.Cause(ctx)
	}
	if text := complaint.text(); text != "" {
		return nil, fmt.Errorf("running %s: %w: %s", p.Argv[0], err, text)
	}
	return nil, fmt.Errorf("running %s: %w", p.Argv[0], err)
}

// bounded keeps output up to a limit. With no limit nothing is kept, and anything is allowed.
type bounded struct {
	kept []byte
	max  int
	full func()
	over bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.max == 0 {
		return len(p), nil
	}
	if len(b.kept)+len(p) > b.max {
		b.over = true
		b.full()
		return 0, ErrTooMuch
	}
	b.kept = append(b.kept, p...)
	return len(p), nil
}

// tail keeps the end of what is written to it.
type tail struct{ last []byte }

func (t *tail) Write(p []byte) (int, error) {
	t.last = append(t.last, p...)
	if n := len(t.last) - maxComplaint; n > 0 {
		t.last = append(t.last[:0], t.last[n:]...)
	}
	return len(p), nil
}

// text is the last line with anything on it.
func (t *tail) text() string {
	lines := strings.FieldsFunc(strings.ToValidUTF8(string(t.last), ""), func(r rune) bool { return r == '\n' || r == '\r' })
	for i := len(lines) - 1; i >= 0; i-- {
		line := strings.Map(func(r rune) rune {
			if unicode.IsControl(r) {
				return -1
			}
			return r
		}, lines[i])
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}
