package tracker

import (
	"reflect"
	"slices"
	"time"
)

// facts is what the sources said, each fact under the key its source knows: a process, a pane, a
// session. Nothing here needs an agent to be known first. The newest fact of a kind counts, whenever
// it comes; what is about things that are no more goes with the next complete reading that lacks them.
type facts struct {
	table   map[int]*tableRow // newest reading of each process of the machine
	fullAt  time.Time         // of the newest complete table: what it lacks was gone by then
	tableAt time.Time         // of the newest table, complete or not
	chains  map[int]readProcess

	screens  map[screenKey]ScreenSeen
	looks    map[PaneID]time.Time // when a person last looked at a pane
	strays   bool                 // a screen or a look is of a pane that is not listed
	listedAt time.Time            // of the newest listing of tmux
	serverAt time.Time            // of the first listing of this server: ids of panes before mean nothing

	transcripts map[string]TranscriptRead // by session
	restored    map[AgentID]restoredFact

	list      AgentsListed
	listSince []time.Time // per row of list: since when the lists have said the same of the process
	listRows  map[int]int // pid -> its last row
}

// tableRow is a process as the table told it last.
type tableRow struct {
	Process
	at, first time.Time // newest and first reading of this life of the process
	stoppedAt time.Time // when it was first read as stopped; zero while it runs
	ran       bool      // it was once read as running
}

// readProcess is a process as it was read for a hook or a registry file, without its ports.
type readProcess struct {
	Process
	at time.Time
}

// screenKey is a pane in one life: pane ids start again with every server.
type screenKey struct {
	pane PaneID
	pid  int
}

type restoredFact struct {
	at time.Time
	RestoredVerdict
}

func newFacts() facts {
	return facts{
		table: map[int]*tableRow{}, chains: map[int]readProcess{}, screens: map[screenKey]ScreenSeen{},
		looks: map[PaneID]time.Time{}, transcripts: map[string]TranscriptRead{}, restored: map[AgentID]restoredFact{},
	}
}

// process is the newest word on a process. The table knows ports, a chain may know arguments before
// the table has read them.
func (f *facts) process(pid int) (Process, bool) {
	c, read := f.chains[pid]
	row := f.table[pid]
	switch {
	case row == nil:
		return c.Process, read
	case !read:
		return row.Process, true
	}
	p, other := row.Process, c.Process
	if c.at.After(row.at) {
		p, other = other, p
	}
	if row.Start == c.Start {
		p.Ports = row.Ports
		p.Began = earliest(p.Began, other.Began)
		if p.Args == nil {
			p.Args = other.Args
		}
	}
	return p, true
}

// readAt is when a process was last read.
func (f *facts) readAt(pid int) time.Time {
	if row := f.table[pid]; row != nil {
		return latest(row.at, f.chains[pid].at)
	}
	return f.chains[pid].at
}

// processes yields every process, in no order.
func (f *facts) processes(yield func(Process) bool) {
	for pid := range f.table {
		if p, _ := f.process(pid); !yield(p) {
			return
		}
	}
	for pid, c := range f.chains {
		if _, ok := f.table[pid]; !ok && !yield(c.Process) {
			return
		}
	}
}

// over reports whether the table proves that a process has ended, of which it was last proven at
// proven that it lives: a table that began later lacks it, has it as a zombie, or has another
// process of the same number.
func (f *facts) over(id AgentID, proven, began time.Time) bool {
	row := f.table[id.PID]
	switch {
	case row != nil && row.Start == id.Start:
		return row.State == ProcZombie
	case row != nil:
		return newer(proven, row.at)
	}
	return newer(proven, f.fullAt) && !young(began, f.fullAt)
}

// young reports whether a process that began at began may be missing in a table read at at. When it
// began is known to about a second.
func young(began, at time.Time) bool { return !began.IsZero() && !newer(began.Add(recycleSlack), at) }

// outread reports whether the table says more of a process than a chain read at at.
func (f *facts) outread(p Process, at time.Time) bool {
	return at.Before(f.fullAt) && !young(p.Began, f.fullAt)
}

// dropChains forgets what the newest table knows better.
func (f *facts) dropChains() {
	for pid, c := range f.chains {
		if f.outread(c.Process, c.at) {
			delete(f.chains, pid)
		}
	}
}

// addChain takes in a process and its ancestors as read at a time, and reports whether a process has
// another place in the tree, or looks otherwise than it did.
func (f *facts) addChain(chain []Process, at time.Time) (moved, looks bool) {
	for _, p := range chain {
		if f.outread(p, at) {
			continue
		}
		was, known := f.process(p.PID)
		if !f.addRead(p, at) {
			continue
		}
		is, _ := f.process(p.PID)
		moved = moved || !known || was.Start != is.Start || was.PPID != is.PPID
		looks = looks || !known || !was.same(&is)
	}
	return moved, looks
}

