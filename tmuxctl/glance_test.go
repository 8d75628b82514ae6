package tmuxctl

import (
	"strconv"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

func TestAGlanceReadsOnWhereSomethingHasChanged(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		l := NewLister(c)
		work := s.NewSession("work", tmuxtest.Command{Argv: []string{"cat"}})
		glance := func(own tracker.PaneID) Listing {
			t.Helper()
			got, err := l.Glance(t.Context(), own)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		if !glance("").Full {
			t.Fatal("the first look was a glance")
		}
		// what the programs print at their start may still come
		before := glance("")
		s.Until("the glance to find nothing new", func() bool {
			was := before
			before = glance("")
			return &was.Topology.Sessions[0] == &before.Topology.Sessions[0]
		})
		if before.Full {
			t.Error("a repeated listing counts as a full one")
		}
		_, w, _ := find(t, before.Topology, work.ID)
		written := w.Activity
		s.Until("output to be told", func() bool {
			s.Run("send-keys", "-t", string(work.ID), "x", "Enter")
			return s.Format(work.ID, "#{window_activity}") > strconv.FormatInt(written.Unix(), 10)
		})
		if got := glance(work.ID); &got.Topology.Sessions[0] != &before.Topology.Sessions[0] {
			t.Error("what the board itself draws counts as a change")
		}
		if _, w, _ := find(t, glance("").Topology, work.ID); !w.Activity.After(written) {
			t.Errorf("output at %v is not seen after that of %v", w.Activity, written)
		}
		s.Run("set-option", "-p", "-t", string(work.ID), "remain-on-exit", "on", ";", "send-keys", "-t", string(work.ID), "C-c")
		s.Until("the end of the program to be seen", func() bool {
			_, _, p := find(t, glance(work.ID).Topology, work.ID)
			return p.Dead
		})
		s.Run("respawn-pane", "-t", string(work.ID), "cat")
		if !glance(work.ID).Full {
			t.Error("another program in the pane did not lead to a full listing")
		}
		s.NewSession("more", tmuxtest.Command{})
		if got := glance(work.ID); !got.Full || len(got.Topology.Sessions) != len(before.Topology.Sessions)+1 {
			t.Errorf("a new session is not seen: %+v", got)
		}
	})
}

// TestAGlanceIsNoProofOfWhatItDoesNotUnderstand changes one thing at a time in what a glance returns.
func TestAGlanceIsNoProofOfWhatItDoesNotUnderstand(t *testing.T) {
	known, err := parseFull(fullOne, fuzzMark)
	if err != nil {
		t.Fatal(err)
	}
	const head, pane = "S 42\nC $1 attached,focused,UTF-8\n", "G 8248 0 1796083033 1796083033"
	if !known.stands(head+pane+"\n", "") || !known.stands(head+"G 8248 0 1796083033 1796083034\n", "%3") {
		t.Fatal("what is the same does not count as such")
	}
	for name, in := range map[string]string{
		"nothing":          "",
		"another server":   "S 43\nC $1 attached,focused,UTF-8\n" + pane + "\n",
		"a client went":    "S 42\n" + pane + "\n",
		"a client came":    head + "C $1 attached\n" + pane + "\n",
		"a pane went":      head,
		"a pane came":      head + pane + "\n" + pane + "\n",
		"another process":  head + "G 8249 0 1796083033 1796083033\n",
		"it has ended":     head + "G 8248 1 1796083033 1796083033\n",
		"a key was hit":    head + "G 8248 0 1796083034 1796083033\n",
		"it has written":   head + "G 8248 0 1796083033 1796083034\n",
		"no numbers":       head + "G\n",
		"an empty line":    head + "\n",
		"something behind": head + pane + "\nC $1 attached\n",
	} {
		if known.stands(in, "") {
			t.Errorf("%s: it counts as unchanged", name)
		}
		if name != "it has written" && known.stands(in, "%3") {
			t.Errorf("%s, in the board's own pane: it counts as unchanged", name)
		}
	}
}

// TestASilentServerIsAskedLess also changes a name, and brings something that hurries.
func TestASilentServerIsAskedLess(t *testing.T) {
	silent := func(c *fakeConn) { c.wrote = time.Now().Add(-silentAfter) }
	polling(t, 0, func(t *testing.T, c *fakeConn, p *Poller, _ func() []tracker.Event) {
		step := c.steps(t)
		step("silent", func() {}, 6500*time.Millisecond, "F@0s G@3s G@6s")
		step("a name changed just after a sweep", func() { p.Notice(Notice{Full: true}) }, time.Second, "F@7s")
		step("a name changed long after", func() { time.Sleep(1200 * time.Millisecond); p.Notice(Notice{Full: true}) }, time.Millisecond, "F@8.7s")
		step("something came", func() { time.Sleep(200 * time.Millisecond); p.Notice(Notice{Early: true}) }, time.Millisecond, "L@8.901s")
		step("still silent", func() {}, 4*time.Second, "G@11.901s")
		step("somebody writes", func() { c.set(func() { c.wrote = time.Time{} }) }, 4*time.Second, "G@14.901s L@14.901s F@15.901s L@16.901s")
		step("and has stopped", func() { c.set(func() { silent(c) }) }, 7*time.Second, "L@17.901s L@18.901s L@19.901s F@20.901s L@21.901s L@22.901s L@23.901s")
		step("for ten seconds", func() {}, 7*time.Second, "L@24.901s L@25.901s G@26.901s G@29.901s")
		step("without a connection", func() { c.set(func() { c.forks = true }) }, 3*time.Second, "L@32.901s")
		c.set(func() { c.forks = false })
		step("the server fails", func() { c.set(func() { c.err = &CommandError{Command: "list-panes", Kind: ErrNoServer} }) }, 3*time.Second, "G@35.901s F@36.901s")
	}, silent)
}
