package interlock

import (
	"fmt"
	"time"

	"signalbox/tmuxctl/interlock/composer"
	"signalbox/tracker"
)

// findings is everything that was found out about a target at one time. An error stands where a
// source did not answer in time; it makes its lamp red.
type findings struct {
	look    Look
	lookErr error

	process    Process
	processErr error
	asked      bool // the process table was asked

	// Every look must name the same program in front: then the one that the process table saw there
	// still is.
	front string // what the first look called it
	other string // what a later one did

	rows    []tracker.AgentsEntry
	rowsErr error

	entry    *tracker.RegistryEntry
	entryErr error

	vim    bool
	vimErr error
}

func green(name, remark string) Lamp { return Lamp{Name: name, OK: true, Reason: remark} }

func red(name, format string, args ...any) Lamp {
	return Lamp{Name: name, Reason: fmt.Sprintf(format, args...)}
}

// targetLamp: the pane and the agent in it are the ones the person saw, and not our own.
func targetLamp(t Target, self tracker.PaneID, f findings) Lamp {
	l := f.look
	switch {
	case CheckPane(t.Pane) != nil:
		return red(LampTarget, "%v", CheckPane(t.Pane))
	case t.Server.PID <= 0 || t.PanePID <= 0 || t.Agent.PID <= 0 || t.Agent.Start == 0:
		return red(LampTarget, "it is not known which agent in which pane is meant")
	case f.lookErr != nil:
		return red(LampTarget, "%v", f.lookErr)
	case l.Pane != t.Pane:
		return red(LampTarget, "there is no pane %s", t.Pane)
	case l.ServerPID != t.Server.PID:
		return red(LampTarget, "another tmux server answers: the pane ids mean nothing there")
	case t.Pane == self:
		return red(LampTarget, "that is our own pane")
	case l.PanePID != t.PanePID:
		return red(LampTarget, "another process runs in %s now (pid %d, was %d)", t.Pane, l.PanePID, t.PanePID)
	case !f.asked || f.processErr != nil:
		return red(LampTarget, "cannot tell whether the agent is still in %s", t.Pane)
	case !f.process.Alive:
		return red(LampTarget, "the agent (pid %d) is gone", t.Agent.PID)
	case !f.process.UnderPane:
		return red(LampTarget, "the agent (pid %d) is not in %s", t.Agent.PID, t.Pane)
	}
	return green(LampTarget, "")
}

const (
	// typingPause is how long nobody must have pressed a key in the pane. Claude needs some tens of
	// milliseconds until it has drawn what a key brought about, and a dialog that is not drawn yet
	// is seen by nobody. tmux tells whole seconds, so two of them are at least one.
	typingPause = 2 * time.Second

	// typingWait is how long a send waits for such a pause, typingPoll how often it looks.
	typingWait = 4 * time.Second
	typingPoll = 250 * time.Millisecond
)

// tmuxLamp: what tmux is given will reach the program in the pane, and nobody else, and nobody
// else's keys come in between.
func tmuxLamp(f findings, popup string, now time.Time) Lamp {
	l := f.look
	switch {
	case f.lookErr != nil:
		return red(LampTmux, "%v", f.lookErr)
	case l.Dead:
		return red(LampTmux, "the pane is dead")
	case l.InMode:
		return red(LampTmux, "the pane is in a tmux mode (copy mode, a chooser): leave it with q")
	case l.InputOff:
		return red(LampTmux, "the pane's input is switched off (select-pane -e turns it on)")
	case l.Synchronized:
		return red(LampTmux, "the panes of its window are synchronised")
	case l.Bracketed == FlagOff:
		return red(LampTmux, "the program in the pane does not take bracketed paste")
	}
	for _, c := range l.Clients {
		if c.Pane == l.Pane && c.TTY != popup && now.Sub(c.Active) < typingPause {
			lamp := red(LampTmux, "somebody is typing in the pane (%s)", quote(c.TTY))
			lamp.Passing = true
			return lamp
		}
	}
	return green(LampTmux, "")
}

// processLamp: the agent itself reads from the terminal, and nobody else does.
func processLamp(f findings) Lamp {
	p := f.process
	switch {
	case f.lookErr != nil || !f.asked:
		return red(LampProcess, "not looked at: the pane is not known")
	case f.processErr != nil:
		return red(LampProcess, "%v", f.processErr)
	case !p.Alive:
		return red(LampProcess, "the agent is gone")
	case p.Stopped:
		return red(LampProcess, "the agent is suspended (fg brings it back)")
	case !p.OnTerminal:
		return red(LampProcess, "the agent is on another terminal than the pane's")
	case !p.Foreground:
		return red(LampProcess, "the agent is not in the foreground of the pane")
	case f.other != "":
		return red(LampProcess, "another program came to the foreground: %s", quote(f.other))
	case p.Reader != "":
		return red(LampProcess, "%s reads from the terminal", quote(p.Reader))
	}
	return green(LampProcess, "")
}

