package wire

import (
	"fmt"
	"io"

	"signalbox/tracker"
)

// Limits in characters. Together they keep an encoded message under MaxSize even when every
// character needs a six-byte escape; a test holds that.
const (
	wordLimit   = 100  // ids, names and single words
	titleLimit  = 200  // one line of text
	detailLimit = 200  // tool input: the contract of the event log
	textLimit   = 500  // prompts and answers: enough to recognise one, and to read it in a preview
	pathLimit   = 1000 // a cut path is no path; the longest real transcript path is a third of this
	taskLimit   = 40   // fields of a background task
	taskCount   = 16   // background tasks kept, running ones first
	cronsMax    = 1000 // crons counted
)

// Read reads one hook payload, or the trimmed form of one, and leaves the rest of the stream alone.
// The hook's name is empty when the payload has none. An error means that src failed, ended early
// or holds something else than a JSON object.
func Read(src io.Reader) (tracker.Hook, error) {
	l := newLexer(src)
	var p payload
	if err := p.read(l); err != nil {
		return tracker.Hook{}, fmt.Errorf("decoding hook payload: %w", err)
	}
	return p.finish(), nil
}

// A payload is a hook under construction: what the tool's input says can only be judged once the
// tool's name is known, and the two come in any order.
type payload struct {
	hook             tracker.Hook
	input            toolInput
	newCWD           string
	givenKey, detail string // from an already trimmed payload
}

func (p *payload) read(l *lexer) error {
	c, err := l.token()
	if err != nil {
		return err
	}
	if c != '{' {
		return l.fail("expected a JSON object")
	}
	l.pos++
	for first := true; ; first = false {
		_, ok, err := l.member(first)
		if err != nil || !ok {
			return err
		}
		if err := p.member(l); err != nil {
			return err
		}
	}
}

// member reads the value of the member whose name is in l.key.
func (p *payload) member(l *lexer) error {
	switch string(l.key) {
	case "tool_input":
		return p.input.read(l)
	case "background_tasks":
		return p.readTasks(l)
	case "session_crons":
		return p.readCrons(l)
	}
	field, limit := p.text(string(l.key))
	if field == nil {
		_, err := l.value(1, nil, false)
		return err
	}
	text := newCut(limit)
	_, err := l.value(1, text, false)
	*field = text.text(limit)
	return err
}

// text is where a string member belongs and how much of it is kept; nil for a member nobody needs.
func (p *payload) text(key string) (field *string, limit int) {
	h := &p.hook
	switch key {
	case "hook_event_name":
		return (*string)(&h.Name), wordLimit
	case "session_id":
		return &h.SessionID, wordLimit
	case "transcript_path":
		return &h.TranscriptPath, pathLimit
	case "cwd":
		return &h.CWD, pathLimit
	case "new_cwd":
		return &p.newCWD, pathLimit
	case "prompt_id":
		return &h.PromptID, wordLimit
	case "permission_mode":
		return &h.PermissionMode, wordLimit
	case "agent_id":
		return &h.SubagentID, wordLimit
	case "agent_type":
		return &h.SubagentType, wordLimit
	case "source":
		return &h.StartSource, wordLimit
	case "reason":
		return &h.EndReason, wordLimit
	case "session_title":
		return &h.Title, titleLimit
	case "model":
		return &h.Model, wordLimit
	case "prompt":
		return &h.Prompt, textLimit
	default:
		return p.moreText(key)
	}
}

// moreText goes on where text stops: the members of single kinds of events.
func (p *payload) moreText(key string) (field *string, limit int) {
	h := &p.hook
	switch key {
	case "tool_name":
		return &h.Tool, wordLimit
	case "tool_use_id":
		return &h.ToolUseID, wordLimit
	case "notification_type":
		return &h.Notification, wordLimit
	case "message":
		return &h.Message, textLimit
	case "last_assistant_message":
		return &h.LastMessage, textLimit
	case "error":
		return &h.Error, titleLimit
	case "trigger":
		return &h.Trigger, wordLimit
	case memberToolKey:
		return &p.givenKey, wordLimit
	case memberToolDetail:
		return &p.detail, detailLimit
	}
	return nil, 0
}

// readTasks reads background_tasks. When there are too many, running ones displace finished ones:
// they decide whether the agent will wake up by itself.
func (p *payload) readTasks(l *lexer) error {
	p.hook.Background = nil
	return l.elements(func(c byte) error {
		if c != '{' {
			_, err := l.value(2, nil, false)
			return err
		}
		t, err := readTask(l)
		if err != nil {
			return err
		}
		p.addTask(t)
		return nil
	})
}

func (p *payload) addTask(t tracker.BackgroundTask) {
	tasks := p.hook.Background
	if len(tasks) < taskCount {
		p.hook.Background = append(tasks, t)
		return
	}
	if t.Status != taskRunning {
		return
	}
	for i := range tasks {
		if tasks[i].Status != taskRunning {
			tasks[i] = t
			return
		}
	}
}

// taskRunning is the status of a background task that has not ended.
const taskRunning = "running"

func readTask(l *lexer) (tracker.BackgroundTask, error) {
	var t tracker.BackgroundTask
	l.pos++ // the caller has seen the brace
	for first := true; ; first = false {
		_, ok, err := l.member(first)
		if err != nil || !ok {
			return t, err
		}
		var field *string
		switch string(l.key) {
		case "id":
			field = &t.ID
		case "type":
			field = &t.Type
		case "status":
			field = &t.Status
		case "description":
			field = &t.Description
		}
		text := newCut(taskLimit)
		if _, err := l.value(3, text, false); err != nil {
			return t, err
		}
		if field != nil {
			*field = text.text(taskLimit)
		}
	}
}

// readCrons counts session_crons; nothing else of them is needed.
func (p *payload) readCrons(l *lexer) error {
	p.hook.Crons = 0
	return l.elements(func(byte) error {
		p.hook.Crons = min(p.hook.Crons+1, cronsMax)
		_, err := l.value(2, nil, false)
		return err
	})
}

// elements calls read before each element of the array that comes next, with the element's first
// byte; read must consume the element. Another value than an array is skipped.
func (l *lexer) elements(read func(first byte) error) error {
	c, err := l.token()
	if err != nil {
		return err
	}
	if c != '[' {
		_, err := l.value(1, nil, false)
		return err
	}
	l.pos++
	for first := true; ; first = false {
		ok, err := l.next(first, ']')
		if err != nil || !ok {
			return err
		}
		if c, err = l.token(); err != nil {
			return err
		}
		if err := read(c); err != nil {
			return err
		}
	}
}

// finish puts the parts together that depend on one another.
func (p *payload) finish() tracker.Hook {
	h := p.hook
	if p.newCWD != "" {
		h.CWD = p.newCWD // CwdChanged: the common field may still be the old one
	}
	h.ToolKey, h.ToolDetail = p.givenKey, p.detail
	if h.Tool != "" && p.input.seen {
		if h.ToolKey == "" {
			h.ToolKey = p.input.key(h.Tool)
		}
		if h.ToolDetail == "" {
			h.ToolDetail = p.input.detail(h.Tool)
		}
	}
	return h
}
