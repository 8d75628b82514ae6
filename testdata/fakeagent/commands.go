package fakeagent

import (
	"context"
	"strings"
)

// command runs what is not for the model: slash commands and shell mode. It reports whether the
// prompt was one. The lock is held.
func (a *agent) command(ctx context.Context, prompt string) bool {
	word := strings.TrimSpace(prompt)
	switch word {
	case "/clear", "/compact", "/model", "/config", "/exit", "/quit":
	default:
		return false
	}
	if word == "/exit" || word == "/quit" {
		a.exit("prompt_input_exit")
		return true
	}
	if a.turn != nil || a.local {
		return false // queued like any prompt
	}
	switch word {
	case "/model":
		a.openOwn(ctx, modelDialog(), word, "Kept model as Opus 5.5 (default)")
		return true
	case "/config":
		a.openOwn(ctx, configDialog(), word, "Settings dialog dismissed")
		return true
	}
	a.local = true
	a.wg.Go(func() {
		if word == "/clear" {
			a.clear(ctx)
		} else {
			a.compact(ctx)
		}
		a.locked(func() { a.local = false })
	})
	return true
}

// openOwn opens a dialog of the person's own: no hook, and the registry says "dialog open" at once.
// The lock is held.
func (a *agent) openOwn(ctx context.Context, d *dialog, name, kept string) {
	a.dialogs = append(a.dialogs, d)
	a.wg.Go(func() {
		if _, err := a.ask(ctx, d, hookContext{}); err == nil {
			a.locked(func() { a.say(entry{promptEntry(name)[0], belowPara(kept)}) })
		}
	})
}

// clear is /clear: busy for a moment, the old session's end, a new session id in the registry, and
// the new session's start.
func (a *agent) clear(ctx context.Context) {
	a.mu.Lock()
	old := a.session
	a.mu.Unlock()
	a.hook(ctx, hookContext{promptID: newUUID(), session: old}, "SessionEnd", "clear", kv{"reason", "clear"})
	a.locked(func() {
		a.session = newUUID()
		a.tr.switchTo(a.session)
		a.conv = nil
		a.say(promptEntry("/clear"))
		a.tr.append(a.tr.chained("user", commandRecord("clear")))
		a.tr.system("local_command", fields{"content": "<local-command-stdout></local-command-stdout>", "level": "info"})
	})
	a.locked(func() { a.local = false })
	a.hook(ctx, hookContext{}, "SessionStart", "clear", kv{"source", "clear"})
}

func commandRecord(name string) fields {
	return fields{"rowSource": "local", "message": fields{"role": "user", "content": "<command-name>/" + name +
		"</command-name>\n            <command-message>" + name + "</command-message>\n            <command-args></command-args>"}}
}

// compact is /compact: a SessionStart in the middle of a session, between PreCompact and
// PostCompact, and the stop of a subagent nobody started.
func (a *agent) compact(ctx context.Context) {
	c := hookContext{promptID: newUUID()}
	a.locked(func() { a.say(promptEntry("/compact")) })
	a.hook(ctx, c, "PreCompact", "manual", kv{"trigger", "manual"}, kv{"custom_instructions", nil})
	if pause(ctx, a.opt.Latency) != nil {
		return
	}
	k := &task{id: "a" + randomHex(8)}
	summary := "The conversation so far, in short."
	a.mu.Lock()
	path := a.tr.subagentPath(k.id)
	a.mu.Unlock()
	a.hook(ctx, hookContext{promptID: c.promptID, sub: k}, "SubagentStop", "", kv{"stop_hook_active", false},
		kv{"agent_transcript_path", path}, kv{"last_assistant_message", summary},
		kv{"background_tasks", []any{}}, kv{"session_crons", []any{}})
	a.hook(ctx, c, "SessionStart", "compact", kv{"source", "compact"}, kv{"model", a.opt.Model})
	a.hook(ctx, c, "PostCompact", "manual", kv{"trigger", "manual"}, kv{"compact_summary", summary})
	a.locked(func() {
		a.tr.system("compact_boundary", fields{
			"content": "Conversation compacted", "level": "info",
			"compactMetadata": fields{"trigger": "manual", "preTokens": 10542, "postTokens": 3322},
		})
		a.tr.append(a.tr.chained("user", fields{
			"isCompactSummary": true, "isVisibleInTranscriptOnly": true,
			"message": fields{"role": "user", "content": "This session is being continued from a previous conversation. " + summary},
		}))
		a.tr.append(a.tr.chained("user", commandRecord("compact")))
		a.append(belowPara("Compacted (ctrl+o to see full summary)"))
	})
}

// shellLine is a "!" line: it runs (here: pretends to) without asking, no UserPromptSubmit fires,
// and the model answers to its output with a Stop.
func (a *agent) shellLine(ctx context.Context, line string) {
	a.remember("! " + line)
	a.say(promptEntry("! "+line), noteEntry("(No output)"))
	a.tr.append(a.tr.chained("user", fields{"message": fields{"role": "user", "content": "<bash-input>" + line + "</bash-input>"}}))
	a.tr.append(a.tr.chained("user", fields{"message": fields{
		"role":    "user",
		"content": "<bash-stdout>(Bash completed with no output)</bash-stdout><bash-stderr></bash-stderr>",
	}}))
	t := &turn{
		prompt: "<bash-stdout>(Bash completed with no output)</bash-stdout>", source: "shell", origin: "human",
		acts: []act{{"echo", "<bash-stdout>(Bash completed with no output)</bash-stdout>"}}, shown: entry{},
	}
	if a.turn != nil || a.local {
		a.queued = append(a.queued, t)
		return
	}
	a.begin(ctx, t)
}
