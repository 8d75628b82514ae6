package desk

import (
	"context"
	"errors"
	"fmt"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker/procs"
)

// Pace of a send that waits.
const (
	// restPoll is how often the agent's own file is read: a few hundred bytes.
	restPoll = 250 * time.Millisecond
	// restFor is how long an agent must rest before it is sent to. Claude goes on by itself when a
	// background task has ended, and says idle for a moment in between.
	restFor = time.Second
	// retryFirst and retryMost bound the pause after an attempt that was refused all the same: each
	// starts a Claude.
	retryFirst = time.Second
	retryMost  = 10 * time.Second
)

// standing is what a look at an agent's own file says about it.
type standing uint8

const (
	working standing = iota // busy, or waiting for a person
	resting
	lost    // gone, or in another session: there is nothing left to wait for
	unclear // it has no file to be believed; only an attempt can tell
)

// waiter sends once an agent rests.
type waiter struct {
	standing func(context.Context) standing
	attempt  func(context.Context) interlock.Result
}

// send waits up to limit, and tries whenever the agent has rested for a moment, until an attempt
// types something or there is nothing left to wait for. last is the result that made it wait.
//
// What came in the way when the agent rested (a draft of the person's, copy mode) goes by, so it
// only makes the send wait longer.
func (w waiter) send(ctx context.Context, limit time.Duration, last interlock.Result) interlock.Result {
	wait, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	pause := retryFirst
	for {
		how, ok := w.untilRested(wait)
		if !ok {
			why := fmt.Sprintf("not possible within %s", limit)
			if ctx.Err() != nil {
				why = "it was called off while it waited"
			}
			last.Outcome, last.Detail = interlock.Refused, why+"; "+interlock.Reasons(last.Red())
			return last
		}
		last = w.attempt(ctx)
		if last.Outcome != interlock.Refused || how == lost || !mayPass(last) {
			return last
		}
		if !sleep(wait, pause) {
			continue // untilRested tells
		}
		pause = min(2*pause, retryMost)
	}
}

// untilRested waits until an attempt makes sense, or says that the time is over.
func (w waiter) untilRested(ctx context.Context) (standing, bool) {
	rested := time.Duration(0)
	for ctx.Err() == nil {
		switch how := w.standing(ctx); {
		case ctx.Err() != nil:
			return how, false
		case how == lost, how == unclear:
			return how, true
		case how == resting:
			if rested >= restFor {
				return how, true
			}
			rested += restPoll
		default:
			rested = 0
		}
		sleep(ctx, restPoll)
	}
	return working, false
}

// mayPass reports whether a refusal may go by with time: not when the target or the text is wrong.
func mayPass(res interlock.Result) bool {
	for _, l := range res.Red() {
		if l.Name == interlock.LampTarget || l.Name == interlock.LampText {
			return false
		}
	}
	return true
}

// sleep waits, and reports whether the context let it.
func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// standing reads the agent's own file.
func (s *sender) standing(ctx context.Context, r interlock.Request) standing {
	e, err := s.files.Entry(ctx, r.Target.Agent)
	switch {
	case err != nil:
		return unclear
	case e == nil:
		if _, err := procs.ReadAgent(r.Target.Agent); errors.Is(err, procs.ErrGone) {
			return lost
		}
		return unclear
	case r.Target.SessionID != "" && e.SessionID != r.Target.SessionID:
		return lost
	case e.Status == "idle", e.Status == "shell" && r.AllowBackground:
		return resting
	}
	return working
}
