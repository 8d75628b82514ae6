package tracker

import "time"

// Topology is what one complete tmux listing said: every session, window and pane once.
// It is a value handed over by the lister; nobody changes it afterwards.
type Topology struct {
	Server   ServerID  `json:"server"`
	Started  int64     `json:"started"` // of the server; see ServerLife
	Version  string    `json:"version"` // "3.3a"
	Sessions []Session `json:"sessions"`
}

// Session is one tmux session. A group of sessions that share their windows is listed once per
// window: the windows stand under the attached session of the group (see Window).
type Session struct {
	ID       SessionID
	Name     string // untrusted text, already valid UTF-8
	Attached int    // real clients; the board's own control client is never counted
	Activity time.Time
	Created  time.Time
	Group    string // name of the session group, or ""
	Windows  []Window
}

// Window is one tmux window. A window linked into several sessions is listed once, under the
// session that is attached, else under the one with the lowest id.
type Window struct {
	ID       WindowID
	Index    int
	Name     string // untrusted
	Active   bool   // current window of its session
	Zoomed   bool
	Activity time.Time // last output, second resolution
	Panes    []Pane
}

// Pane is one tmux pane. Command and Path cost the tmux server most of a listing, so a lister may
// fill them less often than the rest; it repeats the last known value in between.
type Pane struct {
	ID           PaneID
	Index        int
	PID          int // first process of the pane, usually a shell
	Active       bool
	Dead         bool
	DeadStatus   int // exit status of a dead pane
	DeadSignal   int // signal that ended the process of a dead pane, or 0
	InMode       bool
	InputOff     bool
	Synchronized bool
	Width        int
	Height       int
	TTY          string
	Command      string // name of the foreground process
	Path         string // untrusted, may hold any byte but NUL
	Title        string // untrusted, set by the program
}
