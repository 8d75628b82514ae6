package tracker

import (
	"reflect"
	"testing"
)

// The cases of this file are reports from the field about which pane holds which session.

// TestAPhantomStartNeverAppearsAfterARestart (B19): the event log tells of both starts again.
func TestAPhantomStartNeverAppearsAfterARestart(t *testing.T) {
	phantom := hooked(1, 0, Hook{Name: HookSessionStart, SessionID: "s9", StartSource: "startup", TranscriptPath: "/s9"})
	real := hooked(1, 0, Hook{Name: HookSessionStart, SessionID: "s1", StartSource: "resume", TranscriptPath: "/s1"})
	phantom.Replayed, real.Replayed = true, true
	phantom.Seen, real.Seen = at(100), at(100)
	for _, evs := range [][]Event{{listed(99, 0), phantom, real}, {real, phantom, listed(101, 0)}} {
		_, _, p := play(evs...).Snapshot().FindPane("%0")
		if p.Agent == nil || p.Agent.SessionID != "s1" || p.Agent.Transcript != "/s1" || len(p.Others) != 0 {
			t.Errorf("row %+v", p.Agent)
		}
	}
}

// TestClearCountsAnew (B20): the same process has another session, and what is counted is that one's.
func TestClearCountsAnew(t *testing.T) {
	counted := func(session string, n int) Event {
		return TranscriptRead{At: at(float64(n)), SessionID: session, Facts: TranscriptFacts{Tokens: Tokens{Output: n}, AITitle: "of " + session}}
	}
	s := play(listed(0, 0), registry(1, 0, "s1", "idle"), counted("s1", 70))
	row := func() *AgentRow { _, _, p := s.Snapshot().FindPane("%0"); return p.Agent }
	if a := row(); a.Tokens.Output != 70 || a.Name != "of s1" {
		t.Fatalf("before: %+v", a)
	}
	s.Apply(registry(80, 0, "s2", "idle"))
	if a := row(); a.SessionID != "s2" || a.Tokens.Output != 0 || a.Name != "" {
		t.Errorf("right after /clear: %s, %d tokens, %q", a.SessionID, a.Tokens.Output, a.Name)
	}
	s.Apply(counted("s2", 90))
	s.Apply(counted("s1", 95)) // what is still told of the old one is nobody's
	if a := row(); a.Tokens.Output != 90 || a.Name != "of s2" {
		t.Errorf("after: %d tokens, %q", a.Tokens.Output, a.Name)
	}
	if got := rows(s); len(got) != 1 {
		t.Errorf("rows %v", got)
	}
}

// TestTwoAgentsInOneFolderAreTwo (B21): the folder is a label.
func TestTwoAgentsInOneFolderAreTwo(t *testing.T) {
	in := func(ev RegistryRead) RegistryRead { ev.Entry.CWD = "/src/api"; return ev }
	s := play(
		listed(0, 0, 1), in(registry(1, 0, "s1", "idle")), in(registry(1, 1, "s2", "busy")),
		TranscriptRead{At: at(2), SessionID: "s1", Facts: TranscriptFacts{LastAt: at(2), LastText: "of s1"}},
	)
	for i := range 60 {
		when := at(float64(3 + i))
		s.Apply(TranscriptRead{At: when, SessionID: "s2", Facts: TranscriptFacts{LastAt: when, LastText: "of s2", LastTextAt: when}})
	}
	if got, want := rows(s), (map[PaneID]string{"%0": "idle s1", "%1": "busy s2"}); !reflect.DeepEqual(got, want) {
		t.Errorf("rows %v, want %v", got, want)
	}
	_, _, p := s.Snapshot().FindPane("%0")
	if a := p.Agent; !a.Evidence.Transcript.LastAt.Equal(at(2)) || a.Last != "" {
		t.Errorf("the other one's work moved it: %v %q", a.Evidence.Transcript.LastAt.Sub(t0), a.Last)
	}
}

