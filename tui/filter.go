package tui

import (
	"unicode"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// lineEdit is one line of text with a cursor.
type lineEdit struct {
	text []rune
	at   int // cursor: before text[at]
}

// maxFilter bounds a filter text; a paste may be anything.
const maxFilter = 200

func (e *lineEdit) set(s string) { e.text, e.at = []rune(s), len([]rune(s)) }

func (e *lineEdit) String() string { return string(e.text) }

// key edits, and reports whether the key was one of its own.
func (e *lineEdit) key(msg tea.KeyMsg) bool {
	switch msg.String() {
	case "left", "ctrl+b":
		e.at = max(e.at-1, 0)
	case "right", "ctrl+f":
		e.at = min(e.at+1, len(e.text))
	case "home", "ctrl+a":
		e.at = 0
	case "end", "ctrl+e":
		e.at = len(e.text)
	case "backspace", "ctrl+h":
		e.cut(max(e.at-1, 0), e.at)
	case "delete", "ctrl+d":
		e.cut(e.at, min(e.at+1, len(e.text)))
	case "ctrl+u":
		e.cut(0, e.at)
	case "ctrl+k":
		e.cut(e.at, len(e.text))
	case "ctrl+w", "alt+backspace":
		from := e.at
		for from > 0 && unicode.IsSpace(e.text[from-1]) {
			from--
		}
		for from > 0 && !unicode.IsSpace(e.text[from-1]) {
			from--
		}
		e.cut(from, e.at)
	default:
		if msg.Type != tea.KeyRunes && msg.Type != tea.KeySpace || msg.Alt {
			return false
		}
		e.insert([]rune(style.Clean(string(msg.Runes))))
	}
	return true
}

func (e *lineEdit) insert(r []rune) {
	r = r[:min(len(r), maxFilter-min(len(e.text), maxFilter))]
	e.text = append(e.text[:e.at:e.at], append(r, e.text[e.at:]...)...)
	e.at += len(r)
}

func (e *lineEdit) cut(from, to int) {
	e.text = append(e.text[:from:from], e.text[to:]...)
	e.at = from
}

func (m *Model) startFilter() tea.Cmd {
	m.mode = filtering
	return nil
}

// filterKey edits the filter. Enter keeps it, Esc gives it up; the arrows that the line has no use
// for move the selection meanwhile.
func (m *Model) filterKey(msg tea.KeyMsg) tea.Cmd {
	switch msg.String() {
	case "enter":
		m.mode = browsing
		return nil
	case "esc", "ctrl+c":
		m.mode = browsing
		m.filter.set("")
		m.view.Query = grid.Query{}
		m.arrange()
		return nil
	case "up":
		return m.move(grid.Up)
	case "down":
		return m.move(grid.Down)
	case "tab", "shift+tab":
		return m.press(msg.String())
	case "backspace":
		if len(m.filter.text) == 0 {
			m.mode = browsing
			return nil
		}
	}
	if m.filter.key(msg) {
		m.view.Query = grid.ParseQuery(m.filter.String())
		m.arrange()
	}
	return nil
}
