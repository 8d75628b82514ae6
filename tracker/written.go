package tracker

import "time"

// SummariesWritten are the written summaries that hold now. It replaces the ones before.
type SummariesWritten struct {
	At   time.Time
	Rows []WrittenSummary
}

func (SummariesWritten) event() {}

// WrittenSummary is what a program wrote of one window, with what it was written of: it is shown
// for as long as the same pane runs the same program, or the same agent has the same status.
type WrittenSummary struct {
	Window   WindowID
	Pane     PaneID
	PanePID  int
	Command  string
	Agent    AgentID // zero for none
	Status   Status
	Activity time.Time // newest output of the window then
	Text     string
	Kind     *WindowKind // nil when the program has no opinion; it is not changed
}

// Same reports whether two summaries say the same of the same.
func (w WrittenSummary) Same(o WrittenSummary) bool {
	kind := w.Kind == o.Kind || w.Kind != nil && o.Kind != nil && *w.Kind == *o.Kind
	w.Kind, o.Kind = nil, nil
	at := w.Activity.Equal(o.Activity)
	w.Activity, o.Activity = time.Time{}, time.Time{}
	return kind && at && w == o
}

func (s *State) applyWritten(ev SummariesWritten) Change {
	s.tick(ev.At)
	c := ChangeNone
	rows := make(map[WindowID]WrittenSummary, len(ev.Rows))
	for _, r := range ev.Rows {
		rows[r.Window] = r
		if !s.written[r.Window].Same(r) {
			s.dirty[r.Window], c = true, ChangeDull
		}
		delete(s.written, r.Window)
	}
	for id := range s.written {
		s.dirty[id], c = true, ChangeDull
	}
	s.written = rows
	return c
}

// showWritten puts a written summary beside the derived one. The kind it brings counts only for a
// window without an agent, and only until its next output: a status is nobody's to write.
func (s *State) showWritten(w *WindowRow) {
	r, ok := s.written[w.ID]
	p := w.LeadPane()
	if !ok || p == nil || p.Dead || p.ID != r.Pane || p.PID != r.PanePID || p.Command != r.Command {
		return
	}
	var agent AgentID
	var status Status
	if p.Agent != nil {
		agent, status = p.Agent.ID, p.Agent.Verdict.Status
	}
	if agent != r.Agent || status != r.Status {
		return
	}
	w.Written = clipLine(r.Text, maxSummary)
	if r.Kind != nil && p.Agent == nil && !w.Activity.After(r.Activity) {
		w.Kind = *r.Kind
	}
}
