package tui

import (
	"context"
	"maps"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/prompt"
	"signalbox/tui/style"
)

// composer is the prompt with what the screen has to remember about it.
type composer struct {
	*prompt.Prompt
	stop   context.CancelFunc // calls off what was asked for last; nil when nothing was
	pinned tracker.PaneID     // what was pinned before the prompt was opened
	rows   int                // most rows it had since it was opened: it does not shrink under the reader
	done   bool               // a task went out: what the prompt was opened for is done
}

// maxDrafts bounds the drafts that are kept of other servers, most of which have ended.
const maxDrafts = 50

// compose opens the prompt on the selected agent.
func (m *Model) compose() tea.Cmd {
	pane := m.selectedPane().ID
	m.beginComposing()
	m.pinned = pane
	return m.ask(m.prompt.Open(prompt.TargetIn(m.snap, pane), m.now))
}

// beginComposing gives the keys to the prompt.
func (m *Model) beginComposing() {
	m.mode = composing
	m.prompt.pinned, m.prompt.rows, m.prompt.done = m.pinned, 0, false
}

// endComposing takes them back.
func (m *Model) endComposing() {
	m.callOff()
	m.prompt.Close()
	m.mode = browsing
	if m.pinned == m.prompt.Target().Pane {
		m.pinned = m.prompt.pinned
	}
	m.arrange()
}

// callOff ends what was asked of the sender last.
func (m *Model) callOff() {
	if m.prompt.stop != nil {
		m.prompt.stop()
		m.prompt.stop = nil
	}
}

// composeKey gives a key to the prompt. Two keys choose another agent instead: what was written
// stays with the one that it was written for.
func (m *Model) composeKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "alt+up":
		return m.nextTarget(-1)
	case "alt+down":
		return m.nextTarget(1)
	}
	return m.ask(m.prompt.HandleKey(promptKey(msg), m.now))
}

// promptKey is a key as the prompt reads it. Text has no name: several letters that come at once may
// spell one.
func promptKey(msg tea.KeyMsg) prompt.Key {
	switch {
	case msg.Paste, !msg.Alt && (msg.Type == tea.KeyRunes || msg.Type == tea.KeySpace):
		return prompt.Key{Text: string(msg.Runes), Paste: msg.Paste}
	case msg.Type == tea.KeyTab:
		return prompt.Key{Text: "\t"}
	}
	return prompt.Key{Name: msg.String()}
}

// ask does what the prompt wants.
func (m *Model) ask(a prompt.Action) tea.Cmd {
	switch a.Kind {
	case prompt.Check, prompt.Send, prompt.Queue:
		m.callOff()
		ctx, cancel := context.WithTimeout(context.Background(), askTimeout(a.Kind))
		m.prompt.stop = cancel
		return askSender(ctx, cancel, m.opt.Sender, a)
	case prompt.Cancel:
		m.callOff()
	case prompt.Jump:
		m.endComposing()
		return m.jumpThere(a.Target.Pane)
	case prompt.Close:
		m.endComposing()
		if m.opt.Popup && m.prompt.done {
			return tea.Quit
		}
	}
	return nil
}

// jumpThere jumps to a pane that need not be the selected one.
func (m *Model) jumpThere(pane tracker.PaneID) tea.Cmd {
	m.seq.jump++
	return jumpTo(m.board, pane, m.seq.jump)
}

// answered takes what the sender tells, and waits for more of it.
func (m *Model) answered(msg senderMsg) tea.Cmd {
	p := m.prompt
	switch {
	case !msg.end:
		if msg.stage != "" {
			p.SetStage(msg.action.Seq, msg.stage)
		}
		if msg.lamp.Name != "" {
			p.SetLamp(msg.action.Seq, msg.lamp, m.now)
		}
		return nextAnswer(msg.more)
	case msg.action.Kind == prompt.Check:
		p.SetLamps(msg.action.Seq, msg.lamps, m.now)
	default:
		p.SetOutcome(msg.action.Seq, msg.outcome, m.now)
		if k := msg.outcome.Kind; k == prompt.Delivered || k == prompt.Queued {
			m.prompt.done = true
		}
	}
	return nil
}

