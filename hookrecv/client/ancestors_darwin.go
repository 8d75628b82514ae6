package client

import (
	"golang.org/x/sys/unix"

	"signalbox/hookrecv/wire"
)

// ancestors is pid and its parents, nearest first. The client looks for itself, because the shell
// between it and Claude Code is gone as soon as it has ended.
func ancestors(pid int) []int {
	var chain []int
	for len(chain) < wire.MaxAncestors && pid > 1 {
		chain = append(chain, pid)
		info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
		if err != nil {
			break
		}
		pid = int(info.Eproc.Ppid)
	}
	return chain
}
