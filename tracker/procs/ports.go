package procs

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"

	"signalbox/tracker"
)

// stateListen is how the kernel writes the state of a listening socket in /proc/net/tcp.
const stateListen = "0A"

// sockets are the listening sockets of one network namespace: the port by the socket's inode.
type sockets map[uint64]int

// Ports looks which of the panes' processes of the last sweep listen on TCP ports, remembers it
// for the sweeps to come, and returns the processes for which it changed. Processes that this user
// may not look into have none.
//
// It costs one read of the socket table per network namespace, and one short read per open file of
// the processes that are new, or of all of them when a listening socket came or went.
func (t *Table) Ports() ([]tracker.Process, error) {
	spaces := map[string]sockets{}
	in := make([]string, len(t.rows)) // network namespace per row
	for i, s := range t.side {
		if s != sideBelow {
			continue
		}
		ns, err := netSpace(t.rows[i].PID)
		if err != nil {
			continue // gone, or another user's
		}
		if _, ok := spaces[ns]; !ok {
			table, err := listening(t.rows[i].PID)
			if err != nil {
				return nil, fmt.Errorf("reading listening ports: %w", err)
			}
			spaces[ns] = table
		}
		in[i] = ns
	}
	same := maps.EqualFunc(spaces, t.spaces, maps.Equal[sockets, sockets])
	t.spaces = spaces
	var changed []tracker.Process
	for i, s := range t.side {
		p := t.rows[i]
		k := t.known[p.ID()]
		if s != sideBelow || k == nil || same && k.looked {
			continue
		}
		k.looked = true
		ports := portsOf(p.PID, spaces[in[i]])
		if slices.Equal(ports, k.ports) {
			continue
		}
		k.ports = ports
		now, err := readStat(p.PID, t.buf) // the sweep was a while ago
		if err != nil || now.Start != p.Start {
			continue
		}
		now.Args, now.Began, now.Ports = k.args, k.began, k.ports
		changed = append(changed, now)
	}
	return changed, nil
}

// listeners reads a socket table of procfs (/proc/net/tcp, tcp6) and adds the port of every
// listening socket to ports, by the inode of the socket. Lines of another shape are skipped.
func listeners(r io.Reader, ports sockets) error {
	lines := bufio.NewScanner(r)
	for lines.Scan() {
		line := lines.Bytes()
		if !bytes.Contains(line, []byte(" "+stateListen+" ")) {
			continue // most lines: connections
		}
		// sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …
		f := bytes.Fields(line)
		if len(f) < 10 || string(f[3]) != stateListen {
			continue
		}
		colon := bytes.LastIndexByte(f[1], ':')
		port, err := strconv.ParseUint(string(f[1][colon+1:]), 16, 16)
		if err != nil {
			continue
		}
		inode, err := strconv.ParseUint(string(f[9]), 10, 64)
		if err != nil || inode == 0 {
			continue
		}
		ports[inode] = int(port)
	}
	return lines.Err()
}

// socketInode reads the target of a link in /proc/<pid>/fd: "socket:[4711]".
func socketInode(link []byte) (uint64, bool) {
	num, ok := bytes.CutPrefix(link, []byte("socket:["))
	if !ok || len(num) == 0 || num[len(num)-1] != ']' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(num[:len(num)-1]), 10, 64)
	return n, err == nil
}
