package tracker

import (
	"fmt"
	"testing"
	"time"
)

// large is a server with 500 windows and 100 agents, and a process table to match.
func large() (*State, func(i, step int) Event) {
	topo := Topology{Server: ServerID{PID: 1}}
	var procs []Process
	for s := range 25 {
		sess := Session{ID: SessionID(fmt.Sprintf("$%d", s)), Name: fmt.Sprintf("s%d", s)}
		for w := range 20 {
			n := s*20 + w
			sess.Windows = append(sess.Windows, Window{
				ID: WindowID(fmt.Sprintf("@%d", n)), Index: w, Name: "claude",
				Panes: []Pane{{ID: PaneID(fmt.Sprintf("%%%d", n)), PID: 10000 + n, Active: true, Command: "bash", Path: "/src"}},
			})
			procs = append(procs, Process{PID: 10000 + n, PPID: 1, Start: uint64(n + 1), Name: "bash"})
		}
		topo.Sessions = append(topo.Sessions, sess)
	}
	chain := func(i int) []Process {
		return []Process{{PID: 20000 + i, PPID: 10000 + i*5, Start: uint64(90000 + i), Name: "claude", Group: 20000 + i, TermGroup: 20000 + i}, procs[i*5]}
	}
	event := func(i, step int) Event {
		word := []string{"busy", "idle"}[step%2]
		when := at(float64(step) / 100)
		return RegistryRead{At: when, PID: 20000 + i, Chain: chain(i), Entry: &RegistryEntry{
			SessionID: fmt.Sprint("session-", i), Status: word,
			StatusUpdatedAt: when, UpdatedAt: when,
		}}
	}
	s := play(TmuxListed{At: at(0), Topology: topo})
	for i := range 100 {
		s.Apply(event(i, 0))
		procs = append(procs, chain(i)[0])
	}
	s.Apply(ProcessesSeen{At: at(1), Complete: true, Procs: procs})
	s.Snapshot()
	return s, event
}

// BenchmarkApplyAndSnapshot is one fact about one of 100 agents on 500 windows, to snapshot.
func BenchmarkApplyAndSnapshot(b *testing.B) {
	s, event := large()
	b.ReportAllocs()
	for step := 0; b.Loop(); step++ {
		s.Apply(event(7, 200+step))
		s.Next()
		s.Snapshot()
	}
}

// BenchmarkListing is one unchanged listing of 500 panes.
func BenchmarkListing(b *testing.B) {
	s, _ := large()
	b.ReportAllocs()
	for b.Loop() {
		s.Apply(TmuxListed{At: s.now.Add(time.Millisecond), Topology: s.topo})
		s.Snapshot()
	}
}

// BenchmarkTable is one complete process table of a machine with 3000 processes in which nothing changed.
func BenchmarkTable(b *testing.B) {
	s, _ := large()
	var procs []Process
	for n := range 500 {
		procs = append(procs, Process{PID: 10000 + n, PPID: 1, Start: uint64(n + 1), Name: "bash"})
	}
	for i := range 100 {
		procs = append(procs, Process{PID: 20000 + i, PPID: 10000 + i*5, Start: uint64(90000 + i), Name: "claude", Group: 20000 + i, TermGroup: 20000 + i})
	}
	for n := range 2400 {
		procs = append(procs, Process{PID: 30000 + n, PPID: 1, Start: uint64(n + 1), Name: "kworker"})
	}
	b.ReportAllocs()
	for b.Loop() {
		s.Apply(ProcessesSeen{At: s.now.Add(time.Millisecond), Complete: true, Procs: procs})
		s.Snapshot()
	}
}

// TestOneFactBuildsOneRow gates what a fact costs: one window row, whatever the size of the board.
func TestOneFactBuildsOneRow(t *testing.T) {
	s, event := large()
	before := map[WindowID]*WindowRow{}
	s.Snapshot().Windows(func(_ *SessionRow, w *WindowRow) bool { before[w.ID] = w; return true })
	s.Apply(event(7, 300))
	built := 0
	s.Snapshot().Windows(func(_ *SessionRow, w *WindowRow) bool {
		if before[w.ID] != w {
			built++
		}
		return true
	})
	if built != 1 {
		t.Errorf("one fact built %d rows", built)
	}
}
