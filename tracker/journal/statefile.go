package journal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"signalbox/tracker"
)

const (
	formatVersion = 1
	// maxFile bounds what is read: a hundred agents take 20 KB.
	maxFile = 4 << 20
	// keepFor is how long the verdict of an agent stays that no board has seen again.
	keepFor = 30 * 24 * time.Hour
	// maxStrangers bounds how many such verdicts are kept, the newest first.
	maxStrangers = 512
	// lockWait is how long a writer waits for another. Each holds the lock for a few milliseconds,
	// unless it was stopped just then.
	lockWait  = 500 * time.Millisecond
	lockRetry = 5 * time.Millisecond
)

// ErrDamaged says that the last verdicts are there, but cannot be understood.
var ErrDamaged = errors.New("the last verdicts are damaged")

// stateFile is the form of the last verdicts on disk.
type stateFile struct {
	Version  int       `json:"version"`
	SavedAt  time.Time `json:"savedAt"`
	Verdicts []verdict `json:"verdicts"`
}

type verdict struct {
	PID      int       `json:"pid"`
	Start    uint64    `json:"start"`
	Status   string    `json:"status"`
	Since    time.Time `json:"since"`
	LookedAt time.Time `json:"lookedAt"`
	SeenAt   time.Time `json:"seenAt"` // when a board last had the agent on it
	// Suspended tells a stopped agent from one of which too little is known. Only of such a one nobody
	// but a board knows since when: the system does not tell when a process was stopped.
	Suspended bool `json:"suspended,omitempty"`
}

func (v verdict) id() tracker.AgentID { return tracker.AgentID{PID: v.PID, Start: v.Start} }

// read reads the file. No file is no error.
func read(path string) ([]verdict, error) {
	// Anything but a file would be replaced by none of our writes, and a pipe would never end.
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading the last verdicts: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the last verdicts: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading the last verdicts: %w", err)
	}
	var s stateFile
	switch err := json.Unmarshal(data, &s); {
	case len(data) > maxFile:
		return nil, fmt.Errorf("%w: %s has more than %d bytes", ErrDamaged, path, maxFile)
	case err != nil:
		return nil, fmt.Errorf("%w: %s: %w", ErrDamaged, path, err)
	case s.Version != formatVersion:
		return nil, fmt.Errorf("%w: %s has version %d, not %d", ErrDamaged, path, s.Version, formatVersion)
	}
	return s.Verdicts, nil
}

// update reads the file, changes it and replaces it, as the only one to do so. What cannot be
// understood is replaced; what cannot be read is an error.
func update(path string, now time.Time, change func([]verdict) []verdict) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("saving the last verdicts: %w", err)
	}
	lock := flock.New(path + ".lock")
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("saving the last verdicts: locking %s: %w", lock.Path(), err)
	}
	defer lock.Unlock()
	stored, err := read(path)
	if err != nil && !errors.Is(err, ErrDamaged) {
		return err
	}
	vs := prune(change(stored), now)
	data, err := json.MarshalIndent(stateFile{Version: formatVersion, SavedAt: now.UTC(), Verdicts: vs}, "", " ")
	if err != nil {
		return fmt.Errorf("encoding the last verdicts: %w", err)
	}
	if err := replace(path, append(data, '\n'), true); err != nil {
		return fmt.Errorf("saving the last verdicts: %w", err)
	}
	return nil
}

// prune sorts verdicts, those seen last first, and drops the leftovers of agents that are gone.
// What was seen just now is never dropped.
func prune(vs []verdict, now time.Time) []verdict {
	slices.SortFunc(vs, func(a, b verdict) int {
		return cmp.Or(b.SeenAt.Compare(a.SeenAt), cmp.Compare(a.PID, b.PID), cmp.Compare(a.Start, b.Start))
	})
	strangers := 0
	return slices.DeleteFunc(vs, func(v verdict) bool {
		if v.SeenAt.Equal(now) {
			return false
		}
		strangers++
		return strangers > maxStrangers || now.Sub(v.SeenAt) > keepFor
	})
}
