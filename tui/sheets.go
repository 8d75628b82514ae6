package tui

import (
	"slices"
	"strings"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// sheetTitle is the first line of a sheet: what it is, and what there is to know about it.
func (m *Model) sheetTitle() (title, note string) {
	switch m.sheet.kind {
	case sheetPeek:
		return m.paneTitle(m.sheet.pane), m.peekNote()
	case sheetExplain:
		return "why", m.paneTitle(m.sheet.pane)
	case sheetInbox:
		if grid.Narrow(m.width) {
			return "inbox", "newest first"
		}
		return "inbox", "what happened, newest first"
	case sheetTasks:
		return "tasks", "each waits until its agent rests"
	case sheetHooks:
		return "hooks", "how Claude Code tells the board"
	}
	return "keys", "dim ones cannot work now"
}

// sheetMoveKeys are the keys of a movement on the sheet.
func (m *Model) sheetMoveKeys() string {
	if m.sheet.kind == sheetPeek && m.peekBeyond() > 0 {
		return "hjkl"
	}
	return "j k"
}

// sheetMoveHint is what the keys of a movement do on the sheet.
func (m *Model) sheetMoveHint() string {
	if m.sheet.kind == sheetInbox {
		return "choose"
	}
	return "scroll"
}

// sheetEnterHint is what Enter does on the sheet, or "".
func (m *Model) sheetEnterHint() string {
	switch s := m.sheet; {
	case s.kind == sheetPeek, s.kind == sheetExplain, s.kind == sheetInbox && len(m.inbox()) > 0:
		return "jump"
	case s.kind == sheetHooks && m.hooksSeen && !m.hooks.Installed && m.hooks.Problem == "" && !m.opt.ReadOnly:
		return "install"
	}
	return ""
}

func (m *Model) paneTitle(id tracker.PaneID) string {
	s, w, p := m.snap.FindPane(id)
	if p == nil {
		return string(id) + " (gone)"
	}
	return targetOf(s, w, p) + " " + nameOf(w, p)
}

// sheetLines is the content of a text sheet.
func (m *Model) sheetLines(w int) []textRow {
	switch m.sheet.kind {
	case sheetExplain:
		return wrapped(m.explainLines(w), w, allLines)
	case sheetInbox:
		return m.inboxLines(w)
	case sheetHooks:
		return m.hookLines(w)
	}
	return m.helpLines(w)
}

// helpLines is the key table by group, side by side where there is room, and the lamps.
func (m *Model) helpLines(w int) []textRow {
	const keysWidth, columnWidth = 14, 56
	columns := max(1, min(w/columnWidth, 3))
	var blocks [][]textRow
	for _, group := range []string{groupMove, groupDo, groupShow} {
		block := []textRow{textLine(style.Strong, group)}
		for i := range m.keys.table {
			b := &m.keys.table[i]
			if b.group != group || len(b.keys) == 0 {
				continue
			}
			names := make([]string, len(b.keys))
			for j, k := range b.keys {
				names[j] = m.showKey(k)
			}
			role := style.Text
			if b.why(m) != "" {
				role = style.Dim
			}
			block = append(block, row(style.LampNone, col(role, strings.Join(names, " "), keysWidth), txt(role, b.help)))
		}
		blocks = append(blocks, append(block, row(style.LampNone)))
	}
	lamps := []textRow{row(style.LampNone, txt(style.Strong, "Lamps"), txt(style.Dim, "   the first three need you"))}
	for _, l := range style.Legend() {
		lamps = append(lamps, row(l, txt(style.Text, l.Word())))
	}
	blocks = append(blocks, lamps)
	if columns == 1 {
		return wrapped(slices.Concat(blocks...), w, allLines)
	}
	return besides(blocks, columns, (w-2)/columns)
}

// explainLines is the evidence on the agent of the sheet's pane.
func (m *Model) explainLines(w int) []textRow {
	_, _, p := m.snap.FindPane(m.sheet.pane)
	if p == nil || p.Agent == nil {
		return []textRow{textLine(style.Dim, "the agent is gone")}
	}
	v := p.Agent.Verdict
	x := tracker.Explain(p.Agent)
	out := append(m.verdictLines(v, &x, w), row(style.LampNone))
	for _, e := range x.Lines {
		role := style.Dim
		if e.Decided {
			role = style.Text
		}
		age, _ := grid.Age(m.now, e.At)
		source := string(e.Source)
		if e.Source == tracker.SourceNone {
			source = "you"
		}
		out = append(out, row(style.LampNone, col(style.Dim, source, 12), col(style.Dim, age, grid.AgeWidth+2), txt(role, e.Text)).mark(e.Decided))
	}
	out = append(out, row(style.LampNone))
	if x.Conflict != "" {
		out = append(out, pair("conflict", style.Warn, x.Conflict))
	}
	return append(out, pair("ends by", style.Text, x.Changes))
}

// verdictLines is the verdict with since when it holds and who told it, which go on a line of their own
// where one is too short for all.
func (m *Model) verdictLines(v tracker.Verdict, x *tracker.Explanation, w int) []textRow {
	told := x.Told
	if age := ageWords(m.now, v.Since); age != "" {
		told = age + "  " + told
	}
	word := strings.ReplaceAll(x.Status, "-", " ")
	status := []piece{txt(style.Strong, word), txt(style.Text, "  "+x.Reason)}
	if 1+lampPiece+style.Width(style.Clean(word+"  "+x.Reason+"  "+told)) <= w {
		return []textRow{row(style.LampOf(v), append(status, txt(style.Dim, "  "+told))...)}
	}
	return []textRow{row(style.LampOf(v), status...), textLine(style.Dim, told)}
}

func (m *Model) hookLines(w int) []textRow {
	if len(m.hooks.Diff) > 0 && !m.sheet.loading && m.hooksSeen && !m.hooks.Installed && m.hooks.Problem == "" {
		return append(wrapped(m.hookWords(), w, allLines), m.diffLines(w)...)
	}
	return wrapped(m.hookWords(), w, allLines)
}

// hooksFile is the settings file as paths are written everywhere on the board.
func (m *Model) hooksFile() string { return grid.Tilde(m.hooks.File, m.opt.Home) }

func (m *Model) hookWords() []textRow {
	switch {
	case m.sheet.loading:
		return []textRow{textLine(style.Dim, "asking"+m.style.Signs.Ellipsis)}
	case !m.hooksSeen:
		return []textRow{
			textLine(style.Text, "The settings of Claude Code could not be read."),
			textLine(style.Dim, "signalbox doctor says more."),
		}
	case m.hooks.Problem != "":
		return []textRow{textLine(style.Text, "Hooks cannot be installed: "+m.hooks.Problem), textLine(style.Dim, m.hooksFile())}
	case m.hooks.Installed:
		return []textRow{
			textLine(style.Text, "Hooks are installed in "+m.hooksFile()+"."),
			textLine(style.Dim, "signalbox hooks uninstall gives the file back as it was."),
		}
	}
	return []textRow{textLine(style.Text, "This would be written to "+m.hooksFile()+". A copy is kept, and uninstalling gives the file back as it was."), row(style.LampNone)}
}

// diffLines is the change to the settings. Long lines go on below, further in, for it is to be read
// to the end before it is agreed to.
func (m *Model) diffLines(w int) []textRow {
	var out []textRow
	for _, d := range m.hooks.Diff {
		role := style.Dim
		switch {
		case strings.HasPrefix(d, "+"):
			role = style.Good
		case strings.HasPrefix(d, "-"):
			role = style.Bad
		}
		text := style.Clean(strings.ReplaceAll(d, "\t", "  "))
		for first := true; first || text != ""; first = false {
			indent := ""
			if !first {
				indent = "      "
			}
			n := min(max(w-lampPiece-2-len(indent), 1), style.Width(text))
			out = append(out, textLine(role, indent+cells(text, 0, n)))
			text = cells(text, n, style.Width(text))
		}
	}
	return out
}
