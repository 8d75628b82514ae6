package transcript

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"signalbox/tracker"
)

func TestFoldersAreWatchedForTheirTargetsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		folder := watched(r.path("s1"))
		r.add("s1", promptLine(1, "a"))
		r.add("s2", promptLine(1, "b"))
		r.settle()
		if r.notes.refs(folder) != 0 || len(r.latest) != 0 {
			t.Error("something is read without a target")
		}
		r.w.SetTargets([]Target{target("s1"), target("s2"), target("s1")})
		r.settle()
		r.w.SetTargets([]Target{target("s2")})
		time.Sleep(2 * lingerFor)
		r.settle()
		if n := r.notes.refs(folder); n != 1 {
			t.Errorf("folder watched %d times with one target left", n)
		}
		r.w.SetTargets(nil)
		time.Sleep(2 * lingerFor)
		r.settle()
		if n := r.notes.refs(folder); n != 0 {
			t.Errorf("folder watched %d times with no target left", n)
		}
	})
}

func TestTheWatchMovesWithTheFile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.add("s1", promptLine(1, "a"))
		r.w.SetTargets([]Target{target("s1")})
		r.settle()
		moved := filepath.Join(r.dir, "projects", "-elsewhere", "s1.jsonl")
		if err := os.MkdirAll(filepath.Dir(moved), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(r.path("s1"), moved); err != nil {
			t.Fatal(err)
		}
		r.notes.events <- fsnotify.Event{Name: r.path("s1"), Op: fsnotify.Rename}
		time.Sleep(readEvery)
		r.settle()
		if from, to := r.notes.refs(watched(r.path("s1"))), r.notes.refs(watched(moved)); from != 0 || to != 1 {
			t.Errorf("the old folder is watched %d times, the new one %d", from, to)
		}
	})
}

func TestABetterPathFromAHookIsTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.add("s1", promptLine(1, "stale copy"))
		r.w.SetTargets([]Target{target("s1")})
		r.settle()
		told := filepath.Join(r.dir, "projects", "-worktree", "s1.jsonl")
		if err := os.MkdirAll(filepath.Dir(told), 0o700); err != nil {
			t.Fatal(err)
		}
		r.write(told, promptLine(2, "the real one")+"\n")
		r.w.SetTargets([]Target{{SessionID: "s1", CWD: rigCWD, Path: told}})
		time.Sleep(pollEvery)
		r.settle()
		if r.latest["s1"].Prompt != "the real one" {
			t.Errorf("%+v", r.latest["s1"])
		}
	})
}

func TestABurstIsReadInAFewPieces(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.w.SetTargets([]Target{target("s1")})
		r.add("s1", promptLine(0, "go"))
		r.settle()
		before := r.reads["s1"]
		for i := range 100 { // prompts are decisive: each read is an event
			r.add("s1", promptLine(i, fmt.Sprint("p", i)))
			synctest.Wait()
		}
		time.Sleep(readEvery)
		r.settle()
		if n := r.reads["s1"] - before; n > 2 {
			t.Errorf("%d reads for a burst", n)
		}
		if r.latest["s1"].Prompt != "p99" {
			t.Errorf("%q", r.latest["s1"].Prompt)
		}
	})
}

func TestSessionsOfThePastAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		l := newLoop(r.w, r.out)
		defer l.close()
		for i := range 3 * keptFiles {
			session := fmt.Sprint("s", i)
			r.write(r.path(session), promptLine(1, "x")+"\n")
			l.retarget([]Target{target(session)}, time.Now())
			r.drain()
			if err := l.step(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(2 * lingerFor)
		}
		if n := len(l.follows); n > keptFiles {
			t.Errorf("%d sessions kept", n)
		}
		if n := len(l.ledger.alive); n > keptFiles {
			t.Errorf("%d readings kept in the ledger", n)
		}
	})
}

