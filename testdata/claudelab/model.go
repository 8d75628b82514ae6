package claudelab

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Model is a stand-in for the Messages API: enough of its streaming form for Claude Code to run
// whole turns. The words of the prompt are the script:
//
//	bash CMD | bgbash CMD   a Bash tool call, in the background for bgbash
//	slow SECONDS            an answer that takes that long
//	hold NAME               an answer that goes on until Release(NAME)
//	ask | plan              AskUserQuestion | ExitPlanMode
//	agent PROMPT            an Agent tool call with that prompt
//	fail STATUS             an API error
//	… [{"target": …}, …]    with no tools: a summary of each window in the list, as JSON
//	anything else           an echo
type Model struct {
	ids   atomic.Int64
	mu    sync.Mutex
	gates map[string]chan struct{}
}

// Release lets the answers to "hold NAME" end, those that were asked for and those that will be.
func (m *Model) Release(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	gate := m.gate(name)
	select {
	case <-gate:
	default:
		close(gate)
	}
}

// gate is closed when the name is released. The lock is held.
func (m *Model) gate(name string) chan struct{} {
	if m.gates == nil {
		m.gates = map[string]chan struct{}{}
	}
	if m.gates[name] == nil {
		m.gates[name] = make(chan struct{})
	}
	return m.gates[name]
}

type block map[string]any

type request struct {
	Model    string `json:"model"`
	Stream   bool   `json:"stream"`
	Messages []struct {
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
	} `json:"messages"`
	Tools []json.RawMessage `json:"tools"`
}

// sideTools is the most tools a side request (a title, a summary) carries; the main loop has many.
const sideTools = 3

// heldPause is how long a held answer takes from word to word.
const heldPause = 100 * time.Millisecond

// answer is what one request gets.
type answer struct {
	blocks []block
	over   time.Duration   // how long the text takes to stream
	until  <-chan struct{} // it is streamed again and again until this is closed; nil for once
	status int
}

func (m *Model) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		reply(w, http.StatusOK, block{"input_tokens": 100})
	case strings.HasSuffix(r.URL.Path, "/messages"):
		m.messages(w, r)
	default:
		reply(w, http.StatusNotFound, block{"type": "error", "error": block{"type": "not_found_error", "message": "not here"}})
	}
}

func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("content-type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v) // the client may have gone
}

func (m *Model) messages(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	var req request
	if err == nil {
		err = json.Unmarshal(body, &req)
	}
	if err != nil {
		reply(w, http.StatusBadRequest, block{"type": "error", "error": block{"type": "invalid_request_error", "message": err.Error()}})
		return
	}
	text, result := lastUser(&req)
	a := m.answer(text, result, len(req.Tools) > sideTools)
	if rows, ok := summaries(text); ok && len(req.Tools) == 0 {
		a = answer{blocks: []block{{"type": "text", "text": rows}}, status: http.StatusOK}
	}
	if a.status != http.StatusOK {
		reply(w, a.status, block{"type": "error", "error": block{"type": "api_error", "message": fmt.Sprintf("scripted %d", a.status)}})
		return
	}
	msg := block{
		"id": m.id("msg"), "type": "message", "role": "assistant", "model": req.Model, "content": []block{}, "stop_reason": nil,
		"stop_sequence": nil, "usage": block{"input_tokens": 1200, "cache_creation_input_tokens": 300, "cache_read_input_tokens": 9000, "output_tokens": 42},
	}
	if !req.Stream {
		msg["content"], msg["stop_reason"] = a.blocks, stopReason(a.blocks)
		reply(w, http.StatusOK, msg)
		return
	}
	stream(r.Context(), w, msg, a)
}

func (m *Model) id(kind string) string {
	return fmt.Sprintf("%s_%d_%d", kind, time.Now().UnixNano(), m.ids.Add(1))
}

func stopReason(blocks []block) string {
	for _, b := range blocks {
		if b["type"] == "tool_use" {
			return "tool_use"
		}
	}
	return "end_turn"
}

func stream(ctx context.Context, w http.ResponseWriter, msg block, a answer) {
	w.Header().Set("content-type", "text/event-stream")
	out := http.NewResponseController(w)
	send := func(name string, v block) {
		v["type"] = name
		b, _ := json.Marshal(v) // maps of strings and numbers always encode
		fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, b)
		_ = out.Flush()
	}
	send("message_start", block{"message": msg})
	for i, b := range a.blocks {
		if b["type"] == "text" {
			send("content_block_start", block{"index": i, "content_block": block{"type": "text", "text": ""}})
			if !a.speak(ctx, b["text"].(string), func(word string) {
				send("content_block_delta", block{"index": i, "delta": block{"type": "text_delta", "text": word}})
			}) {
				return
			}
		} else {
			input, _ := json.Marshal(b["input"])
			send("content_block_start", block{"index": i, "content_block": block{"type": "tool_use", "id": b["id"], "name": b["name"], "input": block{}}})
			send("content_block_delta", block{"index": i, "delta": block{"type": "input_json_delta", "partial_json": string(input)}})
		}
		send("content_block_stop", block{"index": i})
	}
	send("message_delta", block{"delta": block{"stop_reason": stopReason(a.blocks), "stop_sequence": nil}, "usage": block{"output_tokens": 42}})
	send("message_stop", block{})
}

