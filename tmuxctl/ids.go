package tmuxctl

import (
	"fmt"
	"strconv"
	"strings"

	"signalbox/tracker"
)

// maxIDDigits is what an unsigned 32-bit number needs; tmux has no longer ids.
const maxIDDigits = 10

// CheckPane refuses what is not exactly a pane id. To tmux an empty or odd target means the
// current pane, and a blank or semicolon behind it means something else again.
func CheckPane(id tracker.PaneID) error { return checkID(string(id), '%', "pane") }

// CheckWindow refuses what is not exactly a window id.
func CheckWindow(id tracker.WindowID) error { return checkID(string(id), '@', "window") }

// CheckSession refuses what is not exactly a session id.
func CheckSession(id tracker.SessionID) error { return checkID(string(id), '$', "session") }

func checkID(id string, sigil byte, kind string) error {
	if len(id) > 1 && id[0] == sigil && isDigits(id[1:]) {
		return nil
	}
	return fmt.Errorf("%w: %q is no %s", ErrBadTarget, id, kind)
}

// isDigits reports whether s is a plain decimal number of a length tmux could have made.
func isDigits(s string) bool {
	if s == "" || len(s) > maxIDDigits {
		return false
	}
	return strings.Trim(s, "0123456789") == ""
}

// idNumber is the number of an id that was checked; ids order by it.
func idNumber[T ~string](id T) uint64 {
	n, _ := strconv.ParseUint(string(id)[1:], 10, 64)
	return n
}

// isPane is a tmux format that is 1 if and only if the format's pane is the given one. A missing
// target does not fail where a format is evaluated: the format then speaks of another pane, or of
// none. The sigil is cut off because a literal '%' would go through strftime first.
func isPane(id tracker.PaneID) string {
	return "#{==:#{s|[^0-9]||:pane_id}," + string(id)[1:] + "}"
}
