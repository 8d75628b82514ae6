package hookrecv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/hookrecv/paths"
	"signalbox/hookrecv/wire"
	"signalbox/tracker"
)

// pipeListener hands out the far ends of net.Pipe, which obey virtual time.
type pipeListener struct {
	conns  chan net.Conn
	closed chan struct{}
	close  func()
}

func newPipeListener() *pipeListener {
	l := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	l.close = sync.OnceFunc(func() { close(l.closed) })
	return l
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.close(); return nil }
func (l *pipeListener) Addr() net.Addr { return nil }

// dial connects to the listener; it blocks until the connection is accepted.
func (l *pipeListener) dial() net.Conn {
	near, far := net.Pipe()
	l.conns <- far
	return near
}

func noChain(int) []tracker.Process { return nil }

// served runs Serve on a listener until the test has called stop, which returns its result.
func served(ctx context.Context, ln net.Listener, h Handler) (stop func() error) {
	if h.Chain == nil {
		h.Chain = noChain
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- Serve(ctx, ln, h) }()
	return func() error { cancel(); return <-done }
}

func hookLine(t testing.TB, session string) string {
	t.Helper()
	line, err := wire.Message{At: time.Unix(5, 0), Hook: tracker.Hook{Name: "Stop", SessionID: session, ClaudePID: 42}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func TestServeHandsOverHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := newPipeListener()
		got := make(chan tracker.HookReceived, 1)
		stop := served(t.Context(), ln, Handler{
			Emit: func(ev tracker.HookReceived) { got <- ev },
			Chain: func(pid int) []tracker.Process {
				return []tracker.Process{{PID: pid}, {PID: 1}}
			},
		})
		conn := ln.dial()
		time.Sleep(10 * time.Millisecond) // virtual: the message was on its way
		io.WriteString(conn, hookLine(t, "s1"))
		ev := <-got
		if ev.Hook.SessionID != "s1" || !ev.At.Equal(time.Unix(5, 0)) || !ev.Seen.Equal(time.Now()) || ev.Replayed {
			t.Errorf("got %+v", ev)
		}
		if len(ev.Chain) != 2 || ev.Chain[0].PID != 42 {
			t.Errorf("chain %+v", ev.Chain)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// The shell between the hook and Claude Code has ended with the hook.
func TestChainBeginsWithTheNearestLivingCaller(t *testing.T) {
	living := map[int][]tracker.Process{30: {{PID: 30}, {PID: 10}}, 10: {{PID: 10}}}
	chain := func(pid int) []tracker.Process { return living[pid] }
	for name, tt := range map[string]struct {
		m    wire.Message
		want int
	}{
		"claude names itself":   {wire.Message{Hook: tracker.Hook{ClaudePID: 10, ParentPID: 20}, Ancestors: []int{30}}, 10},
		"the shell is gone":     {wire.Message{Hook: tracker.Hook{ParentPID: 20}, Ancestors: []int{20, 30, 10}}, 30},
		"only a parent is told": {wire.Message{Hook: tracker.Hook{ParentPID: 30}}, 30},
		"claude is gone":        {wire.Message{Hook: tracker.Hook{ClaudePID: 40, ParentPID: 30}}, 0},
		"nothing is told":       {wire.Message{}, 0},
	} {
		got := 0
		if c := received(tt.m, time.Time{}, chain).Chain; len(c) > 0 {
			got = c[0].PID
		}
		if got != tt.want {
			t.Errorf("%s: chain begins with %d, want %d", name, got, tt.want)
		}
	}
}

func TestBadClientsHarmNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := newPipeListener()
		got := make(chan string, 1)
		stop := served(t.Context(), ln, Handler{Emit: func(ev tracker.HookReceived) { got <- ev.Hook.SessionID }})
		dropped := func(name string, conn net.Conn) {
			t.Helper()
			begun := time.Now()
			conn.SetDeadline(begun.Add(time.Hour))
			if _, err := conn.Read(make([]byte, 1)); err != io.EOF {
				t.Errorf("%s: %v, want the connection closed", name, err)
			}
			if took := time.Since(begun); took > readLimit {
				t.Errorf("%s: dropped after %v", name, took)
			}
			io.WriteString(ln.dial(), hookLine(t, name))
			if s := <-got; s != name {
				t.Errorf("after %s the next hook was %q", name, s)
			}
		}
		dropped("silence", ln.dial())
		for name, text := range map[string]string{
			"garbage": "GET / HTTP/1.1\r\n", "an array": "[]\n", "a number": "7\n", "null": "null\n", "an empty object": "{}\n",
			"another version": `{"v":9,"event":{"hook_event_name":"Stop"}}`, "an odd event": `{"v":1,"event":7}`,
			"half a message": hookLine(t, "x")[:30], "an odd question": `{"v":1,"ask":7}`,
			"too much": `{"v":1,"event":{"hook_event_name":"Stop","prompt":"` + strings.Repeat("x", wire.MaxSize) + `"}}`,
		} {
			conn := ln.dial()
			go io.WriteString(conn, text)
			dropped(name, conn)
		}
		trickle, ended := ln.dial(), make(chan struct{})
		go func() {
			defer close(ended)
			for _, c := range hookLine(t, "x") {
				if _, err := io.WriteString(trickle, string(c)); err != nil {
					return
				}
				time.Sleep(readLimit / 10)
			}
		}()
		dropped("trickle", trickle)
		<-ended
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

// Connections beyond the limit wait; none is refused and none is lost.
func TestSlowReceiver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := newPipeListener()
		var seen atomic.Int32
		gate := make(chan struct{})
		stop := served(t.Context(), ln, Handler{Emit: func(tracker.HookReceived) { <-gate; seen.Add(1) }})
		const calls = 3 * maxConns
		for range calls {
			go func() { io.WriteString(ln.dial(), hookLine(t, "s")) }()
		}
		time.Sleep(time.Hour) // virtual
		if n := seen.Load(); n != 0 {
			t.Fatalf("%d went through a closed gate", n)
		}
		close(gate)
		synctest.Wait()
		if n := seen.Load(); n != calls {
			t.Errorf("%d of %d arrived", n, calls)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestServeWaitsForItsHandlers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		ln := newPipeListener()
		finished := false
		stop := served(ctx, ln, Handler{Emit: func(tracker.HookReceived) {
			<-ctx.Done()
			time.Sleep(time.Second) // virtual: what a handler still has to do
			finished = true
		}})
		io.WriteString(ln.dial(), hookLine(t, "s"))
		silent := ln.dial()
		synctest.Wait()
		begun := time.Now()
		cancel()
		if err := stop(); err != nil || !finished {
			t.Errorf("Serve returned %v, handler finished: %v", err, finished)
		}
		if took := time.Since(begun); took > time.Second {
			t.Errorf("the end took %v", took)
		}
		if _, err := silent.Read(make([]byte, 1)); err != io.EOF {
			t.Errorf("a waiting connection was left open: %v", err)
		}
	})
}

func TestPanicEndsServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := newPipeListener()
		done := make(chan error, 1)
		go func() {
			done <- Serve(t.Context(), ln, Handler{Chain: noChain, Emit: func(tracker.HookReceived) { panic("boom") }})
		}()
		io.WriteString(ln.dial(), hookLine(t, "s"))
		err := <-done
		if err == nil || !strings.Contains(err.Error(), "boom") || !strings.Contains(err.Error(), "server_test.go") {
			t.Errorf("got %v, want the panic with its stack", err)
		}
	})
}

