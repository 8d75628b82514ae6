package journal

import (
	"fmt"
	"os"
)

// replace writes data to path+".tmp" and renames it over path. The name of the temporary file is
// part of the contract of the status file, and a fixed one leaves at most one behind however often
// the board is killed. A failed write leaves the old file as it was. Callers hold the lock of the
// file: two of them would share the temporary one.
//
// durable asks for the content to be on the disk before the name is: what is not written again
// every few seconds would be empty after a power failure otherwise.
func replace(path string, data []byte, durable bool) error {
	tmp := path + ".tmp"
	if err := writeNew(tmp, data, durable); err != nil {
		os.Remove(tmp)
		return fmt.Errorf("writing %s: %w", path, err)
	}
	if err := os.Rename(tmp, path); err != nil {
		os.Remove(tmp)
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// writeNew writes a file that did not exist. A leftover of that name is removed first and never
// opened: it may be a link to somewhere else, or a pipe that blocks.
func writeNew(path string, data []byte, durable bool) error {
	os.Remove(path) // what cannot be removed fails the next line
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil && durable {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
