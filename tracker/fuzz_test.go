package tracker

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"
)

// story turns bytes into events: three bytes each, for kind, agent and time, and what it says.
func story(data []byte) []Event {
	names := []HookName{
		HookSessionStart, HookUserPromptSubmit, HookPreToolUse, HookPermissionRequest, HookPostToolUse, HookStop,
		HookStopFailure, HookSubagentStop, HookNotification, HookPreCompact, HookSessionEnd, "Nonsense",
	}
	words := []string{"idle", "busy", "waiting", "shell", "", "hibernating"}
	tools := []string{"Bash", "AskUserQuestion", "ExitPlanMode"}
	var evs []Event
	for ; len(data) >= 3 && len(evs) < 64; data = data[3:] {
		n, when, x := int(data[0]>>4)%3, float64(data[1]), int(data[2])
		switch data[0] % 9 {
		case 0:
			evs = append(evs, registry(when, n, "s"+string(rune('0'+x%3)), words[x%len(words)]))
		case 1, 2, 3:
			h := Hook{
				Name: names[x%len(names)], SessionID: "s" + string(rune('0'+n)), PromptID: string(rune('p' + x%3)), Tool: tools[x%3],
				ToolUseID: string(rune('a' + x%5)), ToolKey: string(rune('k' + x%2)), Notification: "permission_prompt", StartSource: "clear",
			}
			if x > 200 {
				h.SubagentID = "sub"
			}
			evs = append(evs, hooked(when, n, h))
		case 4:
			p := claude(n)
			if x%2 == 1 {
				p[0].State = ProcStopped
			}
			evs = append(evs, ProcessesSeen{At: at(when), Procs: p})
		case 5:
			evs = append(evs, TranscriptRead{At: at(when), SessionID: "s" + string(rune('0'+n)), Facts: TranscriptFacts{
				InterruptedAt: at(float64(x)), TurnEndAt: at(when), Tool: tools[x%3], ToolAt: at(when), ToolPending: x%2 == 0,
			}})
		case 6:
			evs = append(evs, Acknowledged{At: at(when), Pane: PaneID("%" + string(rune('0'+n)))})
		case 7:
			evs = append(evs, AgentsListed{At: at(when), Available: x%4 > 0, Rows: []AgentsEntry{{PID: 200 + n, Status: words[x%len(words)]}, {Kind: "background", State: words[x%6]}}})
		case 8:
			if n == 2 {
				evs = append(evs, earlierRun(when, x))
				continue
			}
			evs = append(evs, ScreenSeen{At: at(when), Pane: "%0", PanePID: 100, Composer: x%2 == 0})
		}
	}
	return evs
}

// earlierRun is what an earlier run knew.
func earlierRun(when float64, x int) Restored {
	kinds := []HappeningKind{HappenedNeedsInput, HappenedReview, HappenedFailed, HappenedEnded, HappenedQuiet}
	ev := Restored{At: at(when), Seen: at(when - float64(x%7))}
	for i := range 1 + x%3 {
		id := AgentID{200 + (x+i)%3, uint64(5000 + (x+i)%3)}
		ev.Verdicts = append(ev.Verdicts, RestoredVerdict{ID: id, Status: Statuses()[(x+i)%5], Since: at(when - float64(x%9))})
		ev.Inbox = append(ev.Inbox, Happening{
			At: at(when - float64(x%5*i)), Kind: kinds[(x+i)%5], Agent: id, Pane: PaneID("%" + string(rune('0'+i))), Read: x%2 == 0, Over: true,
			Server: ServerLife{ServerID: ServerID{Socket: "/s", PID: 1 + x%2}},
		})
	}
	return ev
}

// FuzzApply plays any story. Nothing may panic; the same event twice changes nothing the second
// time; every agent has a verdict with a reason and a source; and the board survives its own JSON.
func FuzzApply(f *testing.F) {
	f.Add([]byte{0, 1, 1, 1, 2, 1, 17, 3, 5, 4, 9, 1, 5, 9, 0})
	f.Add([]byte("%xB000000000000000%x2 0yYxy0")) // an entry of before beside others of the same moment
	f.Add([]byte("permission and then some"))
	f.Add([]byte("ermr @\x00on ahi\x8fi"))                      // a look that itself makes news
	f.Add([]byte("pevis  T\x80\x00\x80\x00h\x00\x00\x00\x00h")) // an old reading moves when the agent was first seen
	f.Fuzz(holdsUp)
}

// TestStories plays stories that are always the same, most of them of one agent, where facts meet: what
// a short fuzzing finds by luck, these find every time.
func TestStories(t *testing.T) {
	t.Parallel()
	stories := 800
	if testing.Short() {
		stories = 100
	}
	rng := rand.New(rand.NewPCG(8, 9))
	for n := range stories {
		data := anyBytes(rng)[:3*(2+rng.IntN(62))]
		if n%4 > 0 {
			for i := 0; i < len(data); i += 3 {
				data[i] %= 9
			}
		}
		if holdsUp(t, data); t.Failed() {
			t.Fatalf("story %d: %q", n, data)
		}
	}
}

func holdsUp(t *testing.T, data []byte) {
	s := play(listed(0, 0, 1, 2))
	for _, ev := range story(data) {
		s.Apply(ev)
		s.Snapshot()
		if c := s.Apply(ev); c != ChangeNone {
			if _, list := ev.(AgentsListed); !list { // a list is always news to the background group
				t.Errorf("%#v changed something the second time: %d", ev, c)
				return
			}
		}
	}
	s.Settle(at(1000))
	snap := s.Snapshot()
	for i, h := range snap.Inbox {
		if i > 0 && h.At.After(snap.Inbox[i-1].At) {
			t.Errorf("the inbox is out of order: %+v", snap.Inbox)
		}
		if h.Pane != "" && h.Server.PID != 1 {
			t.Errorf("an entry of another server has a pane of this one: %+v", h)
		}
	}
	snap.Windows(func(_ *SessionRow, w *WindowRow) bool {
		if a := w.Agent(); a != nil {
			if v := a.Verdict; v.Status == StatusNone || v.Reason == "" || v.Source == "" {
				t.Errorf("a verdict without status, reason or source: %+v", v)
			}
			if again := Judge(&a.Evidence, at(1000)); again.Status != a.Verdict.Status || again.Reason != a.Verdict.Reason {
				t.Errorf("shown %q %q, derived again %q %q", a.Verdict.Status, a.Verdict.Reason, again.Status, again.Reason)
			}
		}
		return true
	})
	roundTrip(t, snap)
}

func roundTrip(t *testing.T, snap *Snapshot) {
	t.Helper()
	data, err := json.Marshal(snap)
	if err != nil {
		t.Fatal(err)
	}
	var back Snapshot
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(&back)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(data, again) {
		t.Errorf("the snapshot does not survive JSON:\n%s\n%s", data, again)
	}
}
