package transcript

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

func TestDecisiveFactsAreSentAtOnceAndDullOnesTogether(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.add("s1", promptLine(1, "go"))
		r.w.SetTargets([]Target{target("s1")})
		r.settle()
		if r.reads["s1"] != 1 || r.latest["s1"].Prompt != "go" {
			t.Fatalf("%d reads, %+v", r.reads["s1"], r.latest["s1"])
		}
		for i := range 50 { // half a second of dull lines, 10 ms apart
			r.add("s1", textLine(2, fmt.Sprint(i), fmt.Sprint("word ", i)))
			time.Sleep(10 * time.Millisecond)
		}
		time.Sleep(sendEvery)
		r.settle()
		if n := r.reads["s1"] - 1; n < 4 || n > 6 {
			t.Errorf("%d events for half a second of lines, want about 5", n)
		}
		if r.latest["s1"].LastText != "word 49" {
			t.Errorf("the last words are late: %q", r.latest["s1"].LastText)
		}
		for _, c := range [][2]string{
			{"interrupt", interruptLine(3, "[Request interrupted by user]")},
			{"end of turn", systemLine(4, "turn_duration")},
			{"question", useLine(5, "t1", "AskUserQuestion", `{}`)},
			{"answer", resultLine(6, "t1", "x")},
			{"prompt", promptLine(7, "next")},
		} {
			name, line := c[0], c[1]
			r.add("s1", textLine(3, "calls", name)) // dull, just before
			time.Sleep(readEvery)
			r.settle()
			before := r.reads["s1"]
			r.add("s1", line)
			time.Sleep(readEvery)
			r.settle()
			if r.reads["s1"] == before {
				t.Errorf("%s waits with the dull", name)
			}
		}
	})
}

func TestLostNoticesLeadToALookAtEverything(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.add("s1", promptLine(1, "go"))
		r.w.SetTargets([]Target{target("s1")})
		r.settle()
		time.Sleep(50 * time.Millisecond) // past readEvery, well before a poll
		r.write(r.path("s1"), interruptLine(2, "[Request interrupted by user]")+"\n")
		r.settle()
		if !r.latest["s1"].InterruptedAt.IsZero() {
			t.Fatal("seen without notice: this test proves nothing")
		}
		r.notes.errs <- fsnotify.ErrEventOverflow
		r.settle()
		if r.latest["s1"].InterruptedAt.IsZero() {
			t.Error("an overflow does not lead to a rescan")
		}
	})
}

func TestTheBackgroundCountTakesASmallShare(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		l := newLoop(r.w, r.out)
		defer l.close()
		r.add("s1", "{}")
		if err := os.Truncate(r.path("s1"), 64<<20); err != nil {
			t.Fatal(err)
		}
		r.add("s1", "", promptLine(1, "go"), systemLine(2, "turn_duration"))
		l.retarget([]Target{target("s1")}, time.Now())
		step := func() int64 {
			r.drain()
			if err := l.step(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			return l.follows["s1"].file.head.at
		}
		if at := step(); at != 0 {
			t.Errorf("%d bytes counted at the start of the board", at)
		}
		time.Sleep(headDelay)
		if at := step(); at != headStep {
			t.Errorf("%d bytes in one piece", at)
		}
		if at := step(); at != headStep {
			t.Error("two pieces without a rest")
		}
		time.Sleep(time.Minute)
		if at := step(); at != 2*headStep {
			t.Errorf("%d bytes after a rest", at)
		}
		l.retarget(nil, time.Now())
		time.Sleep(time.Minute)
		if at := step(); at != 2*headStep {
			t.Error("counting what is no target")
		}
	})
}

func TestTheRestIsCountedInTheBackgroundAndSentOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.add("s1", usageLine("old", "m", 100, 1))
		if err := os.Truncate(r.path("s1"), 3<<20); err != nil {
			t.Fatal(err)
		}
		r.add("s1", "", promptLine(1, "go"))
		r.w.SetTargets([]Target{target("s1")})
		r.settle()
		if f := r.latest["s1"]; !f.TokensPartial || f.Tokens.Input != 0 {
			t.Fatalf("%+v", f)
		}
		time.Sleep(time.Minute)
		r.settle()
		if f := r.latest["s1"]; f.TokensPartial || f.Tokens.Input != 100 {
			t.Errorf("%+v", f)
		}
		if r.reads["s1"] != 2 {
			t.Errorf("%d events for one count", r.reads["s1"])
		}
	})
}
