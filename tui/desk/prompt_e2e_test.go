package desk_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"signalbox/testdata/claudelab"
	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// sendingBoard starts a board whose simulated agents answer `claude agents` too, and selects one.
func sendingBoard(s *tmuxtest.Server, agent string, args ...string) tmuxtest.Pane {
	b := boardIn(s, "board", tmuxtest.Command{
		Argv: append([]string{program, "--claude-dir", filepath.Join(s.Home(), ".claude")}, args...),
		Env:  []string{fakeagent.EnvVar + "=1"},
	})
	choose(s, b, agent)
	return b
}

// choose selects the window of this name on the board.
func choose(s *tmuxtest.Server, b tmuxtest.Pane, name string) {
	s.Until("the cell of "+name, func() bool { return cell(s.Capture(b.ID), name) != "" })
	s.SendKeys(b.ID, "/")
	s.UntilText(b.ID, "keep")
	s.Type(b.ID, name)
	s.UntilText(b.ID, "/"+name)
	s.SendKeys(b.ID, "Enter")
}

// write opens the prompt and writes a text into it.
func write(s *tmuxtest.Server, b tmuxtest.Pane, agent, text string) {
	s.SendKeys(b.ID, "s")
	s.UntilText(b.ID, "send to "+agent)
	s.Type(b.ID, text)
	s.UntilText(b.ID, text)
}

// enter waits until Enter does this and counts, which the prompt shows by weight, and presses it.
func enter(s *tmuxtest.Server, b tmuxtest.Pane, does string) {
	re := regexp.MustCompile(`\x1b\[1m↵(\x1b\[[0-9;]*m)* ` + does)
	s.Until("Enter to mean "+does, func() bool { return re.MatchString(s.Run("capture-pane", "-e", "-p", "-t", string(b.ID))) })
	s.SendKeys(b.ID, "Enter")
}

// typedInto is what a simulated agent read, its brackets and the Enter included.
func typedInto(t *testing.T, log string) string {
	t.Helper()
	in, err := fakeagent.ReadInputLog(log)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(fakeagent.RawInput(in), "\x1b[I", "") // without the news that it has the focus
}

func TestATaskWrittenOnTheBoardArrives(t *testing.T) {
	s := tmuxtest.New(t)
	log := filepath.Join(s.TmpDir(), "input")
	a := fake(t, s, "worker", fakeagent.Options{InputLog: log})
	s.UntilText(a.ID, "manual mode on")
	b := sendingBoard(s, "worker")
	write(s, b, "worker", "say hello; it's $HOME")
	enter(s, b, "send")
	s.UntilText(b.ID, "● delivered at")
	if got, want := typedInto(t, log), "\x1b[200~say hello; it's $HOME\x1b[201~\r"; got != want {
		t.Errorf("the agent read %q, want %q", got, want)
	}
	s.SendKeys(b.ID, "Escape")
	s.Until("the prompt to close", func() bool { return !strings.Contains(s.Capture(b.ID), "delivered at") })
	if got := typedInto(t, log); strings.Count(got, "\r") != 1 {
		t.Errorf("the agent read %q", got)
	}
}

func TestATaskForAnAgentThatAsksIsNotTyped(t *testing.T) {
	s := tmuxtest.New(t)
	log := filepath.Join(s.TmpDir(), "input")
	a := fake(t, s, "worker", fakeagent.Options{InputLog: log})
	s.UntilText(a.ID, "manual mode on")
	b := sendingBoard(s, "worker")
	write(s, b, "worker", "1")
	s.Type(a.ID, "bash ls > x")
	s.UntilText(a.ID, "bash ls > x")
	s.SendKeys(a.ID, "Enter")
	s.UntilText(b.ID, "It waits for permission: Bash: ls > x")
	before := typedInto(t, log)
	client := s.Attach(b.Session)
	s.UntilText(b.ID, "jump there")
	s.SendKeys(b.ID, "C-t")
	s.Until("the person to be taken there", func() bool { return client.Shows() == a.ID })
	if got := typedInto(t, log); got != before {
		t.Errorf("the agent read %q after %q", got, before)
	}
	s.SendKeys(b.ID, "q")
	s.Until("the board to leave", func() bool { return !strings.Contains(s.Run("list-sessions"), "board") })
	b = sendingBoard(s, "worker")
	s.SendKeys(b.ID, "s")
	s.Until("the draft, after a restart", func() bool { return strings.Contains(s.Capture(b.ID), "│ 1") })
}

