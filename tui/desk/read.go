package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"signalbox/tmuxctl"
	"signalbox/tracker"
	"signalbox/tracker/engine"
	"signalbox/tracker/journal"
	"signalbox/tracker/procs"
	"signalbox/tracker/registry"
	"signalbox/tracker/transcript"
	"signalbox/tui/cli"
)

// Read implements cli.Desk. A board that watches the same server with the same Claude folder
// answers, so that nobody ever sees two opinions; without one the same sources are read once.
func (d *Desk) Read(ctx context.Context) (*tracker.Snapshot, error) {
	began := time.Now()
	snap, ok := d.askBoard(ctx)
	d.trace.step("ask a board", began, nil)
	if ok {
		return snap, nil
	}
	began = time.Now()
	snap, err := d.readHere(ctx)
	d.trace.step("read everything", began, err)
	return snap, err
}

// readHere derives a snapshot from one reading of every source, in the order in which they need
// each other: panes, processes, Claude's word, past hooks, and at last the few transcripts and
// screens that the first verdicts ask for.
func (d *Desk) readHere(ctx context.Context) (*tracker.Snapshot, error) {
	cfg, err := d.config()
	if err != nil {
		return nil, err
	}
	st := d.newState(cfg)
	began := time.Now()
	topo, err := tmuxctl.List(ctx, d.conn)
	switch {
	case errors.Is(err, tmuxctl.ErrNoServer):
		st.Apply(tracker.TmuxAbsent{At: began, Socket: d.server.Socket(), Detail: err.Error()})
	case err != nil:
		return nil, &cli.Exit{Code: cli.ExitNoTmux, Err: fmt.Errorf("listing tmux: %w", err), Hint: tmuxctl.Hint(err)}
	default:
		st.Apply(tracker.TmuxListed{At: began, Topology: topo})
	}
	st.Settle(began)
	if path := d.verdictsFile(); path != "" {
		r, err := journal.Load(path, began)
		if err != nil {
			st.Apply(tracker.SourceFailed{At: began, Source: tracker.SourceJournal, Reason: err.Error()})
		}
		st.Apply(r)
	}
	d.readProcesses(ctx, st)
	events, err := registry.Scan(ctx, d.claudeDir, procs.Chain)
	apply(st, tracker.SourceRegistry, events, err)
	events, err = d.pastHooks()
	apply(st, tracker.SourceHook, events, err)
	now := time.Now()
	st.Settle(now)
	t := tracker.TargetsOf(st.Snapshot(), now)
	for _, ev := range transcript.Look(transcript.Config{ClaudeDir: d.claudeDir}, t.Transcripts, now) {
		st.Apply(ev)
	}
	st.Apply(tracker.SourceWorks{At: now, Source: tracker.SourceTranscript})
	l := looks{at: map[tracker.PaneID]time.Time{}}
	ids := l.due(st.Snapshot(), t.Screens, now)
	if screens, err := tmuxctl.CaptureAll(ctx, d.conn, ids, tmuxctl.CaptureOptions{Colours: true}); err == nil {
		for _, scr := range screens {
			st.Apply(screenSeen(now, scr))
		}
	}
	st.Settle(time.Now())
	return st.Snapshot(), nil
}

func (d *Desk) readProcesses(ctx context.Context, st *tracker.State) {
	table := procs.NewTable()
	seen, err := table.Sweep(ctx, tracker.TargetsOf(st.Snapshot(), time.Now()).PanePIDs, nil)
	if err != nil {
		st.Apply(tracker.SourceFailed{At: time.Now(), Source: tracker.SourceProcess, Reason: err.Error()})
		return
	}
	st.Apply(seen)
	if ports, err := table.Ports(); err == nil && len(ports) > 0 {
		st.Apply(tracker.ProcessesSeen{At: seen.At, Procs: ports})
	}
	st.Apply(tracker.SourceWorks{At: seen.At, Source: tracker.SourceProcess})
}

// apply takes in what a source said and whether it could be read.
func apply(st *tracker.State, src tracker.Source, events []tracker.Event, err error) {
	now := time.Now()
	if err != nil {
		st.Apply(tracker.SourceFailed{At: now, Source: src, Reason: err.Error()})
		return
	}
	for _, ev := range events {
		st.Apply(ev)
	}
	st.Apply(tracker.SourceWorks{At: now, Source: src})
}

// Follow implements cli.Desk: a board without a screen.
func (d *Desk) Follow(ctx context.Context, f func(*tracker.Snapshot) error) error {
	cfg, err := d.config()
	if err != nil {
		return err
	}
	sup := engine.Supervise(ctx)
	src := d.newSources(sup, cfg)
	if err := src.listen(); err != nil {
		return fmt.Errorf("opening the hook socket: %w", err)
	}
	src.restore()
	src.start()
	snap, err := src.first(sup.Context())
	for err == nil {
		if err = f(snap); err == nil {
			snap, err = src.board.Next(sup.Context(), snap.Rev)
		}
	}
	if errors.Is(err, engine.ErrClosed) || errors.Is(err, context.Canceled) {
		err = ctx.Err()
	}
	return errors.Join(err, sup.Stop(stopLimit))
}

const (
	// firstQuiet is how long nothing may change before the first snapshot counts as whole: by then
	// every source has read what there is, and the transcripts of the agents that were found are in.
	firstQuiet = 400 * time.Millisecond
	// firstLimit is when it counts as whole although things go on changing.
	firstLimit = 3 * time.Second
)

// first is the first snapshot that tells what is, and not what has been read so far: each source has
// spoken, and what they said has been taken in. Whoever compares snapshots would else see changes
// that never happened.
func (s *sources) first(ctx context.Context) (*tracker.Snapshot, error) {
	var snap *tracker.Snapshot
	for deadline := time.Now().Add(firstLimit); ; {
		var rev uint64
		if snap != nil {
			rev = snap.Rev
		}
		wait, cancel := context.WithTimeout(ctx, firstQuiet)
		next, err := s.board.Next(wait, rev)
		cancel()
		switch {
		case err == nil:
			snap = next
		case ctx.Err() != nil || !errors.Is(err, context.DeadlineExceeded):
			return nil, err
		case snap != nil && snap.Tmux.State != tracker.StateUnknown && (spoken(snap) || time.Now().After(deadline)):
			return snap, nil
		}
		if snap != nil && snap.Tmux.State != tracker.StateUnknown && time.Now().After(deadline) {
			return snap, nil
		}
	}
}

// spoken reports whether every source has been read, or could not be. The slow list of agents is
// not waited for.
func spoken(snap *tracker.Snapshot) bool {
	for _, h := range snap.Sources {
		if h.State == tracker.StateUnknown && h.Source != tracker.SourceAgents {
			return false
		}
	}
	return true
}
