package desk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/testdata/claudelab"
	"signalbox/tmuxctl/tmuxtest"
)

// realState is one state in which a real Claude Code is sent to.
type realState struct {
	name  string
	enter func(l *claudelab.Lab, p tmuxtest.Pane) // brings it about, and returns when it stands on the screen
	leave func(l *claudelab.Lab, p tmuxtest.Pane) // nil: it stays
	flags []string
	code  int
	why   string // part of the detail
}

// keys is a way into or out of a state: keys, and what the screen shows then.
func keys(shown string, names ...string) func(l *claudelab.Lab, p tmuxtest.Pane) {
	return func(l *claudelab.Lab, p tmuxtest.Pane) {
		l.Read(p)
		l.SendKeys(p.ID, names...)
		if shown != "" {
			l.UntilText(p.ID, shown)
		}
	}
}

// back is keys, and Claude says that it is idle again.
func back(names ...string) func(l *claudelab.Lab, p tmuxtest.Pane) {
	return func(l *claudelab.Lab, p tmuxtest.Pane) {
		keys("", names...)(l, p)
		l.UntilWord(p, "idle")
		l.Until("the box to be there", func() bool { return strings.Contains(l.Capture(p.ID), "❯\u00a0") })
	}
}

// asked says something and waits for what Claude shows then.
func asked(text, shown string) func(l *claudelab.Lab, p tmuxtest.Pane) {
	return func(l *claudelab.Lab, p tmuxtest.Pane) {
		l.Say(p, text)
		l.UntilText(p.ID, shown)
	}
}

func statesOfABox() []realState {
	return []realState{
		{"idle", keys(""), nil, nil, 0, "Claude has it"},
		{"a question", asked("ask", "Enter to select"), back("Escape"), nil, 3, "input needed"},
		{"a permission dialog", asked("bash touch approved", "Do you want to proceed?"), back("Escape"), nil, 3, "permission prompt"},
		{"/model open", asked("/model", "Select model"), back("Escape"), nil, 3, "dialog"},
		{"the transcript view", keys("Showing detailed transcript", "C-o"), back("C-o"), nil, 3, "transcript view"},
		{"the history search", keys("Search prompts", "C-r"), back("Escape"), nil, 3, "history search"},
		{"shell mode", keys("! for", "!"), back("BSpace"), nil, 3, "shell mode"},
		{"a slash menu", keys("/model", "/", "m", "o", "d"), back("C-u"), nil, 3, "picker"},
		{"a draft", keys("half", "h", "a", "l", "f"), back("C-u"), nil, 3, "not empty"},
		{"the editor", keys("the editor reads", "C-g"), back("Enter"), nil, 3, "reads from the terminal"},
		{"copy mode", func(l *claudelab.Lab, p tmuxtest.Pane) {
			l.Run("copy-mode", "-t", string(p.ID))
		}, func(l *claudelab.Lab, p tmuxtest.Pane) { l.Run("send-keys", "-X", "-t", string(p.ID), "cancel") }, nil, 3, "tmux mode"},
		{"busy", asked("hold it", "esc to interrupt"), func(l *claudelab.Lab, p tmuxtest.Pane) {
			l.Release("it")
			back()(l, p)
		}, nil, 3, "busy"},
		{"a narrow pane", func(l *claudelab.Lab, p tmuxtest.Pane) {
			l.Run("resize-window", "-t", string(p.ID), "-x", "34", "-y", "20")
			l.Read(p)
		}, func(l *claudelab.Lab, p tmuxtest.Pane) {
			l.Run("resize-window", "-t", string(p.ID), "-x", "120", "-y", "40")
			l.Read(p)
		}, nil, 0, "Claude has it"},
		{"a background shell", func(l *claudelab.Lab, p tmuxtest.Pane) {
			l.Say(p, "bgbash sleep 60")
			l.UntilWord(p, "shell")
			l.Read(p)
		}, nil, nil, 3, "background shell"},
		{"the same, allowed", keys(""), nil, []string{"--allow-background"}, 0, "Claude has it"},
	}
}

