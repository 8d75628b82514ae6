package desk

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"signalbox/tmuxctl"
	"signalbox/tracker"
)

// A board outside of tmux has lent its terminal for a jump, and has it again: there is no other way back.
func TestABoardOutsideOfTmuxSaysItsOwnWayBack(t *testing.T) {
	outside := fmt.Errorf("looking: %w", &tmuxctl.NoClientError{Outside: true})
	if got := explainedBack(outside); !errors.Is(got, errBackOutside) || len(got.Error()) > 70 {
		t.Errorf("outside: %q", got)
	}
	if got := explainedBack(&tmuxctl.NoClientError{}); !errors.Is(got, tmuxctl.ErrNoClient) || got.Error() != explained(&tmuxctl.NoClientError{}).Error() {
		t.Errorf("inside: %q", got)
	}
}

// Who goes from one agent to the next comes back to where that began; who stays somewhere, to there.
func TestTheWayBackLeadsToWhereTheWayBegan(t *testing.T) {
	d := &Desk{stateDir: t.TempDir()}
	d.server.PID = 7
	now := time.Unix(1000, 0)
	jump := func(from, to tracker.PaneID, after time.Duration) tracker.PaneID {
		now = now.Add(after)
		d.rememberPlace("/dev/pts/3", from, to, now)
		return d.placeOf("/dev/pts/3").Pane
	}
	for i, step := range []struct {
		from, to tracker.PaneID
		after    time.Duration
		back     tracker.PaneID
	}{
		{"%1", "%2", 0, "%1"},
		{"%2", "%3", 5 * time.Second, "%1"}, // on the way
		{"%3", "%4", 59 * time.Second, "%1"},
		{"%4", "", time.Second, "%4"},               // back: from %1 the way back leads to %4
		{"%1", "%2", time.Second, "%1"},             // a new way begins where that one ended
		{"%9", "%3", time.Second, "%9"},             // it was left by other means
		{"%3", "%4", walkPause + time.Second, "%3"}, // somebody worked there
	} {
		if got := jump(step.from, step.to, step.after); got != step.back {
			t.Errorf("step %d: back leads to %s, want %s", i, got, step.back)
		}
	}
	d.server.PID = 8
	if got := jump("%4", "%5", time.Second); got != "%4" {
		t.Errorf("ids of another life of the server are no way: %s", got)
	}
}
