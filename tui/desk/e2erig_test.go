package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// program is the built signalbox, made once for all tests of this package.
var program string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "sb")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "signalbox")
		build := exec.Command("go", "build", "-o", program, "signalbox")
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as README says
		if out, err := build.CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "building signalbox: %v\n%s", err, out)
			return 1
		}
		return m.Run()
	}())
}

// board starts the program in a session of its own on the server.
func board(s *tmuxtest.Server, args ...string) tmuxtest.Pane {
	return boardIn(s, "board", tmuxtest.Command{Argv: append([]string{program, "--claude-dir", filepath.Join(s.Home(), ".claude")}, args...)})
}

// boardIn starts a board in a session of this name and waits until it is connected. Up to 3.6 tmux crashes
// when it has to tell a control client of a new session before that client has told who it is, which takes
// a busy machine some milliseconds.
func boardIn(s *tmuxtest.Server, name string, c tmuxtest.Command) tmuxtest.Pane {
	b := s.NewSession(name, c)
	untilConnected(s, b)
	return b
}

func untilConnected(s *tmuxtest.Server, b tmuxtest.Pane) {
	s.Until("the board to be connected", func() bool {
		return strings.Contains(s.Run("list-clients", "-t", string(b.Session), "-F", "#{client_control_mode}"), "1")
	})
}

// run runs a one-shot command beside the server and returns its output and exit code.
func run(t *testing.T, s *tmuxtest.Server, in tmuxtest.Pane, args ...string) (out string, code int) {
	t.Helper()
	env := s.Env()
	if in.ID != "" {
		env = s.EnvIn(in)
	}
	return runIn(t, env, append(args, "-S", s.Socket(), "--claude-dir", filepath.Join(s.Home(), ".claude"))...)
}

// runIn runs the program in an environment and returns its output and exit code.
func runIn(t *testing.T, env []string, args ...string) (out string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env = env
	b, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return string(b), cmd.ProcessState.ExitCode()
}

// cell is what the screen shows of a window, or of a session that is one window, from its lamp on; ""
// if there is nothing.
func cell(screen, name string) string {
	const lamps = `·◌◐◓◑◒◆▲△✕?⊖▸†.|/\\!x*o`
	re := regexp.MustCompile(`[ ` + lamps + `] +(\d+ +)?` + regexp.QuoteMeta(name) + `\b`)
	next := regexp.MustCompile(` {2}[ ▌[][` + lamps + `] [^ ]`) // the cell beside it
	for line := range strings.Lines(screen) {
		at := re.FindStringIndex(line)
		if at == nil {
			continue
		}
		rest := line[at[1]:]
		if end := next.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		return strings.TrimSpace(line[at[0]:at[1]] + rest)
	}
	return ""
}

// untilCell waits until the cell of a window shows all of the texts.
func untilCell(s *tmuxtest.Server, b tmuxtest.Pane, name string, texts ...string) {
	s.Until(fmt.Sprintf("the cell of %s to show %q", name, texts), func() bool {
		line := cell(s.Capture(b.ID), name)
		return line != "" && !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) })
	})
}

// turning are the shapes of the lamp of an agent that works.
const turning = "◐◓◑◒"

// untilBusy waits until the cell of a window has the lamp of an agent that works, whichever way it is turned.
func untilBusy(s *tmuxtest.Server, b tmuxtest.Pane, name string) {
	s.Until("the cell of "+name+" to be busy", func() bool { return strings.ContainsAny(cell(s.Capture(b.ID), name), turning) })
}

// installHooks has Claude Code call the program that is tested, beside a server or a lab: settings are
// what its agents' environment has more than that of the server.
func installHooks(t *testing.T, s *tmuxtest.Server, settings ...string) {
	t.Helper()
	if out, code := runIn(t, append(s.Env(), settings...), "hooks", "install", "--claude-dir", filepath.Join(s.Home(), ".claude")); code != 0 {
		t.Fatalf("hooks install: %d\n%s", code, out)
	}
}

// sample is when two things were first seen on two screens, looked at in turn.
type sample struct{ fact, shown time.Time }

// fake starts a simulated Claude Code in a pane: this program under the name `claude`.
func fake(t *testing.T, s *tmuxtest.Server, name string, o fakeagent.Options) tmuxtest.Pane {
	t.Helper()
	dir := filepath.Join(s.TmpDir(), "bin")
	claude := filepath.Join(dir, fakeagent.ProgramName)
	if _, err := os.Stat(claude); err != nil {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("cp", program, claude).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	o.ClaudeDir, o.Name = filepath.Join(s.Home(), ".claude"), name
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	options := filepath.Join(s.TmpDir(), name+".json")
	if err := os.WriteFile(options, data, 0o600); err != nil {
		t.Fatal(err)
	}
	p := s.NewSession(name, tmuxtest.Command{Argv: []string{claude, "-n", name}, Env: []string{fakeagent.EnvVar + "=" + options}})
	s.Run("rename-window", "-t", string(p.Window), name)
	return p
}
