//go:build linux

package desk_test

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// terminal is a person's terminal with a tmux client in it. It notes the moment at which something
// shows, which no capture of a screen can: that would ask tmux, and be too late.
type terminal struct {
	t    testing.TB
	file *os.File
	seen time.Time // when what was waited for showed

	mu     sync.Mutex
	screen *screen
	at     time.Time // when the last of it arrived
	want   func() bool
	found  chan time.Time
}

// attach opens a terminal and shows a session in it.
func attach(t testing.TB, s *tmuxtest.Server, session tracker.SessionID) *terminal {
	t.Helper()
	file, name := openTerminal(t)
	slave, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	cmd := exec.Command(s.Tmux(), "-u", "-S", s.Socket(), "attach-session", "-t", string(session))
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = s.Env(), slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	c := &terminal{t: t, file: file, screen: newScreen(screenWidth, screenHeight), found: make(chan time.Time, 1)}
	done := make(chan struct{})
	go func() { c.read(); close(done) }()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = file.Close()
		<-done
	})
	return c
}

// openTerminal makes a pseudo-terminal of the fixed size and returns its master and the name of the
// other end.
func openTerminal(t testing.TB) (*os.File, string) {
	t.Helper()
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: screenHeight, Col: screenWidth})
	}
	if err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), "/dev/ptmx"), fmt.Sprintf("/dev/pts/%d", n)
}

func (c *terminal) read() {
	buf := make([]byte, 64<<10)
	for {
		n, err := c.file.Read(buf)
		at := time.Now()
		if err != nil {
			return
		}
		c.mu.Lock()
		c.at = at
		c.screen.write(buf[:n])
		c.check()
		c.mu.Unlock()
	}
}

// check tells whoever waits that it shows.
func (c *terminal) check() {
	if c.want != nil && c.want() {
		c.want = nil
		c.found <- c.at
	}
}

// until waits until all of the texts are on the screen.
func (c *terminal) until(texts ...string) {
	c.t.Helper()
	c.expect(func() bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !c.screen.has(text) })
	})
	c.arrived(texts...)
}

// expectAny begins to look out for any of the texts; arrived waits for it. What is done in between
// can be timed from its beginning.
func (c *terminal) expectAny(texts ...string) {
	c.expect(func() bool { return slices.ContainsFunc(texts, c.screen.has) })
}

func (c *terminal) expect(shows func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want = shows
	c.check()
}

func (c *terminal) arrived(texts ...string) {
	c.t.Helper()
	select {
	case c.seen = <-c.found:
	case <-time.After(30 * time.Second):
		c.mu.Lock()
		defer c.mu.Unlock()
		c.t.Fatalf("waited for %q; the screen is\n%s", texts, c.screen)
	}
}

// press writes keys as the terminal does.
func (c *terminal) press(keys string) {
	c.t.Helper()
	if _, err := c.file.WriteString(keys); err != nil {
		c.t.Fatal(err)
	}
}