// TestRealSendInEveryState sends to a real Claude Code in the states that it has, and says for each what
// was told and what arrived.
func TestRealSendInEveryState(t *testing.T) {
	t.Parallel()
	l := claudelab.New(t)
	editor := filepath.Join(l.Home(), "editor")
	if err := os.WriteFile(editor, []byte("#!/bin/sh\necho the editor reads\nread -r line\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	a := l.NewSession("states", tmuxtest.Command{
		Argv: []string{l.Claude, "-n", "states", "--permission-mode", "default"}, Dir: l.Repo,
		Env: append(l.Settings(), "EDITOR="+editor),
	})
	l.UntilWord(a, "idle")
	l.Read(a)
	for i, st := range statesOfABox() {
		st.play(t, l, a, string(a.ID), i)
	}
	plan := l.Raw("plan", l.Repo, "--permission-mode", "plan")
	l.UntilWord(plan, "idle")
	realState{"a plan", asked("plan", "Exit plan mode?"), nil, nil, 3, "waits for"}.play(t, l, plan, string(plan.ID), 100)
	trust := l.Raw("trust", l.Home())
	realState{"the trust dialog", keys("trust"), nil, nil, 3, ""}.play(t, l, trust, string(trust.ID), 101)
	shell, agent := l.InShell("stopped")
	realState{"suspended", func(l *claudelab.Lab, p tmuxtest.Pane) {
		l.Read(p)
		l.SendKeys(p.ID, "C-z")
		l.UntilText(p.ID, "Stopped")
	}, func(*claudelab.Lab, tmuxtest.Pane) { _ = syscall.Kill(agent, syscall.SIGKILL) }, nil, 3, "suspended"}.play(t, l, shell, string(shell.ID), 102)
	two := l.Split(a, tmuxtest.Command{
		Argv: []string{l.Claude, "-n", "neighbour", "--permission-mode", "default"}, Dir: l.Repo, Env: l.Settings(),
	})
	l.UntilWord(two, "idle")
	l.Read(two)
	realState{"two agents in one window", keys(""), nil, nil, 5, ""}.play(t, l, two, "states:0", 103)
	realState{"the second of them", keys(""), nil, nil, 0, "Claude has it"}.play(t, l, two, string(two.ID), 104)
	vim(t, l)
	if _, err := os.Stat(filepath.Join(l.Repo, "approved")); err == nil {
		t.Error("a dialog was answered")
	}
}

