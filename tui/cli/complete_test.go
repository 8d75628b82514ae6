package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// glancing answers completions with one board, or with an error.
type glancing struct {
	Desk
	snap *tracker.Snapshot
}

func (d *glancing) Glance(context.Context) (*tracker.Snapshot, error) {
	if d.snap == nil {
		return nil, errors.New("no tmux")
	}
	return d.snap, nil
}

// offered are the words offered for a command line, without their descriptions.
func offered(t *testing.T, d Desk, args ...string) []string {
	t.Helper()
	out, err := run(t, d, append([]string{"__complete"}, args...)...)
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for l := range strings.Lines(out) {
		if strings.HasPrefix(l, ":") {
			break // the directive; a remark for people follows
		}
		word, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
		words = append(words, word)
	}
	return words
}

func TestTargetsAreOffered(t *testing.T) {
	d := &glancing{snap: tuitest.Parse("$ api attached\n0 claude | needs | Bash: ls | 12s | name=api-worker\n1 two | busy | x | 1s | name=twin\n+ claude | idle | y | 1s | name=twin\n2 logs | run | tail | 1s\n" +
		"$ my notes\n0 zsh | shell | ~ | 1s\n$ evil\x1b]52;c;x\a\n3 bad\x1b[2J | run | make\tall | 1s\n")}
	all := []string{"api:0", "api:1", "%1", "%2", "api:2", "api-worker"}
	agents := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return s == "api:2" })
	for c, want := range map[string][]string{"status": all, "watch": all, "explain": all, "jump": all, "ack": agents, "send": agents} {
		if got := offered(t, d, c, ""); !slices.Equal(got, want) {
			t.Errorf("%s: %q", c, got)
		}
		if got := offered(t, d, c, "api:0", ""); len(got) != 0 {
			t.Errorf("%s: a second target is offered: %q", c, got)
		}
	}
	if got := offered(t, &glancing{}, "status", ""); len(got) != 0 {
		t.Errorf("without tmux: %q", got)
	}
}

func TestWordsAreOffered(t *testing.T) {
	d := &glancing{}
	if got := offered(t, d, "watch", "--until", ""); !slices.Contains(got, "needs-input") || !slices.Contains(got, "done") || len(got) != len(goals) {
		t.Errorf("%q", got)
	}
	if got := offered(t, d, "hooks", ""); !slices.Contains(got, "install") {
		t.Errorf("%q", got)
	}
	for _, line := range [][]string{{"doctor", ""}, {"hooks", "install", ""}, {"config", ""}} {
		out, err := run(t, d, append([]string{"__complete"}, line...)...)
		if err != nil || !strings.Contains(out, ":4\n") { // no file names
			t.Errorf("%q: %v\n%s", line, err, out)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if out, err := run(t, d, "completion", shell); err != nil || !strings.Contains(out, "signalbox") {
			t.Errorf("%s: %v", shell, err)
		}
	}
}
