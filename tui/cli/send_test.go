package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// sendDesk notes what it is asked to send and answers with a result.
type sendDesk struct {
	testDesk
	got  []SendRequest
	res  SendResult
	wait bool // tell that the send has to wait
}

func (d *sendDesk) Send(_ context.Context, req SendRequest, waiting func(SendResult)) (SendResult, error) {
	d.got = append(d.got, req)
	if d.wait {
		waiting(SendResult{Outcome: SendQueued, Target: req.Pane, Detail: "claude: Claude is busy\x1b[2J"})
	}
	return d.res, nil
}

// lampsWith are the six lamps with one of them red, "" for none.
func lampsWith(red, reason string) []SendLamp {
	var lamps []SendLamp
	for _, name := range []string{"target", "tmux", "process", "claude", "composer", "text"} {
		l := SendLamp{Name: name, OK: name != red}
		if name == red {
			l.Reason = reason
		}
		lamps = append(lamps, l)
	}
	return lamps
}

func newSendDesk() *sendDesk {
	d := &sendDesk{res: SendResult{
		Outcome: SendDelivered, Lamps: lampsWith("", ""), Detail: "Claude has it",
		Receipt: &SendReceipt{At: tuitest.Now(), Source: tracker.SourceHook, After: 640 * time.Millisecond},
	}}
	d.snap = tuitest.Parse(tuitest.Everyday)
	return d
}

// runSend runs the command with its outputs apart; err is printed to stderr as main does.
func runSend(t *testing.T, d Desk, stdin string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, msg bytes.Buffer
	c := Command("1.0", func(Options) (Desk, error) { return d, nil })
	c.SetArgs(append([]string{"send"}, args...))
	c.SetIn(strings.NewReader(stdin))
	c.SetOut(&out)
	c.SetErr(&msg)
	err := c.ExecuteContext(t.Context())
	if err != nil {
		Report(&msg, err)
	}
	return out.String(), msg.String(), ExitCode(err)
}

func TestSendTakesItsTextWhole(t *testing.T) {
	for _, c := range []struct {
		name, stdin string
		args        []string
		want        string
	}{
		{"an argument", "", []string{"api:0", "fix the tests"}, "fix the tests"},
		{"standard input", "one\ntwo;\n", []string{"api:0", "-"}, "one\ntwo;\n"},
		{"a text like a flag", "", []string{"api:0", "--", "-R now"}, "-R now"},
		{"a text like a key", "", []string{"api:0", "Enter"}, "Enter"},
		{"a lone dash dash", "", []string{"api:0", "--", "--"}, "--"},
	} {
		d := newSendDesk()
		_, stderr, code := runSend(t, d, c.stdin, c.args...)
		if code != 0 || len(d.got) != 1 || d.got[0].Text != c.want {
			t.Errorf("%s: exit %d, sent %+v, %s", c.name, code, d.got, stderr)
		}
	}
}

func TestSendFlags(t *testing.T) {
	d := newSendDesk()
	if _, _, code := runSend(t, d, "", "api:0", "/clear", "--as-command", "--allow-background", "--queue", "10m", "--timeout", "2s"); code != 0 {
		t.Fatalf("exit %d", code)
	}
	got := d.got[0]
	if got.Pane != "%0" || !got.AsCommand || !got.AllowBackground || got.Queue != 10*time.Minute || got.Timeout != 2*time.Second || got.DryRun {
		t.Errorf("%+v", got)
	}
	if d = newSendDesk(); true {
		runSend(t, d, "", "api:0", "x")
	}
	if got := d.got[0]; got.Timeout != 0 || got.Queue != 0 || got.Snapshot != d.snap {
		t.Errorf("defaults: %+v", got)
	}
}

