package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"signalbox/tracker"
)

// Options are the flags every command takes.
type Options struct {
	Name      string // -L: tmux server by name
	Path      string // -S: tmux server by socket
	ClaudeDir string
	Config    string
	Debug     string
}

// BoardOptions are the flags of the board itself.
type BoardOptions struct {
	Popup        bool
	NoStatusFile bool
	ReadOnly     bool
}

// Desk is what the commands ask of the rest of the program. Errors carry their exit code where it
// is not 1; see Exit.
type Desk interface {
	// Board opens the board and returns when the person leaves it.
	Board(ctx context.Context, o BoardOptions) error
	// Read is one reading of everything: from a running board of the same server where there is
	// one, so that all answers agree, else made here and now.
	Read(ctx context.Context) (*tracker.Snapshot, error)
	// Glance is what can be had at once, without agents where no board runs: for completions.
	Glance(ctx context.Context) (*tracker.Snapshot, error)
	// Follow calls f with a snapshot and then with every newer one until f or ctx ends it.
	Follow(ctx context.Context, f func(*tracker.Snapshot) error) error
	// Send takes a task through the interlock to an agent. It blocks until the outcome is known or
	// ctx ends, which is an outcome too; waiting is called once when the send begins to wait for a
	// busy agent. An error means that the send could not even be refused.
	Send(ctx context.Context, req SendRequest, waiting func(SendResult)) (SendResult, error)
	// Jump takes this client to a pane, Back to where it was before the last jump.
	Jump(ctx context.Context, pane tracker.PaneID) error
	Back(ctx context.Context) error
	// Here is the pane that this client shows, "" where that cannot be told.
	Here(ctx context.Context) tracker.PaneID
	// Acknowledge says that the person has seen the result of a pane's agent.
	Acknowledge(ctx context.Context, pane tracker.PaneID) error
	// WriteStatusFile writes the public status file once.
	WriteStatusFile(ctx context.Context, snap *tracker.Snapshot) error
	// InstallHooks edits Claude Code's settings, or with dryRun returns the diff only.
	InstallHooks(ctx context.Context, settings string, dryRun bool) (string, error)
	UninstallHooks(ctx context.Context, settings string, dryRun bool) (string, error)
	HooksStatus(ctx context.Context, settings string) (string, error)
	// ConfigPath is where the configuration is, or would be. CheckConfig reads it and says so.
	// ShowConfig writes it out with every key, its meaning and its default, or, with defaults, what
	// holds without a file.
	ConfigPath() string
	CheckConfig() (string, error)
	ShowConfig(defaults bool) (string, error)
	// Doctor checks everything and calls report for each line as it is known.
	Doctor(ctx context.Context, report func(Check)) error
	// Demo opens the board on a private server with simulated agents.
	Demo(ctx context.Context) error
}

// Check is one line of doctor.
type Check struct {
	Name  string
	Grade string // "ok", "warn", "fail"
	Text  string
	Fix   string
}

// Exit codes of the contract.
const (
	ExitOK          = 0
	ExitInternal    = 1
	ExitUsage       = 2
	ExitRefused     = 3
	ExitUnconfirmed = 4
	ExitNoTarget    = 5
	ExitNoTmux      = 6
)

// Exit is an error with the exit code it leads to and, where it helps, a hint.
type Exit struct {
	Code int
	Err  error
	Hint string
}

func (e *Exit) Error() string { return e.Err.Error() }
func (e *Exit) Unwrap() error { return e.Err }

// ExitCode is the exit code of an error, 0 for none.
func ExitCode(err error) int {
	var e *Exit
	switch {
	case err == nil:
		return ExitOK
	case errors.As(err, &e):
		return e.Code
	}
	return ExitInternal
}

// Report prints an error as every command does: what failed, then what helps.
func Report(w io.Writer, err error) {
	fmt.Fprintf(w, "error: %v\n", err)
	var e *Exit
	if errors.As(err, &e) && e.Hint != "" {
		fmt.Fprintf(w, "hint: %s\n", e.Hint)
	}
}

// usage marks an error as wrong usage.
func usage(format string, args ...any) error {
	return &Exit{Code: ExitUsage, Err: fmt.Errorf(format, args...)}
}

// readTimeout bounds a one-shot reading: a hanging tmux must not hang a status line.
const readTimeout = 5 * time.Second
