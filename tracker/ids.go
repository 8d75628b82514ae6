package tracker

import (
	"strconv"
	"time"
)

// SessionID is a tmux session id such as "$1". It is never a name: names are for people only.
type SessionID string

// WindowID is a tmux window id such as "@4".
type WindowID string

// PaneID is a tmux pane id such as "%5". Ids start again at %0 with every server.
type PaneID string

// ServerID names one life of one tmux server. Pane ids mean nothing without it.
type ServerID struct {
	Socket string `json:"socket"`
	PID    int    `json:"pid"`
}

// ServerLife tells servers of one pid apart: after a restart of the machine, or of a container, the
// next server may well get the pid of the one before.
type ServerLife struct {
	ServerID
	Started int64 `json:"started"` // Unix seconds; 0 where tmux does not tell
}

// Is reports whether both are the same server.
func (l ServerLife) Is(o ServerLife) bool {
	return l.ServerID == o.ServerID && (l.Started == o.Started || l.Started == 0 || o.Started == 0)
}

// AgentID is one life of one Claude Code process. Session ids change under a living agent and
// pids are recycled; the pair of pid and start time is neither shared nor reused.
//
// Start is in the platform's own unit (Linux: clock ticks since boot, field 22 of
// /proc/<pid>/stat; elsewhere: Unix milliseconds) and is only ever compared for equality.
type AgentID struct {
	PID   int    `json:"pid"`
	Start uint64 `json:"start"`
}

// IsZero reports whether the id names no process.
func (a AgentID) IsZero() bool { return a.PID == 0 }

func (a AgentID) String() string {
	return strconv.Itoa(a.PID) + "@" + strconv.FormatUint(a.Start, 10)
}

// ProcState is what the kernel says a process is doing, as far as the board cares.
type ProcState uint8

const (
	ProcRunning ProcState = iota // running or sleeping: alive in the ordinary way
	ProcStopped                  // stopped by job control (Ctrl-Z) or a debugger
	ProcZombie                   // dead, not yet reaped: counts as gone
)

// Process is one row of the process table.
type Process struct {
	PID, PPID int
	Start     uint64 // see AgentID.Start
	Group     int    // process group; 0 when unknown
	TermGroup int    // foreground group of its terminal; <= 0 when it has none or it is unknown
	TTY       uint64 // device number of its controlling terminal; 0 for none
	State     ProcState
	Name      string    // base name of the executable as the kernel tells it
	Args      []string  // bounded command line, argv[0] first; nil when unreadable
	Began     time.Time // wall clock time of its start, exact to about a second; zero when unknown
	Ports     []int     // TCP ports it listens on, sorted; filled by the slow sweep only
}

// ID is the identity of the process.
func (p Process) ID() AgentID { return AgentID{PID: p.PID, Start: p.Start} }

// Foreground reports whether the process is in the foreground group of its terminal.
func (p Process) Foreground() bool { return p.TermGroup > 0 && p.Group == p.TermGroup }

// Source names where a fact came from.
type Source string

const (
	SourceNone       Source = "none"
	SourceTmux       Source = "tmux"
	SourceRegistry   Source = "registry"
	SourceHook       Source = "hook"
	SourceTranscript Source = "transcript"
	SourceAgents     Source = "agents"
	SourceProcess    Source = "process"
	SourceJournal    Source = "journal"
	SourceScreen     Source = "screen"
	SourceSummaries  Source = "summaries"     // the program that writes summaries
	SourceNotify     Source = "notifications" // no source of facts: what tells people of them
)

// newer reports whether b is strictly after a; a zero a is older than anything but zero.
func newer(a, b time.Time) bool { return b.After(a) }

// latest is the later of two times.
func latest(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