func TestSendWrongUsageSendsNothing(t *testing.T) {
	for _, c := range []struct {
		args string
		code int
	}{
		{"", ExitUsage},
		{"api:0", ExitUsage},
		{"api:0 fix the tests", ExitUsage},
		{"api:0 x --queue 0s", ExitUsage},
		{"api:0 x --queue -1s", ExitUsage},
		{"api:0 x --queue soon", ExitUsage},
		{"api:0 x --timeout 0s", ExitUsage},
		{"api:0 x --dry-run --queue 1m", ExitUsage},
		{"nowhere x", ExitNoTarget},
		{"ap x", ExitNoTarget}, // a prefix never matches
		{"web x", ExitNoTarget},
		{"= x", ExitNoTarget},
		{": x", ExitNoTarget},
		{"% x", ExitNoTarget},
		{"%0;kill-server x", ExitNoTarget},
		{"{marked} x", ExitNoTarget},
	} {
		d := newSendDesk()
		_, stderr, code := runSend(t, d, "", strings.Fields(c.args)...)
		if code != c.code || len(d.got) > 0 || !strings.HasPrefix(stderr, "error: ") {
			t.Errorf("%q: exit %d, want %d, sent %d\n%s", c.args, code, c.code, len(d.got), stderr)
		}
	}
	for _, target := range []string{"", "%0 ", "%0\n"} {
		d := newSendDesk()
		if _, _, code := runSend(t, d, "", target, "x"); code != ExitNoTarget || len(d.got) > 0 {
			t.Errorf("target %q: exit %d", target, code)
		}
	}
	d := newSendDesk()
	if _, _, code := runSend(t, d, strings.Repeat("x", maxStdin+1), "api:0", "-"); code != ExitUsage || len(d.got) > 0 {
		t.Errorf("endless standard input: exit %d", code)
	}
}

func TestSendWithoutTmux(t *testing.T) {
	for _, state := range []string{tracker.StateAbsent, tracker.StateFailed} {
		d := newSendDesk()
		d.snap.Tmux.State, d.snap.Tmux.Detail = state, "no answer\x1b]2;x\a"
		_, stderr, code := runSend(t, d, "", "api:0", "x")
		if code != ExitNoTmux || len(d.got) > 0 || strings.Contains(stderr, "\x1b") {
			t.Errorf("tmux %s: exit %d, %q", state, code, stderr)
		}
	}
}

func TestSendOutcomes(t *testing.T) {
	refused := func(lamp, reason string, waitable bool) SendResult {
		return SendResult{Outcome: SendRefused, Lamps: lampsWith(lamp, reason), Detail: lamp + ": " + reason, Waitable: waitable}
	}
	box := func(o SendOutcome) SendResult {
		return SendResult{Outcome: o, Lamps: lampsWith("claude", "Claude is busy"), Detail: "Enter was not pressed\x1b[2J", Box: "fix\n the tests \u202e"}
	}
	for _, c := range []struct {
		name string
		res  SendResult
		args []string
		code int
		out  []string // parts of stdout
		err  []string // parts of stderr
	}{
		{"delivered", newSendDesk().res, nil, 0, []string{"delivered to api:0.0 api-worker (%0), receipt from a hook after 0.64 s\n"}, nil},
		{"busy", refused("claude", "Claude is busy", true), nil, 3, nil, []string{"error: refused: claude: Claude is busy\n", "hint: --queue 10m"}},
		{"busy after a wait", refused("claude", "Claude is busy", true), []string{"--queue", "1s"}, 3, nil, []string{"hint: signalbox jump %0"}},
		{"waiting", refused("claude", "Claude waits for you: permission prompt", false), nil, 3, nil, []string{"hint: signalbox jump %0"}},
		{"gone", refused("target", "the agent (pid 7) is gone", false), nil, 3, nil, []string{"hint: signalbox status"}},
		{"a shell line", refused("text", "it runs in a shell", false), []string{"!ls"}, 3, nil, []string{"hint: --as-command"}},
		{"control characters", refused("text", "control character U+001B in line 1", false), nil, 3, nil, []string{"U+001B"}},
		{"withheld", box(SendWithheld), nil, 4, nil, []string{`error: withheld: Enter was not pressed; the input box of api:0.0 api-worker (%0) holds "fix the tests"`, "hint: signalbox jump %0"}},
		{"unconfirmed", box(SendUnconfirmed), nil, 4, nil, []string{"error: unconfirmed: "}},
	} {
		d := newSendDesk()
		d.res = c.res
		args := append([]string{"api:0"}, c.args...)
		if len(c.args) == 0 || c.args[0][0] == '-' {
			args = append(args, "x")
		}
		out, stderr, code := runSend(t, d, "", args...)
		if code != c.code || c.out == nil && out != "" || c.err == nil && stderr != "" {
			t.Errorf("%s: exit %d, want %d\n%s%s", c.name, code, c.code, out, stderr)
		}
		for _, want := range c.out {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in %q", c.name, want, out)
			}
		}
		for _, want := range c.err {
			if !strings.Contains(stderr, want) {
				t.Errorf("%s: no %q in %q", c.name, want, stderr)
			}
		}
		if strings.ContainsAny(out+stderr, "\x1b\u202e") {
			t.Errorf("%s: a control got through: %q", c.name, out+stderr)
		}
	}
}

