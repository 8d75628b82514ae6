package desk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/testdata/claudelab"
	"signalbox/tmuxctl/tmuxtest"
)

// Lamps as the board draws them; a turning one has several shapes.
const (
	idle       = "·"
	busy       = turning
	needsInput = "▲"
	ownDialog  = "△"
	review     = "◆"
	failed     = "✕"
	background = "◌"
	unknown    = "?"
	gone       = "" // the cell has no lamp of an agent
)

// step is one thing that is done to an agent and what must follow: on its own screen (fact, ""
// where nothing can be seen) and on the board.
type step struct {
	say  string
	keys []string
	do   func(l *claudelab.Lab, p tmuxtest.Pane)
	fact string
	lamp string
	text string // in the cell; "" for any
}

// scenarios are those of the recordings that can be played in seconds, with a real Claude Code.
var scenarios = []struct {
	name  string
	args  []string
	steps []step
}{
	{name: "prompt", steps: []step{{say: "hello there", fact: "Echo: hello there", lamp: review, text: "done: Echo: hello there"}}},
	{name: "approve", steps: []step{
		{say: "bash touch a", fact: "Do you want to proceed?", lamp: needsInput, text: "Bash: touch a"},
		{keys: []string{"Enter"}, fact: "all done", lamp: review, text: "done: Tool finished"},
	}},
	{name: "deny", steps: []step{
		{say: "bash touch b", fact: "Do you want to proceed?", lamp: needsInput, text: "Bash: touch b"},
		{keys: []string{"Escape"}, fact: "Interrupted", lamp: idle, text: "interrupted"},
	}},
	{name: "interrupt", steps: []step{
		{say: "slow 30", fact: "esc to interrupt", lamp: busy, text: "slow 30"},
		{keys: []string{"Escape"}, fact: "Interrupted", lamp: idle, text: "interrupted"},
	}},
	{name: "question", steps: []step{
		{say: "ask", fact: "Enter to select", lamp: needsInput, text: "asks: Which database?"},
		{keys: []string{"Enter"}, fact: "all done", lamp: review},
	}},
	{name: "question-cancelled", steps: []step{
		{say: "ask", fact: "Enter to select", lamp: needsInput},
		{keys: []string{"Escape"}, lamp: idle, text: "interrupted"},
	}},
	{name: "plan", args: []string{"--permission-mode", "plan"}, steps: []step{
		{say: "plan", fact: "Exit plan mode?", lamp: needsInput, text: "plan is ready"},
		{keys: []string{"Escape"}, lamp: idle},
	}},
	{name: "api-error", steps: []step{{say: "fail 400", fact: "API Error", lamp: failed, text: "stopped: API Error: 400"}}},
	{name: "background-shell", steps: []step{
		{say: "bgbash sleep 6", lamp: background, text: "background"},
		{lamp: review},
	}},
	{name: "subagent", steps: []step{
		{say: "agent hold on", lamp: background},
		{do: func(l *claudelab.Lab, _ tmuxtest.Pane) { l.Release("on") }, lamp: review},
	}},
	{name: "subagent-permission", steps: []step{
		{say: "agent bash touch c", fact: "Do you want to proceed?", lamp: needsInput, text: "Bash: touch c"},
		{keys: []string{"Enter"}, lamp: review},
	}},
	{name: "clear", steps: []step{
		{say: "hello", fact: "Echo: hello", lamp: review},
		{say: "/clear", lamp: idle},
	}},
	{name: "compact", steps: []step{
		{say: "hello", fact: "Echo: hello", lamp: review},
		{say: "/compact", lamp: idle},
	}},
	{name: "dialog", steps: []step{
		{say: "/model", fact: "Select model", lamp: ownDialog, text: "dialog"},
		{keys: []string{"Escape"}, lamp: idle},
	}},
	// Its model stands behind a gateway that knows no safety check: auto mode asks what to do, without a hook.
	{name: "auto-mode", args: []string{"--permission-mode", "auto"}, steps: []step{
		{say: "bash sleep 1; ls /", fact: "Enter to stay in auto mode", lamp: needsInput, text: "Bash: sleep 1; ls /"},
		{keys: []string{"Enter"}, fact: "Do you want to proceed?", lamp: needsInput},
		{keys: []string{"Escape"}, lamp: idle},
	}},
	{name: "dialog-in-a-turn", steps: []step{
		{say: "slow 4", fact: "esc to interrupt", lamp: busy},
		{say: "/model", fact: "Select model", lamp: busy},
		{keys: []string{"Escape"}, lamp: review},
	}},
	{name: "bash-mode", steps: []step{{do: func(l *claudelab.Lab, p tmuxtest.Pane) {
		l.SendKeys(p.ID, "!")
		l.Say(p, "true")
	}, fact: "Echo:", lamp: review}}},
	{name: "queued", steps: []step{
		{say: "hold it", fact: "esc to interrupt", lamp: busy},
		{do: func(l *claudelab.Lab, p tmuxtest.Pane) {
			l.Say(p, "queued one")
			l.UntilText(p.ID, "Press up to edit queued messages")
			l.Release("it")
		}, fact: "Echo: queued one", lamp: review, text: "queued one"},
	}},
	{name: "exit", steps: []step{
		{say: "hello", fact: "Echo: hello", lamp: review},
		{say: "/exit", lamp: gone},
	}},
	{name: "killed", steps: []step{
		{say: "bash touch d", fact: "Do you want to proceed?", lamp: needsInput},
		{do: func(_ *claudelab.Lab, p tmuxtest.Pane) { _ = syscall.Kill(p.PID, syscall.SIGKILL) }, lamp: gone},
	}},
}

