package tracker

import "time"

// Snapshot is the whole board at one moment. It is immutable once published: rows that did not
// change are shared with the snapshot before, so a pointer that is equal means a row that is equal.
// It round-trips through JSON, which is how a running board answers the one-shot commands.
type Snapshot struct {
	Rev        uint64           `json:"rev"` // grows with every published change
	At         time.Time        `json:"at"`
	Tmux       TmuxState        `json:"tmux"`
	Sources    []SourceHealth   `json:"sources"` // fixed order, one per source in use
	Counts     Counts           `json:"counts"`
	Sessions   []*SessionRow    `json:"sessions"` // tmux order: by session id
	Background []*BackgroundRow `json:"background"`
	Inbox      []*Happening     `json:"inbox"`     // newest first
	InboxSeen  time.Time        `json:"inboxSeen"` // see the event of that name
}

// Counts sums the agents on the board by status. NeedsInput leaves out the person's own dialogs.
type Counts struct {
	NeedsInput int `json:"needsInput"`
	Review     int `json:"review"`
	Failed     int `json:"failed"` // part of Review
	Unknown    int `json:"unknown"`
	Busy       int `json:"busy"`
	Idle       int `json:"idle"`
	Windows    int `json:"windows"`
	Agents     int `json:"agents"`
}

// Attention is how many agents wait for a person.
func (c Counts) Attention() int { return c.NeedsInput + c.Review }

// TmuxState is the state of the connection to tmux.
type TmuxState struct {
	Server  ServerID `json:"server"`
	Version string   `json:"version"`
	State   string   `json:"state"` // "ok", "absent", "failed", "unknown" before the first answer
	Detail  string   `json:"detail,omitempty"`
}

// States of tmux and of sources.
const (
	StateOK      = "ok"
	StateAbsent  = "absent"
	StateFailed  = "failed"
	StateUnknown = "unknown"
)

// SourceHealth says whether a source can be read, and since when that is so.
type SourceHealth struct {
	Source Source    `json:"name"`
	State  string    `json:"state"`
	Since  time.Time `json:"since"`
	LastOK time.Time `json:"lastOk"`
	Detail string    `json:"detail"`
	told   time.Time // newest word of it, good or bad
}

// SessionRow is one tmux session with its windows.
type SessionRow struct {
	ID       SessionID    `json:"id"`
	Name     string       `json:"name"`
	Attached bool         `json:"attached"`
	Activity time.Time    `json:"activity"`
	Group    string       `json:"group,omitempty"`
	Urgency  int          `json:"urgency"` // highest of its windows; see Verdict.Urgency
	Status   Status       `json:"status"`
	Windows  []*WindowRow `json:"windows"`
}

// WindowRow is one tmux window: a cell of the grid.
type WindowRow struct {
	ID       WindowID   `json:"id"`
	Session  SessionID  `json:"session"`
	Index    int        `json:"index"`
	Name     string     `json:"name"`
	Active   bool       `json:"active"`
	Activity time.Time  `json:"activity"`
	Kind     WindowKind `json:"statusKind"`
	Summary  string     `json:"summary"`           // one line: what happens right now
	Written  string     `json:"written,omitempty"` // the same in better words, where a program writes them
	Urgency  int        `json:"urgency"`
	Lead     int        `json:"lead"` // index into Panes: the pane of the most urgent agent, else the active pane
	Panes    []*PaneRow `json:"panes"`
	Rev      uint64     `json:"rev"` // changes when anything in the row does
}

// LeadPane is the pane that speaks for the window; nil only for a window without panes.
func (w *WindowRow) LeadPane() *PaneRow {
	if w.Lead < 0 || w.Lead >= len(w.Panes) {
		return nil
	}
	return w.Panes[w.Lead]
}

// Agent is the most urgent agent of the window, or nil.
func (w *WindowRow) Agent() *AgentRow {
	if p := w.LeadPane(); p != nil {
		return p.Agent
	}
	return nil
}

// AtShell reports whether a shell that reads commands from the terminal speaks for the window: no
// program runs in it then.
func (w *WindowRow) AtShell() bool {
	p := w.LeadPane()
	if p == nil || p.Agent != nil || p.Dead {
		return false
	}
	return programOf(p).shell
}

// PaneRow is one pane with the agent that lives in it. A pane may hold more than one (one
// suspended, one in front): Agent is the one in front, else the most urgent; Others holds the rest.
type PaneRow struct {
	Pane
	Agent  *AgentRow   `json:"agent,omitempty"`
	Others []*AgentRow `json:"others,omitempty"`
	Ports  []int       `json:"ports,omitempty"` // listening ports of the pane's process tree
	Front  string      `json:"front,omitempty"` // foreground program with its arguments
	// FrontArgs is the same as a list, argv[0] first, and FrontAt when the foreground was last seen
	// to change; zero when it never was.
	FrontArgs []string  `json:"frontArgs,omitempty"`
	FrontAt   time.Time `json:"frontAt,omitzero"`
	Jobs      []string  `json:"jobs,omitempty"` // stopped jobs
	lead      AgentID   // the process that leads the foreground, as far as known
}

// AgentRow is one Claude Code agent with its verdict and what is known of its work.
type AgentRow struct {
	ID            AgentID  `json:"id"`
	Pane          PaneID   `json:"pane"`
	SessionID     string   `json:"sessionId"`
	Name          string   `json:"name"` // best label: custom title, AI title, registry name
	Version       string   `json:"version"`
	CWD           string   `json:"cwd"`
	Mode          string   `json:"permissionMode"`
	Model         string   `json:"model"`
	Tool          string   `json:"tool"`       // tool at work or asked for
	ToolDetail    string   `json:"toolDetail"` // its most telling argument
	Prompt        string   `json:"prompt"`     // what it was asked last
	Last          string   `json:"last"`       // its last words
	Queued        []string `json:"queued,omitempty"`
	Tokens        Tokens   `json:"tokens"`
	Branch        string   `json:"branch,omitempty"`
	Transcript    string   `json:"transcript,omitempty"`
	SharesSession bool     `json:"sharesSession"`
	Verdict       Verdict  `json:"verdict"`
	// Earlier is what it was before, as this board saw it: newest first, few, without what was too short
	// to see.
	Earlier  []Stretch `json:"earlier,omitempty"`
	Evidence Evidence  `json:"evidence"`
}

// BackgroundRow is an agent that Claude runs without a pane.
type BackgroundRow struct {
	ID        string  `json:"id"`
	Name      string  `json:"name"`
	State     string  `json:"state"` // Claude's word: working, blocked, done, failed, stopped
	PID       int     `json:"pid"`
	Agent     AgentID `json:"agent"` // zero when only a list told of it
	SessionID string  `json:"sessionId"`
	CWD       string  `json:"cwd"`
	Verdict   Verdict `json:"verdict"`
}

// Windows calls f for every window in order, until f returns false.
func (s *Snapshot) Windows(f func(*SessionRow, *WindowRow) bool) {
	if s == nil {
		return
	}
	for _, sess := range s.Sessions {
		for _, w := range sess.Windows {
			if !f(sess, w) {
				return
			}
		}
	}
}

// FindPane returns the pane with this id and where it stands, or nils.
func (s *Snapshot) FindPane(id PaneID) (*SessionRow, *WindowRow, *PaneRow) {
	var fs *SessionRow
	var fw *WindowRow
	var fp *PaneRow
	s.Windows(func(sess *SessionRow, w *WindowRow) bool {
		for _, p := range w.Panes {
			if p.ID == id {
				fs, fw, fp = sess, w, p
				return false
			}
		}
		return true
	})
	return fs, fw, fp
}
