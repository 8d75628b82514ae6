package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// SendRequest is a task for the agent in a pane.
type SendRequest struct {
	Snapshot        *tracker.Snapshot // what the person saw when they chose the pane
	Pane            tracker.PaneID
	Text            string
	AsCommand       bool          // a leading "/", "!", "#", "&" or "?" is meant as such
	AllowBackground bool          // an agent with a background shell counts as idle
	DryRun          bool          // the lamps only; nothing is typed
	Queue           time.Duration // how long to wait for a busy agent; 0 for not at all
	Timeout         time.Duration // how long to wait for the receipt; 0 for the default
}

// SendOutcome is how a send ended, in the words of the contract.
type SendOutcome string

// The outcomes. Queued is told when a send begins to wait; another outcome always follows. Ready is
// that of a dry run with nothing in the way.
const (
	SendDelivered   SendOutcome = "delivered"
	SendRefused     SendOutcome = "refused"
	SendWithheld    SendOutcome = "withheld"
	SendUnconfirmed SendOutcome = "unconfirmed"
	SendQueued      SendOutcome = "queued"
	SendReady       SendOutcome = "ready"
)

// SendLamp is the verdict on one condition of a send.
type SendLamp struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Reason string `json:"reason"` // for people; may be set on a green lamp, as a remark
}

// SendReceipt is Claude's acknowledgement.
type SendReceipt struct {
	At     time.Time
	Source tracker.Source // hook or transcript
	After  time.Duration  // since the send began
}

// MarshalJSON writes the time as all times of the contract are.
func (r SendReceipt) MarshalJSON() ([]byte, error) {
	return marshal(struct {
		At     float64        `json:"at"`
		Source tracker.Source `json:"source"`
	}{sinceUnix(r.At), r.Source})
}

// SendResult tells the truth about one send.
type SendResult struct {
	Outcome  SendOutcome    `json:"outcome"`
	Target   tracker.PaneID `json:"target"`
	Lamps    []SendLamp     `json:"lamps"` // all of them, in order, as last seen
	Detail   string         `json:"detail"`
	Box      string         `json:"box,omitempty"` // what was last seen in the input box, when something was typed
	Receipt  *SendReceipt   `json:"receipt,omitempty"`
	Waitable bool           `json:"-"` // nothing but the agent's being busy stands in the way
}

// Red lists the lamps that are not green.
func (r SendResult) Red() []SendLamp {
	var red []SendLamp
	for _, l := range r.Lamps {
		if !l.OK {
			red = append(red, l)
		}
	}
	return red
}

// maxStdin bounds what is read of standard input: more than can be sent, so that the reason is the
// right one.
const maxStdin = 1 << 20

func (t *tree) send() *cobra.Command {
	var req SendRequest
	var asJSON bool
	c := &cobra.Command{
		Use: "send TARGET [TEXT | -]", Short: "Send a task to an agent that is proven ready for it",
		Long: `Send types a task into the input box of a Claude Code agent and presses Enter, once, after
every lamp of the interlock is green; then it waits until Claude says that it has it.

The text is the second argument, or, with -, standard input. Exit status: 0 delivered, 3 refused
(nothing was typed), 4 typed but not sent or not acknowledged (the message says which, and what is
in the box), 5 no such target, 6 tmux cannot be reached.

With --json the outcome is one JSON object; a send that has to wait first prints one with the
outcome "queued".`,
		Args: sendArgs,
		RunE: func(c *cobra.Command, args []string) error {
			text, err := sendText(c, args)
			if err != nil {
				return err
			}
			if err := checkSend(c, req); err != nil {
				return err
			}
			req.Text = text
			if !c.Flags().Changed("timeout") {
				req.Timeout = 0
			}
			return t.with(func(d Desk) error { return send(c, d, args[0], req, asJSON) })
		},
	}
	f := c.Flags()
	f.BoolVar(&req.DryRun, "dry-run", false, "show the lamps, type nothing")
	f.BoolVar(&req.AsCommand, "as-command", false, "allow a leading /, !, #, & or ?")
	f.BoolVar(&req.AllowBackground, "allow-background", false, "send although a background shell is running")
	f.DurationVar(&req.Queue, "queue", 0, "wait up to `DURATION` for a busy agent to become idle")
	f.DurationVar(&req.Timeout, "timeout", defaultReceipt, "wait up to `DURATION` for the receipt;\nwithout this flag longer, while hooks of the agent hold the task")
	f.BoolVar(&asJSON, "json", false, "the outcome as JSON")
	return c
}

// defaultReceipt is how long Claude may take to acknowledge a task.
const defaultReceipt = 5 * time.Second

func sendArgs(_ *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return usage("send wants a TARGET and a TEXT")
	case len(args) > 2:
		return usage("send does not know what to do with %q: a text of several words is one argument, in quotes", args[2])
	}
	return nil
}