// TestRealScenarios plays the scenarios beside a board that has hooks, and compares the board with
// the agent's screen at each step. The latencies it logs are from the agent's screen to the
// board's, each looked at every few milliseconds.
func TestRealScenarios(t *testing.T) {
	l := claudelab.New(t)
	installHooks(t, l.Server, l.Settings()...)
	b := board(l.Server)
	for _, sc := range scenarios {
		t.Run(sc.name, func(t *testing.T) {
			p := l.Agent("it", sc.args...)
			l.Run("set-option", "-w", "-t", string(p.Window), "remain-on-exit", "on")
			untilCell(l.Server, b, "it", idle)
			for i, st := range sc.steps {
				st.play(t, l, p, b, fmt.Sprintf("%s %d", sc.name, i+1))
			}
			l.Run("kill-session", "-t", string(p.Session))
			l.Until("the session to leave the board", func() bool { return cell(l.Capture(b.ID), "it") == "" })
		})
	}
}

// play does one step and waits until screen and board show it.
func (st step) play(t *testing.T, l *claudelab.Lab, p, b tmuxtest.Pane, name string) {
	t.Helper()
	switch {
	case st.do != nil:
		st.do(l, p)
	case st.say != "":
		l.Say(p, st.say)
	case len(st.keys) > 0:
		l.Read(p)
		l.SendKeys(p.ID, st.keys...)
	}
	began := time.Now()
	took := race(l.Server, fmt.Sprintf("%s: the board to show %q %q", name, st.lamp, st.text), p, b,
		func(screen string) bool { return strings.Contains(screen, st.fact) },
		func(screen string) bool {
			return lampIs(screen, "it", st.lamp) && strings.Contains(cell(screen, "it"), st.text)
		})
	if st.fact == "" {
		t.Logf("%-24s -> %-4s %4d ms after the key", name, st.lamp, time.Since(began).Milliseconds())
		return
	}
	t.Logf("%-24s -> %-4s %4d ms after its screen", name, st.lamp, took.Milliseconds())
}

// lampIs reports whether the cell of a window has one of these lamps.
func lampIs(screen, name, lamps string) bool {
	line := strings.TrimSpace(strings.TrimPrefix(cell(screen, name), "▌"))
	if line == "" {
		return false
	}
	if lamps == gone {
		return !slices.ContainsFunc([]string{idle, busy, needsInput, ownDialog, review, failed, background, unknown}, func(l string) bool { return lampIs(screen, name, l) })
	}
	return strings.ContainsAny(string([]rune(line)[:1]), lamps)
}

// TestRealTrustDialog starts in a folder nobody has trusted yet: a process, and nothing else.
func TestRealTrustDialog(t *testing.T) {
	l := claudelab.New(t)
	dir := filepath.Join(l.Home(), "elsewhere")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	b := board(l.Server)
	p := l.Raw("it", dir)
	untilCell(l.Server, b, "it", unknown, "starting") // for ten seconds from its start
	l.UntilText(p.ID, "trust this folder")
	untilCell(l.Server, b, "it", needsInput, "start-up dialog")
	l.SendKeys(p.ID, "Up", "Enter")
	untilCell(l.Server, b, "it", idle)
}
