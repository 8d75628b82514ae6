package tui

import (
	"time"

	"signalbox/tracker"
	"signalbox/tui/prompt"
)

// snapshotMsg brings the next snapshot, or the end of the board.
type snapshotMsg struct {
	snap *tracker.Snapshot
	err  error
}

// tickMsg is the one timer. Its number tells it from timers that were overtaken by an earlier one.
type tickMsg struct {
	seq uint64
	at  time.Time
}

// previewMsg brings a captured screen. deep marks the one with history, for peeking.
type previewMsg struct {
	seq     uint64
	pane    tracker.PaneID
	deep    bool
	preview Preview
	err     error
}

// jumpMsg brings the outcome of a jump or a jump back.
type jumpMsg struct {
	seq     uint64
	outcome JumpOutcome
	err     error
}

// execMsg says that what a jump ran in the board's place has ended.
type execMsg struct{ err error }

// ackMsg says how an acknowledgement went.
type ackMsg struct {
	pane tracker.PaneID
	err  error
}

// hooksMsg brings the state of the hooks. show opens them on the screen.
type hooksMsg struct {
	seq   uint64
	setup HookSetup
	show  bool
	err   error
}

// hooksMovedMsg says that the state of the hooks may have changed, or that the board is closed.
type hooksMovedMsg struct{ err error }

// installedMsg says how installing the hooks went.
type installedMsg struct{ err error }

// senderMsg is something that a check, a send or an entry in the queue tells. The last one has end
// set; until then more brings the next.
type senderMsg struct {
	action  prompt.Action // what was asked for
	stage   string
	lamp    prompt.Lamp // without a name: none
	end     bool
	lamps   []prompt.Lamp  // of a check
	outcome prompt.Outcome // of the others
	more    <-chan senderMsg
}

// queueMsg brings the tasks that wait, or the end of the queue.
type queueMsg struct {
	queue Queue
	err   error
}

// withdrawnMsg says how taking a task out of the queue went.
type withdrawnMsg struct{ err error }
