package tui

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// facts is what the panel says of the selection: at most n rows, the most telling first.
func (m *Model) facts(n int) []textRow {
	c, ok := m.grid.Selected()
	if !ok {
		return nil
	}
	var rows []textRow
	switch p := m.selectedPane(); {
	case c.Background != nil:
		rows = m.backgroundFacts(c.Background)
	case p == nil:
		return nil
	case p.Agent != nil:
		rows = m.agentFacts(c, p, p.Agent)
	default:
		rows = m.windowFacts(c, p)
	}
	return fitRows(rows, n, m.areas.panel.w)
}

// fitRows breaks long rows into up to three lines as far as n lines allow, and drops what is left
// over. The last row is where and with what: it stays whole, and is worth more than the middle ones.
func fitRows(rows []textRow, n, w int) []textRow {
	if len(rows) > n {
		return append(rows[:n-1:n-1], rows[len(rows)-1])
	}
	last := len(rows) - 1
	for most := 3; most > 1; most-- {
		if broken := append(wrapped(rows[:last], w, most), rows[last]); len(broken) <= n {
			return broken
		}
	}
	return rows
}

func (m *Model) agentFacts(c grid.Cell, p *tracker.PaneRow, a *tracker.AgentRow) []textRow {
	v := a.Verdict
	rows := []textRow{m.headline(style.LampOf(v), targetOf(c.Session, c.Window, p), nameOf(c.Window, p), roleOf(v), reason(v),
		slices.Concat([]string{ageWords(m.now, v.Since), tracker.Told(v.Source)}, modifiers(a), []string{attached(c)}))}
	tool := pair(verb(v), style.Text, toolText(a))
	asked := pair("asked", style.Dim, a.Prompt)
	said := pair("said", style.Text, a.Last)
	later := pair("later", style.Text, m.tasksFor(p.ID))
	if v.Status == tracker.StatusBusy || v.Status == tracker.StatusNeedsInput {
		said.pieces[2].role = style.Dim
		rows = appendText(rows, tool, later, asked, said)
	} else {
		rows = appendText(rows, later, said, asked)
	}
	if len(a.Queued) > 0 {
		rows = append(rows, pair("queued", style.Text, strings.Join(a.Queued, "  "+m.style.Signs.Dot+"  ")))
	}
	rows = m.appendPanes(rows, c.Window, p)
	rows = appendEarlier(rows, a)
	where := grid.Tilde(cmp.Or(a.CWD, p.Path), m.opt.Home)
	if a.Branch != "" {
		where += " (" + a.Branch + ")"
	}
	return appendText(rows, m.dotted(style.Dim, modelName(a.Model), modeName(a.Mode), tokenWords(a.Tokens), where, ports(p.Ports)))
}

func (m *Model) windowFacts(c grid.Cell, p *tracker.PaneRow) []textRow {
	w := c.Window
	lamp := style.LampOfWindow(w)
	state := kindWords(w)
	if p.ID == m.opt.Self {
		state = "this board"
	}
	var out string
	if !w.Activity.IsZero() {
		out = "output " + ageWords(m.now, w.Activity)
		if !strings.HasSuffix(out, "now") {
			out += " ago"
		}
	}
	rows := []textRow{m.headline(lamp, targetOf(c.Session, w, p), w.Name, style.Text, state, []string{out, attached(c)})}
	rows = appendText(rows, pair("runs", style.Text, cmp.Or(p.Front, p.Command)))
	if len(p.Jobs) > 0 {
		rows = append(rows, pair("stopped", style.Text, strings.Join(p.Jobs, ", ")))
	}
	rows = m.appendPanes(rows, w, p)
	return appendText(rows, m.dotted(style.Dim, grid.Tilde(p.Path, m.opt.Home), ports(p.Ports)))
}

func (m *Model) backgroundFacts(b *tracker.BackgroundRow) []textRow {
	v := b.Verdict
	rows := []textRow{m.headline(style.LampOf(v), "background", b.Name, roleOf(v), v.Reason,
		[]string{ageWords(m.now, v.Since), tracker.Told(v.Source)})}
	rows = append(rows, textLine(style.Dim, "It runs without a pane: there is no screen to show and nowhere to jump to."))
	process := ""
	if b.PID > 0 {
		process = "process " + strconv.Itoa(b.PID)
	}
	return append(rows, m.dotted(style.Dim, b.ID, b.State, process, grid.Tilde(b.CWD, m.opt.Home)))
}

// attached says of a window what the title of its session would say, where it has none.
func attached(c grid.Cell) string {
	if c.Solo && c.Session.Attached {
		return "attached"
	}
	return ""
}