// TestAnAgentIsNoMatterOfItsName (B23): found under every name when it speaks; a title, or a name without a
// word, makes nobody an agent that could be sent to.
func TestAnAgentIsNoMatterOfItsName(t *testing.T) {
	under := func(name string, args []string, wrapper bool) Event {
		chain := claude(0)
		chain[0].Name, chain[0].Args = name, args
		if wrapper {
			chain[0].PPID = 150
			chain = []Process{chain[0], {PID: 150, PPID: 100, Start: 1500, Name: "bash", Args: []string{"bash", "-c", "STUB; true"}}, chain[1]}
		}
		return RegistryRead{At: at(1), PID: 200, Chain: chain, Entry: &RegistryEntry{SessionID: "s1", Status: "idle", StatusUpdatedAt: at(1)}}
	}
	titled := listed(0, 0)
	titled.Topology.Sessions[0].Windows[0].Panes[0].Title = "✳ Claude Code"
	shell := claude(0)[1]
	for _, tt := range []struct {
		name string
		evs  []Event
		want string
	}{
		{"called by its version", []Event{listed(0, 0), under("2.1.240", []string{"2.1.240"}, false)}, "idle s1"},
		{"called node", []Event{listed(0, 0), under("node", []string{"node", "/opt/x/cli.js"}, false)}, "idle s1"},
		{"below a wrapper", []Event{listed(0, 0), under("node", nil, true)}, "idle s1"},
		{"a shell with Claude's title", []Event{titled, ProcessesSeen{At: at(1), Complete: true, Procs: []Process{shell}}}, ""},
		{"another program called claude", []Event{listed(0, 0), ProcessesSeen{At: at(1), Complete: true, Procs: claude(0)}}, "unknown "},
	} {
		s := play(tt.evs...)
		s.Settle(at(60))
		if got := rows(s)["%0"]; got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestAWindowShowsItsMostUrgentAgent: several agents in one window are several rows below it.
func TestAWindowShowsItsMostUrgentAgent(t *testing.T) {
	list := listed(0, 0, 1)
	windows := list.Topology.Sessions[0].Windows
	second := windows[1].Panes[0]
	second.Active = false
	windows[0].Panes = append(windows[0].Panes, second)
	list.Topology.Sessions[0].Windows = windows[:1]
	s := play(list, registry(1, 0, "s1", "idle"), registry(1, 1, "s2", "waiting"))
	w := s.Snapshot().Sessions[0].Windows[0]
	if len(w.Panes) != 2 || w.Panes[0].Agent == nil || w.Panes[1].Agent == nil || w.Agent().SessionID != "s2" {
		t.Fatalf("window %+v", w)
	}
	s.Apply(registry(2, 1, "s2", "idle"))
	if w := s.Snapshot().Sessions[0].Windows[0]; w.Agent().SessionID != "s1" {
		t.Errorf("of two alike the one in the active pane speaks, not %s", w.Agent().SessionID)
	}
}

// TestNamesComeInTheDocumentedOrder: what a person called it, then the titles of its session.
func TestNamesComeInTheDocumentedOrder(t *testing.T) {
	ev := registry(1, 0, "s1", "idle")
	ev.Entry.Name, ev.Entry.NameSource = "api-42", "derived"
	s := play(listed(0, 0))
	for _, step := range []struct {
		ev   Event
		want string
	}{
		{ev, "api-42"},
		{TranscriptRead{At: at(2), SessionID: "s1", Facts: TranscriptFacts{AITitle: "by the model"}}, "by the model"},
		{hooked(3, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", Title: "by the session"}), "by the session"},
		{TranscriptRead{At: at(4), SessionID: "s1", Facts: TranscriptFacts{AITitle: "by the model", CustomTitle: "by the person"}}, "by the person"},
	} {
		s.Apply(step.ev)
		if _, _, p := s.Snapshot().FindPane("%0"); p.Agent.Name != step.want {
			t.Errorf("named %q, want %q", p.Agent.Name, step.want)
		}
	}
}

// TestAHookOfARecycledPIDIsNotItsOwn: a hook that could not tell more than a pid is older than the process
// that has it now.
func TestAHookOfARecycledPIDIsNotItsOwn(t *testing.T) {
	young := registry(100, 0, "s2", "idle")
	young.Chain[0].Began = at(99)
	old := HookReceived{At: at(90), Seen: at(101), Hook: Hook{Name: HookPermissionRequest, SessionID: "s1", ClaudePID: 200, Tool: "Bash", ToolKey: "k"}}
	if got := rows(play(listed(0, 0), young, old))["%0"]; got != "idle s2" {
		t.Errorf("got %q", got)
	}
}
