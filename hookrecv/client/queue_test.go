package client

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// A burst that is longer than the board's queue is not lost.
func TestFullQueueIsTriedAgain(t *testing.T) {
	path := filepath.Join(newPlace(t).dir, "s")
	ln := listenUnattended(t, path)
	for {
		conn, err := net.Dial("unix", path)
		if errors.Is(err, unix.EAGAIN) {
			break
		}
		if err != nil {
			t.Skip("a full queue is not told apart here:", err)
		}
		conn.Close()
	}
	line := []byte("the line\n")
	sent := make(chan error, 1)
	go func() { sent <- send(path, line, time.Now().Add(time.Minute)) }()
	select { // time enough to give up, for one that does
	case err := <-sent:
		t.Fatalf("given up: %v", err)
	case <-time.After(5 * queuePause):
	}
	for got := []byte(nil); !bytes.Equal(got, line); {
		conn, err := ln.Accept()
		if err != nil {
			t.Fatal(err)
		}
		if got, err = io.ReadAll(conn); err != nil {
			t.Fatal(err)
		}
		conn.Close()
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
}

// On a busy machine a hook may not run before its time is over. Where there is room it delivers all
// the same: of 2,000 hooks beside six busy loops some twenty were lost.
func TestLateIsNotTooLate(t *testing.T) {
	path := filepath.Join(newPlace(t).dir, "s")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	line := bytes.Repeat([]byte("x"), 64<<10) // the longest there is
	if err := send(path, line, time.Now().Add(-time.Second)); err != nil {
		t.Fatalf("with its time over: %v", err)
	}
	conn, err := ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if got, err := io.ReadAll(conn); err != nil || !bytes.Equal(got, line) {
		t.Errorf("%d bytes arrived, %v", len(got), err)
	}
}

func TestFullQueueIsGivenUp(t *testing.T) {
	path := filepath.Join(newPlace(t).dir, "s")
	listenUnattended(t, path)
	for {
		if err := send(path, nil, time.Now().Add(3*queuePause)); err != nil {
			return
		}
	}
}

// listenUnattended makes a socket with the shortest queue there is, which nobody attends to unless
// the test does.
func listenUnattended(t *testing.T, path string) net.Listener {
	t.Helper()
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), path)
	defer file.Close()
	if err := unix.Bind(fd, &unix.SockaddrUnix{Name: path}); err != nil {
		t.Fatal(err)
	}
	if err := unix.Listen(fd, 0); err != nil {
		t.Fatal(err)
	}
	ln, err := net.FileListener(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln
}
