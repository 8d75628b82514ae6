package tui

import (
	"strconv"

	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// viewChoice is one choice of the view that is not the default, behind the key that changes it.
type viewChoice struct{ key, text string }

func (c viewChoice) width() int {
	if c.key == "" {
		return style.Width(c.text)
	}
	return style.Width(c.key) + 1 + style.Width(c.text)
}

// viewChoices names everything that makes the board show less, or show it otherwise, than a person
// who has just started it would expect, and a count being typed.
func (m *Model) viewChoices() []viewChoice {
	var out []viewChoice
	if m.count > 0 {
		out = append(out, viewChoice{"", strconv.Itoa(m.count)})
	}
	if !m.view.Query.Empty() {
		out = append(out, viewChoice{"", "/" + style.Clean(m.filter.String())})
	}
	if m.view.Filter != grid.FilterAll {
		out = append(out, viewChoice{m.keysOf("filter-status"), "only " + filterWords[m.view.Filter]})
	}
	if m.now.Before(m.silent) {
		out = append(out, viewChoice{m.keysOf("silence"), "silent until " + m.silent.Format("15:04")})
	}
	ordered := m.view.Sort != grid.SortTmux
	if m.view.Flat { // which is by urgency anyway
		ordered = m.view.Sort == grid.SortActivity
	}
	if ordered {
		out = append(out, viewChoice{m.keysOf("sort"), "by " + sortWords[m.view.Sort]})
	}
	if m.view.Group != grid.GroupSession && !m.view.Flat {
		out = append(out, viewChoice{m.keysOf("group"), "by " + groupWords[m.view.Group]})
	}
	return out
}

// The words for the choices, in the order in which their keys go round.
var (
	filterWords = [...]string{grid.FilterAll: "all", grid.FilterNeeds: "needs you", grid.FilterBusy: "busy", grid.FilterAgents: "agents"}
	sortWords   = [...]string{grid.SortTmux: "tmux", grid.SortUrgency: "urgency", grid.SortActivity: "activity"}
	groupWords  = [...]string{grid.GroupSession: "session", grid.GroupRepository: "repository"}
)

// putViewChoices writes the choices at the right end of the line, in the form of the hints but bright.
func (m *Model) putViewChoices(l *liner, choices []viewChoice) {
	used := 0
	for i, c := range choices {
		if i > 0 {
			used += hintGap
		}
		used += c.width()
	}
	l.gap(l.left - used - 1)
	for i, c := range choices {
		if i > 0 {
			l.gap(hintGap)
		}
		if c.key != "" {
			l.put(style.Text, c.key)
			l.gap(1)
		}
		l.put(style.Strong, c.text)
	}
}
