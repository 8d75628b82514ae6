package desk

import (
	"slices"
	"testing"
	"time"

	"signalbox/tracker"
	"signalbox/tui"
	"signalbox/tui/prompt"
)

func TestABoardThatOnlyLooksSendsNothing(t *testing.T) {
	bubble(t, twoAgents, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0))
		q := r.queue()
		q.looks = true
		stop := r.run(q)
		time.Sleep(time.Minute)
		stop()
		if v, err := q.Next(t.Context(), 0); err != nil || len(v.Items) != 1 || len(r.sent()) > 0 {
			t.Errorf("it shows %+v, %v, and sent %v", v, err, r.sent())
		}
		defer r.run(r.queue())()
		time.Sleep(time.Minute)
		if len(r.sent()) != 1 {
			t.Errorf("another board sent %v", r.sent())
		}
	})
}

// TestTwoBoardsKeepEachOthersDrafts ends a board after another one has written its own drafts.
func TestTwoBoardsKeepEachOthersDrafts(t *testing.T) {
	draft := func(pane, text string) tui.SavedDraft {
		return tui.SavedDraft{Server: tracker.ServerID{PID: 1}, Pane: tracker.PaneID(pane), Draft: prompt.Draft{Text: text}}
	}
	for _, c := range []struct {
		name                      string
		began, ours, theirs, want []tui.SavedDraft
	}{
		{"nobody wrote", nil, nil, nil, nil},
		{"only we wrote", nil, []tui.SavedDraft{draft("%1", "a")}, nil, []tui.SavedDraft{draft("%1", "a")}},
		{"only they wrote", nil, nil, []tui.SavedDraft{draft("%1", "a")}, []tui.SavedDraft{draft("%1", "a")}},
		{
			"both wrote, for one pane", nil,
			[]tui.SavedDraft{draft("%1", "ours")},
			[]tui.SavedDraft{draft("%1", "theirs"), draft("%2", "b")},
			[]tui.SavedDraft{draft("%1", "ours"), draft("%2", "b")},
		},
		{"we sent it", []tui.SavedDraft{draft("%1", "a")}, nil, []tui.SavedDraft{draft("%1", "a")}, nil},
		{"they sent it", []tui.SavedDraft{draft("%1", "a")}, []tui.SavedDraft{draft("%1", "a")}, nil, nil},
		{"they changed it", []tui.SavedDraft{draft("%1", "a")}, []tui.SavedDraft{draft("%1", "a")}, []tui.SavedDraft{draft("%1", "b")}, []tui.SavedDraft{draft("%1", "b")}},
	} {
		if got := keepDrafts(c.began, c.ours, c.theirs); !slices.Equal(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
