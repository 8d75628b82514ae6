package fakeagent

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// EnvVar must be set for a program to act as the simulated `claude`: to "1", or to the path of a
// JSON file with Options. Without it a binary that merely happens to be called claude is itself.
const EnvVar = "SIGNALBOX_FAKE_AGENT"

// ProgramName is the file name under which Install puts the program and Invoked looks for.
const ProgramName = "claude"

// Invoked reports whether this process was started as the simulated `claude`: by that file name,
// and with EnvVar in its environment. A program (or a test binary, in TestMain) that offers the
// simulation asks first and then exits with the code of Main.
func Invoked(args, env []string) bool {
	return len(args) > 0 && filepath.Base(args[0]) == ProgramName && envValue(env, EnvVar) != ""
}

// Install puts the running executable into dir under the name, so that a process started from it
// looks like that program to tmux, to ps and to whoever looks for its executable. It is a hard
// link where the file system allows it and a copy elsewhere; a symlink would show the real name.
func Install(dir, name string) (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("finding our own executable: %w", err)
	}
	if self, err = filepath.EvalSymlinks(self); err != nil {
		return "", fmt.Errorf("finding our own executable: %w", err)
	}
	path := filepath.Join(dir, name)
	return path, link(self, path)
}

func link(from, to string) error {
	if err := os.Link(from, to); err == nil || errors.Is(err, os.ErrExist) {
		return nil
	}
	in, err := os.Open(from)
	if err != nil {
		return fmt.Errorf("copying the executable: %w", err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if err != nil {
		return fmt.Errorf("copying the executable: %w", err)
	}
	if _, err := io.Copy(out, in); err != nil {
		out.Close()
		return fmt.Errorf("copying the executable: %w", err)
	}
	return out.Close()
}

// Main is the simulated `claude` command: an interactive session, `agents --json`, or `--version`.
// args holds the program name too. The result is the exit code.
func Main(ctx context.Context, args, env []string, stdin io.Reader, stdout, stderr io.Writer) int {
	o, err := optionsFrom(env)
	if err != nil {
		fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	if len(args) > 1 && args[1] == "agents" {
		return listAgents(o, args[2:], stdout, stderr)
	}
	fs := flag.NewFlagSet(ProgramName, flag.ContinueOnError)
	fs.SetOutput(stderr)
	version := fs.Bool("version", false, "print the version")
	fs.BoolVar(version, "v", false, "print the version")
	fs.StringVar(&o.Name, "n", o.Name, "name of the session")
	fs.StringVar(&o.Name, "name", o.Name, "name of the session")
	fs.StringVar(&o.PermissionMode, "permission-mode", o.PermissionMode, "permission mode")
	resume := fs.String("resume", "", "session to go on with")
	if err := fs.Parse(args[1:]); err != nil {
		return 1
	}
	if *version {
		v := o.Version
		setString(&v, DefaultVersion)
		fmt.Fprintln(stdout, v+" (Claude Code)")
		return 0
	}
	if *resume != "" {
		o.SessionID, o.Resume = *resume, true
	}
	if err := Run(ctx, o, stdin, stdout); err != nil {
		fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	return 0
}

// optionsFrom reads EnvVar and the variables the real program knows.
func optionsFrom(env []string) (Options, error) {
	var o Options
	if path := envValue(env, EnvVar); path != "" && path != "1" {
		b, err := os.ReadFile(path)
		if err != nil {
			return o, fmt.Errorf("reading the options: %w", err)
		}
		if err := json.Unmarshal(b, &o); err != nil {
			return o, fmt.Errorf("reading the options from %s: %w", path, err)
		}
	}
	if dir := envValue(env, "CLAUDE_CONFIG_DIR"); dir != "" && o.ClaudeDir == "" {
		o.ClaudeDir = dir
	}
	if home := envValue(env, "HOME"); home != "" && o.ClaudeDir == "" {
		o.ClaudeDir = filepath.Join(home, ".claude")
	}
	if o.Env == nil {
		o.Env = env
	}
	return o, nil
}

// agentRow is one row of `claude agents --json`.
type agentRow struct {
	PID        int    `json:"pid,omitempty"`
	ID         string `json:"id,omitempty"`
	CWD        string `json:"cwd"`
	Kind       string `json:"kind"`
	StartedAt  int64  `json:"startedAt"`
	SessionID  string `json:"sessionId,omitempty"`
	Name       string `json:"name,omitempty"`
	Status     string `json:"status,omitempty"`
	State      string `json:"state,omitempty"`
	WaitingFor string `json:"waitingFor,omitempty"`
}

// BackgroundFile lies in Claude's folder and holds the rows of agents without a pane, as a JSON
// list in the form of `claude agents --json`.
const BackgroundFile = "fake-background.json"

// listAgents is `claude agents --json`: the living sessions of the registry, and the background
// agents of BackgroundFile.
func listAgents(o Options, args []string, stdout, stderr io.Writer) int {
	setString(&o.Version, DefaultVersion)
	if !profileOf(o.Version).agentsJSON || !strings.Contains(strings.Join(args, " "), "--json") {
		fmt.Fprintln(stderr, "error: unknown option '--json'")
		return 1
	}
	rows := []agentRow{}
	if b, err := os.ReadFile(filepath.Join(o.ClaudeDir, BackgroundFile)); err == nil {
		if err := json.Unmarshal(b, &rows); err != nil {
			fmt.Fprintln(stderr, "error:", err)
			return 1
		}
	}
	files, _ := filepath.Glob(filepath.Join(o.ClaudeDir, "sessions", "*.json"))
	sort.Strings(files)
	for _, path := range files {
		if r, ok := readAgent(path); ok {
			rows = append(rows, r)
		}
	}
	fmt.Fprintf(stdout, "%s\n", indentJSON(rows))
	return 0
}

// readAgent reads one registry file; a process that is gone has no row, whatever its file says.
func readAgent(path string) (agentRow, bool) {
	var f registryFile
	b, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(b, &f) != nil {
		return agentRow{}, false
	}
	if start, err := procStart(f.PID); err != nil || start != f.ProcStart {
		return agentRow{}, false
	}
	status := f.Status
	if status == wordShell {
		status = wordBusy // the real command says so
	}
	return agentRow{
		PID: f.PID, CWD: f.CWD, Kind: f.Kind, StartedAt: f.StartedAt, SessionID: f.SessionID,
		Name: f.Name, Status: status, WaitingFor: f.WaitingFor,
	}, true
}

func indentJSON(v any) []byte {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return []byte("[]")
	}
	return b
}
