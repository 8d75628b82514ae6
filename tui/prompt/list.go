package prompt

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// Waiting is one task in the queue, as it is shown.
type Waiting struct {
	ID        string
	Pane      tracker.PaneID
	Where     string // session:window.pane
	Name      string // the agent's
	Text      string
	AsCommand bool
	Since     time.Time
	State     WaitingState
	Note      string // what it waits for, or why it ended
}

// WaitingState is where a task is.
type WaitingState uint8

// States of tasks in the queue.
const (
	WaitsForRest WaitingState = iota
	BeingSent
	Unsure  // it may have been sent: somebody has to look
	Dropped // it will not be sent
)

// ListKind is what the owner of a List is asked to do.
type ListKind uint8

// Kinds of actions of a List.
const (
	ListNone    ListKind = iota
	ListEdit             // open the prompt on the task
	ListCancel           // take the task out of the queue
	ListDismiss          // put the notice about an ended task away
	ListJump             // take the person to the task's pane
	ListClose
)

// ListAction is what a key leads to.
type ListAction struct {
	Kind ListKind
	Item Waiting
}

// List is the tasks that wait.
type List struct {
	style *style.Style
	items []Waiting
	id    string // selected
	at    int    // its place, for when it goes
	sure  string // the task whose cancelling was asked for once
	top   int
}

// NewList returns an empty list.
func NewList(st *style.Style) *List { return &List{style: st} }

// SetItems brings the tasks in the order in which they are shown. The selection stays on its task,
// else at its place.
func (l *List) SetItems(items []Waiting) {
	l.items = slices.Clone(items)
	if i := slices.IndexFunc(l.items, func(w Waiting) bool { return w.ID == l.id }); i >= 0 {
		l.at = i
	}
	l.pick(l.at)
}

func (l *List) pick(at int) {
	l.at = max(min(at, len(l.items)-1), 0)
	l.id = ""
	if l.at < len(l.items) {
		l.id = l.items[l.at].ID
	}
}

// Selected is the task that keys are about.
func (l *List) Selected() (Waiting, bool) {
	if l.at >= len(l.items) {
		return Waiting{}, false
	}
	return l.items[l.at], true
}

// HandleKey takes one key. A text that somebody wrote is only thrown away when that was asked twice.
func (l *List) HandleKey(k Key) ListAction {
	sure := l.sure
	l.sure = ""
	switch k.Name {
	case "esc", "q", "ctrl+c":
		return ListAction{Kind: ListClose}
	case "up", "k":
		l.pick(l.at - 1)
	case "down", "j":
		l.pick(l.at + 1)
	}
	w, ok := l.Selected()
	if !ok {
		return ListAction{}
	}
	switch k.Name {
	case "enter", "e":
		switch w.State {
		case WaitsForRest:
			return ListAction{ListEdit, w}
		case Unsure, BeingSent:
			return ListAction{ListJump, w}
		}
	case "g":
		return ListAction{ListJump, w}
	case "x", "delete", "backspace":
		switch {
		case w.State == Dropped, w.State == Unsure:
			return ListAction{ListDismiss, w}
		case w.State == WaitsForRest && sure == w.ID:
			return ListAction{ListCancel, w}
		case w.State == WaitsForRest:
			l.sure = w.ID
		}
	}
	return ListAction{}
}

// Hints are the keys that do something now.
func (l *List) Hints() []Hint {
	w, ok := l.Selected()
	if !ok {
		return []Hint{{"esc", "back"}}
	}
	back := Hint{"esc", "back"}
	switch {
	case l.sure != "":
		return []Hint{{"x", "once more: throw it away"}, back}
	case w.State == WaitsForRest:
		return []Hint{{l.style.Signs.Enter, "change"}, {"x", "cancel"}, {"g", "jump there"}, back}
	case w.State == Dropped:
		return []Hint{{"x", "put away"}, back}
	case w.State == Unsure:
		return []Hint{{l.style.Signs.Enter, "jump there"}, {"x", "put away"}, back}
	}
	return []Hint{{l.style.Signs.Enter, "jump there"}, back}
}

// Widths of columns.
const (
	listWhereMost = 30
	listAge       = 4
)

// View is the list on exactly w×h cells: two rows a task, where it goes and what it is, then the
// beginning of its text.
func (l *List) View(w, h int, now time.Time) string {
	fit := max(h/2, 1)
	l.top = max(min(max(l.top, l.at-fit+1), l.at), 0)
	var b []byte
	for y := range h {
		if y > 0 {
			b = append(b, '\n')
		}
		r := liner{style: l.style, b: b, left: w}
		i := l.top + y/2
		switch {
		case len(l.items) == 0 && y == 0:
			r.gap(1)
			r.put(style.Dim, "Nothing waits.")
		case i < len(l.items) && y%2 == 0:
			l.head(&r, i, now)
		case i < len(l.items):
			l.mark(&r, i)
			r.gap(2)
			r.put(style.Dim, l.beginning(l.items[i].Text))
		}
		b = r.end()
	}
	return string(b)
}

func (l *List) mark(r *liner, i int) {
	if i == l.at {
		r.put(style.Strong, l.style.Signs.Bar)
		return
	}
	r.gap(1)
}

func (l *List) head(r *liner, i int, now time.Time) {
	w := l.items[i]
	l.mark(r, i)
	sign, ink, word := l.style.Signs.Check, style.Warn, "waits"
	switch w.State {
	case BeingSent:
		word = "is being sent"
	case Unsure:
		sign, ink, word = l.style.Signs.Off, style.Bad, "unconfirmed, look"
	case Dropped:
		sign, ink, word = l.style.Signs.Off, style.Bad, "dropped"
	}
	r.put(ink, sign)
	r.gap(1)
	age := ageOf(now, w.Since)
	rest := max(r.left-listAge-1, 0)
	name := w.Where
	if w.Name != "" {
		name += " " + w.Name
	}
	inner := liner{style: r.style, b: r.b, left: rest}
	inner.short(style.Text, name, min(listWhereMost, r.left*2/5))
	inner.gap(2)
	if w.Note != "" {
		word += ": " + w.Note
	}
	inner.put(style.Dim, word)
	r.b, r.left = inner.end(), r.left-rest
	r.gap(r.left - style.Width(age) - 1)
	r.put(style.Dim, age)
}

// beginning is the first line of a text with something on it.
func (l *List) beginning(text string) string {
	first, rest, more := strings.Cut(strings.TrimSpace(text), "\n")
	if first = strings.TrimSpace(first); more && strings.TrimSpace(rest) != "" {
		first += " " + l.style.Signs.Ellipsis
	}
	return first
}

// ageOf is how long ago something was, in at most four cells.
func ageOf(now, at time.Time) string {
	switch d := now.Sub(at); {
	case at.IsZero():
		return ""
	case d < time.Second:
		return "now"
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(min(int(now.Sub(at)/(24*time.Hour)), 999)) + "d"
}
