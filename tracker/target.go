package tracker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Why a target cannot be resolved. Both come wrapped in a *TargetError.
var (
	ErrNotFound  = errors.New("no such target")
	ErrAmbiguous = errors.New("ambiguous target")
)

// minSessionPrefix is how many characters of a Claude session id are enough to mean it. Fewer
// would make every short word a possible id.
const minSessionPrefix = 8

// TargetError is a target that does not name exactly one pane.
type TargetError struct {
	Target  string
	Err     error         // ErrNotFound or ErrAmbiguous
	Why     string        // more to say, or ""
	Matches []TargetMatch // what it could mean, for ErrAmbiguous; in board order
}

// TargetMatch is one pane a target could mean.
type TargetMatch struct {
	Pane   PaneID
	Target string // session:window.pane
	Name   string // the agent's name, or the window's
}

func (e *TargetError) Error() string {
	msg := fmt.Sprintf("%v: %q", e.Err, clipLine(e.Target, maxSummary))
	if e.Why != "" {
		msg += " (" + e.Why + ")"
	}
	for i, m := range e.Matches {
		sep := ", "
		if i == 0 {
			sep = ": could be "
		}
		msg += sep + string(m.Pane) + " " + clipLine(m.Target, maxSummary)
		if m.Name != "" {
			msg += " " + clipLine(m.Name, maxSummary)
		}
	}
	return msg
}

func (e *TargetError) Unwrap() error { return e.Err }

var paneTarget = lazyRegexp(`^%[0-9]+$`)

// Resolve finds the one pane a target names: a pane id, exact tmux names ("session:window.pane",
// "session:window", "session"; windows by index or name), a Claude session id or a unique prefix of
// at least eight characters, or a Claude session name.
//
// A session or window stands for the pane of the one agent in it, and for its active pane when
// there is no agent at all. Nothing but the id of a Claude session is ever completed. tmux names
// are compared whole, never taken apart, so that dots, colons and dollar signs in them do no harm.
// Whatever could mean two panes is refused.
func Resolve(snap *Snapshot, target string) (PaneID, error) {
	if paneTarget().MatchString(target) {
		if _, _, p := snap.FindPane(PaneID(target)); p != nil {
			return p.ID, nil
		}
		return "", &TargetError{Target: target, Err: ErrNotFound}
	}
	r := resolver{target: target}
	if target != "" && snap != nil {
		r.all = snap.Sessions
		for _, s := range snap.Sessions {
			r.session(s)
		}
		r.background(snap)
	}
	switch len(r.found) {
	case 1:
		return r.found[0].Pane, nil
	case 0:
		return "", &TargetError{Target: target, Err: ErrNotFound, Why: r.why}
	}
	return "", &TargetError{Target: target, Err: ErrAmbiguous, Why: r.why, Matches: r.found}
}

// resolver collects the panes a target could mean.
type resolver struct {
	target string
	all    []*SessionRow
	found  []TargetMatch
	why    string
}

func (r *resolver) session(s *SessionRow) {
	if s.Name != "" && s.Name == r.target {
		r.oneOf(s, r.windowsOf(s)...)
	}
	for _, w := range s.Windows {
		names := []string{s.Name + ":" + strconv.Itoa(w.Index)}
		if w.Name != "" {
			names = append(names, s.Name+":"+w.Name)
		}
		if s.Name != "" && slices.Contains(names, r.target) {
			r.oneOf(s, w)
		}
		for _, p := range w.Panes {
			index := "." + strconv.Itoa(p.Index)
			if s.Name != "" && slices.ContainsFunc(names, func(n string) bool { return n+index == r.target }) || r.agentIn(p) {
				r.add(s, w, p)
			}
		}
	}
}

// windowsOf are the windows of a session. Those of a group are listed once, under one of its members.
func (r *resolver) windowsOf(s *SessionRow) []*WindowRow {
	for _, member := range r.all {
		if len(s.Windows) == 0 && s.Group != "" && member.Group == s.Group && len(member.Windows) > 0 {
			return member.Windows
		}
	}
	return s.Windows
}

