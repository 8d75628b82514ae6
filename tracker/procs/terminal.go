package procs

import (
	"context"
	"fmt"

	"signalbox/tracker"
)

// Standing is how an agent stands in a pane and to its terminal.
type Standing struct {
	Alive      bool   // a process with this identity lives; all else is false without it
	Stopped    bool   // by Ctrl-Z or a debugger
	UnderPane  bool   // the pane's first process is the agent or one of its ancestors
	OnTerminal bool   // its controlling terminal is the pane's
	Foreground bool   // it is in the foreground group of its terminal
	Reader     string // who else may be reading from its terminal, for people; see StdinIsTTYChild
}

// Inspect reads afresh how an agent stands in a pane, given the pane's first process and the path
// of its terminal: one pass over the process table, so all answers are of the same moment. An
// agent that is gone is no error. An error means that the table or the terminal cannot be read.
func Inspect(ctx context.Context, id tracker.AgentID, panePID int, tty string) (Standing, error) {
	t := NewTable()
	if err := t.read(ctx); err != nil {
		return Standing{}, err
	}
	i, ok := t.index[id.PID]
	if !ok || t.rows[i].Start != id.Start || t.rows[i].State == tracker.ProcZombie {
		return Standing{}, nil
	}
	device, err := ttyDevice(tty)
	if err != nil {
		return Standing{}, err
	}
	agent := t.rows[i]
	return Standing{
		Alive:      true,
		Stopped:    agent.State == tracker.ProcStopped,
		UnderPane:  agent.PID == panePID || t.ancestors(agent)[panePID],
		OnTerminal: agent.TTY != 0 && agent.TTY == device,
		Foreground: agent.Foreground(),
		Reader:     t.reader(agent),
	}, nil
}

// StdinIsTTYChild tells whether somebody besides the agent may be reading from its terminal, and
// who: a descendant whose standard input is that terminal (an external editor; MCP servers stand
// in the same group on the same terminal, but read a socket or a pipe), or any other process in
// the terminal's foreground group that does. The agent's own ancestors do not count: a launcher
// waits. The text is for people: a name and a pid, or why it cannot be known.
//
// It is a fresh look at the whole process table and fails closed: when the agent is gone, the
// table cannot be read, or a process in the foreground of the terminal does not let itself be
// looked at (sudo), the answer is true.
//
// On systems other than Linux standard inputs cannot be seen, and the answer for a living agent is
// always false.
func StdinIsTTYChild(id tracker.AgentID) (bool, string) {
	t := NewTable()
	if err := t.read(context.Background()); err != nil {
		return true, err.Error()
	}
	i, ok := t.index[id.PID]
	if !ok || t.rows[i].Start != id.Start {
		return true, fmt.Sprintf("process %d: %v", id.PID, ErrGone)
	}
	who := t.reader(t.rows[i])
	return who != "", who
}

// reader names the first process found that may read from the agent's terminal, or "".
func (t *Table) reader(agent tracker.Process) string {
	if agent.TTY == 0 {
		return "" // nothing to read from
	}
	above := t.ancestors(agent)
	for _, p := range t.rows {
		if p.PID == agent.PID || above[p.PID] || p.State == tracker.ProcZombie {
			continue
		}
		front := p.TTY == agent.TTY && p.Foreground()
		if !front && !t.isBelow(p, agent.PID) {
			continue
		}
		switch reads, err := stdinIs(p, agent.TTY); {
		case err != nil && front:
			return fmt.Sprintf("%s (pid %d, cannot be looked into)", p.Name, p.PID)
		case reads:
			return fmt.Sprintf("%s (pid %d)", p.Name, p.PID)
		}
	}
	return ""
}

// ancestors returns the pids above a process.
func (t *Table) ancestors(p tracker.Process) map[int]bool {
	above := map[int]bool{}
	for range maxDepth {
		i, ok := t.index[p.PPID]
		if !ok || above[p.PPID] {
			break
		}
		above[p.PPID] = true
		p = t.rows[i]
	}
	return above
}

// isBelow reports whether a process descends from the one with this pid.
func (t *Table) isBelow(p tracker.Process, pid int) bool {
	for range maxDepth {
		if p.PPID == pid {
			return true
		}
		i, ok := t.index[p.PPID]
		if !ok {
			return false
		}
		p = t.rows[i]
	}
	return false
}
