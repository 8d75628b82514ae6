package interlock

import (
	"context"
	"time"

	"signalbox/tmuxctl/interlock/composer"
	"signalbox/tracker"
)

// Every call below honours its context and returns soon after it ends.

// Tmux is the tmux server, as far as sending needs it. Server implements it over a Runner.
type Tmux interface {
	// Look reads the facts and the screen of one pane, both of the same instant.
	Look(ctx context.Context, pane tracker.PaneID) (Look, error)

	// Paste pastes text in brackets into the guarded pane if the guard holds, and reports whether
	// it did. The private buffer it uses is gone afterwards, either way. An error means that it is
	// not known whether the text was typed, unless it is an ErrNotSent.
	Paste(ctx context.Context, g Guard, text string) (bool, error)

	// Enter presses Enter in the guarded pane if the guard holds, and reports whether it did. An
	// error means that it is not known.
	Enter(ctx context.Context, g Guard) (bool, error)
}

// Look is one pane at one instant.
type Look struct {
	Facts
	Clients []Client // every client of the server
	Screen  composer.Screen
}

// Client is a terminal attached to tmux.
type Client struct {
	TTY    string
	Pane   tracker.PaneID // the pane its keys go to
	Active time.Time      // its newest key, in whole seconds
}

// Facts is what tmux says of a pane.
type Facts struct {
	ServerPID    int
	Pane         tracker.PaneID
	PanePID      int
	Dead         bool
	InMode       bool // copy mode, view mode, a chooser
	InputOff     bool
	Synchronized bool
	TTY          string
	Command      string // name of the process in the terminal's foreground, as tmux finds it
	Bracketed    Flag   // the program asked for bracketed paste
	KeyAt        int64  // newest key pressed in the pane's session by any client, Unix seconds
}

// Flag is a fact that older versions of tmux do not know.
type Flag uint8

// The values of a Flag.
const (
	FlagUnknown Flag = iota
	FlagOff
	FlagOn
)

// Processes looks at the process table.
type Processes interface {
	// Inspect looks at an agent in a pane, freshly. A process that is gone, or another one under
	// the same pid, is not an error but Alive false.
	Inspect(ctx context.Context, agent tracker.AgentID, pane PaneProcess) (Process, error)
}

// PaneProcess names a pane to the process table.
type PaneProcess struct {
	PID int    // first process of the pane
	TTY string // path of its terminal
}

// Process is what the process table says of an agent.
type Process struct {
	Alive      bool // with this start time
	Stopped    bool
	UnderPane  bool   // the pane's first process is the agent or one of its ancestors
	OnTerminal bool   // its controlling terminal is the pane's
	Foreground bool   // it is in the foreground group of that terminal
	Reader     string // somebody else who reads from the terminal (an editor), for people; "" for nobody
}

// Claude is Claude Code's own word.
type Claude interface {
	// Rows is the answer of `claude agents --json`, run by the agent's own executable where that
	// is known. An answer that is not such a list is an error.
	Rows(ctx context.Context, agent tracker.AgentID) ([]tracker.AgentsEntry, error)

	// Entry is the agent's registry file as it is now, or nil when there is none to be trusted
	// (see tracker.Trust). It is fast, and only ever a veto.
	Entry(ctx context.Context, agent tracker.AgentID) (*tracker.RegistryEntry, error)
}

// Receipts tells of prompts that Claude acknowledges.
type Receipts interface {
	// Watch sends every prompt that is submitted from now on in one session or by one agent, as
	// the hooks and the transcript tell it, until the context ends. The channel need not be closed.
	Watch(ctx context.Context, agent tracker.AgentID, session string) (<-chan Prompt, error)
}

// Prompt is what Claude says about one prompt.
type Prompt struct {
	At        time.Time
	SessionID string
	ClaudePID int    // 0 when unknown: the transcript, or Claude before 2.1.214
	Text      string // untrusted; as Claude tells it, pasted parts wrapped
	Cut       bool   // only the beginning is known
	Source    tracker.Source
	Reception Reception
	ID        string // Claude's own id of the prompt, "" where it is not told (before 2.1.196)
	Stop      string // with Taken: why a hook stopped Claude right after it, "" when none did. Untrusted
}

// Reception is how far a prompt got.
type Reception uint8

// The receptions. Claude runs every UserPromptSubmit hook at once and waits for all of them, so ours
// hears of a prompt that somebody else's may still block. The transcript tells which it was (seen
// with 2.0.76, 2.1.197 and 2.1.332), or, where none is kept, a later hook of the same prompt.
const (
	Taken    Reception = iota // it is part of the conversation
	Heard                     // Claude got it and asks its hooks
	Blocked                   // a hook blocked it. Text is all that Claude says about it, the prompt last
	WorkedOn                  // Claude works on the prompt with this ID, or has: so it was let through. Text is empty
)

// Editor knows how an agent's input box is set up. It may be nil.
type Editor interface {
	// Vim reports whether the box of this agent has vim keys. It is asked because vim normal mode
	// cannot be told from the screen.
	Vim(ctx context.Context, agent tracker.AgentID) (bool, error)
}
