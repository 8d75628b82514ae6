package client

import (
	"errors"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// errSilent says that standard input stayed open and empty.
var errSilent = errors.New("no input")

// A patientReader reads a file that may be a pipe nobody writes to, without a second thread.
type patientReader struct {
	file    *os.File
	silence time.Duration // the longest wait for one byte
}

func (r *patientReader) Read(p []byte) (int, error) {
	deadline := time.Now().Add(r.silence)
	fds := []unix.PollFd{{Fd: int32(r.file.Fd()), Events: unix.POLLIN}}
	for {
		left := time.Until(deadline)
		if left <= 0 {
			return 0, errSilent
		}
		n, err := unix.Poll(fds, int(left.Milliseconds())+1)
		switch {
		case errors.Is(err, unix.EINTR): // the runtime interrupts system calls with its own signals
		case err != nil:
			return 0, fmt.Errorf("waiting for standard input: %w", err)
		case n > 0:
			return r.file.Read(p)
		}
	}
}
