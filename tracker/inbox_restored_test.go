package tracker

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// inboxOf is an inbox as words, newest first.
func inboxOf(s *State) []string {
	var out []string
	for _, h := range s.Snapshot().Inbox {
		k := string(h.Kind)
		if h.Read {
			k += " read"
		}
		if h.Over {
			k += " over"
		}
		out = append(out, k)
	}
	return out
}

// left is what a board leaves to the next one that begins at a time: its verdicts and its inbox, as the
// journal keeps them.
func left(s *State, seconds float64) Restored {
	snap := s.Snapshot()
	ev := Restored{At: at(seconds), Seen: snap.InboxSeen}
	snap.Windows(func(_ *SessionRow, w *WindowRow) bool {
		if a := w.Agent(); a != nil {
			ev.Verdicts = append(ev.Verdicts, RestoredVerdict{ID: a.ID, Status: a.Verdict.Status, Since: a.Verdict.Since, LookedAt: a.Evidence.LookedAt})
		}
		return true
	})
	for _, h := range snap.Inbox {
		c := *h
		c.Over, c.restored = true, false
		ev.Inbox = append(ev.Inbox, c)
	}
	return ev
}

// firstRun is the first board of most tests: agent 0 has asked and was looked at, agent 1 is done.
func firstRun() *State {
	return play(
		listed(0, 0, 1), registry(1, 0, "s1", "busy"), registry(1, 1, "s2", "busy"),
		hooked(2, 0, Hook{Name: HookPermissionRequest, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolDetail: "ls > x", ToolKey: "k"}), registry(2.2, 0, "s1", "waiting"),
		Acknowledged{At: at(3), Pane: "%0"},
		hooked(4, 1, Hook{Name: HookStop, SessionID: "s2", PromptID: "q", LastMessage: "tests pass"}), registry(4.1, 1, "s2", "idle"),
	)
}

// TestWhatIsFoundAgainIsTheSameEntry restarts the board. Whatever tells first of what still is so, and
// however late that of before comes, it is one entry, with what was read of it.
func TestWhatIsFoundAgainIsTheSameEntry(t *testing.T) {
	s := firstRun()
	want := inboxOf(s)
	if !slices.Equal(want, []string{"review", "needs-input read"}) {
		t.Fatalf("before the restart the inbox has %q", want)
	}
	ev := left(s, 100)
	procs := ProcessesSeen{At: at(100), Complete: true, Procs: append(claude(0), claude(1)...)}
	past := hooked(2, 0, Hook{Name: HookPermissionRequest, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolDetail: "ls > x", ToolKey: "k"})
	past.Seen, past.Replayed = at(100), true
	stop := hooked(4, 1, Hook{Name: HookStop, SessionID: "s2", PromptID: "q", LastMessage: "tests pass"})
	stop.Seen, stop.Replayed = at(100), true
	again := func(seconds float64, n int, session, word string) RegistryRead {
		r := registry(seconds, n, session, word)
		r.At = at(100.1)
		return r
	}
	words := []Event{again(2.2, 0, "s1", "waiting"), again(4.1, 1, "s2", "idle")}
	written := TranscriptRead{At: at(101), SessionID: "s2", Facts: TranscriptFacts{TurnEndAt: at(4.1), LastText: "tests pass", LastTextAt: at(4)}}
	for name, evs := range map[string][]Event{
		"in order":              {ev, listed(100, 0, 1), procs, words[0], words[1], past, stop},
		"Claude's word is late": {ev, past, stop, procs, listed(100, 0, 1), words[0], words[1]},
		"hooks first":           {past, stop, ev, procs, words[0], words[1], listed(100, 0, 1)},
		"it comes last":         {listed(100, 0, 1), procs, words[0], words[1], past, stop, ev},
		"it comes twice":        {ev, listed(100, 0, 1), words[0], words[1], past, stop, procs, ev},
		"without hooks":         {listed(100, 0, 1), words[0], ev, words[1], written},
		"without Claude's word": {ev, listed(100, 0, 1), procs, past, stop},
		"tmux answers last":     {ev, procs, words[0], words[1], past, stop, listed(100, 0, 1)},
	} {
		t.Run(name, func(t *testing.T) {
			s := play(evs...)
			s.Settle(at(102))
			if got := inboxOf(s); !slices.Equal(got, want) {
				t.Fatalf("after it %q, want %q", got, want)
			}
			in := s.Snapshot().Inbox
			if !strings.HasSuffix(in[0].Text, "tests pass") || in[1].Text != "Bash: ls > x" || in[1].Pane != "%0" || !in[1].At.Equal(at(2)) {
				t.Errorf("they say %+v and %+v", in[0], in[1])
			}
			open := 0
			for _, h := range in {
				if !h.Over {
					open++
				}
			}
			if c := s.Snapshot().Counts; c.Attention() != open {
				t.Errorf("%d are counted as waiting, %d entries are open", c.Attention(), open)
			}
			s.Apply(registry(110, 0, "s1", "busy"))
			s.Apply(registry(120, 0, "s1", "waiting"))
			if got := inboxOf(s); !slices.Equal(got, []string{"needs-input", "review", "needs-input read over"}) {
				t.Errorf("the next question makes it %q", got)
			}
		})
	}
}

