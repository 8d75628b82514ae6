// Package hookrecv receives the hook calls of Claude Code.
//
//	Claude Code ─▶ signalbox hook (package client) ─┬─▶ board-<pid>.sock ─▶ Serve ─▶ HookReceived
//	                                                └─▶ event log ─▶ ReadLog ─▶ HookReceived (replayed)
//	signalbox status, send … ─▶ Ask ─▶ board-<pid>.sock ─▶ Handler.Ask
//
// Listen makes a board's socket and Serve takes connections from it; each is one JSON object, a
// hook message (package wire) or a question of a one-shot command. Calls are separate processes
// and arrive in any order. Nothing is dropped: when the receiver of events is slow, connections
// wait in the kernel's queue, and what no board took is in the event log.
//
// Only processes of the same user get that far: the socket lies in a private directory, and where
// the system tells who is at the other end, it is checked.
package hookrecv
