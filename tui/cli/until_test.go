package cli

import (
	"errors"
	"testing"

	"signalbox/tracker"
)

func TestGoals(t *testing.T) {
	const reached, waits, hopeless = "reached", "waits", "hopeless"
	done := tracker.Verdict{Status: tracker.StatusReview, Reason: "done"}
	failed := tracker.Verdict{Status: tracker.StatusReview, Reason: "stopped with an API error", Failed: "rate_limit"}
	busy := tracker.Verdict{Status: tracker.StatusBusy}
	tests := []struct {
		word               string
		done, failed, busy string
	}{
		{"review", reached, reached, waits},
		{"done", reached, hopeless, waits},
		{"failed", waits, reached, waits},
		{"busy", waits, waits, reached},
		{"idle", waits, waits, waits},
	}
	said := func(err error) string {
		var exit *Exit
		switch {
		case errors.Is(err, errReached):
			return reached
		case errors.As(err, &exit) && exit.Code == ExitInternal && exit.Err.Error() == failed.Reason:
			return hopeless
		case err != nil:
			return err.Error()
		}
		return waits
	}
	for _, tt := range tests {
		g := goalOf(tt.word)
		for _, c := range []struct {
			v    tracker.Verdict
			want string
		}{{done, tt.done}, {failed, tt.failed}, {busy, tt.busy}} {
			if got := said(g(c.v)); got != c.want {
				t.Errorf("--until %s with %q: %s, want %s", tt.word, c.v.Reason, got, c.want)
			}
		}
	}
	for _, word := range goals {
		if goalOf(word) == nil {
			t.Errorf("--until %s is offered and not understood", word)
		}
	}
	for _, word := range []string{"", "none", "waiting", "Done"} {
		if goalOf(word) != nil {
			t.Errorf("--until %q is understood", word)
		}
	}
}
