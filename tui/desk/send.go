package desk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"signalbox/tmuxctl"
	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
	"signalbox/tracker/procs"
	"signalbox/tracker/registry"
	"signalbox/tui/cli"
)

// sender makes sends on the real machine. Its parts are shared by all sends of one process.
type sender struct {
	desk  *Desk
	conn  tmuxctl.Feeder
	list  *registry.AgentsPoller
	files *registry.Watch
	ears  *ears
}

// Send implements cli.Desk. The transaction is our own also where a board runs: whatever the board
// believes is asked again here.
func (d *Desk) Send(ctx context.Context, req cli.SendRequest, waiting func(cli.SendResult)) (cli.SendResult, error) {
	began := time.Now()
	s := &sender{desk: d, conn: d.conn, ears: newEars(d.claudeDir)}
	s.list = registry.NewAgentsPoller(registry.NewAgentsClient(registry.AgentsEnv(d.environ, d.claudeDir), 0), procs.Executable)
	s.files = registry.NewWatch(d.claudeDir, procs.Chain)
	t := targetOf(req.Snapshot, req.Pane)
	res := s.send(ctx, t, req, waiting)
	out := t.told(res)
	if res.Receipt != nil {
		out.Receipt.After = time.Since(began)
	}
	return out, nil
}

// send is one send of a command: a dry run, a send, or one that may wait.
func (s *sender) send(ctx context.Context, t target, req cli.SendRequest, waiting func(cli.SendResult)) interlock.Result {
	il := s.interlock(ctx, t)
	r := interlock.Request{
		Target: t.Target, Shared: t.shared, Text: req.Text, AsCommand: req.AsCommand,
		AllowBackground: req.AllowBackground, ReceiptTimeout: req.Timeout,
	}
	if req.DryRun {
		return dryRun(ctx, il, r)
	}
	// The sockets are only open while a receipt may come: a hook calls no more than a few boards, and
	// sends that wait must not take their places.
	attempt := func(ctx context.Context) interlock.Result {
		defer s.ears.open(ctx, s.desk.env)()
		return s.transact(ctx, il, r, nil)
	}
	res := attempt(ctx)
	if req.Queue <= 0 || !res.Waitable() {
		return res
	}
	queued := res
	queued.Outcome = interlock.Queued
	waiting(t.told(queued))
	w := waiter{attempt: attempt, standing: func(ctx context.Context) standing { return s.standing(ctx, r) }}
	return w.send(ctx, req.Queue, res)
}

// transact is one send with no other send to that pane beside it, of whatever process of this user:
// two texts that reach a box together would be one prompt that nobody wrote. Whoever comes second
// waits for the first and then finds what it left.
func (s *sender) transact(ctx context.Context, il *interlock.Interlock, r interlock.Request, tell func(interlock.Progress)) interlock.Result {
	turn := s.desk.turn(sendTurn(r.Target.Pane))
	if !turn.wait(ctx) {
		return interlock.Result{Outcome: interlock.Refused, Pane: string(r.Target.Pane), Detail: "another send to this pane is under way"}
	}
	defer turn.end()
	return il.Send(ctx, r, tell)
}

// sendTurn names the turn of a pane. Panes share few names so that files do not pile up; who shares
// one waits a little longer.
func sendTurn(id tracker.PaneID) string {
	n, _ := strconv.Atoi(strings.TrimPrefix(string(id), "%")) // what is no pane is refused later
	return fmt.Sprintf("send%02d", n&63)
}

// dryRun is a send that ends before anything is typed.
func dryRun(ctx context.Context, il *interlock.Interlock, r interlock.Request) interlock.Result {
	res := interlock.Result{Outcome: ready, Pane: string(r.Target.Pane), Lamps: il.Check(ctx, r, nil)}
	if red := res.Red(); len(red) > 0 {
		res.Outcome, res.Detail = interlock.Refused, interlock.Reasons(red)
	}
	return res
}

// ready is the outcome of a dry run with nothing in the way.
const ready interlock.Outcome = "ready"

// target is the agent that a person chose, with what is said of it.
type target struct {
	interlock.Target
	transcript string
	cwd        string
	problem    string // why nobody can be meant, or ""
	shared     bool   // another agent has the same session open
	remark     string // what there is to know although nothing is wrong
}

