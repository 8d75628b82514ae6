package procs

import (
	"context"
	"strings"

	"github.com/shirou/gopsutil/v3/common"
	"github.com/shirou/gopsutil/v3/process"
)

// Bounds of a command line. It is shown in a line and matched at its beginning; a program may have
// megabytes of it.
const (
	maxArgs     = 32
	maxArgBytes = 512
)

// procRoot pins gopsutil to the /proc that the rest of the package reads: the environment variable
// HOST_PROC, meant for monitoring agents in containers, would mix two machines.
func procRoot(ctx context.Context) context.Context {
	return context.WithValue(ctx, common.EnvKey, common.EnvMap{common.HostProcEnvKey: "/proc"})
}

// boundArgs cuts a command line to what is worth keeping. A program that wrote a title over its
// arguments leaves empty ones behind.
func boundArgs(args []string) []string {
	for len(args) > 0 && args[len(args)-1] == "" {
		args = args[:len(args)-1]
	}
	if len(args) == 0 {
		return nil
	}
	out := make([]string, 0, min(len(args), maxArgs))
	for _, a := range args[:min(len(args), maxArgs)] {
		if len(a) > maxArgBytes {
			a = a[:maxArgBytes]
		}
		// cloned: the parts would keep the whole line in memory
		out = append(out, strings.Clone(strings.ToValidUTF8(a, "\uFFFD")))
	}
	return out
}

// Executable is the path of the program a process runs, as the kernel tells it. It ends in
// " (deleted)" when the file was replaced since.
func Executable(pid int) (string, error) {
	p := process.Process{Pid: int32(pid)}
	return p.ExeWithContext(procRoot(context.Background()))
}

// pids lists the processes of the machine, sorted.
func pids(ctx context.Context) ([]int32, error) {
	return process.PidsWithContext(procRoot(ctx))
}
