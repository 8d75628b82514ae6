package procs

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"signalbox/tracker"
)

// statBytes is the buffer readStat wants: none here.
const statBytes = 0

// States of a process (sys/proc.h).
const (
	sStop   = 4
	sZombie = 5
)

// readStat asks the kernel for one process. gopsutil has the same answer but starts `ps` for the
// state and hides the process group.
func readStat(pid int, _ []byte) (tracker.Process, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EIO) || err == nil && int(k.Proc.P_pid) != pid {
		return tracker.Process{}, ErrGone // an unknown pid is an empty answer, hence EIO
	}
	if err != nil {
		return tracker.Process{}, fmt.Errorf("reading process %d: %w", pid, err)
	}
	p := tracker.Process{
		PID: pid, PPID: int(k.Eproc.Ppid), Group: int(k.Eproc.Pgid), TermGroup: int(k.Eproc.Tpgid),
		Start: uint64(k.Proc.P_starttime.Sec)*1000 + uint64(k.Proc.P_starttime.Usec)/1000,
	}
	if k.Eproc.Tdev != -1 {
		p.TTY = uint64(uint32(k.Eproc.Tdev))
	}
	for _, c := range k.Proc.P_comm {
		if c == 0 {
			break
		}
		p.Name += string(rune(byte(c)))
	}
	switch k.Proc.P_stat {
	case sStop:
		p.State = tracker.ProcStopped
	case sZombie:
		p.State = tracker.ProcZombie
	}
	return p, nil
}

// readArgs reads the bounded command line: the number of arguments, the path of the program,
// zeros, then the arguments, each ended by a zero.
func readArgs(pid int) []string {
	raw, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(raw) < 4 {
		return nil
	}
	n := int(binary.NativeEndian.Uint32(raw))
	_, rest, ok := bytes.Cut(raw[4:], []byte{0})
	if !ok || n <= 0 {
		return nil
	}
	parts := bytes.SplitN(bytes.TrimLeft(rest, "\x00"), []byte{0}, min(n, maxArgs)+1)
	args := make([]string, 0, maxArgs)
	for _, a := range parts[:min(len(parts), n, maxArgs)] {
		args = append(args, string(a))
	}
	return boundArgs(args)
}

// clock turns start times into wall clock times; here they are already.
type clock struct{}

func readClock() clock { return clock{} }

func (clock) began(p tracker.Process) time.Time { return time.UnixMilli(int64(p.Start)) }
