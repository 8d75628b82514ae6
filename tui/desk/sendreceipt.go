package desk

import (
	"context"
	"os"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"signalbox/hookrecv"
	"signalbox/hookrecv/paths"
	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
)

const (
	// hookPromptRunes is where the hook client cuts a prompt; a test holds it to that.
	hookPromptRunes = 500
	// earBuffer is how many prompts wait for one send. Only those of its own agent or session do.
	earBuffer = 32
)

// ears hear of prompts that Claude acknowledges: from hooks and from transcripts. They are safe for
// concurrent use.
type ears struct {
	claudeDir string

	mu   sync.Mutex
	subs map[*ear]bool
}

// ear belongs to one send.
type ear struct {
	agent   tracker.AgentID
	session string
	prompts chan interlock.Prompt
}

func newEars(claudeDir string) *ears { return &ears{claudeDir: claudeDir, subs: map[*ear]bool{}} }

// hear takes a hook call. It never blocks: what a full ear misses, the transcript tells.
func (e *ears) hear(ev tracker.HookReceived) {
	p, ok := promptOf(ev)
	if !ok || ev.Replayed {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for s := range e.subs {
		if p.ClaudePID == s.agent.PID || p.ClaudePID == 0 && p.SessionID == s.session {
			s.tell(p)
		}
	}
}

func (s *ear) tell(p interlock.Prompt) {
	select {
	case s.prompts <- p:
	default:
	}
}

// workHooks are called for a prompt that Claude works on or has worked on: never for one that was blocked.
var workHooks = []tracker.HookName{
	tracker.HookPreToolUse, tracker.HookPostToolUse, tracker.HookPermissionRequest, tracker.HookStop, tracker.HookStopFailure,
}

// promptOf is the prompt that a hook tells of. /clear is not told as a prompt: the conversation
// simply begins anew.
func promptOf(ev tracker.HookReceived) (interlock.Prompt, bool) {
	h := &ev.Hook
	p := interlock.Prompt{At: ev.At, SessionID: h.SessionID, ClaudePID: h.ClaudePID, ID: h.PromptID, Text: h.Prompt, Source: tracker.SourceHook}
	switch {
	case h.SubagentID != "":
		return p, false
	case h.PromptID != "" && slices.Contains(workHooks, h.Name):
		p.Text, p.Reception = "", interlock.WorkedOn
		return p, true
	case h.Name == tracker.HookUserPromptSubmit:
		p.Cut = utf8.RuneCountInString(h.Prompt) >= hookPromptRunes
		p.Reception = interlock.Heard // another hook of the same prompt may block it
		return p, true
	case h.Name == tracker.HookSessionStart && h.StartSource == "clear":
		p.Text = "<command-name>/clear</command-name>"
		return p, true
	}
	return p, false
}

// open listens for hooks as a board does, for a process that is none, until the function it returns
// is called. Where no socket can be opened the transcript alone tells of receipts.
func (e *ears) open(ctx context.Context, env func(string) string) (shut func()) {
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	h := hookrecv.Handler{Emit: e.hear, Chain: func(int) []tracker.Process { return nil }}
	for _, dir := range paths.RunDirs(env) {
		ln, err := hookrecv.Listen(dir, os.Getpid())
		if err != nil {
			continue
		}
		wg.Go(func() { _ = hookrecv.Serve(ctx, ln, h) })
	}
	return func() {
		cancel()
		wg.Wait()
	}
}

// about is the receipts of an agent whose transcript may be known: a hint, "" for none.
func (e *ears) about(transcript string) interlock.Receipts {
	return receipts{ears: e, hint: transcript}
}

type receipts struct {
	ears *ears
	hint string
}

// transcriptPoll is how often the transcript is looked at while a receipt is due: one stat.
const transcriptPoll = 40 * time.Millisecond

// Watch implements interlock.Receipts. What is in the transcript already is passed over.
func (r receipts) Watch(ctx context.Context, agent tracker.AgentID, session string) (<-chan interlock.Prompt, error) {
	s := &ear{agent: agent, session: session, prompts: make(chan interlock.Prompt, earBuffer)}
	r.ears.mu.Lock()
	r.ears.subs[s] = true
	r.ears.mu.Unlock()
	context.AfterFunc(ctx, func() {
		r.ears.mu.Lock()
		defer r.ears.mu.Unlock()
		delete(r.ears.subs, s)
	})
	if t := newPromptTail(r.ears.claudeDir, session, r.hint); t != nil {
		t.skip()
		go func() { // ends with ctx
			for sleep(ctx, transcriptPoll) {
				t.read(s.tell)
			}
		}()
	}
	return s.prompts, nil
}
