package procs

import (
	"context"
	"maps"
	"net"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"

	gonet "github.com/shirou/gopsutil/v3/net"

	"signalbox/tracker"
)

func TestListeners(t *testing.T) {
	table := `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:0BB8 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 ffff 100 0 0 10 0
   1: 0100007F:0BB8 0100007F:D431 01 00000000:00000000 00:00000000 00000000     0        0 4712 1 ffff 20 4 30 10 -1
   2: 00000000000000000000000000000000:1F90 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4713 1 ffff 100 0 0 10 0
   3: 0100007F:0A0A 0100007F:0A0A 06 00000000:00000000 00:00000000 00000000     0        0 0 1 ffff 20 4 30 10 -1
   4: nonsense 0A 0A
   5: 0100007F:XYZ 00000000:0000 0A 0 0 0 0 0 4714
`
	got := sockets{}
	if err := listeners(strings.NewReader(table), got); err != nil {
		t.Fatal(err)
	}
	if want := (sockets{4711: 3000, 4713: 8080}); !maps.Equal(got, want) {
		t.Errorf("listeners %v, want %v", got, want)
	}
}

func TestSocketInode(t *testing.T) {
	for link, want := range map[string]uint64{"socket:[4711]": 4711, "socket:[]": 0, "socket:[x]": 0, "pipe:[4711]": 0, "/tmp/socket:[1]": 0, "socket:[1": 0, "": 0} {
		if got, ok := socketInode([]byte(link)); got != want || ok != (want != 0) {
			t.Errorf("socketInode(%q) = %d, %v", link, got, ok)
		}
	}
}

func TestPorts(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("listening ports are only read on Linux")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want := []int{l.Addr().(*net.TCPAddr).Port}
	table := NewTable()
	sweep(t, table, []int{selfPID()})
	changed, err := table.Ports()
	if err != nil {
		t.Fatal(err)
	}
	p, ok := find(changed, selfPID())
	if !ok || !slices.Equal(p.Ports, want) || p.Args == nil {
		t.Fatalf("first look: %+v, want ports %v", p, want)
	}
	if changed, err := table.Ports(); err != nil || len(changed) != 0 {
		t.Errorf("second look: %+v, %v, want no change", changed, err)
	}
	if p, _ := find(sweep(t, table, []int{selfPID()}).Procs, selfPID()); !slices.Equal(p.Ports, want) {
		t.Errorf("the next sweep tells ports %v, want %v", p.Ports, want)
	}
	if got := table.Look([]tracker.AgentID{p.ID()}); len(got) != 1 || !slices.Equal(got[0].Ports, want) {
		t.Errorf("the next look at the agents tells %+v, want ports %v", got, want)
	}
	l.Close()
	changed, err = table.Ports()
	if p, ok := find(changed, selfPID()); err != nil || !ok || p.Ports != nil {
		t.Errorf("after closing: %+v, %v, want no ports", changed, err)
	}
}

// TestALookAtPortsTellsTheProcessAsItIs: it comes some time after the sweep whose rows it goes through, and
// is newer than what was read in between.
func TestALookAtPortsTellsTheProcessAsItIs(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("listening ports are only read on Linux")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	open, err := l.(*net.TCPListener).File()
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	cmd, _ := shell(t, "echo ready; read x", open)
	pid := cmd.Process.Pid
	stopped, ended := NewTable(), NewTable()
	sweep(t, stopped, []int{pid})
	sweep(t, ended, []int{pid})
	syscall.Kill(pid, syscall.SIGSTOP)
	eventually(t, "it stops", func() bool {
		p, err := Read(pid)
		return err == nil && p.State == tracker.ProcStopped
	})
	changed, err := stopped.Ports()
	if p, ok := find(changed, pid); err != nil || !ok || p.State != tracker.ProcStopped || len(p.Ports) != 1 || p.Args == nil {
		t.Errorf("of a stopped process: %+v, %v", changed, err)
	}
	syscall.Kill(pid, syscall.SIGKILL)
	cmd.Wait()
	if changed, err := ended.Ports(); err != nil || len(changed) != 0 {
		t.Errorf("of one that has ended: %+v, %v", changed, err)
	}
}

func TestPortsOutsideThePanesAreNotLookedFor(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cmd, _ := shell(t, "echo ready; read x")
	table := NewTable()
	sweep(t, table, []int{cmd.Process.Pid}, identity(t, selfPID()))
	if changed, err := table.Ports(); err != nil || len(changed) != 0 {
		t.Errorf("ports %+v, %v, want none", changed, err)
	}
}

func BenchmarkPorts(b *testing.B) {
	table := NewTable()
	if _, err := table.Sweep(b.Context(), []int{1}, nil); err != nil {
		b.Fatal(err)
	}
	b.Run("at rest", func(b *testing.B) {
		for b.Loop() {
			if _, err := table.Ports(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("all new", func(b *testing.B) {
		for b.Loop() {
			table.spaces = nil
			if _, err := table.Ports(); err != nil {
				b.Fatal(err)
			}
		}
	})
	// the alternative, for comparison
	b.Run("gopsutil", func(b *testing.B) {
		for b.Loop() {
			for _, p := range table.rows {
				gonet.ConnectionsPidWithoutUidsWithContext(procRoot(context.Background()), "tcp", int32(p.PID))
			}
		}
	})
}
