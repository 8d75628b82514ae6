// Package tuitest makes snapshots for tests of the screen from a compact description, as a tmux
// server with agents in it would give them.
package tuitest

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
)

// Home is the home directory of the people in these snapshots.
const Home = "/home/me"

// Now is the time at which these snapshots were taken.
func Now() time.Time { return time.Date(2026, 3, 4, 10, 30, 0, 0, time.UTC) }

// Parse builds a snapshot at Now from lines such as
//
//	$ api attached                            a session; its windows follow
//	0 claude | needs | Bash: ls > list | 5s | tool=Bash | detail=ls > list | cwd=~/src/api
//	1 server | run | npm run dev :3000 | 3m | ports=3000
//	  + claude | busy | Read x.go | 2m        a further pane of the window above
//	& docs-check | busy | working | 3m        an agent without a pane
//	! registry failed 3m too many watches     a source and its state
//	tmux absent no server                     the state of tmux
//	> review 14m %3 web-tests: done           an entry of the inbox; "over" or "read" may stand before the age
//
// The second field is what is there: needs, question, dialog, review, failed, busy, bg, quiet,
// idle, unknown, suspended; or, without an agent, shell, run, active, error. It panics on a line
// it does not understand: it is for tests.
func Parse(text string) *tracker.Snapshot {
	p := &parser{snap: &tracker.Snapshot{Rev: 1, At: Now(), Tmux: tracker.TmuxState{
		Server: tracker.ServerID{Socket: "/tmp/tmux-1000/default", PID: 100}, Version: "3.4", State: tracker.StateOK,
	}}}
	for _, source := range []tracker.Source{tracker.SourceTmux, tracker.SourceRegistry, tracker.SourceHook, tracker.SourceTranscript} {
		p.snap.Sources = append(p.snap.Sources, tracker.SourceHealth{Source: source, State: tracker.StateOK, Since: Now().Add(-time.Hour), LastOK: Now()})
	}
	for _, line := range strings.Split(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			p.line(line)
		}
	}
	Recount(p.snap)
	return p.snap
}

type parser struct {
	snap  *tracker.Snapshot
	panes int
	pid   int
}

func (p *parser) line(line string) {
	head, rest, _ := strings.Cut(line, " ")
	switch head {
	case "$":
		name, attached := strings.CutSuffix(rest, " attached")
		p.snap.Sessions = append(p.snap.Sessions, &tracker.SessionRow{
			ID: tracker.SessionID("$" + strconv.Itoa(len(p.snap.Sessions))), Name: name, Attached: attached, Activity: Now().Add(-time.Minute),
		})
	case "&":
		f := fields(rest)
		p.pid++
		p.snap.Background = append(p.snap.Background, &tracker.BackgroundRow{
			ID: fmt.Sprintf("%08x", 0x1209a857+p.pid), Name: f.name, State: f.summary, PID: 9000 + p.pid, CWD: f.path("cwd"), Verdict: f.verdict(),
		})
	case "!":
		w := strings.SplitN(rest, " ", 4)
		p.source(tracker.Source(w[0]), w[1], w[2], w[3])
	case "tmux":
		state, detail, _ := strings.Cut(rest, " ")
		p.snap.Tmux.State, p.snap.Tmux.Detail = state, detail
	case ">":
		p.happening(strings.Fields(rest))
	case "+":
		s := p.snap.Sessions[len(p.snap.Sessions)-1]
		w := s.Windows[len(s.Windows)-1]
		w.Panes = append(w.Panes, p.pane(fields(rest), len(w.Panes)))
		lead(w)
	default:
		p.window(line)
	}
}

func (p *parser) happening(w []string) {
	h := &tracker.Happening{Kind: tracker.HappeningKind(w[0])}
	switch w[1] {
	case "over":
		h.Over, w = true, w[1:]
	case "read":
		h.Read, w = true, w[1:]
	}
	d, err := time.ParseDuration(w[1])
	if err != nil {
		panic(err)
	}
	h.At, h.Pane = Now().Add(-d), tracker.PaneID(strings.TrimPrefix(w[2], "-"))
	title, text, _ := strings.Cut(strings.Join(w[3:], " "), ": ")
	h.Title, h.Text = title, text
	p.pid++
	h.Agent = tracker.AgentID{PID: p.pid, Start: 1}
	if _, _, pane := p.snap.FindPane(h.Pane); pane != nil && pane.Agent != nil && pane.Agent.Name == title {
		h.Agent = pane.Agent.ID
	}
	p.snap.Inbox = append(p.snap.Inbox, h)
}

