package tracker

import (
	"slices"
	"strings"
	"time"
)

// ensure returns the agent of a process, making it unless it has ended. first is when its source first
// told of it, proven when it last knew that it lives. nil means: gone already.
func (s *State) ensure(p Process, first, proven time.Time) *agent {
	id := p.ID()
	if id.IsZero() {
		return nil
	}
	a := s.agents[id]
	if a == nil {
		_, ended := s.gone[id]
		if ended || s.facts.over(id, proven, p.Began) {
			s.speakLate(id)
			return nil
		}
		a = &agent{id: id}
		a.ev.QuietAfter = s.quiet
		s.agents[id], s.unjoined = a, true
	}
	a.first, a.provenAt, a.began = earliest(a.first, first), latest(a.provenAt, proven), earliest(a.began, p.Began)
	return a
}

// speakLate notes that a process which has ended was an agent.
func (s *State) speakLate(id AgentID) {
	e, ended := s.gone[id]
	if !ended {
		e.at = s.now
	}
	if !e.spoke {
		e.spoke, s.unjoined = true, true
		s.gone[id] = e
	}
}

// judge derives the verdict anew and marks what must be drawn again. An agent that is gone leaves.
func (s *State) judge(a *agent) Change {
	s.lookUp(a)
	v, old := Judge(&a.ev, s.now), a.verdict
	a.verdict = v
	a.remember(old, s.now, s.replaying)
	s.noteHappening(a, old)
	if v.Gone {
		s.remove(a)
		return ChangeNotable
	}
	same, next := v, old
	same.Next, next.Next = time.Time{}, time.Time{}
	if same == next {
		return ChangeNone
	}
	s.touch(a)
	if old.Status != v.Status && (v.Status == StatusNeedsInput || v.Status == StatusReview ||
		old.Status == StatusNeedsInput || old.Status == StatusReview) {
		return ChangeNotable
	}
	return ChangeDull
}

func (s *State) remove(a *agent) {
	s.gone[a.id] = ending{at: s.now, spoke: !a.byName}
	delete(s.agents, a.id)
	s.touch(a)
	s.touchSession(a.label.session.text, a)
	s.unjoined = true
}

// touchSession looks anew at all who have a session open: whether it is theirs alone is shown, and says
// whether its transcript is about them.
// The one whose facts changed is judged by whoever has them all.
func (s *State) touchSession(id string, changed *agent) {
	for _, a := range s.agents {
		if id == "" || a.label.session.text != id {
			continue
		}
		if s.touch(a); a != changed {
			s.judge(a)
		}
	}
}

// join finds out anew which processes are agents, in which panes they live and whose the hooks are
// that could not be placed, if a fact came that may change it.
func (s *State) join() Change {
	c := ChangeNone
	for s.unjoined {
		s.unjoined = false
		c = max(c, s.findByName(), s.relink(), s.retryEarly())
	}
	return c
}

// touch marks the window of an agent, or the background group.
func (s *State) touch(a *agent) {
	if ref, ok := s.panes[a.pane]; ok {
		s.dirty[ref.win] = true
		return
	}
	s.topDirty = true
}

// relink finds the pane of every agent anew: the one whose first process is among its ancestors.
func (s *State) relink() Change {
	c := ChangeNone
	for _, a := range s.agents {
		pane, nested := s.place(a.id.PID)
		if a.bg {
			pane = ""
		}
		if pane == a.pane && nested == a.nested {
			continue
		}
		s.touch(a)
		if a.nested != nested {
			s.touchSession(a.label.session.text, a)
		}
		a.pane, a.nested = pane, nested
		s.touch(a)
		c = max(c, ChangeDull, s.judge(a))
	}
	return c
}

// maxDepth bounds the walk up the process tree; deeper trees do not occur, cycles might after a
// pid was recycled between two reads.
const maxDepth = 64

// place walks up from a process to the pane it lives in and tells whether another agent started it.
func (s *State) place(pid int) (pane PaneID, nested bool) {
	for range maxDepth {
		if id, ok := s.byPID[pid]; ok {
			return id, nested
		}
		p, ok := s.facts.process(pid)
		if !ok || p.PPID <= 1 {
			return "", nested
		}
		pid = p.PPID
		if pid == s.self {
			nested = true
		}
		if parent, ok := s.facts.process(pid); ok {
			if a := s.agents[parent.ID()]; a != nil && !a.byName || s.gone[parent.ID()].spoke {
				nested = true
			}
		}
	}
	return "", nested
}

// learnChain takes in a process and its ancestors as just read.
func (s *State) learnChain(chain []Process, at time.Time) {
	moved, looks := s.facts.addChain(chain, at)
	s.unjoined = s.unjoined || moved
	if looks {
		s.nearProcs = nil
		for _, p := range chain {
			s.drawAround(p.PID, true)
		}
	}
}

