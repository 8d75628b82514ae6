package client

import (
	"errors"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// queuePause is how long a full accept queue is left alone: a board takes a hundred connections in
// that time.
const queuePause = 2 * time.Millisecond

// errBusy says that a board takes no more bytes.
var errBusy = errors.New("the board is busy")

// send hands one line to one board. Once it returns nil the line is in the kernel's hands: the
// board reads it even when this process is gone. A dead socket fails at once.
//
// Neither connecting to a local socket nor the write that follows ever waits, as long as the queue
// has room. The deadline bounds only the waiting: on a busy machine a process may not run at all for
// as long as that, and must deliver all the same when it does.
func send(path string, line []byte, deadline time.Time) error {
	for {
		fd, err := dial(path)
		if err == nil {
			err = write(fd, line, deadline)
			return errors.Join(err, unix.Close(fd))
		}
		if !errors.Is(err, unix.EAGAIN) {
			return fmt.Errorf("connecting to %s: %w", path, err)
		}
		if !time.Now().Add(queuePause).Before(deadline) {
			return fmt.Errorf("connecting to %s: %w", path, errBusy)
		}
		time.Sleep(queuePause)
	}
}

// dial connects with plain system calls: what package net sets up for connections that wait would be
// a tenth of the time of a hook.
func dial(path string) (fd int, err error) {
	fd, err = unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return -1, err
	}
	unix.CloseOnExec(fd)
	if err = unix.SetNonblock(fd, true); err == nil {
		err = unix.Connect(fd, &unix.SockaddrUnix{Name: path})
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// write hands over everything. A line is shorter than what a socket takes at once.
func write(fd int, line []byte, deadline time.Time) error {
	for len(line) > 0 {
		n, err := unix.Write(fd, line)
		switch {
		case err == nil:
			line = line[n:]
		case errors.Is(err, unix.EAGAIN):
			left := time.Until(deadline)
			if left <= 0 {
				return errBusy
			}
			_, err = unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, int(left.Milliseconds())+1)
			if err != nil && !errors.Is(err, unix.EINTR) {
				return fmt.Errorf("waiting for the board: %w", err)
			}
		case !errors.Is(err, unix.EINTR):
			return fmt.Errorf("writing to the board: %w", err)
		}
	}
	return nil
}
