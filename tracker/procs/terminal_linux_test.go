package procs

import (
	"context"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"signalbox/tracker"
)

// openPTY returns the two ends of a new terminal.
func openPTY(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { master.Close() })
	fd := int(master.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	slave, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return master, slave
}

// onTerminal runs a script as the first process of a new terminal and returns when it wrote
// "ready" there. Everything on the terminal ends with the test.
func onTerminal(t *testing.T, script string) tracker.AgentID {
	t.Helper()
	id, _ := onTerminalNamed(t, script)
	return id
}

// onTerminalNamed also returns the path of the terminal.
func onTerminalNamed(t *testing.T, script string) (tracker.AgentID, string) {
	t.Helper()
	master, slave := openPTY(t)
	cmd := exec.Command("/bin/sh", "-c", script)
	cmd.Env = []string{"PATH=/usr/bin:/bin"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty := slave.Name()
	slave.Close()
	pid := cmd.Process.Pid
	t.Cleanup(func() {
		// the script's children stand in groups and sessions of their own
		table := NewTable()
		if err := table.read(context.Background()); err != nil {
			t.Error(err)
		}
		for _, p := range table.rows {
			if table.isBelow(p, pid) {
				syscall.Kill(p.PID, syscall.SIGKILL)
			}
		}
		syscall.Kill(pid, syscall.SIGKILL)
		cmd.Wait()
	})
	awaitReady(t, master)
	return identity(t, pid), tty
}

func TestStdinIsTTYChild(t *testing.T) {
	// exec 3<&0 keeps the terminal at hand: a shell without job control gives its background
	// children /dev/null as standard input.
	tests := []struct {
		name, script string
		want         string // the beginning of what is reported, "" for nobody
	}{
		{"alone", "echo ready; read x", ""},
		{"a server that reads a pipe", "sleep 1000 </dev/null | sleep 1000 & echo ready; wait", ""},
		{"a server that reads nothing", "sleep 1000 </dev/null & echo ready; wait", ""},
		{"an editor", "exec 3<&0; sleep 1000 <&3 & echo ready; wait", "sleep"},
		{"an editor by another name of the terminal", "sleep 1000 </dev/tty & echo ready; wait", "sleep"},
		{"an editor below a shell", "exec 3<&0; sh -c 'sleep 1000; :' <&3 & echo ready; wait", "sh"},
		{"a descendant with its own session", "exec 3<&0; setsid sleep 1000 <&3 & echo ready; wait", "sleep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			id := onTerminal(t, tt.script)
			// A child of the shell is a copy of the shell, with its terminal, until it runs its program.
			eventually(t, "the answer to settle", func() bool {
				got, who := StdinIsTTYChild(id)
				return got == (tt.want != "") && strings.HasPrefix(who, tt.want)
			})
		})
	}
}

func TestStdinIsTTYChildCountsWhoStandsBesides(t *testing.T) {
	// Both are children of a launcher, which holds the terminal too, but only waits.
	launcher := onTerminal(t, "exec 3<&0; tail -f /dev/null & sleep 1000 <&3 & echo ready; wait")
	var agent, reader tracker.Process
	eventually(t, "the children", func() bool {
		for _, p := range sweep(t, NewTable(), []int{launcher.PID}).Procs {
			switch {
			case p.PPID == launcher.PID && p.Name == "tail":
				agent = p
			case p.PPID == launcher.PID && p.Name == "sleep":
				reader = p
			}
		}
		return agent.PID != 0 && reader.PID != 0
	})
	if got, who := StdinIsTTYChild(agent.ID()); !got || !strings.Contains(who, strconv.Itoa(reader.PID)) {
		t.Errorf("reported %v %q, want pid %d", got, who, reader.PID)
	}
	syscall.Kill(reader.PID, syscall.SIGKILL)
	eventually(t, "the launcher alone to be nobody", func() bool {
		got, _ := StdinIsTTYChild(agent.ID())
		return !got
	})
}

