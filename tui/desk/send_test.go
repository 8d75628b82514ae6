package desk

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/hookrecv/wire"
	"signalbox/tmuxctl"
	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
	"signalbox/tui/cli"
	"signalbox/tui/tuitest"
)

const someSession = "75d77c30-66e4-4c0d-bbbe-f5cf0b47a088"

// TestHooksCutPrompts holds our idea of where a prompt is cut to what the wire does.
func TestHooksCutPrompts(t *testing.T) {
	for _, n := range []int{hookPromptRunes - 1, hookPromptRunes, hookPromptRunes + 1, 3 * hookPromptRunes} {
		line, err := wire.Message{Hook: tracker.Hook{Name: tracker.HookUserPromptSubmit, Prompt: strings.Repeat("é", n)}}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		m, err := wire.Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		p, ok := promptOf(tracker.HookReceived{Hook: m.Hook})
		if whole := p.Text == strings.Repeat("é", n); !ok || !whole && !p.Cut || whole && n < hookPromptRunes && p.Cut {
			t.Errorf("%d characters: cut %v, whole %v", n, p.Cut, whole)
		}
	}
}

func TestEarsHearWhatConcernsTheSend(t *testing.T) {
	agent := tracker.AgentID{PID: 7, Start: 1}
	for _, c := range []struct {
		name string
		ev   tracker.HookReceived
		want string // text of the prompt told, "" for none
	}{
		{"its own prompt", tracker.HookReceived{Hook: tracker.Hook{Name: tracker.HookUserPromptSubmit, ClaudePID: 7, Prompt: "x"}}, "x"},
		{"another process in the same session", tracker.HookReceived{Hook: tracker.Hook{Name: tracker.HookUserPromptSubmit, ClaudePID: 8, SessionID: someSession, Prompt: "x"}}, ""},
		{"an older Claude, by session", tracker.HookReceived{Hook: tracker.Hook{Name: tracker.HookUserPromptSubmit, SessionID: someSession, Prompt: "x"}}, "x"},
		{"an older Claude, another session", tracker.HookReceived{Hook: tracker.Hook{Name: tracker.HookUserPromptSubmit, SessionID: "other", Prompt: "x"}}, ""},
		{"a subagent", tracker.HookReceived{Hook: tracker.Hook{Name: tracker.HookUserPromptSubmit, ClaudePID: 7, SubagentID: "a", Prompt: "x"}}, ""},
		{"an old one read back", tracker.HookReceived{Replayed: true, Hook: tracker.Hook{Name: tracker.HookUserPromptSubmit, ClaudePID: 7, Prompt: "x"}}, ""},
		{"another event", tracker.HookReceived{Hook: tracker.Hook{Name: tracker.HookStop, ClaudePID: 7}}, ""},
		{"a cleared conversation", tracker.HookReceived{Hook: tracker.Hook{Name: tracker.HookSessionStart, StartSource: "clear", ClaudePID: 7}}, "<command-name>/clear</command-name>"},
		{"a compacted one", tracker.HookReceived{Hook: tracker.Hook{Name: tracker.HookSessionStart, StartSource: "compact", ClaudePID: 7}}, ""},
	} {
		ctx, cancel := context.WithCancel(t.Context())
		e := newEars(t.TempDir())
		prompts, err := e.about("").Watch(ctx, agent, someSession)
		if err != nil {
			t.Fatal(err)
		}
		e.hear(c.ev)
		got := ""
		select {
		case p := <-prompts:
			got = p.Text
		default:
		}
		if got != c.want {
			t.Errorf("%s: heard %q, want %q", c.name, got, c.want)
		}
		for range 2 * earBuffer {
			e.hear(c.ev) // nobody listens any more: it must not block
		}
		cancel()
	}
}

func TestEarsForgetSendsThatEnded(t *testing.T) {
	e := newEars(t.TempDir())
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := e.about("").Watch(ctx, tracker.AgentID{PID: 7}, ""); err != nil {
		t.Fatal(err)
	}
	cancel()
	for deadline := time.Now().Add(5 * time.Second); ; time.Sleep(time.Millisecond) {
		e.mu.Lock()
		n := len(e.subs)
		e.mu.Unlock()
		if n == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d ears are left", n)
		}
	}
}

