package tui

import (
	"reflect"
	"slices"
	"time"

	"signalbox/tracker"
	"signalbox/tui/grid"
	"signalbox/tui/style"
)

// ViewSettings is how the grid is arranged.
type ViewSettings struct {
	Sort   grid.Sort   `json:"sort" toml:"sort"`
	Group  grid.Group  `json:"group" toml:"group"`
	Filter grid.Filter `json:"filter" toml:"filter"`
}

// Options are the fixed circumstances of a board.
type Options struct {
	Style    *style.Style        // how it looks; required
	Self     tracker.PaneID      // the board's own pane, "" outside tmux; never previewed or jumped to
	Home     string              // the person's home directory, shown as ~
	Now      func() time.Time    // the clock; nil means time.Now
	Keys     map[string][]string // other keys for actions, by the names of KeyTable; an empty list takes the key away
	Settings Settings
	Keep     func(Settings) // called when they have changed, so that a board that is killed loses nothing; must not block; may be nil
	Sender   Sender         // sends tasks; nil where nothing can be sent
	Jumped   bool           // somebody has jumped before: there may be a way back
	Popup    bool           // the screen ends once a task that was written on it has gone out
	ReadOnly bool           // keys that change anything are off
	NoTmux   bool           // there is no tmux program at all
	Typed    []byte         // what was read of the terminal before Run, and was no answer to us
	Shell    bool           // a shell with job control waits behind the screen: it can be suspended
}

// keepSettings hands the choices out once they are others than before.
func (m *Model) keepSettings() {
	if m.opt.Keep == nil || m.snap == nil {
		return
	}
	if s := m.Settings(); !reflect.DeepEqual(s, m.kept) {
		m.kept = s
		m.opt.Keep(s)
	}
}

// Settings returns the choices as they are now, to be kept for the next start. Call it after the
// program has ended.
func (m *Model) Settings() Settings {
	s := Settings{
		View:      ViewSettings{Sort: m.view.Sort, Group: m.view.Group, Filter: m.view.Filter},
		NoPreview: !m.panel.on,
		Drafts:    m.keptDrafts(),
	}
	for title, folded := range m.view.Folded {
		if folded {
			s.Folded = append(s.Folded, title)
		}
	}
	slices.Sort(s.Folded)
	return s
}
