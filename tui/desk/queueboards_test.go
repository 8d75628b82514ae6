package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
	"signalbox/tui/prompt"
)

// TestOnlyOneOfTwoBoardsSends, and the other takes over when it has ended.
func TestOnlyOneOfTwoBoardsSends(t *testing.T) {
	bubble(t, twoBusy, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0))
		first, second := r.queue(), r.queue()
		stop := r.run(first)
		synctest.Wait()
		defer r.run(second)()
		r.turns(0, tracker.StatusIdle)
		time.Sleep(10 * time.Second)
		if len(r.sent()) != 1 || r.states() != "" {
			t.Fatalf("two boards: sent %v", r.sent())
		}
		r.turns(0, tracker.StatusBusy)
		a := prompt.Action{Target: prompt.TargetIn(r.world.snap, r.world.pane(0).ID), Text: "from the second board"}
		if err := second.Add(t.Context(), r.world.snap, a); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if v, _ := first.Next(t.Context(), 0); len(v.Items) != 1 {
			t.Errorf("the first board does not see the second's task: %+v", v)
		}
		stop()
		r.turns(0, tracker.StatusIdle)
		time.Sleep(10 * time.Second)
		if len(r.sent()) != 2 || r.states() != "" {
			t.Errorf("after the first has ended: sent %v, on disk %q", r.sent(), r.states())
		}
	})
}

// TestCancellingRacesWithSending: whatever comes first, a cancelled task is not sent, and a sent one
// is not reported as cancelled.
func TestCancellingRacesWithSending(t *testing.T) {
	for at := restFor - 2*time.Millisecond; at <= restFor+2*time.Millisecond; at += time.Millisecond {
		bubble(t, twoAgents, func(t *testing.T, r *rail) {
			r.during = func(context.Context, queueEntry) { time.Sleep(500 * time.Microsecond) }
			r.put(r.world.task("a", 0))
			q := r.queue()
			defer r.run(q)()
			time.Sleep(at)
			err := q.Remove(t.Context(), "a")
			time.Sleep(time.Minute)
			if sent := len(r.sent()) == 1; sent == (err == nil) || len(r.sent()) > 1 {
				t.Errorf("cancelled after %v: %v, sent %v", at, err, r.sent())
			}
		})
	}
}

func TestAnEditedTaskIsSentAsItStands(t *testing.T) {
	bubble(t, twoBusy, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0))
		q := r.queue()
		defer r.run(q)()
		if err := q.Edit(t.Context(), prompt.Action{Entry: "a", Text: "!ls"}); err == nil {
			t.Error("a text that cannot be sent was taken")
		}
		if err := q.Edit(t.Context(), prompt.Action{Entry: "a", Text: "other words", AllowBackground: true}); err != nil {
			t.Fatal(err)
		}
		if err := q.Edit(t.Context(), prompt.Action{Entry: "gone", Text: "x"}); !errors.Is(err, errNoSuchTask) {
			t.Errorf("%v", err)
		}
		r.turns(0, tracker.StatusIdle)
		time.Sleep(time.Minute)
		if !slices.Equal(r.sent(), []string{"a: other words"}) {
			t.Errorf("%v", r.sent())
		}
	})
}

func TestAddRefusesWhatCanNeverBeSent(t *testing.T) {
	bubble(t, twoBusy+"\n2 zsh | shell | ~ | 1m", func(t *testing.T, r *rail) {
		q := r.queue()
		seen := prompt.TargetIn(r.world.snap, r.world.pane(0).ID)
		other := seen
		other.Agent.PID++
		cleared := seen
		cleared.SessionID = "before /clear"
		for name, a := range map[string]prompt.Action{
			"no agent":        {Target: prompt.TargetIn(r.world.snap, r.world.pane(2).ID), Text: "x"},
			"no pane":         {Target: prompt.Target{Pane: "%99"}, Text: "x"},
			"another agent":   {Target: other, Text: "x"},
			"another session": {Target: cleared, Text: "x"},
			"no text":         {Target: seen, Text: " \n"},
			"a shell line":    {Target: seen, Text: "!ls"},
		} {
			if err := q.Add(t.Context(), r.world.snap, a); err == nil || r.states() != "" {
				t.Errorf("%s: %v, %q", name, err, r.states())
			}
		}
		if err := q.Add(t.Context(), r.world.snap, prompt.Action{Target: seen, Text: "!ls", AsCommand: true}); err != nil {
			t.Errorf("a command that is meant: %v", err)
		}
	})
}

