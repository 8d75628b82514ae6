package desk_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

func TestTheBoardShowsEveryWindowAndFollows(t *testing.T) {
	s := tmuxtest.New(t)
	p := s.NewSession("work", tmuxtest.Command{})
	s.Run("rename-window", "-t", string(p.Window), "editor")
	b := board(s)
	s.UntilText(b.ID, "editor")
	s.Run("rename-window", "-t", string(p.Window), "renamed")
	s.UntilText(b.ID, "renamed")
	q := s.NewWindow(p.Session, tmuxtest.Command{})
	s.Run("rename-window", "-t", string(q.Window), "second")
	s.UntilText(b.ID, "second")
	s.Run("kill-window", "-t", string(q.Window))
	s.Until("the killed window to go", func() bool { return !strings.Contains(s.Capture(b.ID), "second") })
	s.SendKeys(b.ID, "q")
	s.Until("the board to leave", func() bool {
		return !strings.Contains(s.Run("list-panes", "-a", "-F", "#{pane_id}"), string(b.ID)+"\n")
	})
}

func TestEnterTakesThePersonsOwnClientThere(t *testing.T) {
	s := tmuxtest.New(t)
	work := s.NewSession("work", tmuxtest.Command{})
	s.Run("rename-window", "-t", string(work.Window), "goal")
	b := board(s)
	mine, other := s.Attach(b.Session), s.Attach(s.Main().Session)
	s.UntilText(b.ID, "goal")
	s.SendKeys(b.ID, "/")
	s.Type(b.ID, "goal")
	s.SendKeys(b.ID, "Enter", "Enter")
	s.Until("the person's client to show the goal", func() bool { return mine.Shows() == work.ID })
	if got := other.Shows(); got != s.Main().ID {
		t.Errorf("somebody else's client was moved to %s", got)
	}
}

func TestStatesThatAreNotErrors(t *testing.T) {
	s := tmuxtest.New(t)
	t.Run("no server", func(t *testing.T) {
		b := s.NewSession("", tmuxtest.Command{Argv: []string{program, "-S", filepath.Join(s.TmpDir(), "nobody")}})
		s.UntilText(b.ID, "tmux")
		s.Until("a screen that says no server runs", func() bool { return strings.Contains(strings.ToLower(s.Capture(b.ID)), "no tmux server") })
	})
	t.Run("no tmux program", func(t *testing.T) {
		b := s.NewSession("", tmuxtest.Command{Argv: []string{"/usr/bin/env", "PATH=/nowhere", program}})
		s.Until("a screen that says tmux is missing", func() bool {
			screen := strings.ToLower(s.Capture(b.ID))
			return strings.Contains(screen, "tmux") && strings.Contains(screen, "install")
		})
	})
	t.Run("a server that goes and comes back", func(t *testing.T) {
		other := tmuxtest.New(t)
		b := s.NewSession("", tmuxtest.Command{Argv: []string{program, "-S", other.Socket()}})
		s.UntilText(b.ID, "main")
		other.Kill()
		s.Until("the board to say so", func() bool { return strings.Contains(strings.ToLower(s.Capture(b.ID)), "no tmux server") })
		other.Start()
		s.UntilText(b.ID, "main")
	})
}

func TestOneShotCommandsAgreeWithTheBoardAndItsTarget(t *testing.T) {
	s := tmuxtest.New(t)
	out, code := run(t, s, tmuxtest.Pane{}, "status")
	if code != 0 || !strings.Contains(out, "main") {
		t.Errorf("status without a board: %d\n%s", code, out)
	}
	b := board(s)
	s.UntilText(b.ID, "main")
	if out, code := run(t, s, tmuxtest.Pane{}, "status"); code != 0 || !strings.Contains(out, "board") {
		t.Errorf("status with a board: %d\n%s", code, out)
	}
	for _, target := range []string{"mai", "nothing:0", "%999", ""} {
		if out, code := run(t, s, tmuxtest.Pane{}, "explain", target); code != 5 {
			t.Errorf("explain %q: exit %d, want 5\n%s", target, code, out)
		}
	}
	if out, code := run(t, s, tmuxtest.Pane{}, "explain"); code != 2 {
		t.Errorf("explain without a target: exit %d, want 2\n%s", code, out)
	}
}

