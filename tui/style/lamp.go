package style

import "signalbox/tracker"

// Lamp is what the one cell in front of a row can show. Each has a shape of its own.
type Lamp uint8

// The lamps of agents, and below them those of windows without one.
const (
	LampNone       Lamp = iota // a shell at its prompt
	LampIdle                   // an agent waiting for its next prompt
	LampBusy                   // turns
	LampBackground             // the turn ended, its background work goes on
	LampQuiet                  // busy by its word, no sign of life for minutes: does not turn
	LampNeeds                  // pulses
	LampDialog                 // the person's own dialog: needs-input that nobody is called for
	LampReview                 // pulses
	LampFailed                 // a turn that ended in an error, on review's place
	LampUnknown
	LampRunning // a program without an agent, running
	LampBroken  // a pane that died with an error or cannot be read, an agent that is gone
	lamps
)

// Frames is how many steps a moving lamp has. The clock makes FrameHz steps a second: a spinner
// turns once in two seconds and a pulse beats once a second, slow enough to ignore.
const (
	Frames  = 4
	FrameHz = 2
)

// LampOf is the lamp of a verdict.
func LampOf(v tracker.Verdict) Lamp {
	switch v.Status {
	case tracker.StatusNeedsInput:
		if v.Dialog {
			return LampDialog
		}
		return LampNeeds
	case tracker.StatusReview:
		if v.Failed != "" {
			return LampFailed
		}
		return LampReview
	case tracker.StatusUnknown:
		return LampUnknown
	case tracker.StatusBusy:
		switch {
		case v.Background > 0:
			return LampBackground
		case v.Quiet:
			return LampQuiet
		}
		return LampBusy
	case tracker.StatusIdle:
		return LampIdle
	}
	return LampNone
}

// LampOfWindow is the lamp of a window: that of its most urgent agent, else one for what runs in it.
func LampOfWindow(w *tracker.WindowRow) Lamp {
	if a := w.Agent(); a != nil {
		return LampOf(a.Verdict)
	}
	switch w.Kind {
	case tracker.KindError:
		return LampBroken
	case tracker.KindActive, tracker.KindRunning:
		if w.AtShell() { // active for a while after any output, also that of its prompt
			return LampNone
		}
		return LampRunning
	}
	return LampNone
}

// Moves reports whether the lamp has more than one step.
func (l Lamp) Moves() bool {
	return l == LampBusy || l == LampNeeds || l == LampReview || l == LampFailed
}

// Word is what the lamp means, for those who do not see it.
func (l Lamp) Word() string { return looks[l].word }

// Predicate is a status as a sentence about an agent goes on: "is busy", "needs input".
func Predicate(s tracker.Status) string {
	if s == tracker.StatusNeedsInput {
		return "needs input"
	}
	return "is " + s.String()
}

// look is the shape and the inks of a lamp. Two inks make a pulse, four shapes a spinner.
type look struct {
	word       string
	unicode    [Frames]string
	ascii      [Frames]string
	role, soft Role
}

func still(s string) [Frames]string { return [Frames]string{s, s, s, s} }

// No two lamps share a shape, in either set: without colours the shape is all there is. Circles are
// work in its kinds, and the fuller one is, the more there is to do for a person.
var looks = [lamps]look{
	LampNone:       {"no agent", still(" "), still(" "), Dim, Dim},
	LampIdle:       {"idle", still("·"), still("."), Idle, Idle},
	LampBusy:       {"busy", [Frames]string{"◐", "◓", "◑", "◒"}, [Frames]string{"|", "/", "-", "\\"}, Busy, Busy},
	LampBackground: {"background work", still("◌"), still("o"), Busy, Busy},
	LampQuiet:      {"busy, but quiet", still("⊖"), still("="), Dim, Dim},
	LampNeeds:      {"needs input", still("▲"), still("!"), Needs, NeedsSoft},
	LampDialog:     {"your own dialog", still("△"), still("^"), Dim, Dim},
	LampReview:     {"review", still("◆"), still("*"), Review, ReviewSoft},
	LampFailed:     {"failed", still("✕"), still("x"), Failed, Failed},
	LampUnknown:    {"unknown", still("?"), still("?"), Unknown, Unknown},
	LampRunning:    {"running", still("▸"), still(">"), Dim, Dim},
	LampBroken:     {"ended, or cannot be read", still("†"), still("#"), Dim, Dim},
}

// Legend lists the lamps worth explaining, most urgent first.
func Legend() []Lamp {
	return []Lamp{LampNeeds, LampFailed, LampReview, LampUnknown, LampBusy, LampBackground, LampQuiet, LampDialog, LampIdle, LampRunning, LampBroken}
}
