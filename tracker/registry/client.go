package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode"

	"signalbox/tracker"
)

const (
	// agentsTimeout bounds one call. A whole CLI starts for it: 0.2 s at rest, more on a busy machine.
	agentsTimeout = 5 * time.Second
	// agentsLinger is how long a dead call's children may keep its output open.
	agentsLinger = 200 * time.Millisecond
	// Bounds of what a call may print; a real row has 250 bytes.
	maxAnswer    = 4 << 20
	maxComplaint = 4 << 10
)

// AgentsClient runs `claude agents --json`. Calls wait for each other: there is never more than
// one such process.
type AgentsClient struct {
	env     []string
	timeout time.Duration
	turn    chan struct{} // holds a token while a call runs
}

// NewAgentsClient returns a client whose calls get exactly this environment (see AgentsEnv) and end
// after timeout; zero means 5 s.
func NewAgentsClient(env []string, timeout time.Duration) *AgentsClient {
	if timeout <= 0 {
		timeout = agentsTimeout
	}
	return &AgentsClient{env: env, timeout: timeout, turn: make(chan struct{}, 1)}
}

// AgentsEnv makes the environment for calls from a process's own: without what marks a child of a
// Claude Code session, with claudeDir (if not empty) as its folder, and with updates and everything
// else that is not the question switched off.
func AgentsEnv(environ []string, claudeDir string) []string {
	var env []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		switch {
		case name == "CLAUDECODE", name == "CLAUDE_PID", strings.HasPrefix(name, "CLAUDE_CODE_SESSION"),
			strings.HasPrefix(name, "CLAUDE_CODE_CHILD"), strings.HasPrefix(name, "CLAUDE_CODE_MESSAGING"),
			name == "CLAUDE_CONFIG_DIR" && claudeDir != "":
			continue
		}
		env = append(env, kv)
	}
	if claudeDir != "" {
		env = append(env, "CLAUDE_CONFIG_DIR="+claudeDir)
	}
	return append(env, "DISABLE_AUTOUPDATER=1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1")
}

// Ask runs `<exe> agents --json` and returns its rows. Options are added behind: "--all" brings
// background agents that have finished as well (Claude Code 2.1.169). exe is a path or a name on the PATH of the
// environment given to the client. The call sees no terminal and no input, starts in the root
// folder, whose settings are nobody's, and is ended with all its children at the timeout or when
// the context ends. An error that wraps ErrNoList means that this Claude Code has no such command.
func (c *AgentsClient) Ask(ctx context.Context, exe string, options ...string) ([]tracker.AgentsEntry, error) {
	select {
	case c.turn <- struct{}{}:
		defer func() { <-c.turn }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	path, err := c.find(exe)
	if err != nil {
		return nil, err
	}
	call, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	cmd := exec.CommandContext(call, path, append([]string{"agents", "--json"}, options...)...)
	cmd.Env = c.env
	if cmd.Env == nil {
		cmd.Env = []string{} // nil would mean: ours
	}
	cmd.Dir = "/"
	answer, complaint := capped{max: maxAnswer}, capped{max: maxComplaint}
	cmd.Stdout, cmd.Stderr = &answer, &complaint
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = agentsLinger
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case call.Err() != nil:
		return nil, fmt.Errorf("%s agents --json: no answer within %v", path, c.timeout)
	case answer.over:
		return nil, fmt.Errorf("%s agents --json: the answer has more than %d bytes", path, maxAnswer)
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, failure(path, exit, complaint.kept.String())
	}
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return nil, fmt.Errorf("%s agents --json: %w", path, err)
	}
	rows, err := DecodeAgents(answer.kept.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s agents --json: %w", path, err)
	}
	return rows, nil
}

// failure words the end of a call that failed. A version that lacks the command, or its option,
// says so in its complaint.
func failure(path string, exit *exec.ExitError, complaint string) error {
	line := firstLine(complaint)
	if l := strings.ToLower(line); strings.Contains(l, "unknown option") || strings.Contains(l, "unknown command") {
		return fmt.Errorf("%s agents --json: %s: %w", path, line, ErrNoList)
	}
	if line == "" {
		line = exit.Error()
	}
	return fmt.Errorf("%s agents --json: %s", path, line)
}

// find resolves a name on the PATH of the client's environment: exec.LookPath knows only ours.
func (c *AgentsClient) find(exe string) (string, error) {
	if strings.Contains(exe, "/") {
		return exe, nil
	}
	var path string
	for _, kv := range c.env {
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			path = v
		}
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // a folder relative to nobody knows what
		}
		p := filepath.Join(dir, exe)
		if info, err := os.Stat(p); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s: %w", exe, exec.ErrNotFound)
}

// capped keeps the first max bytes written to it and takes the rest without keeping it: a program
// must not block on what nobody wants to read. The buffer is not embedded: it would offer a way of
// reading that knows no bound.
type capped struct {
	kept bytes.Buffer
	max  int
	over bool
}

func (c *capped) Write(p []byte) (int, error) {
	room := c.max - c.kept.Len()
	c.over = c.over || len(p) > room
	c.kept.Write(p[:min(len(p), room)])
	return len(p), nil
}

// firstLine is the first line of a program's output with text on it, printable and short.
func firstLine(s string) string {
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(strings.Map(func(r rune) rune {
			if unicode.IsPrint(r) {
				return r
			}
			return -1
		}, line))
		if line != "" {
			return cut(line, 200)
		}
	}
	return ""
}
