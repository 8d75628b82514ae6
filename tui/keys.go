package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/grid"
)

// binding is one thing that a key can do. Footer, help, the README's table and the reasons why a
// key does nothing now all come from here.
type binding struct {
	action   string             // stable name, for remapping
	keys     []string           // as tea.KeyMsg spells them
	match    key.Binding        // the same for matching
	own      bool               // the keys are a person's own choice
	hint     string             // one or two words for the footer; "" keeps it out
	stays    int                // the higher, the longer the hint stays when room is short
	badge    func(m *Model) int // a number behind the hint, 0 for none
	help     string
	group    string
	text     bool                  // what is typed behind it is text, not keys
	changes  bool                  // it changes something outside the screen: off when read-only
	disabled func(m *Model) string // why it cannot work now, or ""
	run      func(m *Model) tea.Cmd
}

// Groups of the help.
const (
	groupMove = "Move"
	groupDo   = "Do"
	groupShow = "Show"
)

// bindings is the table, in the order of the help. The order of the hints in the footer is theirs.
func bindings() []binding {
	return slices.Concat(actBindings(), moveBindings(), showBindings())
}

func actBindings() []binding {
	return []binding{
		{action: "jump", keys: []string{"enter"}, hint: "jump", stays: 10, help: "go to the selected window in tmux", group: groupDo, changes: true, disabled: noJump, run: (*Model).jump},
		{action: "send", keys: []string{"s"}, hint: "send", stays: 7, help: "write a task for the selected agent", group: groupDo, text: true, changes: true, disabled: noSend, run: (*Model).compose},
		{action: "next", keys: []string{"tab", "n"}, hint: "next", stays: 6, help: "select the next agent that needs you", group: groupMove, disabled: nobodyWaits, run: func(m *Model) tea.Cmd { return m.nextNeedy(1) }},
		{action: "previous", keys: []string{"shift+tab", "N"}, help: "select the one before", group: groupMove, disabled: nobodyWaits, run: func(m *Model) tea.Cmd { return m.nextNeedy(-1) }},
		{action: "acknowledge", keys: []string{"a"}, hint: "seen", stays: 5, help: "say that you have seen the result", group: groupDo, changes: true, disabled: noReview, run: (*Model).acknowledge},
		{action: "back", keys: []string{"b", "backspace"}, help: "back to where you were before a jump", group: groupDo, changes: true, disabled: noWayBack, run: (*Model).back},
		{action: "pane", keys: []string{"w"}, help: "look at the next pane of the window", group: groupDo, disabled: onePane, run: (*Model).nextPane},
		{action: "hooks", keys: []string{"H"}, help: "show and install Claude Code's hooks", group: groupDo, run: (*Model).openHooks},
		{action: "silence", keys: []string{"m"}, help: "notifications off for an hour, or on", group: groupDo, disabled: noNotifier, run: (*Model).silence},
		{action: "refresh", keys: []string{"r"}, help: "ask every source for news now", group: groupDo, run: (*Model).refresh},
	}
}

func moveBindings() []binding {
	move := func(d grid.Direction) func(*Model) tea.Cmd {
		return func(m *Model) tea.Cmd { return m.move(d) }
	}
	return []binding{
		{action: "up", keys: []string{"up", "k"}, help: "one row up; a number before it repeats", group: groupMove, run: move(grid.Up)},
		{action: "down", keys: []string{"down", "j"}, help: "one row down", group: groupMove, run: move(grid.Down)},
		{action: "left", keys: []string{"left", "h"}, help: "one cell to the left", group: groupMove, run: move(grid.Left)},
		{action: "right", keys: []string{"right", "l"}, help: "one cell to the right", group: groupMove, run: move(grid.Right)},
		{action: "page-up", keys: []string{"pgup", "ctrl+u"}, help: "one screen up", group: groupMove, run: func(m *Model) tea.Cmd { m.grid.Page(grid.Up); return nil }},
		{action: "page-down", keys: []string{"pgdown", "ctrl+d"}, help: "one screen down", group: groupMove, run: func(m *Model) tea.Cmd { m.grid.Page(grid.Down); return nil }},
		{action: "first", keys: []string{"home", "g"}, help: "first window; with a number, that one", group: groupMove, run: (*Model).first},
		{action: "last", keys: []string{"end", "G"}, help: "last window", group: groupMove, run: func(m *Model) tea.Cmd { m.grid.Last(); return nil }},
		{action: "label", keys: []string{"'", ";"}, help: "give every row a letter, type it to select", group: groupMove, disabled: emptyGrid, run: (*Model).label},
	}
}

