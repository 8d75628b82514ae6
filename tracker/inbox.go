package tracker

import (
	"cmp"
	"slices"
	"time"
)

// InboxLimit bounds the inbox; older entries fall off.
const InboxLimit = 100

// Happening is one entry of the inbox: something a person may want to know after the fact.
type Happening struct {
	At        time.Time     `json:"at"` // when it became true, not when it was noticed
	Kind      HappeningKind `json:"kind"`
	Agent     AgentID       `json:"agent"`
	Pane      PaneID        `json:"pane"` // "" for an agent without a pane
	Title     string        `json:"title"`
	Text      string        `json:"text"` // what happened, with the agent's last words
	Read      bool          `json:"read"` // the person has looked since
	Over      bool          `json:"over"` // it no longer holds: answered, gone on, gone
	SessionID string        `json:"sessionId"`
	Server    ServerLife    `json:"server"` // of the pane; an entry outlives it without its pane

	restored bool // of an earlier run of the board, or found to be the same as one of it
}

// HappeningKind says what happened.
type HappeningKind string

const (
	HappenedNeedsInput HappeningKind = "needs-input"
	HappenedReview     HappeningKind = "review"
	HappenedFailed     HappeningKind = "failed"
	HappenedEnded      HappeningKind = "ended" // the process went away while it was busy or waited
	HappenedQuiet      HappeningKind = "quiet" // busy without a sign of progress for minutes
)

// noteHappening compares an agent's verdict with the one before and adds what is worth an entry.
// Each transition makes one entry: told again by a second source it is the same happening.
func (s *State) noteHappening(a *agent, old Verdict) {
	v := a.verdict
	kind := happened(old, v)
	for i, h := range s.inbox {
		if h.Agent != a.id {
			continue
		}
		if !h.Over && !holds(h.Kind, v) {
			c := *h
			c.Over = true
			s.replaceEntry(i, c)
		} else if h.Over && h.restored && holds(h.Kind, v) {
			s.reopen(i, a)
		}
	}
	if kind == HappenedEnded && hookPhase(&a.ev, s.now).status == StatusReview {
		kind = "" // its turn was over; Claude went before its own file said so
	}
	if s.replaying && !a.owed.IsZero() {
		a.owed = s.now
	}
	if kind == "" || a.nested || s.foundAgain(a, kind) {
		return
	}
	if s.replaying || a.pane == "" && !a.bg {
		a.owed = s.now
		return
	}
	row, when := a.row(), v.Since
	if kind == HappenedEnded || kind == HappenedQuiet {
		when = s.now
	}
	h := &Happening{
		At: when, Kind: kind, Agent: a.id, Pane: a.pane, SessionID: row.SessionID, Server: s.server(),
		Title: cmp.Or(row.Name, shortID(row.SessionID)), Text: AgentSummary(row), Over: kind == HappenedEnded,
	}
	if kind == HappenedEnded {
		a.verdict = old // what it was doing is told by what it was
		h.Text = "ended while " + wordsFor(old) + ": " + AgentSummary(a.row())
		a.verdict = v
	}
	s.enter(h)
}

// enter puts an entry in its place. What is told late, as after a start, has it by its time.
func (s *State) enter(h *Happening) {
	place := slices.IndexFunc(s.inbox, func(other *Happening) bool { return !other.At.After(h.At) })
	if place < 0 {
		place = len(s.inbox)
	}
	s.inbox = slices.Insert(slices.Clone(s.inbox), place, h)
	s.inbox = s.inbox[:min(len(s.inbox), InboxLimit)]
	s.topDirty = true
}

// replaceEntry puts a changed entry in place of the one that it was made from.
func (s *State) replaceEntry(i int, h Happening) {
	s.inbox = slices.Clone(s.inbox)
	s.inbox[i], s.topDirty = &h, true
}

// retellHappening brings an entry that still holds up to date: what is asked for may become known a
// moment after that something is.
func (s *State) retellHappening(a *agent) {
	for i, h := range s.inbox {
		if h.Agent != a.id || h.Over || h.Kind == HappenedQuiet {
			continue
		}
		row := a.row()
		c := *h
		c.Text, c.Title = AgentSummary(row), cmp.Or(row.Name, shortID(row.SessionID))
		if h.restored { // a board that has just begun knows less than the one before did
			c.Title = cmp.Or(row.Name, h.Title)
			if !saysMore(h.Kind, row) {
				c.Text = h.Text
			}
		}
		if c != *h {
			s.replaceEntry(i, c)
		}
	}
}

func wordsFor(v Verdict) string {
	if v.Status == StatusNeedsInput {
		return "waiting"
	}
	return v.Status.String()
}

// happened is the kind of a transition, "" for one that is no news.
func happened(old, v Verdict) HappeningKind {
	switch {
	case v.Gone:
		if old.Status == StatusBusy || old.Status == StatusNeedsInput && !old.Dialog {
			return HappenedEnded
		}
	case v.Status == StatusNeedsInput && !v.Dialog:
		if old.Status != StatusNeedsInput || old.Dialog {
			return HappenedNeedsInput
		}
	case v.Status == StatusReview && old.Status != StatusReview:
		if v.Failed != "" {
			return HappenedFailed
		}
		return HappenedReview
	case v.Quiet && !old.Quiet && old.Status == StatusBusy:
		return HappenedQuiet
	}
	return ""
}

// holds reports whether what an entry tells is still so.
func holds(k HappeningKind, v Verdict) bool {
	switch k {
	case HappenedNeedsInput:
		return v.Status == StatusNeedsInput && !v.Dialog
	case HappenedReview, HappenedFailed:
		return v.Status == StatusReview
	case HappenedQuiet:
		return v.Quiet
	}
	return false
}

// markRead marks what a look at a pane has shown, and reports whether anything was unread.
func (s *State) markRead(pane PaneID, at time.Time) bool {
	marked := false
	for i, h := range s.inbox {
		if h.Pane == pane && !h.Read && !h.At.After(at) {
			c := *h
			c.Read, marked = true, true
			s.replaceEntry(i, c)
		}
	}
	return marked
}