// TestKillingTheBoardLeavesNothingBehind kills it in the rudest way and looks around.
func TestKillingTheBoardLeavesNothingBehind(t *testing.T) {
	s := tmuxtest.New(t)
	before := s.Run("show-options", "-g") + s.Run("show-hooks", "-g") + s.Run("list-keys")
	runDir := filepath.Join(s.Home(), ".local", "state", "signalbox", "run")
	for range 3 {
		b := s.NewSession("", tmuxtest.Command{Argv: []string{"bash", "--norc", "--noprofile"}})
		s.Shell(b.ID, program)
		s.UntilText(b.ID, "needs input")
		untilConnected(s, b)
		s.Until("its socket", func() bool { m, _ := filepath.Glob(filepath.Join(runDir, "*.sock")); return len(m) == 1 })
		pid := s.Run("list-panes", "-t", string(b.Window), "-F", "#{pane_pid}")
		if out, err := exec.Command("pkill", "-9", "-P", pid).CombinedOutput(); err != nil {
			t.Fatalf("pkill: %v %s", err, out)
		}
		s.UntilText(b.ID, "Killed")
		s.Run("kill-session", "-t", string(b.Session))
	}
	b := board(s)
	s.UntilText(b.ID, "main")
	s.Until("dead sockets to be cleared away", func() bool { m, _ := filepath.Glob(filepath.Join(runDir, "*.sock")); return len(m) == 1 })
	s.SendKeys(b.ID, "q")
	s.Until("its own socket to go with it", func() bool { m, _ := filepath.Glob(filepath.Join(runDir, "*.sock")); return len(m) == 0 })
	if after := s.Run("show-options", "-g") + s.Run("show-hooks", "-g") + s.Run("list-keys"); after != before {
		t.Error("an option, hook or key of tmux has changed")
	}
	s.Until("its client to go with it", func() bool { return s.Run("list-clients") == "" })
}

// TestAnAgentWithHooksAlone is an older Claude Code: no registry, no transcript to help.
func TestAnAgentWithHooksAlone(t *testing.T) {
	s := tmuxtest.New(t)
	installHooks(t, s)
	b := board(s)
	s.UntilText(b.ID, "main")
	a := fake(t, s, "older", fakeagent.Options{Version: "2.0.76", NoRegistry: true})
	untilCell(s, b, "older", "·")
	s.Type(a.ID, "bash ls > x")
	s.SendKeys(a.ID, "Enter")
	untilCell(s, b, "older", "▲", "Bash: ls > x")
	s.SendKeys(a.ID, "Escape")
	untilCell(s, b, "older", "·", "interrupted")
	s.Type(a.ID, "hello")
	s.SendKeys(a.ID, "Enter")
	untilCell(s, b, "older", "◆")
	for _, want := range []string{"from a hook", "the turn ended", "no registry file"} {
		if out, code := run(t, s, tmuxtest.Pane{}, "explain", "older"); code != 0 || !strings.Contains(out, want) {
			t.Errorf("explain does not say %q: %d\n%s", want, code, out)
		}
	}
	if out, code := run(t, s, tmuxtest.Pane{}, "ack", "older"); code != 0 {
		t.Errorf("ack: %d\n%s", code, out)
	}
	untilCell(s, b, "older", "·")
}