// TestSendJSON holds the fields that are promised, for every outcome.
func TestSendJSON(t *testing.T) {
	for _, o := range []SendOutcome{SendDelivered, SendRefused, SendWithheld, SendUnconfirmed, SendReady} {
		d := newSendDesk()
		d.res.Outcome, d.res.Target = o, "%0"
		out, _, _ := runSend(t, d, "", "api:0", "x", "--json")
		var m map[string]any
		if err := json.Unmarshal([]byte(out), &m); err != nil || strings.Count(out, "\n") != 1 {
			t.Fatalf("%s: %v in %q", o, err, out)
		}
		lamps, _ := m["lamps"].([]any)
		if m["outcome"] != string(o) || m["target"] != "%0" || m["detail"] != "Claude has it" || len(lamps) != 6 {
			t.Errorf("%s: %s", o, out)
		}
		var fields []string
		for k := range lamps[0].(map[string]any) {
			fields = append(fields, k)
		}
		slices.Sort(fields)
		if !slices.Equal(fields, []string{"name", "ok", "reason"}) {
			t.Errorf("%s: a lamp has %v", o, fields)
		}
		if at := m["receipt"].(map[string]any)["at"]; at != sinceUnix(tuitest.Now()) {
			t.Errorf("%s: the receipt's time is %v", o, at)
		}
	}
}

func TestSendSaysThatItWaits(t *testing.T) {
	d := newSendDesk()
	d.wait = true
	out, stderr, code := runSend(t, d, "", "api:0", "x", "--queue", "10m")
	if code != 0 || stderr != "waiting up to 10m0s: claude: Claude is busy\n" || !strings.HasPrefix(out, "delivered") {
		t.Errorf("exit %d, %q, %q", code, out, stderr)
	}
	out, stderr, _ = runSend(t, d, "", "api:0", "x", "--queue", "10m", "--json")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if stderr != "" || len(lines) != 2 || !strings.HasPrefix(lines[0], `{"outcome":"queued"`) || !strings.HasPrefix(lines[1], `{"outcome":"delivered"`) {
		t.Errorf("%q, %q", out, stderr)
	}
}

func TestSendDryRun(t *testing.T) {
	d := newSendDesk()
	d.res = SendResult{Outcome: SendRefused, Lamps: lampsWith("claude", "Claude waits for you: permission prompt"), Detail: "claude: …"}
	d.res.Lamps[0].Reason = "another agent has the same session open"
	out, _, code := runSend(t, d, "", "api:0", "x", "--dry-run")
	if code != ExitRefused {
		t.Errorf("red lamps: exit %d", code)
	}
	golden(t, "send-dry-run", out)
	if strings.Contains(out, "composer") || !strings.Contains(out, "input box") {
		t.Errorf("a table for people has a name for scripts in it:\n%s", out)
	}
	if out, _, _ := runSend(t, d, "", "api:0", "x", "--dry-run", "--json"); !strings.Contains(out, `"name":"composer"`) {
		t.Errorf("scripts read another name: %s", out)
	}
	var b bytes.Buffer
	if err := lampTable(&b, "api:0.0 api-worker (%0)", d.res, colours()); err != nil {
		t.Fatal(err)
	}
	golden(t, "send-dry-run-colours", b.String())
	d.res = SendResult{Outcome: SendReady, Lamps: lampsWith("", "")}
	if _, stderr, code := runSend(t, d, "", "api:0", "x", "--dry-run"); code != 0 || stderr != "" {
		t.Errorf("green lamps: exit %d, %q", code, stderr)
	}
}
