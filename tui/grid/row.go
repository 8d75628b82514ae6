package grid

import (
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// row is the finished text of one cell, with what it was built from. The lamp goes between head
// and tail when a frame is drawn.
type row struct {
	gen        uint64
	rev        uint64
	window     *tracker.WindowRow
	background *tracker.BackgroundRow
	session    *tracker.SessionRow
	solo, only bool
	under      string
	spot       spot
	selected   bool
	unsent     Unsent
	age        string
	validUntil time.Time // of age; the row may be used until then without looking

	lamp       style.Lamp
	head, tail string
	second     string // the other line, of a card or of a row where there is room for two
}

// row returns the finished row of a cell, from memory if it is still true.
func (g *Grid) row(c Cell, now time.Time) *row {
	r, known := g.cells[c.Key]
	if !known {
		r = &row{}
		g.cells[c.Key] = r
	}
	selected, unsent := c.Key == g.selected, g.unsent[c.Key]
	if r.gen == g.gen && r.selected == selected && r.unsent == unsent && r.same(c) {
		if r.validUntil.IsZero() || now.Before(r.validUntil) {
			return r
		}
		age, valid := Age(now, since(c))
		if age == r.age {
			r.validUntil = now.Add(valid)
			return r
		}
	}
	g.build(r, c, selected, now)
	return r
}

// same reports whether the row was built from this cell. Rows that did not change are shared
// between snapshots, so the pointer decides at once in the common case.
func (r *row) same(c Cell) bool {
	if c.Background != nil {
		return r.background == c.Background || r.background != nil && *r.background == *c.Background
	}
	if r.solo != c.Solo || r.only != c.only() || r.under != c.under || r.spot != c.spot || r.window != c.Window && (r.window == nil || r.rev != c.Window.Rev) {
		return false
	}
	return r.session == c.Session || r.session != nil && r.session.Name == c.Session.Name
}

func (g *Grid) build(r *row, c Cell, selected bool, now time.Time) {
	g.builds++
	var valid time.Duration
	age, valid := Age(now, since(c))
	*r = row{gen: g.gen, window: c.Window, background: c.Background, session: c.Session, solo: c.Solo, only: c.only(), under: c.under, spot: c.spot, selected: selected, unsent: g.unsent[c.Key], age: age, lamp: lampOf(c)}
	if c.Window != nil {
		r.rev = c.Window.Rev
	}
	if valid > 0 {
		r.validUntil = now.Add(valid)
	}
	if g.layout.cards {
		g.buildCard(r, c)
		return
	}
	b := g.bar(g.buf[:0], selected)
	split := len(b)
	b = append(b, ' ')
	b = g.appendName(b, c, selected)
	b = append(b, "  "...)
	rest := g.layout.cellW - (indexAt + g.layout.indexW + 1 + g.layout.nameW + 2)
	if age != "" {
		rest -= AgeWidth + 1
	}
	b = g.appendSummary(b, c, r, rest)
	if age != "" {
		b = append(b, ' ')
		b = g.appendAge(b, age)
	}
	text := string(b)
	r.head, r.tail = text[:split], text[split:]
	if g.layout.roomy {
		b = g.appendSecond(b[:0], c, r)
		r.second = string(b)
	}
	g.buf = b
}

// appendSecond is the other line of a row, below its summary: what its agent was asked, or where the
// window is.
func (g *Grid) appendSecond(b []byte, c Cell, r *row) []byte {
	b = g.bar(b, r.selected)
	b = style.Pad(b, indexAt-1+g.layout.indexW+1+g.layout.nameW+2)
	rest := g.layout.cellW - (indexAt + g.layout.indexW + 1 + g.layout.nameW + 2) - AgeWidth - 1
	text, asked := g.more(c)
	f := fieldPlace
	if asked {
		f = fieldText
	}
	if asked && rest > len("> ") {
		b = g.style.Append(b, style.Dim, g.style.Signs.Asked)
		b = append(b, ' ')
		rest -= 2
	}
	b = g.fit(b, style.Dim, text, rest, f)
	return style.Pad(b, AgeWidth+1)
}

// more is what a row's summary does not say: what was asked, else where it is.
func (g *Grid) more(c Cell) (text string, asked bool) {
	summary := g.summary(c)
	switch a := c.agent(); {
	case c.Background != nil:
		return Tilde(c.Background.CWD, g.home), false
	case a != nil && a.Prompt != "" && a.Prompt != summary:
		return a.Prompt, true
	case a != nil && a.CWD != "":
		text = Tilde(a.CWD, g.home)
	default:
		if p := c.Window.LeadPane(); p != nil {
			text = Tilde(p.Path, g.home)
		}
	}
	if text == c.under || strings.Contains(summary, text) {
		return "", false
	}
	return text, false
}

func (g *Grid) buildCard(r *row, c Cell) {
	b := g.bar(g.buf[:0], r.selected)
	split := len(b)
	b = append(b, ' ')
	width, age := g.layout.cellW-indexAt-AgeWidth-1, true
	if width < nameMin { // hardly wider than a lamp: the age goes first
		width, age = g.layout.cellW-indexAt, false
	}
	b, used := g.cut(b, nameRole(c, r.selected), cardPlace(c), width, fieldSession)
	if used < width {
		b = append(b, ' ')
		b = g.fit(b, nameRole(c, r.selected), cardName(c), width-used-1, fieldName)
	}
	if age {
		b = append(b, ' ')
		b = g.appendAge(b, r.age)
	}
	text := string(b)
	r.head, r.tail = text[:split], text[split:]
	b = g.bar(b[:0], r.selected)
	b = append(b, "  "...)
	b = g.appendSummary(b, c, r, g.layout.cellW-indexAt)
	r.second = string(b)
	g.buf = b
}

func (g *Grid) bar(b []byte, selected bool) []byte {
	if selected {
		return g.style.Append(b, style.Strong, g.style.Signs.Bar)
	}
	return append(b, ' ')
}

func (g *Grid) appendIndex(b []byte, c Cell) []byte {
	if c.Window == nil {
		return style.Pad(b, g.layout.indexW)
	}
	if c.spot.headW > 0 {
		return g.appendSpot(b, c)
	}
	var digits [20]byte
	n := strconv.AppendInt(digits[:0], int64(c.Window.Index), 10)
	b = style.Pad(b, g.layout.indexW-len(n))
	return g.style.Append(b, style.Dim, string(n))
}

func (g *Grid) appendAge(b []byte, age string) []byte {
	b = style.Pad(b, AgeWidth-len(age))
	return g.style.Append(b, style.Dim, age)
}

// appendSummary appends what happens right now, and at its end what the text does not say: that tasks
// wait for the agent, and how many more agents share the window.
func (g *Grid) appendSummary(b []byte, c Cell, r *row, w int) []byte {
	role := style.Dim
	if r.selected || c.Verdict().NeedsPerson() {
		role = style.Text
	}
	f := fieldText
	if c.Background != nil {
		f = fieldNone
	}
	extra := others(c)
	if q := g.waiting(r.unsent, w-style.Width(extra)); q != "" && extra != "" {
		extra = q + " " + extra
	} else {
		extra = q + extra
	}
	if extra == "" || w < style.Width(extra)+summaryLeast {
		return g.fit(b, role, g.summary(c), w, f)
	}
	b = g.fit(b, role, g.summary(c), w-style.Width(extra)-1, f)
	b = append(b, ' ')
	return g.style.Append(b, style.Dim, extra)
}

// summaryLeast is how many cells of a summary no remark may take.
const summaryLeast = 12

// waiting says how many tasks wait, or that a text was put aside, as a word where there is room for it.
func (g *Grid) waiting(u Unsent, w int) string {
	const draft = "draft"
	tasks, text := u.Tasks, "queued"
	switch {
	case tasks > 1:
		text = strconv.Itoa(tasks) + " queued"
	case tasks == 0 && u.Draft && w >= len(draft)+1+summaryLeast:
		return draft
	case tasks == 0:
		return ""
	}
	if w < len(text)+1+summaryLeast {
		return g.style.Signs.Enter + strconv.Itoa(tasks)
	}
	return text
}

// others is how many more agents share the window, or "".
func others(c Cell) string {
	if c.Window == nil {
		return ""
	}
	agents := 0
	for _, p := range c.Window.Panes {
		if p.Agent != nil {
			agents += 1 + len(p.Others)
		}
	}
	if agents > 1 {
		return "+" + strconv.Itoa(agents-1)
	}
	return ""
}

func nameRole(c Cell, selected bool) style.Role {
	switch {
	case selected:
		return style.Strong
	case !c.HasAgent():
		return style.Dim
	}
	return style.Text
}

func lampOf(c Cell) style.Lamp {
	if c.Background != nil {
		return style.LampOf(c.Background.Verdict)
	}
	return style.LampOfWindow(c.Window)
}

// since is the time whose age a row shows: how long its status has lasted. Windows without an
// agent show none; their lamp already tells whether something runs.
func since(c Cell) time.Time { return c.Verdict().Since }

// cellName is the name on a row.
func cellName(c Cell) string {
	if c.Background != nil {
		return c.Background.Name
	}
	return Name(c.Window)
}

// Name is the window's name, or the agent's where tmux only repeats the name of the program: a board
// full of rows called "claude" tells nobody apart.
func Name(w *tracker.WindowRow) string {
	if a := w.Agent(); a != nil && a.Name != "" && (w.Name == w.LeadPane().Command || w.Name == "claude" || w.Name == "node") {
		return a.Name
	}
	return w.Name
}

func (g *Grid) summary(c Cell) string {
	switch {
	case c.Background != nil:
		return c.Background.State
	case c.Window.Summary != "":
		return tildeAll(c.Window.Summary, g.home)
	}
	return c.Verdict().Reason
}

// target is the name of a window as tmux would take it.
func target(c Cell) string {
	if c.Window == nil {
		return "background"
	}
	return c.Session.Name + ":" + strconv.Itoa(c.Window.Index)
}

func indexWidth(c Cell) int {
	switch {
	case c.Window == nil || c.Solo:
		return 1
	case c.spot.headW > 0:
		return c.spotWidth()
	}
	return digits(c.Window.Index)
}

func digits(n int) int {
	w := 1
	for ; n > 9; n /= 10 {
		w++
	}
	return w
}
