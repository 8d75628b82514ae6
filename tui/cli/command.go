package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// Command is the whole command tree. open makes the desk once the flags are known.
func Command(version string, open func(Options) (Desk, error)) *cobra.Command {
	t := &tree{open: open}
	root := &cobra.Command{
		Use:   "signalbox",
		Short: "A board of lamps for the Claude Code agents in your tmux",
		Long: `Signalbox shows every tmux session and window live, says which Claude Code agent works,
which one waits for you and which one is done, and takes you there with one key.

Exit codes: 0 done, 1 internal error, 2 wrong usage or configuration, 3 refused by the interlock,
4 unconfirmed or withheld, 5 no such target or ambiguous, 6 tmux cannot be reached.`,
		Version:           version,
		Args:              atMost(0),
		SilenceErrors:     true,
		SilenceUsage:      true,
		PersistentPreRunE: func(*cobra.Command, []string) error { return t.check() },
		RunE: func(c *cobra.Command, _ []string) error {
			return t.with(func(d Desk) error { return d.Board(c.Context(), t.board) })
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usage("%w", err) })
	f := root.PersistentFlags()
	f.StringVarP(&t.opts.Name, "tmux-name", "L", "", "tmux server `NAME`, as tmux -L")
	f.StringVarP(&t.opts.Path, "tmux-socket", "S", "", "tmux server socket `PATH`, as tmux -S")
	f.StringVar(&t.opts.ClaudeDir, "claude-dir", "", "Claude Code's `DIR` (default $CLAUDE_CONFIG_DIR, else ~/.claude)")
	f.StringVar(&t.opts.Config, "config", "", "configuration `FILE`")
	f.StringVar(&t.opts.Debug, "debug", "", "append types, sizes and timings to `FILE`; never any prompt text")
	root.Flags().BoolVar(&t.board.Popup, "popup", false, "leave after a jump or a send, for tmux display-popup")
	root.Flags().BoolVar(&t.board.NoStatusFile, "no-status-file", false, "do not write the public status file")
	root.Flags().BoolVar(&t.board.ReadOnly, "read-only", false, "no keys that change anything")
	root.AddCommand(t.status(), t.watch(), t.explain(), t.send(), t.jump(), t.ack(), t.snapshot(), t.hooks(), t.doctor(), t.config(), t.demo())
	t.completion(root)
	return root
}

// tree carries the flags to the commands.
type tree struct {
	open  func(Options) (Desk, error)
	opts  Options
	board BoardOptions
}

func (t *tree) check() error {
	if t.opts.Name != "" && t.opts.Path != "" {
		return usage("-L and -S exclude each other")
	}
	return nil
}

func (t *tree) with(f func(Desk) error) error {
	d, err := t.open(t.opts)
	if err != nil {
		return err
	}
	return f(d)
}

// read takes one reading within the time a status line may take.
func read(ctx context.Context, d Desk) (*tracker.Snapshot, error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	return d.Read(ctx)
}

// find resolves a target to its pane.
func find(snap *tracker.Snapshot, target string) (*tracker.PaneRow, error) {
	id, err := tracker.Resolve(snap, target)
	if err != nil {
		if unanswered := tmuxAnswers(snap); unanswered != nil {
			return nil, unanswered
		}
		return nil, &Exit{Code: ExitNoTarget, Err: err, Hint: "signalbox status lists what there is"}
	}
	_, _, p := snap.FindPane(id)
	return p, nil
}

