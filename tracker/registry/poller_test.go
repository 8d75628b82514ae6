package registry

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

func TestPrograms(t *testing.T) {
	exe := func(pid int) (string, error) {
		switch pid {
		case 1, 2:
			return "/home/me/.local/share/claude/versions/2.1.332", nil
		case 3:
			return "/opt/claude/claude", nil
		case 4:
			return "/usr/bin/node", nil // 2.0 is a script
		case 5:
			return "/opt/old/claude (deleted)", nil
		case 6:
			return "claude", nil
		}
		return "", os.ErrNotExist
	}
	want := []string{"/home/me/.local/share/claude/versions/2.1.332", "/opt/claude/claude", "claude"}
	if got := Programs([]int{1, 2, 3, 4, 5, 6, 7}, exe); !slices.Equal(got, want) {
		t.Errorf("programs %q, want %q", got, want)
	}
	if got := Programs([]int{1}, nil); !slices.Equal(got, []string{"claude"}) {
		t.Errorf("without a way to know: %q", got)
	}
}

func TestAgentsPollerInterval(t *testing.T) {
	p := NewAgentsPoller(NewAgentsClient(bareEnv, 0), nil)
	for _, tt := range []struct {
		agents     int
		took, want time.Duration
	}{
		{0, 0, 30 * time.Second},
		{12, 100 * time.Millisecond, 42 * time.Second},
		{30, 0, 60 * time.Second},
		{500, 0, 60 * time.Second},
		{0, 200 * time.Millisecond, 50 * time.Second},
		{12, 200 * time.Millisecond, 50 * time.Second},
		{0, 2 * time.Second, 60 * time.Second},
	} {
		p.SetAgents(make([]int, tt.agents))
		if got := p.interval(tt.took); got != tt.want {
			t.Errorf("%d agents, a call takes %v: every %v, want %v", tt.agents, tt.took, got, tt.want)
		}
	}
}

// TestNothingMovedNothingAsked holds that a board at rest does not start a program every minute.
func TestNothingMovedNothingAsked(t *testing.T) {
	p := NewAgentsPoller(NewAgentsClient(bareEnv, 0), nil)
	p.SetAgents([]int{1})
	begin := time.Now()
	for _, step := range []struct {
		name string
		do   func()
		good time.Time
		age  time.Duration
		want bool
	}{
		{"an agent came", func() {}, begin, time.Minute, false},
		{"nothing moved", func() { p.moved.Store(false) }, begin, time.Minute, true},
		{"the same agents", func() { p.SetAgents([]int{1}) }, begin, time.Minute, true},
		{"for five minutes", func() {}, begin, agentsSilent, false},
		{"no good answer yet", func() {}, time.Time{}, 0, false},
		{"one said something", p.Moved, begin, time.Minute, false},
		{"an agent went", func() { p.moved.Store(false); p.SetAgents(nil) }, begin, time.Minute, false},
	} {
		step.do()
		if got := p.known(step.good, begin.Add(step.age)); got != step.want {
			t.Errorf("%s: known %v, want %v", step.name, got, step.want)
		}
	}
}

// asking runs a poller for the length of the test.
func asking(t *testing.T, p *AgentsPoller) chan tracker.Event {
	t.Helper()
	events := make(chan tracker.Event, 16)
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- p.Run(ctx, func(ev tracker.Event) { events <- ev }) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run: %v", err)
		}
	})
	return events
}

func event[E tracker.Event](t *testing.T, events <-chan tracker.Event) E {
	t.Helper()
	select {
	case ev := <-events:
		e, ok := ev.(E)
		if !ok {
			t.Fatalf("event %+v, want a %T", ev, e)
		}
		return e
	case <-time.After(waitLimit):
		t.Fatal("timed out waiting for an event")
		panic("unreachable")
	}
}

func TestAgentsPollerAsksAtStartAndWhenHurried(t *testing.T) {
	exe := program(t, "claude", "echo '"+oneRow+"'")
	p := NewAgentsPoller(NewAgentsClient([]string{"PATH=" + filepath.Dir(exe) + ":/bin"}, 0), nil)
	events := asking(t, p)
	for i := range 2 {
		if i > 0 {
			p.Hurry()
		}
		if w := event[tracker.SourceWorks](t, events); w.Source != tracker.SourceAgents || w.Detail != "" {
			t.Errorf("word %+v", w)
		}
		l := event[tracker.AgentsListed](t, events)
		if !l.Available || l.Problem != "" || len(l.Rows) != 1 || l.At.IsZero() {
			t.Errorf("answer %+v", l)
		}
	}
}

// TestAgentsPollerWithoutTheOption is a version before 2.1.169: it has the list, but not of what
// has finished.
func TestAgentsPollerWithoutTheOption(t *testing.T) {
	exe := program(t, "claude", "case \"$*\" in *--all*) echo \"error: unknown option '--all'\" >&2; exit 1;; esac\necho '[{\"pid\":7,\"status\":\"idle\"}]'")
	p := NewAgentsPoller(NewAgentsClient([]string{"PATH=" + filepath.Dir(exe) + ":/bin"}, 0), nil)
	events := asking(t, p)
	event[tracker.SourceWorks](t, events)
	if l := event[tracker.AgentsListed](t, events); !l.Available || len(l.Rows) != 1 {
		t.Errorf("answer %+v", l)
	}
}

