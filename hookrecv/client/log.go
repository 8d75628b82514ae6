package client

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"signalbox/hookrecv/paths"
)

const (
	// logLimit is when the event log is rotated. With the old file that is days of hooks, and
	// little enough to read at start.
	logLimit = 8 << 20
	// rotateTries bounds how often a file that was moved away under us is opened again.
	rotateTries = 3
)

// appendLog adds one line to the event log. Many clients append at once: each writes its line with
// a single call in append mode, which local file systems do not mix. A full log is moved aside.
func appendLog(path string, line []byte) error {
	for try := 1; ; try++ {
		f, err := openLog(path)
		if err != nil {
			return fmt.Errorf("opening event log: %w", err)
		}
		if try < rotateTries && isFull(f, len(line)) && rotate(f, path) {
			f.Close()
			continue
		}
		_, err = f.Write(line)
		return errors.Join(err, f.Close())
	}
}

func openLog(path string) (*os.File, error) {
	const flags = os.O_WRONLY | os.O_APPEND | os.O_CREATE
	f, err := os.OpenFile(path, flags, 0o600)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			f, err = os.OpenFile(path, flags, 0o600)
		}
	}
	return f, err
}

func isFull(f *os.File, more int) bool {
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular() && info.Size()+int64(more) > logLimit
}

// rotate moves the log f aside and reports whether path should be opened again. The lock is on the
// file itself: whoever gets it second finds that path is another file by now. Whoever does not get
// it writes to the full file, which loses nothing. A line written to a file that was just moved
// aside is in the old log.
func rotate(f *os.File, path string) bool {
	if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
		return false
	}
	mine, err := f.Stat()
	if err != nil {
		return false
	}
	if current, err := os.Stat(path); err != nil || !os.SameFile(mine, current) {
		return true
	}
	return os.Rename(path, paths.OldLog(path)) == nil
}
