package tui

import (
	"strconv"
	"strings"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// counter is one lamp of the header with its number.
type counter struct {
	lamp   style.Lamp
	n      int
	word   string // the status's own, whatever the number: what stands behind it keeps its place
	rare   bool   // shown only when it is not zero
	strong bool   // the number is worth weight
}

// counters is the sum of the board. The first four always stand in their place, lit or not, so
// that a glance always falls on the same spot.
func (m *Model) counters() []counter {
	var c tracker.Counts
	if m.snap != nil {
		c = m.snap.Counts
	}
	return []counter{
		{lamp: style.LampNeeds, n: c.NeedsInput, word: "needs input", strong: true},
		{lamp: style.LampFailed, n: c.Failed, word: "failed", rare: true, strong: true},
		{lamp: style.LampReview, n: c.Review - c.Failed, word: "review", strong: true},
		{lamp: style.LampBusy, n: c.Busy, word: "busy"},
		{lamp: style.LampIdle, n: c.Idle, word: "idle"},
		{lamp: style.LampUnknown, n: c.Unknown, word: "unknown", rare: true},
	}
}

// appendHeader is the first line: the name, what the agents do, and how well the board sees.
func (m *Model) appendHeader(b []byte) []byte {
	l := m.liner(b, m.width)
	narrow := grid.Narrow(m.width)
	l.gap(1)
	if !narrow {
		l.put(style.Strong, appName)
		l.gap(3)
	}
	words := wordsNone
	for words < wordsAll && !narrow && m.countersWidth(words+1)+minHealth <= l.left {
		words++
	}
	for _, c := range m.counters() {
		m.putCounter(&l, c, words)
	}
	health, role := m.health(l.left - 2)
	l.gap(l.left - style.Width(health) - 1)
	l.put(role, health)
	return l.end()
}

// How many of the counters carry their words. Where room is short, busy and idle lose theirs first, and
// then all move closer together.
const (
	wordsNone = iota
	wordsClose
	wordsSome
	wordsAll
)

// counterGap is the room behind a counter.
var counterGap = [...]int{wordsNone: 1, wordsClose: 2, wordsSome: 3, wordsAll: 3}

// worded reports whether a counter carries its words.
func (c counter) worded(words int) bool { return words == wordsAll || words > wordsNone && c.strong }

// minHealth is the room kept for the state of the sources before counters lose their words.
const minHealth = 6

func (m *Model) countersWidth(words int) int {
	w := 0
	for _, c := range m.counters() {
		if c.n == 0 && c.rare {
			continue
		}
		w += 1 + digits(c.n) + counterGap[words]
		if words > wordsNone {
			w++
		}
		if c.worded(words) {
			w += 1 + len(c.word)
		}
	}
	return w
}

func digits(n int) int { return len(strconv.Itoa(n)) }

func (m *Model) putCounter(l *liner, c counter, words int) {
	if c.n == 0 && c.rare {
		return
	}
	number, word := style.Text, style.Dim
	if c.strong && c.n > 0 {
		number, word = style.Strong, style.Text
	}
	if c.n == 0 {
		number, word = style.Faint, style.Faint
		l.put(style.Faint, m.style.Shape(c.lamp))
	} else {
		l.raw(m.style.Lamp(c.lamp, 0), 1)
	}
	if words > wordsNone {
		l.gap(1)
	}
	l.put(number, strconv.Itoa(c.n))
	if c.worded(words) {
		l.gap(1)
		l.put(word, c.word)
	}
	l.gap(counterGap[words])
}

// health is the state of the sources in at most w cells: each by name where there is room, else
// the worst of them.
func (m *Model) health(w int) (string, style.Role) {
	if m.snap == nil {
		return "", style.Dim
	}
	var names, bad []string
	for i := range m.snap.Sources {
		s := &m.snap.Sources[i]
		names = append(names, sourceName(s.Source))
		if s.State == tracker.StateFailed {
			text := sourceName(s.Source) + " stale"
			if age, _ := grid.Age(m.now, s.Since); age != "" && age != "now" {
				text += " " + age
			}
			bad = append(bad, text)
		}
	}
	switch {
	case len(bad) == 1:
		return m.fitting(w, style.Warn, bad[0], "stale")
	case len(bad) > 1:
		return m.fitting(w, style.Warn, strings.Join(bad, "  "), strconv.Itoa(len(bad))+" sources stale", "stale")
	case m.hooksSeen && m.hooks.Partly:
		return m.fitting(w, style.Warn, "hooks in part", "some hooks")
	case m.hooksSeen && !m.hooks.Installed:
		return m.fitting(w, style.Warn, "hooks off", "no hooks")
	case len(names) == 0:
		return "", style.Dim
	case m.snap.Tmux.State == tracker.StateAbsent:
		return m.fitting(w, style.Dim, "no tmux server", "no tmux")
	}
	return m.fitting(w, style.Dim, strings.Join(names, " "+m.style.Signs.Dot+" ")+" ok", "all sources ok", "all ok", "ok")
}

// fitting is the first text that fits.
func (m *Model) fitting(w int, r style.Role, texts ...string) (string, style.Role) {
	for _, t := range texts {
		if style.Width(t) <= w {
			return t, r
		}
	}
	return "", r
}
