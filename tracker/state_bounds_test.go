package tracker

import (
	"fmt"
	"testing"
)

// TestWhatNeverAppearsIsForgotten: facts about panes, processes and sessions that nobody ever hears of again
// go with the next complete reading of their source, or with time.
func TestWhatNeverAppearsIsForgotten(t *testing.T) {
	s := play(listed(0, 0), registry(1, 0, "s1", "idle"))
	const n = 200
	for i := range n {
		when := at(2 + float64(i)/1000)
		pid := 5000 + i
		s.Apply(ScreenSeen{At: when, Pane: PaneID(fmt.Sprint("%", pid)), PanePID: pid})
		s.Apply(Acknowledged{At: when, Pane: PaneID(fmt.Sprint("%", pid))})
		s.Apply(TranscriptRead{At: when, SessionID: fmt.Sprint("stranger ", i)})
		s.Apply(ProcessExited{At: when, ID: AgentID{pid, 1}})
		s.Apply(HookReceived{At: when, Seen: when, Hook: Hook{Name: HookStop, SessionID: fmt.Sprint("stranger ", i)}, Chain: []Process{{PID: pid, PPID: 1, Start: 1, Name: "sh"}}})
	}
	f := &s.facts
	if len(f.screens) < n || len(f.looks) < n || len(f.chains) < n || len(s.early) < n || len(s.gone) < n || len(f.transcripts) < n {
		t.Fatal("nothing was kept for latecomers")
	}
	s.Apply(listed(60, 0))
	s.Apply(ProcessesSeen{At: at(60), Complete: true, Procs: claude(0)})
	s.Apply(TranscriptRead{At: at(60), SessionID: "s1"})
	s.Settle(at(60))
	s.Settle(at(60).Add(goneKeep))
	for what, kept := range map[string]int{
		"screens": len(f.screens), "looks": len(f.looks), "chains": len(f.chains), "hooks": len(s.early), "ends": len(s.gone),
	} {
		if kept != 0 {
			t.Errorf("%d %s of strangers are kept", kept, what)
		}
	}
	if _, own := f.transcripts["s1"]; !own || len(f.transcripts) > transcriptSpare {
		t.Errorf("%d transcripts are kept, the agent's own: %v", len(f.transcripts), own)
	}
	if got := rows(s)["%0"]; got != "idle s1" {
		t.Errorf("the agent's own facts went too: %q", got)
	}
}
