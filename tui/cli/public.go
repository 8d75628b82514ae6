package cli

import (
	"cmp"
	"time"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// maxPublicSummary is the promised bound of a summary in the public status file, in characters and
// in cells.
const maxPublicSummary = 80

// publicStatus is the promised form of the public status file: integer Unix seconds throughout.
type publicStatus struct {
	GeneratedAt int64           `json:"generatedAt"`
	Sessions    []publicSession `json:"sessions"`
}

type publicSession struct {
	Name     string         `json:"name"`
	Attached bool           `json:"attached"`
	Activity int64          `json:"activity"`
	Windows  []publicWindow `json:"windows"`
}

type publicWindow struct {
	Index      int    `json:"index"`
	Name       string `json:"name"`
	Command    string `json:"command"`
	Active     bool   `json:"active"`
	StatusKind string `json:"statusKind"`
	Summary    string `json:"summary"`
	Target     string `json:"target"`
}

// PublicStatus is the content of the public status file, as one line. Without a tmux server it
// lists no sessions, which is a normal answer.
func PublicStatus(snap *tracker.Snapshot, now time.Time) ([]byte, error) {
	out := publicStatus{GeneratedAt: now.Unix(), Sessions: []publicSession{}}
	for _, s := range snap.Sessions {
		ps := publicSession{Name: s.Name, Attached: s.Attached, Windows: []publicWindow{}}
		if !s.Activity.IsZero() {
			ps.Activity = s.Activity.Unix()
		}
		for _, w := range s.Windows {
			kind, summary := w.Kind, cmp.Or(w.Written, w.Summary)
			if snap.Tmux.State == tracker.StateFailed { // what was known is old, and no pane can be read
				kind, summary = tracker.KindError, snap.Tmux.Detail
			}
			ps.Windows = append(ps.Windows, publicWindow{
				Index: w.Index, Name: w.Name, Command: activeCommand(w), Active: w.Active,
				StatusKind: kind.String(), Summary: publicSummary(summary), Target: targetOf(s, w),
			})
		}
		out.Sessions = append(out.Sessions, ps)
	}
	b, err := marshal(out)
	if err != nil {
		return nil, err
	}
	return append(b, '\n'), nil
}

// activeCommand is the foreground command of the window's active pane, whoever speaks for the window.
func activeCommand(w *tracker.WindowRow) string {
	for _, p := range w.Panes {
		if p.Active {
			return p.Command
		}
	}
	return ""
}

// publicSummary is one clean line within the promised bound.
func publicSummary(text string) string {
	cut, _ := style.AppendCut(nil, text, maxPublicSummary, style.Ellipsis)
	r := []rune(string(cut))
	if len(r) > maxPublicSummary { // combining marks take characters but no cells
		r = r[:maxPublicSummary]
	}
	return string(r)
}
