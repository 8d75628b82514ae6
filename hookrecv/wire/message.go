package wire

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"signalbox/tracker"
)

const (
	// Version is the wire format's number. A message of another number is not understood.
	Version = 1
	// MaxSize bounds an encoded message, line break included.
	MaxSize = 64 << 10
	// envLimit bounds what is taken over from the environment, in characters.
	envLimit = 300
	// MaxAncestors is enough for shell, wrapper and claude; beyond is the user's own shell and tmux.
	MaxAncestors = 5
)

// Members that only a trimmed payload has, in place of tool_input.
const (
	memberToolKey    = "signalbox_tool_key"
	memberToolDetail = "signalbox_tool_detail"
)

// A Message is one hook call on its way to a board or into the event log. Hook's Pane, Tmux,
// ClaudePID and ParentPID travel with it.
type Message struct {
	At   time.Time // when the hook process began
	Hook tracker.Hook
	// Ancestors are the hook's parents, nearest first, from before they could end. Only filled
	// where Claude Code does not name itself in CLAUDE_PID.
	Ancestors []int
}

// envelope is the outer JSON object, as Decode reads it and Encode writes it.
type envelope struct {
	V         int             `json:"v"`
	At        int64           `json:"at"` // Unix nanoseconds
	Pane      string          `json:"pane"`
	Tmux      string          `json:"tmux"`
	ClaudePID int             `json:"claudePid"`
	PPID      int             `json:"ppid"`
	Ancestors []int           `json:"ancestors"`
	Event     json.RawMessage `json:"event"`
}

// Encode is the message as one line with its line break, at most MaxSize bytes when the hook comes
// from Read. A longer one is an error.
//
// It is written by hand: the first use of encoding/json in a process costs a tenth of a
// millisecond, which is a good part of what a hook may cost.
func (m Message) Encode() ([]byte, error) {
	h := m.Hook
	o := openObject(make([]byte, 0, encodeHint))
	o.number("v", Version)
	o.number("at", m.At.UnixNano())
	o.text("pane", string(h.Pane))
	o.text("tmux", clip(h.Tmux, envLimit))
	o.count("claudePid", h.ClaudePID)
	o.count("ppid", h.ParentPID)
	if len(m.Ancestors) > 0 {
		o.numbers("ancestors", m.Ancestors[:min(len(m.Ancestors), MaxAncestors)])
	}
	o.name("event")
	o.buf = appendEvent(o.buf, h)
	line := append(o.close(), '\n')
	if len(line) > MaxSize {
		return nil, fmt.Errorf("encoding hook message: %d bytes are more than %d", len(line), MaxSize)
	}
	return line, nil
}

// encodeHint is more than an ordinary message needs.
const encodeHint = 2 << 10

// appendEvent appends the trimmed payload: what Read needs and nothing else, under Claude Code's
// own names.
func appendEvent(b []byte, h tracker.Hook) []byte {
	o := openObject(b)
	for _, m := range [...]struct{ name, value string }{
		{"hook_event_name", string(h.Name)},
		{"session_id", h.SessionID},
		{"transcript_path", h.TranscriptPath},
		{"cwd", h.CWD},
		{"prompt_id", h.PromptID},
		{"permission_mode", h.PermissionMode},
		{"agent_id", h.SubagentID},
		{"agent_type", h.SubagentType},
		{"source", h.StartSource},
		{"reason", h.EndReason},
		{"session_title", h.Title},
		{"model", h.Model},
		{"prompt", h.Prompt},
		{"tool_name", h.Tool},
		{"tool_use_id", h.ToolUseID},
		{memberToolDetail, h.ToolDetail},
		{memberToolKey, h.ToolKey},
		{"notification_type", h.Notification},
		{"message", h.Message},
		{"last_assistant_message", h.LastMessage},
		{"error", h.Error},
		{"trigger", h.Trigger},
	} {
		o.text(m.name, m.value)
	}
	if len(h.Background) > 0 {
		o.name("background_tasks")
		o.buf = appendTasks(o.buf, h.Background)
	}
	if h.Crons > 0 {
		o.numbers("session_crons", make([]int, h.Crons)) // one element each: only the count matters
	}
	return o.close()
}

func appendTasks(b []byte, tasks []tracker.BackgroundTask) []byte {
	b = append(b, '[')
	for i, t := range tasks {
		if i > 0 {
			b = append(b, ',')
		}
		o := openObject(b)
		o.text("id", t.ID)
		o.text("type", t.Type)
		o.text("status", t.Status)
		o.text("description", t.Description)
		b = o.close()
	}
	return append(b, ']')
}

// Decode reads one encoded message.
func Decode(line []byte) (Message, error) {
	var e envelope
	if err := json.Unmarshal(line, &e); err != nil {
		return Message{}, fmt.Errorf("decoding hook message: %w", err)
	}
	if e.V != Version {
		return Message{}, fmt.Errorf("decoding hook message: version %d is not %d", e.V, Version)
	}
	h, err := Read(bytes.NewReader(e.Event))
	if err != nil {
		return Message{}, err
	}
	h.Pane = PaneID(e.Pane)
	h.Tmux = clip(e.Tmux, envLimit)
	h.ClaudePID, h.ParentPID = max(e.ClaudePID, 0), max(e.PPID, 0)
	return Message{
		At: time.Unix(0, e.At), Hook: h,
		Ancestors: e.Ancestors[:min(len(e.Ancestors), MaxAncestors)],
	}, nil
}

// PaneID is s if it has the form of a tmux pane id, else empty.
func PaneID(s string) tracker.PaneID {
	const longest = 12 // % and the digits of a 32-bit number, with one to spare
	if len(s) < 2 || len(s) > longest || s[0] != '%' {
		return ""
	}
	if strings.TrimLeft(s[1:], "0123456789") != "" {
		return ""
	}
	return tracker.PaneID(s)
}

// clip is the first limit characters of s as valid UTF-8.
func clip(s string, limit int) string {
	c := newCut(limit)
	c.write([]byte(s[:min(len(s), c.room)]))
	return c.text(limit)
}
