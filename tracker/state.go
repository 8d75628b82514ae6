package tracker

import (
	"time"
)

// Change says how much an event changed what people see.
type Change uint8

const (
	ChangeNone    Change = iota
	ChangeDull           // something moved: may be merged with what follows for a frame
	ChangeNotable        // somebody waits for it: needs-input, review, gone. Publish at once.
)

// State holds every fact and the rows derived from them. It is owned by one goroutine (package
// engine); nothing in it is safe for concurrent use, everything it hands out is immutable.
type State struct {
	now       time.Time // newest time seen, from events and from Settle
	rev       uint64
	tmux      TmuxState
	topo      Topology
	panes     map[PaneID]paneRef
	byPID     map[int]PaneID // first process of a pane -> pane
	agents    map[AgentID]*agent
	gone      map[AgentID]ending // agents that ended: late facts do not bring them back
	early     []earlyHook        // hooks of processes not known yet
	unjoined  bool               // a fact came by which agents, processes and panes may join anew
	health    map[Source]*SourceHealth
	facts     facts
	replaying bool          // what the event log tells is no news
	inbox     []*Happening  // newest first; entries and slice are replaced, never written to
	inboxSeen time.Time     // see InboxSeen
	home      string        // for short paths in summaries
	self      int           // pid of the board; 0 for none
	quiet     time.Duration // see Evidence.QuietAfter

	written map[WindowID]WrittenSummary

	nearProcs map[PaneID][]Process // see procsIn; nil when procs or panes have changed since

	rows     map[WindowID]*WindowRow // of the last snapshot
	dirty    map[WindowID]bool
	allDirty bool
	topDirty bool      // sources, counts or background changed, but no window did
	settled  time.Time // time of the last Settle
	last     *Snapshot
}

type paneRef struct {
	session, window int // indexes into topo
	pane            *Pane
	win             WindowID
}

// ending is the end of a process. What one that had spoken as an agent has started stays its work.
type ending struct {
	at    time.Time
	spoke bool
}

// earlyHook is a hook whose agent is not known yet. It is kept for a while: the registry file or
// the process table may name the agent a moment later.
type earlyHook struct {
	ev HookReceived
}

// Bounds of what is kept for latecomers.
const (
	earlyKeep  = 30 * time.Second
	earlyLimit = 256
	goneKeep   = 10 * time.Minute
	// transcriptSpare is how many sums of sessions that nobody has open may wait for somebody.
	transcriptSpare = 16
	// maxSessions is how many sessions an agent is known by, the newest ones.
	maxSessions = 16
)

// NewState returns an empty state. sources lists the sources in use, in the order of display.
func NewState(sources ...Source) *State {
	s := &State{
		panes: map[PaneID]paneRef{}, byPID: map[int]PaneID{}, facts: newFacts(),
		agents: map[AgentID]*agent{}, gone: map[AgentID]ending{}, health: map[Source]*SourceHealth{}, dirty: map[WindowID]bool{},
		tmux: TmuxState{State: StateUnknown}, last: &Snapshot{}, allDirty: true,
	}
	for _, src := range sources {
		s.health[src] = &SourceHealth{Source: src, State: StateUnknown}
		s.last.Sources = append(s.last.Sources, *s.health[src])
	}
	return s
}

// SetHome tells the home directory, for short paths in summaries. It is to be called before the
// first Apply.
func (s *State) SetHome(dir string) { s.home = dir }

// SetSelf tells the pid of the board: an agent among the programs that it runs itself is no row. It
// is to be called before the first Apply.
func (s *State) SetSelf(pid int) { s.self = pid }

// SetQuietAfter tells after how long without a sign of progress a busy agent is quiet; negative for
// never. It is to be called before the first Apply.
func (s *State) SetQuietAfter(d time.Duration) { s.quiet = d }

// Apply takes in one event and says how much it changed.
//
// What one source says of an agent that another one has not told of yet is kept under its own key (see
// facts) and looked up whenever the agent is judged, so that it does not matter who speaks first.
func (s *State) Apply(ev Event) Change {
	return max(s.take(ev), s.join())
}

func (s *State) take(ev Event) Change {
	switch ev := ev.(type) {
	case TmuxListed:
		return s.applyListed(ev)
	case TmuxAbsent:
		return s.applyAbsent(ev)
	case SourceFailed:
		return s.applyFailed(ev)
	case SourceWorks:
		return s.applyWorks(ev)
	case RegistryRead:
		return s.applyRegistry(ev)
	case HookReceived:
		return s.applyHook(ev)
	case ProcessesSeen:
		return s.applyProcesses(ev)
	case ProcessExited:
		return s.applyExited(ev)
	case TranscriptRead:
		return s.applyTranscript(ev)
	case AgentsListed:
		return s.applyAgents(ev)
	case ScreenSeen:
		return s.applyScreen(ev)
	case Acknowledged:
		return s.applyAcknowledged(ev)
	case Restored:
		return s.applyRestored(ev)
	case InboxSeen:
		return s.applyInboxSeen(ev)
	case SummariesWritten:
		return s.applyWritten(ev)
	}
	return ChangeNone
}

// Settle judges again whatever the passing of time may have changed, and says how much it did.
func (s *State) Settle(now time.Time) Change {
	s.tick(now)
	c := ChangeNone
	for _, a := range s.agents {
		if n := a.verdict.Next; !n.IsZero() && !now.Before(n) {
			c = max(c, s.judge(a))
		}
		if n := s.owedAt(a); !n.IsZero() && !now.Before(n) {
			c = max(c, s.tellOwed(a))
		}
	}
	c = max(c, s.settleActivity(now))
	s.settled = now
	for id, e := range s.gone {
		if now.Sub(e.at) > goneKeep {
			delete(s.gone, id)
		}
	}
	return c
}

