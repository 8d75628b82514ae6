package desk_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// played is a simulated agent that is told what to do over a socket and logs every byte it reads.
type played struct {
	tmuxtest.Pane
	t      *testing.T
	s      *tmuxtest.Server
	socket string
	log    string
}

func play(t *testing.T, s *tmuxtest.Server, name string, o fakeagent.Options) *played {
	t.Helper()
	p := &played{t: t, s: s, socket: filepath.Join(s.TmpDir(), name+".s"), log: filepath.Join(s.TmpDir(), name+".log")}
	o.Control, o.InputLog = p.socket, p.log
	p.Pane = fake(t, s, name, o)
	if !o.Trust {
		s.UntilText(p.ID, "manual mode on")
	}
	return p
}

func (p *played) do(command string) {
	p.t.Helper()
	if _, err := fakeagent.Control(p.t.Context(), p.socket, command); err != nil {
		p.t.Fatal(err)
	}
}

func (p *played) state() fakeagent.State {
	p.t.Helper()
	st, err := fakeagent.ControlState(p.t.Context(), p.socket)
	if err != nil {
		p.t.Fatal(err)
	}
	return st
}

// read is what it read so far.
func (p *played) read() string { return typedInto(p.t, p.log) }

// fakeEnv is an environment in which `claude` is the simulated one, with options from a file or "1".
func fakeEnv(s *tmuxtest.Server, options string) []string {
	return append(s.Env(), fakeagent.EnvVar+"="+options, "PATH="+filepath.Join(s.TmpDir(), "bin")+":"+os.Getenv("PATH"))
}

// asks runs `signalbox send` beside simulated agents, which answer `claude agents` too.
func asks(t *testing.T, s *tmuxtest.Server, stdin string, args ...string) sent {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, append([]string{"send", "-S", s.Socket(), "--claude-dir", filepath.Join(s.Home(), ".claude")}, args...)...)
	cmd.Env = fakeEnv(s, "1")
	var out, msg bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &msg
	began := time.Now()
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return sent{out.String(), msg.String(), cmd.ProcessState.ExitCode(), time.Since(began)}
}

