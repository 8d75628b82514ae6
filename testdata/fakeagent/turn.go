package fakeagent

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// turn is one run from a prompt to the end of the answer. tokens and last are guarded by the
// agent's mutex.
type turn struct {
	promptID string
	prompt   string
	source   string // "typed", "queued", "system"
	origin   string // "human", "task-notification"
	acts     []act
	shown    entry  // what the conversation shows of it; nil: the prompt
	word     string // what the spinner says
	started  time.Time
	tokens   int
	last     string // the assistant's last words
	message  string // id of the model answer in work
	over     bool   // interrupted or refused: the agent is free, though the turn still cleans up
	dequeued bool   // the transcript says that it left the queue
	cancel   context.CancelCauseFunc
}

// spinnerWords are what the spinner says, one per turn.
var spinnerWords = [...]string{"Zigzagging", "Choreographing", "Bloviating", "Churning", "Simmering", "Pondering"}

// endWords are the past tense Claude closes a turn with.
var endWords = [...]string{"Cogitated", "Worked", "Crunched", "Baked", "Brewed", "Sautéed"}

// submit takes a prompt as if typed: commands of the program run at once, a busy agent queues. The
// lock is held. scripted, if not nil, is what to do with the prompt.
func (a *agent) submit(ctx context.Context, prompt string, scripted []act) {
	a.ghost = ""
	a.remember(prompt)
	if scripted == nil && a.command(ctx, prompt) {
		return
	}
	if a.turn != nil || a.local {
		a.queue(ctx, prompt)
		return
	}
	if scripted == nil {
		scripted = parseActs(prompt)
		if a.opt.Improvise && scripted[0].verb == "echo" {
			scripted = improvised(prompt)
		}
	}
	a.begin(ctx, &turn{prompt: prompt, source: "typed", origin: "human", acts: scripted})
}

// begin starts a turn. The lock is held and no turn is running. An agent that is on its way out
// starts none.
func (a *agent) begin(ctx context.Context, t *turn) {
	if a.quitting {
		return
	}
	t.promptID, t.started = newUUID(), time.Now()
	a.lastID = t.promptID
	t.word = spinnerWords[a.tr.turns%len(spinnerWords)]
	turnCtx, cancel := context.WithCancelCause(ctx)
	t.cancel = cancel
	a.turn = t
	if t.shown == nil {
		t.shown = promptEntry(t.prompt)
	}
	if len(t.shown) > 0 {
		a.say(t.shown)
	}
	a.wg.Go(func() {
		defer cancel(nil)
		a.run(turnCtx, t)
		a.next(ctx, turnCtx)
	})
}

// next starts the first queued prompt. After an interrupt the queued ones come back into the
// composer instead. ctx is the agent's own, turnCtx that of the turn that ended.
func (a *agent) next(ctx, turnCtx context.Context) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.turn = nil
	switch {
	case len(a.queued) == 0 || ctx.Err() != nil:
	case turnCtx.Err() != nil && a.queued[0].source == "queued":
		a.tr.queue("popAll", "")
		a.comp.set(a.queued[0].prompt)
		a.queued = nil
	default:
		first := a.queued[0]
		a.queued = a.queued[1:]
		if !first.dequeued {
			a.tr.queue("dequeue", "")
		}
		a.changed() // the word is idle for a moment, as in the recordings
		a.begin(ctx, first)
	}
	a.changed()
}

// run plays a turn to its end.
func (a *agent) run(ctx context.Context, t *turn) {
	c := hookContext{promptID: t.promptID}
	if t.source == "typed" || t.source == "system" { // a queued prompt had its hook when it was queued, a "!" line has none
		a.hook(ctx, c, "UserPromptSubmit", "", kv{"prompt", t.prompt})
	}
	if t.source != "shell" {
		a.locked(func() { a.tr.user(t.prompt, t.promptID, t.source, t.origin) })
	}
	err := context.Cause(ctx)
	for _, act := range t.acts {
		if err == nil {
			err = a.play(ctx, t, act)
		}
	}
	a.finish(ctx, t, err)
}

