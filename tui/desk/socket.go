package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"signalbox/hookrecv"
	"signalbox/hookrecv/paths"
	"signalbox/tracker"
	"signalbox/tracker/procs"
)

// Questions that the one-shot commands put to a running board.
const (
	askSnapshot = "snapshot"
	askSeen     = "acknowledge"
)

// identity says which world a board watches. Two boards of different worlds do not answer for each
// other.
type identity struct {
	Socket    string `json:"socket"`
	ClaudeDir string `json:"claudeDir"`
}

func (d *Desk) identity() identity {
	return identity{Socket: d.server.Socket(), ClaudeDir: d.claudeDir}
}

// seen is the question askSeen.
type seen struct {
	World identity       `json:"world"`
	Pane  tracker.PaneID `json:"pane"`
}

// reply is the answer to every question.
type reply struct {
	World    identity          `json:"world"`
	Snapshot *tracker.Snapshot `json:"snapshot,omitempty"`
}

// errNoHome says that there is no place for a socket.
var errNoHome = errors.New("neither XDG_RUNTIME_DIR nor HOME is set")

// listen opens the sockets and serves them. Where none can be opened the board works without
// hooks and says why: that is a source that failed, not an end.
func (s *sources) listen() error {
	var problems []error
	var listeners []net.Listener
	for _, dir := range paths.RunDirs(s.desk.env) {
		ln, err := hookrecv.Listen(dir, os.Getpid())
		if err != nil {
			problems = append(problems, err)
			continue
		}
		listeners = append(listeners, ln)
	}
	if len(listeners) == 0 {
		if len(problems) == 0 {
			problems = append(problems, errNoHome)
		}
		s.emit(tracker.SourceFailed{At: time.Now(), Source: tracker.SourceHook, Reason: errors.Join(problems...).Error()})
		return nil
	}
	h := hookrecv.Handler{Emit: s.emitHook, Chain: procs.Chain, Ask: s.answer}
	for _, ln := range listeners {
		s.sup.Go("hook socket", func(ctx context.Context) error { return hookrecv.Serve(ctx, ln, h) })
	}
	s.emit(tracker.SourceWorks{At: time.Now(), Source: tracker.SourceHook})
	s.sup.Go("event log", func(ctx context.Context) error { s.replay(); return s.overhear(ctx) })
	return nil
}

// emitHook also has tmux listed again when a hook comes from a pane nobody has seen.
func (s *sources) emitHook(ev tracker.HookReceived) {
	s.ears.hear(ev)
	s.emit(ev)
	if len(ev.Chain) > 0 && !s.knows(ev.Chain) {
		s.tmux.Hurry()
	}
}

// replay hands over what the event log says of agents that live now.
func (s *sources) replay() {
	events, err := s.desk.pastHooks()
	for _, ev := range events {
		s.emit(ev)
	}
	if err != nil {
		s.report(tracker.SourceJournal)(fmt.Errorf("reading the event log: %w", err))
	}
}

const (
	// overhearEvery is how often the event log is looked at for calls that never reached the socket.
	overhearEvery = 2 * time.Second
	// overhearSlack is how much older than its line in the log a call may be.
	overhearSlack = 5 * time.Second
	// overhearSpare is read before the end that was seen last: half a line may have stood there.
	overhearSpare = 64 << 10
)

// overhear reads what has been added to the event log. A hook gives up on a board that does not take
// it at once, because it must not hold up its agent; on a machine at its limit that happens. Every call
// is in the log as well, and taking the same one twice changes nothing.
func (s *sources) overhear(ctx context.Context) error {
	path := paths.EventLog(s.desk.env)
	if path == "" {
		return nil
	}
	tick := time.NewTicker(overhearEvery)
	defer tick.Stop()
	var size int64
	last := time.Now()
	if info, err := os.Stat(path); err == nil {
		size = info.Size()
	}
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() == size {
			continue
		}
		grown := info.Size() - size
		if grown < 0 { // a new file: the rest of the old one is read with it
			grown = logTail
		}
		since := last.Add(-overhearSlack)
		size, last = info.Size(), time.Now()
		calls, _ := hookrecv.ReadLog(path, since, min(grown+overhearSpare, logTail), procs.Chain) // the next turn tries again
		for _, c := range calls {
			c.Replayed = false
			s.emit(c)
		}
	}
}

