package desk

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
)

const (
	// tailChunk is one read.
	tailChunk = 64 << 10
	// maxPromptLine bounds a line worth reading: the longest text that can be sent, if every byte of
	// it is escaped. Longer lines are results of tools.
	maxPromptLine = 2 << 20
)

// promptTail reads the prompts that are appended to the transcript of one session, in full. The
// facts of package transcript are cut and leave commands out: they are for showing, not for
// comparing.
type promptTail struct {
	projects, session, hint string

	path string
	at   int64
	line []byte // an unfinished line
	skim bool   // it is too long: passed over up to its end
}

// sessionForm is what a session id looks like; nothing else becomes part of a path.
var sessionForm = lazyRegexp(`^[0-9a-zA-Z-]{8,100}$`)

// newPromptTail makes a tail, nil for a session without an id. The hint is where the transcript is
// said to be.
func newPromptTail(claudeDir, session, hint string) *promptTail {
	if !sessionForm().MatchString(session) {
		return nil
	}
	return &promptTail{projects: filepath.Join(claudeDir, "projects"), session: session, hint: hint}
}

// find looks for the file. It does not exist before the first prompt of a session.
func (t *promptTail) find() bool {
	if t.path != "" {
		return true
	}
	name := t.session + ".jsonl"
	if filepath.Base(t.hint) == name && strings.HasPrefix(t.hint, t.projects+"/") && !strings.Contains(t.hint, "..") {
		if _, err := os.Stat(t.hint); err == nil {
			t.path = t.hint
			return true
		}
	}
	dirs, err := os.ReadDir(t.projects)
	if err != nil {
		return false
	}
	for _, d := range dirs {
		path := filepath.Join(t.projects, d.Name(), name)
		if _, err := os.Stat(path); err == nil {
			t.path = path
			return true
		}
	}
	return false
}

// skip passes over what is there already.
func (t *promptTail) skip() {
	if !t.find() {
		return
	}
	if info, err := os.Stat(t.path); err == nil {
		t.at = info.Size()
	}
}

// read tells every prompt that was appended since. What cannot be read now is read the next time.
func (t *promptTail) read(tell func(interlock.Prompt)) {
	if !t.find() {
		return
	}
	info, err := os.Stat(t.path)
	if errors.Is(err, os.ErrNotExist) {
		t.path, t.at, t.line, t.skim = "", 0, nil, false // moved; found again where it went
		return
	}
	if err != nil || info.Size() == t.at {
		return
	}
	if info.Size() < t.at {
		t.at, t.line, t.skim = 0, nil, false
	}
	f, err := os.Open(t.path)
	if err != nil {
		return
	}
	defer f.Close()
	buf := make([]byte, tailChunk)
	var found []interlock.Prompt
	for {
		n, err := f.ReadAt(buf, t.at)
		t.at += int64(n)
		t.feed(buf[:n], func(p interlock.Prompt) { found = withStop(found, p) })
		if err != nil || n == 0 {
			break
		}
	}
	for _, p := range found {
		tell(p)
	}
}

// withStop adds a prompt, or what a hook said right after it: Claude writes both at once.
func withStop(found []interlock.Prompt, p interlock.Prompt) []interlock.Prompt {
	if p.Text != "" || p.Stop == "" {
		return append(found, p)
	}
	if last := len(found) - 1; last >= 0 && found[last].Reception == interlock.Taken {
		found[last].Stop = p.Stop
	}
	return found
}

// feed takes the next bytes of the file.
func (t *promptTail) feed(p []byte, tell func(interlock.Prompt)) {
	for len(p) > 0 {
		i := bytes.IndexByte(p, '\n')
		if i < 0 {
			t.keep(p)
			return
		}
		t.keep(p[:i])
		if !t.skim {
			if pr, ok := recordedPrompt(t.line, t.session); ok {
				tell(pr)
			}
		}
		t.line, t.skim = t.line[:0], false
		p = p[i+1:]
	}
}

func (t *promptTail) keep(p []byte) {
	if t.skim = t.skim || len(t.line)+len(p) > maxPromptLine; t.skim {
		t.line = nil
		return
	}
	t.line = append(t.line, p...)
}

// promptRecord is a line of a transcript, as far as a prompt needs it.
type promptRecord struct {
	Type      string `json:"type"`
	Subtype   string `json:"subtype"`
	Timestamp string `json:"timestamp"`
	SessionID string `json:"sessionId"`
	PromptID  string `json:"promptId"`
	Meta      bool   `json:"isMeta"`
	Sidechain bool   `json:"isSidechain"`
	Content   any    `json:"content"` // of a local command
	Message   struct {
		Content any `json:"content"`
	} `json:"message"`
}

// recordedPrompt is the prompt, shell line or command that a line of a transcript tells of, or what a
// hook made of it: one with nothing but Stop is about the prompt before it.
func recordedPrompt(line []byte, session string) (interlock.Prompt, bool) {
	var r promptRecord
	var wrongType *json.UnmarshalTypeError
	if err := json.Unmarshal(line, &r); err != nil && !errors.As(err, &wrongType) {
		return interlock.Prompt{}, false
	}
	content, p := r.Message.Content, interlock.Prompt{SessionID: r.SessionID, ID: r.PromptID, Source: tracker.SourceTranscript}
	switch {
	case r.Meta || r.Sidechain:
		return interlock.Prompt{}, false
	case r.Type == "system" && r.Subtype == "local_command":
		content = r.Content
	case r.Type == "system" && r.Subtype == "informational":
		note := textOf(r.Content)
		if why, ok := strings.CutPrefix(note, noteStopped); ok {
			p.Stop = strings.TrimSpace(why)
			return p, p.Stop != ""
		}
		why, ok := strings.CutPrefix(note, noteBlocked)
		if !ok {
			return interlock.Prompt{}, false
		}
		content, p.Reception = why, interlock.Blocked
	case r.Type != "user":
		return interlock.Prompt{}, false
	}
	p.Text = textOf(content)
	if p.SessionID == "" {
		p.SessionID = session
	}
	if at, err := time.Parse(time.RFC3339, r.Timestamp); err == nil {
		p.At = at
	}
	return p, p.Text != ""
}

// What Claude notes of a prompt that a hook did not let through (seen with 2.0.76 and 2.1.332). A
// blocked prompt is no part of the conversation, one that was stopped is, and nobody works on it.
const (
	noteBlocked = "UserPromptSubmit operation blocked by hook:"
	noteStopped = "Operation stopped by hook:"
)

// textOf is the text of a message's content: a string, or a list of blocks.
func textOf(content any) string {
	switch c := content.(type) {
	case string:
		return c
	case []any:
		var parts []string
		for _, b := range c {
			if m, ok := b.(map[string]any); ok && m["type"] == "text" {
				if s, ok := m["text"].(string); ok {
					parts = append(parts, s)
				}
			}
		}
		return strings.Join(parts, "\n")
	}
	return ""
}

// lazyRegexp compiles an expression when it is first used. Every hook call loads the whole program, and
// compiling what it never matches would be a third of its time.
func lazyRegexp(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