// speak streams a text word by word. It reports whether anybody still listens at the end.
func (a *answer) speak(ctx context.Context, text string, say func(word string)) bool {
	words := strings.SplitAfter(text, " ")
	for {
		for _, word := range words {
			say(word)
			select {
			case <-time.After(a.over / time.Duration(len(words))):
			case <-ctx.Done():
				return false
			}
		}
		if a.until == nil {
			return true
		}
		select {
		case <-a.until:
			return true
		default:
		}
	}
}

// lastUser is the newest text of the person, and whether the last message brings tool results.
func lastUser(r *request) (text string, result bool) {
	for i := len(r.Messages) - 1; i >= 0; i-- {
		if r.Messages[i].Role != "user" {
			continue
		}
		var plain string
		if json.Unmarshal(r.Messages[i].Content, &plain) == nil {
			return withoutReminders(plain), false
		}
		var parts []struct{ Type, Text string }
		_ = json.Unmarshal(r.Messages[i].Content, &parts) // another form has no text for us
		for _, p := range parts {
			result = result || p.Type == "tool_result"
			if c := withoutReminders(p.Text); p.Type == "text" && c != "" {
				text = c
			}
		}
		return text, result
	}
	return "", false
}

var reminder = regexp.MustCompile(`(?s)<system-reminder>.*?(</system-reminder>|$)`)

func withoutReminders(s string) string {
	return strings.TrimSpace(reminder.ReplaceAllString(s, ""))
}

func (m *Model) answer(text string, result, mainLoop bool) answer {
	say := func(s string) answer {
		return answer{blocks: []block{{"type": "text", "text": s}}, status: http.StatusOK}
	}
	if result && text == "" {
		return say("Tool finished; all done.")
	}
	if !mainLoop {
		return say("ok")
	}
	verb, rest, _ := strings.Cut(text, " ")
	n, _ := strconv.Atoi(rest) // only for verbs that take a number
	switch verb {
	case "bash":
		return m.call("Bash", block{"command": rest, "description": "scripted command"})
	case "bgbash":
		return m.call("Bash", block{"command": rest, "description": "scripted background command", "run_in_background": true})
	case "ask":
		return m.call("AskUserQuestion", block{"questions": []block{{
			"question": "Which database?", "header": "Database", "multiSelect": false,
			"options": []block{{"label": "SQLite", "description": "embedded"}, {"label": "Postgres", "description": "server"}},
		}}})
	case "plan":
		return m.call("ExitPlanMode", block{"plan": "1. do it"})
	case "agent":
		return m.call("Agent", block{"description": "scripted helper", "prompt": rest, "subagent_type": "general-purpose"})
	case "fail":
		return answer{status: n}
	case "slow":
		a := say(strings.Repeat("word ", 5*max(n, 1)))
		a.over = time.Duration(n) * time.Second
		return a
	case "hold":
		a := say("word ")
		m.mu.Lock()
		a.over, a.until = heldPause, m.gate(rest)
		m.mu.Unlock()
		return a
	}
	return say("Echo: " + text)
}

func (m *Model) call(tool string, input block) answer {
	return answer{status: http.StatusOK, blocks: []block{
		{"type": "text", "text": "Running " + tool + "."},
		{"type": "tool_use", "id": m.id("toolu"), "name": tool, "input": input},
	}}
}

// summaries answers a list of windows the way a model is asked to.
func summaries(text string) (rows string, ok bool) {
	i := strings.Index(text, `[{"target"`)
	if i < 0 {
		return "", false
	}
	var windows []struct{ Target, Command, Capture string }
	if json.NewDecoder(strings.NewReader(text[i:])).Decode(&windows) != nil {
		return "", false
	}
	var out []block
	for _, w := range windows {
		line, _, _ := strings.Cut(strings.TrimSpace(w.Capture), "\n")
		out = append(out, block{"target": w.Target, "summary": "reads: " + line, "statusKind": "running"})
	}
	b, _ := json.Marshal(out) // maps of strings always encode
	return "```json\n" + string(b) + "\n```", true
}
