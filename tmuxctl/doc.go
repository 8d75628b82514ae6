// Package tmuxctl is the only package of the program that runs tmux: it lists, captures and jumps.
//
// # Connections
//
// A Conn runs command lists on one server. Exec starts a tmux for each; Control keeps one
// control-mode client, and starts a tmux where it has none. Every function here takes a Conn and
// works the same over both. Conns are safe for concurrent use; calls block until tmux has
// answered, the context ends, or the connection's own timeout has passed.
//
// The control-mode client shows up in `tmux list-clients`. It has no size, takes no output, leaves
// the session's environment alone, is not counted as attached by any board, and is not there at
// all where the person's options (destroy-unattached, exit-unattached) give a client a meaning. It
// ends when its input closes, which is when our process ends, however it does.
//
//	Poller ── Lister ──▶ Conn ──▶ tmux
//	   ▲ Notice                    │
//	   └──────── Control.Keep ◀────┘ %window-add, %layout-change …
//
// # Targets
//
// tmux is only ever given ids (%5, @4, $1), checked for their form before the call: an empty or
// malformed target means "the current pane" to tmux, and names match by prefix. Text from
// strangers (titles, names, paths, prompts) is never part of a command.
//
// # Trust
//
// Ids and numbers are what tmux computed; they stand first in every record. Names, titles and
// paths may hold anything and stand behind a marker that nobody can know in advance. A record that
// cannot be read is counted and reported, never guessed.
//
// # Failure
//
// "No server runs" (ErrNoServer) is an answer. Everything else that keeps tmux from answering is a
// failure, and the caller must not take it for an empty list. After ErrBroken it is not known
// whether the commands were run: reads are asked once more, nothing else is.
package tmuxctl
