package fakeagent

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"time"
)

// hookTimeout bounds a hook command that names no timeout of its own. Claude waits ten minutes; a
// simulation that hangs for minutes helps nobody.
const hookTimeout = 10 * time.Second

// hookGrace is how long the output pipes of a killed hook may stay open in its children.
const hookGrace = 200 * time.Millisecond

// hookSettings is the part of settings.json hooks need.
type hookSettings struct {
	DisableAll bool                   `json:"disableAllHooks"`
	Hooks      map[string][]hookMatch `json:"hooks"`
}

type hookMatch struct {
	Matcher string        `json:"matcher"`
	Hooks   []hookCommand `json:"hooks"`
}

type hookCommand struct {
	Type    string   `json:"type"`
	Command string   `json:"command"`
	Args    []string `json:"args"` // with it the command is run without a shell
	Timeout float64  `json:"timeout"`
	Async   bool     `json:"async"`
}

// hookRunner runs the hooks of one agent. The settings are read anew for every event, which is
// what Claude's hot reload amounts to.
type hookRunner struct {
	settings string
	cwd      string
	disabled bool
	async    sync.WaitGroup // "async": true commands that are still running
	stop     chan struct{}  // closed when the agent ends: kills what still runs
}

// commands are the hooks registered for an event whose matcher takes the subject, each once.
func (r *hookRunner) commands(event, subject string) []hookCommand {
	if r.disabled {
		return nil
	}
	b, err := os.ReadFile(r.settings)
	if err != nil {
		return nil // no settings: no hooks
	}
	var s hookSettings
	if json.Unmarshal(b, &s) != nil || s.DisableAll {
		return nil
	}
	var out []hookCommand
	seen := map[string]bool{}
	for _, m := range s.Hooks[event] {
		if !hookMatches(m.Matcher, subject) {
			continue
		}
		for _, h := range m.Hooks {
			id := h.Command + "\x00" + strings.Join(h.Args, "\x00")
			if (h.Type == "command" || h.Type == "") && h.Command != "" && !seen[id] {
				seen[id] = true
				out = append(out, h)
			}
		}
	}
	return out
}

// hookMatches follows the documented rules: empty and "*" take everything, plain words separated
// by "|" or "," are an exact list, everything else is an unanchored regular expression.
func hookMatches(matcher, subject string) bool {
	if matcher == "" || matcher == "*" {
		return true
	}
	if strings.Trim(matcher, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_- ,|") == "" {
		for _, w := range strings.FieldsFunc(matcher, func(r rune) bool { return r == '|' || r == ',' }) {
			if strings.TrimSpace(w) == subject {
				return true
			}
		}
		return false
	}
	re, err := regexp.Compile(matcher)
	return err == nil && re.MatchString(subject)
}

// run starts every hook of an event at once and returns when the synchronous ones are done. env is
// the hooks' whole environment. The end of ctx does not end them: an interrupted turn does not take
// back a hook that was called. Their timeout and kill do.
func (r *hookRunner) run(ctx context.Context, event, subject string, payload []byte, env []string) {
	var wg sync.WaitGroup
	for _, h := range r.commands(event, subject) {
		group := &wg
		if h.Async {
			group = &r.async
		}
		group.Go(func() { r.runOne(ctx, h, payload, env) })
	}
	wg.Wait()
}

// kill ends every hook that still runs and waits for them. It may be called once.
func (r *hookRunner) kill() {
	close(r.stop)
	r.async.Wait()
}

func (r *hookRunner) runOne(ctx context.Context, h hookCommand, payload []byte, env []string) {
	timeout := hookTimeout
	if h.Timeout > 0 {
		timeout = min(timeout, time.Duration(h.Timeout*float64(time.Second)))
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
	defer cancel()
	go func() {
		select {
		case <-r.stop:
			cancel()
		case <-ctx.Done():
		}
	}()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", h.Command)
	if h.Args != nil {
		cmd = exec.CommandContext(ctx, h.Command, h.Args...)
	}
	cmd.Dir = r.cwd
	if _, err := os.Stat(r.cwd); err != nil {
		cmd.Dir = "/"
	}
	cmd.Env = env
	cmd.Stdin = bytes.NewReader(payload)
	cmd.WaitDelay = hookGrace
	// Claude gives a hook a session of its own, so that it has no terminal to open.
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// What a hook prints or how it ends changes nothing here; only its being called matters.
	_ = cmd.Run()
}

// hookEnv is the environment Claude gives its hooks: its own, and a few variables more.
func hookEnv(base []string, p profile, session, cwd string, pid string) []string {
	env := append([]string(nil), base...)
	env = append(env,
		"CLAUDECODE=1",
		"CLAUDE_CODE_CHILD_SESSION=1",
		"CLAUDE_CODE_ENTRYPOINT=cli",
		"CLAUDE_CODE_SESSION_ID="+session,
		"CLAUDE_PROJECT_DIR="+cwd,
		"CLAUDE_EFFORT=medium",
	)
	if p.claudePID {
		env = append(env, "CLAUDE_PID="+pid)
	}
	return env
}

func settingsPath(claudeDir string) string { return filepath.Join(claudeDir, "settings.json") }
