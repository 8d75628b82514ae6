package cli

import (
	"context"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// readerPoll is how often a command that may have nothing to say for hours asks whether anybody still
// reads what it says. The system tells at once; this only bounds how long it is asked for.
const readerPoll = time.Second

// whileRead is a context that ends when nobody reads from w any more: `watch | head -1` has its line and
// is gone, and a write that would find out may be hours away. end is to be called in any case; it does
// not block.
func whileRead(ctx context.Context, w io.Writer) (reading context.Context, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	f, ok := w.(*os.File)
	if !ok {
		return ctx, cancel
	}
	go func() { // ends within readerPoll of the context
		for ctx.Err() == nil {
			if gone(f) {
				cancel()
			}
		}
	}()
	return ctx, cancel
}

// gone waits until the reader of a file is gone, at most readerPoll.
func gone(f *os.File) bool {
	fds := []unix.PollFd{{Fd: int32(f.Fd())}} // asked for nothing, it tells of errors and hang-ups
	n, err := unix.Poll(fds, int(readerPoll.Milliseconds()))
	if err != nil && err != unix.EINTR {
		time.Sleep(readerPoll) // a file that cannot be asked: its next write tells
	}
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP) != 0
}
