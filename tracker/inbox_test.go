package tracker

import (
	"slices"
	"strings"
	"testing"
)

func TestInbox(t *testing.T) {
	s := play(listed(0, 0), registry(1, 0, "s1", "busy"))
	expect := func(want ...string) {
		t.Helper()
		if got := inboxOf(s); !slices.Equal(got, want) {
			t.Errorf("inbox %q, want %q", got, want)
		}
	}
	expect()
	s.Apply(hooked(2, 0, Hook{Name: HookPermissionRequest, SessionID: "s1", Tool: "Bash", ToolDetail: "ls > x", ToolKey: "k"}))
	expect("needs-input")
	s.Apply(registry(2, 0, "s1", "waiting"))
	expect("needs-input") // told by a second source it is the same happening
	if h := s.Snapshot().Inbox[0]; h.Text != "Bash: ls > x" || h.Pane != "%0" || !h.At.Equal(at(2)) {
		t.Errorf("the entry says %+v", h)
	}
	s.Apply(registry(3, 0, "s1", "busy"))
	expect("needs-input over")
	s.Apply(hooked(4, 0, Hook{Name: HookStop, SessionID: "s1", PromptID: "p", LastMessage: "tests pass"}))
	expect("needs-input over") // other hooks of the turn's end may keep Claude at work
	s.Apply(registry(4.1, 0, "s1", "idle"))
	expect("review", "needs-input over")
	s.Apply(Acknowledged{At: at(5), Pane: "%0"})
	expect("review read over", "needs-input read over")
	s.Apply(registry(6, 0, "s1", "busy"))
	s.Apply(ProcessExited{At: at(7), ID: AgentID{200, 5000}})
	expect("ended over", "review read over", "needs-input read over")
	if h := s.Snapshot().Inbox[0]; h.Text != "ended while busy: works" {
		t.Errorf("the end is told as %q", h.Text)
	}
}

// What shows only because time has gone on, and is judged at the moment of the look, was there to be seen.
func TestALookReadsWhatItsOwnMomentTells(t *testing.T) {
	s := play(listed(0, 0), hooked(114, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "q"}), registry(111, 0, "s1", "waiting"))
	if in := s.Snapshot().Inbox; len(in) != 0 {
		t.Fatalf("told before its time: %+v", in[0])
	}
	look := Acknowledged{At: at(143), Pane: "%0"}
	s.Apply(look)
	if in := s.Snapshot().Inbox; len(in) != 1 || in[0].Kind != HappenedNeedsInput || !in[0].Read {
		t.Errorf("got %+v", in)
	}
	if c := s.Apply(look); c != ChangeNone {
		t.Errorf("the same look changes something again: %d", c)
	}
}

func TestAnEntryLearnsWhatIsAskedFor(t *testing.T) {
	s := play(listed(0, 0), registry(1, 0, "s1", "waiting"))
	s.Apply(TranscriptRead{At: at(2), SessionID: "s1", Facts: TranscriptFacts{Tool: "Bash", ToolDetail: "touch y", ToolAt: at(1), ToolPending: true}})
	s.Apply(ProcessExited{At: at(3), ID: AgentID{200, 5000}})
	in := s.Snapshot().Inbox
	if len(in) != 2 || in[1].Text != "Bash: touch y" || in[0].Text != "ended while waiting: Bash: touch y" {
		t.Errorf("got %+v %+v", in[0], in[1])
	}
}

func TestQuietIsOneEntry(t *testing.T) {
	s := play(listed(0, 0), registry(1, 0, "s1", "busy"))
	for _, sec := range []float64{200, 301, 302, 900} {
		s.Settle(at(sec))
	}
	in := s.Snapshot().Inbox
	if w := s.Snapshot().Sessions[0].Windows[0]; w.Summary != "quiet 14m: works" {
		t.Errorf("the cell says %q", w.Summary)
	}
	if len(in) != 1 || in[0].Kind != HappenedQuiet {
		t.Errorf("got %d entries: %+v", len(in), in)
	}
}

func TestTheOwnDialogIsNoEntry(t *testing.T) {
	ev := registry(1, 0, "s1", "waiting")
	ev.Entry.WaitingFor = "dialog open"
	if in := play(listed(0, 0), ev).Snapshot().Inbox; len(in) != 0 {
		t.Errorf("the person's own dialog made an entry: %+v", in[0])
	}
}

