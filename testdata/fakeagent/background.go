package fakeagent

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// backgroundShell starts a shell command in the background. It needs no permission, as in the
// recordings. When it is over Claude wakes up by itself.
func (a *agent) backgroundShell(ctx context.Context, t *turn, command string) error {
	command, lasts := shellTime(command)
	command, about := described(command, "scripted background command")
	input := map[string]any{"command": command, "description": about, "run_in_background": true}
	c, err := a.use(ctx, t, "Bash", input)
	if err != nil {
		return err
	}
	k := &task{
		id: "b" + randomHex(4), kind: "shell", description: about, command: command,
		toolUseID: c.id, started: time.Now(),
	}
	a.locked(func() {
		a.shells = append(a.shells, k)
		a.say(noteEntry("Ran 1 shell command"))
	})
	a.startTask(ctx, func(ctx context.Context) { a.shellLife(ctx, k, lasts) })
	result := bashResult()
	result["backgroundTaskId"] = k.id
	a.done(ctx, c, "Command running in background with ID: "+k.id+". You will be notified when it completes.", result)
	return a.closing(ctx, t)
}

// startTask runs background work that outlives its turn but not the agent.
func (a *agent) startTask(ctx context.Context, f func(context.Context)) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	a.wg.Go(func() {
		defer cancel()
		f(ctx)
	})
	a.wg.Go(func() {
		select {
		case <-a.hooks.stop:
			cancel()
		case <-ctx.Done():
		}
	})
}

func (a *agent) shellLife(ctx context.Context, k *task, lasts time.Duration) {
	if pause(ctx, a.opt.paced(lasts)) != nil {
		return
	}
	summary := fmt.Sprintf("Background command %q completed (exit code 0)", k.description)
	a.wake(ctx, k, summary, "")
}

// wake starts the turn that follows finished background work: a prompt without a person. A turn in
// work goes first.
func (a *agent) wake(ctx context.Context, k *task, summary, extra string) {
	prompt := fmt.Sprintf("<task-notification>\n<task-id>%s</task-id>\n<tool-use-id>%s</tool-use-id>\n<status>completed</status>\n<summary>%s</summary>\n%s</task-notification>",
		k.id, k.toolUseID, summary, extra)
	words := act{"echo", ""}
	if a.opt.Improvise {
		words = act{"say", "The background work is finished; nothing is left to do."}
	}
	t := &turn{prompt: prompt, source: "system", origin: "task-notification", acts: []act{words}, shown: sayEntry(summary)}
	a.locked(func() {
		a.shells = slices.DeleteFunc(a.shells, func(o *task) bool { return o == k })
		a.tr.queue("enqueue", prompt)
		if a.turn != nil || a.local {
			a.queued = append(a.queued, t)
			return
		}
		a.tr.queue("dequeue", "")
		a.begin(context.WithoutCancel(ctx), t) // the turn outlives the task that woke it
	})
}

// subagent starts a general-purpose subagent with a script of its own. It works in the background:
// the main turn goes on and ends before it.
func (a *agent) subagent(ctx context.Context, t *turn, script string) error {
	about := "scripted helper"
	if rest, ok := strings.CutPrefix(script, "["); ok {
		about, script, _ = strings.Cut(rest, "] ")
	}
	input := map[string]any{"description": about, "prompt": script, "subagent_type": "general-purpose"}
	c, err := a.use(ctx, t, "Agent", input)
	if err != nil {
		return err
	}
	k := &task{
		id: "a" + randomHex(8), kind: "subagent", description: about, agentType: "general-purpose",
		command: script, toolUseID: c.id, started: time.Now(),
	}
	a.hook(ctx, hookContext{promptID: t.promptID, sub: k}, "SubagentStart", k.agentType)
	a.locked(func() {
		a.subs = append(a.subs, k)
		a.say(toolEntry("Agent("+about+")", "Backgrounded agent (↓ to manage · ctrl+o to expand)"))
	})
	a.done(ctx, c, "Async agent launched successfully.",
		map[string]any{"isAsync": true, "status": "async_launched", "agentId": k.id, "description": k.description, "prompt": script})
	a.startTask(ctx, func(ctx context.Context) { a.subagentLife(ctx, k, t.promptID) })
	return a.closing(ctx, t)
}

func (a *agent) subagentLife(ctx context.Context, k *task, promptID string) {
	c := hookContext{promptID: promptID, sub: k}
	a.mu.Lock()
	tr := a.tr.subagent(k.id)
	a.mu.Unlock()
	// The main turn's last words and its Stop come first or at the same time.
	if pause(ctx, 2*a.opt.Latency) != nil {
		return
	}
	a.locked(func() { tr.user(k.command, promptID, "system", "subagent") })
	last := "Tool finished; all done."
	for _, x := range parseActs(k.command) {
		switch x.verb {
		case "bash":
			if err := a.subagentBash(ctx, k, c, tr, x.text); err != nil {
				last = "The person said no."
			}
		case "slow", "think":
			_ = pause(ctx, a.opt.paced(seconds(x.text, 1)))
		default:
			last = x.text
		}
		if ctx.Err() != nil {
			return
		}
	}
	a.mu.Lock()
	running := a.backgroundTasks()
	a.mu.Unlock()
	a.hook(ctx, c, "SubagentStop", k.agentType, kv{"stop_hook_active", false}, kv{"agent_transcript_path", a.tr.subagentPath(k.id)},
		kv{"last_assistant_message", last}, kv{"background_tasks", running}, kv{"session_crons", []any{}})
	a.locked(func() { a.subs = slices.DeleteFunc(a.subs, func(o *task) bool { return o == k }) })
	took := int(time.Since(k.started).Seconds())
	a.wake(ctx, k, fmt.Sprintf("Agent %q finished · %ds", k.description, took), "<result>"+last+"</result>\n")
}

// subagentBash is a command of a subagent. Its dialog stands on the parent's screen.
func (a *agent) subagentBash(ctx context.Context, k *task, hc hookContext, tr *transcript, command string) error {
	command, about := described(command, "scripted command")
	c := &toolCall{
		name: "Bash", input: map[string]any{"command": command, "description": about},
		id: stamp("toolu_"), promptC: hc, tr: tr, started: time.Now(),
	}
	a.locked(func() {
		tr.assistant(answer{
			id: stamp("msg_"), stop: "tool_use",
			blocks: []fields{{"type": "tool_use", "id": c.id, "name": c.name, "input": c.input}},
		})
	})
	a.pre(ctx, c)
	if a.needsPermission(false) {
		d := permissionDialog(command, about, a.opt.CWD, k.agentType, a.waitingWord("Bash"))
		mode := map[string]any{"type": "setMode", "mode": "acceptEdits", "destination": "session"}
		if _, err := a.permit(ctx, c, d, a.allowDirectory(), mode); err != nil {
			a.locked(func() { a.rejected(c) })
			return err
		}
	}
	if err := pause(ctx, toolPause); err != nil {
		return err
	}
	a.done(ctx, c, "(Bash completed with no output)", bashResult())
	return nil
}
