package desk

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
	"signalbox/tui/prompt"
)

const twoBusy = "0 one | busy | works | 1m\n1 two | busy | works | 1m"

func TestATaskIsSentWhenItsAgentRests(t *testing.T) {
	bubble(t, twoBusy, func(t *testing.T, r *rail) {
		q := r.queue()
		defer r.run(q)()
		a := prompt.Action{Target: prompt.TargetIn(r.world.snap, r.world.pane(0).ID), Text: "fix it"}
		if err := q.Add(t.Context(), r.world.snap, a); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if len(r.sent()) > 0 || !strings.HasSuffix(r.states(), " waiting") {
			t.Fatalf("sent to a busy agent: %v, %s", r.sent(), r.states())
		}
		v, err := q.Next(t.Context(), 0)
		if err != nil || len(v.Items) != 1 || v.Items[0].Text != "fix it" || v.Items[0].State != prompt.WaitsForRest || v.Items[0].Where != "api:0.0" || v.Queued(r.world.pane(0).ID) != 1 || v.Queued(r.world.pane(1).ID) != 0 {
			t.Errorf("the list: %+v, %v", v, err)
		}
		rested := time.Since(r.begun)
		r.turns(0, tracker.StatusIdle)
		time.Sleep(time.Minute)
		if len(r.sent()) != 1 || !strings.HasSuffix(r.sent()[0], ": fix it") || r.when()[0]-rested != restFor || r.states() != "" {
			t.Errorf("sent %v after %v, on disk %q", r.sent(), r.when(), r.states())
		}
		if v, _ := q.Next(t.Context(), 0); len(v.Items) != 0 || !strings.Contains(v.News, "delivered to api:0.0") || v.Bad {
			t.Errorf("afterwards: %+v", v)
		}
	})
}

func TestTheTasksOfOneAgentGoOneByOne(t *testing.T) {
	bubble(t, twoAgents, func(t *testing.T, r *rail) {
		// Every delivery makes the agent busy for a minute.
		r.during = func(_ context.Context, e queueEntry) {
			time.Sleep(time.Second)
			r.turns(0, tracker.StatusBusy)
			time.AfterFunc(time.Minute, func() { r.turns(0, tracker.StatusIdle) })
		}
		r.put(r.world.task("a", 0), r.world.task("b", 0), r.world.task("c", 0))
		defer r.run(r.queue())()
		time.Sleep(10 * time.Minute)
		if !slices.Equal(r.sent(), []string{"a: text of a", "b: text of b", "c: text of c"}) {
			t.Fatalf("%v", r.sent())
		}
		for i, when := 1, r.when(); i < len(when); i++ {
			if gap := when[i] - when[i-1]; gap < time.Minute {
				t.Errorf("%v after the one before", gap)
			}
		}
	})
}

func TestTheTasksOfTwoAgentsDoNotWaitForEachOther(t *testing.T) {
	bubble(t, twoAgents, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0), r.world.task("b", 1))
		defer r.run(r.queue())()
		time.Sleep(time.Minute)
		if len(r.when()) != 2 || r.when()[0] != restFor || r.when()[1] != restFor {
			t.Errorf("sent after %v", r.when())
		}
	})
}

// TestAChangeInTheMiddleOfALook is seen at once all the same.
func TestAChangeInTheMiddleOfALook(t *testing.T) {
	bubble(t, twoBusy, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0))
		r.world.pane(0).Agent = nil
		r.snaps.put(r.world.snap)
		q := r.queue()
		once := sync.OnceFunc(func() {
			if err := q.Remove(t.Context(), "a"); err != nil {
				t.Error(err)
			}
		})
		q.alive = func(tracker.AgentID) bool { once(); return true }
		defer r.run(q)()
		time.Sleep(queuePoll / 2)
		if v, _ := q.Next(t.Context(), 0); len(v.Items) > 0 {
			t.Errorf("%+v", v)
		}
	})
}

func TestRefusalsWaitAndSayWhy(t *testing.T) {
	bubble(t, twoAgents, func(t *testing.T, r *rail) {
		no := refusal(lampDraft)
		no.Detail = "the input box is not empty"
		r.answers = []interlock.Result{no, no}
		r.put(r.world.task("a", 0))
		q := r.queue()
		defer r.run(q)()
		time.Sleep(restFor + time.Millisecond)
		if v, _ := q.Next(t.Context(), 0); len(v.Items) != 1 || v.Items[0].Note != no.Detail || v.News != "" {
			t.Errorf("after a refusal: %+v", v)
		}
		time.Sleep(time.Minute)
		if len(r.sent()) != 3 || r.states() != "" {
			t.Errorf("sent at %v, on disk %q", r.when(), r.states())
		}
	})
}

