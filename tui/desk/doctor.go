package desk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"

	"signalbox/hookrecv"
	"signalbox/hookrecv/paths"
	"signalbox/tmuxctl"
	"signalbox/tracker"
	"signalbox/tracker/journal"
	"signalbox/tracker/registry"
	"signalbox/tui/cli"
)

// checkTimeout bounds one check: a doctor that hangs helps nobody.
const checkTimeout = 5 * time.Second

// Doctor implements cli.Desk.
func (d *Desk) Doctor(ctx context.Context, report func(cli.Check)) error {
	for _, check := range []func(context.Context) cli.Check{
		d.checkTmux, d.checkClaude, d.checkRegistry, d.checkHooks,
		d.checkDelivery, d.checkBoard, d.checkState, d.checkStatusFile, d.checkConfig, d.checkTerminal,
	} {
		c, cancel := context.WithTimeout(ctx, checkTimeout)
		report(check(c))
		cancel()
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

func ok(name, format string, args ...any) cli.Check {
	return cli.Check{Name: name, Grade: "ok", Text: fmt.Sprintf(format, args...)}
}

func warn(name, fix, format string, args ...any) cli.Check {
	return cli.Check{Name: name, Grade: "warn", Text: fmt.Sprintf(format, args...), Fix: fix}
}

func fail(name, fix, format string, args ...any) cli.Check {
	return cli.Check{Name: name, Grade: "fail", Text: fmt.Sprintf(format, args...), Fix: fix}
}

func (d *Desk) checkTmux(ctx context.Context) cli.Check {
	topo, err := tmuxctl.List(ctx, d.conn)
	switch {
	case errors.Is(err, tmuxctl.ErrNoTmux):
		return fail("tmux", "install tmux 3.2 or newer", "there is no tmux program")
	case errors.Is(err, tmuxctl.ErrNoServer):
		return warn("tmux", "start one with `tmux new`, or name another with -L or -S", "no server runs at %s", d.server.Socket())
	case err != nil:
		return fail("tmux", tmuxctl.Hint(err), "%v", err)
	}
	windows := 0
	for _, s := range topo.Sessions {
		windows += len(s.Windows)
	}
	return ok("tmux", "version %s, %d sessions, %d windows at %s", topo.Version, len(topo.Sessions), windows, topo.Server.Socket)
}

// claudeVersion asks the `claude` on PATH for its version; "" when there is none.
func (d *Desk) claudeVersion(ctx context.Context) (string, error) {
	cmd := exec.CommandContext(ctx, "claude", "--version")
	cmd.Env = d.environ
	out, err := cmd.Output()
	if err != nil {
		return "", err
	}
	v, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	return v, nil
}

func (d *Desk) checkClaude(ctx context.Context) cli.Check {
	v, err := d.claudeVersion(ctx)
	if errors.Is(err, exec.ErrNotFound) {
		return warn("claude", "agents are found without it; sending to them needs it", "no `claude` on PATH")
	}
	if err != nil {
		return warn("claude", "run `claude --version` by hand", "`claude --version`: %v", err)
	}
	return ok("claude", "version %s", v)
}

func (d *Desk) checkRegistry(context.Context) cli.Check {
	dir := filepath.Join(d.claudeDir, "sessions")
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return warn("registry", "Claude Code 2.1.139 and newer make it at their first start", "%s does not exist", dir)
	case err != nil:
		return fail("registry", "make it readable for you", "%v", err)
	}
	n := 0
	for _, e := range entries {
		if _, entry := registry.PIDOf(e.Name()); entry {
			n++
		}
	}
	return ok("registry", "%d entries in %s", n, dir)
}

func (d *Desk) checkHooks(ctx context.Context) cli.Check {
	s, err := d.hookSetup(ctx)
	switch {
	case err != nil:
		return fail("hooks", "", "%v", err)
	case s.Problem != "":
		return fail("hooks", "repair the file by hand", "%s", s.Problem)
	case !s.Installed:
		return warn("hooks", "signalbox hooks install", "not installed in %s, or not for every event", s.File)
	}
	return ok("hooks", "installed in %s", s.File)
}

// sampleSession marks the sample event; no agent has this session, so no row changes.
const sampleSession = "signalbox-doctor"

// checkDelivery runs the hook client as Claude Code would and waits for what it sends.
func (d *Desk) checkDelivery(ctx context.Context) cli.Check {
	const name = "delivery"
	got := make(chan time.Time, 1)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	h := hookrecv.Handler{Chain: func(int) []tracker.Process { return nil }, Emit: func(ev tracker.HookReceived) {
		if ev.Hook.SessionID == sampleSession {
			select {
			case got <- time.Now():
			default:
			}
		}
	}}
	served := 0
	var problem error
	for _, dir := range paths.RunDirs(d.env) {
		ln, err := hookrecv.Listen(dir, os.Getpid())
		if err != nil {
			problem = err
			continue
		}
		served++
		go func() { _ = hookrecv.Serve(ctx, ln, h) }() // ends with ctx
	}
	if served == 0 {
		if problem == nil {
			problem = errNoHome
		}
		return fail(name, "set XDG_RUNTIME_DIR or XDG_STATE_HOME to a short path that is yours alone", "no socket can be opened: %v", problem)
	}
	self, err := os.Executable()
	if err != nil {
		return fail(name, "", "where is this program: %v", err)
	}
	cmd := exec.CommandContext(ctx, self, "hook")
	cmd.Env = append(d.environ, "TERM=dumb")
	cmd.Stdin = bytes.NewBufferString(`{"session_id":"` + sampleSession + `","hook_event_name":"Notification","notification_type":"doctor"}`)
	began := time.Now()
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		return fail(name, "", "the hook command failed or printed something: %v %q", err, out)
	}
	select {
	case at := <-got:
		return ok(name, "a sample event arrived after %.1f ms", float64(at.Sub(began).Microseconds())/1000)
	case <-ctx.Done():
		return fail(name, "check that the run directory is on a local file system", "a sample event was sent and did not arrive")
	}
}

