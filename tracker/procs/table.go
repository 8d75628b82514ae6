package procs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"signalbox/tracker"
)

// maxProcs bounds one sweep's answer. On a machine with more processes than this it holds only
// those of the panes and agents, and no longer claims to be complete.
const maxProcs = 8192

// Table reads the whole process table in one pass and picks what the panes and agents need. It
// remembers, per identity, what is dear to read: the command line, and the ports of the last look.
// A Table belongs to one goroutine.
type Table struct {
	rows  []tracker.Process // of this sweep; the storage is used again
	index map[int]int       // pid -> row
	side  []side            // per row: whether the answer holds it
	buf   []byte
	known map[tracker.AgentID]*known
	sweep uint64

	newest time.Time          // when somebody new was last seen below the panes
	spaces map[string]sockets // by network namespace, as of the last look at ports
}

// known is what is remembered of one process.
type known struct {
	name   string // when the arguments were read: another program in the same process has another
	args   []string
	reads  int // of the arguments, under this name
	began  time.Time
	ports  []int
	looked bool   // for ports
	sweep  uint64 // last sweep that wanted it
}

// settledReads is how often the arguments of a process are read. Once is not enough: the child of
// a shell is a copy of the shell until it runs its own program, at times under the same name.
const settledReads = 2

// side tells where a row stands.
type side uint8

const (
	sideOpen  side = iota // not decided yet
	sideOut               // nobody asked for it
	sideAgent             // an agent that lives in no pane
	sideBelow             // a pane's first process or below one
)

// NewTable returns an empty table.
func NewTable() *Table {
	return &Table{index: map[int]int{}, buf: make([]byte, statBytes), known: map[tracker.AgentID]*known{}}
}

// Sweep reads the table once. The answer holds every process of the machine but the kernel's own,
// so that one which is missing is gone, whoever asks for it: an agent may have become known, or a
// pane opened, after the targets were set. Arguments, Began and ports are filled in for the first
// process of every pane, all its descendants, and the agents; panes are pids. Complete is set
// unless the bound was reached. An error means that the table cannot be read at all.
//
// It costs one short read per process of the machine, and one more for each that is new below the
// panes, this time and the next.
func (t *Table) Sweep(ctx context.Context, panes []int, agents []tracker.AgentID) (tracker.ProcessesSeen, error) {
	seen := tracker.ProcessesSeen{At: time.Now(), Complete: true}
	if err := t.read(ctx); err != nil {
		return tracker.ProcessesSeen{}, err
	}
	t.side = append(t.side[:0], make([]side, len(t.rows))...)
	for _, pid := range panes {
		if i, ok := t.index[pid]; ok {
			t.side[i] = sideBelow
		}
	}
	for i := range t.rows {
		t.settle(i)
	}
	for _, id := range agents {
		t.addAgent(id)
	}
	t.sweep++
	if len(t.rows) > maxProcs {
		seen.Complete = false
	}
	now := readClock()
	seen.Procs = make([]tracker.Process, 0, min(len(t.rows), maxProcs))
	for i, p := range t.rows {
		if t.side[i] > sideOut {
			p = t.fill(p, now)
		} else if !seen.Complete {
			continue
		}
		if len(seen.Procs) < maxProcs {
			seen.Procs = append(seen.Procs, p)
		}
	}
	for id, k := range t.known {
		if k.sweep != t.sweep {
			delete(t.known, id)
		}
	}
	return seen, nil
}

// read takes the stat line of every process. One that vanishes meanwhile, or that this user may
// not see, is not there.
func (t *Table) read(ctx context.Context) error {
	list, err := pids(ctx)
	if err != nil {
		return fmt.Errorf("listing processes: %w", err)
	}
	t.rows = t.rows[:0]
	clear(t.index)
	var trouble error
	for _, pid := range list {
		p, err := readStat(int(pid), t.buf)
		if err != nil {
			if !errors.Is(err, ErrGone) {
				trouble = err
			}
			continue
		}
		t.index[p.PID] = len(t.rows)
		t.rows = append(t.rows, p)
	}
	if len(t.rows) == 0 {
		return fmt.Errorf("listing processes: none can be read: %w", errors.Join(trouble, ErrGone))
	}
	return nil
}

// settle decides for row i, and for every open row above it, whether it is below a pane.
func (t *Table) settle(i int) {
	var path [maxDepth]int
	n, answer := 0, sideOut
	for n < maxDepth {
		if t.side[i] != sideOpen {
			answer = t.side[i]
			break
		}
		path[n] = i
		n++
		up, ok := t.index[t.rows[i].PPID]
		if !ok {
			break
		}
		i = up
	}
	for _, i := range path[:n] {
		t.side[i] = answer
	}
}

// addAgent takes an agent in. One that is missing is looked for again: the listing of the pids is
// not one instant.
func (t *Table) addAgent(id tracker.AgentID) {
	i, ok := t.index[id.PID]
	if !ok {
		p, err := readStat(id.PID, t.buf)
		if err != nil || p.Start != id.Start {
			return
		}
		i = len(t.rows)
		t.index[p.PID] = i
		t.rows, t.side = append(t.rows, p), append(t.side, sideOut)
	}
	if t.rows[i].Start == id.Start && t.side[i] == sideOut {
		t.side[i] = sideAgent
	}
}

// fill adds what the stat line does not tell.
func (t *Table) fill(p tracker.Process, now clock) tracker.Process {
	k := t.known[p.ID()]
	if k == nil {
		k = &known{began: now.began(p)}
		t.known[p.ID()] = k
		t.newest = time.Now()
	}
	if k.name != p.Name {
		k.name, k.reads = p.Name, 0
	}
	if k.reads < settledReads {
		k.args = readArgs(p.PID)
		k.reads++
	}
	k.sweep = t.sweep
	p.Args, p.Began, p.Ports = k.args, k.began, k.ports
	return p
}

// Look reads the given processes afresh, without the rest of the table, and fills them in like a
// sweep does. Those that are gone are left out.
func (t *Table) Look(ids []tracker.AgentID) []tracker.Process {
	out := make([]tracker.Process, 0, len(ids))
	for _, id := range ids {
		if p, err := readStat(id.PID, t.buf); err == nil && p.Start == id.Start {
			out = append(out, t.fill(p, readClock()))
		}
	}
	return out
}
