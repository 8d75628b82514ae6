package hookrecv

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"signalbox/hookrecv/paths"
)

// ErrInUse says that a living board listens at this path already.
var ErrInUse = errors.New("another board listens there")

// ErrPathTooLong says that the run directory's path leaves no room for a socket. The cure is a
// shorter XDG_RUNTIME_DIR or XDG_STATE_HOME.
var ErrPathTooLong = errors.New("path is too long for a socket")

// maxSocketPath is the longest path a socket address holds, its final NUL not counted: 108 bytes
// on Linux, 104 elsewhere. The smaller one keeps a shared home usable from both.
const maxSocketPath = 103

// probeLimit bounds the question whether a socket is alive. Connecting to one needs no answer from
// the other process.
const probeLimit = 200 * time.Millisecond

// Listen makes the socket of the board with this pid in dir, which is created if need be. Both are
// for this user alone whatever the umask. Sockets of dead boards in dir are removed. Closing the
// listener removes the socket, if it is still the one made here.
//
// One race remains: between finding a dead socket and removing it, a new board with the recycled
// pid could have made its own. It would lose its socket; its hooks would be in the event log.
func Listen(dir string, pid int) (net.Listener, error) {
	path := paths.Socket(dir, pid)
	if len(path) > maxSocketPath {
		return nil, fmt.Errorf("listening at %s: %w: %d bytes, %d are possible", path, ErrPathTooLong, len(path), maxSocketPath)
	}
	if err := makePrivate(dir); err != nil {
		return nil, fmt.Errorf("listening for hooks: %w", err)
	}
	if err := sweep(dir, pid); err != nil {
		return nil, fmt.Errorf("listening at %s: %w", path, err)
	}
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("listening for hooks: %w", err)
	}
	ln.SetUnlinkOnClose(false) // not blindly: see ownListener
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("restricting hook socket: %w", err), ln.Close())
	}
	made, err := os.Lstat(path)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("looking at hook socket: %w", err), ln.Close())
	}
	return newOwnListener(ln, path, made), nil
}

// sweep removes the sockets of dead boards, and one that an earlier process with our pid has left.
// A socket that refuses although its process lives stays: a board between making its socket and
// listening at it refuses, too.
func sweep(dir string, pid int) error {
	for _, b := range paths.Boards([]string{dir}) {
		switch {
		case alive(b.Path):
			if b.PID == pid {
				return ErrInUse
			}
		case b.PID == pid || errors.Is(syscall.Kill(b.PID, 0), syscall.ESRCH):
			_ = os.Remove(b.Path) // at worst it stays, and every client skips it
		}
	}
	return nil
}

// makePrivate makes dir with mode 0700 and refuses one that belongs to somebody else.
func makePrivate(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := paths.CheckOwned(dir); err != nil {
		return err
	}
	return os.Chmod(dir, 0o700)
}

// alive reports whether somebody listens at the socket. When in doubt somebody does: a socket that
// is wrongly kept costs a client a refused connection, one that is wrongly removed costs a board
// its hooks.
func alive(path string) bool {
	conn, err := net.DialTimeout("unix", path, probeLimit)
	if err != nil {
		return !errors.Is(err, syscall.ECONNREFUSED) && !errors.Is(err, fs.ErrNotExist)
	}
	conn.Close()
	return true
}

// An ownListener removes its socket when it is closed, if the file is still the one it made.
type ownListener struct {
	*net.UnixListener
	close func() error
}

func newOwnListener(ln *net.UnixListener, path string, made fs.FileInfo) *ownListener {
	return &ownListener{UnixListener: ln, close: sync.OnceValue(func() error {
		err := ln.Close()
		if now, statErr := os.Lstat(path); statErr == nil && os.SameFile(now, made) {
			err = errors.Join(err, os.Remove(path))
		}
		return err
	})}
}

// Close may be called more than once; every call returns when the socket is gone.
func (l *ownListener) Close() error { return l.close() }
