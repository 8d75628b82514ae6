package grid

import (
	"strconv"
	"time"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// titleKey is all that a title line shows; two equal keys give the same text.
type titleKey struct {
	gen      uint64
	title    string
	path     string
	branch   string
	attached bool
	folded   bool
	selected bool
	cells    int
	counts   tracker.Counts
	lamp     style.Lamp
	lead     string // of a folded section: the agent that speaks for it
	summary  string
	calls    bool // somebody in it waits for a person
	age      string
}

type titleRow struct {
	key        titleKey
	head, tail string
}

// appendTitle appends the title line of a section. Its lamp is that of its most urgent agent, and moves
// only where it stands for rows that are folded away: below an open title the rows move themselves.
func (g *Grid) appendTitle(b []byte, s *Section, now time.Time, frame int) []byte {
	key := g.titleKey(s, now)
	if !s.Folded {
		frame = 0
	}
	t, known := g.titles[s.Key]
	if !known {
		t = &titleRow{}
		g.titles[s.Key] = t
	}
	if t.key != key {
		g.builds++
		t.key = key
		g.buildTitle(t)
	}
	if g.width < indexAt+indent {
		return style.Pad(b, g.width)
	}
	b = style.Pad(b, indent)
	if label := g.labels[s.Key]; label != "" && s.Folded {
		b = g.style.AppendFit(b, style.Strong, label, lampAt+1)
	} else {
		b = append(b, t.head...)
		b = append(b, g.style.Lamp(key.lamp, frame)...)
	}
	return append(b, t.tail...)
}

func (g *Grid) titleKey(s *Section, now time.Time) titleKey {
	k := titleKey{
		gen: g.gen, title: s.Title, path: s.Path, branch: s.Branch, attached: s.Attached, folded: s.Folded,
		selected: s.Folded && s.Key == g.selected, cells: len(s.Cells), counts: s.Counts,
	}
	if s.Folded || s.Lead.HasAgent() {
		k.lamp = lampOf(s.Lead)
	}
	if s.Folded && s.Lead.HasAgent() {
		k.lead, k.summary, k.calls = cellName(s.Lead), g.summary(s.Lead), s.Lead.Verdict().NeedsPerson()
		k.age, _ = Age(now, since(s.Lead))
	}
	return k
}

// buildTitle makes the title line: name, where its agents work or, where they are folded away, what the
// most urgent of them does, and at the right whether somebody is attached, the sum of its agents and how
// long that one has been at it. The
// lamp stands in the column of all lamps, and the name where the sessions of one window have theirs.
func (g *Grid) buildTitle(t *titleRow) {
	k := &t.key
	b := g.bar(g.buf[:0], k.selected)
	split := len(b)
	b = append(b, ' ')
	rest, aged := g.width-indent-indexAt-margin, k.age != "" || k.folded && g.width >= foldedColumns
	if aged {
		rest -= AgeWidth + cellGap
	}
	sum, attached := k.sumWidth()+cellGap, len(wordAttached)+cellGap
	if sum == cellGap || rest-sum < nameMax {
		sum = 0
	}
	if !k.attached || rest-sum-attached < style.Width(style.Clean(k.title)) {
		attached = 0
	}
	rest -= sum + attached
	if k.folded {
		b = g.appendFolded(b, k, rest)
	} else {
		b = g.appendOpen(b, k, rest)
	}
	if attached > 0 {
		b = style.Pad(b, cellGap)
		b = g.style.Append(b, style.Dim, wordAttached)
	}
	if sum > 0 {
		b = style.Pad(b, cellGap)
		b = g.appendSum(b, k)
	}
	if aged { // in the column of all ages
		b = style.Pad(b, cellGap)
		b = g.appendAge(b, k.age)
	}
	b = style.Pad(b, margin)
	text := string(b)
	t.head, t.tail = text[:split], text[split:]
	g.buf = b
}

// appendOpen is the title of rows that are shown, in w cells.
func (g *Grid) appendOpen(b []byte, k *titleKey, rest int) []byte {
	b, used := g.cut(b, style.Strong, k.title, rest, fieldSession)
	rest -= used
	if note := k.note(); rest > 4 && note != "" {
		b = style.Pad(b, cellGap)
		b, used = g.cutNote(b, k, note, rest-cellGap)
		rest -= used + cellGap
	}
	return style.Pad(b, rest)
}

// foldedColumns is from which width on what folded sections tell stands in columns.
const foldedColumns = 100

// appendFolded stands in the place of rows, in w cells.
func (g *Grid) appendFolded(b []byte, k *titleKey, w int) []byte {
	columns := g.width >= foldedColumns
	put := func(gap int, r style.Role, text string, column int) {
		if w <= gap+3 || text == "" {
			return
		}
		b = style.Pad(b, gap)
		var used int
		b, used = g.style.AppendCut(b, r, text, w-gap)
		if rest := column - used; columns && rest > 0 {
			b = style.Pad(b, rest)
			used += rest
		}
		w -= gap + used
	}
	role := style.Dim
	if k.calls || k.selected {
		role = style.Text
	}
	put(0, style.Strong, k.title, g.layout.indexW+1+g.layout.nameW)
	put(cellGap, style.Dim, k.note(), len("20 windows folded"))
	put(cellGap, role, k.lead, g.layout.nameW)
	put(cellGap, role, k.summary, 0)
	return style.Pad(b, w)
}

// wordAttached says that some terminal shows the session.
const wordAttached = "attached"

// note is what is said of a section behind its name.
func (k *titleKey) note() string {
	switch {
	case k.folded && k.cells == 1:
		return "1 window folded"
	case k.folded:
		return strconv.Itoa(k.cells) + " windows folded"
	case k.path != "" && k.branch != "":
		return k.path + " (" + k.branch + ")"
	}
	return k.path
}

// sumLamp is one kind of agents in the sum of a section.
type sumLamp struct {
	lamp style.Lamp
	n    int
	role style.Role // of the number
}

// sum is how many agents of each kind there are, most urgent first.
func (k *titleKey) sum() [6]sumLamp {
	c := &k.counts
	return [...]sumLamp{
		{style.LampNeeds, c.NeedsInput, style.Text},
		{style.LampFailed, c.Failed, style.Text},
		{style.LampReview, c.Review - c.Failed, style.Text},
		{style.LampUnknown, c.Unknown, style.Dim},
		{style.LampBusy, c.Busy, style.Dim},
		{style.LampIdle, c.Idle, style.Dim},
	}
}

// sumWidth is the width of the sum in cells, 0 where the lamp in front says as much: a section with
// one agent has none.
func (k *titleKey) sumWidth() int {
	if k.counts.Agents < 2 {
		return 0
	}
	w := -1
	for _, s := range k.sum() {
		if s.n > 0 {
			w += 2 + digits(s.n)
		}
	}
	return max(w, 0)
}

// appendSum is lit for what is folded away. Beside rows that shine themselves it is only a number.
func (g *Grid) appendSum(b []byte, k *titleKey) []byte {
	first := true
	for _, s := range k.sum() {
		if s.n == 0 {
			continue
		}
		if !first {
			b = append(b, ' ')
		}
		first = false
		if k.folded {
			b = append(b, g.style.Lamp(s.lamp, 0)...)
		} else {
			b, s.role = g.style.Append(b, style.Dim, g.style.Shape(s.lamp)), style.Dim
		}
		b = g.style.Append(b, s.role, strconv.Itoa(s.n))
	}
	return b
}
