package composer

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// Reading is what was found of the input box on one screen.
type Reading struct {
	Box     bool   // an input box is on the screen, in whatever state
	Look    string // the version whose look it has; "" without a box
	Shell   bool   // shell mode: what is in the box would run without asking
	Insert  bool   // the vim insert mark is shown
	Rows    []string
	Hidden  int      // rows of the text scrolled out above the first one shown
	Ghost   string   // a suggestion shown in the empty box: not text
	Picker  []string // rows of an open picker (commands, files, emoji), top to bottom
	AtEnd   bool     // the caret stands behind the last character
	Prompt  int      // screen row of the first row of text, from 0
	RuleTop int      // screen row of the rule above the box
	Vetoes  []Veto   // what, besides text in the box, is against sending
}

// Veto is one thing that is against sending.
type Veto struct {
	Kind Kind
	Says string // for people
}

// Kind is the kind of a veto.
type Kind uint8

// The kinds of vetoes. A caller that has just typed a command may allow the ones it brought about.
const (
	NoBox  Kind = iota // no input box on the screen: a dialog, another view, another program
	TooOld             // a version that cannot be asked whether it is idle
	Busy               // a turn runs
	Shell              // shell mode
	Picker             // a picker is open over the box
	Footer             // something unknown under the box
	Queue              // prompts are queued
	Layout             // an empty box that does not look like one
)

// Veto is the first veto of a kind that is not allowed, in words for people; "" for none.
func (r Reading) Veto(allow ...Kind) string {
	for _, v := range r.Vetoes {
		if !slices.Contains(allow, v.Kind) {
			return v.Says
		}
	}
	return ""
}

// Empty reports whether the box holds no text. A ghost suggestion is not text.
func (r Reading) Empty() bool { return r.Box && len(r.Rows) == 0 && r.Hidden == 0 }

// Ready reports whether nothing is known against sending: the box is there, empty, and in the
// state in which Claude takes a prompt. It proves nothing; see the package comment.
func (r Reading) Ready() bool { return r.Reason() == "" }

// Reason is why nothing may be sent into the box, in words for people; "" when it is Ready.
func (r Reading) Reason() string {
	veto := r.Veto()
	switch {
	case veto != "":
		return veto
	case !r.Empty():
		return "the input box is not empty: " + quote(r.Text())
	}
	return ""
}

// Text is the text in the box, rows joined by newlines; of a scrolled box, the part shown.
func (r Reading) Text() string { return strings.Join(r.Rows, "\n") }

// maxQuote bounds how much of a draft is quoted in a veto.
const maxQuote = 40

// Read finds the input box on a screen. It never fails: a screen it cannot make sense of is a
// Reading with a Veto.
func Read(s Screen) Reading {
	b, ok := findBox(s)
	if !ok {
		return Reading{Vetoes: []Veto{{NoBox, describe(s)}}}
	}
	r := Reading{Box: true, Prompt: b.first, RuleTop: b.top, Hidden: b.hidden, Shell: b.shell}
	unknown := readFooter(&r, s, b)
	readContent(&r, s, b)
	if b.look.pickers {
		readAbove(&r, s, b)
	}
	r.Vetoes = vetoes(r, s, b, unknown)
	return r
}

// readFooter takes what the rows under the box say, and returns the first row that is neither
// known nor allowed: a status line of the person may stand before the mode row, nothing behind it.
func readFooter(r *Reading, s Screen, b box) (unknown string) {
	r.Look = b.look.name
	seen := false
	note := func(text string) {
		if unknown == "" {
			unknown = strings.TrimSpace(text)
		}
	}
	for y := b.bottom + 1; y < s.Height; y++ {
		text := s.Line(y).Text()
		if text == "" {
			continue
		}
		row := left(s.Line(y))
		switch b.look.footer(row, y == b.bottom+1) {
		case footerOther:
			if seen || !strings.HasPrefix(text, indent) {
				note(text)
			}
		case footerInsert:
			seen, r.Insert = true, true
		case footerBusy:
			seen, r.Insert = true, insertRow().MatchString(row)
		case footerShell:
			seen = true
			if !b.shell { // the same words stand in the list of shortcuts
				note(text)
			}
		case footerMode, footerPaste: // the notice outlives the paste by seconds
			seen = true
		}
	}
	if b.footer > footerExtra {
		return unknown
	}
	if r.Picker = rowsBelow(s, b); len(r.Picker) > 0 {
		return ""
	}
	note("no mode row")
	return unknown
}

// readContent takes the text of the box, tells a ghost from a draft, and places the caret.
func readContent(r *Reading, s Screen, b box) {
	caret := -1 // row of the reversed cell
	var rows []string
	for y := b.first; y < b.bottom; y++ {
		line, gap := s.Line(y), min(b.gap, len(s.Line(y).Text()))
		if y > b.first {
			gap = min(len(indent), len(line.Text()))
		}
		text := line.Text()
		if at, ok := line.caret(); ok {
			caret = y
			r.AtEnd = at >= len(text)
		}
		rows = append(rows, text[gap:])
	}
	if caret < 0 {
		caret = s.CursorY
		r.AtEnd = s.CursorX >= ansi.StringWidth(s.Line(caret).Text())
	}
	last := len(rows)
	for last > 0 && strings.TrimSpace(rows[last-1]) == "" {
		last--
	}
	if b.first+last-1 > caret {
		r.AtEnd = false
	}
	if ghost, ok := ghost(s, b); ok {
		r.Ghost = ghost
		return
	}
	// A caret on a further row is text too: a draft of line breaks.
	if last > 0 || caret > b.first {
		r.Rows = rows[:max(last, 1)]
	}
}

