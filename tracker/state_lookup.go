package tracker

// lookUp brings an agent's evidence up to date with what the sources said under their own keys.
func (s *State) lookUp(a *agent) {
	f, e := &s.facts, &a.ev
	s.lookUpProcess(a)
	e.FirstSeen = earliest(a.first, a.began)
	e.Agents = f.listed(a.id.PID, a.label.session.text, e.FirstSeen)
	e.Restored = RestoredEvidence{}
	if r, ok := f.restored[a.id]; ok {
		e.Restored = RestoredEvidence{At: r.at, Status: r.Status, Since: r.Since, Suspended: r.Suspended}
		a.looked = latest(a.looked, r.LookedAt)
	}
	e.Screen = ScreenEvidence{}
	if ref, ok := s.panes[a.pane]; ok {
		if scr, ok := f.screens[screenKey{a.pane, ref.pane.PID}]; ok {
			e.Screen = ScreenEvidence{At: scr.At, Composer: scr.Composer, Dialog: scr.Dialog}
		}
		if at := f.looks[a.pane]; !at.Before(e.FirstSeen) {
			a.looked = latest(a.looked, at)
		}
		e.OutputAt = s.topo.Sessions[ref.session].Windows[ref.window].Activity
	}
	e.LookedAt = a.looked
	s.lookUpTranscript(a)
}

func (s *State) lookUpProcess(a *agent) {
	e := &a.ev.Process
	*e = ProcessEvidence{}
	if p, ok := s.facts.process(a.id.PID); ok && p.Start == a.id.Start {
		e.Claude, e.Headless = ClaudeProcess(p), headless(p)
		a.began = earliest(a.began, p.Began)
	}
	if row, ok := s.facts.table[a.id.PID]; ok && row.Start == a.id.Start {
		e.At, e.Stopped, e.StoppedAt, e.Ran = row.at, !row.stoppedAt.IsZero(), row.stoppedAt, row.ran
		a.first, a.provenAt = earliest(a.first, row.first), latest(a.provenAt, row.at)
	}
	if e.Began = a.began; e.Began.IsZero() {
		e.Began = a.ev.Registry.StartedAt
	}
	if !a.endedAt.IsZero() {
		e.Gone, e.At = true, a.endedAt
	}
}

// ofTheSession is what holds for every agent that has the session open: not what one of them does.
func (f *TranscriptFacts) ofTheSession() TranscriptFacts {
	return TranscriptFacts{
		Path: f.Path, CWD: f.CWD, GitBranch: f.GitBranch, Version: f.Version, Model: f.Model,
		CustomTitle: f.CustomTitle, AITitle: f.AITitle, Tokens: f.Tokens, TokensPartial: f.TokensPartial,
	}
}

// lookUpTranscript takes what is known of the session that is open. What belonged to another one is
// forgotten: /clear and /resume give the same process another session.
func (s *State) lookUpTranscript(a *agent) {
	tr, ok := s.facts.transcripts[a.label.session.text]
	if !ok || a.label.session.text == "" {
		a.label.facts, a.ev.Transcript = TranscriptFacts{}, TranscriptEvidence{}
		return
	}
	f := &tr.Facts
	a.label.facts = *f
	if !a.ev.Registry.At.IsZero() && s.shared(a) {
		// What is written there may be about the other's turn. Its own file and its own hooks are not.
		a.label.facts, a.ev.Transcript = f.ofTheSession(), TranscriptEvidence{}
		return
	}
	a.ev.Transcript = TranscriptEvidence{
		At: tr.At, LastAt: f.LastAt, PromptAt: f.PromptAt,
		InterruptedAt: f.InterruptedAt, TurnEndAt: f.TurnEndAt, ErrorAt: f.ErrorAt, Error: f.Error,
		Tool: f.Tool, ToolDetail: f.ToolDetail, ToolAt: f.ToolAt, ToolPending: f.ToolPending,
		QueueWaits: f.QueueWaits, ResultOf: f.ResultOf, ResultAt: f.ResultAt,
	}
}
