package tmuxctl

import (
	"cmp"
	"slices"

	"signalbox/tracker"
)

// place is where a window is listed: tmux shows a linked window, or one of a session group, once
// for each place.
type place struct {
	session tracker.SessionID
	index   int
	active  bool
}

// topology puts the records in order: sessions by id, windows by index, panes as tmux has them,
// each window once.
func (r records) topology() tracker.Topology {
	home := make(map[tracker.WindowID]place, len(r.panes))
	for i := range r.panes {
		p := &r.panes[i]
		here := place{p.session, p.window.Index, p.window.Active}
		if old, ok := home[p.window.ID]; !ok || r.better(here, old) {
			home[p.window.ID] = here
		}
	}
	t := tracker.Topology{Server: r.server.ServerID, Started: r.server.Started, Version: r.version, Sessions: make([]tracker.Session, 0, 8)}
	at := make(map[tracker.SessionID]int, 8)
	for i := range r.panes {
		p := &r.panes[i]
		n, ok := at[p.session]
		if !ok {
			n = len(t.Sessions)
			at[p.session] = n
			t.Sessions = append(t.Sessions, tracker.Session{
				ID: p.session, Name: p.name, Group: p.group, Attached: r.attached[p.session],
				Activity: unix(p.activity), Created: unix(p.created),
			})
		}
		if h := home[p.window.ID]; h.session == p.session && h.index == p.window.Index {
			t.Sessions[n].Windows = appendPane(t.Sessions[n].Windows, p)
		}
	}
	slices.SortFunc(t.Sessions, func(a, b tracker.Session) int { return cmp.Compare(idNumber(a.ID), idNumber(b.ID)) })
	return t
}

// better says whether a window should be listed here rather than there: under the attached
// session, else under the one with the lowest id. Where one session shows it twice, its current
// place wins.
func (r records) better(here, there place) bool {
	if here.session != there.session {
		a, b := r.attached[here.session] > 0, r.attached[there.session] > 0
		if a != b {
			return a
		}
		return idNumber(here.session) < idNumber(there.session)
	}
	if here.active != there.active {
		return here.active
	}
	return here.index < there.index
}

// appendPane adds the pane to its window. tmux prints the panes of a window together, so that the
// window is the last one or new.
func appendPane(ws []tracker.Window, p *record) []tracker.Window {
	if n := len(ws); n == 0 || ws[n-1].ID != p.window.ID {
		ws = append(ws, p.window)
	}
	w := &ws[len(ws)-1]
	w.Panes = append(w.Panes, p.pane)
	return ws
}
