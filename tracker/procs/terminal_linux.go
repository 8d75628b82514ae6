package procs

import (
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"

	"signalbox/tracker"
)

// devTTY is the device number of /dev/tty: whatever terminal controls the process.
const devTTY = 5 << 8

// stdinIs reports whether a process's standard input is the terminal with this device number, in
// the form of tracker.Process.TTY. A process that is gone, or has closed it, reads nothing.
func stdinIs(p tracker.Process, tty uint64) (bool, error) {
	var st unix.Stat_t
	err := unix.Stat("/proc/"+strconv.Itoa(p.PID)+"/fd/0", &st)
	switch err {
	case nil:
	case unix.ENOENT, unix.ESRCH:
		return false, nil
	default:
		return false, fmt.Errorf("standard input of process %d: %w", p.PID, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFCHR {
		return false, nil
	}
	dev := statDevice(uint64(st.Rdev))
	return dev == tty || dev == devTTY && p.TTY == tty, nil
}

// statDevice writes a device number as /proc/<pid>/stat does: twelve bits of major between the
// low eight and the rest of the minor.
func statDevice(rdev uint64) uint64 {
	major, minor := uint64(unix.Major(rdev)), uint64(unix.Minor(rdev))
	return minor&0xff | major<<8 | (minor&^0xff)<<12
}

// ttyDevice is the device number of a terminal, in the form of tracker.Process.TTY.
func ttyDevice(path string) (uint64, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return 0, fmt.Errorf("terminal %s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFCHR {
		return 0, fmt.Errorf("terminal %s: not a terminal", path)
	}
	return statDevice(uint64(st.Rdev)), nil
}
