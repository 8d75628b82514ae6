package fakeagent

import (
	"context"
	"time"
)

// autoplay plays the script of Options. Times count from its start, so that runs do not drift.
func (a *agent) autoplay(ctx context.Context, l *loop) {
	steps := a.opt.Script
	from := min(max(a.opt.LoopFrom, 0), len(steps))
	length := time.Duration(0)
	for _, s := range steps[from:] {
		length += s.Wait
	}
	at := time.Now()
	for {
		for _, s := range steps {
			at = at.Add(a.opt.paced(s.Wait))
			if pause(ctx, time.Until(at)) != nil {
				return
			}
			a.doStep(ctx, l, s)
		}
		if !a.opt.Loop || length <= 0 {
			return
		}
		steps = a.opt.Script[from:]
	}
}

// doStep does one step if it fits what is going on.
func (a *agent) doStep(ctx context.Context, l *loop, s Step) {
	switch {
	case s.Do != "":
		// A step that cannot be done is skipped like one that does not fit.
		_, _ = a.control(ctx, l, s.Do)
	case s.Keys != "":
		if a.fits(s.When) {
			select {
			case l.inject <- []byte(s.Keys):
			case <-ctx.Done():
			}
		}
	case s.Prompt != "" && a.fits("idle"):
		var acts []act
		if s.Acts != "" {
			acts = parseActs(s.Acts)
		}
		a.locked(func() { a.submit(ctx, s.Prompt, acts) })
	}
}

// fits reports whether the agent is in the state a step asks for.
func (a *agent) fits(when string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch when {
	case "dialog":
		return a.front() != nil
	case "busy":
		return a.turn != nil && a.front() == nil
	case "idle":
		return a.ready && a.turn == nil && !a.local && a.front() == nil && a.view == viewMain && a.comp.empty()
	}
	return true
}
