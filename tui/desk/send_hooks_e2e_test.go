package desk_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"signalbox/testdata/claudelab"
	"signalbox/tmuxctl/tmuxtest"
)

// promptHooks is what Claude runs for every prompt from now on: ours, and one of somebody else's.
func promptHooks(t *testing.T, l *claudelab.Lab, other string) {
	t.Helper()
	type hook map[string]string
	ours, others := hook{"type": "command", "command": program + " hook"}, hook{"type": "command", "command": other, "statusMessage": "Checking"}
	call := func(hooks ...hook) []any { return []any{map[string]any{"hooks": hooks}} }
	data, err := json.Marshal(map[string]any{"hooks": map[string]any{"UserPromptSubmit": call(ours, others), "Stop": call(ours)}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.ClaudeDir(), "settings.json"), data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestARealHookDecidesAboutASend has a hook of somebody else's let prompts through and block them, in a
// session with a transcript and in one without.
func TestARealHookDecidesAboutASend(t *testing.T) {
	t.Parallel()
	l := claudelab.New(t)
	verdict := filepath.Join(l.Home(), "verdict")
	say := func(script string) {
		if err := os.WriteFile(verdict, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	promptHooks(t, l, "sh "+verdict)
	say("exit 0")
	kept := l.Agent("kept")
	silent := l.NewSession("silent", tmuxtest.Command{
		Argv: []string{l.Claude, "-n", "silent"}, Dir: l.Repo,
		Env: append(l.Settings(), "CLAUDE_CODE_SKIP_PROMPT_HISTORY=1"),
	})
	l.UntilWord(silent, "idle")
	for _, a := range []tmuxtest.Pane{kept, silent} {
		say("sleep 2; exit 0")
		if s := send(t, l, "", "--json", string(a.ID), "let me through"); s.code != 0 || s.outcome(t).Outcome != "delivered" {
			t.Errorf("%s: a hook that lets it through late: exit %d", a.ID, s.code)
		}
		l.UntilText(a.ID, "Echo: let me through")
		l.UntilWord(a, "idle")
		for _, script := range []string{"echo no >&2; exit 2", "sleep 2; echo no >&2; exit 2"} {
			say(script)
			s := send(t, l, "", "--json", string(a.ID), "touch this")
			if o := s.outcome(t); s.code != 4 || o.Outcome != "unconfirmed" || !strings.Contains(o.Detail, "blocked") && !strings.Contains(o.Detail, "back in the input box") || o.Box != "touch this" {
				t.Errorf("%s: a hook that blocks it: exit %d, %s in a box with %q", a.ID, s.code, o.Detail, o.Box)
			}
			l.SendKeys(a.ID, "C-u")
			l.Until("the box to be empty", func() bool { return !strings.Contains(l.Capture(a.ID), "❯\u00a0touch") })
			l.UntilWord(a, "idle")
		}
	}
}