// finish writes down how a turn ended.
func (a *agent) finish(ctx context.Context, t *turn, err error) {
	c := hookContext{promptID: t.promptID}
	var failed *apiFailure
	switch {
	case err == nil:
		a.mu.Lock()
		running := a.backgroundTasks()
		a.mu.Unlock()
		a.hook(ctx, c, "Stop", "", kv{"stop_hook_active", false}, kv{"last_assistant_message", t.last},
			kv{"background_tasks", running}, kv{"session_crons", []any{}})
		a.locked(func() { a.recordEnd(t) })
	case errors.As(err, &failed):
		a.hook(ctx, c, "StopFailure", failed.kind, kv{"error", failed.kind}, kv{"last_assistant_message", failed.text})
		a.locked(func() {
			a.tr.writeLabels()
			if failed.status >= 500 {
				a.ghost = "Resend your message to try again"
			}
		})
	case errors.Is(err, errInterrupted):
		a.locked(func() { a.recordInterrupt(t) })
	case errors.Is(err, errDenied):
		// What was denied has written its own records.
	default:
		// The agent exits, or the terminal is gone: nothing is written any more.
	}
}

func (a *agent) recordEnd(t *turn) {
	took := time.Since(t.started)
	a.tr.writeLabels()
	if len(a.queued) > 0 {
		a.queued[0].dequeued = true
		a.tr.queue("dequeue", "")
	}
	a.tr.system("stop_hook_summary", fields{"hookCount": 1, "hookErrors": []any{}, "preventedContinuation": false, "level": "suggestion"})
	end := fields{"durationMs": took.Milliseconds(), "messageCount": a.tr.turns * 3, "isMeta": false}
	if n := len(a.subs); n > 0 {
		end["pendingBackgroundAgentCount"] = n
	}
	a.tr.system("turn_duration", end)
	text := fmt.Sprintf("%s for %ds · done %s", endWords[a.tr.turns%len(endWords)], int(took.Seconds()), time.Now().Format("3:04 PM"))
	if len(a.subs) > 0 {
		text = fmt.Sprintf("Waiting for %d background agent to finish", len(a.subs))
	}
	a.say(entry{{lead: fg(colourGrey, "✻") + " ", text: text, colour: colourGrey}})
	a.ended = len(a.shells) > 0
}

// recordInterrupt writes the marker the board finds an interrupt by: no hook fires.
func (a *agent) recordInterrupt(t *turn) {
	if t.message != "" && t.last != "" {
		a.tr.assistant(answer{
			id: t.message, stop: nil, extra: fields{"isAbortedMidStream": true},
			blocks: []fields{{"type": "text", "text": t.last}},
		})
	}
	a.tr.userBlock(fields{"type": "text", "text": "[Request interrupted by user]"}, t.promptID,
		fields{"rowSource": "harness", "interruptedMessageId": t.message})
	a.append(para{lead: fg(colourGrey, "  ⎿  "), text: interruptedText, colour: colourGrey, oneRow: true})
}

// queue keeps a prompt for after this turn. Its UserPromptSubmit hook fires now, under the id of
// the turn in work, as in the recordings.
func (a *agent) queue(ctx context.Context, prompt string) {
	a.queued = append(a.queued, &turn{prompt: prompt, source: "queued", origin: "human", acts: parseActs(prompt)})
	a.tr.queue("enqueue", prompt)
	c := hookContext{}
	if a.turn != nil {
		c.promptID = a.turn.promptID
	}
	a.wg.Go(func() { a.hook(ctx, c, "UserPromptSubmit", "", kv{"prompt", prompt}) })
}

// interrupt is Esc or Ctrl-C in a turn. The lock is held.
func (a *agent) interrupt() bool {
	if a.turn == nil || a.turn.over {
		return false
	}
	a.turn.over = true
	a.turn.cancel(errInterrupted)
	return true
}

// pause waits, unless the turn ends first.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
