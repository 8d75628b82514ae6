package fakeagent

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// apiFailure is a turn that ended with an API error.
type apiFailure struct {
	kind   string // rate_limit, overloaded, server_error, …
	text   string
	status int
}

func (f *apiFailure) Error() string { return f.text }

// Believable sizes of the things a pretended tool leaves behind.
const (
	wordPause = 200 * time.Millisecond // between two words of a streamed answer
	toolPause = 50 * time.Millisecond  // a tool that needs no permission
)

// play does one act of a turn.
func (a *agent) play(ctx context.Context, t *turn, x act) error {
	switch x.verb {
	case "think":
		return pause(ctx, a.opt.paced(seconds(x.text, 1)))
	case "say":
		return a.answer(ctx, t, x.text)
	case "slow":
		length, words, _ := strings.Cut(x.text, " ")
		return a.stream(ctx, t, a.opt.paced(seconds(length, 1)), words)
	case "fail":
		return a.fail(ctx, t, x.text)
	case "bash":
		return a.bash(ctx, t, x.text)
	case "write":
		return a.writeFile(ctx, t, x.text)
	case "bgbash":
		return a.backgroundShell(ctx, t, x.text)
	case "agent":
		return a.subagent(ctx, t, x.text)
	case "ask":
		return a.question(ctx, t, x.text)
	case "plan":
		return a.plan(ctx, t, x.text)
	case "tool":
		name, detail, _ := strings.Cut(x.text, " ")
		return a.quickTool(ctx, t, name, detail)
	}
	return a.answer(ctx, t, "Echo: "+x.text)
}

// answer is a whole text answer of the model.
func (a *agent) answer(ctx context.Context, t *turn, text string) error {
	if err := a.request(ctx, t); err != nil {
		return err
	}
	a.locked(func() {
		t.last = text
		t.tokens += len(strings.Fields(text))
		a.say(sayEntry(text))
		a.tr.assistant(answer{id: t.message, stop: "end_turn", blocks: []fields{{"type": "text", "text": text}}})
		t.message = ""
	})
	return nil
}

// request waits as long as the model takes to its first word.
func (a *agent) request(ctx context.Context, t *turn) error {
	a.locked(func() { t.message = stamp("msg_") })
	return pause(ctx, a.opt.Latency)
}

// stream is an answer that comes word by word for a while: the given words, over and over.
func (a *agent) stream(ctx context.Context, t *turn, d time.Duration, text string) error {
	setString(&text, "word")
	words := strings.Fields(text)
	if err := a.request(ctx, t); err != nil {
		return err
	}
	a.locked(func() {
		t.last = ""
		a.say(sayEntry(""))
	})
	end := time.Now().Add(d)
	for i := 0; time.Now().Before(end); i++ {
		if err := pause(ctx, min(wordPause, time.Until(end))); err != nil {
			return err
		}
		a.locked(func() {
			t.last += words[i%len(words)] + " "
			t.tokens++
			a.amend(sayEntry(strings.TrimSpace(t.last)))
		})
	}
	a.locked(func() {
		a.tr.assistant(answer{id: t.message, stop: "end_turn", blocks: []fields{{"type": "text", "text": t.last}}})
		t.message = ""
	})
	return nil
}

// fail is a request that the API refuses.
func (a *agent) fail(ctx context.Context, t *turn, text string) error {
	if err := a.request(ctx, t); err != nil {
		return err
	}
	status, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil {
		status = 500
	}
	f := &apiFailure{kind: "unknown", status: status, text: fmt.Sprintf("API Error: %d scripted %d", status, status)}
	switch {
	case status == 429:
		f.kind, f.text = "rate_limit", "API Error: 429 Rate limit reached. Try again in a few minutes."
	case status == 401:
		f.kind, f.text = "authentication_failed", "API Error: 401 Invalid authentication credentials"
	case status == 529:
		f.kind = "server_error"
		f.text = "API Error: Repeated 529 Overloaded errors. The API is at capacity — this is usually temporary. Try again in a moment."
	case status >= 500:
		f.kind = "server_error"
	}
	a.locked(func() {
		t.last, t.message = f.text, ""
		a.say(errorEntry(f.text))
		a.tr.apiError(f.text, f.kind, status)
	})
	return f
}