// logTail is how much of the event log is read back: some thousands of hooks.
const logTail = 2 << 20

// pastHooks reads the event log. Many hooks are of few processes, so each process is read once.
func (d *Desk) pastHooks() ([]tracker.Event, error) {
	path := paths.EventLog(d.env)
	if path == "" {
		return nil, nil
	}
	known := map[int][]tracker.Process{}
	chain := func(pid int) []tracker.Process {
		c, ok := known[pid]
		if !ok {
			c = procs.Chain(pid)
			known[pid] = c
		}
		return c
	}
	calls, err := hookrecv.ReadLog(path, time.Time{}, logTail, chain)
	events := make([]tracker.Event, len(calls))
	for i, c := range calls {
		events[i] = c
	}
	return events, err
}

// answer serves the one-shot commands.
func (s *sources) answer(_ context.Context, what string, args json.RawMessage) (any, error) {
	switch what {
	case askSnapshot:
		snap := s.board.Peek()
		if snap == nil {
			return nil, errors.New("the board has only just started")
		}
		return reply{World: s.desk.identity(), Snapshot: snap}, nil
	case askSeen:
		var q seen
		if err := json.Unmarshal(args, &q); err != nil {
			return nil, fmt.Errorf("unreadable question: %w", err)
		}
		if q.World != s.desk.identity() {
			return nil, errors.New("this board watches another server")
		}
		s.emit(tracker.Acknowledged{At: time.Now(), Pane: q.Pane})
		return reply{World: q.World}, nil
	}
	return nil, fmt.Errorf("unknown question %q", what)
}

// askTimeout bounds a question to the boards. A living one answers in a millisecond.
const askTimeout = 300 * time.Millisecond

// ask puts a question to the boards of our world and returns the first good answer.
func (d *Desk) ask(ctx context.Context, what string, args any) (reply, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	var r reply
	_, err := hookrecv.Ask(ctx, paths.RunDirs(d.env), what, args, func(a hookrecv.Answer) bool {
		r = reply{}
		return json.Unmarshal(a.Body, &r) == nil && r.World == d.identity()
	})
	return r, err
}

// askBoard asks a running board for its snapshot. A board that has not heard from tmux yet knows
// less than a reading of our own, and one that cannot reach tmux shows what was once: a reading of
// our own then says that, or is better.
func (d *Desk) askBoard(ctx context.Context) (*tracker.Snapshot, bool) {
	r, err := d.ask(ctx, askSnapshot, nil)
	if err != nil || r.Snapshot == nil {
		return nil, false
	}
	state := r.Snapshot.Tmux.State
	return r.Snapshot, state != tracker.StateUnknown && state != tracker.StateFailed
}

// Acknowledge implements cli.Desk: it tells every running board, or, without one, notes it in the
// last verdicts.
func (d *Desk) Acknowledge(ctx context.Context, pane tracker.PaneID) error {
	if d.tellSeen(ctx, pane) {
		return nil
	}
	return d.acknowledgeHere(ctx, pane)
}

// tellSeen tells every board of our world that the person has seen the result of a pane's agent: a
// person has one pair of eyes, whatever they look through. It reports whether there was one to tell.
func (d *Desk) tellSeen(ctx context.Context, pane tracker.PaneID) (told bool) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	// A board of another world refuses, and that is no mistake.
	_, _ = hookrecv.Ask(ctx, paths.RunDirs(d.env), askSeen, seen{World: d.identity(), Pane: pane}, func(hookrecv.Answer) bool {
		told = true
		return false // every board is to hear of it
	})
	return told
}