// TestATurnThatEndsUnderTheOwnDialogAsksNobody plays what Claude 2.1.332 does: its word goes from busy to the
// dialog, and the end of the turn is told a tenth of a second later.
func TestATurnThatEndsUnderTheOwnDialogAsksNobody(t *testing.T) {
	dialog := registry(4, 0, "s1", "waiting")
	dialog.Entry.WaitingFor = "dialog open"
	s := play(
		listed(0, 0), registry(1, 0, "s1", "idle"),
		hooked(2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p"}), registry(2.1, 0, "s1", "busy"),
		dialog, hooked(3.99, 0, Hook{Name: HookStop, SessionID: "s1", PromptID: "p"}), // it began before it was told
	)
	s.Settle(at(6))
	if in := s.Snapshot().Inbox; len(in) != 0 {
		t.Errorf("the person's own dialog made an entry: %+v", in[0])
	}
	// A dialog of which nothing tells in time is Claude's, and asks somebody after all.
	dialog = registry(9, 0, "s1", "waiting")
	dialog.Entry.WaitingFor = "dialog open"
	s.Apply(hooked(8, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "q"}))
	s.Apply(registry(8.1, 0, "s1", "busy"))
	s.Apply(dialog)
	s.Settle(at(10))
	if in := s.Snapshot().Inbox; len(in) != 1 || in[0].Kind != HappenedNeedsInput || in[0].Over {
		t.Fatalf("got %d entries", len(in))
	}
	s.Apply(hooked(8.99, 0, Hook{Name: HookStop, SessionID: "s1", PromptID: "q"})) // it was not: that comes late
	if in := s.Snapshot().Inbox; len(in) != 1 || !in[0].Over {
		t.Errorf("the person's own dialog is an entry that still asks: %+v", in[0])
	}
}

// TestAShellThatEndsIsOneEntry plays what Claude 2.1.332 says when a shell in the background ends: idle for some
// milliseconds, and then the turn that it begins over it.
func TestAShellThatEndsIsOneEntry(t *testing.T) {
	ended := func(sec float64) TranscriptRead {
		return TranscriptRead{At: at(sec), SessionID: "s1", Facts: TranscriptFacts{PromptAt: at(1), TurnEndAt: at(sec)}}
	}
	s := play(
		listed(0, 0), registry(1, 0, "s1", "busy"), registry(2, 0, "s1", "shell"), ended(2),
		registry(9, 0, "s1", "idle"),
	)
	if in, v := s.Snapshot().Inbox, s.Snapshot().Sessions[0].Windows[0].Panes[0].Agent.Verdict; len(in) != 0 || v.Status != StatusBusy {
		t.Errorf("%d entries, %+v", len(in), v)
	}
	for _, ev := range []Event{registry(9.01, 0, "s1", "busy"), registry(9.2, 0, "s1", "idle"), ended(9.2)} {
		s.Apply(ev)
	}
	if in := s.Snapshot().Inbox; len(in) != 1 || in[0].Kind != HappenedReview || !in[0].At.Equal(at(9.2)) {
		t.Errorf("got %d entries: %+v", len(in), in)
	}
	// So it is where the shell ended in the middle of a turn: what it has said waits until that is over.
	s = play(listed(0, 0), registry(1, 0, "s1", "busy"), TranscriptRead{
		At: at(2), SessionID: "s1", Facts: TranscriptFacts{PromptAt: at(1), TurnEndAt: at(2), QueueWaits: true},
	}, registry(2, 0, "s1", "idle"))
	if in := s.Snapshot().Inbox; len(in) != 0 {
		t.Errorf("got %d entries: %+v", len(in), in)
	}
	// Where it does not go on, its turn is over all the same.
	s = play(listed(0, 0), registry(1, 0, "s1", "busy"), registry(2, 0, "s1", "shell"), ended(2), registry(9, 0, "s1", "idle"))
	s.Settle(at(10))
	if in := s.Snapshot().Inbox; len(in) != 1 || in[0].Kind != HappenedReview {
		t.Errorf("got %d entries: %+v", len(in), in)
	}
}

func TestTheEventLogMakesNoNews(t *testing.T) {
	s := play(listed(0, 0))
	for _, ev := range []HookReceived{
		hooked(1, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s", PromptID: "p"}),
		hooked(2, 0, Hook{Name: HookStop, SessionID: "s", PromptID: "p"}),
		hooked(3, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s", PromptID: "q"}),
	} {
		ev.Replayed, ev.Seen = true, at(4000)
		s.Apply(ev)
	}
	s.Apply(TranscriptRead{At: at(4001), SessionID: "s", Facts: TranscriptFacts{InterruptedAt: at(5)}})
	if in := s.Snapshot().Inbox; len(in) != 0 {
		t.Errorf("got %d entries, the first is %+v", len(in), in[0])
	}
}

// TestTheInboxIsNewestFirst whatever is told first, as at the start of a board.
func TestTheInboxIsNewestFirst(t *testing.T) {
	s := play(listed(0, 0, 1, 2))
	for _, n := range []int{1, 0, 2} { // of 20 s, 10 s and 30 s ago
		when := []float64{30, 20, 10}[n]
		s.Apply(registry(when-1, n, "s"+string(rune('0'+n)), "busy"))
		s.Apply(registry(when, n, "s"+string(rune('0'+n)), "waiting"))
	}
	var at []string
	for _, h := range s.Snapshot().Inbox {
		at = append(at, h.At.Sub(t0).String())
	}
	if got := strings.Join(at, " "); got != "30s 20s 10s" {
		t.Errorf("the inbox tells of %s", got)
	}
}
