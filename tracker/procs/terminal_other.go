//go:build !linux

package procs

import (
	"fmt"

	"golang.org/x/sys/unix"

	"signalbox/tracker"
)

// stdinIs cannot be known here without starting a program.
func stdinIs(tracker.Process, uint64) (bool, error) { return false, nil }

// ttyDevice is the device number of a terminal, in the form of tracker.Process.TTY.
func ttyDevice(path string) (uint64, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return 0, fmt.Errorf("terminal %s: %w", path, err)
	}
	return uint64(uint32(st.Rdev)), nil
}
