package tui

import (
	"context"

	"signalbox/tui/prompt"
)

// Sender sends what a person writes in the prompt, and keeps what has to wait. Methods that take a
// context may block until it ends and are called from goroutines of their own, several at once.
// What they are asked to tell on the way they tell on the caller's goroutine; telling never blocks.
type Sender interface {
	// CheckText judges a text: "" or why it cannot be sent, and a remark. It is called from the
	// drawing loop and must be pure.
	CheckText(text string, asCommand bool) (why, remark string)

	// Check looks at every lamp, types nothing, and tells each as soon as it is known.
	Check(ctx context.Context, a prompt.Action, tell func(prompt.Lamp)) []prompt.Lamp

	// Send checks everything again and sends. tell gets the stages and the lamps on the way; a lamp
	// without a name is none. The end of ctx calls the send off where that is still possible.
	Send(ctx context.Context, a prompt.Action, tell func(stage string, l prompt.Lamp)) prompt.Outcome

	// Enqueue lets a task wait until its agent rests, or changes the waiting task that a names.
	Enqueue(ctx context.Context, a prompt.Action) prompt.Outcome

	// NextQueue blocks until the queue is newer than rev and returns it. It is called with rev 0
	// first, and always once at a time. After an error it is not called again.
	NextQueue(ctx context.Context, rev uint64) (Queue, error)

	// Withdraw takes a task that waits out of the queue, or puts the notice about one that has ended
	// away.
	Withdraw(ctx context.Context, id string) error
}

// Queue is the tasks that wait for their agents, in the order in which they are shown. It is not
// changed after it was returned.
type Queue struct {
	Rev     uint64
	Items   []prompt.Waiting
	News    string // the newest thing that happened to a task, or ""
	Bad     bool   // the news wants the person
	Problem string // why the queue does not work, or ""
}

// waits reports whether a task will still be sent.
func waits(w *prompt.Waiting) bool {
	return w.State == prompt.WaitsForRest || w.State == prompt.BeingSent
}
