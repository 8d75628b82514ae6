package desk_test

import (
	"strings"
	"testing"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// done starts an agent, and lets it finish a turn.
func done(t *testing.T, s *tmuxtest.Server, name string) tmuxtest.Pane {
	t.Helper()
	p := fake(t, s, name, fakeagent.Options{})
	say(s, p, "hello")
	s.UntilText(p.ID, "Echo: hello")
	return p
}

// TestWhoeverLooksHasSeenIt goes every way to an agent that is done: each ends the review on every board.
func TestWhoeverLooksHasSeenIt(t *testing.T) {
	t.Parallel() // it waits more than it works
	s := tmuxtest.New(t)
	one, two := board(s), boardIn(s, "other", tmuxtest.Command{Argv: []string{program, "--claude-dir", s.Home() + "/.claude"}})
	seen := func(name string) {
		t.Helper()
		untilCell(s, one, name, "·")
		untilCell(s, two, name, "·")
	}
	a, b := done(t, s, "acked"), done(t, s, "jumped")
	done(t, s, "entered")
	for _, name := range []string{"acked", "jumped", "entered"} {
		untilCell(s, one, name, "◆")
		untilCell(s, two, name, "◆")
	}
	s.Attach(s.Main().Session)
	if out, code := run(t, s, tmuxtest.Pane{}, "ack", string(a.ID)); code != 0 {
		t.Fatalf("ack: %d, %s", code, out)
	}
	seen("acked")
	if out, code := run(t, s, s.Main(), "jump", string(b.ID)); code != 0 {
		t.Fatalf("jump: %d, %s", code, out)
	}
	seen("jumped")
	choose(s, two, "entered")
	s.SendKeys(two.ID, "a")
	seen("entered")
	if out, code := run(t, s, tmuxtest.Pane{}, "status", "--waiting"); code != 0 || strings.Contains(out, "◆") {
		t.Errorf("status: %d\n%s", code, out)
	}
}

// TestAJumpWithoutABoardIsSeen jumps to an agent that is done while no board runs.
func TestAJumpWithoutABoardIsSeen(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	installHooks(t, s)
	a := done(t, s, "worker")
	status := func() string {
		out, code := run(t, s, tmuxtest.Pane{}, "status")
		if code != 0 {
			t.Fatalf("status: %d, %s", code, out)
		}
		return out
	}
	s.Until("the agent to be done", func() bool { return strings.Contains(status(), "done") })
	s.Attach(s.Main().Session)
	if out, code := run(t, s, s.Main(), "jump", string(a.ID)); code != 0 {
		t.Fatalf("jump: %d, %s", code, out)
	}
	if out := status(); strings.Contains(out, "done") {
		t.Errorf("after the jump:\n%s", out)
	}
}