// TestWhereNothingMayBeTyped has one row for every state of pane and agent that has sent text astray
// in the field.
func TestWhereNothingMayBeTyped(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	for _, c := range []struct {
		name string
		o    fakeagent.Options
		do   func(p *played)
		lamp string // red
		why  string // part of its reason
	}{
		{"synchronised panes", fakeagent.Options{}, func(p *played) {
			s.Split(p.Pane, tmuxtest.Command{Argv: []string{"cat"}})
			s.Run("set-option", "-w", "-t", string(p.ID), "synchronize-panes", "on")
			s.Until("the agent to be drawn anew", func() bool { return strings.Contains(s.Capture(p.ID), "manual mode on") })
		}, "tmux", "synchronised"},
		{"input switched off", fakeagent.Options{}, func(p *played) { s.Run("select-pane", "-d", "-t", string(p.ID)) }, "tmux", "switched off"},
		{"copy mode", fakeagent.Options{}, func(p *played) { s.Run("copy-mode", "-t", string(p.ID)) }, "tmux", "mode"},
		{"a draft", fakeagent.Options{}, func(p *played) { p.do("draft merge PR 10 only after") }, "composer", "not empty"},
		{"a permission dialog", fakeagent.Options{}, func(p *played) { p.do("dialog touch x") }, "claude", "permission prompt"},
		{"the trust dialog", fakeagent.Options{Trust: true}, func(p *played) { s.UntilText(p.ID, "trust") }, "claude", ""},
		{"busy", fakeagent.Options{}, func(p *played) { p.do("busy") }, "claude", "busy"},
		{"a word nobody knows", fakeagent.Options{}, func(p *played) { p.do("status hibernating") }, "claude", "hibernating"},
		{"a background shell", fakeagent.Options{}, func(p *played) { p.do("status shell") }, "claude", "background shell"},
		{"the transcript view", fakeagent.Options{}, func(p *played) { p.do("view transcript") }, "composer", ""},
		{"history search", fakeagent.Options{}, func(p *played) { p.do("view history") }, "composer", ""},
		{"no registry", fakeagent.Options{NoRegistry: true}, nil, "claude", "does not list"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := play(t, s, strings.ReplaceAll(c.name, " ", "-"), c.o)
			if c.do != nil {
				c.do(p)
			}
			before := p.read()
			got := asks(t, s, "", "--json", string(p.ID), "run the tests")
			o := got.outcome(t)
			why := ""
			for _, l := range o.Lamps {
				if l.Name == c.lamp {
					why = l.Reason
				}
			}
			if got.code != 3 || o.Outcome != "refused" || !got.redHas(t, c.lamp) || !strings.Contains(why, c.why) {
				t.Errorf("exit %d, %s, red %q: %q\n%s", got.code, o.Outcome, got.red(t), o.Detail, s.Capture(p.ID))
			}
			if after := p.read(); after != before {
				t.Errorf("the agent read %q", strings.TrimPrefix(after, before))
			}
		})
	}
	t.Run("a dead pane", func(t *testing.T) {
		p := play(t, s, "dead", fakeagent.Options{})
		s.Run("set-option", "-w", "-t", string(p.ID), "remain-on-exit", "on")
		_, _ = fakeagent.Control(t.Context(), p.socket, "exit") // it does not live to answer
		s.UntilFormat(p.ID, "#{pane_dead}", "1")
		if got := asks(t, s, "", "--json", string(p.ID), "x"); got.code != 3 || !got.redHas(t, "target") {
			t.Errorf("exit %d\n%s%s", got.code, got.out, got.err)
		}
		if s.Run("list-sessions") == "" {
			t.Error("the server is gone")
		}
	})
	t.Run("an older Claude without a list", func(t *testing.T) {
		p := play(t, s, "older", fakeagent.Options{Version: "2.1.120"})
		cmd := exec.CommandContext(t.Context(), program, "send", "-S", s.Socket(), "--claude-dir", filepath.Join(s.Home(), ".claude"), string(p.ID), "x")
		cmd.Env = fakeEnv(s, filepath.Join(s.TmpDir(), "older.json"))
		out, err := cmd.CombinedOutput()
		if err == nil || cmd.ProcessState.ExitCode() != 3 || !strings.Contains(string(out), "2.1.145 and newer") || p.read() != "" {
			t.Errorf("%v\n%s\nthe agent read %q", err, out, p.read())
		}
	})
	t.Run("vim keys", func(t *testing.T) {
		settings := filepath.Join(s.Home(), ".claude", "settings.json")
		if err := os.WriteFile(settings, []byte(`{"editorMode":"vim"}`), 0o600); err != nil {
			t.Fatal(err)
		}
		defer os.Remove(settings)
		p := play(t, s, "vim", fakeagent.Options{Vim: true})
		p.do(`keys "\x1b"`)
		before := p.read()
		got := asks(t, s, "", "--json", string(p.ID), "delete old logs")
		if got.code != 3 || !got.redHas(t, "composer") || p.read() != before {
			t.Errorf("normal mode: exit %d, %s\n%s", got.code, got.out, s.Capture(p.ID))
		}
		p.do(`keys "i"`)
		if got := asks(t, s, "", "--json", string(p.ID), "delete old logs"); got.code != 0 {
			t.Errorf("insert mode: exit %d, %s\n%s", got.code, got.out, s.Capture(p.ID))
		}
	})
	t.Run("a shell", func(t *testing.T) {
		if got := asks(t, s, "", "--json", string(s.Main().ID), "touch pwned"); got.code != 3 || !strings.Contains(got.outcome(t).Detail, "no agent runs in") {
			t.Errorf("exit %d\n%s", got.code, got.out)
		}
	})
	t.Run("the pane it is run in", func(t *testing.T) {
		p := play(t, s, "self", fakeagent.Options{})
		out, code := run(t, s, p.Pane, "send", "--json", string(p.ID), "x")
		if code != 3 || !strings.Contains(out, "that is our own pane") {
			t.Errorf("exit %d\n%s", code, out)
		}
	})
	if left := s.Run("list-buffers"); left != "" {
		t.Errorf("buffers are left: %s", left)
	}
	if _, err := os.Stat(filepath.Join(s.Home(), "pwned")); err == nil {
		t.Error("a task was run by a shell")
	}
}

// TestWhatArrivesIsWhatWasSent: byte for byte, in one bracketed paste, with one Enter.
func TestWhatArrivesIsWhatWasSent(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	s.Run("set-buffer", "-b", "mine", "the person's own")
	p := play(t, s, "worker", fakeagent.Options{})
	p.do("ghost yes, go ahead") // dim text in an empty box is none
	for _, text := range []string{
		"fix it;", ";", "-R now", "Enter", "C-c", "it's \"x\" $HOME #{pid} #(id) end", "--", "{", "three\nlines\n\tand a tab",
		"größer als 測試 👍", strings.Repeat("all work and no play, line after line\n", 500) + "end",
	} {
		before := p.read()
		got := asks(t, s, text, "--json", "worker", "-")
		if got.code != 0 {
			t.Errorf("%.40q: exit %d\n%s%s", text, got.code, got.out, got.err)
			continue
		}
		if in, want := strings.TrimPrefix(p.read(), before), "\x1b[200~"+text+"\x1b[201~\r"; in != want {
			t.Errorf("%.40q: the agent read %.200q", text, in)
		}
		s.Until("the agent to rest", func() bool { st := p.state(); return st.Word == "idle" && st.Draft == "" })
		p.do("ghost yes, go ahead")
	}
	before := p.read()
	for _, text := range []string{"!rm x", "/clear", "#note", "&task", "?", " !ls", "ends with \\", "", " \n ", "a\x1bb", "a\rb", "a\x03", "a\x7f", "a\u009bb", "a\u2028b", "x\x1b[201~\ry", "\xff", strings.Repeat("x", 300_000)} {
		if got := asks(t, s, text, "--json", "worker", "-"); got.code != 3 || got.red(t) != "claude text" {
			t.Errorf("%.40q: exit %d, %s", text, got.code, got.out)
		}
	}
	if after := p.read(); after != before {
		t.Errorf("the agent read %q", strings.TrimPrefix(after, before))
	}
	if got := s.Run("list-buffers", "-F", "#{buffer_name}=#{buffer_sample}"); got != "mine=the person's own" {
		t.Errorf("buffers: %s", got)
	}
}

