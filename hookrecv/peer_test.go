//go:build linux || darwin

package hookrecv

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"signalbox/tracker"
)

// Even with the doors wide open, another user's process is not heard.
func TestOtherUsersAreNotHeard(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	dir := shortDir(t)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	exe := filepath.Join(dir, "client")
	copyFile(t, self, exe)
	path := filepath.Join(dir, "s")
	ln, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []string{dir, path, exe} {
		if err := os.Chmod(p, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	got := make(chan string, 2)
	stop := served(t.Context(), ln, Handler{Emit: func(ev tracker.HookReceived) { got <- ev.Hook.SessionID }})
	for _, who := range []struct {
		uid     uint32
		session string
	}{{12345, "foreign"}, {0, "own"}} {
		cmd := exec.Command(exe)
		cmd.Dir = "/"
		cmd.Env = []string{"GORACE=atexit_sleep_ms=0", asForeigner + "=" + path, "SIGNALBOX_TEST_LINE=" + hookLine(t, who.session)}
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: who.uid, Gid: who.uid}}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s client: %v %s", who.session, err, out)
		}
	}
	if s := <-got; s != "own" {
		t.Errorf("heard %q first", s)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	in, err := os.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(out, in); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
}
