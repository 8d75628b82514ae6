package fakeagent

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestDialogOpensAtOnceAndKeepsTheDraft(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	r.do("draft half typed")
	r.do("dialog rm -r build")
	if f, _ := r.registry(); f.Status != wordWaiting {
		t.Fatalf("the registry says %q when the command returns", f.Status)
	}
	r.UntilText(r.pane.ID, "rm -r build") // drawn before the command returned; tmux may need a moment
	// What a naive sender does: text, then Enter. The text vanishes and the Enter approves.
	r.Type(r.pane.ID, "run the tests")
	r.SendKeys(r.pane.ID, "Enter")
	r.untilHooks("PostToolUse", 1)
	r.UntilText(r.pane.ID, "half typed")
	if s := r.state(); s.Draft != "half typed" || s.Word != wordIdle {
		t.Errorf("after the answer: %+v", s)
	}
}

func TestDialogIgnoresPastes(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	r.do("dialog")
	r.Run("set-buffer", "-b", "p", "1\n")
	r.Run("paste-buffer", "-p", "-r", "-d", "-b", "p", "-t", string(r.pane.ID))
	r.Until("the paste in the log", func() bool {
		log, err := ReadInputLog(r.input)
		return err == nil && len(log) > 0 && log[len(log)-1] == Input{Paste: true, Bytes: "1\n"}
	})
	if s := r.state(); s.Dialog == "" || s.Word != wordWaiting {
		t.Fatalf("the paste answered the dialog: %+v", s)
	}
	r.Type(r.pane.ID, "1") // the same byte as a key does
	r.untilHooks("PostToolUse", 1)
}

func TestInputLogKeepsEveryByte(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	r.Type(r.pane.ID, `it's "x"; ü`)
	r.SendKeys(r.pane.ID, "Left", "BSpace")
	r.Run("set-buffer", "-b", "p", "two\nlines")
	r.Run("paste-buffer", "-p", "-r", "-d", "-b", "p", "-t", string(r.pane.ID))
	want := `it's "x"; ü` + "\x1b[D\x7f\x1b[200~two\nlines\x1b[201~"
	r.Until(fmt.Sprintf("the log to hold %q", want), func() bool {
		log, err := ReadInputLog(r.input)
		return err == nil && strings.TrimPrefix(RawInput(log), "\x1b[I") == want
	})
	if s := r.state(); s.Draft != `it's "x";two`+"\nlines"+`ü` {
		t.Errorf("the draft is %q", s.Draft)
	}
}

func TestSwallowedEnterAndDelayedEcho(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	r.do("swallow-enter 1")
	r.say("hello")
	r.Until("the swallowed Enter in the log", func() bool {
		log, _ := ReadInputLog(r.input)
		return strings.HasSuffix(RawInput(log), "\r")
	})
	if s := r.state(); s.Draft != "hello" || s.Busy {
		t.Fatalf("the Enter was not swallowed: %+v", s)
	}
	r.do("delay-echo 300ms")
	typed := time.Now()
	r.Type(r.pane.ID, " late")
	r.Until("the text to arrive", func() bool { return r.state().Draft == "hello late" })
	r.UntilText(r.pane.ID, "hello late")
	if d := time.Since(typed); d < 250*time.Millisecond {
		t.Errorf("the echo came after %v", d)
	}
	r.do("delay-echo 1h")
	r.Type(r.pane.ID, " indeed")
	r.Until("the text to arrive", func() bool { return r.state().Draft == "hello late indeed" })
	if strings.Contains(r.Capture(r.pane.ID), "indeed") {
		t.Error("it was drawn although its time has not come")
	}
	r.do("delay-echo 0s")
	r.UntilText(r.pane.ID, "hello late indeed")
	r.SendKeys(r.pane.ID, "Enter")
	r.untilHooks("Stop", 1)
}

func TestBusyNowStatusWordSessionAndScreens(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	r.do("busy")
	if f, _ := r.registry(); f.Status != wordBusy {
		t.Errorf("busy: the registry says %q", f.Status)
	}
	r.UntilText(r.pane.ID, "tokens)")
	r.do("idle")
	r.untilWord(wordIdle)
	r.do("status hibernating")
	if f, _ := r.registry(); f.Status != "hibernating" {
		t.Errorf("status: the registry says %q", f.Status)
	}
	r.do("status")
	r.untilWord(wordIdle)
	r.do("session 11111111-2222-4333-8444-555555555555")
	if f, _ := r.registry(); f.SessionID != "11111111-2222-4333-8444-555555555555" {
		t.Errorf("session: the registry says %q", f.SessionID)
	}
	r.do(`screen {"rows":["$ some other program"],"x":7,"y":3,"show":true}`)
	r.UntilFormat(r.pane.ID, "#{cursor_x},#{cursor_y},#{cursor_flag}", "7,3,1")
	r.UntilText(r.pane.ID, "$ some other program")
	r.do("screen")
	r.sameAs("approve", "01-idle")
	r.do("ghost run the tests")
	r.UntilText(r.pane.ID, "run the tests")
	if x := r.Format(r.pane.ID, "#{cursor_x}"); x != "2" {
		t.Errorf("ghost: the cursor stands at %s", x)
	}
	if n := len(r.hooks()); n != 1 { // SessionStart
		t.Errorf("%d hooks were called by commands that call none", n)
	}
}

