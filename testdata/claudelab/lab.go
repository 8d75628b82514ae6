package claudelab

import (
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
)

// Variable names the environment variable with the Claude Code to test.
const Variable = "SIGNALBOX_TEST_CLAUDE"

// key is no key: its end is what the configuration marks as approved, so that nobody is asked.
const key = "sk-ant-dummy-0000000000"

// Lab is a private tmux server with what a real Claude Code needs.
type Lab struct {
	*tmuxtest.Server
	Claude  string // executable
	Version string
	Repo    string // a trusted git repository
	model   *httptest.Server
	script  *Model
}

// New makes a lab, or skips the test where there is no Claude Code to test.
func New(t testing.TB) *Lab {
	t.Helper()
	claude := os.Getenv(Variable)
	if claude == "" {
		t.Skipf("SKIPPED, NOT TESTED: %s names no Claude Code to test against", Variable)
	}
	script := &Model{}
	l := &Lab{Server: tmuxtest.New(t), Claude: claude, model: httptest.NewServer(script), script: script}
	t.Cleanup(func() {
		l.model.CloseClientConnections() // a held answer would be waited for
		l.model.Close()
	})
	l.Repo = filepath.Join(l.Home(), "src", "api")
	l.prepare(t)
	cmd := exec.Command(claude, "--version")
	cmd.Env = append(l.Server.Env(), l.Settings()...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s --version: %v", claude, err)
	}
	l.Version, _, _ = strings.Cut(strings.TrimSpace(string(out)), " ")
	return l
}

func (l *Lab) prepare(t testing.TB) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(l.Repo, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(l.ClaudeDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{
		"hasCompletedOnboarding": true, "theme": "dark", "numStartups": 3,
		"customApiKeyResponses": map[string]any{"approved": []string{key[len(key)-20:]}, "rejected": []string{}},
		"projects":              map[string]any{l.Repo: map[string]any{"hasTrustDialogAccepted": true, "hasCompletedProjectOnboarding": true}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.Home(), ".claude.json"), config, 0o600); err != nil {
		t.Fatal(err)
	}
}

// Release lets the answers to "hold NAME" end.
func (l *Lab) Release(name string) { l.script.Release(name) }

// ClaudeDir is Claude Code's folder in the lab.
func (l *Lab) ClaudeDir() string { return filepath.Join(l.Home(), ".claude") }

// Settings are the variables that keep Claude Code offline and quiet, to add to an environment
// that is otherwise built from nothing.
func (l *Lab) Settings() []string {
	return []string{
		"ANTHROPIC_BASE_URL=" + l.model.URL, "ANTHROPIC_API_KEY=" + key, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1", "PATH=" + filepath.Dir(l.Claude) + ":" + os.Getenv("PATH"),
	}
}

// Agent starts a Claude Code in a session of this name and waits until it rests at its prompt. In
// folders other than Repo it will ask for trust, and this would wait for ever: use Raw.
func (l *Lab) Agent(name string, args ...string) tmuxtest.Pane {
	p := l.Raw(name, l.Repo, args...)
	l.UntilWord(p, "idle")
	return p
}

// InShell starts a Claude Code from an interactive shell, as a person does, so that it can be
// suspended, and waits until it rests at its prompt. The result's PID is that of the shell; the agent's
// comes second.
func (l *Lab) InShell(name string) (p tmuxtest.Pane, agent int) {
	p = l.NewSession(name, tmuxtest.Command{Env: l.Settings(), Dir: l.Repo})
	l.Shell(p.ID, l.Claude+" -n "+name+" --permission-mode default") // tmux keeps the PATH of its own
	l.Until("the registry file of "+name, func() bool {
		files, _ := filepath.Glob(filepath.Join(l.ClaudeDir(), "sessions", "*.json"))
		for _, f := range files {
			pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(f), ".json"))
			if err == nil && parent(pid) == p.PID {
				agent = pid
			}
		}
		return agent != 0 && l.Word(tmuxtest.Pane{PID: agent}) == "idle"
	})
	return p, agent
}

// parent is the parent of a process, 0 when it cannot be told.
func parent(pid int) int {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	f := strings.Fields(rest)
	if len(f) < 2 {
		return 0
	}
	ppid, _ := strconv.Atoi(f[1])
	return ppid
}

// Raw starts a Claude Code and waits for nothing.
func (l *Lab) Raw(name, dir string, args ...string) tmuxtest.Pane {
	argv := append([]string{l.Claude, "-n", name, "--permission-mode", "default"}, args...)
	return l.NewSession(name, tmuxtest.Command{Argv: argv, Env: l.Settings(), Dir: dir})
}

// Say does what a person does: types, sees the text in the box, presses Enter.
func (l *Lab) Say(p tmuxtest.Pane, text string) {
	l.Type(p.ID, text)
	l.UntilText(p.ID, text)
	l.SendKeys(p.ID, "Enter")
}

const (
	readFor   = 400 * time.Millisecond // a screen that stands this long has been drawn, and its keys are read
	readLimit = 2 * time.Second        // a screen with something that moves never stands
)

// Read does what a person does before pressing a key: looks until the screen stands still. Claude Code
// loses keys that come while a dialog is being drawn.
func (l *Lab) Read(p tmuxtest.Pane) {
	last, since, began := "", time.Now(), time.Now()
	l.Until("the screen to stand still", func() bool {
		if screen := l.Capture(p.ID); screen != last {
			last, since = screen, time.Now()
		}
		return time.Since(since) > readFor || time.Since(began) > readLimit
	})
}

// Word is what the registry file of the agent in this pane says, "" while there is none.
func (l *Lab) Word(p tmuxtest.Pane) string {
	data, err := os.ReadFile(filepath.Join(l.ClaudeDir(), "sessions", strconv.Itoa(p.PID)+".json"))
	if err != nil {
		return ""
	}
	var f struct{ Status string }
	_ = json.Unmarshal(data, &f) // half written: there is no word yet
	return f.Status
}

// UntilWord waits until the agent's registry file says so.
func (l *Lab) UntilWord(p tmuxtest.Pane, word string) {
	l.Until("the registry to say "+word, func() bool { return l.Word(p) == word })
}
