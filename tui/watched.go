package tui

import "time"

// detachedGrace is how long a board goes on as if somebody saw it after the last client has left its
// session: people come back, and some look at a screen without attaching.
const detachedGrace = time.Minute

// notePlace takes what the snapshot says of the board's own window. A terminal tells of the focus only
// where it is asked to and can; that another window is shown, tmux tells always.
func (m *Model) notePlace() {
	sess, w, p := m.snap.FindPane(m.opt.Self)
	switch {
	case m.opt.Self == "" || p == nil || sess.Attached && w.Active:
		if !m.unseenFrom.IsZero() {
			m.unseenFrom = time.Time{}
			m.preview.due = m.now
		}
	case sess.Attached:
		m.unseenFrom = earliest(m.unseenFrom, m.now)
	case m.unseenFrom.IsZero():
		m.unseenFrom = m.now.Add(detachedGrace)
	}
}

// inSight reports whether the board is on a screen that somebody may see. Where it is not, no screen is
// read; what is to be said is drawn all the same.
func (m *Model) inSight() bool { return m.unseenFrom.IsZero() || m.now.Before(m.unseenFrom) }

// watched reports whether somebody is at the board. Beside somebody who is elsewhere nothing moves, and
// the live screen is read only where there is news.
func (m *Model) watched() bool { return m.focused && m.inSight() }
