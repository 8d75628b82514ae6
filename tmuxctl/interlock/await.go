package interlock

import (
	"context"
	"fmt"
	"slices"
	"time"

	"signalbox/tmuxctl/interlock/composer"
)

// clockSlack is how far the time of a receipt may lie before the paste: transcripts and hooks tell
// milliseconds, and not all by the same clock.
const clockSlack = 5 * time.Millisecond

// watch begins to watch for the receipt, before anything is typed: a person may press Enter on what
// we typed. The watch outlives this call; only its beginning is bounded.
func (s *sending) watch(ctx context.Context, cancel context.CancelFunc) (err error) {
	tooLate := time.AfterFunc(s.time.Entry, cancel)
	s.since = time.Now()
	s.prompts, err = s.Receipts.Watch(ctx, s.req.Target.Agent, s.session)
	if !tooLate.Stop() && err == nil {
		err = context.DeadlineExceeded
	}
	return err
}

// awaitReceipt waits for Claude's acknowledgement. A prompt from before the paste is an older one of
// the same words, told late. what says what has been done.
func (s *sending) awaitReceipt(ctx context.Context, what string) Result {
	limit := s.receiptLimit()
	deadline, settle := time.NewTimer(limit), time.NewTimer(s.time.Settle)
	defer deadline.Stop()
	defer settle.Stop()
	for {
		select {
		case p, open := <-s.prompts:
			if !open {
				return s.unconfirmed(ctx, what, "the receipts ended")
			}
			before := s.heard
			if r, done := s.hear(ctx, p, what); done {
				return r
			}
			if before == nil && s.heard != nil {
				if longer := s.receiptLimit(); longer != limit {
					limit = longer
					deadline.Reset(limit)
				}
				settle.Reset(s.time.Settle)
			}
		case <-settle.C:
			if r, done := s.settled(ctx, what); done {
				return r
			}
			settle.Reset(s.time.Settle)
		case <-deadline.C:
			return s.unconfirmed(ctx, what, fmt.Sprintf("no receipt within %s", limit))
		case <-ctx.Done():
			return s.unconfirmed(ctx, what, "it was called off")
		}
	}
}

// receiptLimit tells what is waited for, and is how long.
func (s *sending) receiptLimit() time.Duration {
	if s.heard == nil {
		s.enterStage(StageReceipt)
		return s.time.Receipt
	}
	s.enterStage(StageHooks)
	if s.req.ReceiptTimeout > 0 {
		return s.time.Receipt
	}
	return s.time.Hooks
}

// hear takes what Claude says about a prompt. done is set when that is the end of the send.
func (s *sending) hear(ctx context.Context, p Prompt, what string) (r Result, done bool) {
	agent := s.req.Target.Agent
	switch {
	case !p.At.IsZero() && p.At.Before(s.since.Add(-clockSlack)):
	case p.Reception == Blocked:
		if p.blocks(s.text, s.session) && !s.othersMay(p) {
			return s.end(Unconfirmed, fmt.Sprintf("%s, but a hook of the agent's blocked it (%s): %s", what, quote(p.reason()), s.whereItIs(ctx))), true
		}
	case p.Reception == WorkedOn:
		if p.ClaudePID == agent.PID && p.ID != "" {
			s.went = append(s.went, p.ID)
		}
	case !p.acknowledges(s.text, agent, s.session):
	case p.Reception == Heard:
		s.heard = &p
	case !s.othersMay(p):
		return s.delivered(p), true
	}
	if s.heard != nil && slices.Contains(s.went, s.heard.ID) {
		return s.delivered(*s.heard), true
	}
	return Result{}, false
}

// othersMay reports whether a word of the transcript may be about a prompt of another agent that has the
// same session open. The id tells, once our own agent has told of its prompt.
func (s *sending) othersMay(p Prompt) bool {
	if s.heard == nil || s.heard.ID == "" || p.ID == "" {
		return s.req.Shared
	}
	return p.ID != s.heard.ID
}

// delivered tells of the receipt.
func (s *sending) delivered(p Prompt) Result {
	detail := "Claude has it"
	if p.Stop != "" {
		detail += ", but a hook of the agent's stopped Claude there: " + quote(p.Stop)
	}
	r := s.end(Delivered, detail)
	r.Box, r.Receipt = "", &p
	return r
}

// settled looks whether a text that Claude had has come back into the box: a hook did not let it through
// and nobody tells, or a person called it off.
func (s *sending) settled(ctx context.Context, what string) (r Result, done bool) {
	if s.heard == nil {
		return Result{}, false
	}
	look, err := s.look(ctx)
	if err != nil {
		return Result{}, false
	}
	reading := composer.Read(look.Screen)
	s.box = reading.Text()
	ok, _ := s.text.Echoed(reading)
	seen := s.back
	if s.back = ok; !ok || !seen {
		return Result{}, false // who blocked it says so before the second look
	}
	return s.end(Unconfirmed, what+", but the text is back in the input box: a hook did not let it through, or somebody called it off"), true
}

// withheld ends a send whose Enter was not pressed, unless somebody else pressed it.
func (s *sending) withheld(ctx context.Context, why string) Result {
	return s.withheldBy(ctx, "Enter was not pressed: "+why)
}

func (s *sending) withheldBy(ctx context.Context, detail string) Result {
	const other = "somebody else pressed Enter"
	grace := time.NewTimer(s.time.Settle)
	defer grace.Stop()
	for p, ok := s.lateWord(ctx, grace.C); ok; p, ok = s.lateWord(ctx, grace.C) {
		if r, done := s.hear(ctx, p, other); done {
			return r
		}
		if s.heard != nil {
			return s.awaitReceipt(ctx, other)
		}
	}
	return s.end(Withheld, detail)
}

// lateWord is what Claude has said by now, or, when the text has left the box, what it says within the
// grace. ok is false when there is nothing.
func (s *sending) lateWord(ctx context.Context, grace <-chan time.Time) (p Prompt, ok bool) {
	select {
	case p, ok = <-s.prompts:
		return p, ok
	default:
	}
	if s.box != "" {
		return p, false
	}
	select {
	case p, ok = <-s.prompts:
	case <-grace:
	case <-ctx.Done():
	}
	return p, ok
}

func (s *sending) unconfirmed(ctx context.Context, what, why string) Result {
	switch {
	case s.heard != nil:
		what += " and Claude has heard of it, but nothing tells that it is in the conversation"
	case s.req.Shared:
		what += ", another agent has the same session open, and without hooks nobody can tell whose prompt is whose"
	}
	return s.end(Unconfirmed, fmt.Sprintf("%s, %s: %s", what, why, s.whereItIs(ctx)))
}

// whereItIs says what became of a text that was not acknowledged, as far as the screen tells.
func (s *sending) whereItIs(ctx context.Context) string {
	look, err := s.look(ctx)
	if err != nil {
		return "the pane cannot be read"
	}
	reading := composer.Read(look.Screen)
	s.box = reading.Text()
	switch ok, _ := s.text.Echoed(reading); {
	case ok && s.heard == nil:
		return "the text is still in the input box"
	case ok:
		return "the text is in the input box"
	case reading.Empty() && s.heard == nil:
		return "the input box is empty: what stood in it was probably taken"
	case reading.Empty():
		return "the input box is empty"
	case reading.Box:
		return "the input box holds something else"
	}
	return "the input box is not on the screen, something else may have taken the Enter: " + reading.Reason()
}