func TestASessionIsFollowedAMomentLongerThanItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.add("s1", promptLine(1, "go"))
		r.w.SetTargets([]Target{target("s1")})
		r.settle()
		r.w.SetTargets(nil)
		r.settle()
		time.Sleep(time.Second)
		r.add("s1", textLine(2, "a", "the last words come late"))
		time.Sleep(2 * sendEvery)
		r.settle()
		if r.latest["s1"].LastText == "" {
			t.Error("the last words are missed")
		}
		time.Sleep(2 * lingerFor)
		r.add("s1", textLine(3, "b", "much later"))
		time.Sleep(time.Minute)
		r.settle()
		if r.latest["s1"].LastText == "much later" {
			t.Fatal("followed for ever")
		}
		r.w.SetTargets([]Target{target("s1")})
		time.Sleep(2 * sendEvery)
		r.settle()
		if f := r.latest["s1"]; f.LastText != "much later" || f.Tokens.Input != 20 {
			t.Errorf("not resumed: %+v", f)
		}
	})
}

func TestFactsAreSentAgainToAnotherAgentOfTheSession(t *testing.T) { // B22, /resume
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.add("s1", promptLine(1, "go"))
		targets := func(names ...string) {
			var list []Target
			for _, n := range names {
				list = append(list, target(n))
			}
			r.w.SetTargets(list)
			time.Sleep(2 * sendEvery)
			r.settle()
		}
		for i, c := range []struct {
			names []string
			reads int // of s1, so far
		}{{[]string{"s1"}, 1}, {[]string{"s1", "s1"}, 2}, {[]string{"s1"}, 2}, {[]string{"s2"}, 2}, {[]string{"s2", "s1"}, 3}, {[]string{"s1"}, 3}} {
			if targets(c.names...); r.reads["s1"] != c.reads {
				t.Errorf("step %d, %v: sent %d times, want %d", i, c.names, r.reads["s1"], c.reads)
			}
		}
	})
}

func TestAGlanceIsOneLook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		glance := target("s1")
		glance.Glance = true
		r.add("s1", promptLine(1, "go"))
		r.w.SetTargets([]Target{glance})
		r.settle()
		r.add("s1", promptLine(2, "later"))
		r.w.SetTargets([]Target{glance, {SessionID: "s2", CWD: rigCWD, Glance: true}})
		time.Sleep(time.Minute)
		r.settle()
		if r.reads["s1"] != 1 || r.latest["s1"].Prompt != "go" {
			t.Errorf("%d reads, %+v", r.reads["s1"], r.latest["s1"])
		}
		if n := r.notes.refs(watched(r.path("s1"))); n != 0 {
			t.Errorf("an idle agent's folder is watched %d times", n)
		}
		r.w.SetTargets([]Target{target("s1")})
		r.settle()
		if r.latest["s1"].Prompt != "later" {
			t.Error("not followed after a glance")
		}
	})
}

func TestSetTargetsNeverBlocksAndTheLastCallWins(t *testing.T) {
	r := newRig(t, newFakeNotes())
	for i := range 10_000 { // nobody reads: Run has not started
		r.w.SetTargets([]Target{target(fmt.Sprint("s", i))})
	}
	if got := r.w.targets(); len(got) != 1 || got[0].SessionID != "s9999" {
		t.Errorf("%+v", got)
	}
}

func TestSameTargetsDoNotWakeTheWatcher(t *testing.T) {
	r := newRig(t, newFakeNotes())
	r.w.SetTargets([]Target{target("s1")})
	<-r.w.wake
	r.w.SetTargets([]Target{target("s1")})
	select {
	case <-r.w.wake:
		t.Error("woken for nothing")
	default:
	}
}

func TestAFullChannelHoldsTheWatcherAndEndsWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.out = make(chan tracker.Event) // nobody reads
		r.start()
		r.w.SetTargets([]Target{target("s1")})
		r.add("s1", promptLine(1, "go"))
		synctest.Wait()
		r.w.SetTargets([]Target{target("s2")})
		r.end()
	})
}
