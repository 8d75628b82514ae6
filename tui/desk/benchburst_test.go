//go:build linux

package desk_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"signalbox/hookrecv/client"
	"signalbox/tracker"
)

const (
	burstSize = 2000
	// A hundred agents get as many tool calls as are remembered of each, and some subagents: every hook
	// of a burst can be found again.
	burstTools     = 16
	burstSubagents = 4
)

// BenchmarkBoardBurst sends 2,000 hooks within a second, without the processes that Claude Code starts
// for them, while a person presses keys as fast as they show.
func BenchmarkBoardBurst(b *testing.B) {
	w := newWorld(b, 500, burstSize/(burstTools+burstSubagents))
	w.start()
	var keys samples
	var sent, settled, used time.Duration
	rounds := 0
	for b.Loop() {
		was := cpu(b, w.pid)
		took, after, pressed := w.burst(rounds)
		used += cpu(b, w.pid) - was
		sent, settled, keys = sent+took, settled+after, append(keys, pressed...)
		rounds++
	}
	b.ReportMetric(ms(keys.at(0.5)), "key-p50-ms")
	b.ReportMetric(ms(keys.at(0.99)), "key-p99-ms")
	b.ReportMetric(float64(burstSize*rounds)/sent.Seconds(), "hooks/s")
	b.ReportMetric(ms(settled)/float64(rounds), "settled-ms")
	b.ReportMetric(ms(used)/float64(rounds), "board-cpu-ms/burst")
}

// burst sends the hooks of one round and presses keys meanwhile. It returns how long the sending took,
// how long after that the board knew all of it, and how long the keys took to show. A hook that is lost
// fails the test.
func (w *world) burst(round int) (took, settled time.Duration, keys samples) {
	w.t.Helper()
	calls := w.burstCalls(round)
	began := time.Now()
	sent := make(chan struct{})
	go func() { w.send(calls); close(sent) }()
	keys = w.pressKeysUntil(sent)
	<-sent
	took = time.Since(began)
	const limit = 15 * time.Second // one that is lost never arrives
	for {
		n, after := w.missing(round), time.Since(began)-took
		if n == 0 {
			return took, after, keys
		}
		if after > limit {
			w.t.Fatalf("%d of %d hooks had not arrived %v after the last was sent", n, len(calls), after)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// burstCalls are the hooks of a round, in any order.
func (w *world) burstCalls(round int) []client.Call {
	var calls []client.Call
	for _, a := range w.agents {
		env := w.lookUp(a)
		add := func(payload string) {
			calls = append(calls, client.Call{Begun: time.Now(), Stdin: strings.NewReader(payload), Env: env})
		}
		for n := range burstTools {
			add(a.call("PreToolUse", fmt.Sprintf("call-%d-%d", round, n)))
		}
		for n := range burstSubagents {
			add(fmt.Sprintf(`{"session_id":%q,"hook_event_name":"SubagentStart","agent_id":"sub-%d-%d","agent_type":"x"}`, a.SessionID, round, n))
		}
	}
	rand.New(rand.NewPCG(1, uint64(round))).Shuffle(len(calls), func(i, j int) { calls[i], calls[j] = calls[j], calls[i] })
	return calls
}

// send runs the hook client for every call, some at once, all within a second.
func (w *world) send(calls []client.Call) {
	const atOnce = 4
	var senders sync.WaitGroup
	began := time.Now()
	for i := range atOnce {
		senders.Go(func() {
			for n := i; n < len(calls); n += atOnce {
				time.Sleep(time.Until(began.Add(time.Duration(n) * time.Second / burstSize)))
				if err := client.Run(calls[n]); err != nil {
					w.t.Errorf("sending a hook: %v", err)
				}
			}
		})
	}
	senders.Wait()
}

// missing counts the hooks of a round that the board does not know.
func (w *world) missing(round int) int {
	w.t.Helper()
	n := len(w.agents) * (burstTools + burstSubagents)
	prefix := fmt.Sprintf("-%d-", round)
	w.snapshot().Windows(func(_ *tracker.SessionRow, row *tracker.WindowRow) bool {
		a := row.Agent()
		if a == nil {
			return true
		}
		for _, tool := range a.Evidence.Hooks.Tools {
			if strings.HasPrefix(tool.UseID, "call"+prefix) {
				n--
			}
		}
		for _, sub := range a.Evidence.Hooks.Subagents {
			if strings.HasPrefix(sub.ID, "sub"+prefix) {
				n--
			}
		}
		return true
	})
	return n
}

// pressKeysUntil opens and closes the list of keys until done is closed, and returns how long each key
// took to show.
func (w *world) pressKeysUntil(done <-chan struct{}) (took samples) {
	w.t.Helper()
	const listed = "leave the board"
	for open := true; ; open = !open {
		w.person.expect(func() bool {
			return w.person.screen.has(listed) == open && w.person.screen.has(w.agents[0].cell) != open
		})
		began := time.Now()
		w.person.press("?")
		w.person.arrived("the list of keys to come or go")
		took = append(took, w.person.seen.Sub(began))
		select {
		case <-done:
			if !open {
				return took
			}
		default:
		}
	}
}
