package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"signalbox/hookrecv/settings"
	"signalbox/tracker"
	"signalbox/tui"
	"signalbox/tui/cli"
)

// errTemporary says that this program would be gone when Claude Code calls it.
var errTemporary = errors.New("this program was started by `go run` from a temporary file")

// self is the path of this program, as hooks will call it.
func self() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("where is this program: %w", err)
	}
	if strings.Contains(filepath.ToSlash(path), "/go-build") {
		return "", &cli.Exit{Code: cli.ExitUsage, Err: errTemporary, Hint: "go install . and run `signalbox hooks install`"}
	}
	return path, nil
}

// settingsFile is the file to edit.
func (d *Desk) settingsFile(flag string) string {
	if flag != "" {
		return flag
	}
	return filepath.Join(d.claudeDir, "settings.json")
}

// events are those that the installed Claude Code knows: an older one gives up its whole settings
// file over a single unknown name.
func (d *Desk) events(ctx context.Context) []tracker.HookName {
	v, err := d.claudeVersion(ctx)
	if err != nil {
		v = "" // none on PATH: the cautious list
	}
	return settings.EventsFor(v)
}

// InstallHooks implements cli.Desk.
func (d *Desk) InstallHooks(ctx context.Context, file string, dryRun bool) (string, error) {
	path, err := self()
	if err != nil {
		return "", err
	}
	c, err := settings.PlanInstall(d.settingsFile(file), settings.Command(path), d.events(ctx))
	return edited(c, err, dryRun, "the hooks are installed already in", "installed in", "the file as it was")
}

// UninstallHooks implements cli.Desk.
func (d *Desk) UninstallHooks(_ context.Context, file string, dryRun bool) (string, error) {
	c, err := settings.PlanUninstall(d.settingsFile(file))
	return edited(c, err, dryRun, "there are no hooks of signalbox in", "removed from", "the file with them")
}

// edited applies a planned change, unless it is only to be shown, and says what happened.
func edited(c *settings.Change, err error, dryRun bool, nothing, done, kept string) (string, error) {
	switch {
	case err != nil:
		return "", fmt.Errorf("nothing was changed: %w", err)
	case c.Empty():
		return nothing + " " + c.Path, nil
	case dryRun:
		return c.Diff(), nil
	}
	if err := c.Apply(); err != nil {
		return "", fmt.Errorf("the settings were not changed: %w", err)
	}
	text := done + " " + c.Path
	if b := c.Backup(); b != "" {
		text += "\n" + kept + ": " + b
	}
	return text, nil
}

// HooksStatus implements cli.Desk.
func (d *Desk) HooksStatus(ctx context.Context, file string) (string, error) {
	r, err := d.hooksReport(ctx, d.settingsFile(file))
	if err != nil {
		return "", err
	}
	path := d.settingsFile(file)
	var lines []string
	switch {
	case !r.Exists:
		lines = append(lines, "not installed: "+path+" does not exist")
	case r.Complete():
		lines = append(lines, fmt.Sprintf("installed in %s: %d events", path, len(r.Installed)))
	case len(r.Installed)+len(r.Stale) == 0:
		lines = append(lines, "not installed in "+path)
	default:
		lines = append(lines, "installed in part in "+path)
	}
	for _, part := range []struct {
		what   string
		events []tracker.HookName
	}{{"missing", r.Missing}, {"call another program of ours", r.Stale}, {"not known to this Claude Code", r.Excess}} {
		if len(part.events) > 0 && r.Exists && len(r.Installed)+len(r.Stale) > 0 {
			lines = append(lines, part.what+": "+joinNames(part.events))
		}
	}
	if r.Disabled {
		lines = append(lines, "but disableAllHooks is set in this file: none of them runs")
	}
	if !r.Complete() {
		lines = append(lines, "signalbox hooks install --dry-run shows what would change")
	}
	return strings.Join(lines, "\n"), nil
}

func joinNames(events []tracker.HookName) string {
	names := make([]string, len(events))
	for i, e := range events {
		names[i] = string(e)
	}
	return strings.Join(names, ", ")
}

func (d *Desk) hooksReport(ctx context.Context, file string) (settings.Report, error) {
	path, err := os.Executable()
	if err != nil {
		return settings.Report{}, fmt.Errorf("where is this program: %w", err)
	}
	return settings.Status(file, settings.Command(path), d.events(ctx))
}

// hookSetup is the state of the hooks for the board. Hooks of another signalbox count: they reach
// this board as well.
func (d *Desk) hookSetup(ctx context.Context) (tui.HookSetup, error) {
	s := tui.HookSetup{File: d.settingsFile("")}
	r, err := d.hooksReport(ctx, s.File)
	if err != nil {
		s.Problem = err.Error()
		return s, nil
	}
	if r.Disabled {
		s.Problem = "disableAllHooks is set in " + s.File
		return s, nil
	}
	if s.Installed = len(r.Missing) == 0 && len(r.Installed)+len(r.Stale) > 0; s.Installed {
		return s, nil
	}
	s.Partly = len(r.Installed)+len(r.Stale) > 0
	path, err := self()
	if err != nil {
		s.Problem = err.Error()
		var e *cli.Exit
		if errors.As(err, &e) {
			s.Problem += ": " + e.Hint
		}
		return s, nil
	}
	c, err := settings.PlanInstall(s.File, settings.Command(path), d.events(ctx))
	if err != nil {
		s.Problem = err.Error()
		return s, nil
	}
	s.Diff = strings.Split(strings.TrimRight(c.Diff(), "\n"), "\n")
	return s, nil
}

// demoHooks is a settings file with nothing but our hooks, for the demo's world. A program that
// `go run` made is there as long as the demo is.
func (d *Desk) demoHooks() ([]byte, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("where is this program: %w", err)
	}
	return settings.Create(settings.Command(path), settings.EventsFor(demoVersion)), nil
}