// TestEnterIsWithheld: what changes after the text was typed keeps Enter from being pressed.
func TestEnterIsWithheld(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	p.do("delay-echo 1h")
	done := make(chan sent)
	go func() { done <- asks(t, s, "", "--json", "worker", "delete the old logs") }()
	s.Until("the text to be typed", func() bool { return strings.Contains(p.read(), "delete the old logs") })
	p.do("status busy")
	p.do("delay-echo 0s")
	got := <-done
	o := got.outcome(t)
	if got.code != 4 || o.Outcome != "withheld" || !strings.Contains(o.Detail, "Enter was not pressed") || o.Box != "delete the old logs" {
		t.Errorf("exit %d, %s%s", got.code, got.out, got.err)
	}
	if strings.Contains(p.read(), "\r") {
		t.Errorf("Enter was pressed: %q", p.read())
	}
}

func TestAnEnterThatIsLostIsNotPressedAgain(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	p.do("swallow-enter 1")
	got := asks(t, s, "", "--json", "--timeout", "700ms", "worker", "once")
	if o := got.outcome(t); got.code != 4 || o.Outcome != "unconfirmed" || !strings.Contains(o.Detail, "still in the input box") {
		t.Errorf("exit %d, %s%s", got.code, got.out, got.err)
	}
	if n := strings.Count(p.read(), "\r"); n != 1 {
		t.Errorf("Enter was pressed %d times", n)
	}
}

// TestSendingToOneOfTwo: an id that two panes share is ambiguous, a pane is not. Whose prompt it is that
// their transcript tells of is known by the hooks of its agent, and without hooks not at all.
func TestSendingToOneOfTwo(t *testing.T) {
	t.Parallel()
	for _, hooks := range []bool{false, true} {
		t.Run(fmt.Sprint("hooks ", hooks), func(t *testing.T) { sendToOneOfTwo(t, hooks) })
	}
}

func sendToOneOfTwo(t *testing.T, hooks bool) {
	s := tmuxtest.New(t)
	want, outcome := 4, "unconfirmed"
	if hooks {
		want, outcome = 0, "delivered"
		installHooks(t, s)
	}
	const id = "3f0c9a52-1111-4222-8333-444455556666"
	a, b := play(t, s, "first", fakeagent.Options{SessionID: id}), play(t, s, "second", fakeagent.Options{SessionID: id})
	if got := asks(t, s, "", id, "x"); got.code != 5 || !strings.Contains(got.err, "ambiguous") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
	got := asks(t, s, "", "--json", string(a.ID), "to the first")
	if got.code != want || got.outcome(t).Outcome != outcome || !strings.Contains(got.out, "another agent has the same session open") {
		t.Errorf("exit %d, %s%s", got.code, got.out, got.err)
	}
	if !strings.Contains(a.read(), "to the first") || strings.Contains(b.read(), "to the first") {
		t.Errorf("the first read %q, the second %q", a.read(), b.read())
	}
}

func TestSendWithoutAServer(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	play(t, s, "worker", fakeagent.Options{})
	if err := os.Rename(s.Socket(), s.Socket()+".away"); err != nil {
		t.Fatal(err)
	}
	got := asks(t, s, "", "worker", "x")
	if err := os.Rename(s.Socket()+".away", s.Socket()); err != nil {
		t.Fatal(err)
	}
	if got.code != 6 || !strings.HasPrefix(got.err, "error: ") {
		t.Errorf("exit %d, %s", got.code, got.err)
	}
}

// TestASendThatWaitsIsCalledOff by a signal, and leaves nothing behind.
func TestASendThatWaitsIsCalledOff(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	p := play(t, s, "worker", fakeagent.Options{})
	p.do("busy")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, "send", "-S", s.Socket(), "--claude-dir", filepath.Join(s.Home(), ".claude"), "--json", "--queue", "1h", "worker", "x")
	cmd.Env = fakeEnv(s, "1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	dec := json.NewDecoder(out)
	var first, last struct{ Outcome, Detail string }
	if err := dec.Decode(&first); err != nil || first.Outcome != "queued" {
		t.Fatalf("%+v, %v", first, err)
	}
	if socks, _ := filepath.Glob(filepath.Join(s.Home(), ".local/state/signalbox/run", "*.sock")); len(socks) > 0 {
		t.Errorf("while it waits it takes a board's place: %v", socks)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := dec.Decode(&last); err != nil || last.Outcome != "refused" || !strings.Contains(last.Detail, "called off") {
		t.Errorf("%+v, %v", last, err)
	}
	_ = cmd.Wait() // its exit code is looked at
	if code := cmd.ProcessState.ExitCode(); code != 3 {
		t.Errorf("exit %d", code)
	}
	p.do("idle")
	if strings.Contains(p.read(), "x") {
		t.Errorf("the agent read %q", p.read())
	}
}
