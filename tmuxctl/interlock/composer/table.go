package composer

import (
	"regexp"
	"sync"
)

// look is what is known of the box of a range of Claude Code versions.
type look struct {
	name     string                                   // the version whose screens are under testdata
	mark     string                                   // prompt mark with the gap behind it
	shell    string                                   // the same in shell mode; "" where shell mode keeps the mark
	parked   bool                                     // the terminal's cursor stands at the caret
	sendable bool                                     // versions of this look answer `claude agents --json`, which sending needs
	pickers  bool                                     // pickers may open above the box, so the row above it is checked
	footer   func(left string, first bool) footerKind // of a row under the box; first: right under it
}

// footerKind says what a row under the box is. Of several rows the highest kind speaks.
type footerKind uint8

const (
	footerOther  footerKind = iota // the person's status line, or something unknown
	footerExtra                    // a known row behind the mode row
	footerMode                     // the row that is always there
	footerInsert                   // the same, in vim insert mode
	footerPaste                    // "paste again to expand", right after a long paste
	footerShell                    // shell mode
	footerBusy                     // the mode row while a turn runs
)

// noBreak is the gap between prompt mark and text. In the transcript it is a plain space.
const noBreak = "\u00a0"

// looks is the table of known boxes, newest first. The first look that knows the row under the box
// wins.
func looks() []look {
	return []look{
		{name: "2.1.332", mark: "❯" + noBreak, shell: "!" + noBreak, parked: true, sendable: true, pickers: true, footer: footer332},
		{name: "2.1.197", mark: "❯" + noBreak, shell: "!" + noBreak, parked: true, sendable: true, footer: footer197},
		{name: "2.0.76", mark: ">" + noBreak, footer: footer197}, // never sent to; it is here so that its box counts as one
	}
}

var (
	modeRow   = lazyRegexp(`^(-- INSERT -- )?(⏸|⏵⏵) [a-z' ]+ on( |$)`)
	insertRow = lazyRegexp(`^-- INSERT --( |$)`)
	busyRow   = lazyRegexp(`(^| · )esc to interrupt( |$)`)
	hintRow   = lazyRegexp(`^tmux focus-events off( |$)`)
	taskRow   = lazyRegexp(`^(●|◯|○) `)
)

// footer332 knows the rows of 2.1.332: there is always a mode row, unless a notice or a picker
// replaces it. Hints stand at the right of a row, or in a row of their own.
func footer332(left string, _ bool) footerKind {
	switch {
	case modeRow().MatchString(left) && busyRow().MatchString(left):
		return footerBusy
	case modeRow().MatchString(left) && insertRow().MatchString(left):
		return footerInsert
	case modeRow().MatchString(left):
		return footerMode
	case left == "! for shell mode":
		return footerShell
	case left == "paste again to expand":
		return footerPaste
	case left == "", taskRow().MatchString(left), hintRow().MatchString(left):
		return footerExtra
	}
	return footerOther
}

// footer197 knows the rows of 2.1.197: the default mode has no name, and with text in the box the
// row is empty but for a hint at the right.
func footer197(left string, first bool) footerKind {
	switch {
	case left == "? for shortcuts", left == "? for shortcuts · ← for agents", left == "" && first:
		return footerMode
	case left == "esc to interrupt", left == "esc to interrupt · ← for agents":
		return footerBusy
	}
	return footer332(left, first)
}

// knownHint is a hint over the box that no picker has as an entry: in a pane of just the width, it stands in
// a picker's columns.
var knownHint = lazyRegexp(`^ *(ctrl\+y to paste deleted text|ctrl\+g to edit in \S+|[○◔◐◑◕●] \w+ · /effort)$`)

// sight is a phrase that says what is on a screen without an input box. It is a label for people:
// the veto stands whether or not one is found.
type sight struct{ phrase, says string }

func sights() []sight {
	return []sight{
		{"Do you want to", "a permission dialog is open"},
		{"Would you like to proceed", "a plan waits for approval"},
		{"Exit plan mode?", "a plan waits for approval"},
		{"Accessing workspace:", "the trust dialog is open"},
		{"Do you trust the files", "the trust dialog is open"},
		{"Settings Error", "a settings error dialog is open"},
		{"Showing detailed transcript", "the transcript view is open (Ctrl-O closes it)"},
		{"Search prompts", "the history search is open"},
		{"Claude Code is suspended", "Claude is suspended (fg brings it back)"},
		{"Claude Code has been suspended", "Claude is suspended (fg brings it back)"},
		{"Enter to select", "a question or menu is open"},
		{"Enter to continue", "a dialog is open"},
		{"Enter to confirm", "a dialog is open"},
		{"Enter to save", "a dialog is open"},
		{"Esc to cancel", "a dialog is open"},
		{"Esc to close", "a dialog is open"},
		{"Esc to go back", "a dialog is open"},
	}
}

// lazyRegexp compiles an expression when it is first used. Every hook call loads the whole program, and
// compiling what it never matches would be a third of its time.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
