package tracker

import "time"

// Event is one fact from one source. Sources send events over a bounded channel to the engine, in
// order and without loss; State.Apply is the only consumer. Events are values: neither side
// changes one after sending it.
//
// Every event carries the time its fact became true according to its source. State never compares
// times of different kinds of facts except in Judge.
type Event interface{ event() }

// TmuxListed is one complete listing of the server. It replaces the previous one. Detail is an
// optional remark, as in SourceWorks.
type TmuxListed struct {
	At       time.Time
	Topology Topology
	Detail   string
}

// TmuxAbsent says that no server runs behind the socket. That is a normal state, not a failure:
// the rows go, the screen says so. A server that cannot be asked is a SourceFailed instead.
type TmuxAbsent struct {
	At     time.Time
	Socket string
	Detail string
}

// SourceFailed says that a source could not be read. Its last facts stay and are shown as stale;
// a failure never turns a row into "gone" or "idle".
type SourceFailed struct {
	At     time.Time
	Source Source
	Reason string // for people: what failed and, where possible, what to do
}

// SourceWorks says that a source was read. It ends a failure. Detail is an optional remark that
// is shown although the source works ("3 unreadable files", "not available in 2.1.120").
type SourceWorks struct {
	At     time.Time
	Source Source
	Detail string
}

// RegistryRead is the content of one ~/.claude/sessions/<pid>.json, or, with a nil Entry, its
// removal. Chain is the process named by the file followed by its ancestors, nearest first, as
// read right before sending; it is empty when the process is gone.
type RegistryRead struct {
	At    time.Time
	PID   int
	Entry *RegistryEntry
	Trust Trust
	Chain []Process
}

// Trust says whether a registry file may be believed.
type Trust uint8

const (
	TrustProven   Trust = iota // the process lives, with this start time, in our pid namespace
	TrustDead                  // no such process, or another one that reuses the pid
	TrustForeign               // written in another pid namespace: its pid means nothing here
	TrustUnproven              // alive, but the start time is missing or in an unknown form
)

// RegistryEntry is Claude's own word on one process, decoded. Unknown words stay as they are.
type RegistryEntry struct {
	PID             int
	SessionID       string
	CWD             string
	StartedAt       time.Time
	ProcStart       string
	PIDDomain       string
	Version         string
	Kind            string // "interactive", "bg", …
	Entrypoint      string
	Name            string
	NameSource      string
	Status          string // "idle", "busy", "waiting", "shell", "" while starting, or a new word
	WaitingFor      string // for people, not for matching
	StatusUpdatedAt time.Time
	UpdatedAt       time.Time
}

// HookReceived is one hook call. At is when the hook process began, Seen when we read it; hooks
// are separate processes and arrive in any order. Chain is the Claude process that called the hook
// and its ancestors, nearest first; empty when it could not be found.
type HookReceived struct {
	At, Seen time.Time
	Hook     Hook
	Chain    []Process
	Replayed bool // read back from the event log: true, but nothing to notify
}

// ProcessesSeen is the process table as far as the panes and agents need it: every descendant of
// a pane's first process, every known agent, and their ancestors. Complete is set when every
// living process of that kind is in it, so that a missing one is gone.
type ProcessesSeen struct {
	At       time.Time
	Complete bool
	Procs    []Process
}

// ProcessExited says that one agent process is gone, from a watch that cannot be wrong (a pidfd,
// a vanished or zombie process with this start time).
type ProcessExited struct {
	At time.Time
	ID AgentID
}

// TranscriptRead is the sum of what a transcript says up to Offset. Newer sums replace older ones
// of the same session.
type TranscriptRead struct {
	At        time.Time
	SessionID string
	Facts     TranscriptFacts
}

// AgentsListed is one answer of `claude agents --json`. Available is false where this Claude has
// no such command; Problem says why an answer could not be used.
type AgentsListed struct {
	At        time.Time
	Available bool
	Problem   string
	Rows      []AgentsEntry
}

// AgentsEntry is one row of `claude agents --json`, decoded.
type AgentsEntry struct {
	PID        int
	SessionID  string
	CWD        string
	Kind       string // "interactive", "background", …
	Name       string
	Status     string
	WaitingFor string
	ID         string // background only
	State      string // background only: working, blocked, done, failed, stopped
	StartedAt  time.Time
}

// ScreenSeen is what a look at a pane's screen found. The screen never proves readiness.
type ScreenSeen struct {
	At       time.Time
	Pane     PaneID
	PanePID  int
	Composer bool   // an empty or filled input box of Claude Code is on screen
	Dialog   bool   // a choice that waits for Enter is on screen
	Cursor   string // text of the line the cursor stands on, left of the cursor
	LastLine string // last line with text on it
	Full     bool   // a full-screen program draws: the lines are parts of a picture
	Problem  string // why the pane could not be read, or ""
}

// Acknowledged says that the person has looked: a jump from the board, or the acknowledge key.
type Acknowledged struct {
	At   time.Time
	Pane PaneID
}

// Restored brings back what an earlier run of the board knew: its last verdicts and its inbox, newest
// first. Whether an entry still holds is not asked of the earlier run: who waits now says so.
type Restored struct {
	At       time.Time
	Verdicts []RestoredVerdict
	Inbox    []Happening
	Seen     time.Time // as in InboxSeen
}

// InboxSeen says that the person had the inbox open when its newest entry was of that time.
type InboxSeen struct{ At time.Time }

// RestoredVerdict is what the last run of the board knew of one agent.
type RestoredVerdict struct {
	ID        AgentID
	Status    Status
	Since     time.Time
	LookedAt  time.Time
	Suspended bool
}

func (TmuxListed) event()     {}
func (TmuxAbsent) event()     {}
func (SourceFailed) event()   {}
func (SourceWorks) event()    {}
func (RegistryRead) event()   {}
func (HookReceived) event()   {}
func (ProcessesSeen) event()  {}
func (ProcessExited) event()  {}
func (TranscriptRead) event() {}
func (AgentsListed) event()   {}
func (ScreenSeen) event()     {}
func (Acknowledged) event()   {}
func (Restored) event()       {}
func (InboxSeen) event()      {}
