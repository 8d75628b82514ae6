package prompt

import (
	"strconv"
	"strings"

	"signalbox/tui/style"
)

// Sizes of the parts.
const (
	leftEdge   = 3  // a blank, the side line, a blank
	rightEdge  = 1  // a blank
	lampCell   = 13 // a lamp with its name in columns, where they do not fit on one row
	lampShort  = 10 // the same in the first of three, where the long name never stands
	oneRowFrom = 67 // cells: from here the lamps stand on one row
	roomyFrom  = 12 // rows: from here the text has some rows of its own though it is short
	roomyRows  = 3
	leastText  = 2 // rows of a text that stay when the reasons need room
	maxNotes   = 3 // rows below the lamps

	maxNotesNarrow = 5 // where a sentence takes two of them
)

// layout is how the rows of the prompt are used.
type layout struct {
	w, h  int
	edit  int // rows of the text, from row 1
	lamps int // rows of lamps, with the word for Enter
	notes []noteRow
}

// noteRow is one row below the lamps.
type noteRow struct {
	sign string
	ink  style.Role // of the sign
	role style.Role
	text string
}

// Height is how many rows the prompt would like at a width, at most most.
func (p *Prompt) Height(w, most int) int {
	total, _ := p.shownText().rows(editCols(w))
	if most >= roomyFrom {
		total = max(total, roomyRows)
	}
	fixed := 1 + lampRows(w) + max(len(p.notes(w)), 1)
	return max(min(fixed+min(total, max(most-fixed, 1)), most), 0)
}

// editCols is how many cells a row of the text has. The last one is for the cursor.
func editCols(w int) int { return max(w-leftEdge-rightEdge-1, 1) }

// lampRows is how many rows the lamps and the word for Enter take.
func lampRows(w int) int {
	if w >= oneRowFrom {
		return 1
	}
	n := lampColumns(w)
	return (lampCount+n-1)/n + 1
}

func lampColumns(w int) int {
	const lastLamp = 9 // the widest in the last column
	switch {
	case w > lampShort+lampCell+lastLamp:
		return 3
	case w > lampCell+lastLamp:
		return 2
	}
	return 1
}

// lampColumn is how wide a column of lamps is, with the room behind it.
func lampColumn(i, cols int) int {
	if cols == 3 && i%cols == 0 {
		return lampShort
	}
	return lampCell
}

// shownText is the text on the screen: the one that is written, or the one on its way.
func (p *Prompt) shownText() *editor {
	if p.phase == sending || p.phase == told {
		return &p.sent
	}
	return &p.edit
}

// Layout divides w×h cells. It is called before AppendLine whenever something may have changed.
func (p *Prompt) Layout(w, h int) {
	o := layout{w: w, h: h, notes: p.notes(w)}
	p.cols = editCols(w)
	e := p.shownText()
	total, cursor := e.rows(p.cols)
	room := h - 1
	o.lamps = min(lampRows(w), max(room-1, 0))
	room -= o.lamps
	notes := min(len(o.notes), max(room-min(total, leastText), 0))
	if notes == 0 && room > 1 {
		notes = 1 // this row is where the reasons will be: the text must not jump
	}
	o.edit = max(room-notes, 0)
	if len(o.notes) > notes {
		o.notes = o.notes[:notes]
	}
	e.top = min(max(e.top, cursor-o.edit+1), cursor)
	e.top = max(min(e.top, total-o.edit), 0)
	p.out = o
}

// View is the prompt on exactly w×h cells.
func (p *Prompt) View(w, h int) string {
	p.Layout(w, h)
	var b []byte
	for y := range h {
		if y > 0 {
			b = append(b, '\n')
		}
		b = p.AppendLine(b, y)
	}
	return string(b)
}

