package tmuxctl

import (
	"context"
	"fmt"
	"strings"

	"signalbox/tracker"
)

// Watcher is a terminal that shows a pane to a person.
type Watcher struct {
	Pane tracker.PaneID
	// Terminal is what the terminal says it is, as tmux has learned it: its answer to XTVERSION, and
	// its TERM. Either may be empty; both are untrusted.
	Version, Term string
}

const watcherLine = "C #{session_id} #{window_id} #{pane_id} #{?focus-events,1,0} [#{client_flags}] [#{client_termname}] #{client_termtype}"

// Watched lists the terminals with the pane that each one shows, and leaves out those that have lost
// the focus to another program. tmux knows of the focus only with its option focus-events; without
// it every terminal counts. The active pane of the window is the one that counts as shown.
func Watched(ctx context.Context, conn Conn) ([]Watcher, error) {
	out, err := ask(ctx, conn, Command{"list-clients", "-F", watcherLine})
	if err != nil {
		return nil, fmt.Errorf("listing clients: %w", err)
	}
	var ws []Watcher
	for line := range strings.Lines(string(out)) {
		rest, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "C ")
		f := fields{rest: rest}
		f.id('$')
		f.id('@')
		w := Watcher{Pane: tracker.PaneID(f.id('%'))}
		reports := f.number() == 1
		flags := f.bracketed()
		w.Term = clean(f.bracketed())
		w.Version = clean(f.rest)
		if !ok || f.bad {
			return nil, fmt.Errorf("listing clients: unexpected answer %q", clip(line))
		}
		focused := !reports || strings.Contains(","+flags+",", ",focused,")
		if countsAsAttached(flags) && focused {
			ws = append(ws, w)
		}
	}
	return ws, nil
}

// PassesThrough reports whether a pane may send sequences on to the terminals that show it, wrapped
// for tmux. Before 3.3 every pane may; since then it is an option.
func PassesThrough(ctx context.Context, conn Conn, pane tracker.PaneID) (bool, error) {
	if err := CheckPane(pane); err != nil {
		return false, err
	}
	out, err := ask(ctx, conn, Command{"display-message", "-p", "-t", string(pane), "P#{allow-passthrough}"})
	if err != nil {
		return false, fmt.Errorf("asking for allow-passthrough: %w", err)
	}
	word, ok := strings.CutPrefix(strings.TrimSpace(string(out)), "P")
	if !ok {
		return false, fmt.Errorf("asking for allow-passthrough: unexpected answer %q", clip(string(out)))
	}
	return word != "0" && word != "off", nil
}
