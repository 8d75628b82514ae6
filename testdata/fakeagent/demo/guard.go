package demo

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// guardProgram is the file name of the guard.
const guardProgram = "demo-guard"

// serverWait bounds how long the guard waits for the tmux server and the agents to end.
const serverWait = 3 * time.Second

// guard waits until the maker of the world is gone, ends the world's tmux server, and removes the
// directory. It is a program of its own, outside of tmux.
func guard(dir, hold string, stderr interface{ Write([]byte) (int, error) }) int {
	if !strings.HasPrefix(filepath.Base(dir), dirPattern) || filepath.Dir(hold) != dir {
		fmt.Fprintln(stderr, "error: this is not the directory of a demo:", dir)
		return 2
	}
	c, err := net.Dial("unix", hold)
	if err == nil {
		// Nothing is ever sent: the read ends when the other side is gone.
		_, _ = c.Read(make([]byte, 1))
		c.Close()
	}
	endServer(dir)
	if err := removeForGood(dir); err != nil {
		fmt.Fprintln(stderr, "error:", err)
		return 1
	}
	return 0
}

// removeForGood removes the directory until it stays away: the last hooks of agents that end are
// processes of their own, and one that comes late makes its folders again.
func removeForGood(dir string) error {
	const quiet, step = 10, 50 * time.Millisecond
	for away, tries := 0, 0; away < quiet; tries++ {
		if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
			away++
			time.Sleep(step)
			continue
		}
		away = 0
		if err := os.RemoveAll(dir); err != nil && tries > 4*quiet {
			return err
		}
	}
	return nil
}

// endServer ends the tmux server of the world, if it still answers on its socket. The signal is
// what `tmux kill-server` amounts to: every pane closes, and the agents in them end in order.
func endServer(dir string) {
	socket := filepath.Join(dir, "tmux")
	b, err := os.ReadFile(filepath.Join(dir, serverName))
	if err != nil {
		return
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil || pid <= 1 {
		return
	}
	for deadline := time.Now().Add(serverWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		c, err := net.Dial("unix", socket)
		if err != nil {
			break // nobody listens there: the server is gone, and its pid may be somebody else's
		}
		c.Close()
		if syscall.Kill(pid, syscall.SIGTERM) != nil {
			break
		}
	}
	waitForAgents(dir)
}

// waitForAgents waits until every agent has taken its registry file away.
func waitForAgents(dir string) {
	for deadline := time.Now().Add(serverWait); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		files, _ := filepath.Glob(filepath.Join(dir, "home", ".claude", "sessions", "*.json"))
		alive := false
		for _, f := range files {
			pid, err := strconv.Atoi(strings.TrimSuffix(filepath.Base(f), ".json"))
			alive = alive || err == nil && syscall.Kill(pid, 0) == nil
		}
		if !alive {
			return
		}
	}
}
