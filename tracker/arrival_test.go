package tracker

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

// FuzzArrivalOrder tells what happened in a small world in two orders: as it happened, and in any
// order in which the sources may have got through, each in its own order but hooks in none, with
// facts told again late. When everything is told the boards must be the same.
func FuzzArrivalOrder(f *testing.F) {
	rng := rand.New(rand.NewPCG(1, 2))
	for seed := range uint64(20) {
		f.Add(anyBytes(rng), seed)
	}
	f.Add([]byte("\x87\xc1-\x9eaq\xa9}m\xf4Y۵h\xf6\xc8|\x9fԲ\xd8D\x17\v\x84\xc3f\xe5\xcf\xc0Ϊ\xb0\x87\x93\x99/6\xba*\xe2\xa8?Tb^\xd0-\xa3\xce\x1a2Y\x1cMj\x9b\x06\x11\xa4\x83\xafiq\xa9}m\xf4Y\xb9\xa9̞'\xa2[\xb0\x96\xc9t\xcb"), uint64(35)) // an end is told twice, and what it started goes on
	f.Fuzz(func(t *testing.T, data []byte, order uint64) {
		w := newWorld(data)
		w.check(t, w.boards(w.inOrder()), order)
	})
}

// TestArrivalOrderDoesNotMatter is the same over worlds that are always the same.
func TestArrivalOrderDoesNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		w := newWorld(anyBytes(rng))
		want := w.boards(w.inOrder())
		for range 3 {
			w.check(t, want, rng.Uint64())
		}
	}
}

// TestOneStoryInAnyOrder plays one story in every kind of order, that of each source included, with
// equal times and with repeats; the agents must come out the same.
func TestOneStoryInAnyOrder(t *testing.T) {
	evs := []Event{
		listed(0, 0, 1), registry(1, 0, "s1", "idle"), registry(2, 0, "s1", "busy"), registry(3, 0, "s1", "waiting"),
		hooked(2, 0, Hook{Name: HookUserPromptSubmit, SessionID: "s1", PromptID: "p1", Prompt: "do it"}),
		hooked(3, 0, Hook{Name: HookPermissionRequest, SessionID: "s1", PromptID: "p1", Tool: "Bash", ToolKey: "k"}),
		hooked(9, 0, Hook{Name: HookNotification, SessionID: "s1", Notification: "permission_prompt"}),
		registry(4, 1, "s2", "idle"), hooked(4, 1, Hook{Name: HookStop, SessionID: "s2", PromptID: "q1", LastMessage: "ok"}),
		ProcessesSeen{At: at(5), Procs: append(claude(0), claude(1)...)},
		TranscriptRead{At: at(4), SessionID: "s2", Facts: TranscriptFacts{TurnEndAt: at(4), Model: "m"}},
	}
	summary := func(evs []Event) []string {
		s := play(evs...)
		s.Settle(at(100))
		var out []string
		s.Snapshot().Windows(func(_ *SessionRow, w *WindowRow) bool {
			a := w.Agent()
			if a == nil {
				t.Fatalf("no agent in %s after %v", w.ID, evs)
			}
			out = append(out, a.SessionID+" "+a.Verdict.Status.String()+" "+a.Verdict.Reason+" "+a.Prompt+" "+a.Verdict.Since.Sub(t0).String()+" "+w.Summary)
			return true
		})
		return out
	}
	want := summary(evs)
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		shuffled := append([]Event{}, evs...)
		rng.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		shuffled = append(shuffled, shuffled[rng.IntN(len(shuffled))])
		if got := summary(shuffled); !reflect.DeepEqual(got, want) {
			t.Fatalf("order %v\ngot  %q\nwant %q", shuffled, got, want)
		}
	}
}

func anyBytes(rng *rand.Rand) []byte {
	data := make([]byte, 200+rng.IntN(400))
	for i := range data {
		data[i] = byte(rng.Uint32())
	}
	return data
}