// AppendLine appends row y of the layout, exactly as wide as it is.
func (p *Prompt) AppendLine(b []byte, y int) []byte {
	o := &p.out
	switch n := y - 1 - o.edit; {
	case y == 0:
		return p.appendTitle(b)
	case n < 0:
		return p.appendText(b, y-1)
	case n < o.lamps:
		return p.appendLamps(b, n)
	case n-o.lamps < len(o.notes):
		return p.appendNote(b, o.notes[n-o.lamps])
	}
	return style.Pad(b, o.w)
}

// appendTitle says what is about to go where.
func (p *Prompt) appendTitle(b []byte) []byte {
	l := p.liner(b)
	l.gap(1)
	l.put(style.Dim, p.verb()+" ")
	l.put(style.Strong, p.target.Where)
	if p.target.Name != "" {
		l.put(style.Text, " "+p.target.Name)
	}
	l.gap(1)
	aside := p.aside()
	if n := style.Width(aside); aside != "" && n+6 <= l.left {
		l.rule(l.left - n - 4)
		l.gap(1)
		l.put(style.Dim, aside)
		l.gap(1)
	}
	l.rule(l.left)
	return l.end()
}

func (p *Prompt) verb() string {
	as := ""
	if p.command {
		as = "a command "
	}
	switch {
	case p.phase == told:
		return toldVerb(p.outcome.Kind)
	case p.phase == sending:
		return "sending " + as + "to"
	case p.entry != "":
		return "queued " + as + "for"
	}
	return "send " + as + "to"
}

// toldVerb begins the title of what came of a send.
func toldVerb(k OutcomeKind) string {
	switch k {
	case Delivered:
		return "sent to"
	case Queued:
		return "queued for"
	case Withheld:
		return "not sent to"
	}
	return "perhaps sent to"
}

// aside is what of the text is easily missed: that it begins with a draft of before, and how much there is
// of one that is not seen whole.
func (p *Prompt) aside() string {
	e := p.shownText()
	var parts []string
	if p.phase == writing && p.kept != "" {
		switch text := e.String(); {
		case text == p.kept:
			parts = append(parts, "your draft")
		case strings.HasPrefix(text, p.kept):
			parts = append(parts, "your draft and more")
		}
	}
	if total, _ := e.rows(p.cols); total > p.out.edit {
		parts = append(parts, "rows "+strconv.Itoa(e.top+1)+" to "+strconv.Itoa(min(e.top+p.out.edit, total))+" of "+strconv.Itoa(total))
	}
	return strings.Join(parts, ", ")
}

// appendText is row n of the text.
func (p *Prompt) appendText(b []byte, n int) []byte {
	l := p.liner(b)
	l.gap(1)
	l.put(style.Faint, p.style.Signs.Side)
	l.gap(1)
	e := p.shownText()
	y, r, ok := e.find(e.top+n, p.cols)
	if !ok {
		return l.end()
	}
	head, under, tail := drawn(e.lines[y].text[r.from:r.to]), "", ""
	ink := style.Text
	if p.phase != writing {
		ink = style.Dim
	} else if _, cursor := e.rows(p.cols); cursor == e.top+n {
		head, under, tail = atCursor(e.lines[y].text[r.from:r.to], e.at-r.from)
	}
	if whole := head + under + tail; style.Width(whole) != style.Width(head)+style.Width(under)+style.Width(tail) ||
		style.Width(" "+whole) != 1+style.Width(whole) {
		head, under, tail = ascii(head), ascii(under), ascii(tail) // its parts join: exact is better than pretty
	}
	l.put(ink, head)
	if under != "" {
		l.raw(p.style.Cursor(under), style.Width(under))
	}
	l.put(ink, tail)
	return l.end()
}

// atCursor is a row as it is drawn before, under and behind the cursor.
func atCursor(text string, at int) (head, under, tail string) {
	head, under = drawn(text[:at]), " "
	if at == len(text) {
		return head, under, ""
	}
	size, _ := cluster(text[at:])
	tail = drawn(text[at+size:])
	if u := drawn(text[at : at+size]); text[at] == '\t' {
		tail = u[1:] + tail
	} else if u != "" {
		under = u
	}
	return head, under, tail
}