func (t *tree) status() *cobra.Command {
	var o StatusOptions
	var asJSON, tmux bool
	c := &cobra.Command{
		Use: "status [TARGET]", Short: "One reading, as a table", Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if asJSON && tmux {
				return usage("--json and --tmux exclude each other")
			}
			return t.with(func(d Desk) error {
				snap, err := read(c.Context(), d)
				if err != nil {
					if tmux { // nothing would read as nobody
						return errors.Join(tmuxProblem(c.OutOrStdout()), err)
					}
					return err
				}
				if len(args) > 0 {
					p, err := find(snap, args[0])
					if err != nil {
						return err
					}
					snap = only(snap, p.ID)
				}
				w := c.OutOrStdout()
				switch {
				case tmux:
					return TmuxLine(w, snap)
				case asJSON:
					return StatusJSON(w, snap, o)
				}
				return Status(w, snap, time.Now(), o.forTerminal(w))
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "the snapshot as JSON")
	c.Flags().BoolVar(&tmux, "tmux", false, "one line for status-right, with tmux colours")
	c.Flags().BoolVar(&o.Waiting, "waiting", false, "only rows that need a person")
	return c
}

func (t *tree) explain() *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use: "explain TARGET", Short: "Why a row has its status", Args: exactly("TARGET"),
		RunE: func(c *cobra.Command, args []string) error {
			return t.with(func(d Desk) error {
				snap, err := read(c.Context(), d)
				if err != nil {
					return err
				}
				p, err := find(snap, args[0])
				if err != nil {
					return err
				}
				if asJSON {
					if p.Agent == nil {
						return writeJSON(c.OutOrStdout(), struct{}{})
					}
					return writeJSON(c.OutOrStdout(), tracker.Explain(p.Agent))
				}
				return Explain(c.OutOrStdout(), snap, p, time.Now())
			})
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	return c
}

func (t *tree) jump() *cobra.Command {
	var next, back bool
	c := &cobra.Command{
		Use: "jump [TARGET]", Short: "Take this client there", Args: atMost(1),
		RunE: func(c *cobra.Command, args []string) error {
			if n := len(args) + btoi(next) + btoi(back); n != 1 {
				return usage("jump wants one of TARGET, --next or --back")
			}
			return t.with(func(d Desk) error {
				if back {
					return d.Back(c.Context())
				}
				snap, err := read(c.Context(), d)
				if err != nil {
					return err
				}
				if next {
					id, ok := tracker.NextUrgent(snap, d.Here(c.Context()))
					if !ok {
						if unanswered := tmuxAnswers(snap); unanswered != nil {
							return unanswered
						}
						return &Exit{Code: ExitNoTarget, Err: errors.New("nobody needs you")}
					}
					return d.Jump(c.Context(), id)
				}
				p, err := find(snap, args[0])
				if err != nil {
					return err
				}
				return d.Jump(c.Context(), p.ID)
			})
		},
	}
	c.Flags().BoolVar(&next, "next", false, "the most urgent row")
	c.Flags().BoolVar(&back, "back", false, "where you came from")
	return c
}

func (t *tree) ack() *cobra.Command {
	return &cobra.Command{
		Use: "ack TARGET", Short: "You have seen the result: review becomes idle", Args: exactly("TARGET"),
		RunE: func(c *cobra.Command, args []string) error {
			return t.with(func(d Desk) error {
				snap, err := read(c.Context(), d)
				if err != nil {
					return err
				}
				p, err := find(snap, args[0])
				if err != nil {
					return err
				}
				if p.Agent == nil || p.Agent.Verdict.Status != tracker.StatusReview {
					what := "there is no agent"
					if p.Agent != nil {
						what = "it " + style.Predicate(p.Agent.Verdict.Status)
					}
					return printed(c.OutOrStdout(), "nothing to acknowledge: "+what)
				}
				return d.Acknowledge(c.Context(), p.ID)
			})
		},
	}
}

func (t *tree) snapshot() *cobra.Command {
	var stdout bool
	c := &cobra.Command{
		Use: "snapshot", Short: "Write the public status file once", Args: atMost(0),
		RunE: func(c *cobra.Command, _ []string) error {
			return t.with(func(d Desk) error {
				snap, err := read(c.Context(), d)
				if err != nil {
					return err
				}
				if !stdout {
					return d.WriteStatusFile(c.Context(), snap)
				}
				data, err := PublicStatus(snap, time.Now())
				if err != nil {
					return err
				}
				_, err = c.OutOrStdout().Write(data)
				return err
			})
		},
	}
	c.Flags().BoolVar(&stdout, "stdout", false, "print it instead")
	return c
}

// exactly is cobra.ExactArgs(1) with a message that names what is missing.
func exactly(name string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usage("%s wants exactly one %s", c.Name(), name)
		}
		return nil
	}
}

// atMost is cobra.MaximumNArgs as wrong usage, which has an exit code of its own.
func atMost(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > n {
			return usage("%s does not know what to do with %q", c.CommandPath(), args[n])
		}
		return nil
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// only leaves nothing in the snapshot but one window.
func only(snap *tracker.Snapshot, id tracker.PaneID) *tracker.Snapshot {
	sess, win, _ := snap.FindPane(id)
	s, out := *sess, *snap
	s.Windows = []*tracker.WindowRow{win}
	out.Sessions, out.Background = []*tracker.SessionRow{&s}, nil
	out.Counts = tracker.Counts{}
	out.Counts.Add(win)
	return &out
}

// printed writes a text with exactly one line break at its end.
func printed(w io.Writer, text string) error {
	if text == "" {
		return nil
	}
	_, err := fmt.Fprintln(w, strings.TrimRight(text, "\n"))
	return err
}
