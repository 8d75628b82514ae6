// Package prompt is the box a person writes a task for an agent in, and the list of tasks that
// wait. Both are state machines: keys, lamps, outcomes and the time go in, typed actions and lines
// of text come out. Nothing here asks the clock, a file or another program.
//
//	Open ──▶ Check ─▶ SetLamps ─┐
//	keys ─▶ text, text lamp ────┼─▶ what Enter means now ─▶ Send ─▶ SetProgress … SetOutcome
//	SetTarget (new snapshot) ───┘                           Queue, Jump, Close
//
// # What Enter means
//
// The word beside the lamps always says what Enter would do: send, queue, jump there, or nothing
// and why. It counts only after that word has stood for a moment (the grace): a key that was on its
// way when the word changed does nothing. A green lamp is a promise about the past; whoever carries
// out Send checks everything again.
//
// # Drafts
//
// A text is kept per pane until it is delivered or queued. Refusals, Esc, another target and closing
// leave it as it is.
//
// A Prompt is used by one goroutine.
package prompt
