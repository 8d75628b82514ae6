package tmuxctl

import (
	"slices"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// watchedPanes are the panes of Watched, sorted.
func watchedPanes(t *testing.T, c Conn) []tracker.PaneID {
	t.Helper()
	ws, err := Watched(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	var ids []tracker.PaneID
	for _, w := range ws {
		ids = append(ids, w.Pane)
	}
	slices.Sort(ids)
	return ids
}

func TestWatched(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		if got := watchedPanes(t, c); len(got) != 0 {
			t.Errorf("without a person at it: %v", got)
		}
		work := s.NewSession("work", tmuxtest.Command{})
		beside := s.Split(work, tmuxtest.Command{})
		mine := s.Attach(work.Session)
		other := s.Attach(s.Main().Session)
		if got := watchedPanes(t, c); !slices.Equal(got, []tracker.PaneID{s.Main().ID, work.ID}) {
			t.Errorf("%v", got)
		}
		s.Run("select-pane", "-t", string(beside.ID))
		other.Detach()
		if got := watchedPanes(t, c); !slices.Equal(got, []tracker.PaneID{beside.ID}) {
			t.Errorf("after a change: %v", got)
		}
		// The outer tmux is a terminal that reports the focus when told to.
		lose := func() { mine.Type("\x1b[O") }
		gain := func() { mine.Type("\x1b[I") }
		s.Run("set-option", "-s", "focus-events", "on")
		lose()
		s.Until("the terminal that lost the focus not to count", func() bool { return len(watchedPanes(t, c)) == 0 })
		gain()
		s.Until("it to count again", func() bool { return len(watchedPanes(t, c)) == 1 })
		ws, err := Watched(t.Context(), c)
		if err != nil || ws[0].Term == "" {
			t.Errorf("%+v %v", ws, err)
		}
	})
}

func TestPassesThrough(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		p := s.Main()
		for _, word := range []string{"on", "off"} {
			if _, err := s.Try("set-option", "-p", "-t", string(p.ID), "allow-passthrough", word); err != nil {
				t.Skip("SKIPPED, NOT TESTED: this tmux has no allow-passthrough")
			}
			if got, err := PassesThrough(t.Context(), c, p.ID); err != nil || got != (word == "on") {
				t.Errorf("%s: %v %v", word, got, err)
			}
		}
		if _, err := PassesThrough(t.Context(), c, "nonsense"); err == nil {
			t.Error("a name that is no pane was asked about")
		}
	})
}
