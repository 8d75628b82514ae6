package tracker

import (
	"testing"
	"time"
)

// TestWrittenSummaries: a written summary stands beside the derived one for as long as it is about
// what is there, and its kind only until the next output of a window without an agent.
func TestWrittenSummaries(t *testing.T) {
	active, idle := KindActive, KindIdle
	began := time.Unix(1000, 0)
	listed := func(at time.Time, command string, output time.Time, panePID int) TmuxListed {
		return TmuxListed{At: at, Topology: Topology{Server: ServerID{PID: 1}, Sessions: []Session{{ID: "$0", Name: "s", Windows: []Window{
			{ID: "@0", Activity: output, Panes: []Pane{{ID: "%0", PID: panePID, Command: command, Active: true}}},
		}}}}}
	}
	wrote := func(at time.Time, rows ...WrittenSummary) SummariesWritten {
		return SummariesWritten{At: at, Rows: rows}
	}
	row := WrittenSummary{Window: "@0", Pane: "%0", PanePID: 9, Command: "make", Activity: began, Text: "builds\x1b[2J the docs", Kind: &active}
	for _, c := range []struct {
		name    string
		events  []Event
		written string
		kind    WindowKind
	}{
		{"none", nil, "", KindRunning},
		{"one", []Event{wrote(began.Add(time.Hour), row)}, "builds [2J the docs", KindActive},
		{"after further output", []Event{wrote(began.Add(time.Hour), row), listed(began.Add(2*time.Hour), "make", began.Add(90*time.Minute), 9)}, "builds [2J the docs", KindRunning},
		{"of another command", []Event{wrote(began.Add(time.Hour), row), listed(began.Add(2*time.Hour), "htop", began, 9)}, "", KindActive},
		{"of another process in the pane", []Event{wrote(began.Add(time.Hour), row), listed(began.Add(2*time.Hour), "make", began, 10)}, "", KindRunning},
		{"taken back", []Event{wrote(began.Add(time.Hour), row), wrote(began.Add(time.Hour))}, "", KindRunning},
		{"replaced", []Event{wrote(began.Add(time.Hour), row), wrote(began.Add(time.Hour), WrittenSummary{Window: "@0", Pane: "%0", PanePID: 9, Command: "make", Activity: began, Text: "x", Kind: &idle})}, "x", KindIdle},
		{"of an agent that is not there", []Event{wrote(began.Add(time.Hour), WrittenSummary{Window: "@0", Pane: "%0", PanePID: 9, Command: "make", Agent: AgentID{PID: 5}, Text: "x"})}, "", KindRunning},
		{"of a window that is not there", []Event{wrote(began.Add(time.Hour), WrittenSummary{Window: "@7", Pane: "%0", PanePID: 9, Text: "x"})}, "", KindRunning},
	} {
		s := NewState()
		s.Apply(listed(began.Add(time.Hour), "make", began, 9))
		s.Snapshot()
		for _, ev := range c.events {
			s.Apply(ev)
		}
		w := s.Snapshot().Sessions[0].Windows[0]
		if w.Written != c.written || w.Kind != c.kind || w.Summary == "" {
			t.Errorf("%s: %q %v (derived %q)", c.name, w.Written, w.Kind, w.Summary)
		}
	}
}

func TestTheSameSummariesChangeNothing(t *testing.T) {
	kind := KindActive
	again := KindActive
	at := time.Unix(1000, 0)
	row := WrittenSummary{Window: "@0", Text: "x", Kind: &kind, Activity: at}
	s := NewState()
	if c := s.Apply(SummariesWritten{At: at, Rows: []WrittenSummary{row}}); c != ChangeDull {
		t.Errorf("new: %v", c)
	}
	row.Kind, row.Activity = &again, at.UTC()
	if c := s.Apply(SummariesWritten{At: at, Rows: []WrittenSummary{row}}); c != ChangeNone {
		t.Errorf("the same: %v", c)
	}
	if c := s.Apply(SummariesWritten{At: at}); c != ChangeDull {
		t.Errorf("none: %v", c)
	}
}

// TestTheBoardsOwnProgramsAreNoAgents: a Claude that the board runs for its summaries is no row and
// no entry, though it lives in the board's pane.
func TestTheBoardsOwnProgramsAreNoAgents(t *testing.T) {
	at := time.Unix(1000, 0)
	for _, own := range []bool{true, false} {
		s := NewState()
		if own {
			s.SetSelf(100)
		}
		s.Apply(TmuxListed{At: at, Topology: Topology{Server: ServerID{PID: 1}, Sessions: []Session{{ID: "$0", Windows: []Window{{ID: "@0", Panes: []Pane{{ID: "%0", PID: 100}}}}}}}})
		chain := []Process{{PID: 300, PPID: 200, Start: 3, Name: "claude"}, {PID: 200, PPID: 100, Start: 2, Name: "sh"}, {PID: 100, PPID: 1, Start: 1, Name: "signalbox"}}
		s.Apply(RegistryRead{At: at, PID: 300, Chain: chain, Entry: &RegistryEntry{SessionID: "x", Status: "waiting", WaitingFor: "permission prompt", StatusUpdatedAt: at, UpdatedAt: at}})
		snap := s.Snapshot()
		if got := snap.Counts.Agents + len(snap.Inbox); got != map[bool]int{true: 0, false: 2}[own] {
			t.Errorf("own %v: %+v, inbox %d", own, snap.Counts, len(snap.Inbox))
		}
	}
}

func TestQuietAfterIsAChoice(t *testing.T) {
	at := time.Unix(100000, 0)
	for _, c := range []struct {
		after time.Duration
		age   time.Duration
		quiet bool
	}{
		{0, QuietAfter, true},
		{0, QuietAfter - time.Second, false},
		{time.Minute, time.Minute, true},
		{time.Minute, 59 * time.Second, false},
		{-1, time.Hour, false},
		{time.Hour, 59 * time.Minute, false},
	} {
		e := Evidence{QuietAfter: c.after, Registry: RegistryEvidence{At: at, Word: "busy", StatusAt: at}}
		v := Judge(&e, at.Add(c.age))
		if v.Quiet != c.quiet || v.Status != StatusBusy {
			t.Errorf("%v after %v: %+v", c.after, c.age, v)
		}
		if c.after < 0 && !v.Next.IsZero() {
			t.Errorf("never has a deadline: %v", v.Next)
		}
	}
}