func checkSend(c *cobra.Command, req SendRequest) error {
	changed := c.Flags().Changed
	switch {
	case req.DryRun && changed("queue"):
		return usage("--dry-run and --queue exclude each other")
	case changed("queue") && req.Queue <= 0:
		return usage("--queue wants how long to wait, such as 10m")
	case req.Timeout <= 0:
		return usage("--timeout wants how long to wait, such as 5s")
	}
	return nil
}

// sendText is the task: the argument, or standard input for "-". Without a terminal on standard
// input a missing text is an ordinary mistake, too: nobody should send what happens to be there.
func sendText(c *cobra.Command, args []string) (string, error) {
	if len(args) < 2 {
		return "", usage("send wants a TEXT, or - for standard input")
	}
	if args[1] != "-" {
		return args[1], nil
	}
	data, err := io.ReadAll(io.LimitReader(c.InOrStdin(), maxStdin+1))
	switch {
	case err != nil:
		return "", fmt.Errorf("reading standard input: %w", err)
	case len(data) > maxStdin:
		return "", usage("standard input has more than %d bytes: write a file and name it", maxStdin)
	}
	return string(data), nil
}

// send resolves the target, sends, and turns the outcome into words and an exit code.
func send(c *cobra.Command, d Desk, target string, req SendRequest, asJSON bool) error {
	snap, err := read(c.Context(), d)
	if err != nil {
		return err
	}
	if err := tmuxAnswers(snap); err != nil {
		return err
	}
	p, err := find(snap, target)
	if err != nil {
		return err
	}
	req.Snapshot, req.Pane = snap, p.ID
	var broken error
	res, err := d.Send(c.Context(), req, func(r SendResult) {
		if asJSON {
			broken = errors.Join(broken, writeJSON(c.OutOrStdout(), r))
			return
		}
		fmt.Fprintf(c.ErrOrStderr(), "waiting up to %s: %s\n", req.Queue, style.Clean(r.Detail))
	})
	if err != nil {
		return err
	}
	if asJSON {
		err = writeJSON(c.OutOrStdout(), res)
	} else {
		err = SendText(c.OutOrStdout(), snap, req, res)
	}
	return errors.Join(broken, err, sendExit(snap, req, res))
}

// tmuxAnswers is the error for a tmux that does not answer: what is known of its panes is nothing, or old.
func tmuxAnswers(snap *tracker.Snapshot) error {
	switch snap.Tmux.State {
	case tracker.StateAbsent:
		return &Exit{Code: ExitNoTmux, Err: fmt.Errorf("no tmux server runs at %s", snap.Tmux.Server.Socket), Hint: "choose another with -L or -S"}
	case tracker.StateFailed:
		return &Exit{Code: ExitNoTmux, Err: fmt.Errorf("tmux cannot be reached: %s", style.Clean(snap.Tmux.Detail))}
	}
	return nil
}

// sendExit is the error that an outcome leads to.
func sendExit(snap *tracker.Snapshot, req SendRequest, res SendResult) error {
	code := ExitUnconfirmed
	switch res.Outcome {
	case SendDelivered, SendReady:
		return nil
	case SendRefused:
		code = ExitRefused
	}
	text := fmt.Sprintf("%s: %s", res.Outcome, style.Clean(res.Detail))
	if res.Box != "" {
		text += fmt.Sprintf("; the input box of %s holds %q", paneName(snap, req.Pane), shortened(res.Box))
	}
	return &Exit{Code: code, Err: errors.New(text), Hint: sendHint(req, res)}
}

// sendHint says what helps.
func sendHint(req SendRequest, res SendResult) string {
	jump := "signalbox jump " + string(req.Pane) + " takes you there"
	if res.Outcome != SendRefused {
		return jump
	}
	red := res.Red()
	for _, l := range red {
		switch {
		case l.Name == "text" && !req.AsCommand && startsWithMark(req.Text):
			return "--as-command sends it as such"
		case l.Name == "target":
			return "signalbox status lists what there is"
		case l.Name == "text":
			return ""
		}
	}
	switch {
	case len(red) == 0:
		return ""
	case res.Waitable && req.Queue == 0:
		return "--queue 10m waits until it is idle"
	}
	return jump
}

// startsWithMark reports whether Claude would take the text for something other than a prompt.
func startsWithMark(text string) bool {
	text = strings.TrimSpace(text)
	return text != "" && strings.IndexByte("/!#&?", text[0]) >= 0
}

// shortened is a text on one line that is short enough for a message.
func shortened(text string) string {
	const most = 120
	r := []rune(strings.Join(strings.Fields(style.Clean(text)), " "))
	if len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return string(r)
}