func (s *State) applyRegistry(ev RegistryRead) Change {
	s.tick(ev.At)
	if ev.Entry == nil || ev.Trust == TrustDead || ev.Trust == TrustForeign || len(ev.Chain) == 0 {
		return s.registryGone(ev)
	}
	s.learnChain(ev.Chain, ev.At)
	a := s.ensure(ev.Chain[0], ev.At, ev.At)
	if a == nil {
		return ChangeNone
	}
	e := ev.Entry
	r := &a.ev.Registry
	if ev.At.Before(r.At) {
		return s.settleAgent(a, false) // its words are old, but it may have moved when the agent was first seen
	}
	s.noteSpoken(a)
	was := *r
	if bg := e.Kind == "bg" || e.Kind == "background"; bg != a.bg {
		a.bg, s.unjoined = bg, true
	}
	r.At, r.Trust, r.Word, r.WaitingFor, r.Kind, r.StartedAt = ev.At, ev.Trust, e.Status, e.WaitingFor, e.Kind, e.StartedAt
	r.StatusAt = e.StatusUpdatedAt
	if r.StatusAt.IsZero() {
		r.StatusAt = latest(e.UpdatedAt, e.StartedAt)
	}
	if r.StatusAt.Before(latest(latest(r.WaitingAt, r.WorkedAt), r.RestedAt)) { // the clock was set back: a later read is newer all the same
		r.WaitingAt, r.WorkedAt, r.RestedAt, r.ShellAt = time.Time{}, time.Time{}, time.Time{}, time.Time{}
	}
	switch e.Status {
	case "waiting":
		r.WaitingAt = latest(r.WaitingAt, r.StatusAt)
	case "busy":
		r.WorkedAt = latest(r.WorkedAt, r.StatusAt)
	case "idle", "shell":
		r.RestedAt = latest(r.RestedAt, r.StatusAt)
		if e.Status == "shell" {
			r.ShellAt = r.RestedAt
		}
	}
	at := latest(e.UpdatedAt, ev.At)
	l, session := &a.label, a.label.session.text
	l.named = e.NameSource == "user" && e.Name != ""
	changed := l.session.set(at, e.SessionID)
	changed = l.entryName.set(at, e.Name) || changed
	changed = l.version.set(at, e.Version) || changed
	changed = l.cwd.set(at, e.CWD) || changed
	s.noteSession(a, e.SessionID, session)
	was.At = r.At // read again is no news
	return s.settleAgent(a, changed || was != *r)
}

// noteSpoken notes that more than its name is known of an agent. What it has started is its own work
// then, also a copy of itself that was seen in the moment before it became another program.
func (s *State) noteSpoken(a *agent) {
	if a.byName {
		a.byName, s.unjoined = false, true
	}
}

// noteSession notes a session that an agent told of; was is the one that it had open before.
func (s *State) noteSession(a *agent, told, was string) {
	if told != "" && !slices.Contains(a.had, told) {
		a.had = append(a.had[max(0, len(a.had)-maxSessions+1):], told)
		s.unjoined = true
	}
	if is := a.label.session.text; is != was {
		s.unjoined = true
		s.touchSession(was, a)
		s.touchSession(is, a)
	}
}

// settleAgent joins and judges an agent after new facts.
func (s *State) settleAgent(a *agent, labelsChanged bool) Change {
	c := s.join()
	if labelsChanged {
		s.touch(a)
		c = max(c, ChangeDull)
	}
	c = max(c, s.judge(a))
	if labelsChanged {
		s.retellHappening(a)
	}
	return c
}

func (s *State) registryGone(ev RegistryRead) Change {
	c := ChangeNone
	for _, a := range s.agents {
		if a.id.PID != ev.PID || a.ev.Registry.At.IsZero() || ev.At.Before(a.ev.Registry.At) {
			continue
		}
		if ev.Trust == TrustDead && ev.Entry != nil && len(ev.Chain) == 0 {
			a.endedAt = ev.At
		}
		if newer(a.ev.Registry.RemovedAt, ev.At) {
			a.ev.Registry.RemovedAt = ev.At
			s.touch(a)
			c = ChangeDull
		}
		c = max(c, s.judge(a))
	}
	return c
}

func (s *State) applyTranscript(ev TranscriptRead) Change {
	s.tick(ev.At)
	c := ChangeNone
	if !s.facts.addTranscript(ev) {
		return c
	}
	for _, a := range s.agents {
		if a.label.session.text != ev.SessionID {
			continue
		}
		s.touch(a)
		c = max(c, ChangeDull, s.judge(a))
		s.retellHappening(a)
	}
	if len(s.facts.transcripts) > 2*len(s.agents)+transcriptSpare {
		open := map[string]bool{}
		for _, a := range s.agents {
			open[a.label.session.text] = true
		}
		s.facts.dropTranscripts(s.now.Add(-earlyKeep), open)
	}
	return c
}

// humanPrompt reports whether the text of a prompt was written by a person. Claude wakes itself up
// with prompts of its own.
func humanPrompt(text string) bool {
	return !slices.ContainsFunc([]string{
		"<task-notification>", "<system-reminder>", "<local-command-stdout>",
		"<bash-stdout>", "Caveat:", "Stop hook feedback:",
	},
		func(p string) bool { return strings.HasPrefix(strings.TrimSpace(text), p) })
}

func (s *State) applyAgents(ev AgentsListed) Change {
	s.tick(ev.At)
	if ev.At.Before(s.facts.list.At) {
		return ChangeNone
	}
	s.facts.addList(ev)
	s.topDirty = true
	c := ChangeDull
	for _, a := range s.agents {
		s.touch(a) // whether Claude's two words agree is shown as well
		c = max(c, s.judge(a))
	}
	return c
}
