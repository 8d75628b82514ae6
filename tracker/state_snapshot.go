package tracker

import (
	"cmp"
	"slices"
	"strconv"
	"time"
)

// activeFor is how long a window without an agent is called active after output.
const activeFor = 10 * time.Second

// Snapshot freezes the board. Rows in which nothing changed are shared with the snapshot before.
// When nothing at all changed it returns the previous snapshot itself.
func (s *State) Snapshot() *Snapshot {
	if !s.topDirty && !s.allDirty && len(s.dirty) == 0 {
		return s.last
	}
	s.rev++
	near := s.nearPanes()
	rows := make(map[WindowID]*WindowRow, len(s.rows))
	snap := &Snapshot{Rev: s.rev, At: s.now, Tmux: s.tmux, Sources: s.sources(), Background: s.background(), Inbox: s.inbox, InboxSeen: s.inboxSeen}
	for i := range s.topo.Sessions {
		sess := &s.topo.Sessions[i]
		row := &SessionRow{Windows: make([]*WindowRow, 0, len(sess.Windows)), ID: sess.ID, Name: sess.Name, Attached: sess.Attached > 0, Activity: sess.Activity, Group: sess.Group}
		for j := range sess.Windows {
			w := &sess.Windows[j]
			wr := s.rows[w.ID]
			if wr == nil || s.allDirty || s.dirty[w.ID] || wr.Session != sess.ID {
				wr = s.window(sess, w, near)
			}
			rows[w.ID] = wr
			row.Windows = append(row.Windows, wr)
			row.raise(wr)
			snap.Counts.Add(wr)
		}
		snap.Sessions = append(snap.Sessions, row)
	}
	for _, b := range snap.Background {
		snap.Counts.AddVerdict(b.Verdict)
	}
	s.last, s.rows, s.topDirty, s.allDirty = snap, rows, false, false
	clear(s.dirty)
	return snap
}

func (r *SessionRow) raise(w *WindowRow) {
	if w.Urgency > r.Urgency {
		r.Urgency = w.Urgency
		r.Status = Status(w.Urgency / 2)
	}
}

// Add counts a window and its agents.
func (c *Counts) Add(w *WindowRow) {
	c.Windows++
	for _, p := range w.Panes {
		if p.Agent != nil {
			c.AddVerdict(p.Agent.Verdict)
		}
		for _, a := range p.Others {
			c.AddVerdict(a.Verdict)
		}
	}
}

// AddVerdict counts an agent.
func (c *Counts) AddVerdict(v Verdict) {
	c.Agents++
	switch v.Status {
	case StatusNeedsInput:
		if !v.Dialog {
			c.NeedsInput++
		}
	case StatusReview:
		c.Review++
		if v.Failed != "" {
			c.Failed++
		}
	case StatusUnknown:
		c.Unknown++
	case StatusBusy:
		c.Busy++
	case StatusIdle:
		c.Idle++
	}
}

// nearPanes sorts the agents by pane, most urgent first.
func (s *State) nearPanes() map[PaneID][]*agent {
	m := make(map[PaneID][]*agent, len(s.agents))
	for _, a := range s.agents {
		if a.pane != "" && !a.nested {
			m[a.pane] = append(m[a.pane], a)
		}
	}
	for _, list := range m {
		slices.SortFunc(list, func(a, b *agent) int {
			return cmp.Or(cmp.Compare(b.verdict.Urgency(), a.verdict.Urgency()), cmp.Compare(a.id.PID, b.id.PID))
		})
	}
	return m
}

// procsIn lists the processes of a pane that are worth a word: the one in front, stopped jobs, and
// whoever listens on a port. They are sorted out once per change of the table or of the panes.
func (s *State) procsIn(pane PaneID) []Process {
	if s.nearProcs == nil {
		s.nearProcs = map[PaneID][]Process{}
		for p := range s.facts.processes {
			if !p.shows() {
				continue
			}
			if pane, _ := s.place(p.PID); pane != "" {
				s.nearProcs[pane] = append(s.nearProcs[pane], p)
			}
		}
		for _, list := range s.nearProcs { // of two that were in front, each when it was read, the later one is
			slices.SortFunc(list, func(p, q Process) int {
				return cmp.Or(s.facts.readAt(p.PID).Compare(s.facts.readAt(q.PID)), cmp.Compare(p.PID, q.PID))
			})
		}
	}
	return s.nearProcs[pane]
}

// shows reports whether a row tells anything of the process.
func (p Process) shows() bool { return p.State != ProcRunning || len(p.Ports) > 0 || p.leads() }

func (s *State) inFront(pid int) bool {
	p, ok := s.facts.process(pid)
	return ok && p.Foreground()
}

// leads reports whether the process leads the foreground group of its terminal.
func (p Process) leads() bool { return p.Foreground() && p.PID == p.Group }

func (s *State) window(sess *Session, w *Window, near map[PaneID][]*agent) *WindowRow {
	row := &WindowRow{
		ID: w.ID, Session: sess.ID, Index: w.Index, Name: w.Name, Active: w.Active,
		Activity: w.Activity, Rev: s.rev, Lead: -1,
	}
	for i := range w.Panes {
		p := s.paneRow(&w.Panes[i], near[w.Panes[i].ID])
		row.Panes = append(row.Panes, p)
		u := 0
		if p.Agent != nil {
			u = p.Agent.Verdict.Urgency()
		}
		if row.Lead < 0 || u > row.Urgency || u == row.Urgency && speaksBefore(p, row.LeadPane()) {
			row.Lead, row.Urgency = i, max(u, row.Urgency)
		}
	}
	s.describe(row)
	s.showWritten(row)
	return row
}

