package procs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/shirou/gopsutil/v3/process"
	"golang.org/x/sys/unix"

	"signalbox/tracker"
)

// statBytes holds any stat line: 52 numbers and a name of at most 64 bytes.
const statBytes = 2048

// readStat reads the stat line of one process into buf and parses it. Plain system calls: a sweep
// does this for every process of the machine.
func readStat(pid int, buf []byte) (tracker.Process, error) {
	path := append(append(append(make([]byte, 0, 32), "/proc/"...), strconv.Itoa(pid)...), "/stat"...)
	fd, err := unix.Open(string(path), unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return tracker.Process{}, statError(pid, err)
	}
	defer unix.Close(fd)
	for {
		n, err := unix.Read(fd, buf)
		switch {
		case err == unix.EINTR:
			continue
		case err != nil:
			return tracker.Process{}, statError(pid, err)
		case n <= 0:
			return tracker.Process{}, ErrGone
		}
		return parseStat(buf[:n])
	}
}

// statError keeps the two ways in which a process vanishes under our hands apart from real
// trouble.
func statError(pid int, err error) error {
	if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ESRCH) {
		return ErrGone
	}
	return fmt.Errorf("reading process %d: %w", pid, err)
}

// readArgs reads the bounded command line; nil when it cannot be read or the process has none.
func readArgs(pid int) []string {
	p := process.Process{Pid: int32(pid)}
	args, err := p.CmdlineSliceWithContext(procRoot(context.Background()))
	if err != nil {
		return nil
	}
	return boundArgs(args)
}

// clock turns start times into wall clock times, all by the same reading of the clocks.
type clock struct {
	now       time.Time
	sinceBoot time.Duration
}

func readClock() clock {
	var ts unix.Timespec
	c := clock{now: time.Now()}
	if err := unix.ClockGettime(unix.CLOCK_BOOTTIME, &ts); err == nil {
		c.sinceBoot = time.Duration(ts.Nano())
	}
	return c
}

func (c clock) began(p tracker.Process) time.Time {
	if c.sinceBoot == 0 {
		return time.Time{}
	}
	return beganAt(p.Start, c.now, c.sinceBoot)
}