func TestTornRegistryWrite(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	r.do("torn")
	files, _ := filepath.Glob(filepath.Join(r.dir, "sessions", "*.json"))
	b, err := os.ReadFile(files[0])
	if err != nil || !strings.HasPrefix(string(b), `{"pid":`) || strings.HasSuffix(string(b), "}") {
		t.Fatalf("the file is not half written: %q, %v", b, err)
	}
	r.say("hello")
	r.untilHooks("Stop", 1)
	r.untilWord(wordIdle)
}

func TestSuspendAndComeBack(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	r.SendKeys(r.pane.ID, "C-z")
	r.UntilFormat(r.pane.ID, "#{pane_current_command} #{alternate_on} #{cursor_flag}", "bash 0 1")
	r.UntilText(r.pane.ID, "Claude Code is suspended. Run `fg` to bring it back.")
	if f, _ := r.registry(); f.Status != wordIdle {
		t.Errorf("suspended: the registry says %q, the real one still says idle", f.Status)
	}
	r.Shell(r.pane.ID, "fg")
	r.UntilFormat(r.pane.ID, "#{pane_current_command} #{alternate_on} #{cursor_x}", "claude 1 2")
	r.say("hello")
	r.untilHooks("Stop", 1)
}

func TestKilledPaneLeavesNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	pid := r.state().PID
	r.say("slow 30")
	r.untilWord(wordBusy)
	r.Run("kill-pane", "-t", string(r.pane.ID))
	r.Until("the process to end", func() bool { return syscall.Kill(pid, 0) != nil })
	if left, _ := filepath.Glob(filepath.Join(r.dir, "sessions", "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	r.untilHooks("SessionEnd", 1)
	for _, h := range r.hooks() {
		if name := hookName(h); h["hook_event_name"] == "SessionEnd" && name != "SessionEnd other" {
			t.Errorf("the last hook is %q", name)
		}
	}
}

func TestCrashLeavesTheRegistryFile(t *testing.T) {
	t.Parallel()
	r := newRig(t, nil)
	r.ready()
	r.do("dialog")
	pid := r.state().PID
	_, _ = Control(context.Background(), r.control, "crash") // the answer dies with the agent
	r.Until("the process to end", func() bool { return syscall.Kill(pid, 0) != nil })
	if f, ok := r.registry(); !ok || f.Status != wordWaiting {
		t.Errorf("the file a killed agent leaves behind: %+v, %v", f, ok)
	}
}

func TestOlderVersions(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *Options) { o.Version = "2.1.120" })
	r.ready()
	r.say("bash ls")
	r.untilWord(wordWaiting)
	f, _ := r.registry()
	if f.WaitingFor != "approve Bash" || f.PIDDomain != "" {
		t.Errorf("2.1.120: waitingFor %q, pidDomain %q", f.WaitingFor, f.PIDDomain)
	}
	r.untilHooks("PermissionRequest", 1)
	for _, h := range r.hooks() {
		if h["prompt_id"] != nil {
			t.Errorf("2.1.120 sent a prompt_id: %v", h)
		}
	}
}

func TestNoRegistryBefore21(t *testing.T) {
	t.Parallel()
	r := newRig(t, func(o *Options) { o.Version = "2.0.76" })
	r.UntilText(r.pane.ID, "Claude Code v2.0.76")
	r.UntilFormat(r.pane.ID, "#{alternate_on}#{cursor_x}", "12")
	if !strings.Contains(r.Capture(r.pane.ID), "\n>") {
		t.Errorf("the prompt mark of 2.0.76 is missing\n%s", r.Screens())
	}
	if left, _ := filepath.Glob(filepath.Join(r.dir, "sessions", "*")); len(left) > 0 {
		t.Errorf("registry files: %q", left)
	}
	r.say("hello")
	r.untilHooks("Stop", 1)
}
