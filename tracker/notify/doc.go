// Package notify tells a person who does not look at the board what happened on it.
//
//	snapshots ──▶ Gather: which entries of the inbox are news ──▶ Compose: one message ──▶ Tell
//
// The inbox has one entry per transition, whoever told of it and however often. Gather takes each
// entry once, waits a moment for its text and for others that come together with it, and drops what
// has been answered or seen by then. All of that is a function of snapshots and times; Run adds the
// timers and calls what tells, one message at a time.
//
// Nothing that recovery brings is news: what became true before the board began, and what the board
// finds out about the past in its first seconds.
package notify
