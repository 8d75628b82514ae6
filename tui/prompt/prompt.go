package prompt

import (
	"cmp"
	"maps"
	"time"

	"signalbox/tracker"
	"signalbox/tui/style"
)

const (
	// grace is how long the word beside the lamps must have stood before Enter counts: longer than
	// a key that was on its way, shorter than a person needs to read the word.
	grace = 400 * time.Millisecond
	// recheck is how old lamps get while the prompt is open. A look at all of them starts a Claude.
	recheck = 5 * time.Second
	// pasteGap is less than a person needs between two keys. Where a terminal does not mark a paste,
	// its line ends come as Enter, this soon after the text before them.
	pasteGap = 10 * time.Millisecond
)

// phase is where the prompt is.
type phase uint8

const (
	closed phase = iota
	writing
	sending
	told // an outcome that ends the task is on the screen
)

// Options are what a prompt needs of the outside. Both are pure.
type Options struct {
	Style *style.Style
	// CheckText judges a text as the interlock does: "" or why it cannot be sent, and a remark.
	CheckText func(text string, asCommand bool) (why, remark string)
}

// Prompt is the box.
type Prompt struct {
	opt   Options
	style *style.Style

	phase   phase
	target  Target
	edit    editor
	drafts  map[tracker.PaneID]Draft
	kept    string // the draft that the text began as
	command bool   // the text is meant as a command
	bgOK    bool   // background work may go on
	entry   string

	lamps   map[string]Lamp
	text    Lamp // of the text as it stands
	textRev uint64
	seq     uint64 // of the newest request
	waiting bool   // for its answer
	fresh   bool   // no lamp is shown until the answer is there
	checked time.Time
	stage   string
	sent    editor // the text on its way, to be shown
	outcome *Outcome
	note    note

	enter      meaning
	enterSince time.Time
	typedAt    time.Time
	cols       int // cells of a row of the editor, as last laid out
	out        layout
}

// note is one line for the person until the next key.
type note struct {
	text  string
	role  style.Role
	enter bool // why Enter did nothing: it goes when that changes
}

// New returns a closed prompt.
func New(o Options) *Prompt {
	return &Prompt{opt: o, style: o.Style, edit: newEditor(), sent: newEditor(), drafts: map[tracker.PaneID]Draft{}, cols: defaultCols}
}

// defaultCols is the width of the editor before it was laid out.
const defaultCols = 76

// IsOpen reports whether the prompt reads keys.
func (p *Prompt) IsOpen() bool { return p.phase != closed }

// Target is the agent that is written to.
func (p *Prompt) Target() Target { return p.target }

// Open opens the prompt on an agent, with the draft there is for it. The action is the first check.
func (p *Prompt) Open(t Target, now time.Time) Action {
	p.keepDraft()
	p.begin(t, now)
	d := p.drafts[t.Pane]
	p.edit.set(d.Text)
	p.command, p.entry, p.kept = d.AsCommand, "", p.edit.String()
	return p.check(now)
}

// OpenEntry opens the prompt on a task that waits, to change it. Its draft is not touched.
func (p *Prompt) OpenEntry(t Target, entry, text string, asCommand bool, now time.Time) Action {
	p.keepDraft()
	p.begin(t, now)
	p.edit.set(text)
	p.command, p.entry, p.kept = asCommand, entry, ""
	return p.check(now)
}

func (p *Prompt) begin(t Target, now time.Time) {
	p.phase, p.target, p.bgOK = writing, t, false
	p.outcome, p.note, p.stage = nil, note{}, ""
	p.enter, p.enterSince = meaning{}, now
	p.forgetLamps()
}

func (p *Prompt) forgetLamps() {
	p.lamps, p.fresh = map[string]Lamp{}, true
}

// SetTarget brings the agent as a newer snapshot shows it, or as the person chose it anew. The
// action is a check when something changed that lamps depend on.
func (p *Prompt) SetTarget(t Target, now time.Time) Action {
	old := p.target
	switch {
	case p.phase == closed:
		return Action{}
	case t.Pane != old.Pane:
		if p.phase != writing {
			return Action{} // what is on its way stays in sight, and so does what came of it
		}
		return p.Open(t, now)
	}
	p.target = t
	if p.phase != writing || t.same(old) && t.Status == old.Status && t.Background == old.Background {
		p.settle(now)
		return Action{}
	}
	if !t.same(old) {
		p.forgetLamps()
		p.enterSince = now
		if !t.Gone && !old.Gone {
			p.note = note{text: "the agent there has changed: look before you send", role: style.Warn}
		}
	}
	return p.check(now)
}

// check asks for all lamps.
func (p *Prompt) check(now time.Time) Action {
	if p.target.Gone {
		p.waiting = false
		p.takeLamps([]Lamp{{Name: "target", Reason: "the agent is gone"}})
		p.settle(now)
		return Action{}
	}
	p.seq++
	p.waiting = true
	p.checked = now
	p.settle(now)
	return p.action(Check)
}

