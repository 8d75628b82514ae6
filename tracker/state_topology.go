package tracker

import (
	"slices"
	"time"
)

const (
	// activityStep is how far the activity that a row shows may lag behind while output goes on. Ages
	// below ten seconds read "now", and what has just written is active for activeFor: until then
	// nothing to be seen depends on it, and a board full of spinning agents would be drawn anew after
	// every listing.
	activityStep = 7 * time.Second
	// outputPause is how long output must have paused for the row to be brought up to date. The time
	// of the last output is known to the second.
	outputPause = 2 * time.Second
)

// setTopology replaces the listing and marks the windows that differ.
func (s *State) setTopology(t Topology) Change {
	old := map[WindowID]*Window{}
	for i := range s.topo.Sessions {
		for j := range s.topo.Sessions[i].Windows {
			w := &s.topo.Sessions[i].Windows[j]
			old[w.ID] = w
		}
	}
	own, _ := s.place(s.self)
	changed := !sameSessions(s.topo.Sessions, t.Sessions) || s.usedAgain(t.Sessions)
	relink := s.topo.Server != t.Server
	s.topo = t
	clear(s.panes)
	clear(s.byPID)
	for i := range t.Sessions {
		for j := range t.Sessions[i].Windows {
			w := &t.Sessions[i].Windows[j]
			was := old[w.ID]
			if was == nil || !sameWindow(was, w) || s.writesAgain(w, own) {
				s.dirty[w.ID], changed = true, true
				relink = relink || was == nil || !samePanes(was, w)
			}
			delete(old, w.ID)
			for k := range w.Panes {
				p := &w.Panes[k]
				s.panes[p.ID] = paneRef{session: i, window: j, pane: p, win: w.ID}
				s.byPID[p.PID] = p.ID
			}
		}
	}
	c := ChangeNone
	if changed || len(old) > 0 {
		s.topDirty, c = true, ChangeDull
	}
	relink = relink || len(old) > 0
	if relink {
		s.nearProcs = nil
	}
	if relink || s.facts.strays {
		s.facts.dropStrays(s.panes)
	}
	s.unjoined = s.unjoined || relink || len(s.early) > 0
	c = max(c, s.join())
	s.noteOutput()
	return c
}

// noteOutput carries the activity of windows over to their agents.
func (s *State) noteOutput() {
	for _, a := range s.agents {
		ref, ok := s.panes[a.pane]
		if !ok {
			continue
		}
		at := s.topo.Sessions[ref.session].Windows[ref.window].Activity
		if newer(a.ev.OutputAt, at) && (a.verdict.Quiet || a.verdict.Status == StatusBusy) {
			s.judge(a)
		}
	}
}

func sameSessions(a, b []Session) bool {
	return slices.EqualFunc(a, b, func(x, y Session) bool {
		return x.ID == y.ID && x.Name == y.Name && x.Attached == y.Attached && x.Group == y.Group &&
			slices.EqualFunc(x.Windows, y.Windows, func(v, w Window) bool { return v.ID == w.ID })
	})
}

func sameWindow(a, b *Window) bool {
	return a.Index == b.Index && a.Name == b.Name && a.Active == b.Active && a.Zoomed == b.Zoomed &&
		slices.Equal(a.Panes, b.Panes)
}

// writesAgain reports whether a window has written so long after what its row shows that it counts,
// or has come to a pause since.
// What the board itself draws never does, or every frame would be followed by another one. own is
// the board's pane, "" while it is not known.
func (s *State) writesAgain(w *Window, own PaneID) bool {
	if len(w.Panes) == 1 && w.Panes[0].ID == own {
		return false
	}
	row := s.rows[w.ID]
	if row == nil {
		return true
	}
	lag := w.Activity.Sub(row.Activity)
	return lag >= activityStep || lag > 0 && s.now.Sub(w.Activity) >= outputPause
}

// usedAgain reports the same of the sessions and the keys pressed in them.
func (s *State) usedAgain(sessions []Session) bool {
	shown := s.last.Sessions
	for i := range sessions {
		if i >= len(shown) || sessions[i].Activity.Sub(shown[i].Activity) >= activityStep {
			return true
		}
	}
	return false
}

// samePanes reports whether the same processes live in the same panes.
func samePanes(a, b *Window) bool {
	return slices.EqualFunc(a.Panes, b.Panes, func(x, y Pane) bool { return x.ID == y.ID && x.PID == y.PID })
}
