package registry

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/fsnotify/fsnotify"
)

// notifier asks the system to tell of changes in a folder that may not exist yet: until it does,
// the nearest folder above it is watched for the next step of the path. It belongs to one
// goroutine. Without a watch (see arm) its channels never deliver.
type notifier struct {
	dir     string
	open    func() (*fsnotify.Watcher, error) // fsnotify.NewWatcher
	watcher *fsnotify.Watcher
	watched string      // the folder under watch; "" for none
	info    fs.FileInfo // what that folder was when the watch began
	problem string      // why there is no watch, for people; "" while there is one
}

// events and errors are the channels to wait on; nil while there is no watcher.
func (n *notifier) events() <-chan fsnotify.Event {
	if n.watcher == nil {
		return nil
	}
	return n.watcher.Events
}

func (n *notifier) errors() <-chan error {
	if n.watcher == nil {
		return nil
	}
	return n.watcher.Errors
}

// arm sees to it that the right folder is watched: dir, or while it does not exist the nearest one
// above it. It reports whether the watch is new, so that what happened before must be looked for.
func (n *notifier) arm() (fresh bool) {
	if n.watcher == nil {
		w, err := n.open()
		if err != nil {
			n.problem = noWatch(err)
			return false
		}
		n.watcher = w
	}
	for {
		at, info := nearest(n.dir)
		if info == nil {
			n.disarm()
			n.problem = "no folder to watch"
			return fresh
		}
		if at == n.watched && n.info != nil && os.SameFile(info, n.info) {
			return fresh
		}
		n.disarm()
		err := n.watcher.Add(at)
		if errors.Is(err, fs.ErrNotExist) {
			continue // gone again
		}
		if err != nil {
			n.problem = noWatch(err)
			return fresh
		}
		n.watched, n.info, n.problem = at, info, ""
		fresh = true // and once more: a folder may have been made before the one above it was watched
	}
}

// nearest is dir, or while it does not exist the nearest folder above it.
func nearest(dir string) (string, fs.FileInfo) {
	for {
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			return dir, info
		}
		if dir == filepath.Dir(dir) {
			return dir, nil
		}
		dir = filepath.Dir(dir)
	}
}

// disarm drops the watch.
func (n *notifier) disarm() {
	if n.watched != "" {
		// It fails when the folder is gone; the watch is then gone as well.
		n.watcher.Remove(n.watched)
		n.watched, n.info = "", nil
	}
}

// direct reports whether the folder itself is watched.
func (n *notifier) direct() bool { return n.watched == n.dir }

// pid tells which file of the folder an event speaks of.
func (n *notifier) pid(ev fsnotify.Event) (int, bool) {
	if !n.direct() || filepath.Dir(ev.Name) != n.dir {
		return 0, false
	}
	return PIDOf(filepath.Base(ev.Name))
}

// moved reports whether an event means that another folder may have to be watched: the watched one
// itself went, or the next step towards the folder came.
func (n *notifier) moved(ev fsnotify.Event) bool {
	if ev.Name == n.watched {
		if !ev.Has(fsnotify.Remove) && !ev.Has(fsnotify.Rename) {
			return false
		}
		n.disarm() // a new folder in its place may even have its inode
		return true
	}
	if n.direct() {
		return false
	}
	for at := n.dir; at != n.watched && at != filepath.Dir(at); at = filepath.Dir(at) {
		if ev.Name == at {
			return true
		}
	}
	return false
}

func (n *notifier) close() {
	if n.watcher != nil {
		n.watcher.Close()
	}
}

// noWatch says in words why the system would not watch.
func noWatch(err error) string {
	switch {
	case errors.Is(err, syscall.EMFILE):
		return "no inotify instances left (fs.inotify.max_user_instances)"
	case errors.Is(err, syscall.ENOSPC):
		return "no inotify watches left (fs.inotify.max_user_watches)"
	}
	return err.Error()
}
