package procs

import (
	"bufio"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/tracker"
)

// waitLimit bounds every wait of these tests. It is only ever reached by a failure.
const waitLimit = 10 * time.Second

// shell starts a shell with the given script, in an environment of its own, and returns after the
// script wrote the word "ready". The shell has the files open as well. The test ends it, and everything it started: the script runs in a
// process group of its own.
func shell(t *testing.T, script string, files ...*os.File) (cmd *exec.Cmd, in io.WriteCloser) {
	t.Helper()
	cmd = exec.Command("/bin/sh", "-c", script)
	cmd.Env, cmd.ExtraFiles = []string{"PATH=/usr/bin:/bin"}, files
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		in.Close()
		cmd.Wait()
	})
	awaitReady(t, out)
	return cmd, in
}

func awaitReady(t *testing.T, out io.Reader) {
	t.Helper()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "ready") {
			return
		}
	}
	t.Fatalf("the script ended before it was ready: %v", lines.Err())
}

// identity reads the identity of a process that must live.
func identity(t *testing.T, pid int) tracker.AgentID {
	t.Helper()
	p, err := Read(pid)
	if err != nil {
		t.Fatalf("Read(%d): %v", pid, err)
	}
	return p.ID()
}

// eventually polls until ok, without a fixed delay: what is waited for takes microseconds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(waitLimit); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("timed out waiting: %s", what)
		}
		syscall.Select(0, nil, nil, nil, &syscall.Timeval{Usec: 500})
	}
}

// next returns the next event, or fails.
func next(t *testing.T, events <-chan tracker.Event) tracker.Event {
	t.Helper()
	select {
	case ev := <-events:
		return ev
	case <-time.After(waitLimit):
		t.Fatal("timed out waiting for an event")
		return nil
	}
}

func isGone(err error) bool { return errors.Is(err, ErrGone) }

func find(list []tracker.Process, pid int) (tracker.Process, bool) {
	for _, p := range list {
		if p.PID == pid {
			return p, true
		}
	}
	return tracker.Process{}, false
}

func selfPID() int { return os.Getpid() }