func showBindings() []binding {
	return []binding{
		{action: "peek", keys: []string{" "}, hint: "peek", stays: 2, help: "read the whole screen, with its history", group: groupShow, disabled: noScreen, run: (*Model).peek},
		{action: "filter", keys: []string{"/"}, hint: "filter", stays: 3, help: "find by name, path, branch or words", group: groupShow, run: (*Model).startFilter},
		{action: "inbox", keys: []string{"i"}, hint: "inbox", stays: 4, badge: (*Model).unseen, help: "what happened while you were away", group: groupShow, run: (*Model).openInbox},
		{action: "tasks", keys: []string{"t"}, hint: "tasks", stays: 1, badge: (*Model).taskCount, help: "tasks that wait until their agent rests", group: groupShow, disabled: noTasks, run: (*Model).openTasks},
		{action: "explain", keys: []string{"e"}, help: "why this row has its status", group: groupShow, disabled: noAgent, run: (*Model).explain},
		{action: "filter-status", keys: []string{"f"}, help: "show all, needs you, busy, agents", group: groupShow, run: (*Model).cycleFilter},
		{action: "sort", keys: []string{"o"}, help: "order by tmux, urgency, activity", group: groupShow, run: (*Model).cycleSort},
		{action: "group", keys: []string{"v"}, help: "group by session or by repository", group: groupShow, disabled: tooNarrow, run: (*Model).cycleGroup},
		{action: "fold", keys: []string{"z"}, help: "fold or unfold the section", group: groupShow, disabled: noFold, run: (*Model).fold},
		{action: "fold-all", keys: []string{"Z"}, help: "fold or unfold every section", group: groupShow, disabled: noFolds, run: (*Model).foldAll},
		{action: "preview", keys: []string{"p"}, help: "the live screen on or off", group: groupShow, disabled: noPanel, run: (*Model).togglePreview},
		{action: "help", keys: []string{"?"}, hint: "help", stays: 9, help: "this list", group: groupShow, run: (*Model).openHelp},
		{action: "clear", keys: []string{"esc"}, help: "clear the filter, or put a banner away", group: groupShow, run: (*Model).clear},
		{action: "suspend", keys: []string{"ctrl+z"}, help: "to the shell; fg brings the board back", group: groupShow, disabled: noShell, run: func(*Model) tea.Cmd { return tea.Suspend }},
		{action: "quit", keys: []string{"q", "ctrl+c"}, hint: "quit", stays: 8, help: "leave the board", group: groupShow, run: func(*Model) tea.Cmd { return tea.Quit }},
	}
}

// keymap is the table with a person's own keys in it.
type keymap struct{ table []binding }

// newKeymap applies other keys. A key given to two actions belongs to the one named by the person.
func newKeymap(other map[string][]string) *keymap {
	k := &keymap{table: bindings()}
	for i := range k.table {
		b := &k.table[i]
		if keys, given := other[b.action]; given {
			b.own, b.keys = true, make([]string, len(keys))
			for j, key := range keys {
				b.keys[j] = spell(key)
			}
		}
		b.match = key.NewBinding(key.WithKeys(b.keys...), key.WithHelp(strings.Join(b.keys, " "), b.help))
	}
	return k
}

// pressed is a key as tea.KeyMsg spells it.
type pressed string

func (p pressed) String() string { return string(p) }

// find is what a key is bound to, a person's own choice first, or nil.
func (k *keymap) find(name string) *binding {
	for _, own := range []bool{true, false} {
		for i := range k.table {
			if b := &k.table[i]; b.own == own && key.Matches(pressed(name), b.match) {
				return b
			}
		}
	}
	for i := range k.table {
		if b := &k.table[i]; name == keyAlwaysQuits && b.action == "quit" {
			return b
		}
	}
	return nil
}

// keyAlwaysQuits leaves the board whatever the configuration says, unless it gives the key another
// meaning.
const keyAlwaysQuits = "ctrl+c"

// CheckKeys says what is wrong with a person's own keys, for the reader of a configuration: an
// action that does not exist, a key that cannot be bound, or one key for two actions.
func CheckKeys(other map[string][]string) error {
	known := make(map[string]bool)
	for _, b := range bindings() {
		known[b.action] = true
	}
	taken := make(map[string]string)
	for _, action := range slices.Sorted(maps.Keys(other)) {
		if !known[action] {
			return fmt.Errorf("there is no action %q", action)
		}
		for _, name := range other[action] {
			name = spell(name)
			switch {
			case name == "":
				return fmt.Errorf("action %q has an empty key", action)
			case len(name) == 1 && name[0] >= '0' && name[0] <= '9':
				return fmt.Errorf("action %q cannot have the key %q: numbers repeat a movement", action, name)
			case taken[name] != "":
				return fmt.Errorf("the key %q is given to %q and to %q", keyName(name), taken[name], action)
			}
			taken[name] = action
		}
	}
	return nil
}

// spell accepts the names that people write for keys.
func spell(key string) string {
	switch strings.ToLower(key) {
	case "space":
		return " "
	case "return":
		return "enter"
	case "escape":
		return "esc"
	}
	return key
}

// KeyDoc is one line of the key table.
type KeyDoc struct {
	Action string // the name used for remapping
	Keys   []string
	Help   string
	Group  string
}

// KeyTable is the table of default keys, for the documentation and for checking a configuration.
func KeyTable() []KeyDoc {
	var out []KeyDoc
	for _, b := range bindings() {
		keys := make([]string, len(b.keys))
		for i, k := range b.keys {
			keys[i] = keyName(k)
		}
		out = append(out, KeyDoc{Action: b.action, Keys: keys, Help: b.help, Group: b.group})
	}
	return out
}

func keyName(key string) string {
	if key == " " {
		return "space"
	}
	return key
}

// why is the reason a binding does nothing now, or "".
func (b *binding) why(m *Model) string {
	if b.changes && m.opt.ReadOnly {
		return "the board is read-only"
	}
	if b.disabled == nil {
		return ""
	}
	return b.disabled(m)
}
