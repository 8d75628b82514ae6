package transcript

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
)

func TestWithoutAnyNoticeThePollFindsChanges(t *testing.T) {
	for name, c := range map[string]struct {
		broken func(*rig)
		within time.Duration
	}{
		"notices that never come": {func(*rig) {}, pollEvery},
		"no notices to be had": {func(r *rig) {
			r.w.notices = func() (notifier, error) { return nil, errors.New("too many open files") }
		}, 2 * pollBlind},
		"no more watches": {func(r *rig) { r.notes.refuse = errors.New("no space left on device") }, 2 * pollBlind},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := newRig(t, newFakeNotes())
				c.broken(r)
				r.start()
				defer r.end()
				r.w.SetTargets([]Target{target("s1")})
				time.Sleep(time.Minute) // no file yet
				r.settle()
				r.write(r.path("s1"), promptLine(1, "go")+"\n")
				time.Sleep(c.within)
				r.settle()
				if r.latest["s1"].Prompt != "go" {
					t.Fatal("a new file is not found")
				}
				r.write(r.path("s1"), promptLine(2, "more")+"\n")
				time.Sleep(c.within)
				r.settle()
				if r.latest["s1"].Prompt != "more" {
					t.Error("a change is not found")
				}
				works, ok := r.health.(tracker.SourceWorks)
				if !ok || (works.Detail != "") != (name != "notices that never come") {
					t.Errorf("health: %+v", r.health)
				}
			})
		})
	}
}

func TestAFolderThatCannotBeReadIsAFailedSourceUntilItCan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, newFakeNotes())
		r.start()
		defer r.end()
		r.settle()
		if works, ok := r.health.(tracker.SourceWorks); !ok || works.Detail != "" {
			t.Fatalf("at start: %+v", r.health)
		}
		projects := filepath.Join(r.dir, "projects")
		if err := os.RemoveAll(projects); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(projects, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		r.w.SetTargets([]Target{target("s1")})
		for range 60 {
			time.Sleep(time.Second)
			r.settle()
			if failed, ok := r.health.(tracker.SourceFailed); !ok || failed.Reason == "" {
				t.Fatalf("%+v", r.health)
			}
		}
		if err := os.Remove(projects); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * searchMost)
		r.settle()
		if _, ok := r.health.(tracker.SourceWorks); !ok {
			t.Errorf("no folder at all is a normal state: %+v", r.health)
		}
	})
}

func TestOneBadTranscriptIsARemarkAndAllOfThemAFailure(t *testing.T) {
	r := newRig(t, newFakeNotes())
	l := newLoop(r.w, r.out)
	defer l.close()
	bad := errors.New("permission denied")
	l.follows["s1"] = &follow{active: true, problem: bad}
	l.follows["s2"] = &follow{active: true}
	check := func(want tracker.Event) {
		t.Helper()
		for range 3 { // said once, not with every step
			if err := l.report(t.Context(), at(1)); err != nil {
				t.Fatal(err)
			}
		}
		if n := len(r.out); n != 1 {
			t.Fatalf("said %d times", n)
		}
		if got := <-r.out; got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	check(tracker.SourceWorks{At: at(1), Source: tracker.SourceTranscript, Detail: "1 of 2 transcripts unreadable: permission denied"})
	l.follows["s2"].problem = bad
	check(tracker.SourceFailed{At: at(1), Source: tracker.SourceTranscript, Reason: "permission denied"})
	l.follows["s1"].problem, l.follows["s2"].problem = nil, nil
	check(tracker.SourceWorks{At: at(1), Source: tracker.SourceTranscript})
}

func TestRealNoticesBringAnInterrupt(t *testing.T) {
	r := newRig(t, nil)
	r.w.poll = time.Hour // so that a notice alone can bring it
	r.start()
	defer r.end()
	r.add("s1", promptLine(1, "go"))
	r.w.SetTargets([]Target{target("s1")})
	r.until("first read", func() bool { return r.latest["s1"].Prompt == "go" })
	r.add("s1", interruptLine(2, "[Request interrupted by user]"))
	r.until("interrupt", func() bool { return !r.latest["s1"].InterruptedAt.IsZero() })
}

func TestRealFilesComeGoAndChangePlaces(t *testing.T) {
	r := newRig(t, nil)
	r.start()
	defer r.end()
	r.w.SetTargets([]Target{target("s1")})
	r.add("s1", promptLine(1, "new file")) // after /clear: the file comes after the session
	r.until("new file", func() bool { return r.latest["s1"].Prompt == "new file" })

	if err := os.WriteFile(r.path("s1")+".tmp", joined([]string{promptLine(2, "replaced")}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(r.path("s1")+".tmp", r.path("s1")); err != nil {
		t.Fatal(err)
	}
	r.until("replaced", func() bool { return r.latest["s1"].Prompt == "replaced" })

	worktree := filepath.Join(r.dir, "projects", "-elsewhere")
	if err := os.MkdirAll(worktree, 0o700); err != nil {
		t.Fatal(err)
	}
	moved := filepath.Join(worktree, "s1.jsonl")
	if err := os.Rename(r.path("s1"), moved); err != nil {
		t.Fatal(err)
	}
	r.write(moved, promptLine(3, "moved")+"\n")
	r.until("moved", func() bool { return r.latest["s1"].Prompt == "moved" })
	if f := r.latest["s1"]; f.Path != moved {
		t.Errorf("path %s", f.Path)
	}
	r.write(moved, promptLine(4, "watched there")+"\n")
	r.until("watched there", func() bool { return r.latest["s1"].Prompt == "watched there" })
}