func TestWhatMayHaveBeenSentIsNeverSentAgain(t *testing.T) {
	for _, o := range []interlock.Outcome{interlock.Withheld, interlock.Unconfirmed} {
		bubble(t, twoAgents, func(t *testing.T, r *rail) {
			r.answers = []interlock.Result{{Outcome: o, Detail: "look"}}
			r.put(r.world.task("a", 0))
			q := r.queue()
			stop := r.run(q)
			time.Sleep(time.Hour)
			if v, _ := q.Next(t.Context(), 0); len(r.sent()) != 1 || r.states() != "a unsure" || !v.Bad || v.Items[0].State != prompt.Unsure || v.Items[0].Note != "look" || v.Queued(r.world.pane(0).ID) != 0 {
				t.Errorf("%s: sent %v, on disk %q, %+v", o, r.sent(), r.states(), v)
			}
			stop()
			again := r.queue()
			defer r.run(again)()
			time.Sleep(time.Hour)
			if len(r.sent()) != 1 || r.states() != "a unsure" {
				t.Errorf("%s, after a restart: sent %v, on disk %q", o, r.sent(), r.states())
			}
			if err := again.Remove(t.Context(), "a"); err != nil || r.states() != "" {
				t.Errorf("%s cannot be put away: %v", o, err)
			}
		})
	}
}

// TestACrashWhileSending: the board ends without a word at every point of a delivery. The next board
// never sends a task that may have been sent.
func TestACrashWhileSending(t *testing.T) {
	bubble(t, twoAgents, func(t *testing.T, r *rail) {
		type crash struct{}
		r.during = func(context.Context, queueEntry) { panic(crash{}) }
		r.put(r.world.task("a", 0), r.world.task("b", 1))
		q := r.queue()
		func() {
			defer func() {
				if v := recover(); v != (crash{}) {
					t.Fatalf("%v", v)
				}
			}()
			_ = q.Run(t.Context(), r.snaps) // its lock goes as a dead process's does
		}()
		if r.states() != "a sending, b waiting" {
			t.Fatalf("on disk: %q", r.states())
		}
		r.during = nil
		next := r.queue()
		defer r.run(next)()
		time.Sleep(time.Hour)
		if !slices.Equal(r.sent(), []string{"b: text of b"}) || r.states() != "a unsure" {
			t.Errorf("sent %v, on disk %q", r.sent(), r.states())
		}
		if v, _ := next.Next(t.Context(), 0); !strings.Contains(v.Items[0].Note, "the board ended") {
			t.Errorf("%+v", v.Items)
		}
	})
}

func TestTheQueueOutlivesTheBoard(t *testing.T) {
	bubble(t, twoBusy, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0))
		stop := r.run(r.queue())
		time.Sleep(time.Minute)
		stop()
		if r.states() != "a waiting" {
			t.Fatalf("after the board has left: %q", r.states())
		}
		r.turns(0, tracker.StatusIdle)
		time.Sleep(time.Hour)
		if len(r.sent()) > 0 {
			t.Fatal("no board runs, and it was sent")
		}
		// The next board does not know anybody at first.
		known := r.world.snap
		r.snaps = newMailbox()
		r.snaps.put(&tracker.Snapshot{Tmux: tracker.TmuxState{State: tracker.StateUnknown}})
		defer r.run(r.queue())()
		time.Sleep(time.Minute)
		r.snaps.put(known)
		time.Sleep(time.Minute)
		if len(r.sent()) != 1 || r.states() != "" {
			t.Errorf("sent %v, on disk %q", r.sent(), r.states())
		}
	})
}

func TestLeavingInTheMiddleOfASend(t *testing.T) {
	for _, c := range []struct {
		res  interlock.Result
		want string
	}{{refusal(lampBusy), "a waiting"}, {interlock.Result{Outcome: interlock.Unconfirmed}, "a unsure"}} {
		bubble(t, twoAgents, func(t *testing.T, r *rail) {
			r.answers = []interlock.Result{c.res}
			started := make(chan struct{})
			r.during = func(ctx context.Context, _ queueEntry) {
				close(started)
				<-ctx.Done()
			}
			r.put(r.world.task("a", 0))
			stop := r.run(r.queue())
			<-started
			stop()
			if r.states() != c.want {
				t.Errorf("on disk: %q, want %q", r.states(), c.want)
			}
		})
	}
}

func TestATaskIsDroppedWithANotice(t *testing.T) {
	bubble(t, twoBusy, func(t *testing.T, r *rail) {
		r.put(r.world.task("a", 0), r.world.task("b", 1))
		q := r.queue()
		defer r.run(q)()
		time.Sleep(time.Minute)
		r.mu.Lock()
		r.world.dead[r.world.agent(0).ID] = true
		r.mu.Unlock()
		r.world.pane(0).Agent = nil
		r.turns(1, tracker.StatusBusy)
		time.Sleep(time.Minute)
		v, _ := q.Next(t.Context(), 0)
		if r.states() != "a dropped, b waiting" || !v.Bad || v.News != "the task for api:0.0 is dropped: the agent is gone" {
			t.Errorf("on disk %q, %+v", r.states(), v)
		}
		r.world.agent(1).SessionID = "after /clear"
		r.turns(1, tracker.StatusIdle)
		time.Sleep(time.Minute)
		if v, _ = q.Next(t.Context(), 0); r.states() != "a dropped, b dropped" || !strings.Contains(v.News, "another session") || len(r.sent()) > 0 {
			t.Errorf("on disk %q, %+v, sent %v", r.states(), v, r.sent())
		}
	})
}
