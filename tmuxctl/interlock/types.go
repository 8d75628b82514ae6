package interlock

import (
	"strings"
	"time"

	"signalbox/tracker"
)

// Names of the lamps, in the order in which they are shown.
const (
	LampTarget   = "target"
	LampTmux     = "tmux"
	LampProcess  = "process"
	LampClaude   = "claude"
	LampComposer = "composer"
	LampText     = "text"
)

// LampNames lists the lamps in the order in which they are shown.
func LampNames() []string {
	return []string{LampTarget, LampTmux, LampProcess, LampClaude, LampComposer, LampText}
}

// Lamp is the verdict on one condition.
type Lamp struct {
	Name   string `json:"name"`
	OK     bool   `json:"ok"`
	Reason string `json:"reason"` // for people; may be set on a green lamp, as a remark
	// Passing says that a red lamp turns green by itself when the agent becomes idle, so that a
	// queued send may wait for it.
	Passing bool `json:"passing,omitempty"`
}

// says is why a lamp is red, for people: what is promised to scripts as the name of a lamp is no word of
// theirs for the input box.
func (l Lamp) says() string {
	name := l.Name
	if name == LampComposer {
		name = "input box"
	}
	if strings.HasPrefix(l.Reason, "the "+name+" ") {
		return l.Reason
	}
	return name + ": " + l.Reason
}

// Outcome is how a send ended.
type Outcome string

// The outcomes. See the package comment for what each promises.
const (
	Delivered   Outcome = "delivered"
	Refused     Outcome = "refused"
	Withheld    Outcome = "withheld"
	Unconfirmed Outcome = "unconfirmed"

	// Queued is never returned by Send. It is for callers that hold a request back until the agent
	// is idle (see Result.Waitable) and then Send it.
	Queued Outcome = "queued"
)

// Target is the agent that the person saw when they decided to send. Every field is checked again.
type Target struct {
	Server    tracker.ServerID
	Pane      tracker.PaneID
	PanePID   int
	Agent     tracker.AgentID
	SessionID string // "" when it was not known; then the session Claude names is taken
}

// Request is one task to send.
type Request struct {
	Target          Target
	Text            string
	AsCommand       bool          // the person chose to send a leading "/", "!", "#", "&" or "?" as such
	Shared          bool          // another agent has the same session open: what is told of it may be the other's
	AllowBackground bool          // an agent at the prompt with a background shell counts as idle
	ReceiptTimeout  time.Duration // 0 for the default, and longer while the agent's own hooks hold the prompt
}

// Result tells the truth about one send.
type Result struct {
	Outcome Outcome `json:"outcome"`
	Pane    string  `json:"target"`
	Lamps   []Lamp  `json:"lamps"` // all six, in order, as last seen
	Detail  string  `json:"detail"`
	Box     string  `json:"box,omitempty"` // what was last seen in the input box, when something was typed
	Receipt *Prompt `json:"-"`             // set when delivered
}

// Red lists the lamps that are not green.
func (r Result) Red() []Lamp {
	var red []Lamp
	for _, l := range r.Lamps {
		if !l.OK {
			red = append(red, l)
		}
	}
	return red
}

// Waitable reports whether nothing but the agent's being busy stood in the way, so that the same
// request may go through later.
func (r Result) Waitable() bool {
	red := r.Red()
	for _, l := range red {
		if !l.Passing {
			return false
		}
	}
	return r.Outcome == Refused && len(red) > 0
}

// Reasons is what the red lamps among these say, on one line.
func Reasons(lamps []Lamp) string {
	var parts []string
	for _, l := range lamps {
		if !l.OK && l.Reason != unasked {
			parts = append(parts, l.says())
		}
	}
	return strings.Join(parts, "; ")
}

// Stage is where a send is.
type Stage uint8

// The stages of a send, in order.
const (
	StageChecking Stage = iota
	StageTyping
	StageEcho // typed; waiting until the text is seen in the box
	StageRechecking
	StageEntering
	StageReceipt
	StageHooks // Claude has it, and waits for its hooks
)

func (s Stage) String() string {
	names := [...]string{"checking", "typing", "waiting for the echo", "checking again", "pressing Enter", "waiting for the receipt", "waiting for the hooks of the agent"}
	if int(s) < len(names) {
		return names[s]
	}
	return "stage"
}

// Progress is told to the callback of Send whenever a lamp changes or a stage begins. It is called
// on Send's goroutine and must not block.
type Progress struct {
	Stage Stage
	Lamp  Lamp // Name is "" when only the stage is new
}

// Timing holds every delay and limit of a send.
type Timing struct {
	Look     time.Duration // one look at the pane
	Inspect  time.Duration // one look at the process table
	Rows     time.Duration // `claude agents --json`
	Entry    time.Duration // the registry file, the editor's settings
	Keys     time.Duration // one guarded paste or Enter
	Echo     time.Duration // from the paste until the text is seen in the box
	EchoPoll time.Duration // between two looks for it
	Receipt  time.Duration // from Enter until Claude acknowledges the prompt
	Hooks    time.Duration // from Claude's first word about a prompt until its hooks have let it through
	Settle   time.Duration // between two looks for a text that came back into the box, and how late a word may come
}

// DefaultTiming is what people use.
func DefaultTiming() Timing {
	return Timing{
		Look:     time.Second,            // 5 ms as a rule; a server with 500 panes stalls for 20
		Inspect:  time.Second,            // a few ms; a loaded machine takes its time
		Rows:     4 * time.Second,        // a whole start of Claude: 0.2 s here, over 1 s on a loaded laptop
		Entry:    500 * time.Millisecond, // one small file, possibly on a network home
		Keys:     2 * time.Second,        // 300 kB took 30 ms
		Echo:     3 * time.Second,        // Claude draws within 50 ms; a long paste takes some hundreds
		EchoPoll: 25 * time.Millisecond,  // below what a person notices, above what a fork costs
		Receipt:  5 * time.Second,        // the documented default of `send --timeout`
		Hooks:    31 * time.Second,       // Claude gives the hooks of a prompt 30 s
		Settle:   time.Second,            // Claude draws what its hooks said within 50 ms, and writes it within 300
	}
}