// TestAKilledBoardLosesNoDraft: what stands in the box, and how the board is arranged, is written as it changes.
func TestAKilledBoardLosesNoDraft(t *testing.T) {
	s := tmuxtest.New(t)
	a := fake(t, s, "worker", fakeagent.Options{})
	s.UntilText(a.ID, "manual mode on")
	b := sendingBoard(s, "worker")
	s.SendKeys(b.ID, "o")
	write(s, b, "worker", "half a thought")
	view := filepath.Join(s.Home(), ".local", "state", "signalbox", "view.json")
	s.Until("the draft to be written", func() bool {
		data, err := os.ReadFile(view)
		return err == nil && strings.Contains(string(data), "half a thought") && strings.Contains(string(data), `"urgency"`)
	})
	if err := syscall.Kill(b.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.Until("the board to be gone", func() bool { return !strings.Contains(s.Run("list-sessions"), "board") })
	b = sendingBoard(s, "worker")
	s.SendKeys(b.ID, "s")
	s.UntilText(b.ID, "half a thought")
}

func TestATaskForABusyAgentWaits(t *testing.T) {
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	b := sendingBoard(s, "worker")
	p.do("busy")
	enqueue(s, b, "worker", "say later")
	untilCell(s, b, "worker", "queued")
	s.SendKeys(b.ID, "t")
	s.UntilText(b.ID, "say later")
	s.SendKeys(b.ID, "Escape")
	if got := p.read(); strings.Contains(got, "later") {
		t.Fatalf("it did not wait: %q", got)
	}
	p.do("idle")
	s.UntilText(b.ID, "the queued task was delivered to worker")
	s.Until("the mark to go", func() bool { return !strings.Contains(cell(s.Capture(b.ID), "worker"), "queued") })
	if got := p.read(); strings.Count(got, "\x1b[200~say later\x1b[201~\r") != 1 || strings.Count(got, "\r") != 1 {
		t.Errorf("the agent read %q", got)
	}
}

// TestRealClaudeGetsATaskFromTheBoard with hooks. Which of the two proofs comes first is open: Claude Code
// writes the prompt into the transcript some hundred milliseconds after it took it, and the hook at the end of
// a turn as short as this one may be earlier. Either way the transcript has the task in the end, once.
func TestRealClaudeGetsATaskFromTheBoard(t *testing.T) {
	l := claudelab.New(t)
	installHooks(t, l.Server, l.Settings()...)
	a := l.Agent("api-worker")
	argv := append(append([]string{"/usr/bin/env"}, l.Settings()...), program, "--claude-dir", l.ClaudeDir()) // tmux keeps the PATH of its own
	b := boardIn(l.Server, "board", tmuxtest.Command{Argv: argv})
	choose(l.Server, b, "api-worker")
	l.SendKeys(b.ID, "s")
	l.UntilText(b.ID, "send to api-worker")
	l.Run("set-buffer", "-b", "two lines", "hello from\nthe board")
	l.Run("paste-buffer", "-p", "-b", "two lines", "-t", string(b.ID))
	l.UntilText(b.ID, "the board")
	enter(l.Server, b, "send")
	receipt := regexp.MustCompile(`● delivered at \d\d:\d\d:\d\d, receipt from (a hook|the transcript)`)
	l.Until("the receipt", func() bool { return receipt.MatchString(l.Capture(b.ID)) })
	l.UntilText(a.ID, "Echo: hello from")
	l.UntilWord(a, "idle")
	l.Until("the task in the transcript", func() bool { return prompts(l, `hello from\nthe board`) > 0 })
	if n := prompts(l, `hello from\nthe board`); n != 1 {
		t.Errorf("the task is %d times in the transcript", n)
	}
}
