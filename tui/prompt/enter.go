package prompt

import (
	"strconv"
	"time"

	"signalbox/tui/style"
)

// does is what Enter would do.
type does uint8

const (
	nothing does = iota
	sends
	queues
	jumps
	closes
)

// meaning is what Enter means now.
type meaning struct {
	does  does
	word  string // beside the lamps
	why   string // nothing: what is in the way, for people
	ready bool   // it has meant so for long enough
}

// settle derives what Enter means from everything that is known. The grace begins anew whenever
// that changes.
func (p *Prompt) settle(now time.Time) {
	p.judgeText()
	m := p.meaning()
	if m.does != p.enter.does {
		p.enterSince = now
	}
	m.ready = now.Sub(p.enterSince) >= grace
	if p.note.enter && m != p.enter {
		p.note = note{} // it is not true any more
	}
	p.enter = m
}

// judgeText keeps the lamp of the text true.
func (p *Prompt) judgeText() {
	l := Lamp{Name: lampText}
	switch {
	case p.phase == sending || p.phase == told:
		return
	case p.edit.blank():
		l.Reason = "nothing is written yet"
	case p.opt.CheckText != nil:
		var why, remark string
		if p.textRev == p.edit.rev && p.text.Name != "" {
			return
		}
		why, remark = p.opt.CheckText(p.edit.String(), p.command)
		l.OK, l.Reason = why == "", why+remark
	default:
		l.OK = true
	}
	p.text, p.textRev = l, p.edit.rev
}

func (p *Prompt) meaning() meaning {
	switch p.phase {
	case closed, sending:
		return meaning{}
	case told:
		if k := p.outcome.Kind; k == Withheld || k == Unconfirmed {
			return meaning{does: jumps, word: "jump there"}
		}
		return meaning{does: closes, word: "close"}
	}
	switch {
	case p.target.Gone:
		return meaning{why: "the agent is gone; the text is kept"}
	case p.offersJump() && p.edit.blank():
		return meaning{does: jumps, word: "jump there"}
	case p.offersJump():
		// Enter after a text is meant to send. Where it led to the pane, pressed once more it would answer
		// what stands there.
		return meaning{why: "it waits for you: ^T jumps there, and keeps the text"}
	case p.edit.blank():
		return meaning{why: "nothing is written yet"}
	case !p.text.OK:
		return meaning{why: p.text.Reason}
	case p.entry != "":
		return meaning{does: queues, word: "keep"}
	case p.fresh:
		return meaning{why: "the lamps are not known yet"}
	}
	return p.judgeLamps()
}

// offersJump reports whether the prompt is about an agent that waits for its person: there is nothing to
// send then, but somewhere to go.
func (p *Prompt) offersJump() bool { return p.target.Waits() && p.entry == "" }

// judgeLamps is what Enter means by the lamps, when text and target leave it to them.
func (p *Prompt) judgeLamps() meaning {
	red, passing, typing := 0, 0, false
	why := ""
	for _, name := range LampNames() {
		l, ok := p.lamps[name]
		switch {
		case name == lampText:
		case !ok:
			return meaning{why: "the lamps are not known yet"}
		case l.OK:
		default:
			red++
			if why == "" {
				why = l.says()
			}
			if l.Passing {
				passing++
				typing = typing || name == lampTmux
			}
		}
	}
	switch {
	case red == 0, red == 1 && typing: // the send itself waits for a pause in somebody's typing
		return meaning{does: sends, word: "send"}
	case red == passing:
		return meaning{does: queues, word: "queue"}
	}
	return meaning{why: why}
}

// HandleKey takes one key.
func (p *Prompt) HandleKey(k Key, now time.Time) Action {
	p.settle(now) // what was shown when the key was pressed
	switch p.phase {
	case closed:
		return Action{}
	case sending:
		if k.Name == "ctrl+c" {
			p.note = note{text: "calling it off", role: style.Warn}
			return p.action(Cancel)
		}
		return Action{}
	case told:
		return p.toldKey(k, now)
	}
	return p.writeKey(k, now)
}

// toldKey puts an outcome away. Nothing else does: it must not vanish under a key meant for the
// text.
func (p *Prompt) toldKey(k Key, now time.Time) Action {
	switch k.Name {
	case "enter":
		if !p.enter.ready {
			return Action{}
		}
		kind := Close
		if p.enter.does == jumps {
			kind = Jump
		}
		a := p.action(kind)
		p.Close()
		return a
	case "esc", "ctrl+c":
		a := p.action(Close)
		p.Close()
		return a
	}
	return Action{}
}

func (p *Prompt) writeKey(k Key, now time.Time) Action {
	p.note = note{}
	switch k.Name {
	case "esc", "ctrl+c":
		if p.outcome != nil {
			p.outcome = nil // first the outcome, then the prompt
			return Action{}
		}
		a := p.action(Close)
		p.Close()
		return a
	case "enter":
		if !k.Paste && now.Sub(p.typedAt) >= pasteGap {
			return p.pressEnter(now)
		}
		return p.typed("\n", now)
	case "alt+enter", "ctrl+j", "shift+enter", "ctrl+enter":
		return p.typed("\n", now)
	case "ctrl+t":
		if !p.offersJump() {
			return Action{}
		}
		a := p.action(Jump)
		p.Close()
		return a
	case "ctrl+r":
		p.outcome = nil
		p.forgetLamps()
		return p.check(now)
	case "ctrl+o":
		p.command = !p.command
		p.edit.rev++
		p.settle(now)
		return Action{}
	case "ctrl+g":
		if p.target.Background || p.bgOK {
			p.bgOK = !p.bgOK
			return p.check(now)
		}
		return Action{}
	}
	if k.Text != "" {
		return p.typed(k.Text, now)
	}
	if p.edit.edit(k.Name, p.cols) {
		p.settle(now)
	}
	return Action{}
}

// typed puts typed or pasted text in.
func (p *Prompt) typed(text string, now time.Time) Action {
	p.typedAt = now
	text, dropped := clean(text)
	switch {
	case !p.edit.insert(text):
		p.note = note{text: "that is too long to send: write a file and name it", role: style.Bad}
	case dropped == 1:
		p.note = note{text: "one control character was left out", role: style.Warn}
	case dropped > 1:
		p.note = note{text: strconv.Itoa(dropped) + " control characters were left out", role: style.Warn}
	}
	p.outcome = nil
	p.settle(now)
	return Action{}
}

// pressEnter does what the word beside the lamps says, if it has said so for long enough.
func (p *Prompt) pressEnter(now time.Time) Action {
	m := p.enter
	switch {
	case m.does == nothing:
		p.note = note{m.why, style.Warn, true}
		return Action{}
	case !m.ready:
		p.note = note{"a moment: Enter has only just come to mean this", style.Warn, true}
		return Action{}
	case m.does == jumps:
		a := p.action(Jump)
		p.Close()
		return a
	}
	kind := Send
	if m.does == queues {
		kind = Queue
	}
	p.seq++
	a := p.action(kind)
	p.phase, p.outcome, p.waiting, p.stage = sending, nil, true, ""
	p.sent.set(a.Text)
	p.sent.moveTo(0, 0) // from its beginning
	p.settle(now)
	return a
}
