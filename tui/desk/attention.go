package desk

import (
	"sync"
	"time"

	"signalbox/tracker"
)

// hiddenAfter is how long the board's window must not have been on any screen before the sources
// slow down: a look at another window and back should find everything fresh.
const hiddenAfter = 10 * time.Second

// attention is whether a person may be looking at the board. A terminal tells of its focus only where
// it is asked to and can; that another window is shown, tmux tells always.
type attention struct {
	mu         sync.Mutex
	blurred    bool      // the terminal has lost the focus
	hiddenFrom time.Time // since when the board is on no screen; zero while it is
}

// Focus takes what the terminal tells of its focus.
func (s *sources) Focus(focused bool) {
	a := &s.attention
	a.mu.Lock()
	defer a.mu.Unlock()
	a.blurred = !focused
	s.rest(a.idle(time.Now()))
}

// attend takes what a snapshot tells of the board's own window.
func (s *sources) attend(snap *tracker.Snapshot, now time.Time) {
	a := &s.attention
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case onScreen(snap, s.conn.Own()):
		a.hiddenFrom = time.Time{}
	case a.hiddenFrom.IsZero():
		a.hiddenFrom = now
	}
	s.rest(a.idle(now))
}

func (a *attention) idle(now time.Time) bool {
	return a.blurred || !a.hiddenFrom.IsZero() && now.Sub(a.hiddenFrom) >= hiddenAfter
}

// rest tells the sources that nobody looks, or that somebody does again.
func (s *sources) rest(idle bool) {
	s.tmux.SetIdle(idle)
	s.procs.SetIdle(idle)
}

// onScreen reports whether the window of a pane is the one that an attached session shows. A board in
// no pane of this server is taken to be: nothing is known of its terminal.
func onScreen(snap *tracker.Snapshot, own tracker.PaneID) bool {
	if own == "" {
		return true
	}
	sess, w, p := snap.FindPane(own)
	return p == nil || sess.Attached && w.Active
}
