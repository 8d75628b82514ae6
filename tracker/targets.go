package tracker

import "time"

// Targets is what the sources should look at, derived from a snapshot: everything else costs
// nothing.
type Targets struct {
	PanePIDs    []int
	Agents      []AgentID
	Awake       []AgentID // those whose window has written lately: nothing can have happened to the others
	Proven      []int     // pids of the agents that Claude's own file proves: only their programs may be run
	Transcripts []TranscriptTarget
	Screens     []PaneID // panes whose screen would settle a verdict
}

// TranscriptTarget is one transcript worth following. An idle agent's is only glanced at, for its
// title and last words.
type TranscriptTarget struct {
	SessionID string
	Path      string
	CWD       string
	Glance    bool
}

// awakeFor is how long after output an agent counts as awake: longer than a row may lag behind.
const awakeFor = 15 * time.Second

// TargetsOf derives the targets. now decides nothing but which agents are awake, and which silent ones
// are old enough for a look at their screen.
func TargetsOf(snap *Snapshot, now time.Time) Targets {
	var t Targets
	snap.Windows(func(_ *SessionRow, w *WindowRow) bool {
		for _, p := range w.Panes {
			t.PanePIDs = append(t.PanePIDs, p.PID)
			if p.Agent != nil {
				t.agent(p.Agent, now.Sub(w.Activity) < awakeFor)
				if v := p.Agent.Verdict; v.Status == StatusUnknown && !v.Suspended && p.Agent.Evidence.Registry.At.IsZero() &&
					p.Agent.Evidence.Hooks.At.IsZero() && now.Sub(p.Agent.Evidence.FirstSeen) > startingLimit/2 {
					t.Screens = append(t.Screens, p.ID)
				}
			}
			for _, a := range p.Others {
				t.agent(a, now.Sub(w.Activity) < awakeFor)
			}
		}
		return true
	})
	for _, b := range snap.Background {
		if b.PID != 0 && !b.Agent.IsZero() {
			t.Agents = append(t.Agents, b.Agent)
		}
	}
	return t
}

func (t *Targets) agent(a *AgentRow, awake bool) {
	t.Agents = append(t.Agents, a.ID)
	if awake {
		t.Awake = append(t.Awake, a.ID)
	}
	if r := a.Evidence.Registry; !r.At.IsZero() && r.Trust == TrustProven {
		t.Proven = append(t.Proven, a.ID.PID)
	}
	if a.SessionID != "" {
		t.Transcripts = append(t.Transcripts, TranscriptTarget{
			SessionID: a.SessionID, Path: a.Transcript, CWD: a.CWD,
			Glance: a.Verdict.Status == StatusIdle,
		})
	}
}
