package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// testDesk answers readings with one board and notes where a client was taken. Whatever else a
// command asks of it is a nil call and fails the test.
type testDesk struct {
	Desk
	snap   *tracker.Snapshot
	jumped tracker.PaneID
}

func (d *testDesk) Read(context.Context) (*tracker.Snapshot, error) { return d.snap, nil }

func (d *testDesk) Jump(_ context.Context, p tracker.PaneID) error {
	d.jumped = p
	return nil
}

func run(t *testing.T, d Desk, args ...string) (stdout string, err error) {
	t.Helper()
	var out bytes.Buffer
	c := Command("1.0", func(Options) (Desk, error) { return d, nil })
	c.SetArgs(args)
	c.SetOut(&out)
	c.SetErr(&out)
	err = c.ExecuteContext(t.Context())
	return out.String(), err
}

// Here is the pane of the first who needs somebody: --next goes on from there.
func (d *testDesk) Here(context.Context) tracker.PaneID {
	id, _ := tracker.NextUrgent(d.snap, "")
	return id
}

func TestCommandsOnTargets(t *testing.T) {
	d := &testDesk{snap: tuitest.Parse(tuitest.Everyday)}
	for _, c := range []struct {
		args string
		code int
		out  string // part of the output
	}{
		{"status", 0, "api-worker"},
		{"status infra:1", 0, "nvim main.tf"},
		{"status --waiting", 0, "web-tests"},
		{"status --json --waiting", 0, `"attention":{"needsInput":1,"review":2}`},
		{"status --tmux", 0, "bg=colour221"},
		{"status nowhere", ExitNoTarget, ""},
		{"status ap", ExitNoTarget, ""}, // a prefix never matches
		{"status web", ExitNoTarget, ""},
		{"status --json --tmux", ExitUsage, ""},
		{"explain api", 0, "needs-input"},
		{"explain", ExitUsage, ""},
		{"jump --next", 0, ""},
		{"jump", ExitUsage, ""},
		{"snapshot --stdout", 0, `"statusKind":"waiting"`},
		{"-L a -S b status", ExitUsage, ""},
		{"status api web", ExitUsage, ""},
		{"statsu", ExitUsage, ""},
		{"--no-such-flag", ExitUsage, ""},
		{"hooks reinstall", ExitUsage, ""},
	} {
		out, err := run(t, d, strings.Fields(c.args)...)
		if code := ExitCode(err); code != c.code || !strings.Contains(out, c.out) {
			t.Errorf("%s: exit %d, want %d (%v)\n%s", c.args, code, c.code, err, out)
		}
	}
	if first, _ := tracker.NextUrgent(d.snap, ""); d.jumped == "" || d.jumped == first {
		t.Errorf("jump --next went to %q", d.jumped)
	}
	d.snap = &tracker.Snapshot{Tmux: tracker.TmuxState{State: tracker.StateAbsent, Detail: "listing panes: no server", Server: tracker.ServerID{Socket: "/tmp/sock"}}}
	for _, args := range [][]string{{"explain", "api"}, {"jump", "api"}, {"jump", "--next"}} {
		if _, err := run(t, d, args...); ExitCode(err) != ExitNoTmux || err.Error() != "no tmux server runs at /tmp/sock" {
			t.Errorf("%v without a server: %v", args, err)
		}
	}
}

// brokenDesk cannot read anything.
type brokenDesk struct{ Desk }

func (brokenDesk) Read(context.Context) (*tracker.Snapshot, error) {
	return nil, &Exit{Code: ExitUsage, Err: errors.New("config.toml:3: no")}
}

// An empty status line says that nobody needs anybody.
func TestAStatusLineThatCannotBeReadIsNotEmpty(t *testing.T) {
	out, err := run(t, brokenDesk{}, "status", "--tmux")
	if ExitCode(err) != ExitUsage || err.Error() != "config.toml:3: no" {
		t.Errorf("the error is %v", err)
	}
	if out != "#["+chipFailed+"] ? signalbox #[default]\n" {
		t.Errorf("the line is %q", out)
	}
}

// The heading of one row counts what is in it, not what is elsewhere.
func TestOneRowIsHeadedByItself(t *testing.T) {
	d := &testDesk{snap: tuitest.Parse(tuitest.Everyday)}
	out, err := run(t, d, "status", "infra:4")
	if err != nil || !strings.Contains(out, "1 idle") || strings.Contains(out, "needs input") || strings.Contains(out, "busy") {
		t.Errorf("%v\n%s", err, out)
	}
	if d.snap.Counts.NeedsInput == 0 {
		t.Error("the board's own counts were changed")
	}
}