// ghost returns the suggestion in an empty box: the caret at the start, everything behind it dim.
func ghost(s Screen, b box) (string, bool) {
	if b.look.parked && (s.CursorY != b.first || s.CursorX != 2) || b.hidden > 0 {
		return "", false
	}
	var text strings.Builder
	dim := false
	for y := b.first; y < b.bottom; y++ {
		gap := len(indent)
		if y == b.first {
			gap = b.gap
		}
		for i, span := range s.Line(y).after(gap) {
			blank := strings.TrimSpace(span.Text) == ""
			caret := y == b.first && i == 0 && span.Attr.Reverse && len([]rune(span.Text)) == 1
			if !blank && !caret && !span.Attr.Dim {
				return "", false
			}
			dim = dim || span.Attr.Dim && !blank
			text.WriteString(span.Text)
		}
	}
	return strings.TrimSpace(text.String()), dim
}

// pickerRow is a row of a picker: a selection mark or a blank at column 2, the entry at column 4.
// Hints over the box are set elsewhere: at the right edge, or from column 2 on.
var pickerRow = lazyRegexp(`^ {2}(❯| ) \S`)

// hintMargin is how many columns a hint over the box leaves free at the right edge.
const hintMargin = 2

// rowsBelow takes the rows of a picker that opened in place of the mode row, as it does when
// Claude draws on the main screen.
func rowsBelow(s Screen, b box) []string {
	var rows []string
	for y := b.bottom + 1; y < s.Height; y++ {
		text := s.Line(y).Text()
		if text == "" || len(rows) == 0 && !pickerRow().MatchString(text) {
			break
		}
		rows = append(rows, text)
	}
	return rows
}

// readAbove takes the rows of a picker that stands on the box, as it does on the alternate screen.
func readAbove(r *Reading, s Screen, b box) {
	for y := b.top - 1; y >= 0; y-- {
		text := s.Line(y).Text()
		if text == "" || y == b.top-1 && isHint(text, s.Width) {
			break
		}
		r.Picker = append([]string{text}, r.Picker...)
	}
}

// isHint reports whether the row over the box is one of the hints Claude shows there: set against
// the right edge, and not in a picker's columns, unless it is one that we know.
func isHint(text string, width int) bool {
	set := strings.HasPrefix(text, indent) && ansi.StringWidth(text) == width-hintMargin
	return set && (!pickerRow().MatchString(text) || knownHint().MatchString(text))
}

// vetoes lists what is against sending, text in the box aside, the most telling first.
func vetoes(r Reading, s Screen, b box, unknown string) []Veto {
	var out []Veto
	add := func(when bool, k Kind, says string) {
		if when {
			out = append(out, Veto{k, says})
		}
	}
	add(!b.look.sendable, TooOld, "this Claude Code is too old: sending needs 2.1.145 or newer")
	add(b.footer == footerBusy, Busy, "Claude is working (esc to interrupt)")
	add(r.Shell, Shell, "the input box is in shell mode")
	if n := len(r.Picker); n > 0 {
		add(true, Picker, "a picker is open: "+quote(strings.TrimSpace(r.Picker[n-1])))
	}
	add(unknown != "", Footer, "not known to stand under the input box: "+quote(unknown))
	if !r.Empty() {
		return out
	}
	add(strings.Contains(r.Ghost, "edit queued messages"), Queue, "prompts are queued")
	add(b.bottom != b.first+1 && r.Ghost == "", Layout, "the input box has more rows than an empty one")
	add(s.CursorX != 2 || s.CursorY != b.first, Layout,
		fmt.Sprintf("the cursor is not in the empty input box but at column %d, row %d", s.CursorX, s.CursorY))
	return out
}

// Chosen is the entry a picker would put in place on Enter: its first word, such as "/model"; ""
// when nothing is chosen.
func (r Reading) Chosen() string {
	for _, row := range r.Picker {
		if entry, ok := strings.CutPrefix(strings.TrimSpace(row), "❯ "); ok {
			if f := strings.Fields(entry); len(f) > 0 {
				return f[0]
			}
		}
	}
	return ""
}

// describe says what is on a screen that has no input box.
func describe(s Screen) string {
	text := s.Text()
	for _, k := range sights() {
		if strings.Contains(text, k.phrase) {
			return k.says
		}
	}
	return "no input box on the screen"
}

// quote is text as it may be shown to a person: one line, no control characters, not long.
func quote(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' || r == 0xa0 {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, text)
	if rs := []rune(text); len(rs) > maxQuote {
		text = string(rs[:maxQuote-1]) + "…"
	}
	return "“" + text + "”"
}
