package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// Widths of the columns of an explanation.
const (
	explainMark   = 2
	explainSource = 12
	explainAge    = grid.AgeWidth + 2
)

// Explain prints why the agents of a pane have their status: each piece of evidence with its age,
// the one that decided marked, and what would change the verdict.
func Explain(w io.Writer, snap *tracker.Snapshot, p *tracker.PaneRow, now time.Time) error {
	s, win, _ := snap.FindPane(p.ID)
	if s == nil {
		return &Exit{Code: ExitNoTarget, Err: fmt.Errorf("%s is gone", p.ID)}
	}
	var b strings.Builder
	at := fmt.Sprintf("%s.%d", style.Clean(targetOf(s, win)), p.Index)
	agents := agentsIn(p)
	if len(agents) == 0 {
		fmt.Fprintf(&b, "%s  %s\nno agent: %s\n", at, p.ID, style.Clean(agentless(win, p)))
	}
	for i, a := range agents {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s  %s  %s\n", at, p.ID, style.Clean(first(a.Name, a.SessionID, "a nameless agent")))
		explainAgent(&b, a, now)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// agentless says what a pane without an agent does. What is known of the window is about the pane that
// speaks for it, and not about another one beside it.
func agentless(win *tracker.WindowRow, p *tracker.PaneRow) string {
	if lead := win.LeadPane(); lead == nil || lead.ID != p.ID {
		return "runs " + first(p.Front, p.Command, "nothing")
	}
	return kindWords(win) + ", " + first(win.Summary, p.Command, "nothing to say")
}

func explainAgent(b *strings.Builder, a *tracker.AgentRow, now time.Time) {
	x := tracker.Explain(a)
	fmt.Fprintf(b, "%s: %s, %s", x.Status, style.Clean(x.Reason), x.Told)
	if since := age(now, a.Verdict.Since); since != "" {
		fmt.Fprintf(b, ", for %s", strings.Replace(since, "now", "a moment", 1))
	}
	b.WriteString("\n\n")
	for _, l := range x.Lines {
		mark := "  "
		if l.Decided {
			mark = "▸ "
		}
		source := string(l.Source)
		if l.Source == tracker.SourceNone {
			source = "you"
		}
		b.WriteString(style.Fit(mark, explainMark) + style.Fit(source, explainSource) + style.Fit(first(age(now, l.At), "-"), explainAge) + style.Clean(first(l.Text, "no status")) + "\n")
	}
	if x.Conflict != "" {
		fmt.Fprintf(b, "\nconflict: %s\n", style.Clean(x.Conflict))
	}
	if x.Changes != "" {
		fmt.Fprintf(b, "\nchanges when: %s\n", style.Clean(x.Changes))
	}
}
