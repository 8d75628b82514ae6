package desk

import (
	"context"
	"os"
	"time"
)

// hookWatch notices that Claude Code's settings may say something else about our hooks. It looks at
// the file's date with every round that the sources make anyway: a look costs a few microseconds, finds
// a file behind a symbolic link or in a folder made later, and needs no watch of a folder in which
// Claude Code writes all day.
type hookWatch struct {
	file  string
	seen  os.FileInfo // nil: there is none
	next  time.Time   // when the next look is due
	moved chan struct{}
}

// hookPause is the shortest time between two looks, less than between two rounds of a board at rest: a
// busy one makes many rounds a second.
const hookPause = screenPause / 2

// newHookWatch takes the file as it is now for known: whoever reads it afterwards misses nothing.
func newHookWatch(file string) *hookWatch {
	w := &hookWatch{file: file, moved: make(chan struct{}, 1)}
	w.seen = w.stat()
	return w
}

// stat follows links. A file that cannot be looked at is none to Claude Code either.
func (w *hookWatch) stat() os.FileInfo {
	info, err := os.Stat(w.file)
	if err != nil {
		return nil
	}
	return info
}

// look tells of a change since the last look. A nil watch looks at nothing.
func (w *hookWatch) look(now time.Time) {
	if w == nil || now.Before(w.next) {
		return
	}
	w.next = now.Add(hookPause)
	info := w.stat()
	if sameFile(info, w.seen) {
		return
	}
	w.seen = info
	select {
	case w.moved <- struct{}{}:
	default: // nobody has asked since the last change
	}
}

// wait blocks until there was a change, or returns why it waits no longer.
func (w *hookWatch) wait(ctx, closed context.Context) error {
	select {
	case <-w.moved:
		return nil
	case <-closed.Done():
		return context.Cause(closed)
	case <-ctx.Done():
		return ctx.Err()
	}
}
