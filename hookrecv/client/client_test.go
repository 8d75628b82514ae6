package client

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"signalbox/hookrecv/paths"
	"signalbox/hookrecv/wire"
	"signalbox/tracker"
)

// place is one user's folders with nothing in them.
type place struct {
	dir string
	env map[string]string
}

func newPlace(t *testing.T) place {
	t.Helper()
	// t.TempDir has the test's name in it, and a socket's path may have 107 characters only
	dir, err := os.MkdirTemp("", "sbx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	if err := os.Mkdir(filepath.Join(dir, "rt"), 0o700); err != nil { // the login session makes it, never we
		t.Fatal(err)
	}
	return place{dir: dir, env: map[string]string{
		"HOME":            filepath.Join(dir, "home"),
		"XDG_RUNTIME_DIR": filepath.Join(dir, "rt"),
		"TMUX":            "/tmp/tmux-1000/default,77,0",
		"TMUX_PANE":       "%5",
		"CLAUDE_PID":      "4250",
	}}
}

func (p place) getenv(name string) string { return p.env[name] }

func (p place) runDirs() []string { return paths.RunDirs(p.getenv) }

func (p place) call(payload string) Call {
	return Call{Begun: time.Unix(1796075533, 5), Stdin: strings.NewReader(payload), Env: p.getenv, PPID: 4300}
}

// logged are the messages in the event log.
func (p place) logged(t *testing.T) []wire.Message {
	t.Helper()
	data, err := os.ReadFile(paths.EventLog(p.getenv))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var messages []wire.Message
	for line := range bytes.Lines(data) {
		m, err := wire.Decode(line)
		if err != nil {
			t.Fatalf("log line %q: %v", line, err)
		}
		messages = append(messages, m)
	}
	return messages
}

// board listens like a board and collects what it is sent.
func board(t *testing.T, dir string, pid int) <-chan wire.Message {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("unix", paths.Socket(dir, pid))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	got := make(chan wire.Message, 100)
	go func() {
		defer close(got)
		for {
			conn, err := ln.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(conn).ReadBytes('\n')
			conn.Close()
			if m, err := wire.Decode(line); err == nil {
				got <- m
			}
		}
	}()
	return got
}

const stopPayload = `{"session_id":"s1","hook_event_name":"Stop","last_assistant_message":"done"}`

func TestBoardAndLogGetTheCall(t *testing.T) {
	p := newPlace(t)
	got := board(t, p.runDirs()[0], 1)
	if err := Run(p.call(stopPayload)); err != nil {
		t.Fatal(err)
	}
	want := tracker.Hook{
		Name: "Stop", SessionID: "s1", LastMessage: "done",
		Pane: "%5", Tmux: "/tmp/tmux-1000/default,77,0", ClaudePID: 4250, ParentPID: 4300,
	}
	for where, m := range map[string]wire.Message{"board": <-got, "log": p.logged(t)[0]} {
		if fmt.Sprintf("%+v", m.Hook) != fmt.Sprintf("%+v", want) || !m.At.Equal(time.Unix(1796075533, 5)) || m.Ancestors != nil {
			t.Errorf("%s: got %+v", where, m)
		}
	}
	info, err := os.Stat(paths.EventLog(p.getenv))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("log has mode %v (%v)", info.Mode(), err)
	}
}