func (p *parser) source(name tracker.Source, state, age, detail string) {
	for i := range p.snap.Sources {
		if s := &p.snap.Sources[i]; s.Source == name {
			d, err := time.ParseDuration(age)
			if err != nil {
				panic(err)
			}
			s.State, s.Since, s.LastOK, s.Detail = state, Now().Add(-d), Now().Add(-d), detail
		}
	}
}

func (p *parser) window(line string) {
	index, rest, _ := strings.Cut(line, " ")
	n, err := strconv.Atoi(index)
	if err != nil {
		panic("tuitest: not a window: " + line)
	}
	f := fields(rest)
	s := p.snap.Sessions[len(p.snap.Sessions)-1]
	w := &tracker.WindowRow{
		ID: tracker.WindowID("@" + strconv.Itoa(p.panes)), Session: s.ID, Index: n, Name: f.name, Active: len(s.Windows) == 0,
		Activity: f.since(), Kind: f.kind(), Summary: f.summary, Rev: p.snap.Rev,
	}
	w.Panes = []*tracker.PaneRow{p.pane(f, 0)}
	s.Windows = append(s.Windows, w)
	lead(w)
}

func (p *parser) pane(f entry, index int) *tracker.PaneRow {
	p.pid++
	row := &tracker.PaneRow{Pane: tracker.Pane{
		ID: tracker.PaneID("%" + strconv.Itoa(p.panes)), Index: index, PID: 4000 + p.pid, Active: index == 0,
		Width: 120, Height: 40, Command: f.command(), Path: f.path("cwd"), Title: f.name,
	}}
	p.panes++
	if ports := f.extra["ports"]; ports != "" {
		for _, port := range strings.Fields(ports) {
			n, _ := strconv.Atoi(port)
			row.Ports = append(row.Ports, n)
		}
	}
	v := f.verdict()
	if v.Status == tracker.StatusNone {
		if f.what != "shell" {
			row.Front = f.summary
		}
		return row
	}
	row.Agent = &tracker.AgentRow{
		ID: tracker.AgentID{PID: 5000 + p.pid, Start: 77}, Pane: row.ID, SessionID: fmt.Sprintf("%08x-0000-4000-8000-000000000000", p.pid),
		Name: f.extra["name"], Version: "2.1.332", CWD: f.path("cwd"), Branch: f.extra["branch"], Mode: f.or("mode", "default"),
		Model: f.or("model", "claude-opus-5-5-20260101"), Tool: f.extra["tool"], ToolDetail: f.extra["detail"], Prompt: f.extra["asked"],
		Last: f.extra["said"], Tokens: tracker.Tokens{Input: f.number("in"), Output: f.number("out"), CacheRead: f.number("cached")}, Verdict: v,
	}
	if q := f.extra["queued"]; q != "" {
		row.Agent.Queued = strings.Split(q, ";")
	}
	return row
}

// lead points the window at its most urgent agent.
func lead(w *tracker.WindowRow) {
	w.Lead, w.Urgency = 0, 0
	for i, p := range w.Panes {
		if p.Agent != nil && p.Agent.Verdict.Urgency() > w.Urgency {
			w.Lead, w.Urgency = i, p.Agent.Verdict.Urgency()
		}
	}
}

// Recount sets the sums of a snapshot after its rows have changed.
func Recount(s *tracker.Snapshot) {
	s.Counts = tracker.Counts{}
	count := func(v tracker.Verdict) {
		s.Counts.Agents++
		switch v.Status {
		case tracker.StatusNeedsInput:
			if !v.Dialog {
				s.Counts.NeedsInput++
			}
		case tracker.StatusReview:
			s.Counts.Review++
			if v.Failed != "" {
				s.Counts.Failed++
			}
		case tracker.StatusUnknown:
			s.Counts.Unknown++
		case tracker.StatusBusy:
			s.Counts.Busy++
		case tracker.StatusIdle:
			s.Counts.Idle++
		}
	}
	s.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		s.Counts.Windows++
		for _, p := range w.Panes {
			if p.Agent != nil {
				count(p.Agent.Verdict)
			}
		}
		return true
	})
	for _, b := range s.Background {
		count(b.Verdict)
	}
}
