package procs

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// maxFiles bounds how many open files of one process are looked at. A listening socket is opened
// early; a program with more files than this is a database, not a dev server.
const maxFiles = 4096

// netSpace names the network namespace of a process.
func netSpace(pid int) (string, error) { return os.Readlink(procDir(pid) + "/ns/net") }

// listening reads the listening sockets of a process's network namespace: all of them, not only
// its own. By hand, because gopsutil reads the whole table once more for every process: 108 ms
// against 18 for 170 processes.
func listening(pid int) (sockets, error) {
	table := sockets{}
	for _, name := range []string{"/net/tcp", "/net/tcp6"} {
		f, err := os.Open(procDir(pid) + name)
		if goneOrForbidden(err) {
			continue // no IPv6 in this kernel, or the process ended
		}
		if err != nil {
			return nil, err
		}
		err = listeners(f, table)
		f.Close()
		if err != nil && !goneOrForbidden(err) {
			return nil, err
		}
	}
	return table, nil
}

// portsOf looks through the open files of one process for sockets of the table. The ports are
// sorted, and nil when there are none or the process cannot be looked into.
func portsOf(pid int, table sockets) []int {
	if len(table) == 0 {
		return nil
	}
	d, err := os.Open(procDir(pid) + "/fd")
	if err != nil {
		return nil
	}
	defer d.Close()
	names, _ := d.Readdirnames(maxFiles) // what was read before an error counts
	var ports []int
	var buf [64]byte
	for _, name := range names {
		n, err := unix.Readlinkat(int(d.Fd()), name, buf[:])
		if err != nil {
			continue
		}
		if inode, ok := socketInode(buf[:n]); ok {
			if port, ok := table[inode]; ok {
				ports = append(ports, port)
			}
		}
	}
	slices.Sort(ports)
	return slices.Compact(ports)
}

func procDir(pid int) string { return "/proc/" + strconv.Itoa(pid) }

func goneOrForbidden(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, unix.ESRCH)
}
