package journal

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gofrs/flock"

	"signalbox/tracker"
)

// agentIn is an agent of the given pid with a verdict.
func agentIn(pid int, s tracker.Status, since, looked time.Time) *tracker.AgentRow {
	return &tracker.AgentRow{
		ID:      tracker.AgentID{PID: pid, Start: uint64(pid) * 10},
		Verdict: tracker.Verdict{Status: s, Since: since}, Evidence: tracker.Evidence{LookedAt: looked},
	}
}

// withAgents is a board with one window per agent.
func withAgents(agents ...*tracker.AgentRow) *tracker.Snapshot {
	snap := board("work")
	for i, a := range agents {
		snap.Sessions[0].Windows = append(snap.Sessions[0].Windows,
			&tracker.WindowRow{Index: i, Panes: []*tracker.PaneRow{{Agent: a}}})
	}
	return snap
}

// keeping is a running Keep in virtual time.
type keeping struct {
	box    *mailbox
	cancel context.CancelFunc
	done   chan struct{}
	told   report
}

func keep(t *testing.T, path string) *keeping {
	ctx, cancel := context.WithCancel(t.Context())
	k := &keeping{box: newMailbox(), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(k.done)
		Keep(ctx, k.box, path, inboxBeside(path), k.told.tell)
	}()
	synctest.Wait()
	return k
}

func (k *keeping) end() {
	k.cancel()
	k.box.close()
	<-k.done
}

// loaded is what the file holds, as "pid status" in order of pid.
func loaded(t *testing.T, path string) []string {
	t.Helper()
	r, err := Load(path, time.Now())
	if err != nil {
		t.Fatalf("loading: %v", err)
	}
	var out []string
	for _, v := range r.Verdicts {
		out = append(out, fmt.Sprint(v.ID.PID, " ", v.Status))
	}
	slices.Sort(out)
	return out
}

func statePath(t *testing.T) string { return filepath.Join(t.TempDir(), "signalbox", "state.json") }

func TestVerdictsSurviveARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := statePath(t)
		since, looked := time.Now().Add(-time.Hour), time.Now().Add(-time.Minute)
		snap := withAgents(agentIn(1, tracker.StatusReview, since, looked), agentIn(2, tracker.StatusBusy, since, time.Time{}))
		snap.Sessions[0].Windows[0].Panes[0].Others = []*tracker.AgentRow{agentIn(3, tracker.StatusUnknown, since, looked)}
		snap.Background = []*tracker.BackgroundRow{
			{PID: 4, Agent: tracker.AgentID{PID: 4, Start: 40}, Verdict: tracker.Verdict{Status: tracker.StatusIdle, Since: since}},
			{ID: "only listed"},
		}
		k := keep(t, path)
		k.box.put(snap)
		synctest.Wait()
		k.end()
		if got, want := loaded(t, path), []string{"1 review", "2 busy", "3 unknown", "4 idle"}; !slices.Equal(got, want) {
			t.Errorf("loaded %v, want %v", got, want)
		}
		r, _ := Load(path, time.Now())
		for _, v := range r.Verdicts {
			if v.ID.PID == 1 && (v.ID.Start != 10 || !v.Since.Equal(since) || !v.LookedAt.Equal(looked)) {
				t.Errorf("loaded %+v", v)
			}
		}
	})
}

func TestVerdictsAreSavedAtMostEveryTwoSecondsAndAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := statePath(t)
		k := keep(t, path)
		for i := range 50 {
			k.box.put(withAgents(agentIn(1, tracker.StatusBusy, time.Now(), time.Time{})))
			after(100 * time.Millisecond)
			if limit := i/20 + 1; k.told.writes() > limit+1 {
				t.Fatalf("%d writes in %d00 ms", k.told.writes(), i)
			}
		}
		k.box.put(withAgents(agentIn(1, tracker.StatusReview, time.Now(), time.Time{})))
		k.cancel()
		synctest.Wait()
		// The board leaves right after a jump: the look is only just being published.
		k.box.put(withAgents(agentIn(1, tracker.StatusIdle, time.Now(), time.Now())))
		k.end()
		if got := loaded(t, path); !slices.Equal(got, []string{"1 idle"}) {
			t.Errorf("the last change was lost: %v", got)
		}
	})
}

func TestUnchangedVerdictsAreNotSavedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		k := keep(t, statePath(t))
		since := time.Now()
		for range 3 * 60 {
			k.box.put(withAgents(agentIn(1, tracker.StatusBusy, since, time.Time{})))
			after(time.Minute)
		}
		if n := k.told.writes(); n < 3 || n > 4 {
			t.Errorf("%d writes in three hours, want one an hour", n)
		}
		k.end()
	})
}

func TestBoardsKeepEachOthersVerdicts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := statePath(t)
		a, b := keep(t, path), keep(t, path)
		a.box.put(withAgents(agentIn(1, tracker.StatusReview, time.Now(), time.Time{})))
		b.box.put(withAgents(agentIn(2, tracker.StatusReview, time.Now(), time.Time{})))
		after(10 * time.Second)
		if got := loaded(t, path); !slices.Equal(got, []string{"1 review", "2 review"}) {
			t.Fatalf("loaded %v", got)
		}

		// A look that was noted without a board is not undone by one that does not know of it.
		looked := time.Now()
		if err := Acknowledge(path, tracker.AgentID{PID: 2, Start: 20}, looked); err != nil {
			t.Fatal(err)
		}
		after(time.Second)
		b.box.put(withAgents(agentIn(2, tracker.StatusBusy, time.Now(), time.Time{})))
		a.box.put(withAgents()) // its agent has ended
		after(10 * time.Second)
		if got := loaded(t, path); !slices.Equal(got, []string{"2 busy"}) {
			t.Errorf("loaded %v", got)
		}
		if r, _ := Load(path, time.Now()); !r.Verdicts[0].LookedAt.Equal(looked) {
			t.Errorf("looked at %v, want %v", r.Verdicts[0].LookedAt, looked)
		}
		a.end()
		b.end()
	})
}

func TestAcknowledge(t *testing.T) {
	for _, tt := range []struct {
		name   string
		stored tracker.Status // StatusNone for an unknown agent
		want   string
	}{
		{"an agent nobody has seen", tracker.StatusNone, "1 idle"},
		{"review becomes idle", tracker.StatusReview, "1 idle"},
		{"a question stays one", tracker.StatusNeedsInput, "1 needs-input"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := statePath(t)
			now := time.Now()
			err := update(path, now, func([]verdict) []verdict {
				vs := []verdict{{PID: 9, Start: 90, Status: "busy", SeenAt: now}}
				if tt.stored != tracker.StatusNone {
					vs = append(vs, verdict{PID: 1, Start: 10, Status: tt.stored.String(), SeenAt: now})
				}
				return vs
			})
			if err != nil {
				t.Fatal(err)
			}
			if err := Acknowledge(path, tracker.AgentID{PID: 1, Start: 10}, now); err != nil {
				t.Fatal(err)
			}
			if got := loaded(t, path); !slices.Equal(got, []string{tt.want, "9 busy"}) {
				t.Errorf("loaded %v", got)
			}
			r, _ := Load(path, now)
			for _, v := range r.Verdicts {
				if v.ID.PID == 1 && !v.LookedAt.Equal(now) {
					t.Errorf("looked at %v", v.LookedAt)
				}
			}
		})
	}
}

func TestDamagedVerdictsAreNoObstacle(t *testing.T) {
	big := `{"version":1,"verdicts":[` + strings.Repeat(`{"pid":1,"start":2,"status":"idle"},`, maxFile/32) + `{}]}`
	for name, content := range map[string]string{
		"empty": "", "null": "null", "a list": "[]", "half": `{"version":1,"verdicts":[{"pid":1,`,
		"zeros after a power failure": strings.Repeat("\x00", 512), "a later version": `{"version":2,"verdicts":[]}`,
		"another shape": `{"version":1,"verdicts":{"pid":1}}`, "huge": big,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state.json")
			if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			now := time.Now()
			r, err := Load(path, now)
			if !errors.Is(err, ErrDamaged) || !strings.Contains(fmt.Sprint(err), path) {
				t.Errorf("error %v, want ErrDamaged with the path", err)
			}
			if len(r.Verdicts) > 0 || !r.At.Equal(now) {
				t.Errorf("loaded %d verdicts at %v", len(r.Verdicts), r.At)
			}
			if err := Acknowledge(path, tracker.AgentID{PID: 1, Start: 10}, now); err != nil {
				t.Fatalf("it was not replaced: %v", err)
			}
			if got := loaded(t, path); !slices.Equal(got, []string{"1 idle"}) {
				t.Errorf("loaded %v", got)
			}
		})
	}
}

