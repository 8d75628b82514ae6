// Package desk is the composition root: it gives the commands and the board their sources. It is
// the one package that may import all others, and only main imports it.
//
//	tmuxctl.Poll ───┐
//	hookrecv.Serve ─┤ tracker.Event     ┌ engine.Run: owns State ┐ *Snapshot
//	registry.Watch ─┼── chan, bounded ─▶│ Apply, Settle, publish │──▶ one-slot mailboxes ──▶ board
//	transcript ─────┤                   └────────────────────────┘        ├─▶ steer: what the sources look at
//	procs.Poll ─────┤                                                     ├─▶ journal: last verdicts
//	procs.Watch ────┤                                                     ├─▶ status file
//	summaries ◀─────┴─────── screens, a program ◀─────────────────────────┤
//	                                                                      └─▶ notifications
//
// Start: socket, engine, sources, screen. Stop, in the other order: the screen gives the terminal
// back, the context ends, sources and connections return, the engine drains and closes its
// mailboxes, the socket goes. Every goroutine is supervised; see engine.Supervisor.
package desk
