package desk_test

import (
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/testdata/claudelab"
	"signalbox/tmuxctl/tmuxtest"
)

// race looks at both screens in turn until both conditions have held.
func race(s *tmuxtest.Server, what string, agent, b tmuxtest.Pane, fact, shown func(screen string) bool) time.Duration {
	var seen sample
	s.Until(what, func() bool {
		if seen.shown.IsZero() && shown(s.Capture(b.ID)) {
			seen.shown = time.Now()
		}
		if seen.fact.IsZero() && fact(s.Capture(agent.ID)) {
			seen.fact = time.Now()
		}
		return !seen.fact.IsZero() && !seen.shown.IsZero()
	})
	return seen.shown.Sub(seen.fact)
}

// TestRealClaude plays the moments of a day with a real Claude Code, with the registry alone and
// with hooks, and logs how long each took to show.
func TestRealClaude(t *testing.T) {
	for _, hooks := range []bool{false, true} {
		t.Run(fmt.Sprintf("hooks %v", hooks), func(t *testing.T) { realMoments(t, hooks) })
	}
}

func realMoments(t *testing.T, hooks bool) {
	l := claudelab.New(t)
	if hooks {
		installHooks(t, l.Server, l.Settings()...)
	}
	b := board(l.Server)
	a := l.Agent("api-worker")
	untilCell(l.Server, b, "api-worker", "·")
	has := func(text string) func(string) bool {
		return func(screen string) bool { return strings.Contains(screen, text) }
	}
	shows := func(texts ...string) func(string) bool {
		return func(screen string) bool {
			line := cell(screen, "api-worker")
			return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(line, text) })
		}
	}
	l.Say(a, "bash ls > x")
	t.Logf("dialog drawn -> needs-input shown: %v", race(l.Server, "the dialog", a, b, has("Do you want to proceed?"), shows("▲")))
	untilCell(l.Server, b, "api-worker", "▲", "Bash: ls > x")
	l.Read(a)
	l.SendKeys(a.ID, "Escape")
	t.Logf("Esc -> idle shown: %v", race(l.Server, "idle after Esc", a, b, has("Interrupted"), shows("·")))
	l.UntilWord(a, "idle")
	l.Say(a, "slow 20")
	t.Logf("busy drawn -> busy shown: %v", race(l.Server, "busy", a, b, has("esc to interrupt"), func(screen string) bool {
		return strings.ContainsAny(cell(screen, "api-worker"), turning)
	}))
	l.SendKeys(a.ID, "Escape")
	t.Logf("Esc in a turn -> idle shown: %v", race(l.Server, "idle after Esc", a, b, has("Interrupted"), shows("·")))
	l.UntilWord(a, "idle")
	l.Say(a, "hello there")
	untilCell(l.Server, b, "api-worker", "◆", "done")
	l.Say(a, "ask")
	untilCell(l.Server, b, "api-worker", "▲", "Which database?")
	l.Read(a)
	l.SendKeys(a.ID, "Escape")
	untilCell(l.Server, b, "api-worker", "·")
	l.UntilWord(a, "idle")
	l.Say(a, "bash touch y")
	untilCell(l.Server, b, "api-worker", "▲")
	l.Run("kill-pane", "-t", string(a.ID))
	l.Until("the killed agent to go", func() bool { return cell(l.Capture(b.ID), "api-worker") == "" })
}

// TestRealClaudeSuspendedAndKilled plays what happens to processes.
func TestRealClaudeSuspendedAndKilled(t *testing.T) {
	l := claudelab.New(t)
	b := board(l.Server)
	a, pid := l.InShell("worker")
	untilCell(l.Server, b, "worker", "·")
	l.Read(a)
	l.SendKeys(a.ID, "C-z")
	t.Logf("Ctrl-Z -> suspended shown: %v", race(l.Server, "suspended", a, b,
		func(screen string) bool { return strings.Contains(screen, "suspended") },
		func(screen string) bool { return strings.Contains(cell(screen, "worker"), "suspended") }))
	l.Shell(a.ID, "fg")
	untilCell(l.Server, b, "worker", "·")
	l.UntilText(a.ID, "? for shortcuts") // before that what is typed is the terminal's
	l.Read(a)
	l.Say(a, "bash touch y")
	untilCell(l.Server, b, "worker", "▲", "Bash: touch y")
	began := time.Now()
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	l.Until("the killed agent to go", func() bool { return !strings.Contains(cell(l.Capture(b.ID), "worker"), "▲") })
	t.Logf("kill -9 -> gone: %v", time.Since(began))
	l.SendKeys(b.ID, "i")
	l.UntilText(b.ID, "ended while waiting: Bash: touch y")
}
