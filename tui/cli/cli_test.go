package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tracker"
	"signalbox/tui/style"
	"signalbox/tui/tuitest"
)

var update = flag.Bool("update", false, "write the golden texts anew")

const goldenDir = "../../testdata/golden/cli"

func colours() *style.Style {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(termenv.ANSI256)
	r.SetHasDarkBackground(true)
	return style.New(r, style.Options{Still: true})
}

// golden compares a text with its file; ESC is written as ␛ so that files can be read.
func golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, "\x1b", "␛")
	path := filepath.Join(goldenDir, name+".txt")
	if *update {
		if err := os.MkdirAll(goldenDir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; if that is right, run with -update.\n--- want\n%s--- got\n%s", name, want, got)
	}
}

func statusText(t *testing.T, snap *tracker.Snapshot, o StatusOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := Status(&b, snap, tuitest.Now(), o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestStatusTable(t *testing.T) {
	everyday := func() *tracker.Snapshot { return tuitest.Parse(tuitest.Everyday) }
	absent := &tracker.Snapshot{Tmux: tracker.TmuxState{State: tracker.StateAbsent, Server: tracker.ServerID{Socket: "/tmp/tmux-1000/default"}}}
	failing := everyday()
	failing.Sources = append(failing.Sources, tracker.SourceHealth{
		Source: tracker.SourceRegistry, State: tracker.StateFailed,
		Since: tuitest.Now().Add(-3 * time.Minute), Detail: "permission denied\x1b[2J",
	})
	for _, c := range []struct {
		name string
		snap *tracker.Snapshot
		o    StatusOptions
	}{
		{"status-plain", everyday(), StatusOptions{}},
		{"status-80", everyday(), StatusOptions{Width: 80, Home: "/home/me"}},
		{"status-34", everyday(), StatusOptions{Width: 34}},
		{"status-colours", everyday(), StatusOptions{Width: 100, Style: colours()}},
		{"status-waiting", everyday(), StatusOptions{Waiting: true}},
		{"status-nobody", tuitest.Parse("$ api\n0 zsh | shell | ~ | 1m"), StatusOptions{Waiting: true}},
		{"status-wide", tuitest.Parse(tuitest.Wide), StatusOptions{Width: 80}},
		{"status-no-server", absent, StatusOptions{}},
		{"status-source-down", failing, StatusOptions{Width: 80}},
	} {
		golden(t, c.name, statusText(t, c.snap, c.o))
	}
}

// TestStatusFitsEveryWidth: no row is wider than the terminal, whatever the texts are.
func TestStatusFitsEveryWidth(t *testing.T) {
	for _, board := range []string{tuitest.Everyday, tuitest.Wide, tuitest.Long()} {
		snap := tuitest.Parse(board)
		for width := 12; width <= 220; width++ {
			for _, l := range strings.Split(statusText(t, snap, StatusOptions{Width: width, Style: colours()}), "\n") {
				if ansi.StringWidth(l) > width {
					t.Fatalf("at %d cells a row takes %d: %q", width, ansi.StringWidth(l), ansi.Strip(l))
				}
			}
		}
	}
}

// TestNothingSteersTheTerminal: texts from outside reach no output as control characters.
func TestNothingSteersTheTerminal(t *testing.T) {
	snap := tuitest.Parse(tuitest.Wide)
	snap.Tmux.State, snap.Tmux.Detail = tracker.StateOK, "x\x1b]2;y\a"
	outputs := map[string]func(io.Writer) error{
		"status": func(w io.Writer) error { return Status(w, snap, tuitest.Now(), StatusOptions{}) },
		"json":   func(w io.Writer) error { return StatusJSON(w, snap, StatusOptions{}) },
		"tmux":   func(w io.Writer) error { return TmuxLine(w, snap) },
		"public": func(w io.Writer) error {
			b, err := PublicStatus(snap, tuitest.Now())
			if err != nil {
				return err
			}
			_, err = w.Write(b)
			return err
		},
		"watch": func(w io.Writer) error { return NewChanges(w).Write(snap, "") },
	}
	snap.Windows(func(_ *tracker.SessionRow, win *tracker.WindowRow) bool {
		for _, p := range win.Panes {
			outputs["explain "+string(p.ID)] = func(w io.Writer) error { return Explain(w, snap, p, tuitest.Now()) }
		}
		return true
	})
	for name, f := range outputs {
		var b bytes.Buffer
		if err := f(&b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, r := range b.String() {
			if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
				t.Errorf("%s holds %U: %q", name, r, b.String())
				break
			}
		}
		if !utf8.Valid(b.Bytes()) {
			t.Errorf("%s is not UTF-8", name)
		}
	}
}

// contract is the example of the promised form, word for word.
const contract = `{"version":1,"rev":812,"generatedAt":1796075533.614,
 "tmux":{"socket":"…","pid":11557,"version":"3.4","state":"ok"},
 "sources":[{"name":"hooks","state":"ok","since":1796075500.1,"detail":""}],
 "attention":{"needsInput":1,"review":2},
 "sessions":[{"id":"$1","name":"work","attached":true,"activity":1796075530,"status":"needs-input",
   "windows":[{"id":"@4","index":0,"name":"claude","active":true,"target":"work:0","statusKind":"waiting","summary":"Bash: go test ./...",
     "panes":[{"id":"%5","pid":4242,"active":true,"command":"claude","path":"/home/me/src/api","title":"…",
       "agent":{"pid":4250,"sessionId":"…","name":"api-worker","version":"2.1.332","status":"needs-input","reason":"permission prompt","source":"registry",
         "since":1796075531.9,"evidenceAge":0.4,"background":0,"compacting":false,"failed":"","permissionMode":"default","tool":"Bash","prompt":"…","last":"…",
         "model":"…","tokens":{"input":0,"output":0,"cacheRead":0,"cacheWrite":0},"subagents":0,"ports":[3000],"cwd":"…","sharesSession":false}}]}]}],
 "background":[{"id":"1209a857","name":"docs-check","state":"working","status":"busy","cwd":"…","pid":0}]}`

// shapeOf is a JSON value with its fields and types, without its values.
func shapeOf(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = shapeOf(e)
		}
		return out
	case []any:
		if len(v) == 0 {
			return []any{}
		}
		return []any{shapeOf(v[0])}
	}
	return fmt.Sprintf("%T", v)
}

