package desk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/testdata/claudelab"
	"signalbox/tmuxctl/tmuxtest"
)

// sent is what a `signalbox send` printed and how it ended.
type sent struct {
	out, err string
	code     int
	took     time.Duration
}

// outcome is the last object that --json printed.
func (s sent) outcome(t *testing.T) (o struct {
	Outcome, Target, Detail, Box string
	Lamps                        []struct {
		Name, Reason string
		OK           bool
	}
},
) {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(s.out), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &o); err != nil {
		t.Fatalf("%v in %q\n%s", err, s.out, s.err)
	}
	return o
}

// sendCommand is `signalbox send` beside the lab, ready to be started.
func sendCommand(ctx context.Context, l *claudelab.Lab, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, append([]string{"send", "-S", l.Socket(), "--claude-dir", l.ClaudeDir()}, args...)...)
	cmd.Env = append(l.Env(), l.Settings()...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 5 * time.Second
	return cmd
}

// send runs it to its end.
func send(t *testing.T, l *claudelab.Lab, stdin string, args ...string) sent {
	t.Helper()
	return sendAnd(t, l, func() {}, stdin, args...)
}

// heard keeps what is written, and does something when the first of it is.
type heard struct {
	all  bytes.Buffer
	then func()
}

func (h *heard) Write(p []byte) (int, error) {
	if h.all.Len() == 0 {
		h.then()
	}
	return h.all.Write(p)
}

// sendAnd is send, and something that is done when it has said its first word.
func sendAnd(t *testing.T, l *claudelab.Lab, then func(), stdin string, args ...string) sent {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 40*time.Second)
	defer cancel()
	cmd := sendCommand(ctx, l, args...)
	out, msg := heard{then: then}, bytes.Buffer{}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &msg
	began := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	s := sent{out.all.String(), msg.String(), cmd.ProcessState.ExitCode(), time.Since(began)}
	t.Logf("send %q: exit %d after %v\n%s%s", args, s.code, s.took.Round(time.Millisecond), s.out, s.err)
	return s
}

// lampsOf is which lamps were red.
func (s sent) red(t *testing.T) string {
	var names []string
	for _, l := range s.outcome(t).Lamps {
		if !l.OK {
			names = append(names, l.Name)
		}
	}
	return strings.Join(names, " ")
}

// answers counts what the agents of the lab have answered.
func answers(l *claudelab.Lab) int {
	n := 0
	files, _ := filepath.Glob(filepath.Join(l.ClaudeDir(), "projects", "*", "*.jsonl"))
	for _, f := range files {
		data, _ := os.ReadFile(f) // what cannot be read now is counted the next time
		n += strings.Count(string(data), `"type":"assistant"`)
	}
	return n
}

// untilAnswer waits until an agent has answered once more and rests. Right after a delivery the
// registry still says idle, and after a short turn it has never said anything else.
func untilAnswer(l *claudelab.Lab, a tmuxtest.Pane, before int) {
	l.Until("an answer", func() bool {
		return answers(l) > before && l.Word(a) == "idle" && !strings.Contains(l.Capture(a.ID), "esc to interrupt")
	})
}

// TestSendToARealClaude sends to a real Claude Code in every state that matters, without hooks and
// with them.
func TestSendToARealClaude(t *testing.T) {
	t.Parallel()
	t.Run("without hooks", func(t *testing.T) { realSends(t, false) })
	t.Run("with hooks", func(t *testing.T) { realSends(t, true) })
}

