package procs

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
)

// ErrGone says that no process has this pid, or that it is another one than asked for.
var ErrGone = errors.New("no such process")

// Places of the fields of /proc/<pid>/stat, counted from the one after the command name (proc(5)
// counts from 1 and calls that one 3).
const (
	statState     = 0
	statPPID      = 1
	statGroup     = 2
	statTTY       = 4
	statTermGroup = 5
	statFlags     = 6
	statStart     = 19
	statFields    = 20
)

// flagKernel marks a thread of the kernel (PF_KTHREAD): half of a process table, and never ours.
const flagKernel = 0x00200000

// userHZ is the unit of times in /proc: ticks per second as user space sees them. It is 100 on
// every architecture Go supports on Linux.
const userHZ = 100

// parseStat reads one line of /proc/<pid>/stat. The command name may hold any byte, blanks and
// parentheses included, so the fields begin after the last parenthesis.
func parseStat(line []byte) (tracker.Process, error) {
	var p tracker.Process
	open, end := bytes.IndexByte(line, '('), bytes.LastIndexByte(line, ')')
	if open < 1 || end < open {
		return p, fmt.Errorf("a stat line without a name: %.40q", line)
	}
	pid, err := strconv.Atoi(string(bytes.TrimSpace(line[:open])))
	if err != nil || pid <= 0 {
		return p, fmt.Errorf("a stat line without a pid: %.40q", line)
	}
	var f [statFields][]byte
	rest := line[end+1:]
	for i := range f {
		rest = bytes.TrimLeft(rest, " ")
		n := bytes.IndexAny(rest, " \n")
		if n < 0 {
			n = len(rest)
		}
		if n == 0 {
			return p, fmt.Errorf("a stat line with %d fields: %.40q", i, line)
		}
		f[i], rest = rest[:n], rest[n:]
	}
	p.PID = pid
	p.Name = strings.ToValidUTF8(string(line[open+1:end]), "\uFFFD")
	num := func(i, bits int) int64 {
		n, e := strconv.ParseInt(string(f[i]), 10, bits)
		if e != nil && err == nil {
			err = fmt.Errorf("field %d of a stat line: %w", i+3, e)
		}
		return n
	}
	p.PPID = int(num(statPPID, 32))
	p.Group = int(num(statGroup, 32))
	p.TermGroup = int(num(statTermGroup, 32))
	p.TTY = uint64(uint32(num(statTTY, 33))) // printed as a signed number of 32 bits
	flags := num(statFlags, 64)
	p.Start = uint64(num(statStart, 64))
	p.State = procState(f[statState][0], p)
	switch {
	case err != nil:
		return tracker.Process{}, err
	case flags&flagKernel != 0:
		return tracker.Process{}, ErrGone // a thread of the kernel
	}
	return p, nil
}

// procState reads the letter of a state. A traced process stands still for a moment at every
// system call (strace) and is not stopped; one that a debugger or Ctrl-Z holds has lost the
// foreground of its terminal as well.
func procState(c byte, p tracker.Process) tracker.ProcState {
	switch c {
	case 'T':
		return tracker.ProcStopped
	case 't':
		if p.TermGroup > 0 && !p.Foreground() {
			return tracker.ProcStopped
		}
	case 'Z', 'X', 'x':
		return tracker.ProcZombie
	}
	return tracker.ProcRunning
}

// beganAt turns a start time in ticks since boot into wall clock time. sinceBoot is the age of the
// machine at the moment now. A start time in the future is none of this boot: the answer is zero.
func beganAt(ticks uint64, now time.Time, sinceBoot time.Duration) time.Time {
	const tick = time.Second / userHZ
	if ticks > uint64(sinceBoot/tick)+1 {
		return time.Time{}
	}
	return now.Add(time.Duration(ticks)*tick - sinceBoot)
}
