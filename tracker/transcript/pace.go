package transcript

import (
	"context"
	"fmt"
	"time"

	"signalbox/tracker"
)

// due reports whether the facts may be sent now: at once if they decide something, else no more
// than once per sendEvery.
func (f *follow) due(now time.Time) bool {
	return decisive(&f.sent, &f.facts) || !now.Before(f.sentAt.Add(sendEvery))
}

// decisive reports whether a status may hang on the change from a to b.
func decisive(a, b *tracker.TranscriptFacts) bool {
	return !a.PromptAt.Equal(b.PromptAt) ||
		!a.InterruptedAt.Equal(b.InterruptedAt) ||
		!a.TurnEndAt.Equal(b.TurnEndAt) ||
		!a.ErrorAt.Equal(b.ErrorAt) ||
		question(a) != question(b)
}

// question is the id of a question or a plan that waits for an answer, or "".
func question(f *tracker.TranscriptFacts) string {
	if f.ToolPending && tracker.AsksPerson(f.Tool) {
		return f.ToolUseID
	}
	return ""
}

func (l *loop) pollEvery() time.Duration {
	if l.blind != "" {
		return pollBlind
	}
	return l.every
}

func (l *loop) pollDue(now time.Time) bool {
	return !now.Before(l.polled.Add(l.pollEvery()))
}

// deadline is when the next step is due by time alone; zero for never.
func (l *loop) deadline() time.Time {
	var at time.Time
	sooner := func(t time.Time) {
		if at.IsZero() || t.Before(at) {
			at = t
		}
	}
	for _, f := range l.follows {
		if f.active {
			sooner(l.polled.Add(l.pollEvery()))
		}
		if f.dirty {
			sooner(f.readAt.Add(readEvery))
		}
		if f.unsent {
			sooner(f.sentAt.Add(sendEvery))
		}
		if f.toCount() {
			sooner(l.headAt)
		}
	}
	return at
}

func (f *follow) toCount() bool {
	return f.wanted && f.file != nil && f.file.stat != nil && f.file.counting()
}

// count takes one piece of the background count when its time has come: the file with the least
// left to count first, so that most labels are complete soon.
func (l *loop) count(now time.Time) {
	if now.Before(l.headAt) {
		return
	}
	var next *follow
	for _, f := range l.follows {
		if f.toCount() && (next == nil || f.file.left() < next.file.left()) {
			next = f
		}
	}
	if next == nil {
		return
	}
	began := time.Now()
	err := next.file.countHead()
	took := time.Since(began)
	l.headAt = now.Add(max(headRest, headShare*took))
	if err != nil {
		// Not the file that was opened any more: the next read, if there is one, opens it anew.
		next.file.stat = nil
		next.dirty = next.active
		return
	}
	if !next.file.counting() {
		next.update()
	}
}

// report sends the health of the source when it changed.
func (l *loop) report(ctx context.Context, now time.Time) error {
	var problem error
	bad, all := 0, 0
	for _, f := range l.follows {
		if !f.active {
			continue
		}
		all++
		if f.problem != nil {
			bad++
			problem = f.problem
		}
	}
	var health tracker.Event
	switch {
	case bad > 0 && bad == all:
		health = tracker.SourceFailed{Source: tracker.SourceTranscript, Reason: problem.Error()}
	case bad > 0:
		health = tracker.SourceWorks{
			Source: tracker.SourceTranscript,
			Detail: fmt.Sprintf("%d of %d transcripts unreadable: %v", bad, all, problem),
		}
	case l.blind != "":
		health = tracker.SourceWorks{Source: tracker.SourceTranscript, Detail: "polling, no file notices: " + l.blind}
	default:
		health = tracker.SourceWorks{Source: tracker.SourceTranscript}
	}
	if health == l.health {
		return nil
	}
	l.health = health
	switch h := health.(type) {
	case tracker.SourceFailed:
		h.At = now
		health = h
	case tracker.SourceWorks:
		h.At = now
		health = h
	}
	return l.send(ctx, health)
}
