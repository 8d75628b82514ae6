package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
	"unicode/utf8"

	"signalbox/tracker"
)

// The types below are the promised form of `status --json` and `watch`. Fields are only ever added.
// Times are Unix seconds with fraction; 0 is no time.

// jsonVersion is the version of all of them. It would only change with the meaning of a field.
const jsonVersion = 1

type jsonSnapshot struct {
	Version     int              `json:"version"`
	Rev         uint64           `json:"rev"`
	GeneratedAt float64          `json:"generatedAt"`
	Tmux        jsonTmux         `json:"tmux"`
	Sources     []jsonSource     `json:"sources"`
	Attention   jsonAttention    `json:"attention"`
	Sessions    []jsonSession    `json:"sessions"`
	Background  []jsonBackground `json:"background"`
}

type jsonTmux struct {
	Socket  string `json:"socket"`
	PID     int    `json:"pid"`
	Version string `json:"version"`
	State   string `json:"state"`
}

type jsonSource struct {
	Name   string  `json:"name"`
	State  string  `json:"state"`
	Since  float64 `json:"since"`
	Detail string  `json:"detail"`
}

type jsonAttention struct {
	NeedsInput int `json:"needsInput"`
	Review     int `json:"review"`
}

type jsonSession struct {
	ID       string       `json:"id"`
	Name     string       `json:"name"`
	Attached bool         `json:"attached"`
	Activity float64      `json:"activity"`
	Status   string       `json:"status"`
	Windows  []jsonWindow `json:"windows"`
}

type jsonWindow struct {
	ID         string     `json:"id"`
	Index      int        `json:"index"`
	Name       string     `json:"name"`
	Active     bool       `json:"active"`
	Target     string     `json:"target"`
	StatusKind string     `json:"statusKind"`
	Summary    string     `json:"summary"`
	Written    string     `json:"written,omitempty"` // a better summary, where a program writes them
	Panes      []jsonPane `json:"panes"`
}

type jsonPane struct {
	ID      string      `json:"id"`
	PID     int         `json:"pid"`
	Active  bool        `json:"active"`
	Command string      `json:"command"`
	Path    string      `json:"path"`
	Title   string      `json:"title"`
	Agent   *jsonAgent  `json:"agent"`
	Others  []jsonAgent `json:"others,omitempty"` // further agents in the same pane, a suspended one for instance
}

type jsonAgent struct {
	PID            int        `json:"pid"`
	SessionID      string     `json:"sessionId"`
	Name           string     `json:"name"`
	Version        string     `json:"version"`
	Status         string     `json:"status"`
	Reason         string     `json:"reason"`
	Source         string     `json:"source"`
	Since          float64    `json:"since"`
	EvidenceAge    float64    `json:"evidenceAge"`
	Background     int        `json:"background"`
	Compacting     bool       `json:"compacting"`
	Failed         string     `json:"failed"`
	PermissionMode string     `json:"permissionMode"`
	Tool           string     `json:"tool"`
	Prompt         string     `json:"prompt"`
	Last           string     `json:"last"`
	Model          string     `json:"model"`
	Tokens         jsonTokens `json:"tokens"`
	Subagents      int        `json:"subagents"`
	Ports          []int      `json:"ports"`
	CWD            string     `json:"cwd"`
	SharesSession  bool       `json:"sharesSession"`
}

type jsonTokens struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
}

type jsonBackground struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	State  string `json:"state"`
	Status string `json:"status"`
	CWD    string `json:"cwd"`
	PID    int    `json:"pid"`
}

// StatusJSON prints a reading as one line of JSON in the promised form.
func StatusJSON(w io.Writer, snap *tracker.Snapshot, o StatusOptions) error {
	if o.Waiting {
		snap = waiting(snap)
	}
	return writeJSON(w, toJSON(snap))
}

