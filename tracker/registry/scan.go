package registry

import (
	"context"
	"time"

	"signalbox/tracker"
)

// Scan reads every entry once, for commands that print and end. A half-written file is read again
// after a moment, once. The error says that the folder cannot be read; a folder that does not
// exist is empty.
func Scan(ctx context.Context, claudeDir string, chain func(pid int) []tracker.Process) ([]tracker.Event, error) {
	var events []tracker.Event
	w := NewWatch(claudeDir, chain)
	f := newFolder(w.dir, w.host, w.chain, func(ev tracker.Event) { events = append(events, ev) })
	if _, err := f.look(true); err != nil {
		return events, cause(err)
	}
	if len(f.torn) > 0 {
		select {
		case <-time.After(tornAfter):
			f.retry()
		case <-ctx.Done():
		}
	}
	return events, nil
}
