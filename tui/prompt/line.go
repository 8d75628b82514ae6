package prompt

import "signalbox/tui/style"

// liner appends one row piece by piece and never makes it wider than it may be.
type liner struct {
	style *style.Style
	b     []byte
	left  int
}

func (p *Prompt) liner(b []byte) liner { return liner{style: p.style, b: b, left: p.out.w} }

func (l *liner) put(r style.Role, text string) {
	var n int
	l.b, n = l.style.AppendCut(l.b, r, text, l.left)
	l.left -= n
}

// short appends text at no more than most cells.
func (l *liner) short(r style.Role, text string, most int) {
	rest := max(l.left-most, 0)
	l.left -= rest
	l.put(r, text)
	l.left += rest
}

func (l *liner) raw(text string, w int) {
	if w <= l.left {
		l.b = append(l.b, text...)
		l.left -= w
	}
}

func (l *liner) gap(n int) {
	n = max(min(n, l.left), 0)
	l.b = style.Pad(l.b, n)
	l.left -= n
}

func (l *liner) rule(n int) {
	n = max(min(n, l.left), 0)
	l.b = l.style.Rule(l.b, n)
	l.left -= n
}

func (l *liner) end() []byte {
	l.gap(l.left)
	return l.b
}