// TestWhatIsOverMeanwhileIsHistory: the agent was answered, asked something else, or ended while no
// board ran.
func TestWhatIsOverMeanwhileIsHistory(t *testing.T) {
	ev := left(firstRun(), 100)
	for _, tt := range []struct {
		name string
		evs  []Event
		want []string
	}{
		{"ended", nil, []string{"review over", "needs-input read over"}},
		{"answered", []Event{registry(50, 0, "s1", "busy")}, []string{"review over", "needs-input read over"}},
		{"another question", []Event{registry(50, 0, "s1", "waiting")}, []string{"needs-input", "review over", "needs-input read over"}},
		{"another turn", []Event{registry(50, 1, "s2", "idle"), TranscriptRead{At: at(100), SessionID: "s2", Facts: TranscriptFacts{TurnEndAt: at(50)}}}, []string{"review", "review over", "needs-input read"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := play(append([]Event{ev, listed(100, 0, 1)}, tt.evs...)...)
			s.Apply(ProcessesSeen{At: at(101), Complete: true, Procs: append(claude(0), claude(1)...)[:2*min(len(tt.evs), 2)]})
			s.Settle(at(103))
			if got := inboxOf(s); !slices.Equal(got, tt.want) {
				t.Errorf("the inbox has %q, want %q", got, tt.want)
			}
		})
	}
}

// TestAnEntryOfAnotherServerHasNoPane: the ids of panes start again with every server.
func TestAnEntryOfAnotherServerHasNoPane(t *testing.T) {
	for name, change := range map[string]func(*Topology){
		"another process":             func(t *Topology) { t.Server.PID = 2 },
		"the same pid, after a start": func(t *Topology) { t.Started = 99 },
	} {
		t.Run(name, func(t *testing.T) {
			first := listed(0, 0, 1)
			first.Topology.Started = 7
			s := play(first, registry(1, 0, "s1", "waiting"))
			ev := left(s, 100)
			next := listed(100, 0, 1)
			next.Topology.Started = 7
			if s := play(ev, next); s.Snapshot().Inbox[0].Pane != "%0" {
				t.Error("an entry of the same server has lost its pane")
			}
			change(&next.Topology)
			after := map[string]*State{"restarted": play(ev, next), "restarted, told late": play(next, ev), "in one life": s}
			s.Apply(ProcessExited{At: at(99), ID: AgentID{200, 5000}})
			s.Apply(next)
			for name, s := range after {
				s.Apply(Acknowledged{At: at(101), Pane: "%0"}) // at another pane of this id
				for _, h := range s.Snapshot().Inbox {
					if h.Pane != "" || h.Read || !h.Over {
						t.Errorf("%s: %+v", name, h)
					}
				}
			}
		})
	}
}

// TestAFailureIsTheSameEntry although the verdicts of the last run do not tell that the turn had failed.
func TestAFailureIsTheSameEntry(t *testing.T) {
	fail := hooked(4, 0, Hook{Name: HookStopFailure, SessionID: "s1", PromptID: "p", Error: "rate_limit", LastMessage: "API Error: 429"})
	s := play(listed(0, 0), registry(1, 0, "s1", "busy"), fail, registry(4.1, 0, "s1", "idle"))
	if got := inboxOf(s); !slices.Equal(got, []string{"failed"}) {
		t.Fatalf("the inbox has %q", got)
	}
	idle := registry(4.1, 0, "s1", "idle")
	idle.At = at(100)
	fail.Seen, fail.Replayed = at(101), true
	s = play(left(s, 100), listed(100, 0), idle, fail)
	s.Settle(at(103))
	if got := inboxOf(s); !slices.Equal(got, []string{"failed"}) || s.Snapshot().Inbox[0].Text != "stopped: API Error: 429" {
		t.Errorf("after the restart %q: %+v", got, s.Snapshot().Inbox[0])
	}
}

