package desk

import (
	"context"
	"os"
	"sync/atomic"
	"time"

	"signalbox/tmuxctl"
	"signalbox/tracker"
	"signalbox/tracker/engine"
	"signalbox/tracker/procs"
	"signalbox/tracker/registry"
	"signalbox/tracker/transcript"
	"signalbox/tui/config"
)

// sources are the running parts below a board. They are made by start and end with the supervisor.
type sources struct {
	desk    *Desk
	sup     *engine.Supervisor
	eng     *engine.Engine
	conn    *tmuxctl.Control // of this board; the one-shot commands start a tmux each
	connect bool             // conn may have a client in control mode
	asked   tmuxctl.Conn     // conn, with its log where --debug asks for one
	tmux    *tmuxctl.Poller
	list    *registry.AgentsPoller
	procs   *procs.Poller
	exits   *procs.Watcher
	files   *registry.Watch
	texts   *transcript.Watcher
	ears    *ears // receipts of what is sent
	board   *engine.Latest
	rewrite chan struct{}                    // asks for the status file to be written now
	nearest atomic.Pointer[tracker.Snapshot] // newest snapshot, for decisions of the sources

	attention attention
	hooks     *hookWatch // of a board with a screen, else nil
}

// boardSources lists the sources of a board in the order in which their health is shown.
var boardSources = [...]tracker.Source{
	tracker.SourceTmux, tracker.SourceRegistry, tracker.SourceHook,
	tracker.SourceTranscript, tracker.SourceProcess, tracker.SourceAgents,
}

// newState is an empty state that shortens this person's home folder, leaves out what we run
// ourselves and has been told what the configuration says of it.
func (d *Desk) newState(cfg config.Config) *tracker.State {
	st := tracker.NewState(boardSources[:]...)
	st.SetHome(d.env("HOME"))
	st.SetSelf(os.Getpid())
	chooseState(st, cfg)
	return st
}

// newSources makes everything and starts nothing.
func (d *Desk) newSources(sup *engine.Supervisor, cfg config.Config) *sources {
	s := &sources{desk: d, sup: sup, eng: engine.New(d.newState(cfg)), connect: cfg.TmuxClient}
	if d.trace != nil {
		s.eng.Observe(engine.Watch{Applied: d.trace.applied, Published: d.trace.published})
	}
	s.conn = tmuxctl.NewControl(d.conn, d.jumper(), func(n tmuxctl.Notice) { s.tmux.Notice(n) })
	s.asked = d.trace.traced(s.conn)
	s.tmux = tmuxctl.NewPoller(s.asked, d.server.Socket())
	s.list = registry.NewAgentsPoller(registry.NewAgentsClient(registry.AgentsEnv(d.environ, d.claudeDir), 0), procs.Executable)
	s.procs = procs.NewPoller()
	s.exits = procs.NewWatcher()
	s.files = registry.NewWatch(d.claudeDir, procs.Chain)
	s.texts = transcript.New(transcript.Config{ClaudeDir: d.claudeDir})
	s.ears = newEars(d.claudeDir)
	s.board = s.eng.Subscribe()
	s.rewrite = make(chan struct{}, 1)
	return s
}

// emit hands a fact to the engine; it is what most sources want.
func (s *sources) emit(ev tracker.Event) {
	_ = s.eng.Send(s.sup.Context(), ev) // the only error is the end of the program
}

// start starts engine and sources. They end together with the supervisor's context: a source that
// is sending just then gives up, and the engine applies what is in the channel already.
func (s *sources) start() {
	steer := s.eng.Subscribe()
	keep := s.eng.Subscribe()
	s.sup.Go("engine", s.eng.Run)
	s.sup.Go("tmux", func(ctx context.Context) error { return s.tmux.Poll(ctx, s.emit) })
	if s.connect {
		s.sup.Go("tmux connection", s.conn.Keep)
	} else {
		s.conn.Forgo("tmux_client is false in the configuration")
	}
	s.sup.Go("claude agents", func(ctx context.Context) error { return s.list.Run(ctx, s.emit) })
	s.sup.Go("processes", func(ctx context.Context) error { return s.procs.Run(ctx, s.emit) })
	s.sup.Go("exits", func(ctx context.Context) error { return s.exits.Run(ctx, s.emit) })
	s.sup.Go("registry", func(ctx context.Context) error { return s.files.Run(ctx, s.emitRegistry) })
	s.sup.Go("transcripts", func(ctx context.Context) error { return s.texts.Run(ctx, s.eng.Events()) })
	s.sup.Go("steer", func(ctx context.Context) error { return s.steer(ctx, steer) })
	s.sup.Go("journal", func(ctx context.Context) error { return s.keepJournal(ctx, keep) })
}

// emitRegistry also has tmux listed again when an agent appears in a pane nobody has seen.
func (s *sources) emitRegistry(ev tracker.Event) {
	s.emit(ev)
	if _, ok := ev.(tracker.RegistryRead); ok {
		s.list.Moved()
	}
	if r, ok := ev.(tracker.RegistryRead); ok && r.Entry != nil && r.Trust == tracker.TrustProven && !s.knows(r.Chain) {
		s.tmux.Hurry()
	}
}

// knows reports whether a process or one of its ancestors is the first process of a pane on the
// board.
func (s *sources) knows(chain []tracker.Process) bool {
	snap := s.nearest.Load()
	found := false
	snap.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		for _, p := range w.Panes {
			for _, c := range chain {
				found = found || p.PID == c.PID
			}
		}
		return !found
	})
	return found
}

// steer tells the sources what to look at whenever the board changes.
func (s *sources) steer(ctx context.Context, snaps *engine.Latest) error {
	var rev uint64
	seen := looks{self: tracker.PaneID(s.desk.env("TMUX_PANE")), at: map[tracker.PaneID]time.Time{}}
	for {
		wait, cancel := context.WithTimeout(ctx, screenPause)
		snap, err := snaps.Next(wait, rev)
		cancel()
		switch {
		case err == nil:
			rev = snap.Rev
			s.nearest.Store(snap)
		case ctx.Err() != nil, wait.Err() == nil:
			return nil
		}
		s.hooks.look(time.Now())
		if err != nil {
			if snap = s.nearest.Load(); snap == nil {
				continue
			}
		}
		now := time.Now()
		s.attend(snap, now)
		t := tracker.TargetsOf(snap, now)
		s.point(t)
		s.look(ctx, seen.due(snap, t.Screens, now))
	}
}

// point hands over the targets.
func (s *sources) point(t tracker.Targets) {
	s.procs.SetTargets(t.PanePIDs, t.Agents)
	s.procs.SetAwake(t.Awake)
	s.exits.SetTargets(t.Agents)
	s.list.SetAgents(t.Proven)
	s.texts.SetTargets(t.Transcripts)
}
