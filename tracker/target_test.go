package tracker

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
)

// targetBoard has a tmux name for every trap: prefixes, dots, colons, "$0", spaces, equal window
// names, an empty session, a shared session id, and an agent called like a session.
func targetBoard() *Snapshot {
	agent := func(session, name string) *AgentRow { return &AgentRow{SessionID: session, Name: name} }
	pane := func(id PaneID, index int, active bool, a *AgentRow) *PaneRow {
		if a != nil {
			a.Pane = id
		}
		return &PaneRow{Pane: Pane{ID: id, Index: index, Active: active}, Agent: a}
	}
	const shared = "5a986790-ec31-42c5-9c25-57dec4769bbb"
	return &Snapshot{
		Sessions: []*SessionRow{
			{ID: "$1", Name: "api-old", Windows: []*WindowRow{
				{ID: "@1", Index: 0, Name: "claude", Active: true, Panes: []*PaneRow{pane("%1", 0, true, agent("c9a87602-1ac7-4c76-a289-487fa8e312a8", "api-worker"))}},
			}},
			{ID: "$2", Name: "web", Windows: []*WindowRow{
				{ID: "@2", Index: 0, Name: "claude", Panes: []*PaneRow{pane("%2", 0, true, nil), pane("%3", 1, false, agent(shared, "web-a"))}},
				{ID: "@3", Index: 1, Name: "claude", Active: true, Panes: []*PaneRow{pane("%4", 0, true, agent(shared, "web-b"))}},
				{ID: "@4", Index: 2, Name: "zsh", Panes: []*PaneRow{pane("%5", 0, false, nil), pane("%6", 1, true, nil)}},
			}},
			{ID: "$3", Name: "a.b:c", Windows: []*WindowRow{{ID: "@5", Index: 7, Name: "x y.z", Active: true, Panes: []*PaneRow{pane("%7", 0, true, nil)}}}},
			{ID: "$4", Name: "$0", Windows: []*WindowRow{{ID: "@6", Index: 0, Name: "%1", Active: true, Panes: []*PaneRow{pane("%8", 0, true, agent("d7e63794-971d-4809-af99-2dc3f27a2e5d", "web"))}}}},
			{ID: "$5", Name: "", Windows: []*WindowRow{{ID: "@7", Index: 0, Name: "", Active: true, Panes: []*PaneRow{pane("%9", 0, true, nil)}}}},
			{ID: "$6", Name: "none"},
		},
		Background: []*BackgroundRow{{ID: "662cc699", Name: "docs-check", SessionID: "662cc699-3fdd-4547-ba93-0887226aabe3"}},
	}
}

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		name, target string
		want         PaneID // "" for an error
		err          error
	}{
		{"a pane id", "%3", "%3", nil},
		{"a pane id that is not there", "%99", "", ErrNotFound},
		{"a session with one agent", "api-old", "%1", nil},
		{"a prefix of a session name never matches", "api", "", ErrNotFound},
		{"a glob never matches", "api-*", "", ErrNotFound},
		{"a session with several agents, which is an agent's name too", "web", "", ErrAmbiguous},
		{"a window by index goes to its agent, not to the active pane", "web:0", "%3", nil},
		{"a window by a name that two windows have", "web:claude", "", ErrAmbiguous},
		{"a window without an agent goes to its active pane", "web:2", "%6", nil},
		{"a window by name", "web:zsh", "%6", nil},
		{"a pane of a window by index", "web:2.0", "%5", nil},
		{"a pane of a window by name", "web:zsh.1", "%6", nil},
		{"a pane that is not there", "web:2.5", "", ErrNotFound},
		{"a session with a dot and a colon in its name", "a.b:c", "%7", nil},
		{"its window", "a.b:c:7", "%7", nil},
		{"its window by a name with a dot", "a.b:c:x y.z", "%7", nil},
		{"its pane", "a.b:c:x y.z.0", "%7", nil},
		{"a session called $0", "$0", "%8", nil},
		{"a window called like a pane id", "$0:%1", "%8", nil},
		{"a session id of tmux is no target", "$1", "", ErrNotFound},
		{"a window id of tmux is no target", "@1", "", ErrNotFound},
		{"a session without windows", "none", "", ErrNotFound},
		{"a Claude session id", "c9a87602-1ac7-4c76-a289-487fa8e312a8", "%1", nil},
		{"eight characters of one", "c9a87602", "%1", nil},
		{"seven characters of one", "c9a8760", "", ErrNotFound},
		{"a Claude session in two panes", "5a986790", "", ErrAmbiguous},
		{"a Claude session name", "web-b", "%4", nil},
		{"a prefix of a Claude session name", "web-", "", ErrNotFound},
		{"an agent without a pane", "docs-check", "", ErrNotFound},
		{"its id", "662cc699", "", ErrNotFound},
		{"nothing", "", "", ErrNotFound},
		{"a colon does not mean the nameless session", ":", "", ErrNotFound},
		{"nor does its window", ":0", "", ErrNotFound},
		{"an equals sign", "=", "", ErrNotFound},
		{"a mark", "{marked}", "", ErrNotFound},
		{"a percent sign", "%", "", ErrNotFound},
		{"a pane id with a command behind it", "%1;kill-server", "", ErrNotFound},
		{"a pane id with a blank", "%1 ", "", ErrNotFound},
		{"a pane id with a line break", "%1\n", "", ErrNotFound},
	} {
		got, err := Resolve(targetBoard(), c.target)
		if got != c.want || !errors.Is(err, c.err) || (err == nil) != (c.err == nil) {
			t.Errorf("%s: %q gives %q, %v", c.name, c.target, got, err)
		}
	}
	if _, err := Resolve(nil, "web"); !errors.Is(err, ErrNotFound) {
		t.Errorf("without a snapshot: %v", err)
	}
}