// TestBadInputHarmsNobody feeds every source what it should never get.
func TestBadInputHarmsNobody(t *testing.T) {
	s := tmuxtest.New(t)
	sessions := filepath.Join(s.Home(), ".claude", "sessions")
	if err := os.MkdirAll(sessions, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"4711.json": `{"pid":47`, "4712.json": "", "4713.json": "[]", "4714.json": "\x00\xff\xfe", "pid-9.json": `{"session_id":"x"}`,
		"4715.json": `{"pid":4715,"sessionId":"s","procStart":"1","status":"idle"}`, "notes.txt": "hello",
	} {
		if err := os.WriteFile(filepath.Join(sessions, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	b := board(s)
	a := fake(t, s, "agent", fakeagent.Options{})
	untilCell(s, b, "agent", "·")
	pwned := filepath.Join(s.Home(), "pwned")
	hostile := s.NewSession("hostile", tmuxtest.Command{})
	s.Shell(hostile.ID, `printf '\033]2;#{pane_id}|#(touch `+pwned+`) \342\200\256x\033]52;c;AAAA\a\033[2J\007'`)
	s.Run("rename-window", "-t", string(hostile.Window), `a|b ##[fg=red] ##(touch `+pwned+`)`) // tmux itself expands what is not doubled
	s.UntilText(b.ID, "a|b")
	for _, payload := range []string{
		`{"session_id":"../../x","hook_event_name":"PostToolUse","transcript_path":"/etc/passwd","tool_response":"` + strings.Repeat("x", 30<<20) + `"}`,
		`[1,2]`, `{"hook_event_name":"Tomorrow","session_id":"s"}`, `{"hook_event_name":`, ``,
	} {
		cmd := exec.Command(program, "hook")
		cmd.Env, cmd.Stdin = s.EnvIn(a), strings.NewReader(payload)
		began := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 || time.Since(began) > 3*time.Second {
			t.Errorf("hook with %.40q: %v, %q, %v", payload, err, out, time.Since(began))
		}
	}
	s.Type(a.ID, "bash ls")
	s.SendKeys(a.ID, "Enter")
	untilCell(s, b, "agent", "▲", "Bash: ls")
	if _, err := os.Stat(pwned); err == nil {
		t.Error("a title or a name was run as a command")
	}
	if screen := s.Capture(b.ID); strings.Count(screen, "agent") == 0 || strings.Contains(screen, "4715") {
		t.Errorf("the board shows\n%s", screen)
	}
	if out, code := run(t, s, tmuxtest.Pane{}, "status", "--json"); code != 0 || !json.Valid([]byte(out)) {
		t.Errorf("status --json: %d\n%s", code, out)
	}
}

// TestWhatHappenedWithoutABoardIsKnownAfterItsStart asks for permission while no board runs, with
// an agent that only hooks tell of, and keeps a review over a restart.
func TestWhatHappenedWithoutABoardIsKnownAfterItsStart(t *testing.T) {
	s := tmuxtest.New(t)
	installHooks(t, s)
	o := fakeagent.Options{Version: "2.0.76", NoRegistry: true, NoTranscript: true}
	asks, seen := fake(t, s, "asks", o), fake(t, s, "seen", o)
	for _, p := range []tmuxtest.Pane{asks, seen} {
		s.UntilText(p.ID, "manual mode on")
	}
	b := board(s)
	s.Type(seen.ID, "hello")
	s.SendKeys(seen.ID, "Enter")
	untilCell(s, b, "seen", "◆")
	if out, code := run(t, s, tmuxtest.Pane{}, "ack", "seen"); code != 0 {
		t.Fatalf("ack: %d\n%s", code, out)
	}
	untilCell(s, b, "seen", "·")
	s.SendKeys(b.ID, "q")
	s.Until("the board to leave", func() bool { return !strings.Contains(s.Run("list-sessions"), "board") })
	s.Type(asks.ID, "bash rm x")
	s.SendKeys(asks.ID, "Enter")
	s.UntilText(asks.ID, "Do you want to proceed?")
	s.Until("the hook to be in the log", func() bool {
		data, _ := os.ReadFile(filepath.Join(s.Home(), ".local", "state", "signalbox", "events.jsonl"))
		return strings.Contains(string(data), "PermissionRequest")
	})
	if out, code := run(t, s, tmuxtest.Pane{}, "status", "asks"); code != 0 || !strings.Contains(out, "Bash: rm x") {
		t.Errorf("status without a board: %d\n%s", code, out)
	}
	b = board(s)
	untilCell(s, b, "asks", "▲", "Bash: rm x")
	untilCell(s, b, "seen", "·")
}

// TestWatchTellsNoChangeThatNeverHappened watches a server on which nothing changes.
func TestWatchTellsNoChangeThatNeverHappened(t *testing.T) {
	s := tmuxtest.New(t)
	b := board(s)
	a := fake(t, s, "agent", fakeagent.Options{})
	untilCell(s, b, "agent", "·")
	s.Type(a.ID, "hello")
	s.SendKeys(a.ID, "Enter")
	untilCell(s, b, "agent", "◆")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "watch", "-S", s.Socket(), "--claude-dir", filepath.Join(s.Home(), ".claude"))
	cmd.Env = s.Env()
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	out := bufio.NewReader(pipe)
	first, err := out.ReadString('\n')
	if err != nil || !strings.Contains(first, `"status":"review"`) {
		t.Errorf("the first line is %.2000s: %v", first, err)
	}
	time.Sleep(3 * time.Second) // what is told now is told of nothing
	cancel()
	if rest, err := io.ReadAll(out); len(rest) > 0 || err != nil {
		t.Errorf("then %q, %v", rest, err)
	}
	_ = cmd.Wait() // it was interrupted
}

// TestAHookThatMissedTheSocketIsOverheard writes a call to the event log alone, as a hook does that
// finds the board too slow.
func TestAHookThatMissedTheSocketIsOverheard(t *testing.T) {
	s := tmuxtest.New(t)
	b := board(s)
	a := fake(t, s, "agent", fakeagent.Options{Version: "2.0.76", NoRegistry: true, NoHooks: true})
	s.UntilText(a.ID, "manual mode on")
	untilCell(s, b, "agent", "?")
	state := filepath.Join(s.Home(), ".local", "state")
	deaf := exec.Command(program, "hook")
	deaf.Env = append(s.EnvIn(a), fmt.Sprintf("CLAUDE_PID=%d", a.PID), "XDG_STATE_HOME="+filepath.Join(s.TmpDir(), "deaf"))
	deaf.Stdin = strings.NewReader(`{"hook_event_name":"UserPromptSubmit","session_id":"s","prompt":"overheard","cwd":"/"}`)
	if out, err := deaf.CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	line := s.UntilFile(filepath.Join(s.TmpDir(), "deaf", "signalbox", "events.jsonl"))
	f, err := os.OpenFile(filepath.Join(state, "signalbox", "events.jsonl"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(line); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	untilCell(s, b, "agent", "overheard")
}

func TestTheBoardNeedsATerminal(t *testing.T) {
	s := tmuxtest.New(t)
	out, code := run(t, s, tmuxtest.Pane{})
	if code != 2 || !strings.HasPrefix(out, "error: the board needs a terminal\nhint: ") {
		t.Errorf("exit %d, %q", code, out)
	}
}
