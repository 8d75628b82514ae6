package notify

import (
	"slices"
	"strconv"
	"time"

	"signalbox/tracker"
)

const (
	// gatherFor is how long the first news waits for more. A team of agents that stops at the same
	// question makes one message of it, and a permission prompt learns what it is for.
	gatherFor = 400 * time.Millisecond
	// pause is the shortest time between two messages: more often, nobody reads them.
	pause = 3 * time.Second
	// recovery is how long after its start the board still finds out about the past. It is for the
	// entries that bear the time of finding out.
	recovery = 5 * time.Second
)

// Notice is one thing to tell.
type Notice struct {
	Kind      tracker.HappeningKind `json:"kind"`
	At        time.Time             `json:"at"`
	Pane      tracker.PaneID        `json:"pane"`             // "" for an agent without a pane
	Target    string                `json:"target"`           // session:window, "" without a pane
	Closed    bool                  `json:"closed,omitempty"` // it had a pane that is there no more
	Name      string                `json:"name"`             // of the agent; may be ""
	Text      string                `json:"text"`             // what it is about
	SessionID string                `json:"sessionId"`
}

// Gather picks what is to be told out of the inboxes of consecutive snapshots. It is not safe for
// concurrent use.
type Gather struct {
	began time.Time
	kinds []tracker.HappeningKind

	known   map[entryID]fate // of the entries in the last inbox
	pending []*tracker.Happening
	due     time.Time // when pending is to be told; zero without any
	told    time.Time // when something was last told
}

// fate is what became of an entry.
type fate uint8

const (
	unseen fate = iota
	taken       // it waits, or was told, or is not to be told
	passed      // it was over before it could be told: the same may become true again
)

// entryID tells entries apart. Their texts change while they stand.
type entryID struct {
	agent tracker.AgentID
	kind  tracker.HappeningKind
	at    int64 // Unix nanoseconds: a decoded time has another location
}

func idOf(h *tracker.Happening) entryID { return entryID{h.Agent, h.Kind, h.At.UnixNano()} }

// NewGather picks entries of these kinds. began is when the board did.
func NewGather(began time.Time, kinds []tracker.HappeningKind) *Gather {
	return &Gather{began: began, kinds: kinds}
}

// Take looks at a snapshot.
func (g *Gather) Take(snap *tracker.Snapshot, now time.Time) {
	known := make(map[entryID]fate, len(snap.Inbox))
	for _, h := range slices.Backward(snap.Inbox) { // oldest first
		id := idOf(h)
		f := max(g.known[id], known[id])
		if f == unseen || f == passed && !h.Over {
			f = taken
			if g.isNews(h) {
				g.pending = append(g.pending, h)
			}
		}
		known[id] = f
	}
	g.known = known
	if len(g.pending) > 0 && g.due.IsZero() {
		g.due = now.Add(gatherFor)
		if next := g.told.Add(pause); next.After(g.due) {
			g.due = next
		}
	}
}

func (g *Gather) isNews(h *tracker.Happening) bool {
	since := g.began
	if h.Kind == tracker.HappenedEnded || h.Kind == tracker.HappenedQuiet {
		since = since.Add(recovery)
	}
	return slices.Contains(g.kinds, h.Kind) && !h.At.Before(since)
}

// Due is when Flush is to be called; zero for not now.
func (g *Gather) Due() time.Time { return g.due }

// Flush returns what is to be told, in the order in which it happened, and forgets it. What is over
// or was seen since is left out, and so is what is happening in a pane that somebody looks at.
func (g *Gather) Flush(snap *tracker.Snapshot, now time.Time, looked func(tracker.PaneID) bool) []Notice {
	newest := make(map[entryID]*tracker.Happening, len(snap.Inbox))
	for _, h := range slices.Backward(snap.Inbox) {
		newest[idOf(h)] = h
	}
	places := placesIn(snap)
	var out []Notice
	for _, h := range g.pending {
		if n := newest[idOf(h)]; n != nil {
			h = n
		}
		p, onBoard := places[h.Agent]
		switch {
		case h.Read:
			continue
		case h.Over && h.Kind != tracker.HappenedEnded:
			g.known[idOf(h)] = passed
			continue
		case h.Kind == tracker.HappenedEnded:
			p = placeOf(snap, h.Pane)
		case !onBoard:
			continue // of another server, or the work of another agent
		}
		if p.pane != "" && looked(p.pane) {
			continue
		}
		out = append(out, Notice{
			Kind: h.Kind, At: h.At, Pane: p.pane, Target: p.target, Name: h.Title, Text: h.Text, SessionID: h.SessionID,
			Closed: h.Pane != "" && p.pane == "",
		})
	}
	g.Drop()
	if len(out) > 0 {
		g.told = now
	}
	return out
}

// Drop forgets what was to be told.
func (g *Gather) Drop() { g.pending, g.due = nil, time.Time{} }

// place is where an agent lives.
type place struct {
	pane   tracker.PaneID
	target string
}

// placesIn finds every agent on the board; those without a pane have an empty place.
func placesIn(snap *tracker.Snapshot) map[tracker.AgentID]place {
	places := map[tracker.AgentID]place{}
	snap.Windows(func(s *tracker.SessionRow, w *tracker.WindowRow) bool {
		at := s.Name + ":" + strconv.Itoa(w.Index)
		for _, p := range w.Panes {
			if p.Agent != nil {
				places[p.Agent.ID] = place{p.ID, at}
			}
			for _, a := range p.Others {
				places[a.ID] = place{p.ID, at}
			}
		}
		return true
	})
	for _, b := range snap.Background {
		if !b.Agent.IsZero() {
			places[b.Agent] = place{}
		}
	}
	return places
}

// placeOf is for an agent that is gone: its pane may be as well.
func placeOf(snap *tracker.Snapshot, pane tracker.PaneID) place {
	s, w, p := snap.FindPane(pane)
	if p == nil {
		return place{}
	}
	return place{pane, s.Name + ":" + strconv.Itoa(w.Index)}
}
