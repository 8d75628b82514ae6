package desk

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"signalbox/hookrecv/paths"
	"signalbox/tmuxctl"
	"signalbox/tui/cli"
)

// Desk implements cli.Desk on the real machine.
type Desk struct {
	opts      cli.Options
	environ   []string
	server    tmuxctl.Server
	conn      *tmuxctl.Exec
	claudeDir string
	stateDir  string // our own folder; "" without a home
	version   string
	trace     *trace // of --debug; nil without
}

// Open makes the desk for the given flags. It reads the environment and starts nothing.
func Open(version string) func(cli.Options) (cli.Desk, error) {
	return func(o cli.Options) (cli.Desk, error) {
		d := newDesk(version, o, os.Environ())
		var err error
		d.trace, err = openTrace(o.Debug)
		return d, err
	}
}

// newDesk makes a desk for an environment, which need not be that of this process.
func newDesk(version string, o cli.Options, environ []string) *Desk {
	d := &Desk{opts: o, environ: environ, version: version}
	d.server = tmuxctl.SelectServer(o.Name, o.Path, d.env)
	d.conn = tmuxctl.NewExec(d.server, tmuxctl.ExecOptions{Environ: environ})
	d.claudeDir = claudeDir(o.ClaudeDir, d.env)
	d.stateDir = paths.State(d.env)
	return d
}

// env looks a variable up; an unset one is empty. As everywhere, the last of several counts.
func (d *Desk) env(name string) string {
	for _, kv := range slices.Backward(d.environ) {
		if v, ok := strings.CutPrefix(kv, name+"="); ok {
			return v
		}
	}
	return ""
}

// claudeDir is Claude Code's folder: the flag, its own variable, or the default.
func claudeDir(flag string, env func(string) string) string {
	dir := flag
	if dir == "" {
		dir = env("CLAUDE_CONFIG_DIR")
	}
	if dir == "" {
		dir = filepath.Join(env("HOME"), ".claude")
	}
	if abs, err := filepath.Abs(dir); err == nil {
		return abs
	}
	return dir
}

// verdictsFile is where the last verdicts are kept; "" without a state folder.
func (d *Desk) verdictsFile() string {
	if d.stateDir == "" {
		return ""
	}
	return filepath.Join(d.stateDir, "state.json")
}
