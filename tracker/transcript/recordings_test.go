package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"signalbox/tracker"
)

// recordedFacts is what a transcript of a real Claude Code must come to. Times are the part of
// the timestamps that differs, "15:04:05.000"; "" is never.
type recordedFacts struct {
	file                          string // scenario, and the session where there are two
	prompt, promptAt              string
	last, lastAt                  string
	tool, detail                  string
	pending                       bool
	interrupted, turnEnd, compact string
	err, errAt                    string
	answers                       int // API answers counted, each 1200/42/9000/300 tokens
	title                         string
}

const words16 = "word word word word word word word word word word word word word word word word"

func recorded() []recordedFacts {
	const words16 = "word word word word word word word word word word word word word word word word"
	return []recordedFacts{
		// What stands last on the screen is the error.
		{
			file: "api-error", prompt: "fail 529", promptAt: "22:03:27.419", err: "server_error", errAt: "22:03:29.085", title: "api-worker",
			last: "API Error: Repeated 529 Overloaded errors. The API is at capacity — this is usually temporary. Try again in a moment. " +
				"If it persists, check your inference gateway (127.0.0.1:18099).", lastAt: "22:03:29.085",
		},
		{
			file: "approve", prompt: "bash ls > listing.txt", promptAt: "22:01:30.308", last: "Tool finished; all done.", lastAt: "22:01:39.595",
			tool: "Bash", detail: "ls > listing.txt", turnEnd: "22:01:39.650", answers: 2, title: "api-worker",
		},
		{
			file: "auto-mode", prompt: "bash touch auto.txt", promptAt: "22:09:35.681", last: "Tool finished; all done.", lastAt: "22:09:36.010",
			tool: "Bash", detail: "touch auto.txt", turnEnd: "22:09:36.090", answers: 2, title: "api-worker",
		},
		{
			file: "background-agent", prompt: "slow 6", promptAt: "22:10:03.334", last: words16 + "*", lastAt: "22:10:09.497",
			turnEnd: "22:10:09.656", answers: 1, title: "docs-check",
		},
		// A background shell that ends starts a turn nobody asked for: the prompt stays.
		{
			file: "background-shell", prompt: "bgbash sleep 12", promptAt: "22:03:41.283", last: "Echo:", lastAt: "22:03:53.573",
			tool: "Bash", detail: "sleep 12", turnEnd: "22:03:53.611", answers: 3, title: "api-worker",
		},
		// A `!` line is no prompt.
		{
			file: "bash-mode", last: "Echo: <bash-stdout>(Bash completed with no output)</bash-stdout><bash-stderr></bash-stderr>", lastAt: "22:07:12.465",
			turnEnd: "22:07:12.568", answers: 1, title: "api-worker",
		},
		{
			file: "clear/transcript-7b39a7db", prompt: "hello", promptAt: "22:04:51.419", last: "Echo: hello", lastAt: "22:04:51.544",
			turnEnd: "22:04:51.631", answers: 1, title: "api-worker",
		},
		{
			file: "clear/transcript-fd969889", prompt: "hello again", promptAt: "22:04:58.070", last: "Echo: hello again", lastAt: "22:04:58.172",
			turnEnd: "22:04:58.231", answers: 1, title: "api-worker",
		},
		// The summary is not the person's, and neither is the command.
		{
			file: "compact", prompt: "hello", promptAt: "22:05:08.925", last: "Echo: hello", lastAt: "22:05:09.149",
			turnEnd: "22:05:09.269", compact: "22:05:12.557", answers: 1, title: "api-worker",
		},
	}
}

