package settings

import (
	"fmt"
	"slices"

	"signalbox/tracker"
)

// A Report is what a settings file says about our hooks.
type Report struct {
	Exists    bool               // the file is there
	Installed []tracker.HookName // events that run the command asked about
	Stale     []tracker.HookName // events that run ours in another place or form
	Missing   []tracker.HookName // wanted events without us
	Excess    []tracker.HookName // events with us that are not wanted: this version may not know them
	Disabled  bool               // "disableAllHooks" is set in this very file
}

// Complete reports whether installing would change nothing.
func (r Report) Complete() bool {
	return len(r.Stale) == 0 && len(r.Missing) == 0 && len(r.Excess) == 0
}

// Status compares the settings file at path with what PlanInstall would make of it. Other settings
// files (project, managed) may add or disable hooks; they are not looked at.
func Status(path, command string, events []tracker.HookName) (Report, error) {
	c, err := load(path)
	if err != nil {
		return Report{}, err
	}
	if c.Before == nil {
		return Report{Missing: slices.Clone(events)}, nil
	}
	root, err := parse(c.Before)
	if err != nil {
		return Report{}, fmt.Errorf("%s:%w", path, err)
	}
	r := Report{Exists: true}
	if off := root.lookup("disableAllHooks"); off != nil {
		r.Disabled = off.kind == 't'
	}
	found := make(map[tracker.HookName]string) // the command that Claude Code runs
	for _, p := range find(root) {
		if p.counts(root) {
			found[tracker.HookName(p.event)] = p.command.str
			if ev := tracker.HookName(p.event); !slices.Contains(events, ev) && !slices.Contains(r.Excess, ev) {
				r.Excess = append(r.Excess, ev)
			}
		}
	}
	for _, ev := range events {
		switch run, ok := found[ev]; {
		case !ok:
			r.Missing = append(r.Missing, ev)
		case run != command:
			r.Stale = append(r.Stale, ev)
		default:
			r.Installed = append(r.Installed, ev)
		}
	}
	return r, nil
}
