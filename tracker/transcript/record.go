package transcript

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"signalbox/tracker"
)

// record is one line, reduced to what facts are made of.
type record struct {
	kind, sub string // "user", "system"; "turn_duration"
	at        time.Time
	sidechain bool // written by a subagent
	meta      bool // written by the harness on the user's behalf
	summary   bool // the summary that replaces a compacted conversation
	copied    bool // copied from another session by /branch
	origin    string
	source    string // promptSource: "typed", "queued", "sdk"; "" in older versions

	cwd, branch, version, mode string

	// user and assistant
	texts   []string
	image   bool
	uses    []toolUse
	results []toolResult

	// assistant
	messageID string
	model     string
	finished  bool // stop_reason is end_turn: the answer calls no tool
	usage     tracker.Tokens
	apiError  bool
	errorKind string

	// others: a title, a queued prompt, the text of a system line
	text      string
	operation string // queue-operation
}

type toolUse struct{ id, name, detail string }

type toolResult struct {
	id     string
	head   string // the beginning of its text
	failed bool
}

// rawRecord is a line as JSON. A field of an unexpected type is left at its zero value.
type rawRecord struct {
	Type           string          `json:"type"`
	Subtype        string          `json:"subtype"`
	Timestamp      json.RawMessage `json:"timestamp"`
	IsSidechain    bool            `json:"isSidechain"`
	IsMeta         bool            `json:"isMeta"`
	IsSummary      bool            `json:"isCompactSummary"`
	IsAPIError     bool            `json:"isApiErrorMessage"`
	ForkedFrom     json.RawMessage `json:"forkedFrom"`
	Error          json.RawMessage `json:"error"`
	Origin         rawOrigin       `json:"origin"`
	PromptSource   string          `json:"promptSource"`
	CWD            string          `json:"cwd"`
	GitBranch      string          `json:"gitBranch"`
	Version        string          `json:"version"`
	PermissionMode string          `json:"permissionMode"`
	Message        rawMessage      `json:"message"`
	Attachment     rawAttachment   `json:"attachment"`
	CustomTitle    string          `json:"customTitle"`
	AITitle        string          `json:"aiTitle"`
	Title          string          `json:"title"`
	LastPrompt     string          `json:"lastPrompt"`
	Operation      string          `json:"operation"`
	Content        json.RawMessage `json:"content"`
}

type rawOrigin struct {
	Kind string `json:"kind"`
}

type rawMessage struct {
	ID         string          `json:"id"`
	Model      string          `json:"model"`
	StopReason string          `json:"stop_reason"`
	Content    json.RawMessage `json:"content"`
	Usage      struct {
		Input      int `json:"input_tokens"`
		Output     int `json:"output_tokens"`
		CacheRead  int `json:"cache_read_input_tokens"`
		CacheWrite int `json:"cache_creation_input_tokens"`
	} `json:"usage"`
}

type rawAttachment struct {
	Type        string          `json:"type"`
	Prompt      json.RawMessage `json:"prompt"`
	CommandMode string          `json:"commandMode"`
	Origin      rawOrigin       `json:"origin"`
	IsMeta      bool            `json:"isMeta"`
}

type rawBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text"`
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Input     json.RawMessage `json:"input"`
	ToolUseID string          `json:"tool_use_id"`
	IsError   bool            `json:"is_error"`
	Content   json.RawMessage `json:"content"`
}

// parseRecord decodes one shrunk line; nil if it is not a JSON object.
func parseRecord(line []byte) *record {
	line = bytes.TrimSpace(line)
	if len(line) == 0 || line[0] != '{' {
		return nil
	}
	var raw rawRecord
	if !decodeJSON(line, &raw) {
		return nil
	}
	r := &record{
		kind: raw.Type, sub: raw.Subtype, at: parseTime(raw.Timestamp),
		sidechain: raw.IsSidechain, meta: raw.IsMeta, summary: raw.IsSummary,
		copied: present(raw.ForkedFrom), origin: raw.Origin.Kind, source: raw.PromptSource,
		cwd: raw.CWD, branch: raw.GitBranch, version: raw.Version, mode: raw.PermissionMode,
		apiError: raw.IsAPIError, operation: raw.Operation,
	}
	switch r.kind {
	case "user", "assistant":
		r.fromMessage(&raw)
	case "attachment":
		r.fromAttachment(&raw.Attachment)
	case "custom-title":
		r.text = firstNonEmpty(raw.CustomTitle, raw.Title)
	case "ai-title":
		r.text = firstNonEmpty(raw.AITitle, raw.Title)
	case "last-prompt":
		r.text = raw.LastPrompt
	case "queue-operation", "system":
		r.text = plainText(raw.Content)
	}
	return r
}