// recordedMore is the other half of the alphabet.
func recordedMore() []recordedFacts {
	return []recordedFacts{
		{
			file: "deny", prompt: "bash touch denied.txt", promptAt: "22:01:50.497", last: "Running Bash.", lastAt: "22:01:50.611",
			tool: "Bash", detail: "touch denied.txt", interrupted: "22:01:53.534", answers: 1, title: "api-worker",
		},
		{file: "dialog", title: "api-worker"},
		{
			file: "exit", prompt: "hello", promptAt: "22:05:27.199", last: "Echo: hello", lastAt: "22:05:27.440",
			turnEnd: "22:05:27.554", answers: 1, title: "api-worker",
		},
		{
			file: "interrupt", prompt: "slow 20", promptAt: "22:02:15.187", last: words16, lastAt: "22:02:18.404",
			interrupted: "22:02:18.410", answers: 1, title: "api-worker",
		},
		// Killed in front of the dialog: pending for ever.
		{
			file: "killed", prompt: "bash touch x", promptAt: "22:05:42.347", last: "Running Bash.", lastAt: "22:05:42.486",
			tool: "Bash", detail: "touch x", pending: true, answers: 1, title: "api-worker",
		},
		{
			file: "naive-send", prompt: "bash ls > listing.txt", promptAt: "22:09:12.989", last: "Tool finished; all done.", lastAt: "22:09:16.391",
			tool: "Bash", detail: "ls > listing.txt", turnEnd: "22:09:16.442", answers: 2, title: "api-worker",
		},
		{
			file: "narrow", prompt: "bash touch narrow.txt", promptAt: "22:08:35.956", last: "Running Bash.", lastAt: "22:08:36.085",
			tool: "Bash", detail: "touch narrow.txt", interrupted: "22:08:39.001", answers: 1, title: "api-worker",
		},
		{
			file: "paste", prompt: "<pasted_content id=\"49d1\">\nrow 0 of a long paste\n*", promptAt: "22:09:02.116",
			last: "Echo: <pasted_content id=\"49d1\">\nrow 0 of a long paste\n*", lastAt: "22:09:02.248", turnEnd: "22:09:02.390", answers: 2, title: "api-worker",
		},
		{
			file: "plan", prompt: "plan", promptAt: "22:03:03.076", last: "Running ExitPlanMode.", lastAt: "22:03:03.206",
			tool: "ExitPlanMode", detail: "1. do it", interrupted: "22:03:12.301", answers: 1, title: "api-worker",
		},
		{file: "print-mode", prompt: "hello headless", promptAt: "22:09:46.561", last: "Echo: hello headless", lastAt: "22:09:46.652", answers: 1, title: "api-worker"},
		{
			file: "prompt", prompt: "hello there", promptAt: "22:02:04.346", last: "Echo: hello there", lastAt: "22:02:04.457",
			turnEnd: "22:02:04.518", answers: 1, title: "api-worker",
		},
		{
			file: "question", prompt: "ask", promptAt: "22:02:29.228", last: "Tool finished; all done.", lastAt: "22:02:38.444",
			tool: "AskUserQuestion", detail: "Which database?", turnEnd: "22:02:38.486", answers: 2, title: "api-worker",
		},
		{
			file: "question-cancelled", prompt: "ask", promptAt: "22:02:49.238", last: "Running AskUserQuestion.", lastAt: "22:02:49.362",
			tool: "AskUserQuestion", detail: "Which database?", interrupted: "22:02:52.261", answers: 1, title: "api-worker",
		},
		{
			file: "queued", prompt: "queued one", promptAt: "22:08:07.798", last: "Echo: queued one", lastAt: "22:08:07.825",
			turnEnd: "22:08:07.883", answers: 2, title: "api-worker",
		},
		{
			file: "resume", prompt: "again", promptAt: "22:06:09.029", last: "Echo: again", lastAt: "22:06:09.247",
			turnEnd: "22:06:09.433", answers: 2, title: "api-worker",
		},
		{
			file: "subagent", prompt: "agent slow 5", promptAt: "22:04:10.338", last: "Echo:", lastAt: "22:04:15.832",
			tool: "Agent", detail: "scripted helper", turnEnd: "22:04:15.874", answers: 3, title: "api-worker",
		},
		{
			file: "subagent-permission", prompt: "agent bash touch from-subagent.txt", promptAt: "22:04:29.376", last: "Echo:", lastAt: "22:04:38.931",
			tool: "Agent", detail: "scripted helper", turnEnd: "22:04:38.970", answers: 3, title: "api-worker",
		},
		{
			file: "transcript-view", prompt: "hello", promptAt: "22:07:44.310", last: "Echo: hello", lastAt: "22:07:44.438",
			turnEnd: "22:07:44.504", answers: 1, title: "api-worker",
		},
	}
}

