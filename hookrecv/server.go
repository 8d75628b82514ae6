package hookrecv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"signalbox/hookrecv/wire"
	"signalbox/tracker"
)

const (
	// readLimit is how long a connection may take to say what it wants. Clients write at once.
	readLimit = time.Second
	// writeLimit is how long an answer may wait for its reader.
	writeLimit = 2 * time.Second
	// askLimit bounds the work on one question; whoever asks gives up earlier.
	askLimit = 30 * time.Second
	// maxConns bounds the connections that are read at once, and with them memory: 128 × 64 KiB.
	// More wait in the kernel's queue.
	maxConns = 128
	// maxAsks bounds the questions that are answered at once. They do not count as connections, so
	// that slow answers never keep hooks waiting.
	maxAsks = 16
	// retryFirst and retryMost bound the pause after a failure to accept, which is a lack of
	// descriptors or memory as a rule.
	retryFirst = 5 * time.Millisecond
	retryMost  = time.Second
)

// A Handler is what Serve does with what arrives. Its functions are called from many goroutines at
// once.
type Handler struct {
	// Emit takes one hook call. It may block; senders then wait. It must return soon after the
	// context of Serve has ended.
	Emit func(tracker.HookReceived)
	// Chain returns a process and its ancestors, nearest first, or nothing when there is no such
	// process.
	Chain func(pid int) []tracker.Process
	// Ask answers a question of a one-shot command; the answer is encoded as JSON. An error is
	// handed to whoever asks. May be nil: then there are no answers.
	Ask func(ctx context.Context, what string, args json.RawMessage) (any, error)
}

// Serve takes connections from ln until ctx ends, then closes ln and returns nil once every
// connection is done. It returns earlier, with an error, when ln fails for good or when handling a
// connection panics. A client that is slow, silent, too talkative or talks nonsense harms nobody
// else: it is dropped.
func Serve(ctx context.Context, ln net.Listener, h Handler) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(ctx, func() { ln.Close() })
	defer stop()
	s := &server{Handler: h, conns: make(chan struct{}, maxConns), asks: make(chan struct{}, maxAsks), fail: cancel}
	err := s.accept(ctx, ln)
	if err != nil {
		cancel(err)
	}
	s.wg.Wait()
	ln.Close() // once more does no harm, and the file is gone when we return
	var crash *crashError
	if errors.As(context.Cause(ctx), &crash) {
		return crash
	}
	return err
}

type server struct {
	Handler
	conns, asks chan struct{} // one element per connection read and question answered
	fail        context.CancelCauseFunc
	wg          sync.WaitGroup
}

// A crashError is a panic in a connection's goroutine, with its stack.
type crashError struct {
	value any
	stack []byte
}

func (e *crashError) Error() string {
	return fmt.Sprintf("handling a hook crashed: %v\n%s", e.value, e.stack)
}

func (s *server) accept(ctx context.Context, ln net.Listener) error {
	pause := retryFirst
	for {
		select {
		case s.conns <- struct{}{}:
		case <-ctx.Done():
			return nil
		}
		conn, err := ln.Accept()
		switch {
		case err == nil:
			pause = retryFirst
			s.wg.Go(func() { s.serve(ctx, conn) })
			continue
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, net.ErrClosed):
			return fmt.Errorf("accepting hooks: %w", err)
		}
		<-s.conns
		select {
		case <-time.After(pause):
			pause = min(2*pause, retryMost)
		case <-ctx.Done():
			return nil
		}
	}
}

// serve handles one connection and gives its place in conns back.
func (s *server) serve(ctx context.Context, conn net.Conn) {
	release := sync.OnceFunc(func() { <-s.conns })
	defer release()
	defer conn.Close()
	defer func() {
		if v := recover(); v != nil {
			s.fail(&crashError{value: v, stack: debug.Stack()})
		}
	}()
	// Whatever waits for the other side gives up when the board ends.
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	if !samePeer(conn) {
		return
	}
	_ = conn.SetReadDeadline(time.Now().Add(readLimit))
	msg, err := readObject(conn)
	seen := time.Now()
	if err != nil {
		return
	}
	var q question
	if json.Unmarshal(msg, &q) == nil && q.Ask != "" {
		release()
		s.answer(ctx, conn, q)
		return
	}
	if m, err := wire.Decode(msg); err == nil {
		s.Emit(received(m, seen, s.Chain))
	}
}

// readObject reads one JSON object and does not wait for the connection's end.
func readObject(conn io.Reader) (json.RawMessage, error) {
	var msg json.RawMessage
	err := json.NewDecoder(io.LimitReader(conn, wire.MaxSize)).Decode(&msg)
	return msg, err
}

// received is the event for a message. The caller's chain begins with the process that calls
// itself Claude Code, else with the nearest parent that still lives: the shell in between ends with
// the hook.
func received(m wire.Message, seen time.Time, chain func(int) []tracker.Process) tracker.HookReceived {
	ev := tracker.HookReceived{At: m.At, Seen: seen, Hook: m.Hook}
	callers := m.Ancestors
	switch {
	case m.Hook.ClaudePID > 0:
		callers = []int{m.Hook.ClaudePID}
	case len(callers) == 0 && m.Hook.ParentPID > 0:
		callers = []int{m.Hook.ParentPID}
	}
	for _, pid := range callers {
		if ev.Chain = chain(pid); len(ev.Chain) > 0 {
			break
		}
	}
	return ev
}
