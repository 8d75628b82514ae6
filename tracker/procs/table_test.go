package procs

import (
	"fmt"
	"slices"
	"testing"

	"signalbox/tracker"
)

func sweep(t *testing.T, table *Table, panes []int, agents ...tracker.AgentID) tracker.ProcessesSeen {
	t.Helper()
	seen, err := table.Sweep(t.Context(), panes, agents)
	if err != nil {
		t.Fatal(err)
	}
	if !seen.Complete || seen.At.IsZero() {
		t.Fatalf("a sweep that is not complete: at %v, %d processes", seen.At, len(seen.Procs))
	}
	return seen
}

func TestSweepFillsInWhatLivesInPanes(t *testing.T) {
	pane, _ := shell(t, "sh -c 'echo ready; read x; :' ; :")
	other, _ := shell(t, "echo ready; read x; :")
	seen := sweep(t, NewTable(), []int{pane.Process.Pid})

	below := 0
	for _, p := range seen.Procs {
		in := p.PID == pane.Process.Pid || p.PPID == pane.Process.Pid
		if in {
			below++
		}
		if in != (p.Args != nil && !p.Began.IsZero()) {
			t.Errorf("below the pane: %v, but %+v", in, p)
		}
	}
	if below != 2 {
		t.Errorf("%d processes in the pane, want 2", below)
	}
	if p, ok := find(seen.Procs, other.Process.Pid); !ok || p.Start == 0 || p.Name == "" {
		t.Errorf("a process outside the panes must be told as well, else it counts as gone: %+v", p)
	}
	if p, ok := find(seen.Procs, selfPID()); !ok || p.State != tracker.ProcRunning {
		t.Errorf("an ancestor is missing: %+v", p)
	}
	if _, ok := find(seen.Procs, 2); ok && Chain(2) == nil {
		t.Error("kernel threads are in the answer")
	}
}

func TestSweepFillsInAgentsElsewhere(t *testing.T) {
	cmd, _ := shell(t, "echo ready; read x; :")
	id := identity(t, cmd.Process.Pid)
	recycled := id
	recycled.Start++
	for _, tt := range []struct {
		agent tracker.AgentID
		want  bool
	}{{id, true}, {recycled, false}} {
		p, ok := find(sweep(t, NewTable(), nil, tt.agent).Procs, id.PID)
		if !ok || (p.Args != nil) != tt.want {
			t.Errorf("agent %v: filled in %v, want %v: %+v", tt.agent, p.Args != nil, tt.want, p)
		}
	}
}

func TestSweepSeesAnotherProgramInTheSameProcess(t *testing.T) {
	// as a pane does that was opened with a command: the shell becomes the program
	cmd, in := shell(t, "echo ready; read x; exec sleep 1000")
	id := identity(t, cmd.Process.Pid)
	table := NewTable()
	p, _ := find(sweep(t, table, []int{id.PID}).Procs, id.PID)
	if len(p.Args) != 3 {
		t.Fatalf("the shell: %+v", p)
	}
	fmt.Fprintln(in, "go")
	eventually(t, "the shell to become sleep", func() bool {
		p, ok := find(sweep(t, table, []int{id.PID}).Procs, id.PID)
		return ok && p.ID() == id && slices.Equal(p.Args, []string{"sleep", "1000"})
	})
}

func TestSweepForgetsTheDead(t *testing.T) {
	cmd, in := shell(t, "echo ready; read x")
	pid := cmd.Process.Pid
	table := NewTable()
	sweep(t, table, []int{pid})
	if len(table.known) != 1 {
		t.Fatalf("%d remembered, want 1", len(table.known))
	}
	in.Close()
	cmd.Wait()
	seen := sweep(t, table, []int{pid})
	if p, ok := find(seen.Procs, pid); ok {
		t.Errorf("a process that ended is in the answer: %+v", p)
	}
	if len(table.known) != 0 {
		t.Errorf("%d remembered after the end, want none", len(table.known))
	}
}

func TestSettleSurvivesCycles(t *testing.T) {
	table := NewTable()
	for i, ppid := range []int{3, 1, 2} { // 1 -> 3 -> 2 -> 1
		table.rows = append(table.rows, tracker.Process{PID: i + 1, PPID: ppid})
		table.index[i+1] = i
	}
	table.side = make([]side, 3)
	for i := range table.rows {
		table.settle(i)
	}
	if !slices.Equal(table.side, []side{sideOut, sideOut, sideOut}) {
		t.Errorf("sides %v", table.side)
	}
	if table.isBelow(table.rows[0], 99) || len(table.ancestors(table.rows[0])) != 3 {
		t.Error("walks through a cycle went wrong")
	}
}

func BenchmarkSweep(b *testing.B) {
	for _, tt := range []struct {
		name  string
		panes []int
	}{{"no panes", nil}, {"all below", []int{1}}} {
		b.Run(tt.name, func(b *testing.B) {
			table := NewTable()
			n := 0
			for b.Loop() {
				seen, err := table.Sweep(b.Context(), tt.panes, nil)
				if err != nil {
					b.Fatal(err)
				}
				n = len(seen.Procs)
			}
			b.ReportMetric(float64(n), "processes")
			b.ReportAllocs()
		})
	}
}
