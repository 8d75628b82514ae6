package tmuxctl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// How a control-mode client begins and ends: with its board, its session, its server.

// TestMain also is the program that the tests start as a process of its own.
func TestMain(m *testing.M) {
	if socket := os.Getenv("TMUXCTL_KEEP"); socket != "" {
		keepForever(socket)
		return
	}
	os.Exit(m.Run())
}

// keepForever keeps a connection, says when it stands, and waits for its end.
func keepForever(socket string) {
	e := NewExec(Server{Path: socket}, ExecOptions{Environ: os.Environ()})
	c := NewControl(e, Jumper{Tmux: os.Getenv("TMUX"), Pane: tracker.PaneID(os.Getenv("TMUX_PANE"))}, nil)
	go func() { _ = c.Keep(context.Background()) }()
	for !c.Connected() {
		time.Sleep(time.Millisecond)
	}
	fmt.Println("connected")
	time.Sleep(time.Minute) // far longer than the test that kills us
}

func TestControlBreaksAndComesBack(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	c := keep(t, s, inPane(s, s.Main()), nil)
	blocked := make(chan error)
	go func() {
		_, err := c.Run(t.Context(), Command{"wait-for", "never"})
		blocked <- err
	}()
	client, process := s.Run("list-clients", "-F", "#{client_name}"), s.Run("list-clients", "-F", "#{client_pid}")
	s.Until("the command to wait", func() bool { return pendingRequests(c) == 1 })
	s.Run("detach-client", "-t", client)
	if err := <-blocked; !errors.Is(err, ErrBroken) {
		t.Errorf("a command in flight: %v", err)
	}
	s.Until("the end to be noticed", func() bool { return !c.Connected() })
	if c.Remark() == "" {
		t.Error("nothing is said")
	}
	list(t, c) // by starting tmux
	s.Until("another client", c.Connected)
	if n := len(controlClients(s)); n != 1 || c.Remark() != "" {
		t.Errorf("%d clients, %q", n, c.Remark())
	}
	list(t, c)
	pid := number(t, process)
	s.Until("the old client's process to be waited for", func() bool { return syscall.Kill(pid, 0) != nil })
}

func TestControlAndTheServersLife(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	board := s.NewSession("board", tmuxtest.Command{})
	c := keep(t, s, inPane(s, board), nil)
	// Our session goes: no connection to guess at, but answers all the same.
	s.Run("kill-session", "-t", string(board.Session))
	s.Until("the end to be noticed", func() bool { return strings.Contains(c.Remark(), ErrGone.Error()) })
	if top := list(t, c); len(top.Sessions) != 1 {
		t.Errorf("%+v", top.Sessions)
	}
	s.Kill()
	if _, err := List(t.Context(), c); !errors.Is(err, ErrNoServer) {
		t.Errorf("no server: %v", err)
	}
}

func TestControlGivesUpAHangingServer(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	e := NewExec(Server{Path: s.Socket()}, ExecOptions{Tmux: s.Tmux(), Environ: s.Env(), Timeout: 300 * time.Millisecond})
	c, ctx := keepOver(t, s, e, inPane(s, s.Main()), nil), t.Context()
	stop(t, s)
	for range 2 {
		if _, err := List(ctx, c); !errors.Is(err, ErrTimeout) {
			t.Errorf("stopped: %v", err)
		}
	}
	s.Until("the client to be given up", func() bool { return !c.Connected() })
	resume(t, s)
	s.Until("another client", c.Connected)
	s.Until("the old client to be let go", func() bool { return len(controlClients(s)) == 1 })
	list(t, c)
}

func TestControlNeverStartsAServer(t *testing.T) {
	s := tmuxtest.Unstarted(t)
	if c, err := startControl(t.Context(), execConn(s), "$0"); !errors.Is(err, ErrNoServer) {
		t.Errorf("%v %v", c, err)
	}
	if _, err := s.Try("list-sessions"); err == nil {
		t.Error("a server was started")
	}
}

// TestAnEarlyEndHarmsNoServer calls the start of a connection off, at any moment of it: tmux crashes over a
// client that is killed while it tells who it is.
func TestAnEarlyEndHarmsNoServer(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	for range 150 {
		after := time.Duration(rand.IntN(3000)) * time.Microsecond // a client needs three milliseconds
		ctx, cancel := context.WithTimeout(t.Context(), after)
		if c, err := startControl(ctx, execConn(s), string(s.Main().Session)); err == nil {
			c.end()
		}
		cancel()
		if _, err := s.Try("list-sessions"); err != nil {
			t.Fatalf("after %v: %v", after, err)
		}
	}
	s.Until("every client to be gone", func() bool { return len(controlClients(s)) == 0 })
}

