package tracker

import (
	"strconv"
	"strings"
	"time"
)

// windowFacts is what is known of a window without an agent. The pane is the one that speaks for it.
type windowFacts struct {
	pane   *PaneRow
	output time.Time  // last output of the window, second resolution
	screen ScreenSeen // zero when nobody has looked
	now    time.Time
	home   string
}

// classify decides the public word for a window without an agent, and says in one line what
// happens in it. The screen is the weakest of its sources: it tells a program that waits at a
// prompt from one that works, and lends its last line, but says nothing on what runs.
//
// The order of the words: what cannot be read or has ended; then active, for activeFor after any
// output; then stopped jobs; then waiting at a prompt or with a question; then what else is quiet.
func classify(f *windowFacts) (WindowKind, string) {
	p := f.pane
	switch {
	case f.screen.Problem != "":
		return KindError, clipLine(f.screen.Problem, maxSummary)
	case p.Dead:
		return ended(f)
	}
	prog := programOf(p)
	line := f.look(&prog)
	kind := KindRunning
	switch paused := prog.shell && len(p.Jobs) > 0; {
	case f.now.Before(f.lastChange().Add(activeFor)):
		kind = KindActive
	case paused:
		kind = KindIdle
	case line.waits():
		kind = KindWaiting
	case prog.shell:
		kind = KindIdle
	}
	return kind, clipLine(f.summary(&prog, line), maxSummary)
}

// lastChange is when the window last showed something new, or another program.
func (f *windowFacts) lastChange() time.Time { return latest(f.output, f.pane.FrontAt) }

// look reads the cursor's line. A look that is older than the last output tells nothing; neither
// does the picture of a full-screen program. A shell nobody has looked at stands at its prompt, as
// shells in front do.
func (f *windowFacts) look(prog *program) cursorLine {
	stale := f.screen.At.IsZero() || f.screen.At.Before(f.output)
	switch {
	case prog.shell && stale:
		return cursorLine{prompt: true}
	case stale || f.screen.Full || fullScreen(prog.name):
		return cursorLine{}
	case prog.shell:
		return readShellLine(f.screen.Cursor)
	case prog.carrier():
		return readCarriedLine(f.screen.Cursor)
	}
	return readProgramLine(f.screen.Cursor)
}

// ended is a pane whose program is gone while tmux keeps the pane.
func ended(f *windowFacts) (WindowKind, string) {
	p := f.pane
	signal := p.DeadSignal
	if signal == 0 {
		signal = signalOnScreen(f.screen.LastLine)
	}
	switch {
	case signal != 0:
		return KindError, "killed by " + signalName(signal)
	case p.DeadStatus > signalStatus:
		return KindError, "exited with status " + strconv.Itoa(p.DeadStatus) + " (" + signalName(p.DeadStatus-signalStatus) + ")"
	case p.DeadStatus != 0:
		return KindError, "exited with status " + strconv.Itoa(p.DeadStatus)
	}
	return KindIdle, "exited"
}

// signalStatus is what shells add to the number of the signal that ended their last command.
const signalStatus = 128

// signalOnScreen finds the signal in what tmux itself writes into a dead pane: "Pane is dead
// (signal 9, Tue Dec  1 …)". Before 3.3 it tells it nowhere else.
func signalOnScreen(line string) int {
	rest, ok := strings.CutPrefix(line, "Pane is dead (signal ")
	if !ok {
		return 0
	}
	number, _, _ := strings.Cut(rest, ",")
	n, err := strconv.Atoi(number)
	if err != nil {
		return 0
	}
	return n
}

// signalName names the signals that have the same number everywhere.
func signalName(n int) string {
	switch n {
	case 1:
		return "SIGHUP"
	case 2:
		return "SIGINT"
	case 3:
		return "SIGQUIT"
	case 4:
		return "SIGILL"
	case 6:
		return "SIGABRT"
	case 8:
		return "SIGFPE"
	case 9:
		return "SIGKILL"
	case 11:
		return "SIGSEGV"
	case 13:
		return "SIGPIPE"
	case 14:
		return "SIGALRM"
	case 15:
		return "SIGTERM"
	}
	return "signal " + strconv.Itoa(n)
}
