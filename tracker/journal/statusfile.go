package journal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"signalbox/tracker"
)

const (
	// heartbeat is the longest pause between two writes of the status file: a reader can tell a
	// living writer from a dead one by its age.
	heartbeat = 60 * time.Second
	// takeoverEvery is how often a board that does not write looks whether the one that does has
	// ended. It costs one system call.
	takeoverEvery = 3 * time.Second

	statusName = "tmux-status.json"
	lockName   = "tmux-status.lock"
)

var (
	// ErrOtherWriter says that another board writes the status file, which is no failure.
	ErrOtherWriter = errors.New("another board writes the status file")
	errNoFolder    = errors.New("there is no folder for the status file: HOME is not set")
)

// Render turns a snapshot into the content of the status file. The time is that of the writing; the
// same snapshot and time give the same bytes.
type Render func(snap *tracker.Snapshot, at time.Time) ([]byte, error)

// StatusFile is the public status file of CONTRACTS, <dir>/tmux-status.json, held by its one writer.
type StatusFile struct {
	dir    string
	render Render
	lock   *flock.Flock
}

// StatusDir is the folder of the public status file, from an environment; "" where that names none.
func StatusDir(env func(string) string) string {
	base := env("XDG_STATE_HOME")
	if !filepath.IsAbs(base) {
		home := env("HOME")
		if home == "" {
			return ""
		}
		base = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(base, "thegrid")
}

// OpenStatusFile makes the folder and takes the writer's lock, which is held until Close. It
// returns ErrOtherWriter when somebody else has it.
func OpenStatusFile(dir string, render Render) (*StatusFile, error) {
	if dir == "" {
		return nil, errNoFolder
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the folder of the status file: %w", err)
	}
	f := &StatusFile{dir: dir, render: render, lock: flock.New(filepath.Join(dir, lockName))}
	ok, err := f.lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("locking the status file: %w", err)
	}
	if !ok {
		return nil, ErrOtherWriter
	}
	return f, nil
}

// Close gives the lock back.
func (f *StatusFile) Close() error { return f.lock.Unlock() }

// Write replaces the file with this snapshot.
func (f *StatusFile) Write(snap *tracker.Snapshot, now time.Time) error {
	data, err := f.render(snap, now)
	if err != nil {
		return fmt.Errorf("rendering the status file: %w", err)
	}
	return replace(filepath.Join(f.dir, statusName), data, false)
}

// held reports whether the lock is still the one that others would find. It is not when somebody
// has removed the folder or the lock file; another board may then hold a new one.
func (f *StatusFile) held() bool {
	mine, err := f.lock.Stat()
	if err != nil {
		return false
	}
	found, err := os.Stat(f.lock.Path())
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return err != nil || os.SameFile(mine, found)
}

// PublishStatus keeps the status file in dir up to date until the source ends, which it does soon
// after ctx: written on change, at most every two seconds, at least every minute, and at once for
// every value on hurry (nil for never). While another board writes the file it waits, quietly, and
// takes over when that one ends. A write that fails leaves the old file and is tried again; report
// is told of every outcome but waiting.
//
// now is the clock that the file shows.
func PublishStatus(ctx context.Context, dir string, render Render, src Source, now func() time.Time, hurry <-chan struct{}, report func(error)) {
	for {
		f, err := OpenStatusFile(dir, render)
		switch {
		case err == nil:
			ended := f.publish(ctx, src, now, hurry, report)
			f.Close()
			if ended {
				return
			}
			// The lock file was removed: make a new one, or wait for whoever has.
		case !errors.Is(err, ErrOtherWriter):
			report(err)
		}
		if !waitFor(ctx, takeoverEvery, hurry) {
			return
		}
	}
}

// waitFor waits and reports whether it waited in full. A hurry is the other board's business.
func waitFor(ctx context.Context, d time.Duration, hurry <-chan struct{}) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			return true
		case <-hurry:
		case <-ctx.Done():
			return false
		}
	}
}

// Publish is PublishStatus for a file that is open already. It also returns when the lock is lost.
func (f *StatusFile) Publish(ctx context.Context, src Source, now func() time.Time, hurry <-chan struct{}, report func(error)) error {
	f.publish(ctx, src, now, hurry, report)
	return nil
}

// publish reports whether the source has ended; otherwise the lock is lost.
func (f *StatusFile) publish(ctx context.Context, src Source, now func() time.Time, hurry <-chan struct{}, report func(error)) (ended bool) {
	p := publisher{file: f, now: now, report: report}
	r := rhythm{beat: heartbeat, hurry: hurry, write: p.write}
	r.run(ctx, src)
	return !p.lost
}

// publisher remembers what it wrote last.
type publisher struct {
	file   *StatusFile
	now    func() time.Time
	report func(error)
	last   []byte
	lastAt time.Time
	lost   bool
}

func (p *publisher) write(snap *tracker.Snapshot, force bool) outcome {
	if !known(snap) || !force && p.same(snap) {
		return unchanged
	}
	if !p.file.held() {
		p.lost = true
		return refused
	}
	at := p.now()
	data, err := p.file.render(snap, at)
	if err != nil {
		err = fmt.Errorf("rendering the status file: %w", err)
	} else {
		err = replace(filepath.Join(p.file.dir, statusName), data, false)
	}
	p.report(err)
	if err != nil {
		return failed
	}
	p.last, p.lastAt = data, at
	return written
}

// same reports whether the snapshot would give the very file that is there, but for its time.
func (p *publisher) same(snap *tracker.Snapshot) bool {
	if p.last == nil {
		return false
	}
	data, err := p.file.render(snap, p.lastAt)
	return err == nil && bytes.Equal(data, p.last)
}

// known reports whether the snapshot says anything about tmux. Before the first answer, and when
// tmux could never be asked, an empty list would claim that it does not run.
func known(snap *tracker.Snapshot) bool {
	switch snap.Tmux.State {
	case tracker.StateUnknown:
		return false
	case tracker.StateFailed:
		return len(snap.Sessions) > 0
	}
	return true
}
