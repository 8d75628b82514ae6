package fakeagent

import (
	"bytes"
	"context"
	"encoding/json"
)

// kv is one field of a hook's payload; the order of fields is kept.
type kv struct {
	key   string
	value any
}

// hookContext says on whose behalf a hook is called.
type hookContext struct {
	promptID string
	sub      *task // the subagent it comes from, or nil
	session  string
}

// hook calls the hooks of an event and returns when the synchronous ones are done. The lock must
// not be held.
func (a *agent) hook(ctx context.Context, c hookContext, event, subject string, extra ...kv) {
	a.mu.Lock()
	payload := a.payload(c, event, extra)
	session := a.session
	if c.session != "" {
		session = c.session
	}
	a.mu.Unlock()
	env := hookEnv(a.opt.Env, a.prof, session, a.opt.CWD, a.pid)
	a.hooks.run(ctx, event, subject, payload, env)
}

// payload is the JSON on a hook's standard input, with the fields the recordings show for the
// event, in their order.
func (a *agent) payload(c hookContext, event string, extra []kv) []byte {
	session := a.session
	if c.session != "" {
		session = c.session
	}
	tr := *a.tr
	tr.session = session
	f := []kv{{"session_id", session}, {"transcript_path", tr.path()}, {"cwd", a.opt.CWD}}
	if c.promptID != "" && a.prof.promptID {
		f = append(f, kv{"prompt_id", c.promptID})
	}
	mode, effort := eventFields(event)
	if mode {
		f = append(f, kv{"permission_mode", a.mode})
	}
	if c.sub != nil {
		f = append(f, kv{"agent_id", c.sub.id}, kv{"agent_type", c.sub.agentType})
	}
	if effort {
		f = append(f, kv{"effort", map[string]string{"level": "medium"}})
	}
	f = append(f, kv{"hook_event_name", event})
	f = append(f, extra...)
	if (event == "SessionStart" || event == "UserPromptSubmit") && a.opt.Name != "" {
		f = append(f, kv{"session_title", a.opt.Name})
	}
	return encodeFields(f)
}

// eventFields says which events carry permission_mode and effort.
func eventFields(event string) (mode, effort bool) {
	switch event {
	case "UserPromptSubmit":
		return true, false
	case "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "Stop", "SubagentStop":
		return true, true
	case "StopFailure":
		return false, true
	}
	return false, false
}

// encodeFields is a JSON object with its fields in the given order.
func encodeFields(f []kv) []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range f {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encodeJSON(e.key))
		b.WriteByte(':')
		b.Write(encodeJSON(e.value))
	}
	b.WriteByte('}')
	return b.Bytes()
}

// encodeJSON is compact JSON without the escapes meant for web pages. What we encode is our own:
// maps, strings and numbers, which cannot fail.
func encodeJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return []byte("null")
	}
	return bytes.TrimRight(b.Bytes(), "\n")
}

// backgroundTasks is the list a Stop carries. The lock is held.
func (a *agent) backgroundTasks() []map[string]string {
	out := []map[string]string{}
	for _, t := range a.shells {
		out = append(out, map[string]string{"id": t.id, "type": "shell", "status": "running", "description": t.description, "command": t.command})
	}
	for _, t := range a.subs {
		out = append(out, map[string]string{"id": t.id, "type": "subagent", "status": "running", "description": t.description, "agent_type": t.agentType})
	}
	return out
}
