// Package composer reads Claude Code's input box off a tmux screen.
//
// Reading is pure: a captured screen in, a Reading out. A Reading can only veto. Nothing on a
// screen proves that an agent is ready; it can prove that the input box is not there, not empty,
// or not in the state the sender believes it to be in. Whatever is not recognised is a veto.
//
// What the box looks like differs between Claude Code versions. What is known is a table
// (table.go): one row per look, each with its screens under testdata. A version that looks
// different gets a row and screens, not a special case in the code.
//
// The look of 2.1.332, on a screen W columns wide:
//
//	◐ medium · /effort            a hint, right-aligned, or nothing; a picker's rows when one is open
//	──────────── api-worker ─     top rule with the session label, exactly W columns
//	❯ text                        prompt mark, no-break space, text; further rows are indented by two
//	─────────────────────────     bottom rule, exactly W columns
//	  status line of the person   any rows, optional
//	  ⏸ manual mode on · …        the mode row; "-- INSERT --" before it in vim insert mode
//
// The same version may draw on the main screen instead (it did after it had been killed): then the
// box stands where the transcript ends, pickers open under it in place of the mode row, hints stand
// under the mode row, and the top of a box higher than the pane scrolls away, which is a veto.
//
// Three things that look alike are told apart as follows. A prompt in the transcript above has a
// plain space behind its mark, the box a no-break space. A ghost suggestion is dim (SGR 2) behind
// a caret at column 2, a draft is not. The caret is a reversed cell drawn by Claude; while the
// pane has no focus an empty box has none, and only the terminal's (hidden) cursor tells.
//
// Vim normal mode leaves no trace on an empty box. Reading.Insert reports the insert mark; whether
// it has to be there is for the caller to know, from the agent's settings.
package composer
