package desk

import (
	"testing"
	"time"

	"signalbox/tracker"
)

func TestTheBoardIsOnScreenWhileItsWindowIsShown(t *testing.T) {
	window := func(id tracker.PaneID, active bool) *tracker.WindowRow {
		return &tracker.WindowRow{Active: active, Panes: []*tracker.PaneRow{{Pane: tracker.Pane{ID: id}}}}
	}
	snap := &tracker.Snapshot{Sessions: []*tracker.SessionRow{
		{Attached: true, Windows: []*tracker.WindowRow{window("%1", true), window("%2", false)}},
		{Attached: false, Windows: []*tracker.WindowRow{window("%3", true)}},
	}}
	for pane, want := range map[tracker.PaneID]bool{
		"%1": true,
		"%2": false, // another window of the session is shown
		"%3": false, // nobody is attached
		"%9": true,  // not listed yet
		"":   true,  // outside of tmux
	} {
		if got := onScreen(snap, pane); got != want {
			t.Errorf("pane %q is on screen: %v, want %v", pane, got, want)
		}
	}
}

func TestNobodyLooksAtABoardThatIsHiddenForAWhile(t *testing.T) {
	now := time.Now()
	for name, tt := range map[string]struct {
		blurred bool
		hidden  time.Duration // for how long
		want    bool
	}{
		"shown":             {false, 0, false},
		"blurred":           {true, 0, true},
		"hidden just now":   {false, hiddenAfter - time.Second, false},
		"hidden for longer": {false, hiddenAfter, true},
	} {
		a := attention{blurred: tt.blurred}
		if tt.hidden > 0 {
			a.hiddenFrom = now.Add(-tt.hidden)
		}
		if got := a.idle(now); got != tt.want {
			t.Errorf("%s: idle %v, want %v", name, got, tt.want)
		}
	}
}
