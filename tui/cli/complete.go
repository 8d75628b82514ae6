package cli

import (
	"context"
	"strings"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// completeTimeout bounds a completion. A person has pressed Tab and waits with a finger on the key.
const completeTimeout = 500 * time.Millisecond

// completion adds what shells offer: targets for the commands that take one, and nothing where a
// file name would be wrong.
func (t *tree) completion(root *cobra.Command) {
	// The errors are only for flags that do not exist.
	_ = root.RegisterFlagCompletionFunc("tmux-name", cobra.NoFileCompletions)
	_ = root.MarkPersistentFlagDirname("claude-dir")
	_ = root.MarkPersistentFlagFilename("config", "toml")
	t.complete(root)
}

func (t *tree) complete(c *cobra.Command) {
	c.ValidArgsFunction = cobra.NoFileCompletions
	if strings.Contains(c.Use, "TARGET") {
		c.ValidArgsFunction = t.targets
	}
	if c.Flags().Lookup("until") != nil {
		_ = c.RegisterFlagCompletionFunc("until", cobra.FixedCompletions(goals, cobra.ShellCompDirectiveNoFileComp))
	}
	for _, sub := range c.Commands() {
		t.complete(sub)
	}
}

// targets lists what a TARGET may be, each with what is there.
func (t *tree) targets(c *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp
	if len(args) > 0 {
		return nil, directive
	}
	ctx := c.Context()
	if ctx == nil {
		ctx = context.Background() // cobra completes without one
	}
	ctx, cancel := context.WithTimeout(ctx, completeTimeout)
	defer cancel()
	var out []string
	_ = t.with(func(d Desk) error { // an error would be printed into the person's command line
		snap, err := d.Glance(ctx)
		if err == nil {
			out = targetsOf(snap, c.Name() == "send" || c.Name() == "ack")
		}
		return err
	})
	return out, directive
}

// targetsOf names every window, its panes where it has several, and every agent with a name that is
// one of its kind; or only those with an agent, for what needs one.
func targetsOf(snap *tracker.Snapshot, agentsOnly bool) []string {
	var out []string
	add := func(target, what string) {
		if target != "" && !strings.ContainsFunc(target, func(r rune) bool { return unicode.IsControl(r) || unicode.IsSpace(r) }) {
			out = append(out, target+"\t"+style.Clean(what))
		}
	}
	names := map[string]int{}
	agents := map[string]string{}
	snap.Windows(func(s *tracker.SessionRow, w *tracker.WindowRow) bool {
		if w.Agent() != nil || !agentsOnly {
			add(targetOf(s, w), whatIs(w.Agent(), w))
		}
		for _, p := range w.Panes {
			if len(w.Panes) > 1 && (p.Agent != nil || !agentsOnly) {
				add(string(p.ID), whatIs(p.Agent, w))
			}
			for _, a := range agentsIn(p) {
				names[a.Name]++
				agents[a.Name] = "agent in " + targetOf(s, w) + ", " + words(a.Verdict)
			}
		}
		return true
	})
	snap.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool { // again, for the order of the board
		for _, p := range w.Panes {
			for _, a := range agentsIn(p) {
				if names[a.Name] == 1 {
					add(a.Name, agents[a.Name])
				}
			}
		}
		return true
	})
	return out
}

func whatIs(a *tracker.AgentRow, w *tracker.WindowRow) string {
	if a == nil {
		return w.Name
	}
	return first(a.Name, w.Name) + ", " + words(a.Verdict)
}
