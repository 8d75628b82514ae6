package tracker

import (
	"slices"
	"time"
)

// readingStep is how far the time of the last look at a process that a row shows may lag behind. To draw
// every row after each sweep would show nothing else that is new.
const readingStep = time.Minute

func (s *State) applyExited(ev ProcessExited) Change {
	s.tick(ev.At)
	a := s.agents[ev.ID]
	if a == nil {
		if _, told := s.gone[ev.ID]; !told { // told twice, it is still the agent that it was
			s.gone[ev.ID] = ending{at: s.now} // what is still to come of it is of the past
		}
		return ChangeNone
	}
	return s.end(a, ev.At)
}

// end takes in that an agent's process is no more.
func (s *State) end(a *agent, at time.Time) Change {
	a.endedAt = at
	return s.judge(a)
}

func (s *State) applyProcesses(ev ProcessesSeen) Change {
	s.tick(ev.At)
	f := &s.facts
	if ev.At.Before(f.tableAt) {
		return ChangeNone
	}
	f.tableAt = ev.At
	s.takeTable(&ev)
	c := ChangeNone
	for id, a := range s.agents {
		if f.over(id, a.provenAt, a.began) {
			c = max(c, s.end(a, ev.At))
		}
	}
	if ev.Complete {
		s.unjoined = true
	}
	c = max(c, s.join())
	for _, a := range s.agents {
		was := a.ev.Process
		if s.lookUp(a); !was.At.IsZero() {
			was.At = a.ev.Process.At // read again is no news
		}
		if was != a.ev.Process {
			c = max(c, s.judge(a))
		}
		if a.pane != "" && !a.nested && a.ev.Process.At.Sub(a.drawn) >= readingStep {
			s.touch(a)
			c = max(c, ChangeDull)
		}
	}
	return c
}

// takeTable takes over the table. What a complete one lacks goes; a pane whose processes changed is
// drawn again. Rows are written in place: nobody else has them.
func (s *State) takeTable(ev *ProcessesSeen) {
	f := &s.facts
	read := make(map[int]Process, len(f.chains)) // what a chain told may have been newer than the row
	for pid := range f.chains {
		read[pid], _ = f.process(pid)
	}
	var news []int
	for i := range ev.Procs {
		p := &ev.Procs[i]
		row := f.table[p.PID]
		if row != nil && row.same(p) {
			continue
		}
		news = append(news, p.PID)
		s.unjoined = s.unjoined || row == nil || row.Start != p.Start || row.PPID != p.PPID
		s.drawAround(p.PID, row != nil && row.shows())
	}
	for i := range ev.Procs {
		row := f.table[ev.Procs[i].PID]
		if row == nil {
			row = &tableRow{}
			f.table[ev.Procs[i].PID] = row
		}
		row.read(&ev.Procs[i], ev.At)
	}
	changed := len(news) > 0
	if ev.Complete {
		changed = s.dropRows(ev.At) || changed
		f.fullAt = ev.At
		f.dropChains()
	}
	for pid, was := range read {
		if is, ok := f.process(pid); !ok || !was.same(&is) {
			changed, news = true, append(news, pid)
		}
	}
	for _, pid := range news {
		s.drawAround(pid, true)
	}
	if changed {
		s.nearProcs = nil
	}
}

// dropRows forgets the processes that a complete table read at at lacks, and reports whether there are any.
func (s *State) dropRows(at time.Time) bool {
	var lost []int
	for pid, row := range s.facts.table {
		if !row.at.Equal(at) {
			lost = append(lost, pid)
			s.drawAround(pid, row.shows())
		}
	}
	for _, pid := range lost {
		delete(s.facts.table, pid)
	}
	return len(lost) > 0
}

// drawAround marks the window in which a process lives, if it shows.
func (s *State) drawAround(pid int, shows bool) {
	if !shows {
		return
	}
	if pane, _ := s.place(pid); pane != "" {
		s.dirty[s.panes[pane].win] = true
	}
}

// read takes in another reading.
func (r *tableRow) read(p *Process, at time.Time) {
	if r.Start != p.Start || r.at.IsZero() {
		*r = tableRow{first: at}
	}
	r.Process, r.at = *p, at
	switch {
	case p.State != ProcStopped:
		r.stoppedAt, r.ran = time.Time{}, true
	case r.stoppedAt.IsZero():
		r.stoppedAt = at
	}
}

// same reports whether two readings of the table say the same of a process.
func (p *Process) same(q *Process) bool {
	return p.PID == q.PID && p.Start == q.Start && p.PPID == q.PPID && p.State == q.State && p.Group == q.Group &&
		p.TermGroup == q.TermGroup && p.Name == q.Name && slices.Equal(p.Ports, q.Ports) && slices.Equal(p.Args, q.Args)
}

// headless reports whether a process was started as `claude -p`.
func headless(p Process) bool {
	return slices.Contains(p.Args, "-p") || slices.Contains(p.Args, "--print")
}

// findByName makes rows of processes that carry Claude's name and have said nothing yet: one that
// starts, or that shows its trust dialog. A launcher whose child is an agent is none itself.
func (s *State) findByName() Change {
	c := ChangeNone
	launchers := s.launchers()
	for id, a := range s.agents {
		row, ok := s.facts.table[id.PID]
		if a.byName && (launchers[id.PID] || ok && row.Start == id.Start && !namedClaude(row.Process)) {
			delete(s.agents, id)
			s.touch(a)
			old := a.verdict
			a.verdict = Verdict{}
			s.noteHappening(a, old)
			c = ChangeDull
		}
	}
	for _, row := range s.facts.table {
		if len(row.Args) == 0 || launchers[row.PID] || row.State == ProcZombie || !namedClaude(row.Process) || s.agents[row.ID()] != nil {
			continue
		}
		if _, ended := s.gone[row.ID()]; ended {
			continue
		}
		if pane, _ := s.place(row.PID); pane == "" {
			continue
		}
		if a := s.ensure(row.Process, row.first, row.at); a != nil {
			a.byName = true
			a.pane, a.nested = s.place(row.PID)
			c = max(c, ChangeDull, s.judge(a))
		}
	}
	return c
}

// namedClaude reports whether a process carries Claude's name. Without arguments nobody knows: `claude mcp
// serve` is no agent.
func namedClaude(p Process) bool { return len(p.Args) > 0 && ClaudeProcess(p) }

// launchers are the ancestors of the agents that have spoken. One that only prints an answer may be
// run by an agent that has not.
func (s *State) launchers() map[int]bool {
	out := map[int]bool{}
	for id, a := range s.agents {
		pid := id.PID
		if p, ok := s.facts.process(pid); a.byName || ok && headless(p) {
			continue
		}
		for range maxDepth {
			p, ok := s.facts.process(pid)
			if !ok || p.PPID <= 1 || out[p.PPID] {
				break
			}
			out[p.PPID] = true
			pid = p.PPID
		}
	}
	return out
}