// addRead takes in one process of a chain. An older reading only adds what the newer one lacks.
func (f *facts) addRead(p Process, at time.Time) bool {
	old, ok := f.chains[p.PID]
	if !ok {
		f.chains[p.PID] = readProcess{p, at}
		return true
	}
	older := old.Process
	late := at.Before(old.at)
	if late {
		p, older = older, p
	}
	if p.Start == older.Start {
		p.Began = earliest(p.Began, older.Began)
		if p.Args == nil {
			p.Args = older.Args
		}
	} else if late {
		return false
	}
	f.chains[p.PID] = readProcess{p, latest(at, old.at)}
	return true
}

// addScreen keeps the newest look at a pane and reports whether this is it.
func (f *facts) addScreen(ev ScreenSeen) bool {
	k := screenKey{ev.Pane, ev.PanePID}
	if !newer(f.screens[k].At, ev.At) {
		return false
	}
	f.screens[k] = ev
	return true
}

// addLook keeps the newest look of the person at a pane and reports whether this is it.
func (f *facts) addLook(ev Acknowledged) bool {
	if !newer(f.looks[ev.Pane], ev.At) {
		return false
	}
	f.looks[ev.Pane] = ev.At
	return true
}

// dropStrays forgets what was said of panes that a later listing lacks.
func (f *facts) dropStrays(panes map[PaneID]paneRef) {
	f.strays = false
	for k, scr := range f.screens {
		if ref, ok := panes[k.pane]; !ok || ref.pane.PID != k.pid {
			if scr.At.Before(f.listedAt) {
				delete(f.screens, k)
			} else {
				f.strays = true
			}
		}
	}
	for pane, at := range f.looks {
		if _, ok := panes[pane]; !ok || at.Before(f.serverAt) {
			if at.Before(f.listedAt) {
				delete(f.looks, pane)
			} else {
				f.strays = true
			}
		}
	}
}

// addTranscript keeps the newest sum of a session and reports whether it says something new.
func (f *facts) addTranscript(ev TranscriptRead) bool {
	old, ok := f.transcripts[ev.SessionID]
	if ok && (ev.At.Before(old.At) || ev.At.Equal(old.At) && reflect.DeepEqual(old.Facts, ev.Facts)) {
		return false
	}
	f.transcripts[ev.SessionID] = ev
	return true
}

// dropTranscripts forgets what was said before a time of sessions that nobody has open.
func (f *facts) dropTranscripts(before time.Time, open map[string]bool) {
	for id, tr := range f.transcripts {
		if tr.At.Before(before) && !open[id] {
			delete(f.transcripts, id)
		}
	}
}

// addList takes over a list. A row that says the same as the one in the list before has done so since.
func (f *facts) addList(ev AgentsListed) {
	since, rows := make([]time.Time, len(ev.Rows)), make(map[int]int, len(ev.Rows))
	for i := range ev.Rows {
		r := &ev.Rows[i]
		since[i] = ev.At
		if r.PID != 0 {
			rows[r.PID] = i
		}
		j := slices.IndexFunc(f.list.Rows, func(o AgentsEntry) bool { return o.PID == r.PID && o.ID == r.ID })
		if j < 0 {
			continue
		}
		if o := &f.list.Rows[j]; o.SessionID == r.SessionID && o.Status == r.Status && o.State == r.State && o.WaitingFor == r.WaitingFor {
			since[i] = f.listSince[j]
		}
	}
	f.list, f.listSince, f.listRows = ev, since, rows
}

// listed is what the newest list says of a process that was first seen at first: nothing when the list
// is older than the process.
func (f *facts) listed(pid int, session string, first time.Time) AgentsEvidence {
	names := func(r *AgentsEntry) bool {
		return r.PID == pid && (r.SessionID == "" || r.SessionID == session)
	}
	i, ok := f.listRows[pid]
	for ; ok && i >= 0 && !names(&f.list.Rows[i]); i-- { // another row of the same process, or none
	}
	if ok && i >= 0 {
		r := &f.list.Rows[i]
		return AgentsEvidence{At: f.list.At, Since: f.listSince[i], Status: r.Status, WaitingFor: r.WaitingFor, State: r.State}
	}
	if !f.list.Available || f.list.At.Before(first) {
		return AgentsEvidence{}
	}
	return AgentsEvidence{At: f.list.At, Missing: true}
}
