package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxBytes bounds a text. No more than this can be sent at once.
const maxBytes = 200_000

// editor is a text of many lines with a cursor, which stands between two characters.
type editor struct {
	lines []line // at least one
	y     int    // cursor: line
	at    int    // cursor: byte in the line
	goal  int    // cell the cursor came from while it moves up and down; -1 for none
	size  int    // bytes, line ends counted
	cut   string // what was cut last
	top   int    // first row that is shown
	rev   uint64 // grows with every change of the text
}

func newEditor() editor { return editor{lines: []line{{}}, goal: -1} }

// set replaces the text; the cursor stands behind it.
func (e *editor) set(text string) {
	rev := e.rev
	*e = editor{lines: []line{{}}, goal: -1, cut: e.cut, rev: rev + 1}
	e.insert(text)
}

func (e *editor) String() string {
	var b strings.Builder
	b.Grow(e.size)
	for i := range e.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.lines[i].text)
	}
	return b.String()
}

// blank reports whether there is nothing to send.
func (e *editor) blank() bool {
	for i := range e.lines {
		if strings.TrimSpace(e.lines[i].text) != "" {
			return false
		}
	}
	return true
}

// insert puts clean text in at the cursor. It reports false, and changes nothing, when the whole
// would be too long.
func (e *editor) insert(text string) bool {
	if e.size+len(text) > maxBytes {
		return false
	}
	if text == "" {
		return true
	}
	cur := e.lines[e.y].text
	parts := strings.Split(cur[:e.at]+text, "\n")
	last := len(parts) - 1
	at := len(parts[last])
	parts[last] += cur[e.at:]
	fresh := make([]line, len(parts))
	for i, p := range parts {
		fresh[i].text = p
	}
	if len(fresh) == 1 {
		e.lines[e.y] = fresh[0]
	} else {
		e.lines = append(e.lines[:e.y:e.y], append(fresh, e.lines[e.y+1:]...)...)
	}
	e.y, e.at = e.y+last, at
	e.size += len(text)
	e.changed()
	return true
}

func (e *editor) changed() {
	e.goal = -1
	e.rev++
}

// remove takes out what stands between two places, the first before the second, and returns it.
func (e *editor) remove(y0, a0, y1, a1 int) string {
	if y0 == y1 && a0 == a1 {
		return ""
	}
	var gone strings.Builder
	for y := y0; y <= y1; y++ {
		from, to := 0, len(e.lines[y].text)
		if y == y0 {
			from = a0
		}
		if y == y1 {
			to = a1
		}
		gone.WriteString(e.lines[y].text[from:to])
		if y < y1 {
			gone.WriteByte('\n')
		}
	}
	joined := line{text: e.lines[y0].text[:a0] + e.lines[y1].text[a1:]}
	e.lines = append(append(e.lines[:y0:y0], joined), e.lines[y1+1:]...)
	e.y, e.at = y0, a0
	e.size -= gone.Len()
	e.changed()
	return gone.String()
}

// left and right are the places one character away.
func (e *editor) left() (y, at int) {
	switch {
	case e.at > 0:
		return e.y, before(e.lines[e.y].text, e.at)
	case e.y > 0:
		return e.y - 1, len(e.lines[e.y-1].text)
	}
	return e.y, e.at
}

func (e *editor) right() (y, at int) {
	switch text := e.lines[e.y].text; {
	case e.at < len(text):
		n, _ := cluster(text[e.at:])
		return e.y, e.at + n
	case e.y < len(e.lines)-1:
		return e.y + 1, 0
	}
	return e.y, e.at
}

// wordLeft and wordRight are the places where the word begins or ends, over line ends.
func (e *editor) wordLeft() (y, at int) {
	if e.at == 0 {
		return e.left()
	}
	text := e.lines[e.y].text[:e.at]
	text = strings.TrimRightFunc(text, unicode.IsSpace)
	for text != "" {
		r, n := utf8.DecodeLastRuneInString(text)
		if unicode.IsSpace(r) {
			break
		}
		text = text[:len(text)-n]
	}
	return e.y, len(text)
}

func (e *editor) wordRight() (y, at int) {
	text := e.lines[e.y].text
	if e.at == len(text) {
		return e.right()
	}
	rest := strings.TrimLeftFunc(text[e.at:], unicode.IsSpace)
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		rest = rest[i:]
	} else {
		rest = ""
	}
	return e.y, len(text) - len(rest)
}

func (e *editor) moveTo(y, at int) {
	e.y, e.at, e.goal = y, at, -1
}

// rows are all rows of the text at a width, and the one with the cursor.
func (e *editor) rows(w int) (total, cursor int) {
	for y := range e.lines {
		rows := e.lines[y].wrap(w)
		if y == e.y {
			cursor = total + rowAt(rows, e.at)
		}
		total += len(rows)
	}
	return total, cursor
}

// rowAt is the row a place is drawn on: behind the last character of a row it is the next one.
func rowAt(rows []row, at int) int {
	for i := len(rows) - 1; i > 0; i-- {
		if at >= rows[i].from {
			return i
		}
	}
	return 0
}

// find is the line and the row in it of a row of the whole.
func (e *editor) find(n, w int) (y int, r row, ok bool) {
	for y := range e.lines {
		rows := e.lines[y].wrap(w)
		if n < len(rows) {
			return y, rows[n], true
		}
		n -= len(rows)
	}
	return 0, row{}, false
}

// vertical moves the cursor by rows and keeps its column where the rows are long enough. It reports
// whether there was a row to go to.
func (e *editor) vertical(by, w int) bool {
	total, cur := e.rows(w)
	to := min(max(cur+by, 0), total-1)
	y, r, _ := e.find(cur, w)
	if e.goal < 0 {
		e.goal = cellsOf(e.lines[y].text[r.from:e.at])
	}
	if to == cur {
		return false
	}
	y, r, _ = e.find(to, w)
	text := e.lines[y].text
	at, cells := r.from, 0
	for at < r.to {
		n, cw := cluster(text[at:])
		if cells+cw > e.goal {
			break
		}
		at, cells = at+n, cells+cw
	}
	if at == r.to && r.to < len(text) {
		at = max(before(text, at), r.from) // the end of a broken row is the start of the next
	}
	e.y, e.at = y, at
	return true
}

// edges of the row the cursor is on.
func (e *editor) rowEdges(w int) (from, to int) {
	rows := e.lines[e.y].wrap(w)
	i := rowAt(rows, e.at)
	to = rows[i].to
	if i < len(rows)-1 {
		to = max(before(e.lines[e.y].text, to), rows[i].from)
	}
	return rows[i].from, to
}