// collect reads what is new in a transcript.
func collect(tail *promptTail) []string {
	var got []string
	tail.read(func(p interlock.Prompt) { got = append(got, p.Text) })
	return got
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func userLine(text string) string {
	b, _ := json.Marshal(map[string]any{"type": "user", "sessionId": someSession, "timestamp": "2026-11-30T22:07:12.315Z", "message": map[string]any{"role": "user", "content": text}})
	return string(b) + "\n"
}

func TestTheTailOfATranscript(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "projects", "-home-me-src-api", someSession+".jsonl")
	tail := newPromptTail(dir, someSession, "")
	tail.skip() // there is none yet
	if got := collect(tail); got != nil {
		t.Errorf("without a file: %q", got)
	}
	appendTo(t, path, userLine("first"))
	if got := collect(tail); !slices.Equal(got, []string{"first"}) {
		t.Errorf("a new file: %q", got)
	}
	later := newPromptTail(dir, someSession, path)
	later.skip()
	line := userLine("second\nwith lines")
	appendTo(t, path, line[:20])
	if got := collect(later); got != nil {
		t.Errorf("half a line: %q", got)
	}
	appendTo(t, path, line[20:]+"{broken\n\n"+`{"type":"user","message":{"content":[{"type":"text","text":"in"},{"type":"image"},{"type":"text","text":"blocks"}]}}`+"\n")
	for name, tl := range map[string]*promptTail{"an old tail": tail, "a later one": later} {
		if got := collect(tl); !slices.Equal(got, []string{"second\nwith lines", "in\nblocks"}) {
			t.Errorf("%s: %q", name, got)
		}
	}
	appendTo(t, path, `{"type":"user","x":"`+strings.Repeat("y", maxPromptLine)+"\"}\n"+userLine("after a giant"))
	if got := collect(later); !slices.Equal(got, []string{"after a giant"}) || cap(later.line) > maxPromptLine {
		t.Errorf("after a giant line: %q", got)
	}
	if err := os.WriteFile(path, []byte(userLine("rewritten")), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := collect(later); !slices.Equal(got, []string{"rewritten"}) {
		t.Errorf("a rewritten file: %q", got)
	}
	moved := filepath.Join(dir, "projects", "-elsewhere", someSession+".jsonl")
	appendTo(t, moved, userLine("moved"))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	collect(later)
	if got := collect(later); !slices.Equal(got, []string{"moved"}) {
		t.Errorf("a moved file: %q", got)
	}
}

func TestWhatATranscriptTellsAsPrompt(t *testing.T) {
	for _, c := range []struct{ name, line, want string }{
		{"a prompt", userLine("x"), "x"},
		{"a shell line", userLine("<bash-input>ls</bash-input>"), "<bash-input>ls</bash-input>"},
		{"a local command", `{"type":"system","subtype":"local_command","content":"<command-name>/model</command-name>"}`, "<command-name>/model</command-name>"},
		{"the harness", `{"type":"user","isMeta":true,"message":{"content":"x"}}`, ""},
		{"a subagent", `{"type":"user","isSidechain":true,"message":{"content":"x"}}`, ""},
		{"the result of a tool", `{"type":"user","message":{"content":[{"type":"tool_result","content":"x"}]}}`, ""},
		{"an answer", `{"type":"assistant","message":{"content":"x"}}`, ""},
		{"a field of another type", `{"type":"user","timestamp":17,"message":{"content":"x"}}`, "x"},
		{"no object", `[1]`, ""},
	} {
		p, ok := recordedPrompt([]byte(c.line), someSession)
		if ok != (c.want != "") || p.Text != c.want && ok {
			t.Errorf("%s: %q, %v", c.name, p.Text, ok)
		}
		if ok && (p.SessionID != someSession || p.Source != tracker.SourceTranscript) {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

// TestForeignPathsAreNotRead: session id and path come from hooks, which anybody may write.
func TestForeignPathsAreNotRead(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	for _, session := range []string{"../../etc/passwd", "a/b/c/d/e/f", "", "short", "x\x00yyyyyyyy"} {
		if newPromptTail(dir, session, "") != nil {
			t.Errorf("a tail for %q", session)
		}
	}
	stranger := filepath.Join(outside, someSession+".jsonl")
	appendTo(t, stranger, userLine("x"))
	for _, hint := range []string{stranger, dir + "/projects/../../" + filepath.Base(outside) + "/" + someSession + ".jsonl"} {
		if got := collect(newPromptTail(dir, someSession, hint)); got != nil {
			t.Errorf("%s: %q", hint, got)
		}
	}
}

func TestTheTranscriptGivesTheReceipt(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "projects", "p", someSession+".jsonl")
	appendTo(t, path, userLine("old"))
	prompts, err := newEars(dir).about(path).Watch(t.Context(), tracker.AgentID{PID: 7}, someSession)
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, path, userLine("new"))
	select {
	case p := <-prompts:
		if p.Text != "new" || p.At.Year() != 2026 {
			t.Errorf("%+v", p)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("no receipt")
	}
}

func TestWhoIsMeant(t *testing.T) {
	snap := tuitest.Parse("$ api\n0 claude | idle | waits | 1m | name=worker\n1 zsh | shell | ~ | 1m")
	sess := snap.Sessions[0]
	agent := sess.Windows[0].Panes[0]
	agent.Agent.SharesSession = true
	got := targetOf(snap, agent.ID)
	if got.Server != snap.Tmux.Server || got.PanePID != agent.PID || got.Agent != agent.Agent.ID || got.SessionID != agent.Agent.SessionID || got.problem != "" {
		t.Errorf("%+v", got)
	}
	told := got.told(interlock.Result{Outcome: interlock.Delivered, Lamps: lamps(), Receipt: &interlock.Prompt{Source: tracker.SourceHook}})
	if told.Outcome != cli.SendDelivered || told.Target != agent.ID || !told.Lamps[0].OK || !strings.Contains(told.Lamps[0].Reason, "same session") || told.Receipt == nil {
		t.Errorf("%+v", told)
	}
	for id, want := range map[tracker.PaneID]string{sess.Windows[1].Panes[0].ID: "no agent runs in", "%99": "there is no pane"} {
		got := targetOf(snap, id)
		red := lamps(interlock.Lamp{Name: interlock.LampTarget, Reason: "it is not known which agent"})
		told := got.told(interlock.Result{Outcome: interlock.Refused, Lamps: red, Detail: "target: it is not known"})
		if !got.Agent.IsZero() || told.Lamps[0].OK || !strings.Contains(told.Lamps[0].Reason, want) || !strings.Contains(told.Detail, want) {
			t.Errorf("%s: %+v", id, told)
		}
	}
}

// feeder is a connection that fails.
type feeder struct {
	tmuxctl.Feeder
	err error
}

func (f feeder) Feed(context.Context, []byte, ...tmuxctl.Command) ([]byte, error) { return nil, f.err }

func TestErrorsThatProveThatNothingWasTyped(t *testing.T) {
	for err, sure := range map[error]bool{
		tmuxctl.ErrNoServer: true, tmuxctl.ErrNoTmux: true, tmuxctl.ErrUnreachable: true,
		tmuxctl.ErrTimeout: false, tmuxctl.ErrBroken: false, context.DeadlineExceeded: false,
	} {
		s := &sender{conn: feeder{err: &tmuxctl.CommandError{Command: "load-buffer", Kind: err}}}
		_, got := s.run(t.Context(), nil, []string{"load-buffer"})
		if errors.Is(got, interlock.ErrNotSent) != sure {
			t.Errorf("%v: %v", err, got)
		}
	}
}

func TestVimKeysComeFromTheStrongestSettings(t *testing.T) {
	home := t.TempDir()
	d := newDesk("", cli.Options{}, []string{"HOME=" + home})
	cwd := filepath.Join(home, "src")
	write := func(path, text string) {
		t.Helper()
		full := filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	vim := func() (bool, error) {
		e := editor{desk: d, cwd: cwd, managed: filepath.Join(home, "managed.json")}
		return e.Vim(t.Context(), tracker.AgentID{PID: 1})
	}
	for _, step := range []struct {
		path, text string
		want, bad  bool
	}{
		{"src/.claude/other.json", `{"editorMode":"vim"}`, false, false},
		{".claude.json", `{"editorMode":"vim"}`, true, false},
		{".claude/settings.json", `{"editorMode":"normal"}`, false, false},
		{"src/.claude/settings.json", `{"editorMode":"vim"}`, true, false},
		{"src/.claude/settings.local.json", `{"editorMode":"normal"}`, false, false},
		{"src/.claude/settings.local.json", `{"permissions":{}}`, true, false},
		{"managed.json", `{"editorMode":"emacs"}`, false, false},
		{"src/.claude/settings.local.json", `{broken`, false, false}, // the stronger one decides
		{"managed.json", `{}`, false, true},
	} {
		write(step.path, step.text)
		got, err := vim()
		if got != step.want || (err != nil) != step.bad {
			t.Errorf("after %s = %s: %v, %v", step.path, step.text, got, err)
		}
	}
	other := newDesk("", cli.Options{ClaudeDir: filepath.Join(home, "cfg")}, []string{"HOME=" + home})
	write("cfg/.claude.json", `{"editorMode":"vim"}`)
	if got, err := (editor{desk: other}).Vim(t.Context(), tracker.AgentID{PID: 1}); !got || err != nil {
		t.Errorf("a chosen folder: %v, %v", got, err)
	}
}

func TestSettingsOnTheCommandLine(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"claude", "-n", "x"}, ""},
		{[]string{"claude", "--settings", "a.json"}, "a.json"},
		{[]string{"claude", "--settings=a.json", "--settings", "b.json"}, "b.json"},
		{[]string{"claude", "--settings"}, ""},
	} {
		if got := settingsFlag(c.args); got != c.want {
			t.Errorf("%q: %q", c.args, got)
		}
	}
	if got := modeIn().FindString(`{"hooks":{},"editorMode": "vim","perm`); got != `"editorMode": "vim"` {
		t.Errorf("cut JSON: %q", got)
	}
}
