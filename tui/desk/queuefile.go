package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/renameio/v2"
)

// queueFile is the queue of one world (a tmux server and a Claude folder) on disk. Every board of
// that world may change it, each time under a short lock: what one board cancels, no other sends.
// Only the board that holds the second lock sends; it has it for as long as it lives.
type queueFile struct {
	path string
}

const (
	queueVersion = 1
	maxQueueFile = 4 * maxQueueBytes // texts are escaped

	// queueLockWait is how long a change waits for another board's. One takes a millisecond.
	queueLockWait = 2 * time.Second
	queueLockPoll = 5 * time.Millisecond
)

// queueDoc is the file's content.
type queueDoc struct {
	Version int   `json:"version"`
	Tasks   tasks `json:"tasks"`
}

// queueFile is where the queue of this world is; nil without a state folder.
func (d *Desk) queueFile() *queueFile {
	if d.stateDir == "" {
		return nil
	}
	h := fnv.New64a()
	id := d.identity()
	_, _ = io.WriteString(h, id.Socket+"\x00"+id.ClaudeDir) // a hash never fails
	return &queueFile{path: filepath.Join(d.stateDir, fmt.Sprintf("queue-%016x.json", h.Sum64()))}
}

// read is the queue as it stands. A file that does not exist is an empty queue.
func (f *queueFile) read() (tasks, error) {
	file, err := os.Open(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the queue: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxQueueFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the queue: %w", err)
	}
	var doc queueDoc
	switch err := json.Unmarshal(data, &doc); {
	case len(data) > maxQueueFile:
		return nil, fmt.Errorf("reading the queue: %s is too large", f.path)
	case err != nil:
		return nil, fmt.Errorf("reading the queue: %s: %w", f.path, err)
	case doc.Version != queueVersion:
		return nil, fmt.Errorf("reading the queue: %s has version %d, not %d", f.path, doc.Version, queueVersion)
	}
	return doc.Tasks, nil
}

// change reads the queue, lets f change it and writes it back, as one step for all boards. When f
// fails nothing is written. A file that cannot be read is not written over either: it holds what
// somebody wrote.
func (f *queueFile) change(ctx context.Context, change func(*tasks) error) error {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return fmt.Errorf("changing the queue: %w", err)
	}
	lock := flock.New(f.path+".lock", flock.SetPermissions(0o600))
	ctx, cancel := context.WithTimeout(ctx, queueLockWait)
	defer cancel()
	if ok, err := lock.TryLockContext(ctx, queueLockPoll); err != nil || !ok {
		return fmt.Errorf("changing the queue: another board holds it: %w", err)
	}
	defer lock.Unlock()
	q, err := f.read()
	if err != nil {
		return err
	}
	if err := change(&q); err != nil {
		return err
	}
	data, err := json.MarshalIndent(queueDoc{Version: queueVersion, Tasks: q}, "", " ")
	if err != nil {
		return fmt.Errorf("changing the queue: %w", err)
	}
	if err := renameio.WriteFile(f.path, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("changing the queue: %w", err)
	}
	return nil
}

// stamp tells one state of the file from another; nil when there is none.
func (f *queueFile) stamp() fs.FileInfo {
	info, err := os.Stat(f.path)
	if err != nil {
		return nil
	}
	return info
}

// sameFile reports whether a file is as it was. Every change makes a new one.
func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.ModTime().Equal(b.ModTime()) && a.Size() == b.Size()
}

// drive takes the lock of the one board that sends, if it is free. Letting it go, or the end of the
// process, frees it again.
func (f *queueFile) drive() (release func(), ok bool) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return nil, false
	}
	lock := flock.New(f.path+".driver", flock.SetPermissions(0o600))
	if got, err := lock.TryLock(); err != nil || !got {
		return nil, false
	}
	return func() { _ = lock.Unlock() }, true
}