// check plays the world in another order and compares the boards.
func (w *world) check(t *testing.T, want [2]string, order uint64) {
	t.Helper()
	evs := w.shuffled(rand.New(rand.NewPCG(order, 5)))
	for i, got := range w.boards(evs) {
		if got != want[i] {
			t.Fatalf("order %d, board %d:\n%s\ntold in this order:\n%s", order, i, difference(indented(want[i]), indented(got)), eventList(evs))
		}
	}
}

// boards are the board as JSON right after some events and long after. What depends on arrival by its
// nature is left out: the inbox tells transitions as they were noticed; Rev counts; FrontAt is when
// the board noticed another program in front, of which no source tells.
func (w *world) boards(evs []Event) (out [2]string) {
	s := NewState(SourceTmux, SourceAgents, SourceProcess)
	for _, ev := range evs {
		s.Apply(ev)
	}
	for i, now := range []time.Time{tenth(w.end), tenth(w.end + 10000)} {
		s.Settle(now)
		s.allDirty = true // rows show the newest time of a fact only when they are drawn again
		out[i] = board(s.Snapshot(), true)
	}
	return out
}

// TestWhatIsShownIsWhatIsKnown draws the board after every fact, only what changed as always, and in
// the end all of it: both must say the same.
func TestWhatIsShownIsWhatIsKnown(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 7))
	for range 40 {
		w := newWorld(anyBytes(rng))
		s := NewState(SourceTmux, SourceAgents, SourceProcess)
		for i, ev := range w.shuffled(rng) {
			s.Apply(ev)
			shown := board(s.Snapshot(), false)
			s.allDirty = true
			if all := board(s.Snapshot(), false); shown != all && lasting(shown) != lasting(all) {
				t.Fatalf("after event %d, %+v:\n%s", i, ev, difference(lasting(all), lasting(shown)))
			}
		}
	}
}

// board is a snapshot as JSON. What a window without an agent does is told by its newest output, which
// a row may lag behind; see activityStep.
func board(snap *Snapshot, activity bool) string {
	c := *snap
	c.Rev, c.Inbox, c.Sessions = 0, nil, nil
	for _, sess := range snap.Sessions {
		sc := *sess
		sc.Windows = nil
		for _, w := range sess.Windows {
			wc := *w
			wc.Rev, wc.Panes = 0, nil
			if w.Agent() == nil && !activity {
				wc.Kind, wc.Summary = 0, ""
			}
			for _, p := range w.Panes {
				pc := *p
				pc.FrontAt = time.Time{}
				pc.Agent, pc.Others = withoutPast(p.Agent), nil
				for _, a := range p.Others {
					pc.Others = append(pc.Others, withoutPast(a))
				}
				wc.Panes = append(wc.Panes, &pc)
			}
			sc.Windows = append(sc.Windows, &wc)
		}
		c.Sessions = append(c.Sessions, &sc)
	}
	text, err := json.Marshal(&c)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// withoutPast leaves out what the agent was before: that is what this board saw, as the inbox is.
func withoutPast(a *AgentRow) *AgentRow {
	if a == nil {
		return nil
	}
	c := *a
	c.Earlier = nil
	return &c
}

// indented is JSON for people; other text stays.
func indented(text string) string {
	var b bytes.Buffer
	if json.Indent(&b, []byte(text), "", " ") != nil {
		return text
	}
	return b.String()
}

// lasting leaves out what a row may show late by design: the times of facts that say the same
// as before, and activity.
func lasting(board string) string {
	var out []string
	for line := range strings.Lines(indented(board)) {
		key, _, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch key {
		case `"at"`, `"outputAt"`, `"activity"`, `"Activity"`, `"lastAt"`, `"firstSeen"`, `"lookedAt"`, `"lastOk"`:
		default:
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// difference shows the lines that differ, with what stands before them.
func difference(want, got string) string {
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	var out []string
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			if len(out) > 40 {
				break
			}
			out = append(out, strings.Join(a[max(0, i-3):i], "\n"), "- "+a[i], "+ "+b[i])
		}
	}
	if len(a) != len(b) {
		out = append(out, "and another number of lines")
	}
	return strings.Join(out, "\n")
}
