package prompt

import (
	"strings"
	"time"

	"signalbox/tracker"
)

// Target is the agent that is written to, as the newest snapshot shows it.
type Target struct {
	Pane       tracker.PaneID
	Agent      tracker.AgentID
	SessionID  string
	Where      string // session:window.pane, for people
	Name       string // the agent's, or the window's; for people
	Status     tracker.Status
	Reason     string // of the status, in words people use
	Detail     string // what it is about: the command that asks for permission, the question
	Dialog     bool   // the person's own dialog is open there
	Background bool   // background work goes on
	Gone       bool   // there is no such pane or agent any more
}

// Waits reports whether the agent waits for a person: then a task is not what it needs.
func (t Target) Waits() bool { return t.Status == tracker.StatusNeedsInput && !t.Gone }

// same reports whether two targets are the same agent in the same session and pane.
func (t Target) same(o Target) bool {
	return t.Pane == o.Pane && t.Agent == o.Agent && t.SessionID == o.SessionID && t.Gone == o.Gone
}

// Lamp is the verdict on one condition of a send.
type Lamp struct {
	Name    string // one of LampNames
	OK      bool
	Reason  string // for people; may be set on a green lamp, as a remark
	Passing bool   // red, but green by itself once the agent rests
}

// lampCount is how many lamps there are.
const lampCount = 6

// LampNames are the lamps in the order in which they are shown.
func LampNames() [lampCount]string {
	return [lampCount]string{"target", "tmux", "process", lampClaude, lampComposer, lampText}
}

// Lamps that the prompt knows something about.
const (
	lampTmux     = "tmux"
	lampClaude   = "claude"
	lampComposer = "composer"
	lampText     = "text"
)

// LampTitle is the name of a lamp for people.
func LampTitle(name string) string {
	if name == lampComposer {
		return "input box"
	}
	return name
}

// says is what a lamp has to say, with its name unless that is said already.
func (l Lamp) says() string {
	title := LampTitle(l.Name)
	if strings.HasPrefix(l.Reason, "the "+title+" ") {
		return l.Reason
	}
	return title + ": " + l.Reason
}

// Key is one key press. Name is spelled as Bubble Tea does ("enter", "alt+enter", "ctrl+r"); Text is
// what it types, or what was pasted.
type Key struct {
	Name  string
	Text  string
	Paste bool
}

// Kind is what the owner of the prompt is asked to do.
type Kind uint8

// Kinds of actions.
const (
	None   Kind = iota
	Check       // look at every lamp and call SetLamps with Seq
	Send        // send; SetProgress and SetOutcome with Seq
	Queue       // let the text wait until the agent rests; SetOutcome with Seq
	Cancel      // call the running send off
	Jump        // take the person to the pane
	Close       // the prompt is closed
)

// Action is what a key leads to.
type Action struct {
	Kind            Kind
	Seq             uint64 // names the request; answers to an older one are dropped
	Target          Target
	Text            string
	AsCommand       bool   // a leading "/", "!", "#", "&" or "?" is meant as such
	AllowBackground bool   // background work may go on
	Entry           string // Queue: the waiting task that this one replaces, "" for a new one
}

// Outcome is how a send ended.
type Outcome struct {
	Kind    OutcomeKind
	Detail  string // for people
	Box     string // what was last seen in the agent's input box, when something was typed
	Lamps   []Lamp // as last seen; nil leaves them as they are
	Receipt time.Time
	By      string // what the receipt came from, for people: "from a hook"
	Left    string // with Queued: what became of it, for people; "" while it waits
	Bad     bool   // and that wants the person
}

// OutcomeKind is the word for an outcome.
type OutcomeKind string

// The outcomes. Failed is an error before anything was tried; nothing was typed.
const (
	Delivered   OutcomeKind = "delivered"
	Refused     OutcomeKind = "refused"
	Withheld    OutcomeKind = "withheld"
	Unconfirmed OutcomeKind = "unconfirmed"
	Queued      OutcomeKind = "queued"
	Failed      OutcomeKind = "failed"
)

// Draft is a text that was not sent yet.
type Draft struct {
	Text      string `json:"text"`
	AsCommand bool   `json:"asCommand,omitempty"`
}
