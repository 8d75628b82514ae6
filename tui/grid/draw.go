package grid

import (
	"time"

	"signalbox/tui/style"
)

// AppendLine appends line y of the grid's rectangle, exactly as wide as the grid. frame is the step
// of the shared clock that moves the lamps.
func (g *Grid) AppendLine(b []byte, y int, now time.Time, frame int) []byte {
	i := g.top + y
	if y < 0 || y >= g.shown() || i >= len(g.layout.lines) {
		return style.Pad(b, g.width)
	}
	l := g.layout.lines[i]
	switch l.kind {
	case lineTitle:
		if g.orphan(i) {
			return style.Pad(b, g.width)
		}
		return g.appendTitle(b, &g.sections[l.section], now, frame)
	case lineCells, lineSolo:
		return g.appendCells(b, l, now, frame)
	case lineMore:
		return g.appendMore(b, l, now)
	case lineCardTop, lineCardBottom:
		return g.appendCard(b, l, now, frame)
	}
	return style.Pad(b, g.width)
}

func (g *Grid) appendCells(b []byte, l line, now time.Time, frame int) []byte {
	b = style.Pad(b, indent)
	for i := range l.count {
		if i > 0 {
			b = style.Pad(b, cellGap)
		}
		c := *g.cell(l, i)
		b = g.appendRow(b, c.Key, g.row(c, now), frame)
	}
	used := indent + l.count*g.layout.cellW + (l.count-1)*cellGap
	return style.Pad(b, g.width-used)
}

// appendMore is the other line of rows that have two.
func (g *Grid) appendMore(b []byte, l line, now time.Time) []byte {
	b = style.Pad(b, indent)
	for i := range l.count {
		if i > 0 {
			b = style.Pad(b, cellGap)
		}
		b = append(b, g.row(*g.cell(l, i), now).second...)
	}
	used := indent + l.count*g.layout.cellW + (l.count-1)*cellGap
	return style.Pad(b, g.width-used)
}

func (g *Grid) appendRow(b []byte, key string, r *row, frame int) []byte {
	if label := g.labels[key]; label != "" {
		b = g.style.AppendFit(b, style.Strong, label, lampAt+1)
	} else {
		b = append(b, r.head...)
		b = append(b, g.style.Lamp(r.lamp, frame)...)
	}
	return append(b, r.tail...)
}

func (g *Grid) appendCard(b []byte, l line, now time.Time, frame int) []byte {
	c := *g.cell(l, 0)
	r := g.row(c, now)
	if g.layout.cellW < indexAt {
		return style.Pad(b, g.width)
	}
	b = style.Pad(b, indent)
	if l.kind == lineCardTop {
		b = g.appendRow(b, c.Key, r, frame)
	} else {
		b = append(b, r.second...)
	}
	return style.Pad(b, g.width-indent-g.layout.cellW)
}