// targetOf is the agent that a snapshot shows in a pane. Without one the target is crippled on
// purpose: the interlock then says what else is wrong, and types nothing.
func targetOf(snap *tracker.Snapshot, id tracker.PaneID) target {
	t := target{Target: interlock.Target{Pane: id, Server: snap.Tmux.Server}}
	_, _, p := snap.FindPane(id)
	if p == nil {
		t.problem = fmt.Sprintf("there is no pane %s", id)
		return t
	}
	t.PanePID = p.PID
	if p.Agent == nil {
		t.problem = fmt.Sprintf("no agent runs in %s", id)
		return t
	}
	t.Agent, t.SessionID = p.Agent.ID, p.Agent.SessionID
	t.transcript, t.cwd = p.Agent.Transcript, p.Agent.CWD
	if t.shared = p.Agent.SharesSession; t.shared {
		t.remark = "another agent has the same session open"
	}
	return t
}

// lamp adds to the lamp of the target what only the snapshot knew.
func (t target) lamp(l interlock.Lamp) interlock.Lamp {
	switch {
	case l.Name != interlock.LampTarget:
	case t.problem != "" && !l.OK:
		l.Reason = t.problem
	case l.OK && l.Reason == "":
		l.Reason = t.remark
	}
	return l
}

// told is a result in the words of the commands, with what only the snapshot knew about the target.
func (t target) told(res interlock.Result) cli.SendResult {
	out := cli.SendResult{Outcome: cli.SendOutcome(res.Outcome), Target: t.Pane, Detail: res.Detail, Box: res.Box, Waitable: res.Waitable()}
	for _, l := range res.Lamps {
		l = t.lamp(l)
		out.Lamps = append(out.Lamps, cli.SendLamp{Name: l.Name, OK: l.OK, Reason: l.Reason})
	}
	if t.problem != "" && res.Outcome == interlock.Refused {
		out.Detail = interlock.LampTarget + ": " + t.problem
	}
	if res.Receipt != nil {
		out.Receipt = &cli.SendReceipt{At: res.Receipt.At, Source: res.Receipt.Source}
	}
	return out
}

// interlock is the transaction for one target.
func (s *sender) interlock(ctx context.Context, t target) *interlock.Interlock {
	j := s.desk.jumper()
	return &interlock.Interlock{
		Tmux:      interlock.NewServer(s.run),
		Processes: inspector{},
		Claude:    claude{list: s.list, files: s.files},
		Receipts:  s.ears.about(t.transcript),
		Editor:    editor{desk: s.desk, cwd: t.cwd, managed: managedSettings()},
		Self:      j.Pane, SelfPID: tmuxctl.ParseTmuxVar(j.Tmux).PID,
		PopupTTY: s.popupTTY(ctx, j),
	}
}

// run gives tmux a command list. Where it is certain that tmux never got it, the error says so.
func (s *sender) run(ctx context.Context, stdin []byte, commands ...[]string) ([]byte, error) {
	list := make([]tmuxctl.Command, len(commands))
	for i, c := range commands {
		list[i] = c
	}
	out, err := s.conn.Feed(ctx, stdin, list...)
	if errors.Is(err, tmuxctl.ErrNoTmux) || errors.Is(err, tmuxctl.ErrNoServer) || errors.Is(err, tmuxctl.ErrUnreachable) {
		err = fmt.Errorf("%w: %w", interlock.ErrNotSent, err)
	}
	return out, err
}

// popupTTY is the terminal of the client whose popup we run in, "" when we run in none. A popup has
// TMUX but no TMUX_PANE, and unlike a command run by a key binding it has a terminal. Its keys go
// to us and not to the pane below, so they are nobody's typing there.
func (s *sender) popupTTY(ctx context.Context, j tmuxctl.Jumper) string {
	if j.Tmux == "" || j.Pane != "" {
		return ""
	}
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return ""
	}
	tty.Close()
	name, _, err := tmuxctl.OwnClient(ctx, s.conn, j)
	if err != nil {
		return "" // then its keys count as typing, which at worst makes us wait
	}
	return name
}
