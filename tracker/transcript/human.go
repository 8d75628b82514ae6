package transcript

import (
	"strings"
	"unicode"
)

// interruptMark begins the user record that an interrupt leaves, in both its forms: plain, and
// "for tool use". The rest of the text differs between versions.
const interruptMark = "[Request interrupted by user"

// machineMarks begin user records that no person wrote: output of local commands, notices of the
// harness, messages of other agents. A `!` line (bash-input) is typed, but asks Claude nothing.
func machineMarks() []string {
	return []string{
		"<command-", "<local-command-", "<bash-", "<task-notification", "<system-reminder",
		"<user-memory-", "<teammate-message", "<cross-session", "Caveat:", "Stop hook feedback:",
	}
}

// machineText reports whether a user text was written by the harness.
func machineText(s string) bool {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	for _, m := range machineMarks() {
		if strings.HasPrefix(s, m) {
			return true
		}
	}
	return strings.HasPrefix(s, interruptMark)
}

// interrupted reports whether the record says that a person stopped the turn. A person may also
// type that text; where the origin is told, it is believed.
func (r *record) interrupted() bool {
	if r.kind != "user" || r.meta || r.origin == "human" {
		return false
	}
	for _, t := range r.texts {
		if strings.HasPrefix(t, interruptMark) {
			return true
		}
	}
	for i := range r.results { // older versions put the marker into the result
		if r.results[i].failed && strings.HasPrefix(r.results[i].head, interruptMark) {
			return true
		}
	}
	return false
}

// prompt is what a person asked with this record, or "".
func (r *record) prompt() string {
	if r.meta || r.summary || len(r.results) > 0 {
		return ""
	}
	text := strings.TrimSpace(strings.Join(r.texts, "\n"))
	switch {
	case r.origin != "" && r.origin != "human":
		return ""
	case r.origin == "" && machineText(text):
		return ""
	case text == "" && r.image:
		return "[image]"
	}
	return text
}

// clip cuts s to n characters, with an ellipsis for the rest.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut, count := 0, 0
	for i := range s {
		if count == n-1 {
			cut = i
		}
		if count == n {
			return s[:cut] + "…"
		}
		count++
	}
	return s
}

// label is s on one line, without control characters, cut for a label.
func label(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return clip(strings.Join(words, " "), labelRunes)
}