func decode(t *testing.T, b []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v in %s", err, b)
	}
	return v
}

func TestJSONHasTheContractsForm(t *testing.T) {
	snap := tuitest.Parse("$ work attached\n0 claude | needs | Bash: go test ./... | 12s | name=api-worker | tool=Bash | ports=3000\n& docs-check | busy | working | 3m\n")
	snap.Sources = []tracker.SourceHealth{{Source: "hooks", State: "ok"}}
	var b bytes.Buffer
	if err := StatusJSON(&b, snap, StatusOptions{}); err != nil {
		t.Fatal(err)
	}
	got, want := shapeOf(decode(t, b.Bytes())), shapeOf(decode(t, []byte(contract)))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the form differs from the contract\ngot  %v\nwant %v", got, want)
	}
	if n := strings.Count(b.String(), "\n"); n != 1 {
		t.Errorf("%d lines", n)
	}
}

func TestJSONValues(t *testing.T) {
	at := time.Date(2026, 11, 30, 22, 0, 0, 614e6, time.UTC)
	since := at.Add(-1700 * time.Millisecond)
	other := &tracker.AgentRow{ID: tracker.AgentID{PID: 8}, Verdict: tracker.Verdict{Status: tracker.StatusUnknown, Suspended: true}}
	a := &tracker.AgentRow{
		ID: tracker.AgentID{PID: 7, Start: 1}, SessionID: "s", Pane: "%5",
		Verdict: tracker.Verdict{Status: tracker.StatusNeedsInput, Reason: "waits for permission", Source: tracker.SourceRegistry, Since: since, FactAt: at.Add(-400 * time.Millisecond)},
	}
	p := &tracker.PaneRow{Pane: tracker.Pane{ID: "%5", PID: 4242, Active: true, Title: "c1 \u009b, rtl \u202e"}, Agent: a, Others: []*tracker.AgentRow{other}}
	snap := &tracker.Snapshot{Rev: 812, At: at, Sessions: []*tracker.SessionRow{{ID: "$1", Name: "work", Windows: []*tracker.WindowRow{{ID: "@4", Panes: []*tracker.PaneRow{p}}}}}}
	var b bytes.Buffer
	if err := StatusJSON(&b, snap, StatusOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`"generatedAt":` + number(t, sinceUnix(at)), `"since":` + number(t, sinceUnix(since)), `"evidenceAge":0.4`, `"ports":[]`, `"sources":[]`,
		`"background":[]`, `"target":"work:0"`, `"activity":0`, `"title":"c1 \u009b, rtl \u202e"`, `"others":[{"pid":8`,
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %s in %s", want, b.String())
		}
	}
	title := decode(t, b.Bytes()).(map[string]any)["sessions"].([]any)[0].(map[string]any)["windows"].([]any)[0].(map[string]any)["panes"].([]any)[0].(map[string]any)["title"]
	if title != p.Title {
		t.Errorf("escaping lost something: %q", title)
	}
	b.Reset()
	if err := StatusJSON(&b, snap, StatusOptions{Waiting: true}); err != nil || !strings.Contains(b.String(), `"%5"`) {
		t.Errorf("--waiting: %v, %s", err, b.String())
	}
	a.Verdict.Dialog = true // the person's own dialog: nobody is called for
	b.Reset()
	if err := StatusJSON(&b, snap, StatusOptions{Waiting: true}); err != nil || strings.Contains(b.String(), `"%5"`) {
		t.Errorf("--waiting with an own dialog: %v, %s", err, b.String())
	}
}

