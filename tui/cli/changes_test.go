package cli

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

func TestChanges(t *testing.T) {
	var b bytes.Buffer
	lines := func() []string {
		defer b.Reset()
		return strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
	}
	c := NewChanges(&b)
	write := func(board string, pane tracker.PaneID) {
		t.Helper()
		if err := c.Write(tuitest.Parse(board), pane); err != nil {
			t.Fatal(err)
		}
	}
	const busy = "$ a\n0 x | busy | y | 1m | name=one\n1 z | idle | y | 1m | name=two\n"
	write(busy, "")
	if l := lines(); len(l) != 1 || !strings.HasPrefix(l[0], `{"version":1,`) {
		t.Fatalf("first: %q", l)
	}
	write(strings.Replace(busy, "| y | 1m | name=one", "| other words | 2m | name=one", 1), "")
	if l := lines(); l[0] != "" {
		t.Errorf("no verdict changed, yet: %q", l)
	}
	write(strings.Replace(busy, "busy", "needs", 1), "")
	if l := lines(); len(l) != 1 || !strings.Contains(l[0], `"target":"a:0","was":"busy","agent":{`) || !strings.Contains(l[0], `"status":"needs-input"`) {
		t.Errorf("a changed verdict: %q", l)
	}
	write(strings.Replace(busy, "busy", "needs", 1), "")
	if l := lines(); l[0] != "" {
		t.Errorf("the same once more: %q", l)
	}
	asks := tuitest.Parse(strings.Replace(busy, "busy", "needs", 1))
	asks.Sessions[0].Windows[0].Panes[0].Agent.Verdict.Reason = "asks a question"
	if err := c.Write(asks, ""); err != nil {
		t.Fatal(err)
	}
	if l := lines(); len(l) != 1 || !strings.Contains(l[0], `"reason":"asks a question"`) {
		t.Errorf("another reason for the same status: %q", l)
	}
	write(strings.Replace(busy, "busy", "needs", 1), "")
	lines()
	write("$ a\n0 x | needs | y | 1m | name=one\n", "")
	if l := lines(); len(l) != 1 || !strings.Contains(l[0], `"was":"idle","agent":null}`) {
		t.Errorf("an agent that is gone: %q", l)
	}
}

func TestExitCodes(t *testing.T) {
	wrapped := fmt.Errorf("sending: %w", &Exit{Code: ExitRefused, Err: io.ErrUnexpectedEOF, Hint: "look at the pane"})
	for err, want := range map[error]int{nil: 0, io.EOF: 1, usage("x"): 2, wrapped: 3} {
		if got := ExitCode(err); got != want {
			t.Errorf("%v: exit %d, want %d", err, got, want)
		}
	}
	var b bytes.Buffer
	Report(&b, wrapped)
	if b.String() != "error: sending: unexpected EOF\nhint: look at the pane\n" {
		t.Errorf("reported as %q", b.String())
	}
}