// toolCall is one call of a tool, on the main chain or in a subagent.
type toolCall struct {
	name    string
	input   any
	id      string
	promptC hookContext
	tr      *transcript // where its records go
	turn    *turn       // nil in a subagent
	started time.Time
}

// use announces a tool call: the model's words, the record, and the PreToolUse hook.
func (a *agent) use(ctx context.Context, t *turn, name string, input any) (*toolCall, error) {
	if err := a.request(ctx, t); err != nil {
		return nil, err
	}
	c := &toolCall{name: name, input: input, id: stamp("toolu_"), promptC: hookContext{promptID: t.promptID}, tr: a.tr, turn: t, started: time.Now()}
	blocks := []fields{{"type": "tool_use", "id": c.id, "name": name, "input": input}}
	a.locked(func() {
		t.tokens += 8
		if !a.opt.Improvise { // the stand-in model of the recordings announces every call
			t.last = "Running " + name + "."
			a.say(sayEntry(t.last))
			blocks = append([]fields{{"type": "text", "text": t.last}}, blocks...)
		}
		a.tr.assistant(answer{id: t.message, stop: "tool_use", blocks: blocks})
		a.tr.writeLabels()
		t.message = ""
	})
	a.pre(ctx, c)
	return c, context.Cause(ctx)
}

func (a *agent) pre(ctx context.Context, c *toolCall) {
	a.hook(ctx, c.promptC, "PreToolUse", c.name, kv{"tool_name", c.name}, kv{"tool_input", hookInput(c)}, kv{"tool_use_id", c.id})
}

// hookInput is the tool input as hooks see it: the plan itself is not passed on.
func hookInput(c *toolCall) any {
	if c.name == "ExitPlanMode" {
		return map[string]any{}
	}
	return c.input
}

// permit opens a dialog for a tool call, with the PermissionRequest hook at the same moment.
func (a *agent) permit(ctx context.Context, c *toolCall, d *dialog, suggestions ...any) (reply, error) {
	f := []kv{{"tool_name", c.name}, {"tool_input", hookInput(c)}}
	if len(suggestions) > 0 {
		f = append(f, kv{"permission_suggestions", suggestions})
	}
	a.locked(func() { d.turn = c.turn })
	a.wg.Go(func() { a.hook(ctx, c.promptC, "PermissionRequest", c.name, f...) })
	r, err := a.ask(ctx, d, c.promptC)
	if err != nil {
		return r, err
	}
	if d.refused() {
		return r, errDenied
	}
	return r, nil
}

// done writes a tool's result and calls PostToolUse.
func (a *agent) done(ctx context.Context, c *toolCall, content string, response any) {
	a.hook(ctx, c.promptC, "PostToolUse", c.name, kv{"tool_name", c.name}, kv{"tool_input", hookInput(c)},
		kv{"tool_response", response}, kv{"tool_use_id", c.id}, kv{"duration_ms", time.Since(c.started).Milliseconds()})
	a.locked(func() {
		c.tr.userBlock(fields{"type": "tool_result", "tool_use_id": c.id, "content": content, "is_error": false},
			c.promptC.promptID, fields{"toolUseResult": response})
	})
}

// rejected writes what a "No" leaves in the transcript. No hook fires.
func (a *agent) rejected(c *toolCall) {
	c.tr.userBlock(fields{
		"type": "tool_result", "tool_use_id": c.id, "is_error": true,
		"content": "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, " +
			"the new_string was NOT written to the file). STOP what you are doing and wait for the user to tell you how to proceed.",
	},
		c.promptC.promptID, fields{"toolUseResult": "User rejected tool use", "toolDenialKind": "user-rejected"})
	c.tr.userBlock(fields{"type": "text", "text": "[Request interrupted by user for tool use]"}, c.promptC.promptID,
		fields{"rowSource": "harness"})
	c.tr.writeLabels()
}