func TestLoadTakesWhatItUnderstands(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.json")
	now := time.Unix(1800000000, 0)
	content := `{"version":1,"more":true,"verdicts":[
		{"pid":1,"start":10,"status":"review","since":"2026-01-01T00:00:00Z"},
		{"pid":2,"start":20,"status":"hibernating","since":"2026-01-01T00:00:00Z"},
		{"pid":0,"start":30,"status":"idle"},
		{"pid":4,"start":40,"status":"idle","since":"2999-01-01T00:00:00Z","lookedAt":"2999-01-01T00:00:00Z"}]}`
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Load(path, now)
	if err != nil || len(r.Verdicts) != 2 || r.Verdicts[0].ID.PID != 1 || r.Verdicts[1].ID.PID != 4 {
		t.Fatalf("loaded %+v, %v", r.Verdicts, err)
	}
	if v := r.Verdicts[1]; !v.Since.Equal(now) || !v.LookedAt.Equal(now) {
		t.Errorf("times of the future are believed: %+v", v)
	}
}

func TestNoVerdictsAreNoError(t *testing.T) {
	r, err := Load(statePath(t), time.Now())
	if err != nil || len(r.Verdicts) > 0 {
		t.Errorf("loaded %+v, %v", r, err)
	}
	if _, err := Load(t.TempDir(), time.Now()); err == nil {
		t.Error("a folder was read")
	}
}

func TestLeftoversAreDropped(t *testing.T) {
	now := time.Now()
	var vs []verdict
	for i := range 2 * maxStrangers {
		vs = append(vs, verdict{PID: i + 1, Status: "idle", SeenAt: now.Add(-time.Duration(i+1) * time.Minute)})
	}
	vs = append(vs, verdict{PID: 9998, SeenAt: now}, verdict{PID: 9999, SeenAt: now})
	got := prune(vs, now)
	if len(got) != maxStrangers+2 || got[0].PID != 9998 || got[2].PID != 1 {
		t.Errorf("%d are left, the first are %+v", len(got), got[:3])
	}
	if got := prune([]verdict{{PID: 1, SeenAt: now.Add(-keepFor - time.Second)}}, now); len(got) > 0 {
		t.Errorf("an old one is left: %+v", got)
	}
}

func TestSaveThatFailsIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := statePath(t)
		k := keep(t, path)
		unblock := block(t, path)
		k.box.put(withAgents(agentIn(1, tracker.StatusReview, time.Now(), time.Time{})))
		synctest.Wait()
		if errs := k.told.failures(); len(errs) != 1 || !strings.Contains(errs[0].Error(), path) {
			t.Errorf("told %v, want one error with the path", errs)
		}
		unblock()
		after(retryGap)
		if got := loaded(t, path); !slices.Equal(got, []string{"1 review"}) {
			t.Errorf("loaded %v", got)
		}

		// Another board was stopped (Ctrl-Z) in the middle of a write.
		lock := flock.New(path + ".lock")
		if err := lock.Lock(); err != nil {
			t.Fatal(err)
		}
		k.box.put(withAgents(agentIn(1, tracker.StatusIdle, time.Now(), time.Time{})))
		began := time.Now()
		k.end()
		if took := time.Since(began); took > lockWait {
			t.Errorf("the end waited %v for another board", took)
		}
		lock.Unlock()
	})
}

// TestAStoppedAgentIsKnownAsOneAfterARestart: unknown alone would not tell it from an agent of which
// too little is known.
func TestAStoppedAgentIsKnownAsOneAfterARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "verdicts.json")
		since := time.Now().Add(-time.Minute)
		stopped := agentIn(7, tracker.StatusUnknown, since, time.Time{})
		stopped.Verdict.Suspended = true
		k := keep(t, path)
		k.box.put(withAgents(stopped, agentIn(8, tracker.StatusUnknown, since, time.Time{})))
		k.end()
		if err := Acknowledge(path, stopped.ID, time.Now()); err != nil {
			t.Fatal(err)
		}
		r, err := Load(path, time.Now())
		if err != nil || len(r.Verdicts) != 2 {
			t.Fatalf("%+v, %v", r, err)
		}
		for _, v := range r.Verdicts {
			if v.Suspended != (v.ID.PID == 7) || !v.Since.Equal(since) {
				t.Errorf("loaded %+v", v)
			}
		}
	})
}
