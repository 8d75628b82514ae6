package cli

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// statusColumns are target, name, status in words, age, and what happens now.
var statusColumns = []column{{most: 28}, {most: 24, drop: 2}, {most: 28, drop: 1}, {most: grid.AgeWidth, drop: 3}, {}}

// Status prints a reading as a table: a line of counts, then one line per window in tmux's order,
// or per agent where a window holds several. now is what ages are counted from.
func Status(w io.Writer, snap *tracker.Snapshot, now time.Time, o StatusOptions) error {
	if o.Waiting {
		snap = waiting(snap)
	}
	t := &table{columns: statusColumns}
	snap.Windows(func(s *tracker.SessionRow, win *tracker.WindowRow) bool {
		addWindow(t, s, win, now, o.Home)
		return true
	})
	for _, b := range snap.Background {
		v := b.Verdict
		t.add(style.LampOf(v), cell{style.Dim, "background"}, cell{style.Text, first(b.Name, b.ID)}, cell{style.Text, words(v)},
			cell{style.Dim, age(now, v.Since)}, cell{style.Dim, b.State})
	}
	var b strings.Builder
	if head := heading(snap, o); head != "" {
		if o.Width > 0 {
			cut, _ := style.AppendCut(nil, head, o.Width, style.Ellipsis)
			head = string(cut)
		}
		b.WriteString(head + "\n")
	}
	for _, l := range t.lines(o) {
		b.WriteString(l + "\n")
	}
	for _, n := range notes(snap, now) {
		b.WriteString(n + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// addWindow adds the rows of one window.
func addWindow(t *table, s *tracker.SessionRow, win *tracker.WindowRow, now time.Time, home string) {
	agents := 0
	for _, p := range win.Panes {
		if p.Agent != nil {
			agents += 1 + len(p.Others)
		}
	}
	target := s.Name + ":" + strconv.Itoa(win.Index)
	if agents == 0 {
		t.add(style.LampOfWindow(win), cell{style.Dim, target}, cell{style.Text, win.Name}, cell{style.Dim, kindWords(win)},
			cell{style.Dim, age(now, win.Activity)}, cell{style.Dim, grid.Tilde(win.Summary, home)})
		return
	}
	for _, p := range win.Panes {
		at := target
		if len(win.Panes) > 1 {
			at += "." + strconv.Itoa(p.Index)
		}
		for _, a := range agentsIn(p) {
			v := a.Verdict
			t.add(style.LampOf(v), cell{style.Text, at}, cell{style.Text, first(a.Name, win.Name)}, cell{style.Text, words(v)},
				cell{style.Dim, age(now, v.Since)}, cell{style.Text, happening(a)})
		}
	}
}

// agentsIn are the agents of a pane, the one that speaks for it first.
func agentsIn(p *tracker.PaneRow) []*tracker.AgentRow {
	if p.Agent == nil {
		return nil
	}
	return append([]*tracker.AgentRow{p.Agent}, p.Others...)
}

// happening is what an agent does right now or said last, without the words of its status, which
// stand beside it.
func happening(a *tracker.AgentRow) string {
	text := tracker.AgentSummary(a)
	if text == a.Verdict.Reason {
		return a.Prompt
	}
	return strings.TrimPrefix(text, a.Verdict.Reason+": ")
}

// kindWords says what a window without an agent does.
func kindWords(w *tracker.WindowRow) string {
	switch w.Kind {
	case tracker.KindActive:
		if w.AtShell() {
			return "at its prompt"
		}
	case tracker.KindWaiting:
		return "at its prompt"
	case tracker.KindIdle:
		return "quiet"
	case tracker.KindError:
		return "broken" // dead with an error, or unreadable: the summary says which
	}
	return w.Kind.String()
}

// words is a verdict in words.
func words(v tracker.Verdict) string { return first(v.Reason, v.Status.String()) }

func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

func age(now, since time.Time) string {
	text, _ := grid.Age(now, since)
	return text
}

// heading counts what there is; the empty cases say what they mean.
func heading(snap *tracker.Snapshot, o StatusOptions) string {
	switch {
	case snap.Tmux.State == tracker.StateAbsent:
		return "no tmux server is running" + in(snap.Tmux.Server.Socket)
	case snap.Tmux.State == tracker.StateFailed:
		return "tmux cannot be reached: " + style.Clean(snap.Tmux.Detail)
	case o.Waiting && len(snap.Sessions) == 0 && len(snap.Background) == 0:
		return "nobody needs you"
	case o.Waiting:
		return ""
	case len(snap.Sessions) == 0:
		return "tmux has no sessions"
	}
	c := snap.Counts
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{c.NeedsInput, "needs input"}, {c.Failed, "failed"}, {c.Review - c.Failed, "review"}, {c.Busy, "busy"}, {c.Unknown, "unknown"}, {c.Idle, "idle"}} {
		if p.n > 0 {
			word := p.word
			if p.n > 1 && word == "needs input" {
				word = "need input"
			}
			parts = append(parts, fmt.Sprintf("%d %s", p.n, word))
		}
	}
	if len(parts) == 0 {
		return "no agents"
	}
	return strings.Join(parts, " · ")
}

func in(socket string) string {
	if socket == "" {
		return ""
	}
	return " at " + style.Clean(socket)
}

// notes are the sources that cannot be read: what the table says may be old.
func notes(snap *tracker.Snapshot, now time.Time) []string {
	var out []string
	for _, s := range snap.Sources {
		if s.State == tracker.StateFailed {
			out = append(out, fmt.Sprintf("note: %s cannot be read since %s: %s", s.Source, first(age(now, s.Since), "the start"), style.Clean(s.Detail)))
		}
	}
	return out
}

// waiting leaves only the windows and background agents that need a person.
func waiting(snap *tracker.Snapshot) *tracker.Snapshot {
	out := *snap
	out.Sessions, out.Background = nil, nil
	for _, s := range snap.Sessions {
		c := *s
		c.Windows = nil
		for _, w := range s.Windows {
			for _, p := range w.Panes {
				if needsPerson(p) {
					c.Windows = append(c.Windows, w)
					break
				}
			}
		}
		if len(c.Windows) > 0 {
			out.Sessions = append(out.Sessions, &c)
		}
	}
	for _, b := range snap.Background {
		if b.Verdict.NeedsPerson() {
			out.Background = append(out.Background, b)
		}
	}
	return &out
}

func needsPerson(p *tracker.PaneRow) bool {
	for _, a := range agentsIn(p) {
		if a.Verdict.NeedsPerson() {
			return true
		}
	}
	return false
}