func (p *Prompt) action(k Kind) Action {
	return Action{Kind: k, Seq: p.seq, Target: p.target, Text: p.edit.String(), AsCommand: p.command, AllowBackground: p.bgOK, Entry: p.entry}
}

// SetLamps brings the answer to a check. The lamp of the text is the prompt's own: the text may have
// changed since.
func (p *Prompt) SetLamps(seq uint64, lamps []Lamp, now time.Time) {
	if seq != p.seq || p.phase != writing {
		return
	}
	p.waiting, p.fresh, p.checked = false, false, now
	p.takeLamps(lamps)
	p.settle(now)
}

// SetLamp brings one lamp of a check or a send as soon as it is known.
func (p *Prompt) SetLamp(seq uint64, l Lamp, now time.Time) {
	if seq != p.seq || p.phase != writing && p.phase != sending {
		return
	}
	p.takeLamps([]Lamp{l})
	p.settle(now)
}

func (p *Prompt) takeLamps(lamps []Lamp) {
	if p.lamps == nil {
		p.lamps = map[string]Lamp{}
	}
	for _, l := range lamps {
		p.lamps[l.Name] = l
	}
}

// SetStage brings what a send does now, for people.
func (p *Prompt) SetStage(seq uint64, stage string) {
	if seq == p.seq && p.phase == sending {
		p.stage = stage
	}
}

// SetOutcome brings the end of a send, or of putting a task in the queue.
func (p *Prompt) SetOutcome(seq uint64, o Outcome, now time.Time) {
	if seq != p.seq || p.phase != sending {
		return
	}
	p.takeLamps(o.Lamps)
	p.outcome, p.stage, p.waiting, p.checked = &o, "", false, now
	switch o.Kind {
	case Refused, Failed:
		p.phase = writing // the draft is as it was; the outcome stands below it
	case Delivered, Queued:
		p.phase = told
		p.forgetDraft()
	default:
		p.phase = told
	}
	p.settle(now)
}

// LeftQueue tells what became of the task that the prompt says is queued. It must not go on saying so.
func (p *Prompt) LeftQueue(news string, bad bool) {
	if p.phase != told || p.outcome.Kind != Queued || p.outcome.Left != "" {
		return
	}
	o := *p.outcome
	o.Left, o.Bad = cmp.Or(news, "it is not in the queue any more"), bad
	p.outcome = &o
}

// forgetDraft drops the text that was sent.
func (p *Prompt) forgetDraft() {
	if p.entry == "" {
		delete(p.drafts, p.target.Pane)
	}
	p.edit.set("")
	p.command, p.entry = false, ""
}

// keepDraft notes the text as the draft of its pane. A task that waits keeps its own text.
func (p *Prompt) keepDraft() {
	if p.phase == closed || p.entry != "" || p.phase == told && p.edit.blank() {
		return
	}
	if p.edit.blank() {
		delete(p.drafts, p.target.Pane)
		return
	}
	p.drafts[p.target.Pane] = Draft{Text: p.edit.String(), AsCommand: p.command}
}

// Close closes the prompt and keeps the draft.
func (p *Prompt) Close() {
	p.keepDraft()
	p.phase, p.outcome, p.note = closed, nil, note{}
	p.seq++ // whatever is under way has nobody to tell
}

// EachDraft calls f for every pane that a text was kept for.
func (p *Prompt) EachDraft(f func(tracker.PaneID)) {
	for pane := range p.drafts {
		f(pane)
	}
}

// Drafts are the texts that were not sent, by pane, the open one included.
func (p *Prompt) Drafts() map[tracker.PaneID]Draft {
	p.keepDraft()
	return maps.Clone(p.drafts)
}

// SetDrafts brings drafts of an earlier run.
func (p *Prompt) SetDrafts(drafts map[tracker.PaneID]Draft) {
	for pane, d := range drafts {
		d.Text, _ = clean(d.Text)
		p.drafts[pane] = d
	}
}

// HasDraft reports whether there is a text that was not sent to a pane.
func (p *Prompt) HasDraft(pane tracker.PaneID) bool {
	_, ok := p.drafts[pane]
	return ok
}

// Next is when Tick has something to do; zero for never.
func (p *Prompt) Next() time.Time {
	var next time.Time
	if p.phase == writing && !p.waiting && !p.target.Gone {
		next = p.checked.Add(recheck)
	}
	if ends := p.enterSince.Add(grace); p.phase != closed && p.enter.does != nothing && !p.enter.ready && (next.IsZero() || ends.Before(next)) {
		next = ends
	}
	return next
}

// Tick lets time pass. The action is a check when the lamps have got old.
func (p *Prompt) Tick(now time.Time) Action {
	p.settle(now)
	if p.phase == writing && !p.waiting && !p.target.Gone && now.Sub(p.checked) >= recheck {
		return p.check(now)
	}
	return Action{}
}
