package client

import (
	"bytes"
	"os"
	"strconv"

	"signalbox/hookrecv/wire"
)

// ancestors is pid and its parents, nearest first. The client looks for itself, because the shell
// between it and Claude Code is gone as soon as it has ended.
func ancestors(pid int) []int {
	var chain []int
	for len(chain) < wire.MaxAncestors && pid > 1 {
		chain = append(chain, pid)
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil {
			break
		}
		// pid (name) state ppid …; the name may hold anything, brackets included
		fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
		if len(fields) < 2 {
			break
		}
		if pid, err = strconv.Atoi(string(fields[1])); err != nil {
			break
		}
	}
	return chain
}
