package tui

import (
	"slices"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
)

// Pace of the preview. A capture is cheap but not free, and a picture that changes several times a
// second next to a calm board draws the eye for nothing.
const (
	previewSettle = 60 * time.Millisecond // after the selection moved: a held key captures nothing
	previewNews   = 250 * time.Millisecond
	previewBusy   = time.Second // while it keeps changing
	previewIdle   = 3 * time.Second
	// previewRest is the same for a picture that has stood still for so many looks: what is printed from then
	// on is news of its window, and a look costs the tmux server more than all the rest.
	previewRest = 30 * time.Second
	stillLooks  = 3
	shortScreen = 10 // lines: a lower panel leaves blank lines and rules out, to show the question too
	maxShots    = 24 // captured screens kept, so that coming back to a window shows it at once
)

// preview is the live screen of the selected pane.
type preview struct {
	shots    map[tracker.PaneID]*shot
	pane     tracker.PaneID // wanted now
	rev      uint64         // of its window when it was captured
	inflight bool
	due      time.Time // next capture; zero for none
}

// shot is one captured screen.
type shot struct {
	raw     Preview
	lines   []screenLine
	close   []screenLine // the same with one blank line where there are several, for when it does not fit
	dense   []screenLine // and without blank lines and rules, for a low panel
	wide    int          // cells of its longest line
	history int          // lines above the screen
	problem string
	at      time.Time
	still   int // captures in a row that brought nothing new
}

// follow keeps the preview on the selected pane. It returns a command when a capture is due.
func (m *Model) follow() tea.Cmd {
	p := &m.preview
	pane, rev := m.previewTarget()
	switch {
	case pane == "":
		p.pane, p.due = "", time.Time{}
		return nil
	case pane != p.pane:
		p.pane, p.rev = pane, rev
		p.due = m.now.Add(previewSettle)
		if p.shots[pane] == nil && len(p.shots) == 0 {
			p.due = m.now // the first picture of a new board
		}
		p.inflight = false // the answer on its way is for another pane
	case rev != p.rev:
		p.rev = rev
		wait := previewNews
		if !m.focused {
			wait = previewBusy
		}
		p.due = earliest(p.due, m.now.Add(wait))
	}
	if p.inflight || !m.inSight() || p.due.IsZero() || m.now.Before(p.due) {
		return nil
	}
	p.inflight = true
	m.seq.preview++
	return previewPane(m.board, pane, m.mode == reading && m.sheet.kind == sheetPeek, m.seq.preview)
}

// previewDue is when the timer has to look at the preview, zero while an answer is on its way.
func (m *Model) previewDue() time.Time {
	if m.preview.inflight || m.preview.pane == "" {
		return time.Time{}
	}
	return m.preview.due
}

// previewTarget is the pane to show: the selected one, if there is room for it and it is not the
// board itself.
func (m *Model) previewTarget() (tracker.PaneID, uint64) {
	peeking := m.mode == reading && m.sheet.kind == sheetPeek
	if !peeking && (m.areas.panel.h <= m.areas.facts || m.mode == reading) {
		return "", 0
	}
	if m.snap == nil || m.snap.Tmux.State != tracker.StateOK {
		return "", 0
	}
	if peeking {
		if _, w, p := m.snap.FindPane(m.sheet.pane); p != nil {
			return p.ID, w.Rev
		}
		return "", 0
	}
	pane := m.selectedPane()
	if pane == nil || pane.ID == m.opt.Self {
		return "", 0
	}
	c, _ := m.grid.Selected()
	return pane.ID, c.Window.Rev
}

func (m *Model) previewed(msg previewMsg) {
	p := &m.preview
	if msg.seq != m.seq.preview {
		return
	}
	p.inflight = false
	s := p.shots[msg.pane]
	if s == nil {
		s = &shot{}
		m.keepShot(msg.pane, s)
	}
	s.at = m.now
	if msg.err != nil {
		s.problem = msg.err.Error()
		s.still++
	} else if s.problem = ""; samePicture(s.raw, msg.preview) {
		s.still++
	} else {
		s.still = 0
		s.take(msg.preview, m)
	}
	if !m.focused { // until there is news of the window
		p.due = time.Time{}
		return
	}
	p.due = m.now.Add(s.pause())
}

// pause is how long the next look at a screen can wait.
func (s *shot) pause() time.Duration {
	switch {
	case s.still == 0:
		return previewBusy
	case s.still < stillLooks:
		return previewIdle
	}
	return previewRest
}

func (s *shot) take(p Preview, m *Model) {
	s.raw = p
	r := screenReader{profile: m.style.Profile}
	s.lines = make([]screenLine, len(p.Lines))
	for i, l := range p.Lines {
		s.lines[i] = r.line(l)
	}
	s.history = max(len(p.Lines)-p.Height, 0)
	if y := s.history + p.CursorY; p.Cursor && p.CursorX >= 0 && y >= 0 && y < len(s.lines) {
		s.lines[y] = s.lines[y].withCursor(p.CursorX)
	}
	s.wide = 0
	for _, l := range s.lines {
		s.wide = max(s.wide, l.width())
	}
	for n := len(s.lines); n > 0 && s.lines[n-1].blank(); n-- {
		s.lines = s.lines[:n-1]
	}
	s.close, s.dense = s.close[:0], s.dense[:0]
	gap := false
	for _, l := range s.lines {
		blank := l.blank()
		if !blank || !gap {
			s.close = append(s.close, l)
		}
		if gap = blank; !blank && !l.rule() {
			s.dense = append(s.dense, l)
		}
	}
}

func samePicture(a, b Preview) bool {
	return a.Width == b.Width && a.Height == b.Height && a.CursorX == b.CursorX && a.CursorY == b.CursorY &&
		a.Cursor == b.Cursor && slices.Equal(a.Lines, b.Lines)
}

// keepShot stores a shot and lets the oldest go.
func (m *Model) keepShot(pane tracker.PaneID, s *shot) {
	shots := m.preview.shots
	if len(shots) >= maxShots {
		var oldest tracker.PaneID
		for id, o := range shots {
			if oldest == "" || o.at.Before(shots[oldest].at) {
				oldest = id
			}
		}
		delete(shots, oldest)
	}
	shots[pane] = s
}
