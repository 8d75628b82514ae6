package notify

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"signalbox/tracker"
)

// Bounds of what is shown. Desktops cut it at about these lengths themselves.
const (
	maxTitle = 80
	maxLine  = 200
	maxLines = 5
)

// Message is what a person is told: one notice, or several in one.
//
// Title and Text begin with a word of ours whatever an agent is called or says, so that a program
// that gets them as arguments cannot take them for an option or a file.
type Message struct {
	Title, Text string
	Notices     []Notice
}

// kindsInOrder are the kinds with their words, the most urgent first.
func kindsInOrder() []kindWords {
	return []kindWords{
		{tracker.HappenedNeedsInput, "Needs input", "need input", "needs input"},
		{tracker.HappenedFailed, "Failed", "failed", "failed"},
		{tracker.HappenedEnded, "Ended", "ended", "ended"},
		{tracker.HappenedReview, "Done", "done", "done"},
		{tracker.HappenedQuiet, "Quiet", "quiet", "quiet"},
	}
}

type kindWords struct {
	kind            tracker.HappeningKind
	head, many, one string
}

func rank(k tracker.HappeningKind) int {
	return slices.IndexFunc(kindsInOrder(), func(w kindWords) bool { return w.kind == k })
}

func headOf(k tracker.HappeningKind) string {
	for _, w := range kindsInOrder() {
		if w.kind == k {
			return w.head
		}
	}
	return "News"
}

// Compose makes one message of at least one notice.
func Compose(notices []Notice) Message {
	m := Message{Notices: notices}
	if len(notices) == 1 {
		n := notices[0]
		m.Title = line(headOf(n.Kind)+": "+cmp.Or(n.Name, n.Target, "an agent"), maxTitle)
		m.Text = line(where(n)+cmp.Or(said(n), "nothing more is known"), maxLine)
		return m
	}
	sorted := slices.Clone(notices)
	slices.SortStableFunc(sorted, func(a, b Notice) int { return rank(a.Kind) - rank(b.Kind) })
	m.Title = line(counted(sorted), maxTitle)
	var lines []string
	for i, n := range sorted {
		if i == maxLines-1 && len(sorted) > maxLines {
			lines = append(lines, fmt.Sprintf("And %d more", len(sorted)-i))
			break
		}
		lines = append(lines, line(headOf(n.Kind)+": "+cmp.Or(n.Name, n.Target, "an agent")+tail(said(n)), maxLine))
	}
	m.Text = strings.Join(lines, "\n")
	return m
}

// counted is "Agents: 2 need input, 1 done".
func counted(notices []Notice) string {
	var parts []string
	for _, w := range kindsInOrder() {
		n := 0
		for _, x := range notices {
			if x.Kind == w.kind {
				n++
			}
		}
		switch n {
		case 0:
		case 1:
			parts = append(parts, "1 "+w.one)
		default:
			parts = append(parts, fmt.Sprintf("%d %s", n, w.many))
		}
	}
	return "Agents: " + strings.Join(parts, ", ")
}

// said is the text of a notice without what its head has said already.
func said(n Notice) string {
	switch n.Kind {
	case tracker.HappenedReview:
		return strings.TrimPrefix(n.Text, "done: ")
	case tracker.HappenedFailed:
		return strings.TrimPrefix(n.Text, "stopped: ")
	}
	return n.Text
}

func where(n Notice) string {
	switch {
	case n.Target != "":
		return "In " + n.Target + ": "
	case n.Closed:
		return "Its window is closed: "
	}
	return "In the background: "
}

func tail(text string) string {
	if text == "" {
		return ""
	}
	return " · " + text
}

// line makes a text of strangers one line without controls, direction marks or invalid bytes, and
// cuts it.
func line(text string, limit int) string {
	var b strings.Builder
	n, space := 0, false
	for _, r := range strings.ToValidUTF8(text, "\uFFFD") {
		switch {
		case unicode.IsSpace(r):
			space = b.Len() > 0
			continue
		case unicode.IsControl(r) || unicode.Is(unicode.Cf, r):
			continue
		}
		if n++; n > limit {
			b.WriteRune('…')
			break
		}
		if space {
			b.WriteByte(' ')
			space, n = false, n+1
		}
		b.WriteRune(r)
	}
	return b.String()
}

// JSON is the message for a program: version, title, text and the notices.
func (m Message) JSON() ([]byte, error) {
	data, err := json.Marshal(struct {
		Version int      `json:"version"`
		Title   string   `json:"title"`
		Text    string   `json:"text"`
		Notices []Notice `json:"notices"`
	}{1, m.Title, m.Text, m.Notices})
	if err != nil {
		return nil, fmt.Errorf("encoding a notification: %w", err)
	}
	return append(data, '\n'), nil
}