// failing is a listener that fails as one without descriptors does.
type failing struct {
	net.Listener
	fails atomic.Int32
}

func (l *failing) Accept() (net.Conn, error) {
	if l.fails.Add(-1) >= 0 {
		return nil, errors.New("too many open files")
	}
	return l.Listener.Accept()
}

func TestServeOutlivesFailuresToAccept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pipe := newPipeListener()
		ln := &failing{Listener: pipe}
		ln.fails.Store(maxConns + 50)
		got := make(chan string)
		stop := served(t.Context(), ln, Handler{Emit: func(ev tracker.HookReceived) { got <- ev.Hook.SessionID }})
		io.WriteString(pipe.dial(), hookLine(t, "s1"))
		if s := <-got; s != "s1" {
			t.Errorf("got %q", s)
		}
		pipe.Close()
		synctest.Wait()
		if err := stop(); !errors.Is(err, net.ErrClosed) {
			t.Errorf("a listener closed by somebody else: %v", err)
		}
	})
}

func TestBurstLosesNothing(t *testing.T) {
	dir := shortDir(t)
	var mu sync.Mutex
	seen := map[string]int{}
	const calls = 2000
	all := make(chan struct{})
	stop := served(t.Context(), listen(t, dir, 7), Handler{Emit: func(ev tracker.HookReceived) {
		mu.Lock()
		defer mu.Unlock()
		seen[ev.Hook.SessionID]++
		if len(seen) == calls {
			close(all)
		}
	}})
	var wg sync.WaitGroup
	for i := range calls {
		line := hookLine(t, fmt.Sprintf("s%d", i))
		wg.Go(func() {
			conn, err := net.Dial("unix", paths.Socket(dir, 7))
			if err != nil {
				t.Error(err)
				return
			}
			io.WriteString(conn, line)
			conn.Close()
		})
	}
	wg.Wait()
	select {
	case <-all:
	case <-time.After(20 * time.Second):
		t.Errorf("%d of %d arrived", len(seen), calls)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	for s, n := range seen {
		if n != 1 {
			t.Errorf("%s arrived %d times", s, n)
		}
	}
	if exists(paths.Socket(dir, 7)) {
		t.Error("the socket is still there")
	}
}

// asker is a Handler's Ask for tests.
func asker(_ context.Context, what string, args json.RawMessage) (any, error) {
	switch what {
	case "echo":
		return args, nil
	case "fail":
		return nil, errors.New("no such thing")
	case "unspeakable":
		return make(chan int), nil
	}
	return nil, fmt.Errorf("unknown question %q", what)
}

// asForeigner makes the test binary connect to a socket and send a hook.
const asForeigner = "SIGNALBOX_TEST_DIAL"

func TestMain(m *testing.M) {
	if path := os.Getenv(asForeigner); path != "" {
		conn, err := net.Dial("unix", path)
		if err != nil {
			os.Exit(3)
		}
		io.WriteString(conn, os.Getenv("SIGNALBOX_TEST_LINE"))
		io.ReadAll(conn)
		os.Exit(0)
	}
	os.Exit(m.Run())
}
