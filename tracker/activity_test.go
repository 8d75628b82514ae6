package tracker

import (
	"testing"
	"time"
)

// writing is a listing of panes 0 and 1 in which the window of one has written last at out.
func writing(seconds float64, pane int, out float64) TmuxListed {
	ev := listed(seconds, 0, 1)
	ev.Topology.Sessions[0].Windows[pane].Activity = at(out)
	return ev
}

// firsts are the processes of the panes 0 and 1, and a board in pane 0.
func firsts(seconds float64) ProcessesSeen {
	return ProcessesSeen{At: at(seconds), Complete: true, Procs: []Process{
		{PID: 100, PPID: 1, Start: 1000, Name: "bash"},
		{PID: 101, PPID: 1, Start: 1001, Name: "bash"},
		{PID: 300, PPID: 100, Start: 3000, Name: "signalbox"},
	}}
}

func TestWhatTheBoardDrawsIsNoNews(t *testing.T) {
	s := NewState(SourceTmux)
	s.SetSelf(300)
	for _, ev := range []Event{listed(0, 0, 1), firsts(0), writing(1, 0, 1)} {
		s.Apply(ev)
	}
	s.Settle(at(1))
	rev := s.Snapshot().Rev
	for i := 2; i < 60; i++ {
		sec := float64(i)
		if c := max(s.Apply(writing(sec, 0, sec)), s.Settle(at(sec))); c != ChangeNone {
			t.Fatalf("second %d: its own output is a change %d", i, c)
		}
	}
	if now := s.Snapshot().Rev; now != rev {
		t.Errorf("its own output made %d snapshots", now-rev)
	}
	s.Apply(writing(60, 1, 60))
	if s.Snapshot().Rev == rev {
		t.Error("the first output of another window made no snapshot")
	}
}

// TestOutputThatGoesOnIsNewsNowAndThen holds how often a window that writes all the time makes the
// board draw, how far what is shown may lag behind, and that it is exact in the end.
func TestOutputThatGoesOnIsNewsNowAndThen(t *testing.T) {
	const end = 60
	s := play(listed(0, 0, 1), firsts(0))
	shown := func() *WindowRow { return s.Snapshot().Sessions[0].Windows[1] }
	rev := s.Snapshot().Rev
	for i := 1; i <= end; i++ {
		sec := float64(i)
		s.Apply(writing(sec, 1, sec))
		s.Settle(at(sec))
		if lag := at(sec).Sub(shown().Activity); lag >= activeFor {
			t.Fatalf("second %d: the row shows output of %v ago", i, lag)
		}
		if shown().Kind != KindActive {
			t.Fatalf("second %d: a window that writes is %v", i, shown().Kind)
		}
	}
	if n := s.Snapshot().Rev - rev; n > end/5 {
		t.Errorf("a minute of output made %d snapshots", n)
	}
	s.Apply(writing(end+2, 1, end))
	if row := shown(); !row.Activity.Equal(at(end)) {
		t.Errorf("after a pause the row shows output of %v before", at(end+2).Sub(row.Activity))
	}
	rev = s.Snapshot().Rev
	s.Apply(writing(end+4, 1, end))
	if s.Snapshot().Rev != rev {
		t.Error("a pause that goes on is news")
	}
	s.Settle(at(end + 9.9))
	if shown().Kind != KindActive {
		t.Errorf("9.9 seconds after its last output the window is %v", shown().Kind)
	}
	if next := s.Next(); !next.Equal(at(end + 10)) {
		t.Errorf("the next look is due at %v, want 10 s after the last output", next.Sub(at(0)))
	}
	s.Settle(at(end + 10))
	if row := shown(); row.Kind == KindActive {
		t.Errorf("10 seconds after its last output the window is %v", row.Kind)
	}
}

// TestKeysInASessionAreNewsNowAndThen is the same for the activity of a session.
func TestKeysInASessionAreNewsNowAndThen(t *testing.T) {
	typing := func(seconds, key float64) TmuxListed {
		ev := listed(seconds, 0)
		ev.Topology.Sessions[0].Activity = at(key)
		return ev
	}
	s := play(typing(0, 0))
	rev := s.Snapshot().Rev
	for i := 1; i <= 60; i++ {
		s.Apply(typing(float64(i), float64(i)))
		s.Settle(at(float64(i)))
		s.Snapshot()
	}
	if n := s.Snapshot().Rev - rev; n > 60/5 {
		t.Errorf("a minute of typing made %d snapshots", n)
	}
	s.Settle(at(70))
	if got := s.Snapshot().Sessions[0].Activity; !got.Equal(at(60)) {
		t.Errorf("after the last key the session shows one of %v before", at(60).Sub(got).Round(time.Second))
	}
}
