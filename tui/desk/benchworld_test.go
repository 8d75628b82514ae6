//go:build linux

package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"signalbox/hookrecv"
	"signalbox/hookrecv/paths"
	"signalbox/hookrecv/settings"
	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
	"signalbox/tracker/registry"
)

// world is a private tmux server full of windows, some of which hold an agent: a process that
// sleeps, with a file in the sessions folder that is written as Claude Code does it. A person's
// terminal is attached to the board's session.
type world struct {
	*tmuxtest.Server
	t      testing.TB
	agents []*quietAgent
	busy   int // of them
	board  tmuxtest.Pane
	pid    int // of the board
	person *terminal
	log    string // a line for every tmux and claude that the board has started
}

// quietAgent is one agent of a world.
type quietAgent struct {
	PID             int    `json:"pid"`
	SessionID       string `json:"sessionId"`
	CWD             string `json:"cwd"`
	StartedAt       int64  `json:"startedAt"`
	ProcStart       string `json:"procStart"`
	PIDDomain       string `json:"pidDomain"`
	Version         string `json:"version"`
	Kind            string `json:"kind"`
	Name            string `json:"name"`
	Status          string `json:"status"`
	WaitingFor      string `json:"waitingFor,omitempty"`
	StatusUpdatedAt int64  `json:"statusUpdatedAt"`
	UpdatedAt       int64  `json:"updatedAt"`

	file string
	pane tracker.PaneID
	cell string // what stands in its cell behind the lamp
}

const (
	// windowsPerSession is how the windows of a world are spread over sessions.
	windowsPerSession = 20
	// windowsPerCall keeps a command line for tmux below its limit.
	windowsPerCall = 10
	// screenWidth and screenHeight of the person's terminal: a large window on a large monitor.
	screenWidth, screenHeight = 220, 60
)

// quietAgentProgram is built once, when the first world needs it.
var quietAgentProgram = sync.OnceValues(func() (string, error) {
	path := filepath.Join(filepath.Dir(program), "claude")
	out, err := exec.Command("go", "build", "-o", path, "signalbox/tui/desk/testdata/quietagent").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("building the quiet agent: %w\n%s", err, out)
	}
	return path, err
})