// TestAFullDiskSendsNothing: without a note on disk a crash could send twice. A folder in the place
// of the lock stands for a disk that takes nothing; it stops root as well.
func TestAFullDiskSendsNothing(t *testing.T) {
	bubble(t, twoBusy, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0))
		q := r.queue()
		defer r.run(q)()
		time.Sleep(time.Second)
		if err := errors.Join(os.Remove(r.file.path+".lock"), os.Mkdir(r.file.path+".lock", 0o700)); err != nil {
			t.Fatal(err)
		}
		r.turns(0, tracker.StatusIdle)
		time.Sleep(time.Minute)
		v, _ := q.Next(t.Context(), 0)
		if len(r.sent()) > 0 || v.Problem == "" {
			t.Fatalf("sent %v, %+v", r.sent(), v)
		}
		if err := os.Remove(r.file.path + ".lock"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if v, _ := q.Next(t.Context(), 0); len(r.sent()) != 1 || v.Problem != "" {
			t.Errorf("when it can be written again: sent %v, %+v", r.sent(), v)
		}
	})
}

// TestAnOutcomeThatCannotBeWritten is written later; until then the task stays marked as sent.
func TestAnOutcomeThatCannotBeWritten(t *testing.T) {
	bubble(t, twoAgents, func(t *testing.T, r *rail) {
		lock := r.file.path + ".lock"
		r.during = func(context.Context, queueEntry) {
			if err := errors.Join(os.Remove(lock), os.Mkdir(lock, 0o700)); err != nil {
				t.Error(err)
			}
		}
		r.put(r.world.task("a", 0))
		defer r.run(r.queue())()
		time.Sleep(time.Minute)
		if len(r.sent()) != 1 || r.states() != "a sending" {
			t.Fatalf("sent %v, on disk %q", r.sent(), r.states())
		}
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if len(r.sent()) != 1 || r.states() != "" {
			t.Errorf("sent %v, on disk %q", r.sent(), r.states())
		}
	})
}

// TestADamagedQueueIsToldOnce, and is read again when somebody has repaired it.
func TestADamagedQueueIsToldOnce(t *testing.T) {
	bubble(t, twoBusy, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0))
		whole, err := os.ReadFile(r.file.path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(r.file.path, whole[:len(whole)/2], 0o600); err != nil {
			t.Fatal(err)
		}
		q := r.queue()
		defer r.run(q)()
		time.Sleep(time.Hour)
		v, err := q.Next(t.Context(), 0)
		if err != nil || v.Problem == "" || v.Rev != 1 {
			t.Errorf("%+v, %v", v, err)
		}
		if err := os.WriteFile(r.file.path, whole, 0o600); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if v, _ := q.Next(t.Context(), v.Rev); v.Problem != "" || len(v.Items) != 1 {
			t.Errorf("repaired: %+v", v)
		}
	})
}

func TestAnEmptyQueueCostsNothing(t *testing.T) {
	bubble(t, twoAgents, func(t *testing.T, r *rail) {
		q := r.queue()
		defer r.run(q)()
		for range 100 {
			r.turns(0, tracker.StatusIdle)
			time.Sleep(10 * time.Millisecond)
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		if q.rev != 0 || q.release != nil {
			t.Errorf("rev %d, drives %v", q.rev, q.release != nil)
		}
		if files, _ := os.ReadDir(filepath.Dir(r.file.path)); len(files) > 0 {
			t.Errorf("%d files were made", len(files))
		}
	})
}
