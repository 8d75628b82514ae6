package tui

import (
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// doubleClick is how close two clicks on one row must be to count as one gesture.
const doubleClick = 400 * time.Millisecond

// wheelLines is how far one notch of the wheel scrolls.
const wheelLines = 3

// click remembers the last click, to tell a double one.
type click struct {
	key string
	at  time.Time
}

func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		m.wheel(-wheelLines)
	case tea.MouseButtonWheelDown:
		m.wheel(wheelLines)
	case tea.MouseButtonLeft:
		return m.clicked(msg.X, msg.Y)
	}
	return nil
}

func (m *Model) wheel(n int) {
	if m.mode == reading {
		if m.sheet.kind == sheetInbox { // it scrolls with its selection
			m.moveEntry(n)
		} else {
			m.sheet.scroll(n)
		}
		return
	}
	if m.mode == composing {
		return // the selection has to stay on the agent that is written to
	}
	before := m.grid.SelectedKey()
	m.grid.Scroll(n)
	if m.grid.SelectedKey() != before {
		m.pinned = ""
	}
}

// clicked selects the row under the pointer; the second click jumps there.
func (m *Model) clicked(x, y int) tea.Cmd {
	if m.mode == labelling {
		m.endLabels()
	}
	if m.mode == reading {
		return m.clickedSheet(y)
	}
	if !m.areas.grid.has(x, y) {
		return nil
	}
	key := m.grid.At(x-m.areas.grid.x, y-m.areas.grid.y)
	if key == "" {
		m.click = click{}
		return nil
	}
	if m.mode == composing {
		return m.writeTo(key)
	}
	double := m.again(key)
	if key != m.grid.SelectedKey() {
		m.grid.Select(key)
		m.pinned = ""
	}
	if double {
		return m.perform("jump")
	}
	return nil
}

// again notes a click and reports whether it is the second one of a double click.
func (m *Model) again(key string) bool {
	if m.click.key == key && m.now.Sub(m.click.at) <= doubleClick {
		m.click = click{}
		return true
	}
	m.click = click{key: key, at: m.now}
	return false
}

// clickedSheet does in the inbox what a click does on the grid. Other sheets are for reading.
func (m *Model) clickedSheet(y int) tea.Cmd {
	i := y - m.sheetTop() - sheetHead
	if m.sheet.kind != sheetInbox || i < 0 || i >= m.sheet.height || i+m.sheet.top >= len(m.inbox()) {
		m.click = click{} // two clicks on an entry with one beside it are no double click
		return nil
	}
	id := idOf(m.inbox()[i+m.sheet.top])
	m.sheet.entry = id
	if m.again(fmt.Sprint(id)) {
		return m.enterEntry()
	}
	return nil
}
