package interlock

import (
	"context"
	"errors"
	"fmt"
	"time"

	"signalbox/tmuxctl/interlock/composer"
)

// lastLook bounds the look that says what is in the box after the send's own time is over.
const lastLook = 500 * time.Millisecond

// look looks once more, even when the send was called off.
func (s *sending) look(ctx context.Context) (Look, error) {
	if ctx.Err() != nil {
		ctx = context.WithoutCancel(ctx)
	}
	return within(ctx, min(s.time.Look, lastLook), func(ctx context.Context) (Look, error) {
		return s.Tmux.Look(ctx, s.req.Target.Pane)
	})
}

// lookInBox notes what is in the box, to be told with the outcome.
func (s *sending) lookInBox(ctx context.Context) {
	if l, err := s.look(ctx); err == nil {
		s.box = composer.Read(l.Screen).Text()
	}
}

// awaitEcho waits until the text is seen in the box, and says why not when it is not.
func (s *sending) awaitEcho(ctx context.Context) (why string) {
	s.enterStage(StageEcho)
	deadline := time.NewTimer(s.time.Echo)
	defer deadline.Stop()
	for {
		look, err := within(ctx, s.time.Look, func(ctx context.Context) (Look, error) {
			return s.Tmux.Look(ctx, s.req.Target.Pane)
		})
		if err != nil {
			why = err.Error()
		} else {
			reading := composer.Read(look.Screen)
			s.box = reading.Text()
			var ok bool
			if ok, why = s.text.Echoed(reading); ok {
				return ""
			}
		}
		select {
		case <-ctx.Done():
			s.lookInBox(ctx)
			return "it was called off"
		case <-deadline.C:
			return fmt.Sprintf("the text was not seen in the input box within %s: %s", s.time.Echo, why)
		case <-time.After(s.time.EchoPoll):
		}
	}
}

// finish checks everything again, presses Enter, once, and waits for the receipt.
func (s *sending) finish(ctx context.Context) Result {
	s.enterStage(StageRechecking)
	s.askRows(ctx, &s.last)
	g, why := s.recheck(ctx)
	if why != "" {
		return s.withheld(ctx, why)
	}
	s.enterStage(StageEntering)
	if ctx.Err() != nil {
		return s.withheld(ctx, "it was called off")
	}
	keys, cancelKeys := context.WithTimeout(ctx, s.time.Keys)
	defer cancelKeys()
	ok, err := s.Tmux.Enter(keys, g)
	switch {
	case errors.Is(err, ErrNotSent):
		return s.withheld(ctx, err.Error())
	case err != nil:
		return s.awaitReceipt(ctx, fmt.Sprintf("Enter may have been pressed: %v", err))
	case !ok:
		why := s.explain(ctx, g)
		s.lookInBox(ctx)
		return s.withheld(ctx, why)
	}
	return s.awaitReceipt(ctx, "Enter was pressed")
}

// recheck repeats lamps 1 to 4 and the echo, after the slow one. The look is the last of all, and
// the guard of the Enter is made of it: the shorter the time between the two, the less can happen.
func (s *sending) recheck(ctx context.Context) (Guard, string) {
	f := s.last
	s.lookAt(ctx, &f)
	s.lookAround(ctx, &f)
	s.readEntry(ctx, &f)
	s.lookAt(ctx, &f)
	s.last = f
	s.showQuick(f)
	s.showClaude(f)
	if f.lookErr != nil {
		return Guard{}, f.lookErr.Error()
	}
	reading := composer.Read(f.look.Screen)
	s.box = reading.Text()
	if !s.green() {
		return Guard{}, Reasons(s.all())
	}
	if ok, why := s.text.Echoed(reading); !ok {
		return Guard{}, why
	}
	return enterGuard(f.look, reading), ""
}