func (r *record) fromMessage(raw *rawRecord) {
	m := &raw.Message
	r.messageID, r.model, r.finished = m.ID, m.Model, m.StopReason == "end_turn"
	r.usage = tracker.Tokens{
		Input: tokens(m.Usage.Input), Output: tokens(m.Usage.Output),
		CacheRead: tokens(m.Usage.CacheRead), CacheWrite: tokens(m.Usage.CacheWrite),
	}
	if r.apiError {
		r.errorKind = plainString(raw.Error) // an object instead of a word: the text will do
	}
	if text := plainString(m.Content); text != "" {
		r.texts = []string{text}
		return
	}
	var blocks []rawBlock
	decodeJSON(m.Content, &blocks)
	for i := range blocks {
		r.addBlock(&blocks[i])
	}
}

func (r *record) addBlock(b *rawBlock) {
	switch b.Type {
	case "text":
		r.texts = append(r.texts, b.Text)
	case "image":
		r.image = true
	case "tool_use":
		var input map[string]any
		decodeJSON(b.Input, &input)
		r.uses = append(r.uses, toolUse{id: b.ID, name: b.Name, detail: tracker.ToolDetail(b.Name, input)})
	case "tool_result":
		r.results = append(r.results, toolResult{id: b.ToolUseID, failed: b.IsError, head: plainText(b.Content)})
	}
}

// fromAttachment takes a prompt that Claude absorbed in the middle of a turn. It stands nowhere
// else. All other attachments are context for the model.
func (r *record) fromAttachment(a *rawAttachment) {
	if a.Type != "queued_command" {
		return
	}
	r.sub = a.Type
	r.origin, r.meta = a.Origin.Kind, r.meta || a.IsMeta
	if r.origin == "" && a.CommandMode != "" && a.CommandMode != "prompt" {
		r.origin = a.CommandMode // "task-notification", "bash"
	}
	if t := plainText(a.Prompt); t != "" {
		r.texts = []string{t}
	}
}

// decodeJSON reports whether data was JSON. A value of another type than expected leaves its
// field as it is and is no failure: the format is not ours.
func decodeJSON(data []byte, v any) bool {
	if len(data) == 0 {
		return false
	}
	err := json.Unmarshal(data, v)
	var wrongType *json.UnmarshalTypeError
	return err == nil || errors.As(err, &wrongType)
}

// plainText is the text of a value that is a string or a list of text blocks.
func plainText(data json.RawMessage) string {
	if !present(data) {
		return ""
	}
	if data[0] != '[' {
		return plainString(data)
	}
	var blocks []rawBlock
	decodeJSON(data, &blocks)
	var b strings.Builder
	for i := range blocks {
		if blocks[i].Type == "text" && blocks[i].Text != "" {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(blocks[i].Text)
		}
	}
	return b.String()
}

// plainString is the text of a value that is a string.
func plainString(data json.RawMessage) string {
	var text string
	if len(data) > 0 && data[0] == '"' {
		decodeJSON(data, &text)
	}
	return text
}

func present(data json.RawMessage) bool {
	return len(data) > 0 && !bytes.Equal(data, []byte("null"))
}

// parseTime reads the usual text and, since the format may change, Unix milliseconds.
func parseTime(data json.RawMessage) time.Time {
	if len(data) == 0 {
		return time.Time{}
	}
	if data[0] == '"' {
		t, err := time.Parse(time.RFC3339, plainString(data))
		if err != nil {
			return time.Time{}
		}
		return t.UTC()
	}
	var ms int64
	if json.Unmarshal(data, &ms) != nil || ms <= 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// tokens guards sums against nonsense.
func tokens(n int) int {
	const most = 1 << 40
	return min(max(n, 0), most)
}

func firstNonEmpty(a, b string) string {
	if a != "" {
		return a
	}
	return b
}
