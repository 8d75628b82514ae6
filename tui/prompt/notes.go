package prompt

import (
	"strings"

	"signalbox/tui/style"
)

// notes are the rows below the lamps: what just happened, what came of a send, what the agent waits
// for, why a lamp is red. One of them at a time, the most pressing first.
func (p *Prompt) notes(w int) []noteRow {
	rows := p.noteRows()
	var out []noteRow
	for _, r := range rows {
		room := w - 2
		if r.sign != "" {
			room -= 2
		}
		for i, text := range wrapText(r.text, room) {
			next := r
			next.text = text
			if i > 0 && r.sign != "" {
				next.sign = " "
			}
			out = append(out, next)
		}
	}
	most := maxNotes
	if w < oneRowFrom {
		most = maxNotesNarrow
	}
	if len(out) > most {
		out[most-1].text += p.style.Signs.Ellipsis
		out = out[:most]
	}
	return out
}

func (p *Prompt) noteRows() []noteRow {
	s := p.style.Signs
	switch {
	case p.note.text != "":
		return []noteRow{{role: p.note.role, text: p.note.text}}
	case p.outcome != nil:
		return p.outcomeRows()
	case p.phase == sending:
		return []noteRow{{role: style.Dim, text: stageWords(p.stage) + s.Ellipsis}}
	case p.target.Gone:
		return []noteRow{{sign: s.Off, ink: style.Bad, role: style.Text, text: "The agent is gone. The text is kept for this pane."}}
	case p.target.Waits():
		lamp, ink := style.LampNeeds, style.Needs
		if p.target.Dialog {
			lamp, ink = style.LampDialog, style.Dim
		}
		return []noteRow{{sign: p.style.Shape(lamp), ink: ink, role: style.Strong, text: p.waitsFor()}}
	case p.edit.blank() && p.fresh:
		return nil
	}
	return p.lampRowsText()
}

func (p *Prompt) waitsFor() string {
	text := "It " + p.target.Reason
	if p.target.Detail != "" {
		text += ": " + p.target.Detail
	}
	return text
}

func stageWords(stage string) string {
	if stage == "" {
		return "checking"
	}
	return stage
}

// lampRowsText is why lamps are red and, when none is, what there is to remark.
func (p *Prompt) lampRowsText() []noteRow {
	s := p.style.Signs
	var red, remarks []noteRow
	for _, name := range LampNames() {
		l := p.lamps[name]
		if name == lampText {
			l = p.text
			if p.edit.blank() {
				continue
			}
		}
		switch {
		case l.Name == "" || l.Reason == "":
		case !l.OK:
			red = append(red, noteRow{sign: s.Off, ink: style.Bad, role: style.Text, text: p.reason(l)})
		default:
			remarks = append(remarks, noteRow{sign: s.On, ink: style.Good, role: style.Dim, text: l.Reason})
		}
	}
	if len(red) == 0 {
		return remarks
	}
	if p.enter.does == queues {
		text := "Enter queues it until the agent rests."
		if p.entry != "" {
			text = "Enter keeps it in the queue, as it stands here."
		}
		red = append(red[:1:1], noteRow{sign: " ", role: style.Dim, text: text})
	}
	return red
}

// reason is why a lamp is red, with the key that helps.
func (p *Prompt) reason(l Lamp) string {
	text := l.says()
	switch {
	case l.Name == lampText && !p.command && startsWithMark(p.edit.lines[0].text):
		text += " (^O sends it as such)"
	case l.Name == lampClaude && p.target.Background && !p.bgOK && l.Passing:
		text += " (^G sends all the same)"
	}
	return text
}

// startsWithMark reports whether Claude would take a text for something other than a prompt.
func startsWithMark(text string) bool {
	text = strings.TrimLeft(text, " \t")
	return text != "" && strings.IndexByte("/!#&?", text[0]) >= 0
}

// outcomeRows tell what came of a send.
func (p *Prompt) outcomeRows() []noteRow {
	o, s := p.outcome, p.style.Signs
	good := func(text string) noteRow { return noteRow{sign: s.On, ink: style.Good, role: style.Strong, text: text} }
	bad := func(text string) noteRow { return noteRow{sign: s.Off, ink: style.Bad, role: style.Strong, text: text} }
	detail := func(text string) noteRow { return noteRow{sign: " ", role: style.Text, text: text} }
	var rows []noteRow
	switch o.Kind {
	case Delivered:
		text := "delivered"
		if !o.Receipt.IsZero() {
			text += " at " + o.Receipt.Format("15:04:05")
		}
		return []noteRow{good(strings.TrimSpace(text + ", receipt " + o.By))}
	case Queued:
		switch {
		case o.Bad:
			return []noteRow{bad(o.Left)}
		case o.Left != "":
			return []noteRow{good(o.Left)}
		}
		rows = []noteRow{good("queued: it is sent when the agent rests")}
	case Refused:
		rows = []noteRow{bad("refused: nothing was typed")}
	case Withheld:
		rows = []noteRow{bad("withheld: typed, but not sent")}
	case Unconfirmed:
		rows = []noteRow{bad("unconfirmed: it may have been sent")}
	default:
		rows = []noteRow{bad("failed: nothing was typed")}
	}
	if o.Detail != "" {
		rows = append(rows, detail(o.Detail))
	}
	if o.Box != "" {
		rows = append(rows, detail("its input box holds: "+o.Box))
	}
	return rows
}

// Hint is a key that works now, for the footer.
type Hint struct{ Key, Word string }

// Hints are the keys besides Enter that do something now.
func (p *Prompt) Hints() []Hint {
	switch p.phase {
	case closed:
		return nil
	case sending:
		return []Hint{{"^C", "call it off"}}
	case told:
		return []Hint{{"esc", "close"}}
	}
	hints := []Hint{{"alt+" + p.style.Signs.Enter, "new line"}, {"^R", "check again"}}
	if p.offersJump() {
		hints = append([]Hint{{"^T", "jump there"}}, hints...)
	}
	switch {
	case p.command:
		hints = append(hints, Hint{"^O", "as a prompt"})
	case startsWithMark(p.edit.lines[0].text):
		hints = append(hints, Hint{"^O", "as a command"})
	}
	if p.target.Background && !p.bgOK {
		hints = append(hints, Hint{"^G", "beside background work"})
	}
	last := Hint{"esc", "close"}
	switch {
	case p.outcome != nil:
		last.Word = "put away"
	case !p.edit.blank() && p.entry == "":
		last.Word = "close, keep the draft"
	}
	return append(hints, last)
}
