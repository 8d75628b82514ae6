package transcript

import (
	"path/filepath"
	"runtime"

	"github.com/fsnotify/fsnotify"
)

// notifier is what the watcher needs of fsnotify. Tests put their own in its place.
type notifier interface {
	Add(path string) error
	Remove(path string) error
	Events() <-chan fsnotify.Event
	Errors() <-chan error
	Close() error
}

type fsNotifier struct{ *fsnotify.Watcher }

func (n fsNotifier) Events() <-chan fsnotify.Event { return n.Watcher.Events }
func (n fsNotifier) Errors() <-chan error          { return n.Watcher.Errors }

func newNotifier() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	return fsNotifier{w}, nil
}

// watched is what to watch for a transcript: its folder, so that a new or replaced file is seen.
// Where a watched folder costs one descriptor per file in it (kqueue), it is the file alone, and
// the poll finds the rest.
func watched(path string) string {
	if runtime.GOOS == "linux" {
		return filepath.Dir(path)
	}
	return path
}

// folders counts who needs each watch. Notices are a convenience: a watch that cannot be set is
// tried again with each poll and missed by nobody but for a second or two.
type folders struct {
	notes notifier // nil where there are none
	refs  map[string]int
	set   map[string]bool
}

func newFolders(n notifier) *folders {
	return &folders{notes: n, refs: map[string]int{}, set: map[string]bool{}}
}

func (w *folders) add(path string) {
	w.refs[path]++
	_ = w.try(path) // tried again, and reported, with the next poll
}

func (w *folders) drop(path string) {
	w.refs[path]--
	if w.refs[path] > 0 {
		return
	}
	delete(w.refs, path)
	if w.set[path] {
		delete(w.set, path)
		_ = w.notes.Remove(path) // gone already when the folder is
	}
}

// lost says that the system dropped a watch, since its folder went away or moved.
func (w *folders) lost(path string) {
	if w.set[path] {
		delete(w.set, path)
		_ = w.notes.Remove(path) // it may watch the folder under its new name
	}
}

// retry sets the watches that are missing. A folder that does not exist yet is no problem.
func (w *folders) retry() (problem error) {
	for path := range w.refs {
		if err := w.try(path); err != nil && !missing(err) {
			problem = err
		}
	}
	return problem
}

func (w *folders) try(path string) error {
	if w.notes == nil || w.set[path] {
		return nil
	}
	if err := w.notes.Add(path); err != nil {
		return err
	}
	w.set[path] = true
	return nil
}
