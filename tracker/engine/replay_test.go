package engine_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

const recordings = "../../testdata/recordings"

// TestRecordings replays every recording of a real Claude Code through the real decoders, State
// and Judge in virtual time, with the registry and hooks, with the registry alone and with hooks
// alone, and compares with the timeline written by hand.
func TestRecordings(t *testing.T) {
	dirs, err := os.ReadDir(recordings)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		rec := load(t, d.Name())
		for _, mode := range []string{"b", "r", "h"} {
			t.Run(d.Name()+"/"+mode, func(t *testing.T) {
				want := rec.expected(mode)
				if len(want) == 0 {
					t.Fatalf("no expectation in testdata/timelines/%s.txt", d.Name())
				}
				if got := rec.replay(t, mode); !agree(got, want) {
					t.Errorf("got\n%s\nwant\n%s", show(got), show(want))
				}
			})
		}
	}
}

// moment is one change of what the board says; star marks the background group.
type moment struct {
	at   float64
	star bool
	text string
}

// tolerance is how far the recorder's stamps may be off; see testdata/timelines/README.md.
const tolerance = 0.12

func agree(got, want []moment) bool {
	return slices.EqualFunc(got, want, func(g, w moment) bool {
		return g.star == w.star && g.text == w.text && math.Abs(g.at-w.at) <= tolerance
	})
}

func show(ms []moment) string {
	var b strings.Builder
	for _, m := range ms {
		star := " "
		if m.star {
			star = "*"
		}
		fmt.Fprintf(&b, "  %s %6.2f %s\n", star, m.at, m.text)
	}
	return b.String()
}

func (r *recording) act(t *testing.T, s *tracker.State, what string, now time.Time) {
	t.Helper()
	p := r.living(s)
	switch what {
	case "exited":
		s.Apply(tracker.ProcessExited{At: now, ID: p.ID()})
	case "stopped", "continued":
		if what == "stopped" {
			p.State = tracker.ProcStopped
		}
		s.Apply(tracker.ProcessesSeen{At: now, Procs: []tracker.Process{p}})
	case "appeared":
		for pid, c := range r.chains { // the only agent of that recording
			c[0].Start = max(c[0].Start, 1)
			s.Apply(tracker.ProcessesSeen{At: now, Complete: true, Procs: r.chains[pid]})
		}
	case "dialog":
		s.Apply(tracker.ScreenSeen{At: now, Pane: "%0", PanePID: panePID, Dialog: true})
	default:
		t.Fatalf("unknown action %q", what)
	}
}

// living is the agent that is on the board now.
func (r *recording) living(s *tracker.State) tracker.Process {
	snap := s.Snapshot()
	if _, _, p := snap.FindPane("%0"); p != nil && p.Agent != nil {
		return r.chains[p.Agent.ID.PID][0]
	}
	for _, b := range snap.Background {
		return r.chains[b.PID][0]
	}
	return tracker.Process{}
}

// expected is the timeline of a mode.
func (r *recording) expected(mode string) []moment {
	var out []moment
	for _, line := range r.lines {
		f := strings.Fields(line)
		if len(f) < 3 || f[0] == "!" || f[0] == "#" || !strings.Contains(f[0], mode) {
			continue
		}
		at, _ := strconv.ParseFloat(f[1], 64)
		out = append(out, moment{at, strings.HasSuffix(f[0], "*"), strings.Join(f[2:], " ")})
	}
	return out
}

// replay applies the facts of a mode, lets time pass between them, and lists what changed.
func (r *recording) replay(t *testing.T, mode string) []moment {
	s := tracker.NewState()
	s.Apply(tracker.TmuxListed{At: r.base, Topology: tracker.Topology{Server: tracker.ServerID{PID: 1}, Sessions: []tracker.Session{{
		ID:      "$0",
		Windows: []tracker.Window{{ID: "@0", Panes: []tracker.Pane{{ID: "%0", PID: panePID, Active: true, Command: "bash"}}}},
	}}}})
	os.RemoveAll(filepath.Join(r.temp, "projects"))
	c := changes{last: map[bool]string{false: "gone", true: "gone"}}
	for _, f := range r.facts {
		if f.source == 'r' && mode == "h" || f.source == 'h' && mode == "r" {
			continue
		}
		for next := s.Next(); !next.IsZero() && next.Before(r.base.Add(seconds(f.at))); next = s.Next() {
			s.Settle(next)
			c.note(s, next.Sub(r.base).Seconds())
		}
		f.apply(t, s, r.base.Add(seconds(f.at)))
		c.note(s, f.at)
	}
	return c.moments
}

type changes struct {
	last    map[bool]string
	moments []moment
}

func (c *changes) note(s *tracker.State, at float64) {
	snap := s.Snapshot()
	pane, background := "gone", "gone"
	if _, _, p := snap.FindPane("%0"); p.Agent != nil {
		pane = words(p.Agent.Verdict)
	}
	for _, b := range snap.Background {
		background = words(b.Verdict)
	}
	for star, text := range map[bool]string{false: pane, true: background} {
		if c.last[star] != text {
			c.last[star] = text
			c.moments = append(c.moments, moment{at, star, text})
		}
	}
}

// words is a verdict as the timelines write it.
func words(v tracker.Verdict) string {
	out := v.Status.String()
	for _, m := range []struct {
		set  bool
		word string
	}{
		{v.Starting, "starting"},
		{v.Suspended, "suspended"},
		{v.Interrupted, "interrupted"},
		{v.Dialog, "dialog"},
		{v.Background > 0, "background"},
		{v.Compacting, "compacting"},
		{v.Failed != "", "failed"},
	} {
		if m.set {
			out += " " + m.word
		}
	}
	return out
}