// vim sends to an agent whose box has vim keys.
func vim(t *testing.T, l *claudelab.Lab) {
	if err := os.WriteFile(filepath.Join(l.ClaudeDir(), "settings.json"), []byte(`{"editorMode":"vim"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	v := l.Agent("vim")
	l.Read(v)
	realState{"vim normal mode", func(l *claudelab.Lab, p tmuxtest.Pane) {
		l.SendKeys(p.ID, "Escape")
		l.Until("normal mode", func() bool { return !strings.Contains(l.Capture(p.ID), "INSERT") })
	}, nil, nil, 3, "vim normal"}.play(t, l, v, string(v.ID), 105)
	realState{"vim insert mode", keys("INSERT", "i"), nil, nil, 0, "Claude has it"}.play(t, l, v, string(v.ID), 106)
}

// play brings a state about, sends, and compares what was told with what arrived.
func (st realState) play(t *testing.T, l *claudelab.Lab, p tmuxtest.Pane, target string, n int) {
	t.Helper()
	st.enter(l, p)
	text := "task " + string(rune('a'+n%26)) + " of " + strings.ReplaceAll(st.name, " ", "-")
	before := l.Capture(p.ID)
	s := send(t, l, "", append([]string{"--json", target, text}, st.flags...)...)
	arrived := prompts(l, text)
	what := "nothing"
	switch {
	case arrived > 0:
		what = fmt.Sprintf("the task, %d times", arrived)
	case strings.Contains(l.Capture(p.ID), text):
		what = "typed"
	}
	detail := s.err
	if s.code != 5 {
		detail = s.outcome(t).Detail
	}
	t.Logf("-> %s: exit %d, arrived: %s; %s", st.name, s.code, what, strings.TrimSpace(detail))
	wantArrived := 0
	if st.code == 0 {
		wantArrived = 1
	}
	if s.code != st.code || !strings.Contains(detail, st.why) || arrived != wantArrived || st.code != 0 && what != "nothing" {
		t.Errorf("%s: exit %d, want %d with %q\nbefore:\n%s\nafter:\n%s", st.name, s.code, st.code, st.why, before, l.Capture(p.ID))
	}
	if st.leave != nil {
		st.leave(l, p)
	}
	if st.code == 0 {
		l.UntilText(p.ID, "Echo: "+text[:6])
		l.Until("the end of the turn", func() bool {
			w := l.Word(p)
			return (w == "idle" || w == "shell") && !strings.Contains(l.Capture(p.ID), "esc to interrupt")
		})
	}
}

// prompts counts in the transcripts how often a text was a prompt.
func prompts(l *claudelab.Lab, text string) int {
	n := 0
	files, _ := filepath.Glob(filepath.Join(l.ClaudeDir(), "projects", "*", "*.jsonl"))
	for _, f := range files {
		data, _ := os.ReadFile(f)
		for line := range strings.Lines(string(data)) {
			if strings.Contains(line, `"type":"user"`) && strings.Contains(line, `"`+text+`"`) {
				n++
			}
		}
	}
	return n
}

// TestRealDialogInTheMiddleOfASend has another program give the agent work that asks for permission, a little
// later in each round of a send. tmux does not tell of such keys. Whatever the send meets, it must not
// answer the dialog, and what it tells must be true.
func TestRealDialogInTheMiddleOfASend(t *testing.T) {
	t.Parallel()
	l := claudelab.New(t)
	a := l.Agent("middle")
	l.Read(a)
	outcomes := map[string]int{}
	for round := range 8 {
		text := fmt.Sprintf("task number %d", round)
		before := prompts(l, text)
		done := make(chan sent, 1)
		go func() { done <- send(t, l, "", "--json", string(a.ID), text) }()
		time.Sleep(time.Duration(round) * 110 * time.Millisecond) // the moment is what is tried here
		l.Run("send-keys", "-l", "-t", string(a.ID), "bash touch approved")
		time.Sleep(30 * time.Millisecond)
		l.Run("send-keys", "-t", string(a.ID), "Enter")
		s := <-done
		o := s.outcome(t)
		outcomes[o.Outcome]++
		arrived := prompts(l, text) - before
		t.Logf("-> a dialog after %d ms: exit %d, arrived %d times; %s", round*110, s.code, arrived, o.Detail)
		if wrong := map[string]bool{"delivered": arrived != 1, "refused": arrived > 0, "withheld": arrived > 0}[o.Outcome]; wrong {
			t.Errorf("round %d: %s, but it arrived %d times\n%s", round, o.Outcome, arrived, l.Capture(a.ID))
		}
		calm(l, a)
		if _, err := os.Stat(filepath.Join(l.Repo, "approved")); err == nil {
			t.Fatalf("round %d: the dialog was answered: %s", round, o.Detail)
		}
	}
	t.Logf("-> %v", outcomes)
}

// calm brings an agent back to an empty box, as a person does: by refusing what it asks.
func calm(l *claudelab.Lab, a tmuxtest.Pane) {
	l.Until("the agent to rest at an empty box", func() bool {
		l.Read(a)
		screen := l.Capture(a.ID)
		switch {
		case strings.Contains(screen, "Do you want to proceed?"):
			l.SendKeys(a.ID, "Escape")
		case strings.Contains(screen, "esc to interrupt"):
		case !strings.Contains(screen, "❯\u00a0\n"):
			l.SendKeys(a.ID, "C-u")
		default:
			return l.Word(a) == "idle"
		}
		return false
	})
}
