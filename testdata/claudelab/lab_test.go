package claudelab

import "testing"

// TestRealClaudeRunsOffline shows that the stand-in model carries a real Claude Code through a
// turn, a permission dialog and an interrupt.
func TestRealClaudeRunsOffline(t *testing.T) {
	l := New(t)
	p := l.Agent("api")
	l.Say(p, "hello there")
	l.UntilText(p.ID, "Echo: hello there")
	l.UntilWord(p, "idle")
	l.Say(p, "bash touch x")
	l.UntilText(p.ID, "Do you want to proceed?")
	l.UntilWord(p, "waiting")
	l.Read(p)
	l.SendKeys(p.ID, "Escape")
	l.UntilWord(p, "idle")
	l.Say(p, "slow 30")
	l.UntilWord(p, "busy")
	l.UntilText(p.ID, "word")
	l.SendKeys(p.ID, "Escape")
	l.UntilWord(p, "idle")
	l.Say(p, "hold on")
	l.UntilText(p.ID, "word")
	l.Release("on")
	l.UntilText(p.ID, "done")
	l.UntilWord(p, "idle")
}
