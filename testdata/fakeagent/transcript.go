package fakeagent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Tokens every model answer of the simulation costs, as the stand-in model of the recordings says.
const (
	tokensInput      = 1200
	tokensOutput     = 42
	tokensCacheRead  = 9000
	tokensCacheWrite = 300
)

// fields are the parts of one transcript record.
type fields map[string]any

// transcript writes projects/<cwd>/<session>.jsonl. Like Claude it opens the file for every
// append and keeps no descriptor. Not safe for concurrent use; the agent's mutex guards it.
type transcript struct {
	off       bool
	dir       string // projects/<encoded cwd>
	session   string
	cwd       string
	version   string
	model     string
	name      string
	mode      string
	parent    string // uuid of the newest record of the chain
	prompt    string // text of the newest prompt
	turns     int
	begun     bool // the opening records are written
	sidechain string
	err       error // first failure; the rest is dropped
}

func newTranscript(o Options) *transcript {
	return &transcript{
		off: o.NoTranscript, dir: filepath.Join(o.ClaudeDir, "projects", encodeProject(o.CWD)),
		session: o.SessionID, cwd: o.CWD, version: o.Version, model: o.Model, name: o.Name, mode: o.PermissionMode,
	}
}

// path is the file of the current session; hooks carry it before it exists.
func (t *transcript) path() string { return filepath.Join(t.dir, t.session+".jsonl") }

// subagentPath is where a subagent's own transcript lies.
func (t *transcript) subagentPath(id string) string {
	return filepath.Join(t.dir, t.session, "subagents", "agent-"+id+".jsonl")
}

// subagent is the transcript of a subagent of this session.
func (t *transcript) subagent(id string) *transcript {
	c := *t
	c.sidechain, c.parent, c.begun = id, "", true
	return &c
}

// switchTo goes on in another session, as /clear does.
func (t *transcript) switchTo(session string) {
	t.session, t.parent, t.begun, t.turns, t.prompt = session, "", false, 0, ""
}

// append writes the records as one piece.
func (t *transcript) append(records ...fields) {
	if t.off || t.err != nil {
		return
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			t.err = fmt.Errorf("encoding a transcript record: %w", err)
			return
		}
	}
	path := t.path()
	if t.sidechain != "" {
		path = t.subagentPath(t.sidechain)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.err = fmt.Errorf("making the transcript folder: %w", err)
		return
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.err = fmt.Errorf("opening the transcript: %w", err)
		return
	}
	if _, err = f.Write(b.Bytes()); err != nil {
		t.err = fmt.Errorf("writing the transcript: %w", err)
	}
	f.Close()
}

// chained is a record with the fields of the conversation's chain around it.
func (t *transcript) chained(kind string, f fields) fields {
	id := newUUID()
	r := fields{
		"type": kind, "uuid": id, "parentUuid": nil, "isSidechain": t.sidechain != "",
		"timestamp": time.Now().UTC().Format("2006-01-02T15:04:05.000Z"), "userType": "external",
		"entrypoint": "cli", "cwd": t.cwd, "sessionId": t.session, "version": t.version, "gitBranch": "main",
	}
	if t.parent != "" {
		r["parentUuid"] = t.parent
	}
	if t.sidechain != "" {
		r["agentId"] = t.sidechain
	}
	for k, v := range f {
		r[k] = v
	}
	t.parent = id
	return r
}

// labels are the records Claude repeats after every few others so that a reader of the tail finds
// title and mode.
func (t *transcript) labels() []fields {
	var out []fields
	if t.prompt != "" {
		out = append(out, fields{"type": "last-prompt", "lastPrompt": t.prompt, "leafUuid": t.parent, "sessionId": t.session})
	}
	if t.name != "" {
		out = append(out,
			fields{"type": "custom-title", "customTitle": t.name, "sessionId": t.session},
			fields{"type": "agent-name", "agentName": t.name, "sessionId": t.session})
	}
	return append(out,
		fields{"type": "mode", "mode": "normal", "sessionId": t.session},
		fields{"type": "permission-mode", "permissionMode": t.mode, "sessionId": t.session})
}

func (t *transcript) writeLabels() { t.append(t.labels()...) }

// user writes a prompt. source is "typed", "queued" or "system".
func (t *transcript) user(text, promptID, source, origin string) {
	if !t.begun {
		t.begun = true
		t.writeLabels()
	}
	if origin == "human" {
		t.prompt = text
	}
	t.turns++
	id := newUUID()
	t.append(fields{
		"type": "file-history-snapshot", "messageId": id, "isSnapshotUpdate": false,
		"snapshot": fields{"messageId": id, "trackedFileBackups": fields{}},
	})
	t.append(t.chained("user", fields{
		"message": fields{"role": "user", "content": text}, "promptId": promptID, "permissionMode": t.mode,
		"origin": fields{"kind": origin}, "promptSource": source,
		"turnPosition": fields{"promptIndex": t.turns, "turnIndex": t.turns},
	}))
}

// userBlock writes a user record that holds one content block: a tool result or a marker.
func (t *transcript) userBlock(block fields, promptID string, extra fields) {
	f := fields{"message": fields{"role": "user", "content": []any{block}}, "promptId": promptID}
	for k, v := range extra {
		f[k] = v
	}
	t.append(t.chained("user", f))
}

// answer is one API answer under one message id; Claude writes one record per content block.
type answer struct {
	id     string
	stop   any // "tool_use", "end_turn", or nil when it was cut off
	blocks []fields
	extra  fields
}

func (t *transcript) assistant(a answer) {
	for i, b := range a.blocks {
		f := fields{
			"message": fields{
				"id": a.id, "type": "message", "role": "assistant", "model": t.model, "content": []any{b},
				"stop_reason": a.stop, "stop_sequence": nil,
				"usage": fields{
					"input_tokens": tokensInput, "output_tokens": tokensOutput,
					"cache_read_input_tokens": tokensCacheRead, "cache_creation_input_tokens": tokensCacheWrite,
				},
			},
			"apiBlockIndex": i, "requestId": "req_" + a.id, "effort": "medium",
		}
		for k, v := range a.extra {
			f[k] = v
		}
		t.append(t.chained("assistant", f))
	}
}

// apiError writes what stands for the answer of a failed request.
func (t *transcript) apiError(text, kind string, status int) {
	t.append(t.chained("assistant", fields{
		"message": fields{
			"id": newUUID(), "type": "message", "role": "assistant", "model": "<synthetic>",
			"content": []any{fields{"type": "text", "text": text}}, "stop_reason": "stop_sequence", "stop_sequence": "",
			"usage": fields{"input_tokens": 0, "output_tokens": 0},
		},
		"error": kind, "isApiErrorMessage": true, "apiErrorStatus": status, "apiErrorType": "api_error",
	}))
}

// system writes a system record.
func (t *transcript) system(subtype string, f fields) {
	r := fields{"subtype": subtype}
	for k, v := range f {
		r[k] = v
	}
	t.append(t.chained("system", r))
}

// queue writes a queue-operation record.
func (t *transcript) queue(operation, content string) {
	r := fields{
		"type": "queue-operation", "operation": operation, "sessionId": t.session,
		"timestamp": time.Now().UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	if content != "" {
		r["content"] = content
	}
	t.append(r)
}
