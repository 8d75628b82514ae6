// Package client is the program that Claude Code runs as a hook: `signalbox hook`.
//
// It runs inside somebody else's agent, many times a minute, and the agent waits for it. So it
// prints nothing, always succeeds, and is done in milliseconds whether or not a board listens:
// every step has a deadline, memory does not grow with the payload, and nothing here is linked
// that does work at program start. Main runs before anything else of the program.
//
// Each call goes to every board that answers and, in any case, to the event log, from which a
// board that starts later reads what it missed.
package client

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"time"

	"signalbox/hookrecv/paths"
	"signalbox/hookrecv/wire"
)

const (
	// silenceLimit is how long standard input may say nothing. Claude Code writes at once; longer
	// than this is a pipe that somebody forgot.
	silenceLimit = time.Second
	// totalLimit bounds everything together: a 30 MB payload takes a tenth of it on a slow machine,
	// and Claude Code gives a hook that runs at its own exit 1.5 s.
	totalLimit = 1500 * time.Millisecond
	// boardLimit bounds the delivery to one board. A living one needs less than a millisecond; one
	// that is stopped in a debugger still takes what fits its queue.
	boardLimit = 80 * time.Millisecond
	// maxBoards bounds the deliveries of one call.
	maxBoards = 16
)

// A Call is one run of the hook command.
type Call struct {
	Begun time.Time
	Stdin io.Reader
	Env   func(string) string // the environment; unset is empty
	PPID  int                 // pid of the parent process
}

// Main handles the call of this process. It returns within about totalLimit, prints nothing and
// has no result: the caller exits with 0.
func Main() {
	begun := time.Now()
	time.AfterFunc(totalLimit, func() { os.Exit(0) })
	_ = Run(Call{
		Begun: begun,
		Stdin: &patientReader{file: os.Stdin, silence: silenceLimit},
		Env:   os.Getenv,
		PPID:  os.Getppid(),
	})
}

// Run reads the payload, hands it to every board and appends it to the event log. The error says
// what went wrong for tests and the doctor command; a board that does not answer is not an error.
// It blocks no longer than Stdin does, and then a little over boardLimit.
func Run(c Call) (err error) {
	defer func() {
		if r := recover(); r != nil { // a crash would print, and fail the agent's hook
			err = fmt.Errorf("hook client crashed: %v", r)
		}
	}()
	line, err := message(c)
	if err != nil {
		return err
	}
	boards := paths.Boards(paths.RunDirs(c.Env))
	boards = boards[:min(len(boards), maxBoards)]
	deadline := time.Now().Add(boardLimit)
	busy := deliver(boards, line)
	if log := paths.EventLog(c.Env); log != "" {
		err = appendLog(log, line)
	}
	insist(busy, line, deadline)
	return err
}

// errNameless says that the payload is an object but no hook call.
var errNameless = errors.New("payload names no event")

// message is the encoded message for the call.
func message(c Call) ([]byte, error) {
	h, err := wire.Read(c.Stdin)
	if err != nil {
		return nil, err
	}
	if h.Name == "" {
		return nil, errNameless
	}
	h.Pane = wire.PaneID(c.Env("TMUX_PANE"))
	h.Tmux = c.Env("TMUX")
	h.ParentPID = c.PPID
	m := wire.Message{At: c.Begun}
	if pid, err := strconv.Atoi(c.Env("CLAUDE_PID")); err == nil && pid > 0 {
		h.ClaudePID = pid
	} else {
		m.Ancestors = ancestors(c.PPID)
	}
	m.Hook = h
	return m.Encode()
}

// deliver sends the line to each board in turn, none of which can make it wait, and returns those whose
// queue is full. All in one thread: to start another takes longer than to deliver.
func deliver(boards []paths.Board, line []byte) (busy []paths.Board) {
	for _, b := range boards {
		if errors.Is(send(b.Path, line, time.Time{}), errBusy) {
			busy = append(busy, b)
		}
	}
	return busy
}

// insist sends the line to boards whose queue was full, and returns when all have it or are given up.
func insist(boards []paths.Board, line []byte, deadline time.Time) {
	var wg sync.WaitGroup
	for _, b := range boards {
		wg.Go(func() { _ = send(b.Path, line, deadline) })
	}
	wg.Wait()
}
