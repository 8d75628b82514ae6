package interlock

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"signalbox/tmuxctl/interlock/composer"
	"signalbox/tracker"
)

// Guard is what must be true of a pane at the instant the keys are written. tmux evaluates its
// Format in the command queue that also holds the keys; Holds is the same judgement on a Look, for
// models and for saying what failed.
type Guard struct {
	ServerPID        int
	Pane             tracker.PaneID
	PanePID          int
	Command          string // foreground process of the terminal, as tmux names it
	CursorX, CursorY int
	Width, Height    int
	Alternate        bool
	Bracketed        bool  // tmux knows of brackets, and they must be on
	KeyAt            int64 // nobody has pressed a key in the session since; 0 for not checked
	Rows             []RowGuard
	Picker           int // number of the first row that looks like a picker's, from 1; 0 for none
}

// pickerExpression matches the rows of a picker. Text in the transcript may match too; what counts
// is that the first such row is still where it was. It means nothing to a format.
const pickerExpression = "^  (❯| ) [^ ]"

// RowGuard pins a row of the screen.
type RowGuard struct {
	Y      int    // row, from 0
	Text   string // what it begins with
	Whole  bool   // and it ends there, but for blanks
	Anyrow bool   // it is enough that some row is so: for rows that may also stand in the transcript
}

// pasteGuard holds while the empty box that was read is under the cursor. An older picture of the
// box may stand above it, after a resume on the main screen: what is pinned is the first row with a
// prompt mark, and the cursor stands where the empty box was read.
func pasteGuard(l Look, r composer.Reading) Guard {
	g := guardOf(l)
	mark := RowGuard{Text: string([]rune(l.Screen.Line(r.Prompt).Text())[:promptCells])}
	mark.Y = firstMatch(mark.expression(), l.Screen) - 1
	g.Rows = []RowGuard{mark}
	return g
}

// promptCells is the prompt mark and its gap: what an empty row of the box begins with.
const promptCells = 2

// enterGuard holds while our text stands in the box exactly as it was read: the row behind the
// prompt mark, which no row of the transcript and no dialog can look like, or, when the box had to
// scroll, the rule above it that counts the hidden rows; and the row of the caret.
func enterGuard(l Look, r composer.Reading) Guard {
	g := guardOf(l)
	g.KeyAt = l.KeyAt
	row := func(y int) RowGuard { return RowGuard{Y: y, Text: l.Screen.Line(y).Text(), Whole: true} }
	if r.Hidden > 0 {
		g.Rows = []RowGuard{row(r.RuleTop)}
	} else {
		g.Rows = []RowGuard{row(r.Prompt)}
	}
	if y := g.CursorY; y != r.Prompt {
		caret := row(y)
		caret.Anyrow = true
		g.Rows = append(g.Rows, caret)
	}
	return g
}

func guardOf(l Look) Guard {
	return Guard{
		ServerPID: l.ServerPID, Pane: l.Pane, PanePID: l.PanePID, Command: l.Command,
		CursorX: l.Screen.CursorX, CursorY: l.Screen.CursorY,
		Width: l.Screen.Width, Height: l.Screen.Height, Alternate: l.Screen.Alternate,
		Bracketed: l.Bracketed == FlagOn,
		Picker:    firstMatch(pickerExpression, l.Screen),
	}
}

// firstMatch is what tmux's C/r finds: the number of the first row that matches, from 1, or 0.
func firstMatch(expression string, s composer.Screen) int {
	e, err := regexp.Compile(expression)
	if err != nil {
		return 0
	}
	for y := range s.Lines {
		if e.MatchString(s.Line(y).Text()) {
			return y + 1
		}
	}
	return 0
}

