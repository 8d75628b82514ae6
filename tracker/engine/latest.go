package engine

import (
	"context"
	"errors"
	"sync"

	"signalbox/tracker"
)

// ErrClosed says that no further snapshot will come.
var ErrClosed = errors.New("the engine has stopped")

// Latest is a mailbox with one slot: the newest snapshot wins. The writer never waits. It is safe
// for any number of readers.
type Latest struct {
	mu     sync.Mutex
	snap   *tracker.Snapshot
	wake   chan struct{} // closed and replaced with every new snapshot
	closed bool
}

func newLatest() *Latest { return &Latest{wake: make(chan struct{})} }

// put replaces the snapshot. One that is already there wakes nobody.
func (l *Latest) put(s *tracker.Snapshot) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed || l.snap != nil && l.snap.Rev == s.Rev {
		return
	}
	l.snap = s
	close(l.wake)
	l.wake = make(chan struct{})
}

func (l *Latest) close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.closed {
		l.closed = true
		close(l.wake)
	}
}

// Peek returns the newest snapshot, or nil before the first.
func (l *Latest) Peek() *tracker.Snapshot {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.snap
}

// Next blocks until there is a snapshot newer than rev and returns it. It returns ErrClosed once
// the engine has stopped and the last snapshot was seen, or the error of ctx.
func (l *Latest) Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error) {
	for {
		l.mu.Lock()
		snap, wake, closed := l.snap, l.wake, l.closed
		l.mu.Unlock()
		if snap != nil && snap.Rev > rev {
			return snap, nil
		}
		if closed {
			return nil, ErrClosed
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}