// retarget shows the prompt what a new snapshot knows about its agent. It never follows the
// selection by itself: where a text goes is the person's choice.
func (m *Model) retarget() tea.Cmd {
	if m.mode != composing {
		return nil
	}
	old := m.prompt.Target()
	t := prompt.TargetIn(m.snap, old.Pane)
	if t.Gone { // it keeps its name: the panel is about somebody else by now
		t.Where, t.Name = old.Where, old.Name
	}
	return m.ask(m.prompt.SetTarget(t, m.now))
}

// writeTo chooses another agent for the prompt, if it can be written to.
func (m *Model) writeTo(key string) tea.Cmd {
	before, pinned := m.grid.SelectedKey(), m.pinned
	m.grid.Select(key)
	m.pinned = ""
	why := noSend(m)
	var cmd tea.Cmd
	if why == "" {
		m.pinned = m.selectedPane().ID
		cmd = m.ask(m.prompt.SetTarget(prompt.TargetIn(m.snap, m.pinned), m.now))
		if m.prompt.Target().Pane == m.pinned {
			return cmd
		}
	} else {
		m.say(style.Dim, why)
	}
	m.grid.Select(before)
	m.pinned = pinned
	return cmd
}

// nextTarget chooses the next agent on the grid that can be written to.
func (m *Model) nextTarget(step int) tea.Cmd {
	var keys []string
	for _, s := range grid.Arrange(m.snap, m.view) {
		for _, c := range s.Cells {
			if !s.Folded && c.HasAgent() && c.Window != nil {
				keys = append(keys, c.Key)
			}
		}
	}
	if len(keys) == 0 {
		return nil
	}
	at := slices.Index(keys, m.grid.SelectedKey())
	if at < 0 && step < 0 {
		at = 0
	}
	return m.writeTo(keys[(at+step+len(keys))%len(keys)])
}

// promptRows is how many rows the prompt takes. Beside cards it leaves no half one.
func (m *Model) promptRows(w, most int) int {
	n := max(m.prompt.Height(w, most), min(m.prompt.rows, most))
	if odd := (m.areas.body.h-n)%cardRows != 0; m.view.Flat && odd && n < most {
		n++
	}
	return n
}

// cardRows is how many rows a card has.
const cardRows = 2

// fitPrompt divides the screen anew when the prompt has grown.
func (m *Model) fitPrompt() {
	if m.mode != composing {
		return
	}
	if a := &m.areas; a.prompt.h == 0 || m.promptRows(a.prompt.w, a.promptMost) != a.prompt.h {
		m.arrange()
	}
	m.prompt.rows = m.areas.prompt.h
}

// recallDrafts takes over what was written for this tmux server in an earlier run. Pane ids mean
// nothing on another one.
func (m *Model) recallDrafts() {
	if m.drafted || m.snap.Tmux.Server.PID == 0 {
		return
	}
	m.drafted = true
	drafts := map[tracker.PaneID]prompt.Draft{}
	for _, d := range m.opt.Settings.Drafts {
		if d.Server == m.snap.Tmux.Server {
			drafts[d.Pane] = d.Draft
		}
	}
	m.prompt.SetDrafts(drafts)
}

// keptDrafts are the drafts to keep for the next start: ours, and those of other servers.
func (m *Model) keptDrafts() []SavedDraft {
	if !m.drafted {
		return m.opt.Settings.Drafts
	}
	var out []SavedDraft
	for _, d := range m.opt.Settings.Drafts {
		if d.Server != m.snap.Tmux.Server {
			out = append(out, d)
		}
	}
	out = out[max(len(out)-maxDrafts, 0):]
	drafts := m.prompt.Drafts()
	for _, pane := range slices.Sorted(maps.Keys(drafts)) {
		out = append(out, SavedDraft{m.snap.Tmux.Server, pane, drafts[pane]})
	}
	return out
}
