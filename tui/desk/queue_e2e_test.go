package desk_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/testdata/claudelab"
	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// onDisk is the queue's file.
func onDisk(s *tmuxtest.Server) string {
	files, _ := filepath.Glob(filepath.Join(s.Home(), ".local/state/signalbox", "queue-*.json"))
	if len(files) != 1 {
		return ""
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		return ""
	}
	return string(data)
}

func untilOnDisk(s *tmuxtest.Server, text string) {
	s.Until("the queue on disk to say "+text, func() bool { return strings.Contains(onDisk(s), text) })
}

// killBoard ends a board without a word.
func killBoard(s *tmuxtest.Server, b tmuxtest.Pane) {
	if err := syscall.Kill(b.PID, syscall.SIGKILL); err != nil {
		panic(err)
	}
	s.Until("the board to be gone", func() bool {
		return !strings.Contains(s.Run("list-panes", "-a", "-F", "#{pane_id}")+"\n", string(b.ID)+"\n")
	})
}

// enqueue has a board queue a task for the busy agent, through its prompt.
func enqueue(s *tmuxtest.Server, b tmuxtest.Pane, name, text string) {
	untilBusy(s, b, name)
	write(s, b, name, text)
	enter(s, b, "queue")
	s.UntilText(b.ID, "● queued")
	s.SendKeys(b.ID, "Escape")
}

func TestATaskOutlivesAKilledBoard(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	b := sendingBoard(s, "worker")
	p.do("busy")
	enqueue(s, b, "worker", "say after all")
	killBoard(s, b)
	p.do("idle")
	b = sendingBoard(s, "worker")
	s.UntilText(b.ID, "the queued task was delivered to worker")
	s.Until("the queue on disk to be empty", func() bool { return !strings.Contains(onDisk(s), "say after all") })
	if got := p.read(); strings.Count(got, "\x1b[200~say after all\x1b[201~\r") != 1 || strings.Count(got, "\r") != 1 {
		t.Errorf("the agent read %q", got)
	}
}

// TestABoardKilledInTheMiddleOfASend: the next one neither types nor presses anything, and asks the
// person to look.
func TestABoardKilledInTheMiddleOfASend(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	b := sendingBoard(s, "worker")
	p.do("busy")
	enqueue(s, b, "worker", "say it once")
	p.do("delay-echo 1h") // it waits to see what it has typed
	p.do("idle")
	s.Until("the text to be typed", func() bool { return strings.Contains(p.read(), "say it once") })
	if !strings.Contains(onDisk(s), `"state": "sending"`) {
		t.Errorf("typed before it was written down:\n%s", onDisk(s))
	}
	killBoard(s, b)
	typed := p.read()
	p.do("delay-echo 0s")
	s.UntilText(p.ID, "say it once") // left in the box
	b = sendingBoard(s, "worker")
	untilOnDisk(s, `"state": "unsure"`)
	s.SendKeys(b.ID, "t")
	s.UntilText(b.ID, "unconfirmed, look")
	// Long enough for a task that was still waiting to be sent twice over.
	time.Sleep(2 * time.Second)
	if got := p.read(); got != typed {
		t.Errorf("the agent read %q after %q", strings.TrimPrefix(got, typed), typed)
	}
	s.SendKeys(b.ID, "x")
	s.Until("the task to be put away", func() bool { return !strings.Contains(onDisk(s), "say it once") })
}

func TestATaskIsDroppedWhenItsAgentGoes(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	other := play(t, s, "other", fakeagent.Options{})
	b := sendingBoard(s, "worker")
	p.do("busy")
	enqueue(s, b, "worker", "say goodbye")
	s.Run("respawn-pane", "-k", "-t", string(p.ID), "sleep 1000")
	s.UntilText(b.ID, "is dropped: the agent is gone")
	untilOnDisk(s, `"state": "dropped"`)
	if strings.Contains(other.read(), "goodbye") {
		t.Errorf("another agent read %q", other.read())
	}
}

func TestATaskIsDroppedWhenItsSessionChanges(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	b := sendingBoard(s, "worker")
	p.do("busy")
	enqueue(s, b, "worker", "say goodbye")
	p.do("session 3f0c9a52-1111-4222-8333-444455556666")
	s.UntilText(b.ID, "is dropped: the agent is in another session now")
	p.do("idle")
	untilOnDisk(s, `"state": "dropped"`)
	if strings.Contains(p.read(), "goodbye") {
		t.Errorf("the agent read %q", p.read())
	}
}

// TestRealClaudeGetsAQueuedTask that was written while it worked.
func TestRealClaudeGetsAQueuedTask(t *testing.T) {
	t.Parallel()
	l := claudelab.New(t)
	a := l.Agent("api-worker")
	argv := append(append([]string{"/usr/bin/env"}, l.Settings()...), program, "--claude-dir", l.ClaudeDir()) // tmux keeps the PATH of its own
	b := boardIn(l.Server, "board", tmuxtest.Command{Argv: argv})
	choose(l.Server, b, "api-worker")
	l.Say(a, "hold on")
	l.UntilWord(a, "busy")
	untilBusy(l.Server, b, "api-worker")
	before := answers(l)
	l.SendKeys(b.ID, "s")
	l.UntilText(b.ID, "send to api-worker")
	l.Type(b.ID, "hello later")
	enter(l.Server, b, "queue")
	l.UntilText(b.ID, "● queued")
	l.SendKeys(b.ID, "Escape")
	if strings.Contains(l.Capture(a.ID), "hello later") {
		t.Error("it did not wait")
	}
	l.Release("on")
	l.UntilText(b.ID, "the queued task was delivered to api-worker")
	l.UntilText(a.ID, "Echo: hello later")
	untilAnswer(l, a, before)
	if n := strings.Count(l.Capture(a.ID), "❯ hello later"); n > 1 {
		t.Errorf("it was sent %d times", n)
	}
}

// TestTwoBoardsOneDelivery: both show the task, one of them sends it.
func TestTwoBoardsOneDelivery(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	b := sendingBoard(s, "worker")
	second := boardIn(s, "second", tmuxtest.Command{
		Argv: []string{program, "--claude-dir", filepath.Join(s.Home(), ".claude")}, Env: []string{fakeagent.EnvVar + "=1"},
	})
	p.do("busy")
	enqueue(s, b, "worker", "say it once")
	untilCell(s, second, "worker", "queued")
	p.do("idle")
	s.Until("the queue on disk to be empty", func() bool { q := onDisk(s); return q != "" && !strings.Contains(q, "say it once") })
	s.Until("the mark to go", func() bool { return !strings.Contains(cell(s.Capture(second.ID), "worker"), "queued") })
	time.Sleep(2 * time.Second) // for the other board, if it would
	if got := p.read(); strings.Count(got, "\x1b[200~say it once\x1b[201~\r") != 1 || strings.Count(got, "\r") != 1 {
		t.Errorf("the agent read %q", got)
	}
}
