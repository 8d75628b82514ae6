//go:build !linux && !darwin

package procs

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/shirou/gopsutil/v3/process"

	"signalbox/tracker"
)

// statBytes is the buffer readStat wants: none here.
const statBytes = 0

// readStat asks gopsutil, and only for what it reads without starting a program: no state, no
// process group and no terminal, which stay "unknown".
func readStat(pid int, _ []byte) (tracker.Process, error) {
	g := process.Process{Pid: int32(pid)}
	ctx := procRoot(context.Background())
	start, err := g.CreateTimeWithContext(ctx)
	if errors.Is(err, process.ErrorProcessNotRunning) {
		return tracker.Process{}, ErrGone
	}
	if err != nil {
		return tracker.Process{}, fmt.Errorf("reading process %d: %w", pid, err)
	}
	ppid, err := g.PpidWithContext(ctx)
	if err != nil {
		return tracker.Process{}, fmt.Errorf("reading process %d: %w", pid, err)
	}
	name, err := g.NameWithContext(ctx)
	if err != nil {
		return tracker.Process{}, fmt.Errorf("reading process %d: %w", pid, err)
	}
	return tracker.Process{PID: pid, PPID: int(ppid), Start: uint64(start), Name: name}, nil
}

// readArgs reads the bounded command line; nil when it cannot be read.
func readArgs(pid int) []string {
	g := process.Process{Pid: int32(pid)}
	args, err := g.CmdlineSliceWithContext(procRoot(context.Background()))
	if err != nil {
		return nil
	}
	return boundArgs(args)
}

// clock turns start times into wall clock times; here they are already.
type clock struct{}

func readClock() clock { return clock{} }

func (clock) began(p tracker.Process) time.Time { return time.UnixMilli(int64(p.Start)) }
