package journal

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"signalbox/tracker"
)

// errNoMount says that this machine lets nobody mount a disk for a test.
var errNoMount = errors.New("cannot mount")

// onSmallDisk mounts a disk of four pages in the mount namespace of this process, which takes it
// along when it ends.
func onSmallDisk(dir string) error {
	if err := unix.Mount("small", dir, "tmpfs", 0, "size=16k"); err != nil {
		return fmt.Errorf("%w: %w", errNoMount, err)
	}
	return surviveFullDisk(dir, func() (func() error, error) {
		ballast := filepath.Join(dir, "ballast")
		err := os.WriteFile(ballast, make([]byte, 64<<10), 0o600)
		if !errors.Is(err, syscall.ENOSPC) {
			return nil, fmt.Errorf("the disk is not full: %w", err)
		}
		return func() error { return os.Remove(ballast) }, nil
	})
}

func TestFullDisk(t *testing.T) {
	attr := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	cmd, out := startChild(t, "disk", t.TempDir(), attr)
	line, _ := out.ReadString('\n')
	if strings.Contains(line, errNoMount.Error()) {
		t.Skip("SKIPPED, NOT TESTED: no small disk: " + line)
	}
	if err := cmd.Wait(); err != nil || line != "survived\n" {
		t.Errorf("%v: %s", err, line)
	}
}

// asOrdinaryUser runs f without root's right to ignore permissions.
func asOrdinaryUser(t *testing.T, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlock: the thread ends with the goroutine
		head := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		var none [2]unix.CapUserData
		err := unix.Capset(&head, &none[0])
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Skipf("SKIPPED, NOT TESTED: rights cannot be given up: %v", err)
	}
}

func TestUnwritableFolder(t *testing.T) {
	now := time.Now()
	dir := filepath.Join(t.TempDir(), "locked")
	state := filepath.Join(dir, "state.json")
	if err := Acknowledge(state, tracker.AgentID{PID: 1, Start: 10}, now); err != nil {
		t.Fatal(err)
	}
	f, err := OpenStatusFile(dir, render)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(board("old"), now); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	asOrdinaryUser(t, func() {
		for what, err := range map[string]error{
			"writing the status file":       f.Write(board("new"), now),
			"saving verdicts":               Acknowledge(state, tracker.AgentID{PID: 2, Start: 20}, now),
			"saving in a folder below":      Acknowledge(filepath.Join(dir, "deep", "state.json"), tracker.AgentID{PID: 2}, now),
			"a status file in one below it": second(OpenStatusFile(filepath.Join(dir, "deep"), render)),
		} {
			if !errors.Is(err, syscall.EACCES) {
				t.Errorf("%s: %v, want a permission error", what, err)
			}
		}
		if got := shown(t, dir); got != "old" {
			t.Errorf("the file shows %q", got)
		}
		if got := loaded(t, state); len(got) != 1 || got[0] != "1 idle" {
			t.Errorf("loaded %v", got)
		}
	})
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}

func second[A any](_ A, err error) error { return err }
