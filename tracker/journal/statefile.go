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

// ErrDamaged says that a file of the last run is there, but cannot be understood.
var ErrDamaged = errors.New("what the last run knew is damaged")

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

// damaged says that a file is there, but cannot be understood.
func damaged(path string, why error) error { return fmt.Errorf("%w: %s: %w", ErrDamaged, path, why) }

// read reads the file. No file is no error.
func read(path string) ([]verdict, error) {
	data, err := readWhole(path)
	if data == nil {
		return nil, err
	}
	var s stateFile
	if err := json.Unmarshal(data, &s); err != nil {
		return nil, damaged(path, err)
	}
	if s.Version != formatVersion {
		return nil, damaged(path, wrongVersion(s.Version))
	}
	return s.Verdicts, nil
}

func wrongVersion(v int) error { return fmt.Errorf("it has version %d, not %d", v, formatVersion) }

// readWhole reads a file of ours, nil where there is none.
func readWhole(path string) ([]byte, error) {
	// Anything but a file would be replaced by none of our writes, and a pipe would never end.
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !info.Mode().IsRegular():
		err = fmt.Errorf("%s is not a file", path)
	}
	if err != nil {
		return nil, fmt.Errorf("reading what the last run knew: %w", err)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading what the last run knew: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("reading what the last run knew: %w", err)
	}
	if len(data) > maxFile {
		return nil, damaged(path, fmt.Errorf("it has more than %d bytes", maxFile))
	}
	return data, nil
}

// update reads the file, changes it and replaces it, as the only one to do so. What cannot be
// understood is replaced; what cannot be read is an error.
func update(path string, now time.Time, change func([]verdict) []verdict) error {
	return alone(path, func() (any, error) {
		stored, err := read(path)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return nil, err
		}
		return stateFile{Version: formatVersion, SavedAt: now.UTC(), Verdicts: prune(change(stored), now)}, nil
	})
}

// alone replaces a file by what content makes of it, as the only one to do so.
func alone(path string, content func() (any, error)) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("saving for the next run: %w", err)
	}
	lock := flock.New(path + ".lock")
	ctx, cancel := context.WithTimeout(context.Background(), lockWait)
	defer cancel()
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("saving for the next run: locking %s: %w", lock.Path(), err)
	}
	defer lock.Unlock()
	made, err := content()
	if err != nil {
		return err
	}
	data, err := json.MarshalIndent(made, "", " ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", path, err)
	}
	if err := replace(path, append(data, '\n'), true); err != nil {
		return fmt.Errorf("saving for the next run: %w", err)
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