// nameMost keeps a long name from pushing the status off the line.
const nameMost = 28

// headline is lamp, place and name, then the state in its colour and what is to say about it.
func (m *Model) headline(l style.Lamp, target, name string, r style.Role, state string, more []string) textRow {
	t := row(l, short(style.Dim, target, nameMost), txt(style.Text, " "), short(style.Strong, name, nameMost), txt(style.Text, "   "), txt(r, state))
	for _, s := range more {
		if s != "" {
			t.pieces = append(t.pieces, txt(style.Dim, " "+m.style.Signs.Dot+" "+s))
		}
	}
	return t
}

// dotted is a row of small facts with dots between them, without the empty ones.
func (m *Model) dotted(r style.Role, parts ...string) textRow {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return textLine(r, strings.Join(kept, " "+m.style.Signs.Dot+" "))
}

// appendPanes names the panes of a window that has several, and which one is shown.
func (m *Model) appendPanes(rows []textRow, w *tracker.WindowRow, shown *tracker.PaneRow) []textRow {
	if len(w.Panes) < 2 {
		return rows
	}
	t := row(style.LampNone, col(style.Dim, "panes", labelWidth))
	for _, p := range w.Panes {
		role, lamp := style.Dim, style.LampNone
		if p == shown {
			role = style.Strong
		}
		if p.Agent != nil {
			lamp = style.LampOf(p.Agent.Verdict)
		}
		name := p.Command
		if p.Agent != nil && p.Agent.Name != "" {
			name = p.Agent.Name
		}
		if lamp != style.LampNone {
			t.pieces = append(t.pieces, piece{isLamp: true, lamp: lamp, w: lampPiece})
		}
		t.pieces = append(t.pieces, txt(role, "."+strconv.Itoa(p.Index)+" "+name), txt(style.Text, "   "))
	}
	return append(rows, t)
}

// appendEarlier shows what the agent was before, newest first, and how long each lasted.
func appendEarlier(rows []textRow, a *tracker.AgentRow) []textRow {
	if len(a.Earlier) == 0 {
		return rows
	}
	t := row(style.LampNone, col(style.Dim, "before", labelWidth))
	for _, s := range a.Earlier {
		t.pieces = append(t.pieces, piece{isLamp: true, lamp: style.LampOf(s.Verdict), w: lampPiece, still: true},
			txt(style.Dim, lasted(s.Until.Sub(s.Verdict.Since))), txt(style.Text, "   "))
	}
	return append(rows, t)
}

// appendText appends the rows whose text is not empty.
func appendText(rows []textRow, more ...textRow) []textRow {
	for _, r := range more {
		if r.pieces[len(r.pieces)-1].text != "" {
			rows = append(rows, r)
		}
	}
	return rows
}

func verb(v tracker.Verdict) string {
	if v.Status == tracker.StatusNeedsInput {
		return "wants"
	}
	return "does"
}

func toolText(a *tracker.AgentRow) string {
	switch a.Tool {
	case "":
		return ""
	case "ExitPlanMode":
		return "to carry out its plan"
	case "AskUserQuestion":
		return "an answer: " + a.ToolDetail
	}
	if a.ToolDetail == "" {
		return a.Tool
	}
	return a.Tool + "  " + a.ToolDetail
}

// reason is the verdict in words, with the kind of an API error.
func reason(v tracker.Verdict) string {
	if v.Failed == "" || strings.Contains(v.Reason, v.Failed) {
		return v.Reason
	}
	return v.Reason + " (" + strings.ReplaceAll(v.Failed, "_", " ") + ")"
}

// modifiers are the remarks beside a status.
func modifiers(a *tracker.AgentRow) []string {
	v := a.Verdict
	var out []string
	add := func(on bool, text string) {
		if on {
			out = append(out, text)
		}
	}
	add(v.Background > 0, plural(v.Background, "background task", "background tasks"))
	add(v.Subagents > 0, plural(v.Subagents, "subagent", "subagents"))
	add(v.Compacting, "compacting")
	add(v.Quiet, "no sign of progress")
	add(a.SharesSession, "shares its session with another agent")
	return out
}

func ports(list []int) string {
	var out []string
	for _, p := range list {
		out = append(out, ":"+strconv.Itoa(p))
	}
	return strings.Join(out, " ")
}

// roleOf is the ink of a status, where a word stands for its lamp.
func roleOf(v tracker.Verdict) style.Role {
	switch style.LampOf(v) {
	case style.LampNeeds:
		return style.Needs
	case style.LampReview:
		return style.Review
	case style.LampFailed:
		return style.Failed
	case style.LampBusy, style.LampBackground:
		return style.Busy
	}
	return style.Text
}
