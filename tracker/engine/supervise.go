package engine

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"
)

// Crash is a panic of a supervised goroutine, kept until the terminal is usable again.
type Crash struct {
	Name  string
	Value any
	Stack []byte
}

func (c *Crash) Error() string { return fmt.Sprintf("%s crashed: %v", c.Name, c.Value) }

// Supervisor starts the goroutines of the program. A panic in one of them, or an error it returns
// while the program still runs, ends the context of all; the cause is kept for the end. Nothing is
// printed here: the terminal belongs to the board until it has given it back.
type Supervisor struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup
}

// Supervise returns a supervisor whose context ends with parent, with Stop, or with a failure.
func Supervise(parent context.Context) *Supervisor {
	ctx, cancel := context.WithCancelCause(parent)
	return &Supervisor{ctx: ctx, cancel: cancel}
}

// Context ends when the program should.
func (s *Supervisor) Context() context.Context { return s.ctx }

// Go starts fn. fn returns soon after its context has ended.
func (s *Supervisor) Go(name string, fn func(context.Context) error) {
	s.wg.Go(func() {
		defer func() {
			if v := recover(); v != nil {
				s.cancel(&Crash{Name: name, Value: v, Stack: debug.Stack()})
			}
		}()
		if err := fn(s.ctx); err != nil && s.ctx.Err() == nil && !errors.Is(err, context.Canceled) {
			s.cancel(fmt.Errorf("%s: %w", name, err))
		}
	})
}

// errStopped is the ordinary end.
var errStopped = errors.New("stopped")

// Stop ends the context and waits for every goroutine, at most for limit. It returns the crash or
// error that ended the program early, or what did not end in time.
func (s *Supervisor) Stop(limit time.Duration) error {
	s.cancel(errStopped)
	done := make(chan struct{})
	go func() { s.wg.Wait(); close(done) }()
	select {
	case <-done:
	case <-time.After(limit):
		return fmt.Errorf("some parts did not stop within %v", limit)
	}
	switch cause := context.Cause(s.ctx); {
	case errors.Is(cause, errStopped), errors.Is(cause, context.Canceled):
		return nil
	default:
		return cause
	}
}