// newWorld makes windows, of which every windows/agents-th holds an agent. A third of the agents
// are busy, the others idle.
func newWorld(t testing.TB, windows, agents int) *world {
	t.Helper()
	claude, err := quietAgentProgram()
	if err != nil {
		t.Fatal(err)
	}
	w := &world{Server: tmuxtest.New(t), t: t}
	if err := os.MkdirAll(w.sessions(), 0o700); err != nil {
		t.Fatal(err)
	}
	w.fill(windows, agents, claude)
	w.register()
	w.log = filepath.Join(w.TmpDir(), "started")
	if err := os.WriteFile(w.log, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(w.TmpDir(), "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	script := fmt.Sprintf("#!/bin/sh\necho tmux >>'%s'\nexec '%s' \"$@\"\n", w.log, w.Tmux())
	if err := os.WriteFile(filepath.Join(bin, "tmux"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(claude, filepath.Join(bin, "claude")); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) claudeDir() string { return filepath.Join(w.Home(), ".claude") }
func (w *world) sessions() string  { return filepath.Join(w.claudeDir(), "sessions") }

// fill makes the sessions and windows, many with each call of tmux.
func (w *world) fill(windows, agents int, claude string) {
	w.t.Helper()
	command := func(n int) []string {
		if agents > 0 && n%(windows/agents) == 0 && n/(windows/agents) < agents {
			return []string{"-n", fmt.Sprintf("a%d", n), "--", claude, "-n", fmt.Sprintf("agent-%d", n)}
		}
		return []string{"-n", fmt.Sprintf("w%d", n), "--", "sleep", "1000000"}
	}
	for n := 0; n < windows; {
		args := append([]string{"new-session", "-d", "-s", fmt.Sprintf("s%02d", n/windowsPerSession), "-x", "200", "-y", "50", "-P", "-F", "#{session_id}"}, command(n)...)
		id := w.Run(args...)
		n++
		for n < windows && n%windowsPerSession != 0 {
			var args []string
			for range windowsPerCall {
				if n == windows || n%windowsPerSession == 0 {
					break
				}
				args = append(append(args, "new-window", "-d", "-t", id+":"), append(command(n), ";")...)
				n++
			}
			w.Run(args[:len(args)-1]...)
		}
	}
}

// register finds the agents' processes and writes their files.
func (w *world) register() {
	w.t.Helper()
	for line := range strings.Lines(w.Run("list-panes", "-a", "-F", "#{pane_id} #{pane_pid} #{window_index} #{window_name}")) {
		f := strings.Fields(line)
		if !strings.HasPrefix(f[3], "a") {
			continue
		}
		pid, _ := strconv.Atoi(f[1])
		k, now := len(w.agents), time.Now().UnixMilli()
		a := &quietAgent{
			PID: pid, SessionID: fmt.Sprintf("%08d-1111-4222-8333-%012d", k, k), CWD: w.Home(), StartedAt: now,
			ProcStart: procFields(w.t, pid)[19], PIDDomain: registry.LocalDomain(), Version: "2.1.332", Kind: "interactive",
			Name: "agent-" + f[3][1:], file: filepath.Join(w.sessions(), f[1]+".json"), pane: tracker.PaneID(f[0]),
			cell: fmt.Sprintf("%s %s ", f[2], f[3]),
		}
		if w.agents = append(w.agents, a); k%3 == 0 {
			w.busy++
			a.says(w.t, "busy", "")
		} else {
			a.says(w.t, "idle", "")
		}
	}
}

// rest lets every agent be idle. It is to be called before a board sees them: whose turn ends is to be
// looked at, and says so with a lamp that moves.
func (w *world) rest() {
	w.busy = 0
	for _, a := range w.agents {
		a.says(w.t, "idle", "")
	}
}

// says writes the agent's file in place: opened without truncation, written, cut to its length.
func (a *quietAgent) says(t testing.TB, word, waitingFor string) {
	t.Helper()
	a.Status, a.WaitingFor = word, waitingFor
	a.StatusUpdatedAt = max(a.StatusUpdatedAt+1, time.Now().UnixMilli())
	a.UpdatedAt = a.StatusUpdatedAt
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(a.file, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Truncate(int64(len(data)))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// open makes the board's session and attaches the person's terminal. The board itself waits for
// launch, so that its start can be timed.
func (w *world) open(args ...string) {
	w.t.Helper()
	// tmux gives a pane the PATH of the client that made it, whatever else is asked for.
	argv := append([]string{"sh", "-c", `stty -echo; PATH="$BOARD_PATH"; echo ready; read x; exec "$0" "$@"`, tested(), "--claude-dir", w.claudeDir()}, args...)
	w.board = w.NewSession("board", tmuxtest.Command{Argv: argv, Env: []string{
		"BOARD_PATH=" + filepath.Join(w.TmpDir(), "bin") + ":" + os.Getenv("PATH"), "QUIETAGENT_LOG=" + w.log,
	}})
	w.pid = w.board.PID
	w.person = attach(w.t, w.Server, w.board.Session)
	w.person.until("ready")
}

// launch starts the board and returns how long it took until the screen was complete: every agent
// counted, the first ones in sight, and what else must show.
func (w *world) launch(more ...string) time.Duration {
	w.t.Helper()
	texts := append(more, "0 needs input", "0 review", fmt.Sprintf("%d busy", w.busy), fmt.Sprintf("%d idle", len(w.agents)-w.busy),
		w.agents[0].cell, w.agents[min(3, len(w.agents)-1)].cell)
	began := time.Now()
	w.person.press("\r")
	w.person.until(texts...)
	return w.person.seen.Sub(began)
}

// start opens the board and launches it, and waits until it has come to rest.
func (w *world) start(args ...string) {
	w.t.Helper()
	w.open(args...)
	w.launch()
	w.settle()
}

// settle waits until the board has started no program for a while: what its start asks for is answered.
func (w *world) settle() {
	w.t.Helper()
	last, since := 0, time.Now()
	w.Until("the board to come to rest", func() bool {
		if n := w.started("tmux") + w.started("claude"); n != last {
			last, since = n, time.Now()
		}
		return time.Since(since) >= settled
	})
}

// env is the environment of a hook that runs in an agent.
func (w *world) env(a *quietAgent) []string {
	return append(w.EnvIn(tmuxtest.Pane{Session: w.board.Session, ID: a.pane}), "CLAUDE_PID="+strconv.Itoa(a.PID))
}

// hook runs the hook client as Claude Code does, through a shell.
func (w *world) hook(a *quietAgent, payload string) {
	w.t.Helper()
	cmd := exec.Command("sh", "-c", settings.Command(tested()))
	cmd.Env, cmd.Stdin = w.env(a), strings.NewReader(payload)
	if err := cmd.Run(); err != nil {
		w.t.Fatalf("hook: %v", err)
	}
}

// call is the payload of a hook that is about a tool call; command is its argument.
func (a *quietAgent) call(hook, command string) string {
	return fmt.Sprintf(`{"session_id":%q,"cwd":%q,"hook_event_name":%q,"prompt_id":"p","tool_name":"Bash","tool_use_id":%q,"tool_input":{"command":%q}}`,
		a.SessionID, a.CWD, hook, command, command)
}

// started counts the programs of a name that the board has started.
func (w *world) started(name string) int {
	w.t.Helper()
	data, err := os.ReadFile(w.log)
	if err != nil {
		w.t.Fatal(err)
	}
	return strings.Count(string(data), name+"\n")
}

// snapshot asks the board what it knows.
func (w *world) snapshot() *tracker.Snapshot {
	w.t.Helper()
	var r struct {
		Snapshot *tracker.Snapshot `json:"snapshot"`
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, err := hookrecv.Ask(ctx, paths.RunDirs(w.lookUp(nil)), "snapshot", nil, func(a hookrecv.Answer) bool {
		return json.Unmarshal(a.Body, &r) == nil && r.Snapshot != nil
	})
	if err != nil {
		w.t.Fatalf("asking the board: %v", err)
	}
	return r.Snapshot
}

// lookUp is the environment of a hook in an agent, or of a program outside of tmux.
func (w *world) lookUp(a *quietAgent) func(name string) string {
	environ := w.Env()
	if a != nil {
		environ = w.env(a)
	}
	return func(name string) string {
		for _, kv := range environ {
			if v, ok := strings.CutPrefix(kv, name+"="); ok {
				return v
			}
		}
		return ""
	}
}
