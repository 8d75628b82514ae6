package cli

import (
	"io"
	"maps"
	"slices"

	"signalbox/tracker"
)

// Changes prints what `watch` prints: the first snapshot whole, then one line of JSON for every
// verdict that changed. It is not safe for concurrent use.
type Changes struct {
	w     io.Writer
	begun bool
	last  map[string]seenVerdict
}

// seenVerdict is what was last printed of one agent.
type seenVerdict struct {
	verdict      tracker.Verdict
	pane, target string
}

// change is one line after the first. Agent is null for an agent that is gone.
type change struct {
	Version    int             `json:"version"`
	Rev        uint64          `json:"rev"` // of the snapshot that it is a part of
	At         float64         `json:"at"`
	Pane       string          `json:"pane"` // "" for a background agent
	Target     string          `json:"target"`
	Was        string          `json:"was"` // "none" for an agent that is new
	Agent      *jsonAgent      `json:"agent"`
	Background *jsonBackground `json:"background,omitempty"`
}

// NewChanges prints to w.
func NewChanges(w io.Writer) *Changes { return &Changes{w: w} }

// Write prints what is new in a snapshot. With a pane it prints only what concerns that pane.
func (c *Changes) Write(snap *tracker.Snapshot, pane tracker.PaneID) error {
	if pane != "" {
		if _, _, p := snap.FindPane(pane); p != nil {
			snap = only(snap, pane)
		} else {
			empty := *snap
			empty.Sessions, empty.Background = nil, nil
			snap = &empty
		}
	}
	now, order := map[string]seenVerdict{}, []string{}
	lines := map[string]change{}
	note := func(key string, v tracker.Verdict, ch change) {
		now[key] = seenVerdict{v, ch.Pane, ch.Target}
		order = append(order, key)
		ch.Version, ch.Rev, ch.At = jsonVersion, snap.Rev, sinceUnix(snap.At)
		lines[key] = ch
	}
	snap.Windows(func(s *tracker.SessionRow, w *tracker.WindowRow) bool {
		for _, p := range w.Panes {
			if pane != "" && p.ID != pane {
				continue
			}
			for _, a := range agentsIn(p) {
				ja := agentJSON(snap, p, a)
				note(a.ID.String(), a.Verdict, change{Pane: string(p.ID), Target: targetOf(s, w), Agent: &ja})
			}
		}
		return true
	})
	for _, b := range snap.Background {
		jb := jsonBackground{ID: b.ID, Name: b.Name, State: b.State, Status: b.Verdict.Status.String(), CWD: b.CWD, PID: b.PID}
		note("background "+b.ID, b.Verdict, change{Background: &jb})
	}
	before := c.last
	c.last = now
	if !c.begun {
		c.begun = true
		return writeJSON(c.w, toJSON(snap))
	}
	return c.writeChanged(snap, before, order, lines)
}

func (c *Changes) writeChanged(snap *tracker.Snapshot, before map[string]seenVerdict, order []string, lines map[string]change) error {
	for _, key := range order {
		was, known := before[key]
		if known && sameVerdict(was.verdict, c.last[key].verdict) {
			continue
		}
		ch := lines[key]
		ch.Was = was.verdict.Status.String() // "none" for the zero verdict of an unknown agent
		if err := writeJSON(c.w, ch); err != nil {
			return err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(before)) {
		was := before[key]
		if _, still := c.last[key]; still {
			continue
		}
		gone := change{Version: jsonVersion, Rev: snap.Rev, At: sinceUnix(snap.At), Pane: was.pane, Target: was.target, Was: was.verdict.Status.String()}
		if err := writeJSON(c.w, gone); err != nil {
			return err
		}
	}
	return nil
}

// sameVerdict ignores what changes without the verdict: times, sources, the next deadline.
func sameVerdict(a, b tracker.Verdict) bool {
	return a.Status == b.Status && a.Reason == b.Reason && a.Failed == b.Failed && a.Background == b.Background &&
		a.Subagents == b.Subagents && a.Compacting == b.Compacting && a.Dialog == b.Dialog && a.Gone == b.Gone &&
		a.Interrupted == b.Interrupted && a.Suspended == b.Suspended && a.Starting == b.Starting && a.Quiet == b.Quiet
}
