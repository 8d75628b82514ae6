package fakeagent

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// bashResult is what the hooks and the transcript see of a command that printed nothing.
func bashResult() map[string]any {
	return map[string]any{"stdout": "", "stderr": "", "interrupted": false, "isImage": false, "noOutputExpected": false}
}

// waitingWord is what the registry says a permission dialog waits for.
func (a *agent) waitingWord(tool string) string {
	if a.prof.toolWords {
		return "approve " + tool
	}
	return "permission prompt"
}

// needsPermission reports whether a mode asks before a tool runs. file says that it edits a file.
func (a *agent) needsPermission(file bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mode != "auto" && a.mode != "bypassPermissions" && !(file && a.mode == "acceptEdits")
}

func (a *agent) allowDirectory() any {
	return map[string]any{"type": "addDirectories", "directories": []string{a.opt.CWD}, "destination": "session"}
}

// bash asks for a command and pretends to run it.
func (a *agent) bash(ctx context.Context, t *turn, command string) error {
	command, about := described(command, "scripted command")
	input := map[string]any{"command": command, "description": about}
	c, err := a.use(ctx, t, "Bash", input)
	if err != nil {
		return err
	}
	if a.needsPermission(false) {
		a.locked(func() { a.say(toolEntry(capital(about), "$ "+command)) })
		d := permissionDialog(command, about, a.opt.CWD, "", a.waitingWord("Bash"))
		if _, err := a.permit(ctx, c, d, a.allowDirectory()); err != nil {
			a.notRun(c, "$ "+command, err)
			return err
		}
		a.locked(func() { a.amend(noteEntry("Ran 1 shell command")) })
	} else {
		a.locked(func() { a.say(toolEntry("Bash("+command+")", "(No output)")) })
	}
	if err := pause(ctx, toolPause); err != nil {
		return err
	}
	a.done(ctx, c, "(Bash completed with no output)", bashResult())
	return a.closing(ctx, t)
}

// closing is the model's last word after a tool, unless more acts follow: they bring their own.
func (a *agent) closing(ctx context.Context, t *turn) error {
	if len(t.acts) > 1 {
		return context.Cause(ctx)
	}
	return a.answer(ctx, t, "Tool finished; all done.")
}

// notRun draws and records a tool call that was denied or interrupted in its dialog.
func (a *agent) notRun(c *toolCall, line string, err error) {
	if err != errDenied {
		return
	}
	a.locked(func() {
		a.rejected(c)
		a.amend(noteEntry("Did not run 1 call", line, interruptedText))
	})
}

// writeFile asks to create a file. Nothing is written.
func (a *agent) writeFile(ctx context.Context, t *turn, path string) error {
	full := path
	if !filepath.IsAbs(full) {
		full = filepath.Join(a.opt.CWD, path)
	}
	c, err := a.use(ctx, t, "Write", map[string]any{"file_path": full, "content": "hello\n"})
	if err != nil {
		return err
	}
	a.locked(func() { a.say(toolEntry("Write(" + path + ")")) })
	if a.needsPermission(true) {
		d := createDialog(path, "hello\n", a.waitingWord("Write"))
		suggestion := map[string]any{"type": "setMode", "mode": "acceptEdits", "destination": "session"}
		r, err := a.permit(ctx, c, d, suggestion)
		if err != nil {
			a.notRun(c, "Write("+path+")", err)
			return err
		}
		if r.index == 1 {
			a.setMode("acceptEdits")
		}
	}
	a.locked(func() { a.amend(toolEntry("Write("+path+")", "Wrote 1 line to "+path)) })
	a.done(ctx, c, "File created successfully at: "+full,
		map[string]any{"type": "create", "filePath": path, "content": "hello\n", "structuredPatch": []any{}, "userModified": false})
	return a.closing(ctx, t)
}