// TestNoConnectionInTheMiddleOfABurst has sessions come whenever it is looked whether any do: tmux crashes
// over a client that it has to tell of one while it tells who it is.
func TestNoConnectionInTheMiddleOfABurst(t *testing.T) {
	for _, burst := range []struct{ name, does string }{
		{"sessions that stay", "new-session -d 'sleep 1000'"},
		{"sessions that are gone when it is looked again", "new-session -d -s brief 'sleep 1000' \\; kill-session -t =brief"},
	} {
		t.Run(burst.name, func(t *testing.T) {
			t.Parallel()
			s := tmuxtest.New(t)
			log, script := filepath.Join(s.TmpDir(), "log"), filepath.Join(s.TmpDir(), "tmux")
			text := fmt.Sprintf(`#!/bin/sh
case "$*" in
*'%s'*) echo look >>%[2]s; [ "$(grep -c look %[2]s)" -le 3 ] && %[3]s -S %[4]s %[5]s ;;
*' -C '*) echo connect >>%[2]s ;;
esac
exec %[3]s "$@"
`, quietPanes, log, s.Tmux(), s.Socket(), burst.does)
			if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
				t.Fatal(err)
			}
			keepOver(t, s, NewExec(Server{Path: s.Socket()}, ExecOptions{Tmux: script, Environ: s.Env()}), inPane(s, s.Main()), nil)
			if got := s.UntilFile(log); !strings.HasPrefix(got, strings.Repeat("look\n", 4)) || strings.Count(got, "connect") != 1 {
				t.Errorf("the program did %q", got)
			}
		})
	}
}

// TestControlIsNeverLeftBehind kills the program that holds the connection.
func TestControlIsNeverLeftBehind(t *testing.T) {
	s := tmuxtest.New(t)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(s.EnvIn(s.Main()), "TMUXCTL_KEEP="+s.Socket())
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 64)
	if n, err := out.Read(buf); err != nil || string(buf[:n]) != "connected\n" {
		t.Errorf("the helper says %q, %v", buf[:n], err)
	}
	clients := controlClients(s)
	if len(clients) != 1 {
		t.Errorf("%d clients", len(clients))
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	s.Until("the client to go", func() bool { return len(controlClients(s)) == 0 })
	for _, c := range clients {
		s.Until("the client's process to go", func() bool { return processGone(number(t, c)) })
	}
}

// TestControlGoesWithItsBoard ends boards that run in a pane, in every way but their own. Where the board
// was alone in its session the session goes too, and with detach-on-destroy off tmux would take our client
// to another one.
func TestControlGoesWithItsBoard(t *testing.T) {
	for _, way := range []struct {
		name  string
		alone bool
		end   func(s *tmuxtest.Server, board tmuxtest.Pane)
	}{
		{"killed", true, func(_ *tmuxtest.Server, board tmuxtest.Pane) { _ = syscall.Kill(board.PID, syscall.SIGKILL) }},
		{"killed beside another pane", false, func(_ *tmuxtest.Server, board tmuxtest.Pane) { _ = syscall.Kill(board.PID, syscall.SIGKILL) }},
		{"session killed", true, func(s *tmuxtest.Server, board tmuxtest.Pane) { s.Run("kill-session", "-t", string(board.Session)) }},
		{"pane killed", true, func(s *tmuxtest.Server, board tmuxtest.Pane) { s.Run("kill-pane", "-t", string(board.ID)) }},
		{"server killed", true, func(s *tmuxtest.Server, _ tmuxtest.Pane) { s.Kill() }},
	} {
		for _, detach := range []string{"on", "off"} {
			t.Run(way.name+"/detach-on-destroy="+detach, func(t *testing.T) {
				t.Parallel()
				s := tmuxtest.New(t)
				s.Run("set-option", "-g", "detach-on-destroy", detach)
				board := s.NewSession("board", tmuxtest.Command{Argv: []string{os.Args[0], "-test.run=none"}, Env: []string{"TMUXCTL_KEEP=" + s.Socket()}})
				if !way.alone {
					s.Split(board, tmuxtest.Command{})
				}
				s.UntilText(board.ID, "connected")
				clients := controlClients(s)
				if len(clients) != 1 {
					t.Fatalf("%d control clients", len(clients))
				}
				way.end(s, board)
				s.Until("the client's process to go", func() bool { return processGone(number(t, clients[0])) })
				s.Until("the board to go", func() bool { return processGone(board.PID) })
				if way.name == "server killed" {
					return
				}
				s.Until("tmux to forget the client", func() bool { return len(controlClients(s)) == 0 })
				s.Until("the board's pane to go, and its session with it where it was alone", func() bool {
					panes := s.Run("list-panes", "-a", "-F", "#{pane_id} #{session_id}")
					return !strings.Contains(panes, string(board.ID)+" ") && strings.Contains(panes, string(board.Session)) != way.alone
				})
			})
		}
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestControlLeavesANewServerAlone starts another server where the board's was: a pane of it that has the
// board's old id is not the board.
func TestControlLeavesANewServerAlone(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	c := keep(t, s, inPane(s, s.Main()), nil)
	client := controlClients(s)[0]
	s.Kill()
	s.Start()
	s.Until("the new server to be known as another", func() bool { return strings.Contains(c.Remark(), "another tmux server") })
	if n := len(controlClients(s)); n != 0 || !processGone(number(t, client)) {
		t.Errorf("%d clients on the new server", n)
	}
	list(t, c) // by starting tmux
}

func TestControlEndsWithKeep(t *testing.T) {
	s := tmuxtest.New(t)
	c := NewControl(execConn(s), inPane(s, s.Main()), nil)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- c.Keep(ctx) }()
	s.Until("the control client", c.Connected)
	pid := number(t, controlClients(s)[0])
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if !processGone(pid) || c.Connected() {
		t.Error("the client is still there")
	}
}