func TestEveryLivingBoardGetsItOnce(t *testing.T) {
	p := newPlace(t)
	runtime, state := p.runDirs()[0], p.runDirs()[1]
	first, both, other := board(t, runtime, 1), board(t, runtime, 2), board(t, state, 3)
	twice := board(t, state, 2)
	// what else may lie there
	dead, err := net.ListenUnix("unix", &net.UnixAddr{Name: paths.Socket(runtime, 4)})
	if err != nil {
		t.Fatal(err)
	}
	dead.SetUnlinkOnClose(false)
	dead.Close()
	for _, name := range []string{"board-5.sock", "board-x.sock", "board-007.sock", "notes"} {
		if err := os.WriteFile(filepath.Join(runtime, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := Run(p.call(stopPayload)); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]<-chan wire.Message{"first": first, "both": both, "other": other} {
		if m := <-c; m.Hook.SessionID != "s1" || len(c) != 0 {
			t.Errorf("board %s got %+v and %d more", name, m, len(c))
		}
	}
	if len(twice) != 0 {
		t.Error("a board that listens in two places was told twice")
	}
	if _, err := os.Lstat(paths.Socket(runtime, 4)); err != nil {
		t.Errorf("the client removed a socket: %v", err)
	}
}

func TestNoBoardIsNotAnError(t *testing.T) {
	p := newPlace(t)
	for range 3 {
		if err := Run(p.call(stopPayload)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.logged(t)); n != 3 {
		t.Errorf("%d lines in the log, want 3", n)
	}
}

// A board that is stopped takes what its queue holds; a full queue costs no more than boardLimit.
func TestStoppedBoard(t *testing.T) {
	p := newPlace(t)
	dir := p.runDirs()[0]
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	listenUnattended(t, paths.Socket(dir, 1))
	const calls = 8
	least := time.Hour // of those that find the queue full: on a busy machine one may take any time
	for n := range calls {
		begun := time.Now()
		if err := Run(p.call(stopPayload)); err != nil {
			t.Fatal(err)
		}
		if n >= calls/2 {
			least = min(least, time.Since(begun))
		}
	}
	if least > 10*boardLimit {
		t.Errorf("a full queue took %v", least)
	}
	if n := len(p.logged(t)); n != calls {
		t.Errorf("%d lines in the log, want %d", n, calls)
	}
}

// Prompts are not sent to sockets that somebody else may have put there.
func TestUntrustedDirectory(t *testing.T) {
	p := newPlace(t)
	got := board(t, p.runDirs()[0], 1)
	if err := os.Chmod(p.runDirs()[0], 0o777); err != nil {
		t.Fatal(err)
	}
	if err := Run(p.call(stopPayload)); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(p.runDirs()[0], 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Run(p.call(`{"session_id":"s2","hook_event_name":"Stop"}`)); err != nil {
		t.Fatal(err)
	}
	if m := <-got; m.Hook.SessionID != "s2" {
		t.Errorf("the board got %+v first", m)
	}
	if n := len(p.logged(t)); n != 2 {
		t.Errorf("%d lines in the log, want 2", n)
	}
}

func TestLogThatCannotBeWritten(t *testing.T) {
	for name, spoil := range map[string]func(t *testing.T, p place){
		"the state folder cannot be made": func(t *testing.T, p place) {
			if err := os.WriteFile(p.env["HOME"], nil, 0o600); err != nil {
				t.Fatal(err)
			}
		},
		"the log is a folder": func(t *testing.T, p place) {
			if err := os.MkdirAll(paths.EventLog(p.getenv), 0o700); err != nil {
				t.Fatal(err)
			}
		},
		"the disk is full": func(t *testing.T, p place) {
			log := paths.EventLog(p.getenv)
			if err := errors.Join(os.MkdirAll(filepath.Dir(log), 0o700), os.Symlink("/dev/full", log)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t)
			got := board(t, p.runDirs()[0], 1)
			spoil(t, p)
			if err := Run(p.call(stopPayload)); err == nil {
				t.Error("no error")
			}
			if m := <-got; m.Hook.SessionID != "s1" {
				t.Errorf("the board got %+v", m)
			}
		})
	}
	p := newPlace(t)
	p.env = map[string]string{"HOME": "relative"}
	if err := Run(p.call(stopPayload)); err != nil {
		t.Errorf("no folders at all: %v", err)
	}
}

func TestBadInputReachesNobody(t *testing.T) {
	p := newPlace(t)
	got := board(t, p.runDirs()[0], 1)
	for _, in := range []string{"", "[]", "{}", `{"session_id":"s1"}`, `{"hook_event_name":"Stop"`, "garbage"} {
		if err := Run(p.call(in)); err == nil {
			t.Errorf("%q: no error", in)
		}
	}
	crash := p.call("")
	crash.Stdin = readerFunc(func([]byte) (int, error) { panic("boom") })
	if err := Run(crash); err == nil {
		t.Error("a crash is no error")
	}
	failing := p.call("")
	failing.Stdin = iotest.ErrReader(io.ErrClosedPipe)
	if err := Run(failing); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("got %v", err)
	}
	if len(got) != 0 || len(p.logged(t)) != 0 {
		t.Errorf("sent %d times, logged %d times", len(got), len(p.logged(t)))
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// Before 2.1.214 Claude Code does not say who it is; the shell between us is gone when we are.
func TestAncestorsWithoutClaudePID(t *testing.T) {
	p := newPlace(t)
	delete(p.env, "CLAUDE_PID")
	c := p.call(stopPayload)
	c.PPID = os.Getpid()
	if err := Run(c); err != nil {
		t.Fatal(err)
	}
	m := p.logged(t)[0]
	if len(m.Ancestors) < 2 || m.Ancestors[0] != os.Getpid() || m.Ancestors[1] != os.Getppid() {
		t.Errorf("ancestors %v, want %d, %d, …", m.Ancestors, os.Getpid(), os.Getppid())
	}
	if m.Hook.ClaudePID != 0 {
		t.Errorf("claude's pid is %d", m.Hook.ClaudePID)
	}
}
