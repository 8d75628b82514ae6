package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
	"signalbox/tracker/procs"
	"signalbox/tracker/registry"
)

// inspector is the process table for the interlock.
type inspector struct{}

func (inspector) Inspect(ctx context.Context, agent tracker.AgentID, pane interlock.PaneProcess) (interlock.Process, error) {
	st, err := procs.Inspect(ctx, agent, pane.PID, pane.TTY)
	if err != nil {
		return interlock.Process{}, err
	}
	return interlock.Process{
		Alive: st.Alive, Stopped: st.Stopped, UnderPane: st.UnderPane,
		OnTerminal: st.OnTerminal, Foreground: st.Foreground, Reader: st.Reader,
	}, nil
}

// claude is Claude Code's own word for the interlock.
type claude struct {
	list  *registry.AgentsPoller
	files *registry.Watch
}

// Rows runs the agent's own program only where Claude's own file proves that it is one: a process
// may be called anything. Otherwise the one on the PATH is asked.
func (c claude) Rows(ctx context.Context, agent tracker.AgentID) ([]tracker.AgentsEntry, error) {
	pid := agent.PID
	if e, err := c.files.Entry(ctx, agent); err != nil || e == nil {
		pid = 0
	}
	rows, err := c.list.Rows(ctx, pid)
	if errors.Is(err, registry.ErrNoList) {
		return nil, errors.New("this Claude Code has no `claude agents --json`: 2.1.145 and newer have it")
	}
	return rows, err
}

func (c claude) Entry(ctx context.Context, agent tracker.AgentID) (*tracker.RegistryEntry, error) {
	return c.files.Entry(ctx, agent)
}

// maxSettings bounds a settings file. ~/.claude.json holds a history and has some hundred kilobytes.
const maxSettings = 16 << 20

// editor knows whether an agent's input box has vim keys, from the settings it has read.
type editor struct {
	desk    *Desk
	cwd     string // the agent's
	managed string // settings of the machine's owner
}

// managedSettings is where the owner of the machine puts settings that nobody can override.
func managedSettings() string {
	if runtime.GOOS == "darwin" {
		return "/Library/Application Support/ClaudeCode/managed-settings.json"
	}
	return "/etc/claude-code/managed-settings.json"
}

// Vim reads the settings in the order of their strength: managed by the machine's owner, from the
// command line, of the project, of the person, and the file that older versions keep it in.
func (e editor) Vim(_ context.Context, agent tracker.AgentID) (bool, error) {
	var files [][]byte
	add := func(path string) error {
		data, err := readSettings(path)
		if err == nil {
			files = append(files, data)
		}
		return err
	}
	var problems []error
	problems = append(problems, add(e.managed))
	if p, err := procs.ReadAgent(agent); err == nil {
		given := settingsFlag(p.Args)
		switch {
		case json.Valid([]byte(given)):
			files = append(files, []byte(given))
		case strings.HasPrefix(given, "{"): // command lines are read up to a bound
			if mode := modeIn().FindString(given); mode != "" {
				files = append(files, []byte("{"+mode+"}"))
			}
		case given != "":
			problems = append(problems, add(absolute(given, e.cwd)))
		}
	}
	if e.cwd != "" {
		problems = append(problems, add(filepath.Join(e.cwd, ".claude", "settings.local.json")),
			add(filepath.Join(e.cwd, ".claude", "settings.json")))
	}
	problems = append(problems, add(filepath.Join(e.desk.claudeDir, "settings.json")), add(e.desk.oldSettings()))
	if err := errors.Join(problems...); err != nil {
		return false, err
	}
	return interlock.VimKeys(files...)
}

// oldSettings is the file beside the settings that older versions keep the editor mode in. It stands
// in a folder that was chosen, and beside the default one.
func (d *Desk) oldSettings() string {
	if d.claudeDir == filepath.Join(d.env("HOME"), ".claude") {
		return d.claudeDir + ".json"
	}
	return filepath.Join(d.claudeDir, ".claude.json")
}

// modeIn finds the editor mode in JSON whose end is missing.
var modeIn = lazyRegexp(`"editorMode"\s*:\s*"[a-z]+"`)

// settingsFlag is the value of --settings on a command line: a file, or JSON.
func settingsFlag(args []string) string {
	value := ""
	for i, a := range args {
		if v, ok := strings.CutPrefix(a, "--settings="); ok {
			value = v
		} else if a == "--settings" && i+1 < len(args) {
			value = args[i+1]
		}
	}
	return strings.TrimSpace(value)
}

func absolute(path, dir string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// readSettings reads a file that need not exist.
func readSettings(path string) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxSettings {
		return nil, fmt.Errorf("%s is no settings file", path)
	}
	return io.ReadAll(io.LimitReader(f, maxSettings))
}
