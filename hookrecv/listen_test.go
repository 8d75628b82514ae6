package hookrecv

import (
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"signalbox/hookrecv/paths"
)

// shortDir is a private directory whose path leaves room for a socket; t.TempDir's does not always.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "sbx")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func listen(t *testing.T, dir string, pid int) net.Listener {
	t.Helper()
	ln, err := Listen(dir, pid)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ln.Close() })
	return ln
}

// deadSocket leaves a socket nobody listens at, as a killed board does.
func deadSocket(t *testing.T, path string) {
	t.Helper()
	ln, err := net.ListenUnix("unix", &net.UnixAddr{Name: path})
	if err != nil {
		t.Fatal(err)
	}
	ln.SetUnlinkOnClose(false)
	ln.Close()
}

// endedPID is the pid of a process that is no more.
func endedPID(t *testing.T) int {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	cmd.Env = []string{"GORACE=atexit_sleep_ms=0"}
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func TestListenIsPrivateWhateverTheUmask(t *testing.T) {
	for _, umask := range []int{0, 0o077, 0o777} {
		dir := filepath.Join(shortDir(t), "run")
		old := syscall.Umask(umask)
		ln, err := Listen(dir, 7)
		syscall.Umask(old)
		if err != nil {
			t.Fatalf("umask %o: %v", umask, err)
		}
		for path, want := range map[string]os.FileMode{dir: 0o700, paths.Socket(dir, 7): 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("umask %o: %s has mode %v (%v), want %v", umask, path, info.Mode(), err, want)
			}
		}
		ln.Close()
	}
	wide := shortDir(t)
	if err := os.Chmod(wide, 0o777); err != nil {
		t.Fatal(err)
	}
	listen(t, wide, 7)
	if info, err := os.Stat(wide); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("a wide directory has mode %v (%v)", info.Mode(), err)
	}
}

func TestListenRefusesForeignPlaces(t *testing.T) {
	link := filepath.Join(shortDir(t), "run")
	if err := os.Symlink(shortDir(t), link); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(link, 7); !errors.Is(err, paths.ErrUntrusted) {
		t.Errorf("a symbolic link: %v", err)
	}
	if _, err := Listen(filepath.Join(shortDir(t), strings.Repeat("d", 100)), 7); !errors.Is(err, ErrPathTooLong) {
		t.Errorf("a long path: %v", err)
	}
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	foreign := shortDir(t)
	if err := os.Chown(foreign, 12345, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen(foreign, 7); !errors.Is(err, paths.ErrUntrusted) {
		t.Errorf("somebody else's directory: %v", err)
	}
}

func TestListenReplacesTheDeadOnly(t *testing.T) {
	dir := shortDir(t)
	gone, living := endedPID(t), os.Getppid()
	deadSocket(t, paths.Socket(dir, gone))
	deadSocket(t, paths.Socket(dir, 7))      // our own pid, from an earlier process
	deadSocket(t, paths.Socket(dir, living)) // a board that has made its socket but does not listen yet
	other := listen(t, dir, os.Getpid())
	for _, name := range []string{"notes", "board-x.sock"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	listen(t, dir, 7)
	if exists(paths.Socket(dir, gone)) {
		t.Error("the socket of a dead board is still there")
	}
	for _, path := range []string{
		paths.Socket(dir, 7), paths.Socket(dir, living), paths.Socket(dir, os.Getpid()),
		filepath.Join(dir, "notes"), filepath.Join(dir, "board-x.sock"),
	} {
		if !exists(path) {
			t.Errorf("%s is gone", path)
		}
	}
	if _, err := Listen(dir, os.Getpid()); !errors.Is(err, ErrInUse) {
		t.Errorf("a living socket: %v", err)
	}
	other.Close()
	if exists(paths.Socket(dir, os.Getpid())) {
		t.Error("a closed listener left its socket")
	}
}

func TestCloseLeavesWhatIsNotOurs(t *testing.T) {
	dir := shortDir(t)
	ln := listen(t, dir, 7)
	path := paths.Socket(dir, 7)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := ln.Close(); err != nil {
		t.Error(err)
	}
	if !exists(path) {
		t.Error("closing removed somebody else's file")
	}
}
