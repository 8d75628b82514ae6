package tui

import "signalbox/tui/style"

// liner appends one screen line piece by piece and never makes it wider than it may be.
type liner struct {
	style *style.Style
	b     []byte
	left  int // cells still free
}

func (m *Model) liner(b []byte, w int) liner { return liner{style: m.style, b: b, left: max(w, 0)} }

// put appends text, cut to the room there is.
func (l *liner) put(r style.Role, text string) {
	var n int
	l.b, n = l.style.AppendCut(l.b, r, text, l.left)
	l.left -= n
}

// raw appends finished text of a known width, or nothing if there is no room.
func (l *liner) raw(text string, w int) {
	if w > l.left {
		return
	}
	l.b = append(l.b, text...)
	l.left -= w
}

// gap appends spaces.
func (l *liner) gap(n int) {
	n = clamp(n, 0, l.left)
	l.b = style.Pad(l.b, n)
	l.left -= n
}

// column appends text at exactly w cells, or as many as there are.
func (l *liner) column(r style.Role, text string, w int) {
	w = min(w, l.left)
	l.b = l.style.AppendFit(l.b, r, text, w)
	l.left -= w
}

// end fills the line and returns the bytes.
func (l *liner) end() []byte {
	l.gap(l.left)
	return l.b
}