func number(t *testing.T, f float64) string {
	t.Helper()
	b, err := json.Marshal(f)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestTmuxLine(t *testing.T) {
	line := func(snap *tracker.Snapshot) string {
		var b bytes.Buffer
		if err := TmuxLine(&b, snap); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if got, want := line(tuitest.Parse(tuitest.Everyday)),
		"#[fg=colour16,bg=colour221,bold] ▲1 api:0 #[default]#[fg=colour231,bg=colour160,bold] ✕1 #[default]#[fg=colour231,bg=colour92,bold] ◆1 #[default] ◐3\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	looked := tuitest.Parse("$ a\n0 x | review | y | 1m\n1 y | needs | y | 2m\n2 z | needs | y | 1m")
	looked.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		if a := w.Panes[0].Agent; a.Verdict.Status == tracker.StatusNeedsInput {
			a.Evidence.LookedAt = tuitest.Now()
		}
		return true
	})
	if got := line(looked); !strings.Contains(got, " ▲2 a:1 ") {
		t.Errorf("beside those that need input stands one that does not: %q", got)
	}
	if got := line(tuitest.Parse("$ a#[fg=red]#(id)\n0 x | needs | y | 1m")); !strings.HasSuffix(got, " a##[fg=red]##(id):0 #[default]\n") {
		t.Errorf("a name with format code: %q", got)
	}
	if got := line(tuitest.Parse("$ a\n0 zsh | shell | ~ | 1m")); got != "\n" {
		t.Errorf("a calm board: %q", got)
	}
	if got := line(tuitest.Parse("$ a\n0 x | busy | y | 1m")); got != "◐1\n" {
		t.Errorf("work that needs nobody has a colour, and colours are not readable on every bar: %q", got)
	}
	broken := tuitest.Parse("$ a\n0 zsh | shell | ~ | 1m")
	broken.Tmux.State = tracker.StateFailed
	if got := line(broken); got != "#[fg=colour231,bg=colour160,bold] ? tmux #[default]\n" {
		t.Errorf("tmux failed: %q", got)
	}
}

func TestPublicStatus(t *testing.T) {
	snap := tuitest.Parse(tuitest.Everyday)
	snap.Sessions = append(snap.Sessions, &tracker.SessionRow{ID: "$9", Name: "empty"})
	b, err := PublicStatus(snap, tuitest.Now().Add(999*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, b, "", " "); err != nil {
		t.Fatal(err)
	}
	golden(t, "public", indented.String())
	kinds := []string{"active", "running", "waiting", "idle", "error"}
	var file publicStatus
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	for _, s := range file.Sessions {
		for _, w := range s.Windows {
			if !slices.Contains(kinds, w.StatusKind) {
				t.Errorf("%s has the kind %q", w.Target, w.StatusKind)
			}
		}
	}
	if b, err = PublicStatus(&tracker.Snapshot{}, tuitest.Now()); err != nil || !strings.HasSuffix(string(b), `"sessions":[]}`+"\n") {
		t.Errorf("without tmux: %s, %v", b, err)
	}
}

func TestPublicSummaryIsBounded(t *testing.T) {
	for _, text := range []string{strings.Repeat("word ", 40), strings.Repeat("語", 60), strings.Repeat("e\u0301", 100), "two\nlines\x1b[2J", ""} {
		got := publicSummary(text)
		if ansi.StringWidth(got) > 80 || utf8.RuneCountInString(got) > 80 || strings.ContainsAny(got, "\n\x1b") {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func TestExplain(t *testing.T) {
	now := tuitest.Now()
	a := &tracker.AgentRow{ID: tracker.AgentID{PID: 4250, Start: 9}, Pane: "%5", Name: "api-worker", Verdict: tracker.Verdict{
		Status: tracker.StatusNeedsInput,
		Reason: "waits for permission", Source: tracker.SourceRegistry, Since: now.Add(-40 * time.Second), FactAt: now.Add(-40 * time.Second),
	}}
	a.Evidence.Process = tracker.ProcessEvidence{At: now.Add(-2 * time.Second), Claude: true}
	a.Evidence.Registry = tracker.RegistryEvidence{At: now.Add(-39 * time.Second), Word: "waiting", WaitingFor: "permission prompt", StatusAt: now.Add(-40 * time.Second)}
	a.Evidence.Agents = tracker.AgentsEvidence{At: now.Add(-50 * time.Second), Status: "busy"}
	p := &tracker.PaneRow{Pane: tracker.Pane{ID: "%5"}, Agent: a}
	shell := &tracker.PaneRow{Pane: tracker.Pane{ID: "%6", Index: 1, Command: "zsh"}}
	snap := &tracker.Snapshot{Sessions: []*tracker.SessionRow{{Name: "api", Windows: []*tracker.WindowRow{{Name: "claude", Summary: "~/src/api", Kind: tracker.KindWaiting, Panes: []*tracker.PaneRow{p, shell}}}}}}
	var b bytes.Buffer
	for _, pane := range []*tracker.PaneRow{p, shell} {
		if err := Explain(&b, snap, pane, now); err != nil {
			t.Fatal(err)
		}
	}
	golden(t, "explain", b.String())
	if err := Explain(&b, snap, &tracker.PaneRow{Pane: tracker.Pane{ID: "%9"}}, now); ExitCode(err) != ExitNoTarget {
		t.Errorf("a pane that is gone: %v", err)
	}
}
