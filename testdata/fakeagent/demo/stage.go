package demo

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"signalbox/testdata/fakeagent"
)

// window is one window of the demo and what runs in it: an agent, a program, or a shell into which
// lines are typed.
type window struct {
	session, name, dir string
	agent              string   // name of an agent of the cast
	argv               []string // a program
	lines              []line   // typed into a shell; an agent named beside it is started by its line
}

// line is something typed into a window's shell, `after` seconds into each round.
type line struct {
	after int
	text  string
	once  bool // in the first round only
}

// round is how long the typed lines take until they repeat. It is the length of the scripts that
// depend on a shell: see ordersTable, handbook and nightly.
const round = 180 * time.Second

func start(agent string) string { return fakeagent.ProgramName + " -n " + agent }

// windows are the windows of the demo in the order they are made. On a fresh server ids count from
// zero in that order, so the pane of the n-th window is %n.
func windows() []window {
	return []window{
		{session: "api", name: "claude", dir: "src/api", agent: "api-worker"},
		{session: "api", name: "server", dir: "src/api", argv: []string{"node", "server.js"}},
		{session: "api", name: "shell", dir: "src/api"},
		{session: "api", name: "pairing", dir: "src/api", agent: "pairing"},
		{session: "web", name: "claude", dir: "src/web", agent: "settings-page"},
		{session: "web", name: "review", dir: "src/web", agent: "review"},
		{session: "web", name: "dev", dir: "src/web", argv: []string{"node", "vite"}},
		{session: "infra", name: "plan", dir: "src/infra", agent: "cluster-plan"},
		{session: "infra", name: "editor", dir: "src/infra", argv: []string{"nvim", "main.tf"}},
		{session: "infra", name: "build", dir: "src/infra", lines: []line{{after: 4, text: "make check"}, {after: 90, text: "make check"}}},
		{session: "infra", name: "migrate", dir: "src/infra", agent: "orders-table", lines: []line{{after: 0, text: start("orders-table"), once: true}, {after: 50, text: "fg"}, {after: 150, text: "fg"}}},
		{session: "docs", name: "guide", dir: "src/docs", agent: "guide"},
		{session: "docs", name: "legacy", dir: "src/docs", agent: "legacy"},
		{session: "docs", name: "handbook", dir: "src/handbook", agent: "handbook", lines: []line{{after: 0, text: start("handbook")}}},
		{session: "docs", name: "nightly", dir: "src/docs", agent: "nightly", lines: []line{{after: 0, text: start("nightly")}, {after: 75, text: start("nightly")}}},
	}
}

// Size of the demo's screens while nobody is attached.
const (
	width  = "160"
	height = "45"
)

// Start starts the tmux server with every session and program. It does not wait for the programs.
func (w *World) Start(ctx context.Context, t Tmux) error {
	for i, win := range windows() {
		if err := t.Run(ctx, w.open(i, win)...); err != nil {
			return fmt.Errorf("opening window %s of the demo: %w", win.name, err)
		}
		if i == 0 {
			// For the guard, which runs no tmux.
			save := "echo '#{pid}' > " + filepath.Join(w.Dir, serverName)
			if err := t.Run(ctx, "run-shell", save); err != nil {
				return fmt.Errorf("noting the demo's server: %w", err)
			}
		}
	}
	return nil
}

// open is the tmux command line that makes the n-th window.
func (w *World) open(n int, win window) []string {
	var args []string
	dir := filepath.Join(w.Home, win.dir)
	switch first := n == 0 || windows()[n-1].session != win.session; {
	case n == 0:
		args = append(args, "start-server", ";",
			"set-option", "-g", "default-command", shellCommand, ";",
			"set-option", "-g", "status-right-length", "70", ";",
			"set-option", "-g", "status-right", " back to the board: ctrl+b d (within tmux: ctrl+b ctrl+b d) ", ";",
			"set-option", "-g", "remain-on-exit", "off", ";")
		for _, e := range w.Env() {
			name, value, _ := strings.Cut(e, "=")
			args = append(args, "set-environment", "-g", name, value, ";")
		}
		fallthrough
	case first:
		args = append(args, "new-session", "-d", "-s", win.session, "-n", win.name, "-x", width, "-y", height, "-c", dir)
	default:
		args = append(args, "new-window", "-d", "-a", "-t", "$"+strconv.Itoa(sessionNumber(win.session))+":{end}", "-n", win.name, "-c", dir)
	}
	if win.agent != "" {
		args = append(args, "-e", fakeagent.EnvVar+"="+w.optionsFile(win.agent))
	}
	switch {
	case len(win.argv) > 0:
		args = append(args, "--", "/usr/bin/env")
		args = append(args, win.argv...)
	case win.agent != "" && win.lines == nil:
		args = append(args, "--", "/usr/bin/env", fakeagent.ProgramName, "-n", win.agent)
	}
	return args
}

// shellCommand is the shell of the demo: bash where there is one, because it can suspend jobs.
const shellCommand = "if command -v bash >/dev/null; then exec bash --norc --noprofile; else exec sh; fi"

func sessionNumber(name string) int {
	n, last := -1, ""
	for _, w := range windows() {
		if w.session != last {
			n, last = n+1, w.session
		}
		if w.session == name {
			break
		}
	}
	return n
}

// Drive types into the demo's shells what the script says, round after round, until ctx ends. It
// returns nil then, and an error when tmux refuses.
func (w *World) Drive(ctx context.Context, t Tmux) error {
	began := time.Now()
	for r := 0; ; r++ {
		for _, p := range plannedLines() {
			if p.once && r > 0 {
				continue
			}
			at := began.Add(time.Duration(float64(time.Duration(r)*round+time.Duration(p.after)*time.Second) / w.speed))
			timer := time.NewTimer(time.Until(at))
			select {
			case <-ctx.Done():
				timer.Stop()
				return nil
			case <-timer.C:
			}
			if err := t.Run(ctx, "send-keys", "-t", p.pane, "-l", "--", p.text, ";", "send-keys", "-t", p.pane, "Enter"); err != nil {
				if ctx.Err() != nil || errors.Is(err, context.Canceled) {
					return nil
				}
				return fmt.Errorf("typing into the demo's pane %s: %w", p.pane, err)
			}
		}
	}
}

// plannedLine is a line with the pane it is typed into.
type plannedLine struct {
	line
	pane string
}

// plannedLines are the lines of one round in order of time.
func plannedLines() []plannedLine {
	var out []plannedLine
	for i, w := range windows() {
		for _, l := range w.lines {
			out = append(out, plannedLine{l, "%" + strconv.Itoa(i)})
		}
	}
	for i := range out {
		for j := i; j > 0 && out[j].after < out[j-1].after; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}
