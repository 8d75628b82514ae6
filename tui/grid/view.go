package grid

import (
	"fmt"
	"slices"
	"strings"

	"signalbox/tracker"
)

// Sort is the order of the rows.
type Sort uint8

// Orders. tmux's own is the default: rows keep their place.
const (
	SortTmux     Sort = iota // sessions by id, windows by index
	SortUrgency              // what needs somebody first, the longest wait first
	SortActivity             // newest output first
	sorts
)

var sortNames = [sorts]string{"tmux", "urgency", "activity"}

// Group is what a section of the board stands for.
type Group uint8

// Groupings.
const (
	GroupSession    Group = iota // one section per tmux session
	GroupRepository              // one per directory tree that agents work in
	groups
)

var groupNames = [groups]string{"session", "repository"}

// Filter hides windows by what is in them.
type Filter uint8

// Filters, in the order in which they are cycled.
const (
	FilterAll    Filter = iota // every window
	FilterNeeds                // somebody has to do something
	FilterBusy                 // an agent works
	FilterAgents               // there is an agent
	filters
)

var filterNames = [filters]string{"all", "needs", "busy", "agents"}

func (s Sort) String() string   { return sortNames[s%sorts] }
func (g Group) String() string  { return groupNames[g%groups] }
func (f Filter) String() string { return filterNames[f%filters] }

// Next is the following value, in a circle.
func (s Sort) Next() Sort { return (s + 1) % sorts }

// Next is the following value, in a circle.
func (g Group) Next() Group { return (g + 1) % groups }

// Next is the following value, in a circle.
func (f Filter) Next() Filter { return (f + 1) % filters }

// MarshalText and UnmarshalText use the words of String, for settings that are kept.
func (s Sort) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText refuses unknown words.
func (s *Sort) UnmarshalText(b []byte) (err error) {
	*s, err = parse[Sort](sortNames[:], b)
	return err
}

// MarshalText uses the words of String.
func (g Group) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText refuses unknown words.
func (g *Group) UnmarshalText(b []byte) (err error) {
	*g, err = parse[Group](groupNames[:], b)
	return err
}

// MarshalText uses the words of String.
func (f Filter) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText refuses unknown words.
func (f *Filter) UnmarshalText(b []byte) (err error) {
	*f, err = parse[Filter](filterNames[:], b)
	return err
}

func parse[T ~uint8](names []string, b []byte) (T, error) {
	i := slices.Index(names, string(b))
	if i < 0 {
		return 0, fmt.Errorf("unknown word %q, want one of %s", b, strings.Join(names, ", "))
	}
	return T(i), nil
}

// View says what to show of a snapshot and how. The zero value shows everything in tmux's order.
type View struct {
	Sort   Sort
	Group  Group
	Filter Filter
	Query  Query
	Folded map[string]bool // titles of the sections shown as one line, unless rows are looked for; titles outlive a server, ids do not
	Flat   bool            // no sections: agents first, most urgent on top (narrow terminals)
	Home   string          // shown as ~ in paths
}

// Finds reports whether the view looks for rows: then they are shown, whatever is folded. Agents alone
// are a way to live with many windows, and leave folds what they are.
func (v View) Finds() bool {
	return !v.Query.Empty() || v.Filter == FilterNeeds || v.Filter == FilterBusy
}

// Cell is one place on the board: a window, or a background agent.
type Cell struct {
	Key        string // stable identity: the window id, or "bg:" and the id of the background agent
	Session    *tracker.SessionRow
	Window     *tracker.WindowRow     // nil for a background agent
	Background *tracker.BackgroundRow // nil for a window
	Solo       bool                   // the window is all its session has: its row carries the session's name
	under      string                 // the directory that the title above it names
	spot       spot                   // in a repository
}

// Verdict is the verdict that the cell shows; the zero value for a window without an agent.
func (c Cell) Verdict() tracker.Verdict {
	switch {
	case c.Background != nil:
		return c.Background.Verdict
	case c.Window != nil:
		if a := c.Window.Agent(); a != nil {
			return a.Verdict
		}
	}
	return tracker.Verdict{}
}

// agent is the agent of a window that leads it, or nil.
func (c Cell) agent() *tracker.AgentRow {
	if c.Window == nil {
		return nil
	}
	return c.Window.Agent()
}

// HasAgent reports whether an agent lives there.
func (c Cell) HasAgent() bool {
	return c.Background != nil || c.Window != nil && c.Window.Agent() != nil
}

// Section is a titled run of cells. When it is folded, its title line takes the place of its cells
// and can be selected; Lead then speaks for it.
type Section struct {
	Key      string
	Title    string
	Path     string // directory of a repository section, or where the session works
	Branch   string
	Attached bool
	Folded   bool
	Cells    []Cell
	Lead     Cell           // the most urgent cell, and of those the one that waits longest
	Counts   tracker.Counts // of its cells
}

// count sums up the cells.
func (s *Section) count() {
	s.Counts = tracker.Counts{}
	for _, c := range s.Cells {
		if c.Window != nil {
			s.Counts.Add(c.Window)
		} else {
			s.Counts.AddVerdict(c.Background.Verdict)
		}
	}
}

