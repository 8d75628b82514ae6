package tracker

import (
	"strings"
	"testing"
	"time"
)

// explained is the explanation of the agent in pane %0, pieces as "source: text @seconds", the deciding
// one with a star.
func explained(t *testing.T, s *State) (lines []string, x Explanation) {
	t.Helper()
	_, _, p := s.Snapshot().FindPane("%0")
	if p == nil || p.Agent == nil {
		t.Fatal("no agent")
	}
	x = Explain(p.Agent)
	for _, l := range x.Lines {
		text := string(l.Source) + ": " + l.Text
		if !l.At.IsZero() {
			text += " @" + l.At.Sub(t0).String()
		}
		if l.Decided {
			text = "* " + text
		}
		lines = append(lines, text)
	}
	return lines, x
}

func expectLines(t *testing.T, got []string, want ...string) {
	t.Helper()
	for _, w := range want {
		found := false
		for _, g := range got {
			found = found || g == w
		}
		if !found {
			t.Errorf("no line %q in\n%s", w, strings.Join(got, "\n"))
		}
	}
	decided := 0
	for _, g := range got {
		if strings.HasPrefix(g, "* ") {
			decided++
		}
	}
	if decided != 1 {
		t.Errorf("%d lines decided in\n%s", decided, strings.Join(got, "\n"))
	}
}

// TestExplainListsEachSourceWithItsAge: what every source said and when, which one decided, and what would
// change the verdict.
func TestExplainListsEachSourceWithItsAge(t *testing.T) {
	s := play(
		listed(0, 0), ProcessesSeen{At: at(1), Complete: true, Procs: claude(0)}, registry(2, 0, "s1", "busy"),
		hooked(2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p"}),
		hooked(5, 0, Hook{Name: HookPermissionRequest, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolDetail: "ls > x", ToolKey: "k"}),
		TranscriptRead{At: at(5.3), SessionID: "s1", Facts: TranscriptFacts{PromptAt: at(2), LastAt: at(2)}},
		AgentsListed{At: at(3), Available: true, Rows: []AgentsEntry{{PID: 200, SessionID: "s1", Status: "busy"}}},
	)
	got, x := explained(t, s)
	expectLines(t, got, "process: process 200 is alive @1s", "registry: busy @2s", "* hook: permission asked: Bash: ls > x @5s", "hook: a prompt was submitted @2s", "transcript: a prompt @2s", "agents: busy @3s")
	if x.Status != "needs-input" || x.Told != "from a hook" || x.Changes != "answering it in its pane" {
		t.Errorf("%+v", x)
	}
	s.Settle(at(5.5))
	s.Apply(registry(5.2, 0, "s1", "waiting"))
	if got, x = explained(t, s); x.Told != "told by Claude" {
		t.Errorf("told %q", x.Told)
	}
	expectLines(t, got, "* registry: waiting @5.2s")
	s.Apply(Acknowledged{At: at(7), Pane: "%0"})
	got, _ = explained(t, s)
	expectLines(t, got, "none: you looked at it, or asked something new @7s")
}

// TestExplainNamesWhatIsMissing: of a source that has said nothing it says so.
func TestExplainNamesWhatIsMissing(t *testing.T) {
	s := play(listed(0, 0), hooked(1, 0, Hook{Name: HookSessionStart, SessionID: "s1", StartSource: "startup"}))
	got, x := explained(t, s)
	expectLines(t, got, "process: process 200, not looked at yet", "registry: no registry file (older than 2.1.139, or not started yet)", "* hook: conversation began: startup @1s", "transcript: not read", "agents: `claude agents` was not asked or is not available")
	if x.Changes != "the next prompt, or a dialog" {
		t.Errorf("changes: %q", x.Changes)
	}
}

// TestExplainNamesAConflict, in whatever order the two words came, and no longer than it lasts.
func TestExplainNamesAConflict(t *testing.T) {
	list := func(seconds float64, status string) Event {
		return AgentsListed{At: at(seconds), Available: true, Rows: []AgentsEntry{{PID: 200, SessionID: "s1", Status: status}}}
	}
	const want = "the registry file says busy, `claude agents` says idle"
	for _, evs := range [][]Event{{registry(1, 0, "s1", "busy"), list(2, "idle")}, {list(2, "idle"), registry(1, 0, "s1", "busy")}} {
		s := play(append([]Event{listed(0, 0)}, evs...)...)
		if _, x := explained(t, s); x.Conflict != want {
			t.Errorf("conflict %q, want %q", x.Conflict, want)
		}
		s.Snapshot()
		s.Apply(list(40, "busy"))
		if _, x := explained(t, s); x.Conflict != "" {
			t.Errorf("still in conflict: %q", x.Conflict)
		}
	}
}

// TestTheAgeOfAReadingIsShown: that a process lives is read again and again, and the row says so, but no
// more than once a minute for that alone.
func TestTheAgeOfAReadingIsShown(t *testing.T) {
	s := play(listed(0, 0), registry(1, 0, "s1", "idle"))
	built := map[*WindowRow]bool{}
	for i := 5; i <= 600; i += 5 {
		s.Apply(ProcessesSeen{At: at(float64(i)), Complete: true, Procs: claude(0)})
		w := s.Snapshot().Sessions[0].Windows[0]
		built[w] = true
		if age := at(float64(i)).Sub(w.Agent().Evidence.Process.At); age >= time.Minute {
			t.Fatalf("at %d s the reading shown is %v old", i, age)
		}
	}
	if len(built) > 12 {
		t.Errorf("%d rows in ten minutes in which nothing happened", len(built))
	}
}
