// Package interlock is the send transaction: it types a task into a Claude Code agent's input box
// and presses Enter, or proves why it must not. It never types into a pane that is not proven ready.
//
// The core is pure order and judgement. It reaches the world through four small interfaces (Tmux,
// Processes, Claude, Receipts, and optionally Editor), so that a test can fail, delay or reorder
// every step.
//
// # The transaction
//
//	text      prepare and judge what will be typed                       nothing is touched
//	lamps     target, tmux, process, claude, composer, text              all green, or refused
//	watch     for receipts: somebody else may press Enter on our text    cannot: refused
//	again     process, registry and, last, the pane once more: the slow lamp took its time
//	type      a private buffer, pasted in brackets, if tmux itself finds the guard true
//	echo      wait until our text, or Claude's placeholder for it, stands in the box
//	again     lamps 1 to 4, slow one first, and the echo on a fresh screen
//	enter     one Enter, alone, if tmux itself finds the second guard true
//	receipt   wait until the prompt is part of this session's conversation
//
// # What is guaranteed
//
// Enter is pressed at most once per Send. Nothing is ever typed but the text inside paste brackets
// and that one Enter: no clearing key, no retry. The outcome is the truth: Refused means that no
// byte was sent; Withheld that Enter was not pressed; Unconfirmed that Enter was pressed, or that
// tmux did not say whether it was; Delivered that the prompt is part of the conversation. Where tmux
// failed to answer, the detail says "may". When somebody else pressed Enter on the text, the outcome
// is that of their Enter, and says so.
//
// Claude runs all UserPromptSubmit hooks at once, so our hook hears of a prompt that another one may
// still block. Its word makes the send wait longer: for the transcript, or for a later hook of the same
// prompt, where a session keeps none. The screen never proves it; it may say that the text came back.
// Where two agents have one session open, the prompt's id tells whose it is.
//
// Both guards are evaluated inside the tmux server, in the command queue that also holds the keys.
// tmux serves nobody and reads no output between the two, so whatever the guard saw on the screen
// still stands there when the keys are written.
//
// What remains is the time from a key, or a change of Claude's mind, until its dialog is drawn: some
// tens of milliseconds. A paste is ignored by every dialog of Claude's; only the Enter could be
// taken. On an idle agent a dialog opens by background work, which lamp 4 knows, or by a person's
// hand: so nothing is typed, and Enter is not pressed, unless every client whose keys go to the
// pane has been quiet for a second (lamp 2), and the guard of the Enter asks that nobody pressed a
// key in the session since. Keys that another program sends are not seen by that.
//
// A missing -t target does not make if-shell fail, so the guards compare the pane's id as well.
// The guards never hold text of others: fragments of the screen enter them with every character
// that means something to a format or an expression replaced by "any character".
//
// # Before tmux 3.7
//
// tmux can say whether the program asked for brackets only since 3.7 (bracket_paste_flag). Before,
// the guard asks for something a shell that came back cannot fulfil: the name of the process in
// the terminal's foreground, read by tmux at that instant, and the prompt row of the empty input
// box under the cursor, on the same (alternate or main) screen of the same size.
//
// # Use
//
// An Interlock is safe for concurrent use, each Send on a goroutine of its own. Send blocks until
// the outcome is known; it returns soon after its context ends. Two sends to one pane exclude each
// other: the second finds the box not empty.
package interlock
