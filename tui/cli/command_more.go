package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"signalbox/tracker"
)

// errReached ends a watch that has seen what it waited for.
var errReached = errors.New("reached")

func (t *tree) watch() *cobra.Command {
	var until string
	c := &cobra.Command{
		Use: "watch [TARGET]", Short: "Status as JSON lines: one snapshot, then every change of a verdict", Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			var want goal
			target := ""
			if len(args) > 0 {
				target = args[0]
			}
			if until != "" {
				if want = goalOf(until); want == nil {
					return usage("--until wants one of %s", strings.Join(goals, ", "))
				}
				if target == "" {
					return usage("--until wants a TARGET")
				}
			}
			return t.with(func(d Desk) error { return follow(c, d, target, want) })
		},
	}
	c.Flags().StringVar(&until, "until", "", "end when TARGET has this `STATUS`: "+strings.Join(goals, ", ")+";\ndone is a review of a turn that did not fail, and a failed one is exit status 1")
	return c
}

// follow prints changes until the target has the wanted status. Without one it goes on until it is
// interrupted, which is its ordinary end.
func follow(c *cobra.Command, d Desk, target string, want goal) error {
	lines := NewChanges(c.OutOrStdout())
	var pane tracker.PaneID
	ctx, end := whileRead(c.Context(), c.OutOrStdout())
	defer end()
	err := d.Follow(ctx, func(snap *tracker.Snapshot) error {
		if target != "" && pane == "" {
			p, err := find(snap, target)
			if err != nil {
				return err
			}
			pane = p.ID
		}
		if err := lines.Write(snap, pane); err != nil {
			return err
		}
		_, _, p := snap.FindPane(pane)
		switch {
		case pane == "":
		case p == nil:
			return &Exit{Code: ExitNoTarget, Err: fmt.Errorf("%s is gone", target)}
		case want != nil && p.Agent != nil:
			return want(p.Agent.Verdict)
		}
		return nil
	})
	if errors.Is(err, errReached) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

func (t *tree) hooks() *cobra.Command {
	var settings string
	var dryRun bool
	c := &cobra.Command{
		Use: "hooks", Short: "Install, remove or check the hooks in Claude Code's settings", Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.PersistentFlags().StringVar(&settings, "settings", "", "settings `FILE` (default settings.json in Claude Code's folder)")
	edit := func(use, short string, do func(Desk, context.Context, string, bool) (string, error)) *cobra.Command {
		e := &cobra.Command{Use: use, Short: short, Args: atMost(0), RunE: func(c *cobra.Command, _ []string) error {
			return t.with(func(d Desk) error {
				text, err := do(d, c.Context(), settings, dryRun)
				if err != nil {
					return err
				}
				return printed(c.OutOrStdout(), text)
			})
		}}
		e.Flags().BoolVar(&dryRun, "dry-run", false, "print what would change, change nothing")
		return e
	}
	status := &cobra.Command{
		Use: "status", Short: "Say whether the hooks are installed and complete", Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return t.with(func(d Desk) error {
				text, err := d.HooksStatus(c.Context(), settings)
				if err != nil {
					return err
				}
				return printed(c.OutOrStdout(), text)
			})
		},
	}
	c.AddCommand(edit("install", "Add our hooks, and nothing else", Desk.InstallHooks),
		edit("uninstall", "Take our hooks out again, byte for byte", Desk.UninstallHooks), status)
	return c
}

func (t *tree) doctor() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check tmux, hooks, registry and terminal, and say how to fix what is wrong", Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return t.with(func(d Desk) error {
				failed := 0
				err := d.Doctor(c.Context(), func(ck Check) {
					if ck.Grade == "fail" {
						failed++
					}
					fmt.Fprintf(c.OutOrStdout(), "%-5s %-12s %s\n", ck.Grade, ck.Name, ck.Text)
					if ck.Fix != "" {
						fmt.Fprintf(c.OutOrStdout(), "%-5s %-12s %s\n", "", "", "→ "+ck.Fix)
					}
				})
				if err == nil && failed > 0 {
					err = fmt.Errorf("%d of the checks failed", failed)
				}
				return err
			})
		},
	}
}

func (t *tree) demo() *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "The board on a private tmux server with simulated agents; nothing of yours is touched", Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return t.with(func(d Desk) error { return d.Demo(c.Context()) })
		},
	}
}

// sinceUnix is a time as Unix seconds with fraction; 0 for none.
func sinceUnix(t time.Time) float64 {
	if t.IsZero() {
		return 0
	}
	return float64(t.UnixMicro()) / 1e6
}