func realSends(t *testing.T, hooks bool) {
	l := claudelab.New(t)
	proof := "from the transcript"
	if hooks {
		installHooks(t, l.Server, l.Settings()...)
		proof = "receipt from " // whichever comes first: a short turn may end before its prompt is written down
	}
	l.Run("set-buffer", "-b", "mine", "the person's own")
	a := l.Agent("api-worker")
	pane := string(a.ID)

	t.Run("idle", func(t *testing.T) {
		before := answers(l)
		s := send(t, l, "", pane, "hello there")
		if s.code != 0 || !strings.Contains(s.out, "delivered to api-worker:0.0") {
			t.Errorf("an idle agent: exit %d, %q", s.code, s.out)
		}
		if !strings.Contains(s.out, proof) {
			t.Errorf("how is it known that no hook blocked it? %q", s.out)
		}
		l.UntilText(a.ID, "Echo: hello there")
		untilAnswer(l, a, before)
		if n := prompts(l, "hello there"); n != 1 {
			t.Errorf("the task is %d times in the transcript", n)
		}
	})
	t.Run("several lines from standard input", func(t *testing.T) {
		text := "say this:\n\tfirst; second\n  it's \"x\" $HOME #{pid} #(id)\n"
		before := answers(l)
		s := send(t, l, text, "--json", "api-worker", "-")
		if s.code != 0 || s.outcome(t).Outcome != "delivered" || s.outcome(t).Target != pane {
			t.Errorf("several lines: exit %d", s.code)
		}
		l.UntilText(a.ID, `it's "x" $HOME #{pid} #(id)`)
		untilAnswer(l, a, before)
	})
	t.Run("long", func(t *testing.T) {
		before := answers(l)
		s := send(t, l, strings.Repeat("a long line of words, number after number\n", 120), pane, "-")
		if s.code != 0 {
			t.Errorf("a long text: exit %d", s.code)
		}
		untilAnswer(l, a, before)
	})
	t.Run("shell line", func(t *testing.T) {
		s := send(t, l, "", "--json", pane, "!touch pwned")
		if s.code != 3 || s.red(t) != "claude text" || !strings.Contains(s.err, "hint: --as-command") {
			t.Errorf("a shell line: exit %d, red %q", s.code, s.red(t))
		}
	})
	t.Run("draft", func(t *testing.T) {
		l.Type(a.ID, "half a thought")
		l.UntilText(a.ID, "half a thought")
		s := send(t, l, "", "--json", pane, "hello")
		if s.code != 3 || s.red(t) != "claude composer" {
			t.Errorf("a draft: exit %d, red %q", s.code, s.red(t))
		}
		if screen := l.Capture(a.ID); !strings.Contains(screen, "half a thought") {
			t.Errorf("the draft is gone:\n%s", screen)
		}
		l.SendKeys(a.ID, "C-u")
		l.Until("the box to be empty", func() bool { return !strings.Contains(l.Capture(a.ID), "half a thought") })
	})
	t.Run("permission dialog", func(t *testing.T) {
		l.Say(a, "bash touch approved")
		l.UntilText(a.ID, "Do you want to proceed?")
		l.UntilWord(a, "waiting")
		s := send(t, l, "", "--json", pane, "1")
		if o := s.outcome(t); s.code != 3 || !strings.Contains(o.Detail, "permission prompt") {
			t.Errorf("a dialog: exit %d, %q", s.code, o.Detail)
		}
		if screen := l.Capture(a.ID); !strings.Contains(screen, "Do you want to proceed?") {
			t.Errorf("the dialog was answered:\n%s", screen)
		}
		l.Read(a)
		l.SendKeys(a.ID, "Escape")
		l.UntilWord(a, "idle")
		if _, err := os.Stat(filepath.Join(l.Repo, "approved")); err == nil {
			t.Error("the dialog was answered")
		}
	})
	t.Run("busy", func(t *testing.T) { realBusy(t, l, a) })
	t.Run("dry run", func(t *testing.T) {
		s := send(t, l, "", "--dry-run", pane, "hello dry run")
		if s.code != 0 || strings.Count(s.out, "●") != 6 || strings.Contains(l.Capture(a.ID), "hello dry run") {
			t.Errorf("a dry run: exit %d\n%s", s.code, s.out)
		}
	})
	if got := l.Run("list-buffers", "-F", "#{buffer_name}=#{buffer_sample}"); got != "mine=the person's own" {
		t.Errorf("buffers: %s", got)
	}
	if _, err := os.Stat(filepath.Join(l.Repo, "pwned")); err == nil {
		t.Error("a shell line was run")
	}
}

// realBusy sends to an agent at work: refused at once, and delivered after a wait.
func realBusy(t *testing.T, l *claudelab.Lab, a tmuxtest.Pane) {
	l.Say(a, "hold on")
	l.UntilWord(a, "busy")
	s := send(t, l, "", "--json", string(a.ID), "too early")
	if s.code != 3 || !s.redHas(t, "claude") || !strings.Contains(s.err, "hint: --queue") {
		t.Errorf("a busy agent: exit %d, red %q", s.code, s.red(t))
	}
	before := answers(l)
	s = sendAnd(t, l, func() { l.Release("on") }, "", "--json", "--queue", "30s", string(a.ID), "in its turn")
	if o := s.outcome(t); s.code != 0 || o.Outcome != "delivered" || !strings.HasPrefix(s.out, `{"outcome":"queued"`) {
		t.Errorf("queued: exit %d", s.code)
	}
	l.UntilText(a.ID, "Echo: in its turn")
	untilAnswer(l, a, before)
	if strings.Contains(l.Capture(a.ID), "too early") {
		t.Error("a refused text was typed")
	}
}

func (s sent) redHas(t *testing.T, name string) bool {
	return strings.Contains(" "+s.red(t)+" ", " "+name+" ")
}
