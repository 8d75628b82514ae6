package grid

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"signalbox/tracker"
)

// Query is a parsed filter text: words that must all be found in a window, and terms that look at
// one field: "status:review", "session:api", "cwd:src". The zero value matches everything.
type Query struct {
	words   []string
	status  []string
	session []string
	cwd     []string
}

// ParseQuery reads what a person typed. A term without a value yet ("status:") is ignored, so that
// the board does not go empty halfway through a word.
func ParseQuery(text string) Query {
	var q Query
	for _, word := range strings.Fields(strings.ToLower(text)) {
		field, value, isTerm := strings.Cut(word, ":")
		switch {
		case isTerm && field == "status":
			q.status = appendValue(q.status, value)
		case isTerm && field == "session":
			q.session = appendValue(q.session, value)
		case isTerm && (field == "cwd" || field == "dir"):
			q.cwd = appendValue(q.cwd, value)
		default:
			q.words = append(q.words, word)
		}
	}
	return q
}

func appendValue(list []string, value string) []string {
	if value == "" {
		return list
	}
	return append(list, value)
}

// Empty reports whether the query matches everything.
func (q Query) Empty() bool {
	return len(q.words) == 0 && len(q.status) == 0 && len(q.session) == 0 && len(q.cwd) == 0
}

// Window reports whether a window is found. Names, directories and branches are searched by their
// letters in order ("apw" finds "api-worker"); prompts and last words, which are long, only for the
// whole word.
func (q Query) Window(s *tracker.SessionRow, w *tracker.WindowRow) bool {
	if !every(q.session, func(v string) bool { return contains(s.Name, v) }) ||
		!every(q.status, func(v string) bool { return hasStatus(w, v) }) ||
		!every(q.cwd, func(v string) bool { return hasDirectory(w, v) }) {
		return false
	}
	return every(q.words, func(word string) bool {
		if inOrder(s.Name, word) || inOrder(w.Name, word) || contains(w.Summary, word) {
			return true
		}
		for _, p := range w.Panes {
			if paneHas(p, word) {
				return true
			}
		}
		return false
	})
}

// Background reports whether a background agent is found.
func (q Query) Background(b *tracker.BackgroundRow) bool {
	return every(q.session, func(v string) bool { return contains("background", v) }) &&
		every(q.status, func(v string) bool { return statusIs(b.Verdict, v) }) &&
		every(q.cwd, func(v string) bool { return contains(b.CWD, v) }) &&
		every(q.words, func(v string) bool { return inOrder(b.Name, v) || inOrder(base(b.CWD), v) || contains(b.ID, v) })
}

func paneHas(p *tracker.PaneRow, word string) bool {
	if inOrder(base(p.Path), word) || contains(p.Command, word) || contains(p.Front, word) || string(p.ID) == word {
		return true
	}
	return agentHas(p.Agent, word) || agentHasAny(p.Others, word)
}

func agentHas(a *tracker.AgentRow, word string) bool {
	if a == nil {
		return false
	}
	return inOrder(a.Name, word) || inOrder(base(a.CWD), word) || inOrder(a.Branch, word) ||
		contains(a.Prompt, word) || contains(a.Last, word) || contains(a.ToolDetail, word)
}

func agentHasAny(list []*tracker.AgentRow, word string) bool {
	for _, a := range list {
		if agentHas(a, word) {
			return true
		}
	}
	return false
}

func hasStatus(w *tracker.WindowRow, v string) bool {
	for _, p := range w.Panes {
		if p.Agent != nil && statusIs(p.Agent.Verdict, v) {
			return true
		}
		for _, a := range p.Others {
			if statusIs(a.Verdict, v) {
				return true
			}
		}
	}
	return false
}

// StatusWords are what may stand behind "status:", the most urgent first.
func StatusWords() []string {
	return []string{"needs-input", "failed", "review", "busy", "background", "idle", "unknown", "suspended", "quiet"}
}

// statusIs matches the beginning of a status word, of "failed", "background" or "suspended", so
// that "status:needs" and "status:rev" are enough.
func statusIs(v tracker.Verdict, word string) bool {
	switch {
	case strings.HasPrefix(v.Status.String(), word):
		return true
	case v.Failed != "" && strings.HasPrefix("failed", word),
		v.Background > 0 && strings.HasPrefix("background", word),
		v.Suspended && strings.HasPrefix("suspended", word),
		v.Quiet && strings.HasPrefix("quiet", word):
		return true
	}
	return false
}

func hasDirectory(w *tracker.WindowRow, v string) bool {
	for _, p := range w.Panes {
		if contains(p.Path, v) || p.Agent != nil && contains(p.Agent.CWD, v) {
			return true
		}
	}
	return false
}

func every(values []string, ok func(string) bool) bool {
	for _, v := range values {
		if !ok(v) {
			return false
		}
	}
	return true
}

// contains is a search that ignores case; word is lower case.
func contains(text, word string) bool {
	if len(word) > len(text)+utf8.UTFMax {
		return false
	}
	return strings.Contains(strings.ToLower(text), word)
}

// inOrder reports whether the letters of word stand in text in this order, ignoring case.
func inOrder(text, word string) bool {
	for _, r := range text {
		first, size := utf8.DecodeRuneInString(word)
		if size == 0 {
			return true
		}
		if unicode.ToLower(r) == first {
			word = word[size:]
		}
	}
	return word == ""
}

// base is the last part of a path; a query for "src" should not find all that lies below ~/src.
func base(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}
