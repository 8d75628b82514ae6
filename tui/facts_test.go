package tui

import (
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
	"signalbox/tui/tuitest"
)

// panelOf is the text of the panel with the only window of a board selected.
func panelOf(t *testing.T, row string, change ...func(*tracker.AgentRow)) string {
	t.Helper()
	snap := tuitest.Parse("$ work\n0 " + row + "\n")
	for _, f := range change {
		f(snap.Sessions[0].Windows[0].Panes[0].Agent)
	}
	d := newDriver(t, 160, 40)
	d.give(snap)
	lines := strings.Split(text(d), "\n")
	return strings.Join(lines[d.m.areas.panel.y:d.m.areas.panel.y+d.m.areas.facts], "\n")
}

func TestFacts(t *testing.T) {
	for _, c := range []struct {
		name   string
		row    string
		change func(*tracker.AgentRow)
		want   []string
	}{
		{
			"what is asked for", "claude | needs | x | 12s | name=api | tool=Bash | detail=rm -rf build | asked=clean up", nil,
			[]string{"▲ work:0.0 api   waits for permission · 10 s · told by Claude", "wants   Bash  rm -rf build", "asked   clean up"},
		},
		{"a question", "claude | question | x | 1m | tool=AskUserQuestion | detail=Which colour?", nil, []string{"asks a question · 1 min", "wants   an answer: Which colour?"}},
		{"a plan", "claude | needs | x | 1m | tool=ExitPlanMode", nil, []string{"wants   to carry out its plan"}},
		{"what is done", "claude | busy | x | 4m | tool=Read | detail=a.go | subagents=2", nil, []string{"works · 4 min", "2 subagents", "does    Read  a.go"}},
		{"one subagent", "claude | busy | x | 4m | subagents=1", nil, []string{"· 1 subagent\n"}},
		{"background work", "claude | bg | x | 4m", nil, []string{"◌ work:0.0", "1 background task"}},
		{"a hung turn", "claude | quiet | x | 40m", nil, []string{"no sign of progress"}},
		{"compaction", "claude | busy | x | 4m", func(a *tracker.AgentRow) { a.Verdict.Compacting = true }, []string{"compacting"}},
		{"a result", "claude | review | x | 14m | said=All tests pass. | asked=fix them", nil, []string{"done · 14 min · from a hook", "said    All tests pass.", "asked   fix them"}},
		{"a failure", "claude | failed | x | 2h", nil, []string{"✕ work:0.0", "stopped with an API error (rate limit) · 2 h"}},
		{"a queue", "claude | busy | x | 1m | queued=one;two", nil, []string{"queued  one  ·  two"}},
		{"an unknown one", "claude | unknown | x | 5m", nil, []string{"? work:0.0", "no hooks, no registry", "nothing is known"}},
		{"a shared session", "claude | idle | x | 1m", func(a *tracker.AgentRow) { a.SharesSession = true }, []string{"shares its session with another agent"}},
		{
			"model, mode, tokens and place", "claude | idle | x | 1m | mode=acceptEdits | in=12345 | out=42 | cached=1234567 | cwd=~/src/api | branch=main", nil,
			[]string{"opus-5-5 · accepts edits · 12k in 42 out 1.2M cached · ~/src/api (main)"},
		},
		{"what it was before", "claude | review | x | 14m", wasBefore, []string{"before  ◐ 3m   ▲ 20s   ◐ 2h"}},
		{"a shell", "zsh | shell | ~ | 3m | cwd=~/src", nil, []string{"work:0.0 zsh   at its prompt · output 3 min ago", "~/src"}},
		{"a server", "server | run | npm run dev | 3m | ports=3000 9229 | cwd=~/src", nil, []string{"▸ work:0.0 server   running", "runs    npm run dev", "~/src · :3000 :9229"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var change []func(*tracker.AgentRow)
			if c.change != nil {
				change = append(change, c.change)
			}
			got := panelOf(t, c.row, change...)
			squeezed := strings.Join(strings.FieldsFunc(got, func(r rune) bool { return r == '\n' }), "\n")
			for _, want := range c.want {
				if !strings.Contains(trimLines(squeezed), want) {
					t.Errorf("the panel lacks %q:\n%s", want, got)
				}
			}
		})
	}
}

// wasBefore gives an agent a past: it worked for two hours, asked for twenty seconds, and worked on.
func wasBefore(a *tracker.AgentRow) {
	until := a.Verdict.Since
	for _, s := range []struct {
		status tracker.Status
		lasted time.Duration
	}{{tracker.StatusBusy, 3 * time.Minute}, {tracker.StatusNeedsInput, 20 * time.Second}, {tracker.StatusBusy, 2 * time.Hour}} {
		began := until.Add(-s.lasted)
		a.Earlier = append(a.Earlier, tracker.Stretch{Verdict: tracker.Verdict{Status: s.status, Since: began}, Until: until})
		until = began
	}
}

// TestThePastDoesNotMove holds that lamps which tell of the past stand still while others turn.
func TestThePastDoesNotMove(t *testing.T) {
	snap := tuitest.Parse("$ work\n0 claude | busy | x | 14m\n")
	wasBefore(snap.Sessions[0].Windows[0].Panes[0].Agent)
	d := newDriver(t, 160, 40)
	d.give(snap)
	past := func() (before, cell string) {
		for line := range strings.Lines(text(d)) {
			switch {
			case strings.Contains(line, "before"):
				before = line
			case cell == "" && strings.Contains(line, "claude"):
				cell = line
			}
		}
		return before, cell
	}
	before, cell := past()
	d.pass(500 * time.Millisecond)
	now, turned := past()
	if before == "" || before != now {
		t.Errorf("the past moves: %q, %q", before, now)
	}
	if cell == turned {
		t.Errorf("nothing turns: %q", cell)
	}
}

func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

func TestPanesOfAWindowAreNamed(t *testing.T) {
	d := newDriver(t, 160, 40)
	d.give(tuitest.Parse("$ work\n0 pair | busy | x | 1m | name=first\n+ second | needs | y | 2m | name=second\n+ sh | shell | ~ | 1m\n"))
	if !strings.Contains(text(d), "panes   ◐ .0 first   ▲ .1 second   .2 zsh") {
		t.Errorf("the panes are not named:\n%s", text(d))
	}
}

func TestAmounts(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1.0k", 9949: "9.9k", 9999: "10k", 10000: "10k", 999499: "999k", 999500: "1.0M", 9949999: "9.9M", 9950000: "10M", 123456789: "123M"} {
		if got := amount(n); got != want {
			t.Errorf("amount(%d) = %q, want %q", n, got, want)
		}
	}
}

func TestModelNames(t *testing.T) {
	for in, want := range map[string]string{
		"claude-opus-5-5-20260101": "opus-5-5", "claude-sonnet-4-5": "sonnet-4-5", "opus": "opus", "": "", "my-model-12345678x": "my-model-12345678x",
	} {
		if got := modelName(in); got != want {
			t.Errorf("modelName(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in   string
		w    int
		want string
	}{
		{"one two three", 7, "one two|three"}, {"longer than it", 4, "longer|than|it"}, {"", 5, ""}, {"x", 0, ""}, {"日本 語", 5, "日本|語"},
	} {
		if got := strings.Join(wrap(c.in, c.w), "|"); got != c.want {
			t.Errorf("wrap(%q, %d) = %q, want %q", c.in, c.w, got, c.want)
		}
	}
}