// appendLamps is row n of the lamps. The word for Enter stands at their right, or below them.
func (p *Prompt) appendLamps(b []byte, n int) []byte {
	l := p.liner(b)
	l.gap(1)
	if p.out.w >= oneRowFrom {
		word := p.enterWord()
		enter := style.Width(word) + style.Width(p.style.Signs.Enter) + 2
		words := p.lampCells()+2+enter <= l.left
		for i, name := range LampNames() {
			if i > 0 {
				l.gap(2)
			}
			p.putLamp(&l, name, words)
		}
		l.gap(l.left - enter)
		p.putEnter(&l, word)
		return l.end()
	}
	names, cols := LampNames(), lampColumns(p.out.w)
	if n == lampRows(p.out.w)-1 {
		p.putEnter(&l, p.enterWord())
		return l.end()
	}
	for i := n * cols; i < min((n+1)*cols, len(names)); i++ {
		start := l.left
		p.putLamp(&l, names[i], false)
		l.gap(lampColumn(i, cols) - (start - l.left))
	}
	return l.end()
}

func (p *Prompt) putLamp(l *liner, name string, words bool) {
	sign, ink, role := p.style.Signs.Check, style.Warn, style.Dim
	lamp, known := p.lamps[name]
	if name == lampText {
		lamp, known = p.text, !p.edit.blank() || p.phase != writing
		if !known {
			ink = style.Faint
		}
	}
	switch {
	case !known || p.fresh && name != lampText && p.phase == writing && lamp.Name == "":
	case lamp.OK:
		sign, ink = p.style.Signs.On, style.Good
	default:
		sign, ink, role = p.style.Signs.Off, style.Bad, style.Text
	}
	l.put(ink, sign)
	l.gap(1)
	l.put(role, LampTitle(name))
	if words && known && lamp.OK {
		l.put(role, greenWord(name))
	}
}

// lampCells is how wide the lamps are on one row, with their words.
func (p *Prompt) lampCells() int {
	cells := 0
	for _, name := range LampNames() {
		cells += 2 + len(LampTitle(name)) + 2
		if p.lamps[name].OK {
			cells += len(greenWord(name))
		}
	}
	return cells - 2
}

// greenWord says what a green lamp means, where there is room.
func greenWord(name string) string {
	switch name {
	case lampClaude:
		return " idle"
	case lampComposer:
		return " empty"
	}
	return ""
}

// enterWord is what Enter does; where it does nothing, what it will do.
func (p *Prompt) enterWord() string {
	switch {
	case p.phase == sending:
		return ""
	case p.enter.does == nothing:
		return "send"
	}
	return p.enter.word
}

func (p *Prompt) putEnter(l *liner, word string) {
	key, role := style.Text, style.Dim
	switch {
	case word == "":
		return
	case p.enter.does == nothing:
		key, role = style.Faint, style.Faint
	case !p.enter.ready:
		key = style.Dim
	default:
		key, role = style.Strong, style.Text
	}
	l.put(key, p.style.Signs.Enter)
	l.gap(1)
	l.put(role, word)
}

func (p *Prompt) appendNote(b []byte, n noteRow) []byte {
	l := p.liner(b)
	l.gap(1)
	if n.sign != "" {
		l.put(n.ink, n.sign)
		l.gap(1)
	}
	l.put(n.role, n.text)
	return l.end()
}

// wrapText breaks a text into rows of at most w cells, between words where it can.
func wrapText(text string, w int) []string {
	l := line{text: strings.Join(strings.Fields(style.Clean(text)), " ")}
	var out []string
	for _, r := range l.wrap(max(w, 1)) {
		out = append(out, strings.TrimRight(l.text[r.from:r.to], " "))
	}
	return out
}
