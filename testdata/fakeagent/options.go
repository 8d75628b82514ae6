package fakeagent

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// DefaultVersion is the version of Claude Code the recordings show.
const DefaultVersion = "2.1.332"

// Defaults of the timings, as seen in the recordings.
const (
	defaultLatency = 80 * time.Millisecond   // from a request to the first words of the model
	defaultNotice  = 6400 * time.Millisecond // from a dialog to its Notification hook
	defaultSpinner = 100 * time.Millisecond  // between two frames of the spinner
	defaultWidth   = 120                     // only where the output is not a terminal
	defaultHeight  = 40
)

// Options say how one simulated agent behaves. The zero value of every field but ClaudeDir is
// usable. It is plain data and round-trips through JSON, which is how a pane's agent gets it.
type Options struct {
	ClaudeDir      string   `json:"claudeDir"`                // Claude's folder; required, made if missing
	CWD            string   `json:"cwd,omitempty"`            // default: the process's
	Name           string   `json:"name,omitempty"`           // as `claude -n`
	SessionID      string   `json:"sessionId,omitempty"`      // default: a new one
	Version        string   `json:"version,omitempty"`        // default: DefaultVersion; older ones behave older, see profileOf
	PermissionMode string   `json:"permissionMode,omitempty"` // "default", "plan", "acceptEdits", "auto"
	Model          string   `json:"model,omitempty"`          // default: claude-opus-5-5
	TmuxLabel      string   `json:"tmuxLabel,omitempty"`      // the registry's `tmux` field; empty leaves it out
	Env            []string `json:"env,omitempty"`            // environment of hooks; default: the process's

	NoRegistry   bool `json:"noRegistry,omitempty"`   // write no sessions/<pid>.json
	NoHooks      bool `json:"noHooks,omitempty"`      // as disableAllHooks
	NoTranscript bool `json:"noTranscript,omitempty"` // as a nested session
	Trust        bool `json:"trust,omitempty"`        // begin with the trust dialog
	Vim          bool `json:"vim,omitempty"`          // editorMode "vim"
	Resume       bool `json:"resume,omitempty"`       // SessionStart says "resume"
	Improvise    bool `json:"improvise,omitempty"`    // be believable: answer free text with some work instead of an echo, announce no calls

	Control  string `json:"control,omitempty"`  // Unix socket that takes commands, see Control
	InputLog string `json:"inputLog,omitempty"` // file that gets every byte read, see ReadInputLog
	WordLog  string `json:"wordLog,omitempty"`  // file that gets every word of the registry, one a line: who watches the registry misses some
	Hold     string `json:"hold,omitempty"`     // Unix socket to connect to; the agent exits when the other end closes

	Script []Step `json:"script,omitempty"` // played by itself, see Step
	Loop   bool   `json:"loop,omitempty"`   // start the script again when it is over
	// LoopFrom is the step a looping script starts again at: what is before it is played once.
	LoopFrom int `json:"loopFrom,omitempty"`
	// Speed divides the waits of Script and the lengths of acts; 0 is 1. Tests of a long script use it.
	Speed float64 `json:"speed,omitempty"`

	Latency time.Duration `json:"latency,omitempty"`
	Notice  time.Duration `json:"notice,omitempty"`
	Spinner time.Duration `json:"spinner,omitempty"`
	Width   int           `json:"width,omitempty"` // used where the output is not a terminal
	Height  int           `json:"height,omitempty"`
}

// withDefaults fills what the caller left out.
func (o Options) withDefaults() (Options, error) {
	if o.ClaudeDir == "" {
		return o, fmt.Errorf("fake agent: no Claude folder given")
	}
	dir, err := filepath.Abs(o.ClaudeDir)
	if err != nil {
		return o, fmt.Errorf("resolving the Claude folder: %w", err)
	}
	o.ClaudeDir = dir
	if o.CWD == "" {
		if o.CWD, err = os.Getwd(); err != nil {
			return o, fmt.Errorf("finding the working directory: %w", err)
		}
	}
	if o.Env == nil {
		o.Env = os.Environ()
	}
	setString(&o.SessionID, newUUID())
	setString(&o.Version, DefaultVersion)
	setString(&o.PermissionMode, "default")
	setString(&o.Model, "claude-opus-5-5")
	if o.Speed <= 0 {
		o.Speed = 1
	}
	setDuration(&o.Latency, defaultLatency)
	setDuration(&o.Notice, defaultNotice)
	setDuration(&o.Spinner, defaultSpinner)
	if o.Width <= 0 {
		o.Width = defaultWidth
	}
	if o.Height <= 0 {
		o.Height = defaultHeight
	}
	return o, nil
}

func setString(p *string, def string) {
	if *p == "" {
		*p = def
	}
}

func setDuration(p *time.Duration, def time.Duration) {
	if *p <= 0 {
		*p = def
	}
}

// paced is a length of the script in real time.
func (o Options) paced(d time.Duration) time.Duration {
	return time.Duration(float64(d) / o.Speed)
}

// profile is what a version of Claude Code does differently, as found by running the real ones.
type profile struct {
	registry   bool   // sessions/<pid>.json exists
	pidDomain  bool   // with `pidDomain`
	agentsJSON bool   // `claude agents --json` exists
	toolWords  bool   // `waitingFor` reads "approve Bash"
	askWord    string // `waitingFor` of a question
	promptID   bool   // hooks carry `prompt_id`
	claudePID  bool   // hooks have CLAUDE_PID
	mark       string // prompt mark of the composer
}

// profileOf returns the behaviour of a version. An unreadable version is taken for a new one.
func profileOf(version string) profile {
	p := profile{
		registry: true, pidDomain: true, agentsJSON: true, askWord: "input needed",
		promptID: true, claudePID: true, mark: "❯",
	}
	v := versionNumber(version)
	if v == 0 {
		return p
	}
	if v < versionNumber("2.1.214") {
		p.claudePID = false
		p.askWord = "permission prompt"
	}
	if v < versionNumber("2.1.196") {
		p.promptID = false
	}
	if v < versionNumber("2.1.145") {
		p.agentsJSON, p.pidDomain, p.toolWords = false, false, true
	}
	if v < versionNumber("2.1.0") {
		p.registry, p.mark = false, ">"
	}
	return p
}

// versionNumber orders versions: 2.1.332 -> 2001332; 0 when it is not one.
func versionNumber(v string) int {
	n := 0
	parts := strings.Split(v, ".")
	if len(parts) != 3 {
		return 0
	}
	for _, p := range parts {
		i, err := strconv.Atoi(p)
		if err != nil || i < 0 || i > 999 {
			return 0
		}
		n = n*1000 + i
	}
	return n
}
