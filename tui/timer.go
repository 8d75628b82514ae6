package tui

import (
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/style"
)

const (
	frameEvery = time.Second / style.FrameHz
	// leastWait keeps the one timer from spinning, whatever asks for it.
	leastWait = 20 * time.Millisecond
	// longestWait bounds what an overtaken timer can leave behind: it cannot be stopped, only wait.
	longestWait = time.Minute
	// calmAfter is how long nothing must have happened that a person did or is called for. Then the lamps
	// take half as many steps: nobody waits for them, and a step is most of what a board at rest costs.
	calmAfter = 30 * time.Second
	calmEvery = 2 * frameEvery
	// restAge is how often ages are looked at without the focus. They show minutes by then.
	restAge = 20 * time.Second
)

// timer is the state of the one timer. A tea.Tick cannot be stopped: an overtaken one runs out and
// is known by its number.
type timer struct {
	arm func(d time.Duration, seq uint64) tea.Cmd // tick, but in tests
	seq uint64
	at  time.Time // when the armed one fires; zero for none
}

// wake arms the timer for the next thing that changes by itself, unless it fires earlier anyway.
// When nothing changes for a long time it looks again every longestWait.
func (m *Model) wake() tea.Cmd {
	next := m.nextChange()
	if next.IsZero() {
		return nil
	}
	if least := m.now.Add(leastWait); next.Before(least) {
		next = least
	}
	if most := m.now.Add(longestWait); next.After(most) {
		next = most
	}
	if !m.timer.at.IsZero() && !next.Before(m.timer.at) {
		return nil
	}
	m.timer.seq++
	m.timer.at = next
	return m.timer.arm(next.Sub(m.now), m.timer.seq)
}

// nextChange is the earliest time at which the picture changes by itself, zero for never.
func (m *Model) nextChange() time.Time {
	if m.width == 0 || m.snap == nil {
		return time.Time{}
	}
	age := m.grid.NextChange(m.now)
	if !m.watched() && !age.IsZero() && age.Before(m.now.Add(restAge)) {
		age = m.now.Add(restAge)
	}
	next := earliest(m.onBeat(age), m.notice.until, m.bannerChange(), m.inboxChange(), m.tasksChange(), m.restsAt())
	if m.focused && m.mode == composing {
		next = earliest(next, m.prompt.Next())
	}
	if m.inSight() {
		next = earliest(next, m.previewDue(), m.unseenFrom)
	}
	if m.moving() {
		next = earliest(next, m.onBeat(m.now.Add(1)))
	}
	return next
}

// beat is the time from step to step of the lamps.
func (m *Model) beat() time.Duration {
	if m.now.Sub(m.stirred) >= calmAfter {
		return calmEvery
	}
	return frameEvery
}

// onBeat is the first step of the lamps that is not before t. What grows older waits for it: ages that
// change one by one, each at its own moment of the second, would be as many frames, and each frame makes
// tmux look at every pane it has three times.
func (m *Model) onBeat(t time.Time) time.Time {
	if beat := t.Truncate(m.beat()); !beat.Equal(t) {
		return beat.Add(m.beat())
	}
	return t
}

// moving reports whether a visible lamp moves.
func (m *Model) moving() bool {
	return m.style.Moving && m.watched() && m.mode != reading && m.grid.Moving()
}

// ticked lets time pass. The step of the lamps follows from the clock, so that all boards of a
// person beat together and no step is counted.
func (m *Model) ticked(msg tickMsg) tea.Cmd {
	if msg.seq != m.timer.seq {
		return nil
	}
	m.timer.at = time.Time{}
	if m.moving() {
		m.frame = int(m.now.UnixNano()/int64(m.beat())) % style.Frames
	}
	if !m.notice.until.IsZero() && !m.now.Before(m.notice.until) {
		m.notice = notice{}
	}
	var cmd tea.Cmd
	if m.mode == composing {
		cmd = m.ask(m.prompt.Tick(m.now))
		m.fitPrompt()
	}
	m.rest()
	m.dirty = true
	return tea.Batch(cmd, m.follow())
}

func earliest(times ...time.Time) time.Time {
	var first time.Time
	for _, t := range times {
		if !t.IsZero() && (first.IsZero() || t.Before(first)) {
			first = t
		}
	}
	return first
}
