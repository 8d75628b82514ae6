// Package tracker is the domain of the board: what is known of tmux and of the Claude Code agents
// in it, and what follows from it.
//
// The package is pure. It reads no file, asks no clock and starts no goroutine; time is an input of
// every function that needs it. It imports nothing of ours.
//
// # Flow
//
// Sources send Events. One goroutine (package engine) owns a State and hands it each event with
// Apply, which only stores facts: per agent, the newest fact of each kind, as Evidence. Status is
// never stored. Judge derives it from the Evidence and the time, in one ordered, total function;
// nothing else in the program assigns one. State.Snapshot freezes the result for the readers.
//
// # Ordering and loss
//
// Events may arrive late, twice, or in any order across sources. A fact older than the one already
// known of its kind changes nothing; the same event twice changes nothing the second time. Every
// fact is kept under the key its source knows (a process, a pane, a session) and looked up when an
// agent is judged, so that none has to be known first; what is about things that are no more goes with
// the next complete reading of its source that lacks them. Only transitions (the inbox) depend on
// arrival, and hooks that name no process: they go to whoever is the only one then.
//
// # Identity
//
// An agent is a process: pid and start time. It lives in the pane whose first process is among its
// ancestors. Session ids, names, directories and TMUX_PANE are labels, and may lie.
package tracker
