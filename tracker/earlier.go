package tracker

import (
	"slices"
	"time"
)

// Stretch is a status that is over: a verdict, with Since when it began as this board saw it, and when
// it ended.
type Stretch struct {
	Verdict Verdict   `json:"verdict"`
	Until   time.Time `json:"until"`
}

const (
	// earlierMost is how many statuses before the present one an agent's row remembers: what fits one line.
	earlierMost = 6
	// earlierLeast is how long a status must have stood to be remembered. Sources reach us one after the
	// other, and what lies between two of them is nothing that a person could have seen.
	earlierLeast = time.Second
	// earlierFrom is how long an agent is known before anything is remembered: at first each source adds
	// what it knows of old, and what that looks like in between has never been.
	earlierFrom = 3 * time.Second
)

// remember keeps the status that has just ended. It is about what this board saw, as the inbox is: it
// depends on the order in which facts arrive. Unlike the inbox it begins anew with the board.
//
// A verdict's Since is when its status began in the agent's own life: an approved turn is busy since its
// prompt. Here it began when the one before it ended.
func (a *agent) remember(old Verdict, now time.Time, replaying bool) {
	v := a.verdict
	if old.Status == StatusNone {
		a.known = now
	}
	if replaying || now.Sub(a.known) < earlierFrom {
		a.earlier, a.turned = nil, v.Since
		return
	}
	if alike(old, v) {
		return
	}
	at := v.Since
	if at.Before(a.turned) || at.After(now) {
		at = now
	}
	past := a.earlier
	if at.Sub(a.turned) >= earlierLeast {
		old.Since = a.turned
		past = slices.Insert(slices.Clone(past), 0, Stretch{old, at})
	}
	if a.turned = at; len(past) > 0 && alike(past[0].Verdict, v) {
		a.turned = past[0].Verdict.Since // the same goes on, after something too short to tell
		past = past[1:]
	}
	a.earlier = past[:min(len(past), earlierMost)]
}

// alike reports whether two verdicts are one status to a person.
func alike(a, b Verdict) bool {
	return a.Status == b.Status && a.Dialog == b.Dialog && a.Suspended == b.Suspended &&
		(a.Failed == "") == (b.Failed == "") && (a.Background > 0) == (b.Background > 0)
}