func TestQuietIsTheSameEntryAfterARestart(t *testing.T) {
	s := play(listed(0, 0), registry(1, 0, "s1", "busy"))
	s.Settle(at(400))
	busy := registry(1, 0, "s1", "busy")
	busy.At = at(500)
	next := play(left(s, 500), listed(500, 0), busy)
	next.Settle(at(501))
	if got := inboxOf(next); !slices.Equal(got, []string{"quiet"}) {
		t.Errorf("the inbox has %q", got)
	}
	next.Apply(hooked(600, 0, Hook{Name: HookPostToolUse, SessionID: "s1", Tool: "Bash"}))
	next.Settle(at(1000))
	if got := inboxOf(next); !slices.Equal(got, []string{"quiet", "quiet over"}) {
		t.Errorf("quiet again: %q", got)
	}
}

// TestWhatPastHooksToldIsToldOnce: no single one of them is news, but what is so when all are read
// is, once.
func TestWhatPastHooksToldIsToldOnce(t *testing.T) {
	past := func(seconds float64, h Hook) HookReceived {
		ev := hooked(seconds, 0, h)
		ev.Seen, ev.Replayed = at(100), true
		return ev
	}
	s := play(listed(99, 0),
		past(1, Hook{Name: HookPermissionRequest, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolKey: "a"}),
		past(2, Hook{Name: HookPostToolUse, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolKey: "a"}),
		past(3, Hook{Name: HookPermissionRequest, SessionID: "s1", PromptID: "p", Tool: "Bash", ToolKey: "b"}))
	if got := inboxOf(s); len(got) != 0 {
		t.Errorf("while they are read the inbox has %q", got)
	}
	due := s.Next()
	if due.IsZero() || due.After(at(102)) {
		t.Errorf("it is due at %v", due)
	}
	s.Settle(due)
	s.Settle(due.Add(time.Second))
	if in := s.Snapshot().Inbox; len(in) != 1 || in[0].Kind != HappenedNeedsInput || !in[0].At.Equal(at(3)) {
		t.Errorf("got %q", inboxOf(s))
	}
}

// TestAnAgentThatFindsItsPlaceLateIsTold: Claude's word may be read before tmux has answered.
func TestAnAgentThatFindsItsPlaceLateIsTold(t *testing.T) {
	s := play(registry(1, 0, "s1", "waiting"))
	s.Settle(at(5))
	if got := inboxOf(s); len(got) != 0 {
		t.Errorf("without a place it is told: %q", got)
	}
	s.Apply(listed(6, 0))
	s.Settle(at(8))
	if in := s.Snapshot().Inbox; len(in) != 1 || in[0].Pane != "%0" || !in[0].At.Equal(at(1)) {
		t.Errorf("got %q", inboxOf(s))
	}
}

func TestTheInboxOfBeforeIsBounded(t *testing.T) {
	ev := Restored{At: at(1000), Seen: at(900)}
	for i := range 2 * InboxLimit {
		ev.Inbox = append(ev.Inbox, Happening{At: at(float64(900 - i)), Kind: HappenedReview, Agent: AgentID{1, 1}})
	}
	s := play(ev)
	snap := s.Snapshot()
	if len(snap.Inbox) != InboxLimit || !snap.Inbox[0].At.Equal(at(900)) || !snap.InboxSeen.Equal(at(900)) {
		t.Errorf("%d entries, the first of %v, seen %v", len(snap.Inbox), snap.Inbox[0].At, snap.InboxSeen)
	}
	if c := s.Apply(ev); c != ChangeNone {
		t.Errorf("the same again changes something: %d", c)
	}
	if c := s.Apply(InboxSeen{At: at(5)}); c != ChangeNone || !s.Snapshot().InboxSeen.Equal(at(900)) {
		t.Error("what was seen is new again")
	}
}
