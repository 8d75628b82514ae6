package transcript

import (
	"strings"
	"testing"
	"time"
)

// TestTheResultOfACallIsTold: it is what ends a dialog where no hook tells.
func TestTheResultOfACallIsTold(t *testing.T) {
	use, other := useLine(1, "t1", "Bash", bashInput), useLine(2, "t2", "Bash", bashInput)
	for _, tt := range []struct {
		name  string
		lines []string
		of    string
		at    time.Time
	}{
		{"no result", []string{use}, "", time.Time{}},
		{"one", []string{use, resultLine(3, "t1", "ok")}, "t1", at(3)},
		{"the last of two", []string{use, other, resultLine(3, "t2", "ok"), resultLine(4, "t1", "ok")}, "t1", at(4)},
		{"a refusal is none", []string{use, strings.Replace(resultLine(3, "t1", "no"), `"tool_use_id"`, `"is_error":true,"tool_use_id"`, 1)}, "", time.Time{}},
		{"a subagent's is its own", []string{use, sidechain(resultLine(3, "t9", "ok"))}, "", time.Time{}},
		{"it stays after the turn", []string{use, resultLine(3, "t1", "ok"), systemLine(4, "turn_duration")}, "t1", at(3)},
	} {
		if f := factsOf(tt.lines...); f.ResultOf != tt.of || !f.ResultAt.Equal(tt.at) {
			t.Errorf("%s: result of %q at %v", tt.name, f.ResultOf, f.ResultAt)
		}
	}
}