// oneOf adds the panes with agents in the windows, or the active pane when there is none.
func (r *resolver) oneOf(s *SessionRow, windows ...*WindowRow) {
	before := len(r.found)
	for _, w := range windows {
		for _, p := range w.Panes {
			if p.Agent != nil {
				r.add(s, w, p)
			}
		}
	}
	if len(r.found) > before {
		return
	}
	for _, w := range windows {
		if !w.Active && len(windows) > 1 {
			continue
		}
		for _, p := range w.Panes {
			if p.Active {
				r.add(s, w, p)
			}
		}
	}
}

// agentIn reports whether the target is the id or name of an agent in the pane.
func (r *resolver) agentIn(p *PaneRow) bool {
	for _, a := range append([]*AgentRow{p.Agent}, p.Others...) {
		if a != nil && r.isAgent(a.SessionID, a.Name) {
			return true
		}
	}
	return false
}

func (r *resolver) isAgent(session, name string) bool {
	return session != "" && len(r.target) >= minSessionPrefix && strings.HasPrefix(session, r.target) || name != "" && name == r.target
}

func (r *resolver) add(s *SessionRow, w *WindowRow, p *PaneRow) {
	if slices.ContainsFunc(r.found, func(m TargetMatch) bool { return m.Pane == p.ID }) {
		return
	}
	name := w.Name
	if p.Agent != nil && p.Agent.Name != "" {
		name = p.Agent.Name
	}
	r.found = append(r.found, TargetMatch{
		Pane: p.ID, Name: name,
		Target: s.Name + ":" + strconv.Itoa(w.Index) + "." + strconv.Itoa(p.Index),
	})
}

// background notes that the target names an agent that has no pane to be the answer.
func (r *resolver) background(snap *Snapshot) {
	for _, b := range snap.Background {
		if b.ID == r.target || r.isAgent(b.SessionID, b.Name) {
			r.why = "that agent runs in the background and has no pane"
		}
	}
}

// NextUrgent is the pane of the agent that needs a person most: the most urgent, of several the one
// that waits longest. Who was looked at since they began to wait comes after all others, the longest ago
// first, and from the pane of one of them it is the one behind it: asking again and again visits all,
// also where a look is all that somebody waits for, so that they are no longer among them.
func NextUrgent(snap *Snapshot, here PaneID) (PaneID, bool) {
	list := needy(snap)
	if len(list) == 0 {
		return "", false
	}
	looked := func(a *AgentRow) time.Time { // zero for who was not looked at since
		if a.Evidence.LookedAt.Before(a.Verdict.Since) {
			return time.Time{}
		}
		return a.Evidence.LookedAt
	}
	slices.SortStableFunc(list, func(a, b *AgentRow) int {
		return cmp.Or(looked(a).Compare(looked(b)), cmp.Compare(b.Verdict.Urgency(), a.Verdict.Urgency()), a.Verdict.Since.Compare(b.Verdict.Since))
	})
	at := slices.IndexFunc(list, func(a *AgentRow) bool { return a.Pane == here })
	return list[(at+1)%len(list)].Pane, true
}

// LongestWaiting is the pane of the agent that has waited longest for an answer, whoever was looked at.
func LongestWaiting(snap *Snapshot) (PaneID, bool) {
	waiting := slices.DeleteFunc(needy(snap), func(a *AgentRow) bool { return a.Verdict.Status != StatusNeedsInput })
	if len(waiting) == 0 {
		return "", false
	}
	return slices.MinFunc(waiting, func(a, b *AgentRow) int { return a.Verdict.Since.Compare(b.Verdict.Since) }).Pane, true
}

// needy are the agents in panes that need a person, in the order of the board.
func needy(snap *Snapshot) []*AgentRow {
	var out []*AgentRow
	snap.Windows(func(_ *SessionRow, w *WindowRow) bool {
		for _, p := range w.Panes {
			for _, a := range append([]*AgentRow{p.Agent}, p.Others...) {
				if a != nil && a.Verdict.NeedsPerson() {
					out = append(out, a)
				}
			}
		}
		return true
	})
	return out
}