// Format is the guard as a tmux format that is true exactly while it holds. A format that an older
// tmux does not know is empty there, and no condition is true of an empty value.
func (g Guard) Format() string {
	is := func(name string, value any) string { return fmt.Sprintf("#{==:#{%s},%v}", name, value) }
	conds := []string{
		is("pid", g.ServerPID), is("pane_id", g.Pane), is("pane_pid", g.PanePID),
		is("pane_dead", 0), is("pane_in_mode", 0), is("pane_input_off", 0), is("pane_synchronized", 0),
		is("cursor_x", g.CursorX), is("cursor_y", g.CursorY),
		is("pane_width", g.Width), is("pane_height", g.Height),
		is("alternate_on", map[bool]int{false: 0, true: 1}[g.Alternate]),
		"#{m/r:^" + pattern(g.Command) + "$,#{pane_current_command}}",
	}
	if g.Bracketed {
		conds = append(conds, is("bracket_paste_flag", 1))
	}
	if g.KeyAt != 0 {
		conds = append(conds, is("session_activity", g.KeyAt))
	}
	conds = append(conds, "#{==:#{C/r:"+pickerExpression+"},"+strconv.Itoa(g.Picker)+"}")
	for _, r := range g.Rows {
		found := "#{C/r:" + r.expression() + "}"
		if r.Anyrow {
			conds = append(conds, "#{!=:"+found+",0}")
		} else {
			conds = append(conds, "#{==:"+found+","+strconv.Itoa(r.Y+1)+"}")
		}
	}
	return allOf(conds)
}

// allOf joins conditions pairwise: && takes exactly two before tmux 3.6, and a tree keeps the
// nesting far from the limit of 100.
func allOf(conds []string) string {
	if len(conds) == 1 {
		return conds[0]
	}
	half := len(conds) / 2
	return "#{&&:" + allOf(conds[:half]) + "," + allOf(conds[half:]) + "}"
}

// expression is an extended regular expression for the row. It holds nothing that means anything
// to a format, wherever the text came from.
func (r RowGuard) expression() string {
	if r.Whole {
		return "^" + pattern(strings.TrimRight(r.Text, " ")) + "$" // tmux drops trailing blanks before it searches
	}
	return "^" + pattern(r.Text)
}

// pattern is an expression for text with everything but letters, digits, blanks and non-ASCII
// characters replaced by "any character".
func pattern(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == ' ', r >= 0xa0 && r != '\ufffd':
			return r
		}
		return '.'
	}, text)
}

// Holds judges a look as Format judges the pane itself.
func (g Guard) Holds(l Look) bool { return g.Fails(l) == "" }

// Fails is the first condition that a look does not meet, for people; "" when the guard holds.
func (g Guard) Fails(l Look) string {
	switch {
	case l.ServerPID != g.ServerPID:
		return "it is another tmux server"
	case l.Pane != g.Pane:
		return "the pane is gone"
	case l.PanePID != g.PanePID:
		return "another process runs in the pane"
	case l.Dead:
		return "the pane is dead"
	case l.InMode:
		return "the pane went into a tmux mode"
	case l.InputOff:
		return "the pane's input was switched off"
	case l.Synchronized:
		return "the panes were synchronised"
	case l.Screen.Width != g.Width, l.Screen.Height != g.Height:
		return "the pane was resized"
	case l.Screen.Alternate != g.Alternate:
		return "the program left its screen"
	case l.Command != g.Command:
		return "another program is in the foreground: " + quote(l.Command)
	case l.Screen.CursorX != g.CursorX, l.Screen.CursorY != g.CursorY:
		return "the cursor moved"
	case g.KeyAt != 0 && l.KeyAt != g.KeyAt:
		return "somebody pressed a key"
	case g.Bracketed && l.Bracketed != FlagOn:
		return "the program no longer takes bracketed paste"
	}
	if firstMatch(pickerExpression, l.Screen) != g.Picker {
		return "something opened over the input box"
	}
	for _, r := range g.Rows {
		if n := firstMatch(r.expression(), l.Screen); n == 0 || !r.Anyrow && n != r.Y+1 {
			return "the screen changed"
		}
	}
	return ""
}