// checkBoard asks the board that runs how well it sees: a source that has failed, and whether tmux is asked
// over the one client or started anew each time.
func (d *Desk) checkBoard(ctx context.Context) cli.Check {
	const name = "board"
	snap, running := d.askBoard(ctx)
	if !running {
		return ok(name, "none runs on this server")
	}
	remark := "tmux is asked over one client"
	for _, s := range snap.Sources {
		switch {
		case s.State == tracker.StateFailed:
			return warn(name, "", "one runs, and cannot read %s: %s", s.Source, s.Detail)
		case s.Source == tracker.SourceTmux && s.Detail != "":
			remark = s.Detail
		}
	}
	return ok(name, "one runs; %s", remark)
}

func (d *Desk) checkState(context.Context) cli.Check {
	if d.stateDir == "" {
		return fail("state", "set HOME", "there is no folder for the event log")
	}
	if err := os.MkdirAll(d.stateDir, 0o700); err != nil {
		return fail("state", "make it writable for you", "%v", err)
	}
	f, err := os.CreateTemp(d.stateDir, "doctor-")
	if err != nil {
		return fail("state", "make it writable for you", "%v", err)
	}
	f.Close()
	os.Remove(f.Name())
	return ok("state", "%s is writable", d.stateDir)
}

func (d *Desk) checkStatusFile(context.Context) cli.Check {
	dir := journal.StatusDir(d.env)
	info, err := os.Stat(filepath.Join(dir, "tmux-status.json"))
	switch {
	case errors.Is(err, os.ErrNotExist):
		return warn("status file", "a running board writes it, or `signalbox snapshot`", "nothing in %s yet", dir)
	case err != nil:
		return fail("status file", "make it readable for you", "%v", err)
	}
	return ok("status file", "%s, written %s ago", filepath.Join(dir, info.Name()), time.Since(info.ModTime()).Round(time.Second))
}

func (d *Desk) checkTerminal(context.Context) cli.Check {
	if !utf8Locale(d.env) {
		return warn("terminal", "set LANG or LC_ALL to a UTF-8 locale", "the locale is not UTF-8: the board draws ASCII shapes")
	}
	switch lipgloss.NewRenderer(os.Stdout).ColorProfile() {
	case termenv.TrueColor:
		return ok("terminal", "UTF-8, 16 million colours")
	case termenv.ANSI256:
		return ok("terminal", "UTF-8, 256 colours")
	case termenv.ANSI:
		return ok("terminal", "UTF-8, 16 colours")
	}
	return ok("terminal", "UTF-8, no colours (NO_COLOR, or not a terminal): status is told by shape and word")
}