// Words of Claude Code's registry and of `claude agents --json` that sending knows.
const (
	wordIdle  = "idle"
	wordBusy  = "busy"
	wordShell = "shell" // registry only: at the prompt, a background shell lives
)

// claudeLamp: Claude itself says that this process, in this session, is idle. The list and the
// registry file are the same word at two times; both must be right.
func claudeLamp(t Target, background bool, f findings) Lamp {
	if f.rowsErr != nil {
		return red(LampClaude, "Claude could not be asked: %v", f.rowsErr)
	}
	if f.entryErr != nil {
		return red(LampClaude, "the registry could not be read: %v", f.entryErr)
	}
	row, bad := oneRow(t, f.rows)
	if bad != "" {
		return red(LampClaude, "%s", bad)
	}
	if e := f.entry; e != nil && e.SessionID != row.SessionID {
		return red(LampClaude, "the session changed")
	}
	shell := f.entry != nil && f.entry.Status == wordShell
	// The list says busy for shell; only the registry can tell them apart.
	if e := f.entry; e != nil {
		if lamp, ok := wordLamp(e.Status, e.WaitingFor, background); !ok {
			return lamp
		}
	}
	if lamp, ok := wordLamp(row.Status, row.WaitingFor, background && shell); !ok {
		return lamp
	}
	if shell || row.Status != wordIdle {
		return green(LampClaude, "a background shell is running")
	}
	return green(LampClaude, "")
}

// unasked is what the lamp says when Claude's list was not asked for.
const unasked = "not asked: something else is in the way"

// unaskedLamp is the lamp of Claude before its list is asked for: red with what the registry file has
// against sending, where ok is false, and otherwise red because nobody has asked.
func unaskedLamp(t Target, background bool, f findings) (l Lamp, ok bool) {
	e := f.entry
	switch {
	case f.entryErr != nil:
		return red(LampClaude, "the registry could not be read: %v", f.entryErr), false
	case e != nil && t.SessionID != "" && e.SessionID != t.SessionID:
		return red(LampClaude, "the agent is in another session now"), false
	case e != nil:
		if l, ok := wordLamp(e.Status, e.WaitingFor, background); !ok {
			return l, false
		}
	}
	return Lamp{Name: LampClaude, Reason: unasked, Passing: true}, true
}

// oneRow finds the one row of the agent in its session.
func oneRow(t Target, rows []tracker.AgentsEntry) (row tracker.AgentsEntry, bad string) {
	n, other := 0, ""
	for _, r := range rows {
		if r.PID != t.Agent.PID {
			continue
		}
		if t.SessionID != "" && r.SessionID != t.SessionID {
			other = r.SessionID
			continue
		}
		row, n = r, n+1
	}
	switch {
	case n > 1:
		return row, "Claude lists this agent more than once"
	case n == 1 && row.SessionID == "":
		return row, "Claude names no session for this agent"
	case n == 1:
		return row, ""
	case other != "":
		return row, "the agent is in another session now"
	}
	return row, "Claude does not list this agent"
}

// wordLamp judges one status word; ok means that nothing is against sending.
func wordLamp(word, waitingFor string, background bool) (Lamp, bool) {
	lamp := Lamp{Name: LampClaude}
	switch {
	case waitingFor != "":
		lamp.Reason = "Claude waits for you: " + quote(waitingFor)
	case word == wordIdle:
		return green(LampClaude, ""), true
	case (word == wordShell || word == wordBusy) && background:
		return green(LampClaude, ""), true
	case word == wordBusy:
		lamp.Reason, lamp.Passing = "Claude is busy", true
	case word == wordShell:
		lamp.Reason, lamp.Passing = "a background shell is running: when it ends, Claude goes on by itself", true
	case word == "waiting":
		lamp.Reason = "Claude waits for you"
	case word == "":
		lamp.Reason, lamp.Passing = "Claude does not say what the agent is doing (it may have only just started)", true
	default:
		lamp.Reason = "Claude says something new: " + quote(word)
	}
	return lamp, false
}

// composerLamp: the input box is there and empty.
func composerLamp(f findings, vimAsked bool) Lamp {
	if f.lookErr != nil {
		return red(LampComposer, "%v", f.lookErr)
	}
	r := composer.Read(f.look.Screen)
	switch {
	case !r.Ready():
		l := red(LampComposer, "%s", r.Reason())
		l.Passing = r.Empty() && r.Veto(composer.Busy, composer.Queue) == "" // both end by themselves
		return l
	case vimAsked && f.vimErr != nil:
		return red(LampComposer, "cannot tell whether the input box has vim keys: %v", f.vimErr)
	case f.vim && !r.Insert:
		return red(LampComposer, "the input box is in vim normal mode")
	}
	return green(LampComposer, "")
}