// settleActivity marks what has been without output or keys for activeFor.
func (s *State) settleActivity(now time.Time) Change {
	c := ChangeNone
	passed := func(at time.Time) bool { return at.After(s.settled) && !at.After(now) }
	for i := range s.topo.Sessions {
		sess := &s.topo.Sessions[i]
		if passed(sess.Activity.Add(activeFor)) {
			s.topDirty, c = true, ChangeDull
		}
		for j := range sess.Windows {
			if w := &sess.Windows[j]; passed(s.activeUntil(w)) {
				s.dirty[w.ID] = true
				c = ChangeDull
			}
		}
	}
	return c
}

// Next is when Settle may change something; zero for never.
func (s *State) Next() time.Time {
	var next time.Time
	for _, a := range s.agents {
		next = soonest(soonest(next, a.verdict.Next), s.owedAt(a))
	}
	for i := range s.topo.Sessions {
		if at := s.topo.Sessions[i].Activity.Add(activeFor); at.After(s.now) {
			next = soonest(next, at)
		}
		for j := range s.topo.Sessions[i].Windows {
			if at := s.activeUntil(&s.topo.Sessions[i].Windows[j]); at.After(s.now) {
				next = soonest(next, at)
			}
		}
	}
	return next
}

func (s *State) tick(at time.Time) { s.now = latest(s.now, at) }

func (s *State) applyFailed(ev SourceFailed) Change {
	s.tick(ev.At)
	h := s.source(ev.Source)
	if ev.At.Before(h.told) {
		return ChangeNone
	}
	h.told = ev.At
	if h.State == StateFailed && h.Detail == ev.Reason {
		return ChangeNone
	}
	if h.State != StateFailed {
		h.Since = ev.At
	}
	h.State, h.Detail = StateFailed, ev.Reason
	if ev.Source == SourceTmux {
		s.tmux.State, s.tmux.Detail = StateFailed, ev.Reason
	}
	s.topDirty = true
	return ChangeDull
}

func (s *State) applyWorks(ev SourceWorks) Change {
	s.tick(ev.At)
	h := s.source(ev.Source)
	if ev.At.Before(h.told) {
		return ChangeNone
	}
	h.told, h.LastOK = ev.At, ev.At
	if h.State == StateOK && h.Detail == ev.Detail {
		return ChangeNone
	}
	if h.State != StateOK {
		h.Since = ev.At
	}
	h.State, h.Detail = StateOK, ev.Detail
	s.topDirty = true
	return ChangeDull
}

func (s *State) source(src Source) *SourceHealth {
	h := s.health[src]
	if h == nil {
		h = &SourceHealth{Source: src, State: StateUnknown}
		s.health[src] = h
	}
	return h
}

func (s *State) applyAbsent(ev TmuxAbsent) Change {
	s.tick(ev.At)
	if ev.At.Before(s.facts.listedAt) {
		return ChangeNone
	}
	s.facts.listedAt = ev.At
	c := s.applyWorks(SourceWorks{At: ev.At, Source: SourceTmux})
	if s.tmux.State == StateAbsent {
		return c
	}
	s.tmux = TmuxState{Server: ServerID{Socket: ev.Socket}, State: StateAbsent, Detail: ev.Detail}
	s.setTopology(Topology{Server: s.tmux.Server})
	return ChangeDull
}

func (s *State) applyListed(ev TmuxListed) Change {
	s.tick(ev.At)
	if ev.At.Before(s.facts.listedAt) {
		return ChangeNone
	}
	s.facts.listedAt = ev.At
	c := s.applyWorks(SourceWorks{At: ev.At, Source: SourceTmux, Detail: ev.Detail})
	t := TmuxState{Server: ev.Topology.Server, Version: ev.Topology.Version, State: StateOK}
	if t != s.tmux {
		if t.Server != s.tmux.Server {
			s.facts.serverAt = ev.At
		}
		s.tmux, s.topDirty, c = t, true, ChangeDull
	}
	c = max(c, s.setTopology(ev.Topology))
	if s.dropPanes() {
		c = max(c, ChangeDull)
	}
	return c
}

func (s *State) applyScreen(ev ScreenSeen) Change {
	s.tick(ev.At)
	if !s.facts.addScreen(ev) {
		return ChangeNone
	}
	ref, ok := s.panes[ev.Pane]
	if !ok || ref.pane.PID != ev.PanePID {
		s.facts.strays = true
		return ChangeNone
	}
	s.dirty[ref.win] = true
	return max(ChangeDull, s.judgeIn(ev.Pane))
}

// judgeIn judges the agents of a pane of which something new was told.
func (s *State) judgeIn(pane PaneID) Change {
	c := ChangeNone
	for _, a := range s.agents {
		if a.pane == pane {
			s.touch(a)
			c = max(c, ChangeDull, s.judge(a))
		}
	}
	return c
}

func (s *State) applyAcknowledged(ev Acknowledged) Change {
	s.tick(ev.At)
	if ev.At.Before(s.facts.serverAt) {
		return ChangeNone // at a pane of the server before, which had the same ids
	}
	c := ChangeNone
	if s.facts.addLook(ev) {
		if _, ok := s.panes[ev.Pane]; !ok {
			s.facts.strays = true
		}
		c = s.judgeIn(ev.Pane)
	}
	if s.markRead(ev.Pane, ev.At) { // last: what this moment's own judgement has told was there to be seen
		c = max(c, ChangeDull)
	}
	return c
}
