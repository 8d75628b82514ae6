package tui

import (
	"strings"

	"signalbox/tui/style"
)

// textRow is one line of a sheet or of the panel: columns of text, before them a lamp.
type textRow struct {
	marked bool // with the bar of the selection
	pieces []piece
}

// piece is a run of text, or a lamp, with its column's width.
type piece struct {
	role   style.Role
	text   string
	w      int // cells; 0 for as many as the text needs
	most   int // and no more than this; 0 for as many as there are
	isLamp bool
	lamp   style.Lamp
	still  bool // the lamp does not move: it tells of the past
}

// Widths of columns.
const (
	labelWidth = 8 // the short words in front of facts
	lampPiece  = 2
)

func txt(r style.Role, text string) piece { return piece{role: r, text: text} }

func col(r style.Role, text string, w int) piece { return piece{role: r, text: text, w: w} }

func short(r style.Role, text string, most int) piece { return piece{role: r, text: text, most: most} }

// row begins with a lamp; LampNone leaves its place empty, so that texts stay in line.
func row(l style.Lamp, pieces ...piece) textRow {
	return textRow{pieces: append([]piece{{isLamp: true, lamp: l, w: lampPiece}}, pieces...)}
}

func textLine(r style.Role, text string) textRow { return row(style.LampNone, txt(r, text)) }

func pair(label string, r style.Role, text string) textRow {
	return row(style.LampNone, col(style.Dim, label, labelWidth), txt(r, text))
}

func (t textRow) mark(on bool) textRow {
	t.marked = on
	return t
}

// appendRow appends a row at exactly w cells.
func (m *Model) appendRow(b []byte, t textRow, w int) []byte {
	l := m.liner(b, w)
	if t.marked {
		l.put(style.Strong, m.style.Signs.Bar)
	} else {
		l.gap(1)
	}
	for _, p := range t.pieces {
		switch {
		case p.isLamp:
			frame := m.frame
			if p.still {
				frame = 0
			}
			l.raw(m.style.Lamp(p.lamp, frame), 1)
			l.gap(p.w - 1)
		case p.w > 0:
			if p.text != "" {
				l.column(p.role, p.text, p.w-1)
				l.gap(1)
			} else {
				l.gap(p.w)
			}
		case p.most > 0 && p.most < l.left:
			rest := l.left - p.most
			l.left = p.most
			l.put(p.role, p.text)
			l.left += rest
		default:
			l.put(p.role, p.text)
		}
	}
	return l.end()
}

// besides lays blocks out in columns of one width, each block under the shortest column so far.
func besides(blocks [][]textRow, columns, width int) []textRow {
	stacks := make([][]textRow, columns)
	for _, b := range blocks {
		least := 0
		for i := range stacks {
			if len(stacks[i]) < len(stacks[least]) {
				least = i
			}
		}
		stacks[least] = append(stacks[least], b...)
	}
	longest := 0
	for _, s := range stacks {
		longest = max(longest, len(s))
	}
	out := make([]textRow, longest)
	for y := range out {
		for _, s := range stacks {
			if y < len(s) {
				out[y].pieces = append(out[y].pieces, s[y].filled(width)...)
			} else {
				out[y].pieces = append(out[y].pieces, col(style.Text, "", width))
			}
		}
	}
	return out
}

// filled is the row's pieces with the last one widened, so that together they take width cells.
func (t textRow) filled(width int) []piece {
	out := append([]piece(nil), t.pieces...)
	for _, p := range out[:len(out)-1] {
		width -= p.w
	}
	out[len(out)-1].w = max(width, 1)
	return out
}

// wrapped breaks rows whose last text does not fit into up to most lines, the further ones indented
// below it. Rows cut at the edge lose the end of a sentence, which is often the point of it.
func wrapped(rows []textRow, w, most int) []textRow {
	out := make([]textRow, 0, len(rows))
	for _, r := range rows {
		last := len(r.pieces) - 1
		before := 1
		for _, p := range r.pieces[:last] {
			if p.w == 0 {
				before += style.Width(style.Clean(p.text))
			}
			before += p.w
		}
		p := r.pieces[last]
		if p.isLamp || p.w > 0 || before+leastText > w || before+style.Width(style.Clean(p.text)) <= w {
			out = append(out, r)
			continue
		}
		begun := r.pieces[:last:last]
		if gap := len(p.text) - len(strings.TrimLeft(p.text, " ")); gap > 0 { // to what stands before it
			begun = append(begun, txt(p.role, p.text[:gap]))
			before += gap
		}
		lines := wrap(p.text, w-before-1)
		if len(lines) > most {
			lines = append(lines[:most-1:most-1], strings.Join(lines[most-1:], " "))
		}
		for i, line := range lines {
			next := textRow{marked: r.marked, pieces: []piece{col(style.Text, "", before-1), txt(p.role, line)}}
			if i == 0 {
				next.pieces = append(append([]piece(nil), begun...), txt(p.role, line))
			}
			out = append(out, next)
		}
	}
	return out
}

// allLines lets a row be wrapped as far as it goes.
const allLines = 1 << 10

// leastText is the narrowest column worth wrapping a text into.
const leastText = 12
