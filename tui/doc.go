// Package tui is the board's screen: the only tea.Model of the program, with its modes, its keys
// and the frames it draws.
//
//	Board.Next ──▶ snapshotMsg ──┐
//	key, mouse, resize, focus ───┤ Update: mode ─▶ binding ─▶ state, command
//	results of commands ─────────┤   │
//	one timer ──▶ tickMsg ───────┘   ▼ dirty
//	                               View: header, banner, grid │ panel, footer ─▶ cached string
//	                                 ▼
//	                               screenOut: writes the lines that differ
//
// # What may happen where
//
// Update and View never run a program, touch a file or wait for anything but the terminal. Whatever may take time is a method
// of Board or Sender and is called from a command (commands.go and sending.go, the only files that
// make one). Each command has a deadline, except those that wait for the next snapshot and the next
// queue: they end when the board is closed. What a check or a send tells on its way comes through a
// channel that a command pulls one by one (sending.go). Each result carries a number; a result older than the newest request of its kind is
// dropped.
//
// # What comes from the terminal
//
// Not everything that arrives where keys do is one: reports of the focus, and late answers to what the
// terminal was asked, are sorted out before Update sees them (heard.go). Keys that are pressed before there is
// a board wait for it (early.go).
//
// # Where a text goes
//
// The prompt (composing.go) never follows the selection: it is about the pane it was opened on until
// the person chooses another agent. A draft stays with the pane it was written for.
//
// # Time
//
// There is one timer. It is armed for the earliest thing that changes by itself: a step of a moving
// lamp, an age text, a preview that is due, a notice that fades. With nothing of that kind nothing
// wakes up. Lamps move and previews refresh only while the terminal has the focus; ages go on,
// because a board on a second screen is looked at without it.
//
// # Text
//
// Everything that a snapshot or a pane brings is foreign text. It is drawn through package style,
// which takes away whatever could move a cursor; captured screens keep their colours and nothing
// else (screen.go).
package tui