func TestTargetErrorsSayWhatToDo(t *testing.T) {
	_, err := Resolve(targetBoard(), "web")
	want := `ambiguous target: "web": could be %3 web:0.1 web-a, %4 web:1.0 web-b, %8 $0:0.0 web`
	if err == nil || err.Error() != want {
		t.Errorf("got  %v\nwant %s", err, want)
	}
	var te *TargetError
	if !errors.As(err, &te) || len(te.Matches) != 3 {
		t.Errorf("no list of matches in %#v", err)
	}
	if _, err = Resolve(targetBoard(), "662cc699"); err == nil || !strings.Contains(err.Error(), "has no pane") {
		t.Errorf("a background agent: %v", err)
	}
	if _, err = Resolve(targetBoard(), "x\x1b]2;y\a"); err == nil || strings.ContainsAny(err.Error(), "\x1b\a") {
		t.Errorf("a control character reaches the terminal: %q", err)
	}
}

func TestNextUrgent(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	snap := targetBoard()
	if id, ok := NextUrgent(snap, ""); ok {
		t.Errorf("nobody needs anybody, got %s", id)
	}
	set := func(id PaneID, v Verdict) {
		_, _, p := snap.FindPane(id)
		p.Agent.Verdict = v
	}
	set("%1", Verdict{Status: StatusReview, Since: now.Add(-time.Hour)})
	set("%3", Verdict{Status: StatusNeedsInput, Since: now.Add(-time.Minute)})
	set("%4", Verdict{Status: StatusNeedsInput, Since: now.Add(-2 * time.Minute)})
	set("%8", Verdict{Status: StatusNeedsInput, Dialog: true, Since: now.Add(-time.Hour)})
	if id, _ := NextUrgent(snap, ""); id != "%4" {
		t.Errorf("the longest waiting question is %%4, got %s", id)
	}
	var round []PaneID
	for here, n := PaneID(""), 0; n < 4; n++ {
		here, _ = NextUrgent(snap, here)
		round = append(round, here)
	}
	if want := []PaneID{"%4", "%3", "%1", "%4"}; !slices.Equal(round, want) {
		t.Errorf("asked again and again: %v, want %v", round, want)
	}
	set("%3", Verdict{Status: StatusReview, Failed: "rate_limit", Since: now})
	set("%4", Verdict{Status: StatusBusy})
	if id, _ := NextUrgent(snap, ""); id != "%3" {
		t.Errorf("a failed turn goes before a finished one, got %s", id)
	}
}

// TestNextUrgentVisitsAll plays a person who goes from one to the next: a look is all that a finished turn
// waits for, while a question stays open.
func TestNextUrgentVisitsAll(t *testing.T) {
	now := time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)
	snap := targetBoard()
	agent := func(id PaneID) *AgentRow { _, _, p := snap.FindPane(id); return p.Agent }
	agent("%3").Verdict = Verdict{Status: StatusNeedsInput, Since: now.Add(-time.Minute)}
	agent("%1").Verdict = Verdict{Status: StatusReview, Since: now.Add(-2 * time.Minute)}
	agent("%4").Verdict = Verdict{Status: StatusReview, Since: now.Add(-time.Minute)}
	var walk []PaneID
	here := PaneID("%8")
	for n := range 5 {
		here, _ = NextUrgent(snap, here)
		walk = append(walk, here)
		a := agent(here)
		a.Evidence.LookedAt = now.Add(time.Duration(n) * time.Second)
		if a.Verdict.Status == StatusReview {
			a.Verdict = Verdict{Status: StatusIdle, Since: now}
		}
	}
	if want := []PaneID{"%3", "%1", "%4", "%3", "%3"}; !slices.Equal(walk, want) {
		t.Errorf("the walk was %v, want %v", walk, want)
	}
	agent("%1").Verdict = Verdict{Status: StatusReview, Since: now.Add(time.Hour)} // after the last look at it
	if id, _ := NextUrgent(snap, here); id != "%1" {
		t.Errorf("the next is %s, want the one that finished anew", id)
	}
	agent("%3").Verdict.Since = now.Add(2 * time.Hour)
	if id, _ := NextUrgent(snap, ""); id != "%3" {
		t.Errorf("the next is %s, want the new question", id)
	}
}
