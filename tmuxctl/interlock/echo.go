package interlock

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"signalbox/tmuxctl/interlock/composer"
)

// placeholder is what the box shows for a long paste: "[Pasted text #1 +59 lines]" for sixty lines,
// "[Pasted text #2]" for one long line. 2.1.332 does it for more than three lines or 800 characters.
var placeholder = lazyRegexp(`^\[Pasted text #\d+(?: \+(\d+) lines?)?\]$`)

// Echoed reports whether the box holds exactly the text, caret behind it, and nothing is open that
// would take the Enter. When it does not, it says what is in the way, for people.
func (t Text) Echoed(r composer.Reading) (bool, string) {
	if says := r.Veto(t.allows(r)...); says != "" {
		return false, says
	}
	switch {
	case r.Empty():
		return false, "the text is not in the input box"
	case !t.shown(r):
		return false, "the input box holds something else: " + quote(r.Text())
	case !r.AtEnd:
		return false, "the caret is not behind the text"
	}
	return true, ""
}

// allows lists the vetoes that a command brings about itself: its shell mode, and the list of
// commands as long as Enter would take exactly the one that was typed.
func (t Text) allows(r composer.Reading) []composer.Kind {
	if !t.Command {
		return nil
	}
	switch t.Typed[0] {
	case '!':
		return []composer.Kind{composer.Shell}
	case '/':
		if r.Chosen() == strings.TrimSpace(t.Typed) {
			return []composer.Kind{composer.Picker}
		}
	}
	return nil
}

// shown reports whether the text of the box is ours: as it was typed, wrapped or not; the end of it,
// when the box had to scroll; or Claude's placeholder for a paste of as many lines.
func (t Text) shown(r composer.Reading) bool {
	typed := t.Typed
	if r.Shell {
		typed = strings.TrimPrefix(typed, "!")
	}
	want, got := drawn(typed), drawn(r.Text())
	if r.Hidden > 0 {
		return got != "" && len(got) < len(want) && strings.HasSuffix(want, got)
	}
	if got == want {
		return true
	}
	m := placeholder().FindStringSubmatch(strings.TrimSpace(r.Text()))
	if m == nil {
		return false
	}
	lines, _ := strconv.Atoi(m[1]) // "" is a paste of one line
	return lines == strings.Count(t.Typed, "\n")
}

// drawn is the skeleton of a text as a terminal may draw it: tmux takes emoji of several parts apart, or
// drops some of them, by its version. What is left must still be the same.
func drawn(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x1f000 && r <= 0x1faff {
			return -1
		}
		return r
	}, skeleton(text))
}

// lazyRegexp compiles an expression when it is first used. Every hook call loads the whole program, and
// compiling what it never matches would be a third of its time.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