func toJSON(snap *tracker.Snapshot) jsonSnapshot {
	out := jsonSnapshot{
		Version: jsonVersion, Rev: snap.Rev, GeneratedAt: sinceUnix(snap.At),
		Tmux:      jsonTmux{Socket: snap.Tmux.Server.Socket, PID: snap.Tmux.Server.PID, Version: snap.Tmux.Version, State: snap.Tmux.State},
		Attention: jsonAttention{NeedsInput: snap.Counts.NeedsInput, Review: snap.Counts.Review},
		Sources:   []jsonSource{}, Sessions: []jsonSession{}, Background: []jsonBackground{},
	}
	for _, s := range snap.Sources {
		out.Sources = append(out.Sources, jsonSource{Name: string(s.Source), State: s.State, Since: sinceUnix(s.Since), Detail: s.Detail})
	}
	for _, s := range snap.Sessions {
		js := jsonSession{ID: string(s.ID), Name: s.Name, Attached: s.Attached, Activity: sinceUnix(s.Activity), Status: s.Status.String(), Windows: []jsonWindow{}}
		for _, w := range s.Windows {
			js.Windows = append(js.Windows, windowJSON(snap, s, w))
		}
		out.Sessions = append(out.Sessions, js)
	}
	for _, b := range snap.Background {
		out.Background = append(out.Background, jsonBackground{ID: b.ID, Name: b.Name, State: b.State, Status: b.Verdict.Status.String(), CWD: b.CWD, PID: b.PID})
	}
	return out
}

func windowJSON(snap *tracker.Snapshot, s *tracker.SessionRow, w *tracker.WindowRow) jsonWindow {
	out := jsonWindow{
		ID: string(w.ID), Index: w.Index, Name: w.Name, Active: w.Active, Target: targetOf(s, w),
		StatusKind: w.Kind.String(), Summary: w.Summary, Written: w.Written, Panes: []jsonPane{},
	}
	for _, p := range w.Panes {
		jp := jsonPane{ID: string(p.ID), PID: p.PID, Active: p.Active, Command: p.Command, Path: p.Path, Title: p.Title}
		for i, a := range agentsIn(p) {
			ja := agentJSON(snap, p, a)
			if i == 0 {
				jp.Agent = &ja
			} else {
				jp.Others = append(jp.Others, ja)
			}
		}
		out.Panes = append(out.Panes, jp)
	}
	return out
}

func targetOf(s *tracker.SessionRow, w *tracker.WindowRow) string {
	return fmt.Sprintf("%s:%d", s.Name, w.Index)
}

func agentJSON(snap *tracker.Snapshot, p *tracker.PaneRow, a *tracker.AgentRow) jsonAgent {
	v := a.Verdict
	out := jsonAgent{
		PID: a.ID.PID, SessionID: a.SessionID, Name: a.Name, Version: a.Version, Status: v.Status.String(), Reason: v.Reason,
		Source: string(v.Source), Since: sinceUnix(v.Since), Background: v.Background, Compacting: v.Compacting, Failed: v.Failed,
		PermissionMode: a.Mode, Tool: a.Tool, Prompt: a.Prompt, Last: a.Last, Model: a.Model,
		Tokens:    jsonTokens{Input: a.Tokens.Input, Output: a.Tokens.Output, CacheRead: a.Tokens.CacheRead, CacheWrite: a.Tokens.CacheWrite},
		Subagents: v.Subagents, Ports: append([]int{}, p.Ports...), CWD: a.CWD, SharesSession: a.SharesSession,
	}
	if !v.FactAt.IsZero() {
		out.EvidenceAge = max(0, snap.At.Sub(v.FactAt).Seconds())
	}
	return out
}

// writeJSON writes one value as one line, safe to look at in a terminal: JSON escapes C0 already;
// C1 controls and direction controls are escaped here, which loses nothing.
func writeJSON(w io.Writer, v any) error {
	b, err := marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding: %w", err)
	}
	return escapeControls(bytes.TrimRight(b.Bytes(), "\n")), nil
}

// escapeControls replaces every control and format character above ASCII, and DEL, by its \u form.
// In JSON they can only stand inside strings.
func escapeControls(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == 0x7f || r > 0x7f && r <= 0xffff && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
			out = fmt.Appendf(out, `\u%04x`, r)
		} else {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}
