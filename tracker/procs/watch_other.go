//go:build !linux

package procs

import (
	"errors"
	"time"

	"signalbox/tracker"
)

// errNoWatch says that processes have to be looked at here.
var errNoWatch = errors.New("this system does not tell when a process ends")

// waiter only waits: nothing here tells when a process ends.
type waiter struct{ woken chan struct{} }

func newWaiter() (*waiter, error) { return &waiter{woken: make(chan struct{}, 1)}, nil }

func (w *waiter) hold(id tracker.AgentID) error {
	if ended(id) {
		return ErrGone
	}
	return errNoWatch
}

func (w *waiter) release(tracker.AgentID) {}

func (w *waiter) wait(timeout time.Duration) []tracker.AgentID {
	if timeout < 0 {
		<-w.woken
		return nil
	}
	t := time.NewTimer(timeout)
	defer t.Stop()
	select {
	case <-w.woken:
	case <-t.C:
	}
	return nil
}

func (w *waiter) wake() {
	select {
	case w.woken <- struct{}{}:
	default:
	}
}

func (w *waiter) close() {}
