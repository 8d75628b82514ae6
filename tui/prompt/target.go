package prompt

import (
	"cmp"
	"strconv"

	"signalbox/tracker"
)

// TargetIn is the agent that a snapshot shows in a pane.
func TargetIn(snap *tracker.Snapshot, pane tracker.PaneID) Target {
	t := Target{Pane: pane, Where: string(pane), Gone: true}
	s, w, p := snap.FindPane(pane)
	if p == nil {
		return t
	}
	t.Where, t.Name = s.Name+":"+strconv.Itoa(w.Index)+"."+strconv.Itoa(p.Index), w.Name
	a := p.Agent
	if a == nil {
		return t
	}
	t.Gone = a.Verdict.Gone
	t.Agent, t.SessionID, t.Name = a.ID, a.SessionID, cmp.Or(a.Name, w.Name)
	t.Status, t.Reason, t.Dialog, t.Background = a.Verdict.Status, a.Verdict.Reason, a.Verdict.Dialog, a.Verdict.Background > 0
	if t.Waits() {
		t.Detail = asked(a)
	}
	return t
}

// asked is what an agent waits for. A question speaks for itself, without the tool that asks it.
func asked(a *tracker.AgentRow) string {
	switch {
	case tracker.AsksPerson(a.Tool):
		return a.ToolDetail
	case a.ToolDetail == "":
		return a.Tool
	}
	return a.Tool + ": " + a.ToolDetail
}
