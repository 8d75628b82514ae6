package desk

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"signalbox/tracker"
)

func TestScreensAreReadOnlyWhereSomethingHappened(t *testing.T) {
	t0 := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	at := func(s float64) time.Time { return t0.Add(time.Duration(s * float64(time.Second))) }
	world := func(activity ...float64) *tracker.Snapshot {
		sess := &tracker.SessionRow{}
		for i, a := range activity {
			sess.Windows = append(sess.Windows, &tracker.WindowRow{Activity: at(a), Panes: []*tracker.PaneRow{{Pane: tracker.Pane{ID: tracker.PaneID(fmt.Sprintf("%%%d", i))}}}})
		}
		sess.Windows[0].Panes[0].Agent = &tracker.AgentRow{} // agents are not read
		return &tracker.Snapshot{Sessions: []*tracker.SessionRow{sess}}
	}
	l := looks{self: "%1", at: map[tracker.PaneID]time.Time{}}
	for _, step := range []struct {
		now    float64
		snap   *tracker.Snapshot
		silent []tracker.PaneID
		want   []tracker.PaneID
	}{
		{100, world(0, 0, 50, 99.5), nil, []tracker.PaneID{"%2", "%3"}}, // never looked at
		{100.2, world(0, 0, 50, 99.5), nil, nil},                        // %3 may still print
		{101, world(0, 0, 50, 99.5), nil, []tracker.PaneID{"%3"}},       // now it has settled
		{200, world(0, 200, 50, 99.5), nil, nil},                        // the board's own pane
		{201, world(0, 0, 50, 201), nil, []tracker.PaneID{"%3"}},        // prints after a long rest
		{203, world(0, 0, 50, 203), nil, nil},                           // prints on
		{206, world(0, 0, 50, 206), nil, []tracker.PaneID{"%3"}},        // and is looked at now and then
		{207, world(0, 0, 50, 206), []tracker.PaneID{"%0"}, []tracker.PaneID{"%0", "%3"}},
		{208, world(0, 0, 50, 206), []tracker.PaneID{"%0"}, nil},
		{209, world(0, 0, 50, 206), []tracker.PaneID{"%0"}, []tracker.PaneID{"%0"}},
	} {
		got := l.due(step.snap, step.silent, at(step.now))
		slices.Sort(got)
		if !slices.Equal(got, step.want) {
			t.Errorf("second %v: looked at %v, want %v", step.now, got, step.want)
		}
	}
	busy := make([]float64, 200)
	if got := l.due(world(busy...), nil, at(900)); len(got) > looksAtOnce {
		t.Errorf("%d screens at once", len(got))
	}
}
