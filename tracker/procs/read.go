package procs

import (
	"fmt"
	"path"
	"strings"

	"signalbox/tracker"
)

// maxDepth bounds a walk up the process tree. Deeper trees do not occur; a cycle might, after a
// pid was recycled between two reads.
const maxDepth = 64

// Read returns one process, everything but Ports filled. The error is ErrGone when there is none
// with this pid.
func Read(pid int) (tracker.Process, error) {
	p, err := readStat(pid, make([]byte, statBytes))
	if err != nil {
		return tracker.Process{}, err
	}
	p.Args = readArgs(pid)
	p.Began = readClock().began(p)
	return p, nil
}

// ReadAgent returns the process with this very identity. The error is ErrGone when it has ended,
// also while its corpse waits to be reaped or its pid serves another process.
func ReadAgent(id tracker.AgentID) (tracker.Process, error) {
	p, err := Read(id.PID)
	if err != nil {
		return tracker.Process{}, err
	}
	if p.Start != id.Start || p.State == tracker.ProcZombie {
		return tracker.Process{}, fmt.Errorf("process %d: %w", id.PID, ErrGone)
	}
	return p, nil
}

// Chain returns a process and its ancestors, nearest first, without the first process of the
// machine. It is empty when there is no such process, and ends early where an ancestor cannot be
// read. Each is read on its own: an ancestor that ended meanwhile ends the chain as well.
func Chain(pid int) []tracker.Process {
	var chain []tracker.Process
	for pid > 1 && len(chain) < maxDepth {
		p, err := Read(pid)
		if err != nil {
			break
		}
		for _, seen := range chain {
			if seen.PID == pid {
				return chain
			}
		}
		chain = append(chain, p)
		pid = p.PPID
	}
	return chain
}

// IsClaude reports whether a process is Claude Code by name: what tracker.ClaudeProcess says of
// its name and arguments, and, where those name a runtime or nothing at all, the file it runs. It
// reads the process again and is only a hint: a renamed `sleep` passes.
func IsClaude(p tracker.Process) bool {
	if tracker.ClaudeProcess(p) {
		return true
	}
	if len(p.Args) > 0 && p.Args[0] != "" {
		return false // it says what it is
	}
	exe, err := Executable(p.PID)
	if err != nil {
		return false
	}
	return tracker.ClaudeProcess(tracker.Process{Name: path.Base(strings.TrimSuffix(exe, deletedMark))})
}

// deletedMark is what the kernel appends to the path of an executable that was replaced.
const deletedMark = " (deleted)"
