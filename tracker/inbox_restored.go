package tracker

import (
	"slices"
	"time"
)

const (
	// sameWithin is how far apart two sources, or two boards, tell of one thing.
	sameWithin = 2 * time.Second
	// owedPause is how long the replay of past hooks must have paused before what it has brought is
	// told. It takes a few milliseconds in all.
	owedPause = time.Second
)

// Same reports whether two entries tell of one thing, perhaps noted by two boards.
func (h *Happening) Same(o *Happening) bool {
	return h.Agent == o.Agent && h.Kind.like(o.Kind) && (h.Kind == HappenedEnded || h.At.Sub(o.At).Abs() <= sameWithin)
}

// like reports whether two kinds may be told of one thing. That a turn has failed is known later than
// that it has ended.
func (k HappeningKind) like(o HappeningKind) bool {
	turn := func(k HappeningKind) bool { return k == HappenedReview || k == HappenedFailed }
	return k == o || turn(k) && turn(o)
}

// applyRestored takes in what an earlier run of the board knew.
func (s *State) applyRestored(ev Restored) Change {
	s.tick(ev.At)
	c := ChangeNone
	for _, v := range ev.Verdicts {
		f := restoredFact{ev.At, v}
		if s.facts.restored[v.ID] == f {
			continue
		}
		s.facts.restored[v.ID], c = f, max(c, ChangeDull)
		if a := s.agents[v.ID]; a != nil {
			s.touch(a)
			c = max(c, s.judge(a))
		}
	}
	if s.restoreInbox(ev.Inbox) {
		c = max(c, ChangeDull)
	}
	return max(c, s.applyInboxSeen(InboxSeen{At: ev.Seen}))
}

func (s *State) applyInboxSeen(ev InboxSeen) Change {
	if !newer(s.inboxSeen, ev.At) {
		return ChangeNone
	}
	s.inboxSeen, s.topDirty = ev.At, true
	return ChangeDull
}

// restoreInbox takes in the inbox of an earlier run, and reports whether it brought anything.
func (s *State) restoreInbox(list []Happening) bool {
	before := s.inbox
	for i := range list {
		s.restoreEntry(list[i])
	}
	s.dropPanes()
	return !slices.Equal(before, s.inbox)
}

// restoreEntry takes in one entry of an earlier run. It is over until its agent says otherwise; one
// that was told anew before it came is the same entry, with its place and what was read of it.
func (s *State) restoreEntry(h Happening) {
	h.restored = true
	if i := slices.IndexFunc(s.inbox, func(o *Happening) bool { return o.restored && o.At.Equal(h.At) && o.Same(&h) }); i >= 0 {
		c := *s.inbox[i]
		if c.Read = c.Read || h.Read; c != *s.inbox[i] {
			s.replaceEntry(i, c)
		}
		return
	}
	a := s.agents[h.Agent]
	for i, old := range s.inbox {
		if old.Agent != h.Agent || !old.Kind.like(h.Kind) {
			continue
		}
		since := old.At
		if a != nil && old.Kind == HappenedQuiet {
			since = a.since(old.Kind)
		}
		if !old.restored && s.reaches(&h, since) {
			c := *old
			c.At, c.Read, c.restored = h.At, old.Read || h.Read, true
			if a == nil || !saysMore(h.Kind, a.row()) {
				c.Text = h.Text
			}
			s.inbox = slices.Delete(slices.Clone(s.inbox), i, i+1)
			s.enter(&c)
			return
		}
	}
	h.Over = a == nil || a.nested || !holds(h.Kind, a.verdict) || !s.reaches(&h, a.since(h.Kind))
	s.enter(&h)
}

// reopen says of an entry of an earlier run that it holds, if it is what is so of its agent now.
func (s *State) reopen(i int, a *agent) {
	h := s.inbox[i]
	if a.nested || s.newestLike(a.id, h.Kind) != i || !s.reaches(h, a.since(h.Kind)) {
		return
	}
	c := *h
	c.Over = false
	if a.pane != "" {
		c.Pane, c.Server = a.pane, s.server()
	}
	s.replaceEntry(i, c)
}

// foundAgain reports whether what has just become true of an agent was told by an earlier run.
func (s *State) foundAgain(a *agent, kind HappeningKind) bool {
	i := s.newestLike(a.id, kind)
	return i >= 0 && s.inbox[i].restored && s.reaches(s.inbox[i], a.since(kind))
}

// newestLike is the place of the newest entry of a kind about an agent, -1 if there is none.
func (s *State) newestLike(id AgentID, kind HappeningKind) int {
	return slices.IndexFunc(s.inbox, func(h *Happening) bool { return h.Agent == id && h.Kind.like(kind) })
}

// reaches reports whether an entry of an earlier run is about what is so since a time: it began when
// the entry did, or when the earlier run last saw it begin, as one question may follow another without
// a moment between them.
func (s *State) reaches(h *Happening, since time.Time) bool {
	until := h.At
	if r := s.facts.restored[h.Agent]; holds(h.Kind, Verdict{Status: r.Status}) {
		until = latest(until, r.Since)
	}
	return h.Kind == HappenedEnded || !since.After(until.Add(sameWithin))
}

// since is when that began which an entry of this kind would tell of the agent.
func (a *agent) since(kind HappeningKind) time.Time {
	if kind == HappenedQuiet {
		return a.ev.progressAt(a.verdict.Since)
	}
	return a.verdict.Since
}

// saysMore reports whether an agent's row has more to say about an entry than that it is so.
func saysMore(kind HappeningKind, row *AgentRow) bool {
	v := &row.Verdict
	switch kind {
	case HappenedNeedsInput:
		return row.Tool != ""
	case HappenedReview:
		return row.Last != "" && v.Source != SourceJournal
	case HappenedFailed:
		return row.Last != "" && v.Failed != ""
	}
	return false
}

// server is the one whose panes are listed.
func (s *State) server() ServerLife { return ServerLife{s.topo.Server, s.topo.Started} }

// dropPanes takes the panes of other servers than the listed one away from the entries, and reports
// whether there were any: their ids are those of other panes now.
func (s *State) dropPanes() bool {
	if s.tmux.State != StateOK {
		return false
	}
	dropped := false
	for i, h := range s.inbox {
		if h.Pane != "" && !h.Server.Is(s.server()) {
			c := *h
			c.Pane = ""
			s.replaceEntry(i, c)
			dropped = true
		}
	}
	return dropped
}

// owedAt is when an agent's entry is due that could not be told when it happened; zero for none.
func (s *State) owedAt(a *agent) time.Time {
	if a.owed.IsZero() || a.pane == "" && !a.bg {
		return time.Time{}
	}
	return a.owed.Add(owedPause)
}

// tellOwed tells what still is so and was not told when it became so: past hooks told of it, which are
// no news one by one, or its agent had no place yet.
func (s *State) tellOwed(a *agent) Change {
	a.owed = time.Time{}
	kind, was := happened(Verdict{}, a.verdict), s.inbox
	if kind == "" || slices.ContainsFunc(was, func(h *Happening) bool { return h.Agent == a.id && !h.Over && h.Kind.like(kind) }) {
		return ChangeNone
	}
	if s.noteHappening(a, Verdict{}); slices.Equal(was, s.inbox) {
		return ChangeNone
	}
	return ChangeNotable
}