// quickTool is a tool that needs no permission: Read, Grep and the like.
func (a *agent) quickTool(ctx context.Context, t *turn, name, detail string) error {
	key := map[string]string{"Read": "file_path", "Edit": "file_path", "Grep": "pattern", "Glob": "pattern", "Bash": "command", "WebFetch": "url"}[name]
	if key == "" {
		key = "query"
	}
	c, err := a.use(ctx, t, name, map[string]any{key: detail})
	if err != nil {
		return err
	}
	a.locked(func() { a.say(toolEntry(name + "(" + detail + ")")) })
	if err := pause(ctx, toolPause); err != nil {
		return err
	}
	a.done(ctx, c, "ok", map[string]any{"type": "text", "file": map[string]any{"filePath": detail}})
	return nil
}

// parseQuestion reads "Question? One: what it is | Two: what it is"; nothing gives the question of
// the recordings.
func parseQuestion(text string) question {
	if text == "" {
		return question{
			Question: "Which database?", Header: "Database",
			Options: []option{{"SQLite", "embedded"}, {"Postgres", "server"}},
		}
	}
	q, rest, _ := strings.Cut(text, "?")
	out := question{Question: q + "?", Header: "Choice"}
	for _, o := range strings.Split(rest, "|") {
		label, about, _ := strings.Cut(o, ":")
		if label = strings.TrimSpace(label); label != "" {
			out.Options = append(out.Options, option{label, strings.TrimSpace(about)})
		}
	}
	return out
}

// question asks the person with AskUserQuestion.
func (a *agent) question(ctx context.Context, t *turn, text string) error {
	q := parseQuestion(text)
	input := map[string]any{"questions": []question{q}}
	c, err := a.use(ctx, t, "AskUserQuestion", input)
	if err != nil {
		return err
	}
	word := a.prof.askWord
	if a.prof.toolWords {
		word = a.waitingWord("AskUserQuestion")
	}
	d := questionDialog(q, word)
	r, err := a.permit(ctx, c, d)
	if err != nil {
		if err == errDenied {
			var labels []string
			for _, o := range q.Options {
				labels = append(labels, o.Label)
			}
			a.locked(func() {
				a.rejected(c)
				a.say(toolEntry("Declined to answer Claude's questions:", "· "+q.Question+" ("+strings.Join(labels, " / ")+")"))
			})
		}
		return err
	}
	label := d.choices[r.index].label
	answered := map[string]any{"questions": []question{q}, "answers": map[string]string{q.Question: label}, "annotations": map[string]any{}}
	c.input = answered
	a.locked(func() { a.say(toolEntry("Answered Claude's questions:", "· "+q.Question+" → "+label)) })
	a.done(ctx, c, fmt.Sprintf("User has answered your questions: %q=%q", q.Question, label), answered)
	return a.closing(ctx, t)
}

// plan asks for approval of a plan with ExitPlanMode.
func (a *agent) plan(ctx context.Context, t *turn, text string) error {
	if text == "" {
		text = "1. do it"
	}
	c, err := a.use(ctx, t, "ExitPlanMode", map[string]any{"plan": text})
	if err != nil {
		return err
	}
	if _, err := a.permit(ctx, c, planDialog(a.waitingWord("ExitPlanMode"))); err != nil {
		if err == errDenied {
			a.locked(func() {
				a.rejected(c)
				a.append(belowPara("Rejected Claude's plan:"))
				for _, l := range box(text) {
					a.append(para{lead: "     ", text: l, oneRow: true})
				}
			})
		}
		return err
	}
	a.setMode("default")
	a.locked(func() { a.say(entry{{lead: fg(colourBlue, "●") + " ", text: "Exited plan mode"}}) })
	a.done(ctx, c, "User has approved your plan.", map[string]any{"plan": nil, "isAgent": false})
	return a.closing(ctx, t)
}

// box frames a few lines of text.
func box(text string) []string {
	lines, width := strings.Split(text, "\n"), 18
	for _, l := range lines {
		width = max(width, ansi.StringWidth(clean(l)))
	}
	out := []string{"╭" + rule(width+3) + "╮"}
	for _, l := range lines {
		out = append(out, "│ "+pad(clean(l), width+2)+"│")
	}
	return append(out, "╰"+rule(width+3)+"╯")
}

// setMode changes the permission mode and notes it in the transcript.
func (a *agent) setMode(mode string) {
	a.locked(func() { a.mode, a.tr.mode = mode, mode })
}