func TestFactsOfEveryRecording(t *testing.T) {
	all, err := filepath.Glob("../../testdata/recordings/*/transcript-*.jsonl")
	if err != nil || len(all) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	covered := map[string]bool{}
	for _, want := range append(recorded(), recordedMore()...) {
		pattern := "../../testdata/recordings/" + want.file
		if !strings.Contains(want.file, "/") {
			pattern += "/transcript-"
		}
		paths, _ := filepath.Glob(pattern + "*.jsonl")
		if len(paths) != 1 {
			t.Fatalf("%s: %d transcripts", want.file, len(paths))
		}
		covered[filepath.Clean(paths[0])] = true
		t.Run(want.file, func(t *testing.T) { compareRecorded(t, want, readFacts(t, paths[0])) })
	}
	for _, p := range all {
		if !covered[filepath.Clean(p)] {
			t.Errorf("no expectation for %s", p)
		}
	}
}

func compareRecorded(t *testing.T, want recordedFacts, got tracker.TranscriptFacts) {
	t.Helper()
	text := func(name, want, got string) {
		t.Helper()
		prefix, open := strings.CutSuffix(want, "*")
		if got != want && !(open && strings.HasPrefix(got, prefix)) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	clock := func(name, want string, got interface{ Format(string) string }, zero bool) {
		t.Helper()
		s := ""
		if !zero {
			s = got.Format("15:04:05.000")
		}
		text(name, want, s)
	}
	text("prompt", want.prompt, got.Prompt)
	clock("prompt at", want.promptAt, got.PromptAt, got.PromptAt.IsZero())
	text("last", want.last, got.LastText)
	clock("last at", want.lastAt, got.LastTextAt, got.LastTextAt.IsZero())
	text("tool", want.tool, got.Tool)
	text("detail", want.detail, got.ToolDetail)
	text("title", want.title, got.CustomTitle)
	text("error", want.err, got.Error)
	clock("error at", want.errAt, got.ErrorAt, got.ErrorAt.IsZero())
	clock("interrupted", want.interrupted, got.InterruptedAt, got.InterruptedAt.IsZero())
	clock("turn end", want.turnEnd, got.TurnEndAt, got.TurnEndAt.IsZero())
	clock("compacted", want.compact, got.CompactedAt, got.CompactedAt.IsZero())
	if got.ToolPending != want.pending {
		t.Errorf("pending: got %v", got.ToolPending)
	}
	if len(got.Queued) > 0 {
		t.Errorf("queued at the end: %q", got.Queued)
	}
	n := want.answers
	if w := (tracker.Tokens{Input: 1200 * n, Output: 42 * n, CacheRead: 9000 * n, CacheWrite: 300 * n}); got.Tokens != w {
		t.Errorf("tokens: got %+v, want %+v", got.Tokens, w)
	}
	if n > 0 && (got.Model != "claude-opus-5-5" || got.Version != "2.1.332" || got.CWD != "/home/me/src/api") {
		t.Errorf("context: %q %q %q", got.Model, got.Version, got.CWD)
	}
}

// readFacts reads a whole file the way the watcher does.
func readFacts(t *testing.T, path string) tracker.TranscriptFacts {
	t.Helper()
	f := newFile(path, newLedger(ledgerIDs), make([]byte, chunkBytes))
	if _, err := f.read(); err != nil {
		t.Fatal(err)
	}
	return f.facts()
}

// foldLines folds lines as one piece.
func foldLines(lines ...string) *accum {
	l := newLedger(ledgerIDs)
	a := newAccum(l, l.open())
	var d decoder
	d.write([]byte(strings.Join(lines, "\n")+"\n"), a.fold)
	return a
}

func factsOf(lines ...string) tracker.TranscriptFacts { return foldLines(lines...).sum(nil, true) }

func readTestFile(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