func TestAgentsPollerWithoutTheCommand(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	exe := program(t, "claude", "echo \"$*\" >>"+calls+"\necho 'No agents configured'")
	p := NewAgentsPoller(NewAgentsClient([]string{"PATH=" + filepath.Dir(exe) + ":/bin"}, 0), nil)
	events := asking(t, p)
	for i := range 3 {
		if i > 0 {
			p.Hurry()
		}
		if w := event[tracker.SourceWorks](t, events); !strings.Contains(w.Detail, "2.1.145") {
			t.Errorf("word %+v", w)
		}
		if l := event[tracker.AgentsListed](t, events); l.Available || l.Problem == "" || l.Rows != nil {
			t.Errorf("answer %+v", l)
		}
	}
	if data, _ := os.ReadFile(calls); string(data) != "agents --json --all\nagents --json\n" {
		t.Errorf("a program without the command was run with %q, want each form once", data)
	}
	// another version in its place is asked
	if err := os.WriteFile(exe, []byte("#!/bin/sh\necho '[]' # updated\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Rows(t.Context(), 7); err != nil {
		t.Errorf("after an update: %v", err)
	}
}

func TestAgentsPollerKeepsTheAnswerWhenACallFails(t *testing.T) {
	p := NewAgentsPoller(NewAgentsClient([]string{"PATH=/nonexistent"}, 0), func(int) (string, error) {
		return program(t, "claude", "exit 3"), nil
	})
	p.SetAgents([]int{7})
	if f := event[tracker.SourceFailed](t, asking(t, p)); f.Source != tracker.SourceAgents || !strings.Contains(f.Reason, "exit status 3") {
		t.Errorf("word %+v", f)
	}
}

func TestAgentsPollerWithoutAnyProgram(t *testing.T) {
	p := NewAgentsPoller(NewAgentsClient([]string{"PATH=/nonexistent"}, 0), nil)
	events := asking(t, p)
	event[tracker.SourceWorks](t, events)
	if l := event[tracker.AgentsListed](t, events); l.Available || l.Problem == "" {
		t.Errorf("answer %+v", l)
	}
}

func TestRowsPrefersTheAgentsOwnProgram(t *testing.T) {
	own := program(t, "2.1.332", "echo '"+oneRow+"'")
	old := program(t, "claude", "echo 'plain text'")
	p := NewAgentsPoller(NewAgentsClient([]string{"PATH=" + filepath.Dir(old) + ":/bin"}, 0), func(pid int) (string, error) {
		if pid == 7 {
			return own, nil
		}
		return "", errors.New("unreadable")
	})
	if rows, err := p.Rows(t.Context(), 7); err != nil || len(rows) != 1 {
		t.Errorf("rows %v, %v", rows, err)
	}
	if _, err := p.Rows(t.Context(), 8); !errors.Is(err, ErrNoList) {
		t.Errorf("another agent, whose program is unknown: %v, want that of the PATH", err)
	}
}

func TestEntryIsFreshAndProven(t *testing.T) {
	r := newRig(t, 11, 12)
	id := tracker.AgentID{PID: 11, Start: 110}
	if e, err := r.watch.Entry(t.Context(), id); e != nil || err != nil {
		t.Errorf("no folder: %v, %v", e, err)
	}
	r.mkdir()
	overwrite(t, r.file(11), entry(11, "waiting"))
	if e, err := r.watch.Entry(t.Context(), id); err != nil || e == nil || e.Status != "waiting" {
		t.Errorf("a proven entry: %+v, %v", e, err)
	}
	if e, err := r.watch.Entry(t.Context(), tracker.AgentID{PID: 11, Start: 111}); e != nil || err != nil {
		t.Errorf("asked for another life of the pid: %+v, %v", e, err)
	}
	overwrite(t, r.file(12), `{"sessionId":"s","status":"idle"}`)
	if e, err := r.watch.Entry(t.Context(), tracker.AgentID{PID: 12, Start: 120}); e != nil || err != nil {
		t.Errorf("an entry without a start time: %+v, %v", e, err)
	}
	overwrite(t, r.file(11), `{"pid":`)
	if e, err := r.watch.Entry(t.Context(), id); e != nil || err == nil {
		t.Errorf("a damaged file: %+v, %v", e, err)
	}
	overwrite(t, r.file(11), `{}`)
	if e, err := r.watch.Entry(t.Context(), id); e != nil || err != nil {
		t.Errorf("a file of another shape: %+v, %v", e, err)
	}
	r.people.kill(11)
	overwrite(t, r.file(11), entry(11, "idle"))
	if e, err := r.watch.Entry(t.Context(), id); e != nil || err != nil {
		t.Errorf("a dead process: %+v, %v", e, err)
	}
}
