package procs

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"signalbox/tracker"
)

// waiter sleeps in epoll on one pidfd per agent. A pidfd becomes readable when its process has
// ended, reaped or not. All but wake belong to one goroutine.
type waiter struct {
	epoll int
	fds   map[tracker.AgentID]int
	ids   map[int32]tracker.AgentID

	mu     sync.Mutex // guards event against being written to after close
	event  int        // an eventfd; -1 when closed
	events [16]unix.EpollEvent
}

func newWaiter() (*waiter, error) {
	ep, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	ev, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		unix.Close(ep)
		return nil, os.NewSyscallError("eventfd", err)
	}
	w := &waiter{epoll: ep, event: ev, fds: map[tracker.AgentID]int{}, ids: map[int32]tracker.AgentID{}}
	if err := w.listen(ev); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

func (w *waiter) listen(fd int) error {
	ev := unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)}
	return os.NewSyscallError("epoll_ctl", unix.EpollCtl(w.epoll, unix.EPOLL_CTL_ADD, fd, &ev))
}

// hold pins the process and begins to wait for its end. ErrGone: it has ended already. Any other
// error: the system cannot tell.
func (w *waiter) hold(id tracker.AgentID) error {
	fd, err := unix.PidfdOpen(id.PID, 0)
	if err == unix.ESRCH {
		return ErrGone
	}
	if err != nil {
		return os.NewSyscallError("pidfd_open", err)
	}
	// Only now that the pid cannot pass to another process unnoticed is its start time worth reading.
	if ended(id) {
		unix.Close(fd)
		return ErrGone
	}
	if err := w.listen(fd); err != nil {
		unix.Close(fd)
		return fmt.Errorf("process %d: %w", id.PID, err)
	}
	w.fds[id], w.ids[int32(fd)] = fd, id
	return nil
}

func (w *waiter) release(id tracker.AgentID) {
	if fd, ok := w.fds[id]; ok {
		unix.Close(fd) // closing takes it out of the epoll set
		delete(w.fds, id)
		delete(w.ids, int32(fd))
	}
}

// wait returns the agents that ended. It returns none when woken or after the timeout; a negative
// timeout never ends.
func (w *waiter) wait(timeout time.Duration) []tracker.AgentID {
	ms := -1
	if timeout >= 0 {
		ms = int((timeout + time.Millisecond - 1) / time.Millisecond)
	}
	n, err := unix.EpollWait(w.epoll, w.events[:], ms)
	if err != nil {
		return nil // EINTR; nothing else can happen to a valid descriptor
	}
	var out []tracker.AgentID
	for _, ev := range w.events[:n] {
		if id, ok := w.ids[ev.Fd]; ok {
			out = append(out, id)
			continue
		}
		var buf [8]byte
		unix.Read(int(ev.Fd), buf[:]) // resets the eventfd; there is nothing in it to read
	}
	return out
}

// wake makes wait return. It may be called from any goroutine, also after close.
func (w *waiter) wake() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.event >= 0 {
		var one [8]byte
		binary.NativeEndian.PutUint64(one[:], 1)
		unix.Write(w.event, one[:]) // can only fail when it is full, and then wait returns anyway
	}
}

func (w *waiter) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, fd := range w.fds {
		unix.Close(fd)
	}
	unix.Close(w.event)
	unix.Close(w.epoll)
	w.event = -1
}
