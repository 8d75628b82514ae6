package tui

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// labels are the letters shown before the rows while one is chosen.
type labels struct {
	byText map[string]string // label -> key of the row
	typed  string
}

// labelLetters are the letters used, the easiest to reach first.
const labelLetters = "asdfghjklqwertyuiopzxcvbnm"

// label puts a letter on every visible row, two where one is not enough.
func (m *Model) label() tea.Cmd {
	keys := m.grid.VisibleKeys()
	m.labels = labels{byText: make(map[string]string, len(keys))}
	byKey := make(map[string]string, len(keys))
	n := len(labelLetters)
	for i, key := range keys {
		text := labelLetters[i%n : i%n+1]
		if len(keys) > n {
			if i >= n*n {
				break
			}
			text = labelLetters[i/n:i/n+1] + text
		}
		m.labels.byText[text], byKey[key] = key, text
	}
	m.grid.SetLabels(byKey)
	m.mode = labelling
	return nil
}

// labelKey takes the letters. Enter after the last letter is not needed; any other key gives up.
func (m *Model) labelKey(msg tea.KeyMsg) tea.Cmd {
	typed := m.labels.typed + strings.ToLower(msg.String())
	if key, ok := m.labels.byText[typed]; ok {
		m.endLabels()
		m.grid.Select(key)
		m.pinned = ""
		return nil
	}
	for text := range m.labels.byText {
		if strings.HasPrefix(text, typed) {
			m.labels.typed = typed
			return nil
		}
	}
	m.endLabels()
	return nil
}

func (m *Model) endLabels() {
	m.mode = browsing
	m.labels = labels{}
	m.grid.SetLabels(nil)
}
