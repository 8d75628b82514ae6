package tui

import (
	"time"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// banner is what the board has to say about itself: two lines above the grid, or in its place
// when there is nothing to show. Each says what the state means, and which key or command helps.
type banner uint8

// Banners, the most important first.
const (
	bannerNone banner = iota
	bannerNoTmux
	bannerStarting
	bannerTmuxFailed
	bannerNoServer
	bannerNoSession
	bannerSourceFailed
	bannerNoMatch
	bannerNoHooks
	bannerNoAgent
	banners
)

// bannerMost is how many lines a banner above the grid may take, with the blank line below it.
const bannerMost = 7

// banner is the one to show now.
func (m *Model) banner() banner {
	switch {
	case m.opt.NoTmux:
		return bannerNoTmux
	case m.snap == nil || m.snap.Tmux.State == tracker.StateUnknown && len(m.snap.Sessions) == 0:
		return bannerStarting
	case m.snap.Tmux.State == tracker.StateFailed:
		return bannerTmuxFailed
	case m.snap.Tmux.State == tracker.StateAbsent:
		return bannerNoServer
	case len(m.snap.Sessions) == 0:
		return bannerNoSession
	}
	for _, b := range quietBanners {
		if m.holds(b) && !m.dismissed[b] {
			return b
		}
	}
	return bannerNone
}

// quietBanners stand above a board that works. They may be put away with a key.
var quietBanners = [...]banner{bannerSourceFailed, bannerNoHooks, bannerNoAgent}

// holds reports whether what a quiet banner says is so.
func (m *Model) holds(b banner) bool {
	switch b {
	case bannerSourceFailed:
		return m.failedSource() != nil
	case bannerNoHooks:
		return m.hooksSeen && !m.hooks.Installed
	case bannerNoAgent:
		return m.snap.Counts.Agents == 0
	}
	return false
}

// dismiss puts the banner away, and reports whether there was one to put away.
func (m *Model) dismiss() bool {
	b := m.banner()
	for _, q := range quietBanners {
		if b == q {
			m.dismissed[b] = true
			return true
		}
	}
	return false
}

// recall lets a banner that was put away come back once its reason has gone and returned.
func (m *Model) recall() {
	for _, b := range quietBanners {
		if !m.holds(b) {
			m.dismissed[b] = false
		}
	}
}

// fills reports whether the banner stands in the grid's place.
func (m *Model) bannerFills() bool {
	return m.grid.Len() == 0
}

func (m *Model) bannerHeight() int {
	b := m.banner()
	if b == bannerNone || m.snap == nil || len(m.snap.Sessions) == 0 {
		return 0
	}
	h := min(len(m.bannerLines(b))+1, bannerMost)
	if grid.Narrow(m.width) && b >= bannerNoHooks && h+linesBesides+grid.CardLines*m.snap.Counts.Windows > m.height {
		return 0 // a narrow pane is for its rows; advice that can wait gets what they leave
	}
	return h
}

// linesBesides is how many lines of the screen are neither banner nor grid.
const linesBesides = 4

// bannerLines is a banner above the grid, wrapped to the screen.
func (m *Model) bannerLines(b banner) []textRow {
	means, helps, role := m.bannerText(b)
	return wrapped([]textRow{textLine(role, means), textLine(style.Dim, helps)}, m.width, allLines)
}

// bannerText is the two lines. The first says what it means, the second what helps.
func (m *Model) bannerText(b banner) (means, helps string, r style.Role) {
	switch b {
	case bannerNoTmux:
		return "tmux is not installed on this machine.", "Install it, then start the board again.", style.Warn
	case bannerStarting:
		return "Looking at tmux" + m.style.Signs.Ellipsis, "", style.Dim
	case bannerTmuxFailed:
		means := "tmux cannot be reached: " + m.snap.Tmux.Detail
		if s := m.source(tracker.SourceTmux); s != nil && !s.LastOK.IsZero() && len(m.snap.Sessions) > 0 {
			return means, "What you see is " + ageWords(m.now, s.LastOK) + " old. " + m.keysOf("refresh") + " asks again, signalbox doctor says more.", style.Warn
		}
		return means, m.keysOf("refresh") + " asks again, signalbox doctor says more.", style.Warn
	case bannerNoServer:
		return "No tmux server is running here.", "Start one with tmux new -s work, and run claude inside it.", style.Text
	case bannerNoSession:
		return "tmux is running, but has no session.", "Open one with tmux new -s work, and run claude inside it.", style.Text
	case bannerSourceFailed:
		s := m.failedSource()
		return sourceName(s.Source) + " cannot be read" + forHow(m.now, s.Since) + ": " + s.Detail,
			"The rest of the board is true. " + m.keysOf("refresh") + " asks again, " + m.keysOf("clear") + " puts this away.", style.Warn
	case bannerNoMatch:
		return "No window matches.", m.keysOf("clear") + " clears the filter.", style.Text
	case bannerNoHooks:
		means := "Claude Code does not call signalbox yet: changes show late and in part."
		if m.hooks.Partly {
			means = "Claude Code calls signalbox for some of its events only: changes may show late."
		}
		return means,
			m.keysOf("hooks") + " shows what would be written to its settings. " + m.keysOf("clear") + " puts this away.", style.Text
	case bannerNoAgent:
		return "No Claude Code agent runs in these windows.", "Run claude in any of them and it shows up here. " + m.keysOf("clear") + " puts this away.", style.Text
	}
	return "", "", style.Text
}

func forHow(now, since time.Time) string {
	if age := ageWords(now, since); age != "" && age != "now" {
		return " for " + age
	}
	return ""
}

// bannerChange is when the age in a banner changes, zero for never.
func (m *Model) bannerChange() time.Time {
	var at time.Time
	switch m.banner() {
	case bannerTmuxFailed:
		if s := m.source(tracker.SourceTmux); s != nil {
			at = s.LastOK
		}
	case bannerSourceFailed:
		at = m.failedSource().Since
	}
	if _, valid := grid.Age(m.now, at); valid > 0 {
		return m.now.Add(valid)
	}
	return time.Time{}
}

func (m *Model) source(name tracker.Source) *tracker.SourceHealth {
	for i := range m.snap.Sources {
		if m.snap.Sources[i].Source == name {
			return &m.snap.Sources[i]
		}
	}
	return nil
}

// failedSource is the first source besides tmux that cannot be read, or nil.
func (m *Model) failedSource() *tracker.SourceHealth {
	for i := range m.snap.Sources {
		if s := &m.snap.Sources[i]; s.State == tracker.StateFailed && s.Source != tracker.SourceTmux {
			return s
		}
	}
	return nil
}

func sourceName(s tracker.Source) string {
	switch s {
	case tracker.SourceHook:
		return "hooks"
	case tracker.SourceTranscript:
		return "transcripts"
	case tracker.SourceProcess:
		return "processes"
	case tracker.SourceAgents:
		return "claude agents"
	case tracker.SourceJournal:
		return "our own files"
	case tracker.SourceNotify:
		return "the notifier"
	case tracker.SourceSummaries:
		return "the written summaries"
	}
	return string(s)
}
