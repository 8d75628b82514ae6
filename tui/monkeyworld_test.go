package tui

import (
	"fmt"
	"math/rand/v2"
	"time"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// monkeyWorld is a tmux server in which anything may happen.
type monkeyWorld struct {
	r        *rand.Rand
	rev      uint64
	next     int // number of the next thing
	sessions []*tracker.SessionRow
	others   []*tracker.BackgroundRow
	state    string
}

func newMonkeyWorld(r *rand.Rand) *monkeyWorld {
	w := &monkeyWorld{r: r, state: tracker.StateOK}
	for range r.IntN(40) * (1 + 9*r.IntN(2)) {
		w.change()
	}
	return w
}

var monkeyNames = []string{"", "claude", "設計", "עברית", "e\u0301", "👨\u200d👩\u200d👧", "\x1b[31mred\x1b]2;t\a", "long-name-without-an-end-for-any-column", "a b", "\u202e", "\u009b1m", "x\ny", "❤\ufe0f"}

func (w *monkeyWorld) name(prefix string) string {
	w.next++
	return fmt.Sprintf("%s%d%s", prefix, w.next, monkeyNames[w.r.IntN(len(monkeyNames))])
}

// change lets one thing happen.
func (w *monkeyWorld) change() string {
	w.rev++
	n := w.r.IntN(20)
	if len(w.sessions) == 0 {
		n = 0
	}
	switch n {
	case 0:
		s := &tracker.SessionRow{ID: tracker.SessionID(fmt.Sprintf("$%d", w.next)), Name: w.name("s"), Attached: w.r.IntN(3) == 0}
		s.Windows = []*tracker.WindowRow{w.window(s)}
		w.sessions = append(w.sessions, s)
		return "a session"
	case 1:
		i := w.r.IntN(len(w.sessions))
		w.sessions = append(w.sessions[:i:i], w.sessions[i+1:]...)
		return "a session ended"
	case 2:
		w.edit(func(s *tracker.SessionRow) { s.Name = w.name("s") })
		return "a session renamed"
	case 3, 4, 5:
		w.edit(func(s *tracker.SessionRow) {
			i := w.r.IntN(len(s.Windows) + 1)
			s.Windows = append(s.Windows[:i:i], append([]*tracker.WindowRow{w.window(s)}, s.Windows[i:]...)...)
			for i := range s.Windows {
				row := *s.Windows[i]
				row.Index, row.Rev = i, w.rev
				s.Windows[i] = &row
			}
		})
		return "a window"
	case 6, 7:
		w.edit(func(s *tracker.SessionRow) {
			if i := w.r.IntN(len(s.Windows)); len(s.Windows) > 1 {
				s.Windows = append(s.Windows[:i:i], s.Windows[i+1:]...)
			}
		})
		return "a window closed"
	case 8:
		w.others = nil
		for range w.r.IntN(4) {
			w.others = append(w.others, &tracker.BackgroundRow{ID: w.name("b"), Name: w.name("b"), State: "working", CWD: "/home/me", Verdict: w.verdict()})
		}
		return "other background agents"
	case 9:
		w.state = []string{tracker.StateOK, tracker.StateOK, tracker.StateFailed}[w.r.IntN(3)]
		return "tmux is " + w.state
	}
	w.edit(func(s *tracker.SessionRow) {
		i := w.r.IntN(len(s.Windows))
		row := *s.Windows[i]
		row.Rev, row.Panes = w.rev, append([]*tracker.PaneRow(nil), row.Panes...)
		pane := *row.Panes[0]
		pane.Agent = nil
		if w.r.IntN(5) > 0 {
			pane.Agent = w.agent(pane.ID)
		}
		row.Panes[0], row.Summary = &pane, w.name("doing ")
		lead(&row)
		s.Windows[i] = &row
	})
	return "an agent changed"
}

// edit changes a copy of a session.
func (w *monkeyWorld) edit(f func(*tracker.SessionRow)) {
	i := w.r.IntN(len(w.sessions))
	s := *w.sessions[i]
	s.Windows = append([]*tracker.WindowRow(nil), s.Windows...)
	f(&s)
	w.sessions[i] = &s
}

func (w *monkeyWorld) window(s *tracker.SessionRow) *tracker.WindowRow {
	row := &tracker.WindowRow{
		ID: tracker.WindowID(fmt.Sprintf("@%d", w.next)), Session: s.ID, Name: w.name("w"), Activity: tuitest.Now(), Rev: w.rev,
		Kind: tracker.WindowKind(w.r.IntN(5)), Summary: w.name("doing "),
	}
	for range 1 + w.r.IntN(2) {
		pane := &tracker.PaneRow{Pane: tracker.Pane{ID: tracker.PaneID(fmt.Sprintf("%%%d", w.next)), Command: "sh", Path: "/home/me/" + w.name("d")}}
		if w.r.IntN(2) == 0 {
			pane.Agent = w.agent(pane.ID)
		}
		row.Panes = append(row.Panes, pane)
	}
	lead(row)
	return row
}

func lead(w *tracker.WindowRow) {
	w.Lead, w.Urgency = 0, 0
	for i, p := range w.Panes {
		if p.Agent == nil {
			continue
		}
		v, u := p.Agent.Verdict, p.Agent.Verdict.Urgency()
		if u > w.Urgency || u == w.Urgency && v.NeedsPerson() && v.Since.Before(w.Agent().Verdict.Since) {
			w.Lead, w.Urgency = i, u
		}
	}
}

func (w *monkeyWorld) agent(pane tracker.PaneID) *tracker.AgentRow {
	w.next++
	return &tracker.AgentRow{
		ID: tracker.AgentID{PID: w.next, Start: 1}, Pane: pane, SessionID: fmt.Sprintf("%08d-1", w.next), Name: w.name("agent"), CWD: "/home/me/src",
		Branch: []string{"", "main"}[w.r.IntN(2)], Prompt: w.name("asked "), Last: w.name("said "), Verdict: w.verdict(),
	}
}

func (w *monkeyWorld) verdict() tracker.Verdict {
	v := tracker.Verdict{
		Status: tracker.Status(w.r.IntN(int(tracker.StatusNeedsInput) + 1)), Reason: w.name("because "),
		Since: tuitest.Now().Add(-time.Duration(w.r.IntN(100_000)) * time.Second),
	}
	v.Dialog = v.Status == tracker.StatusNeedsInput && w.r.IntN(4) == 0
	if v.Status == tracker.StatusReview && w.r.IntN(3) == 0 {
		v.Failed = "rate limit"
	}
	return v
}

func (w *monkeyWorld) snapshot() *tracker.Snapshot {
	s := &tracker.Snapshot{Rev: w.rev, At: tuitest.Now(), Sessions: append([]*tracker.SessionRow(nil), w.sessions...), Background: w.others}
	s.Tmux.State = w.state
	if len(w.sessions) == 0 {
		s.Tmux.State = tracker.StateAbsent
	}
	tuitest.Recount(s)
	return s
}