// speaksBefore reports which of two panes that are as urgent speaks for their window: the agent that has waited
// longer for the person, else the active one.
func speaksBefore(p, lead *PaneRow) bool {
	if p.Agent != nil && p.Agent.Verdict.NeedsPerson() {
		if c := p.Agent.Verdict.Since.Compare(lead.Agent.Verdict.Since); c != 0 {
			return c < 0
		}
	}
	return p.Active
}

func (s *State) paneRow(p *Pane, agents []*agent) *PaneRow {
	row := &PaneRow{Pane: *p}
	for _, a := range agents {
		s.lookUp(a) // a row that is drawn anew shows the newest time of each fact
		a.drawn = a.ev.Process.At
		r := a.row()
		r.SharesSession = r.SessionID != "" && s.shared(a)
		switch was := row.Agent; {
		case was == nil:
			row.Agent = r
		case s.inFront(a.id.PID) && !s.inFront(was.ID.PID):
			row.Agent, row.Others = r, append(row.Others, was)
		default:
			row.Others = append(row.Others, r)
		}
	}
	first, _ := s.facts.process(p.PID)
	row.processFacts(s.procsIn(p.ID), first.TTY)
	s.noteFront(row)
	return row
}

// noteFront carries over when the foreground changed, or notes that it did just now.
func (s *State) noteFront(row *PaneRow) {
	old := s.rows[s.panes[row.ID].win]
	if old == nil {
		return
	}
	for _, was := range old.Panes {
		if was.ID != row.ID || was.PID != row.PID {
			continue
		}
		row.FrontAt = was.FrontAt
		if !was.lead.IsZero() && !row.lead.IsZero() && was.lead != row.lead || was.Command != "" && was.Command != row.Command {
			row.FrontAt = s.now
		}
	}
}

// activeUntil is when a window without further output and change is called active no more.
func (s *State) activeUntil(w *Window) time.Time {
	at := w.Activity
	if row := s.rows[w.ID]; row != nil {
		if p := row.LeadPane(); p != nil {
			at = latest(at, p.FrontAt)
		}
	}
	return at.Add(activeFor)
}

// shared reports whether another living agent of the board has the same session open.
func (s *State) shared(a *agent) bool {
	for _, b := range s.agents {
		if b != a && b.label.session.text == a.label.session.text && !b.nested {
			return true
		}
	}
	return false
}

// processFacts adds what the process table says of a pane: the program in front, stopped jobs and
// listening ports of everything in it. Programs like sudo or script give what they run a terminal of
// its own; only what happens on the pane's own one is its front. tty is 0 when that is not known.
func (r *PaneRow) processFacts(procs []Process, tty uint64) {
	for _, p := range procs {
		r.Ports = append(r.Ports, p.Ports...)
		if tty != 0 && p.TTY != tty {
			continue
		}
		if p.State == ProcStopped && p.PID == p.Group {
			r.Jobs = append(r.Jobs, commandLine(p))
		}
		if p.leads() {
			r.Front, r.FrontArgs, r.lead = commandLine(p), p.Args, p.ID()
		}
	}
	slices.Sort(r.Ports)
	r.Ports = slices.Compact(r.Ports)
	slices.Sort(r.Jobs)
}

func (s *State) sources() []SourceHealth {
	out := make([]SourceHealth, 0, len(s.health))
	for _, was := range s.last.Sources { // keep the order
		out = append(out, *s.health[was.Source])
	}
	for src, h := range s.health {
		if !slices.ContainsFunc(out, func(o SourceHealth) bool { return o.Source == src }) {
			out = append(out, *h)
		}
	}
	return out
}

// background lists the agents that Claude runs without a pane, from the registry and, where it can
// be had, from `claude agents --json`.
func (s *State) background() []*BackgroundRow {
	var rows []*BackgroundRow
	seen := map[int]bool{}
	for _, a := range s.agents {
		if a.bg && !a.nested {
			r := a.row()
			rows = append(rows, &BackgroundRow{
				ID: shortID(r.SessionID), Name: r.Name, PID: a.id.PID, Agent: a.id,
				SessionID: r.SessionID, CWD: r.CWD, State: a.ev.Agents.State, Verdict: a.verdict,
			})
			seen[a.id.PID] = true
		}
	}
	for i := range s.facts.list.Rows {
		e := &s.facts.list.Rows[i]
		if e.Kind != "background" || e.PID != 0 && seen[e.PID] {
			continue
		}
		rows = append(rows, &BackgroundRow{
			ID: e.ID, Name: e.Name, State: e.State, PID: e.PID,
			SessionID: e.SessionID, CWD: e.CWD, Verdict: judgeListed(e, s.facts.listSince[i], s.facts.list.At),
		})
	}
	slices.SortFunc(rows, func(a, b *BackgroundRow) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID), cmp.Compare(a.PID, b.PID))
	})
	return rows
}

func shortID(session string) string { return session[:min(len(session), 8)] }

func commandLine(p Process) string {
	if len(p.Args) == 0 {
		return p.Name
	}
	line := p.Args[0]
	if i := lastSlash(line); i >= 0 {
		line = line[i+1:]
	}
	for _, a := range p.Args[1:] {
		line += " " + a
		if len(line) > maxSummary {
			break
		}
	}
	return clipLine(line, maxSummary)
}

func lastSlash(s string) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return i
		}
	}
	return -1
}

func portList(ports []int) string {
	out := ""
	for _, p := range ports {
		out += " :" + strconv.Itoa(p)
	}
	return out
}