// solo reports whether one row says all there is to say, without a title above it. It depends on
// what the session has, not on what a filter leaves of it: typing must not turn titles into rows.
func (s *Section) solo() bool { return len(s.Cells) == 1 && s.Cells[0].Solo }

func (s *Section) holds(key string) bool {
	return slices.ContainsFunc(s.Cells, func(c Cell) bool { return c.Key == key })
}

// Folds reports whether folding the section would hide anything.
func (s *Section) Folds() bool { return s.Key != "" && !s.solo() }

// PrefixBackground begins the key of a background agent's cell.
const PrefixBackground = "bg:"

// keyBackground is the section of agents without a pane.
const keyBackground = "background"

// Arrange returns the sections to show, without those that have nothing to show. The cells point
// into the snapshot.
func Arrange(snap *tracker.Snapshot, v View) []Section {
	if snap == nil {
		return nil
	}
	cells := make([]Cell, 0, snap.Counts.Windows+len(snap.Background))
	snap.Windows(func(s *tracker.SessionRow, w *tracker.WindowRow) bool {
		if v.Filter.window(w) && (v.Query.Empty() || v.Query.Window(s, w)) {
			cells = append(cells, Cell{Key: string(w.ID), Session: s, Window: w})
		}
		return true
	})
	windows := len(cells)
	for _, b := range snap.Background {
		if v.Filter.verdict(b.Verdict) && (v.Query.Empty() || v.Query.Background(b)) {
			cells = append(cells, Cell{Key: PrefixBackground + b.ID, Background: b})
		}
	}
	if v.Flat {
		return flat(cells, v.Sort)
	}
	var out []Section
	if v.Group == GroupRepository {
		out = byRepository(cells[:windows])
	} else {
		out = bySession(cells[:windows], len(snap.Sessions))
	}
	if len(cells) > windows {
		out = append(out, Section{Key: keyBackground, Title: "background", Cells: cells[windows:]})
	}
	return finish(out, v)
}

// finish orders the sections and their cells, and notes who leads and what is folded.
func finish(out []Section, v View) []Section {
	for i := range out {
		s := &out[i]
		s.Lead = s.Cells[0]
		for _, c := range s.Cells[1:] {
			if byUrgency(c, s.Lead) < 0 {
				s.Lead = c
			}
		}
		s.Folded = v.Folded[s.Title] && !s.solo() && !v.Finds()
		s.Path = Tilde(s.Path, v.Home)
		s.count()
		if !s.solo() {
			for i := range s.Cells {
				s.Cells[i].under = s.Path
			}
		}
		if less := v.Sort.compare(); less != nil {
			slices.SortStableFunc(s.Cells, less)
		}
	}
	switch v.Sort {
	case SortUrgency:
		slices.SortStableFunc(out, func(a, b Section) int { return byUrgency(a.Lead, b.Lead) })
	case SortActivity:
		slices.SortStableFunc(out, func(a, b Section) int { return byActivity(a.Cells[0], b.Cells[0]) })
	}
	return out
}

// flat is one section without a title. Narrow screens show it most urgent first, whatever the
// order chosen, because only a few rows are seen at once.
func flat(cells []Cell, s Sort) []Section {
	if len(cells) == 0 {
		return nil
	}
	if s == SortActivity {
		slices.SortStableFunc(cells, byActivity)
	} else {
		slices.SortStableFunc(cells, byUrgency)
	}
	return []Section{{Cells: cells, Lead: cells[0]}}
}

func bySession(cells []Cell, sessions int) []Section {
	out := make([]Section, 0, sessions+1)
	for start := 0; start < len(cells); {
		end := start + 1
		for end < len(cells) && cells[end].Session == cells[start].Session {
			end++
		}
		s := cells[start].Session
		cells[start].Solo = len(s.Windows) == 1
		section := Section{Key: string(s.ID), Title: s.Name, Attached: s.Attached, Cells: cells[start:end:end]}
		section.Path, section.Branch = place(s.Windows)
		out = append(out, section)
		start = end
	}
	return out
}

// place is the directory and branch of windows, as far as all their agents agree on them: a
// half-truth in a title is worse than none.
func place(windows []*tracker.WindowRow) (path, branch string) {
	first := true
	for _, w := range windows {
		a := w.Agent()
		switch {
		case a == nil:
		case first:
			path, branch, first = a.CWD, a.Branch, false
		case a.CWD != path:
			return "", ""
		case a.Branch != branch:
			branch = ""
		}
	}
	return path, branch
}

func (f Filter) window(w *tracker.WindowRow) bool {
	if f == FilterAll {
		return true
	}
	for _, p := range w.Panes {
		if p.Agent != nil && f.verdict(p.Agent.Verdict) {
			return true
		}
		for _, a := range p.Others {
			if f.verdict(a.Verdict) {
				return true
			}
		}
	}
	return false
}

func (f Filter) verdict(v tracker.Verdict) bool {
	switch f {
	case FilterNeeds:
		return v.NeedsPerson()
	case FilterBusy:
		return v.Status == tracker.StatusBusy
	}
	return true
}