func TestStdinIsTTYChildFailsClosed(t *testing.T) {
	id := onTerminal(t, "echo ready; read x")
	recycled := id
	recycled.Start++
	if got, who := StdinIsTTYChild(recycled); !got || !strings.Contains(who, "no such process") {
		t.Errorf("another process with this pid: %v %q", got, who)
	}
	if got, _ := StdinIsTTYChild(tracker.AgentID{PID: 1 << 30}); !got {
		t.Error("nobody: want true")
	}
}

func TestInspect(t *testing.T) {
	id, tty := onTerminalNamed(t, "exec 3<&0; sh -c 'set -m; sleep 1000 & echo ready; wait' & wait")
	var agent, job tracker.Process
	eventually(t, "the shell and its background job", func() bool {
		for _, p := range sweep(t, NewTable(), []int{id.PID}).Procs {
			switch {
			case p.PPID == id.PID:
				agent = p
			case p.PPID == agent.PID && p.Group == p.PID && p.Name == "sleep":
				job = p
			}
		}
		return job.PID != 0
	})
	recycled := agent.ID()
	recycled.Start++
	_, otherTTY := onTerminalNamed(t, "echo ready; read x")
	tests := []struct {
		name  string
		agent tracker.AgentID
		pane  int
		tty   string
		want  Standing
	}{
		{"the agent in its pane", agent.ID(), id.PID, tty, Standing{Alive: true, UnderPane: true, OnTerminal: true, Foreground: true}},
		{"the pane's first process, with a job of its in front", id, id.PID, tty, Standing{Alive: true, UnderPane: true, OnTerminal: true}},
		{"a background job", job.ID(), id.PID, tty, Standing{Alive: true, UnderPane: true, OnTerminal: true}},
		{"another pane", agent.ID(), selfPID() + 1<<22, otherTTY, Standing{Alive: true, Foreground: true}},
		{"another process under this pid", recycled, id.PID, tty, Standing{}},
		{"nobody", tracker.AgentID{PID: 1 << 30}, id.PID, tty, Standing{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Inspect(t.Context(), tt.agent, tt.pane, tt.tty)
			if err != nil || got != tt.want {
				t.Errorf("%+v, %v\nwant %+v", got, err, tt.want)
			}
		})
	}
	if _, err := Inspect(t.Context(), id, id.PID, "/dev/pts/no-such"); err == nil {
		t.Error("a terminal that is not there: no error")
	}
	syscall.Kill(agent.PID, syscall.SIGSTOP)
	eventually(t, "the agent to be seen stopped", func() bool {
		got, err := Inspect(t.Context(), agent.ID(), id.PID, tty)
		return err == nil && got.Alive && got.Stopped
	})
}

func TestForegroundOfATerminal(t *testing.T) {
	id := onTerminal(t, "echo ready; read x")
	p, err := ReadAgent(id)
	if err != nil || !p.Foreground() || p.TTY == 0 {
		t.Errorf("the first process of a terminal is in front of it: %+v, %v", p, err)
	}
	other := onTerminal(t, "set -m; sleep 1000 & echo ready; wait")
	var child tracker.Process
	eventually(t, "the background job", func() bool {
		for _, q := range sweep(t, NewTable(), []int{other.PID}).Procs {
			if q.PPID == other.PID && q.Group == q.PID {
				child = q
			}
		}
		return child.PID != 0
	})
	if child.Foreground() {
		t.Errorf("a background job is in front: %+v", child)
	}
}

func TestStatDevice(t *testing.T) {
	for _, tt := range []struct{ major, minor uint32 }{{136, 0}, {136, 108}, {136, 300}, {5, 0}, {137, 0xfff12}} {
		want := uint64(tt.minor&0xff | tt.major<<8 | (tt.minor&^0xff)<<12)
		if got := statDevice(unix.Mkdev(tt.major, tt.minor)); got != want {
			t.Errorf("device %d:%d is %#x, want %#x", tt.major, tt.minor, got, want)
		}
	}
}
