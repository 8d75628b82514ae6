package fakeagent

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
)

func TestDecoder(t *testing.T) {
	for _, c := range []struct {
		name string
		in   []string // separate reads
		want []token
	}{
		{"text and Enter", []string{"ab\r"}, []token{{kind: tokenText, text: "ab", raw: "ab"}, {kind: tokenKey, key: keyEnter, raw: "\r"}}},
		{"a letter split over two reads", []string{"\xc3", "\xbc"}, []token{{kind: tokenText, text: "ü", raw: "ü"}}},
		{
			"a paste with a CR and a key inside",
			[]string{"\x1b[200~a\rb\x1b[A\x1b[201~"},
			[]token{{kind: tokenPaste, text: "a\rb\x1b[A", raw: "\x1b[200~a\rb\x1b[A\x1b[201~"}},
		},
		{
			"a paste over several reads",
			[]string{"\x1b[20", "0~on", "e\x1b[201", "~x"},
			[]token{{kind: tokenPaste, text: "one", raw: "\x1b[200~one\x1b[201~"}, {kind: tokenText, text: "x", raw: "x"}},
		},
		{"an arrow key", []string{"\x1b[A"}, []token{{kind: tokenKey, key: keyUp, raw: "\x1b[A"}}},
		{"a mouse report", []string{"\x1b[<0;10;5M"}, []token{{kind: tokenReport, key: keyOther, raw: "\x1b[<0;10;5M"}}},
		{"Esc alone", []string{"\x1b"}, []token{{kind: tokenKey, key: keyEsc, raw: "\x1b"}}},
		{"Esc twice", []string{"\x1b\x1b"}, []token{{kind: tokenKey, key: keyEsc, raw: "\x1b"}, {kind: tokenKey, key: keyEsc, raw: "\x1b"}}},
	} {
		var d decoder
		var got []token
		for _, b := range c.in {
			got = append(got, d.feed([]byte(b))...)
		}
		got = append(got, d.flush()...)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

func FuzzDecoderKeepsEveryByte(f *testing.F) {
	f.Add("ab\r\x1b[A\x1b[200~x\x1b[201~ü", 3)
	f.Fuzz(func(t *testing.T, in string, cutAt int) {
		if len(in) > 1<<16 {
			return
		}
		cutAt = max(0, min(cutAt, len(in)))
		var d decoder
		var raw strings.Builder
		for _, tok := range append(append(d.feed([]byte(in[:cutAt])), d.feed([]byte(in[cutAt:]))...), d.flush()...) {
			raw.WriteString(tok.raw)
		}
		if got := raw.String() + string(d.buf); got != in {
			t.Errorf("bytes lost: %q became %q", in, got)
		}
	})
}

func TestComposer(t *testing.T) {
	var c composer
	c.paste("line one\nline two; with semi\n\ttabbed")
	if rows, x, y := c.layout(100); len(rows) != 3 || rows[2] != "    tabbed" || x != 10 || y != 2 {
		t.Errorf("three pasted lines: %q, cursor %d,%d", rows, x, y)
	}
	if got, _ := c.take(); got != "line one\nline two; with semi\n    tabbed" {
		t.Errorf("submitted %q", got)
	}
	c.paste("1\n2\n3\n4")
	c.take()
	c.paste("a\nb\nc\nd")
	if c.string() != "[Pasted text #2 +3 lines]" {
		t.Errorf("a second long paste shows %q", c.string())
	}
	got, _ := c.take()
	if !strings.HasPrefix(got, "\n\n<pasted_content id=\"") || !strings.Contains(got, "\">\na\nb\nc\nd\n</pasted_content id=\"") {
		t.Errorf("a long paste is submitted as %q", got)
	}
	c.paste("!touch x")
	if s, shell := c.take(); s != "touch x" || !shell {
		t.Errorf("a paste with a leading !: %q, %v", s, shell)
	}
	c.paste(strings.Repeat("w", 801))
	if c.string() != "[Pasted text #3]" {
		t.Errorf("801 characters show %q", c.string())
	}
}

// TestNarrow compares 34 columns with the recording, where everything wraps.
func TestNarrow(t *testing.T) {
	s := screen{
		width: 34, height: 20, version: "2.1.332", dir: "~/src/api", name: "api-worker", mode: "default", mark: "❯",
		hint: "◐ medium · /effort", agents: true,
	}
	compare := func(shot string) {
		t.Helper()
		f := s.render()
		var got []string
		for _, row := range f.rows {
			if w := ansi.StringWidth(row); w > s.width {
				t.Errorf("%s: a row of %d cells: %q", shot, w, ansi.Strip(row))
			}
			got = append(got, ansi.Strip(row))
		}
		b, err := os.ReadFile(filepath.Join(recordings, "narrow", "screens", shot+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		g, w := strings.Join(normal(strings.Join(got, "\n")), "\n"), strings.Join(normal(string(b)), "\n")
		if at := strconv.Itoa(f.x) + "," + strconv.Itoa(f.y); g != w || at != recordedCursor(t, "narrow", shot) {
			t.Errorf("%s: cursor %s\n--- recorded\n%s\n--- here\n%s", shot, at, w, g)
		}
	}
	s.agents = false
	compare("01-idle")
	s.dialog = permissionDialog("touch narrow.txt", "scripted command", "/home/me/src/api", "", "permission prompt")
	compare("02-permission")
}

func TestEncodeProject(t *testing.T) {
	for in, want := range map[string]string{
		"/home/me/src/api": "-home-me-src-api",
		"/tmp/a.b_c":       "-tmp-a-b-c",
		"/x/😀":             "-x---",
	} {
		if got := encodeProject(in); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
	if got := encodeProject("/" + strings.Repeat("a", 300)); len(got) < 202 || len(got) > 210 {
		t.Errorf("a long path becomes %d characters", len(got))
	}
}

func TestHookMatcher(t *testing.T) {
	for _, c := range []struct {
		matcher, subject string
		want             bool
	}{
		{"", "Bash", true},
		{"*", "Bash", true},
		{"Bash", "Bash", true},
		{"Bash", "BashOutput", false},
		{"Edit|Write", "Write", true},
		{"Edit, Write", "Write", true},
		{"mcp__.*", "mcp__x", true},
		{"^Note", "NotebookEdit", true},
		{"(", "x", false},
	} {
		if got := hookMatches(c.matcher, c.subject); got != c.want {
			t.Errorf("%q on %q: got %v", c.matcher, c.subject, got)
		}
	}
}

// syncBuffer is a terminal for tests that have none.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (s *syncBuffer) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *syncBuffer) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

// TestRunInProcess runs the library without a terminal, plays a script, and counts goroutines.
func TestRunInProcess(t *testing.T) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH) // starts the runtime's own goroutine for signals
	for _, speed := range []float64{1, 0.2, 0.04} {
		if runInProcess(t, speed) {
			return
		}
		t.Logf("the machine is too slow for %.2f times the speed", speed)
	}
	t.Error("the script is not played to its end")
}

// runInProcess reports whether the script was played to its end.
func runInProcess(t *testing.T, speed float64) bool {
	t.Helper()
	before := runtime.NumGoroutine()
	dir := t.TempDir()
	in, keys := io.Pipe()
	var out syncBuffer
	o := Options{
		ClaudeDir: dir, CWD: dir, Env: []string{"HOME=" + dir}, Latency: time.Millisecond, Spinner: 5 * time.Millisecond, Name: "demo",
		Loop: true, Speed: speed,
		Script: []Step{
			{Wait: 50 * time.Millisecond, Prompt: "tidy the imports", Acts: "tool Read main.go ;; bash gofmt -l . ;; say All tidy."},
			{Wait: 100 * time.Millisecond, Keys: "1", When: "dialog"},
			{Wait: 50 * time.Millisecond, Keys: "1", When: "dialog"}, // nothing is open any more: skipped
			{Wait: 50 * time.Millisecond, Prompt: "again", Acts: "say Once more."},
		},
	}
	done := make(chan error, 1)
	go func() { done <- Run(context.Background(), o, in, &out) }()
	played := false
	for deadline := time.Now().Add(time.Duration(float64(2*time.Second) / speed)); !played && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		played = strings.Contains(out.String(), "Once more.")
	}
	io.WriteString(keys, "\x03")
	io.WriteString(keys, "\x03")
	keys.Close()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	want := []string{"Resume this session with:", "\x1b[?1049l"}
	if played {
		want = append(want, "tidy the imports", "All tidy.")
	}
	for _, want := range want {
		if !strings.Contains(out.String(), want) {
			t.Errorf("never drawn: %q", want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "sessions", "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	if !poll(func() bool { return runtime.NumGoroutine() <= before }) {
		buf := make([]byte, 1<<16)
		t.Errorf("%d goroutines before, %d after\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
	}
	return played
}

func TestAgentsJSON(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	start, err := procStart(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, f registryFile) {
		b, _ := json.Marshal(f)
		if err := os.WriteFile(filepath.Join(dir, "sessions", name), b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	me := registryFile{PID: os.Getpid(), SessionID: "s", ProcStart: start, Kind: "interactive", Status: wordShell}
	write("1.json", me)
	me.ProcStart = "1"
	write("2.json", me) // a recycled pid
	if err := os.WriteFile(filepath.Join(dir, BackgroundFile), []byte(`[{"id":"662cc699","kind":"background","state":"working"}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	env := []string{EnvVar + "=1", "CLAUDE_CONFIG_DIR=" + dir}
	if code := Main(context.Background(), []string{"claude", "agents", "--json"}, env, nil, &out, &errs); code != 0 {
		t.Fatalf("exit %d: %s", code, errs.String())
	}
	var rows []agentRow
	if err := json.Unmarshal(out.Bytes(), &rows); err != nil {
		t.Fatalf("%v in %s", err, out.String())
	}
	want := []agentRow{{ID: "662cc699", Kind: "background", State: "working"}, {PID: os.Getpid(), SessionID: "s", Kind: "interactive", Status: wordBusy}}
	if !reflect.DeepEqual(rows, want) {
		t.Errorf("got %+v\nwant %+v", rows, want)
	}
	out.Reset()
	if code := Main(context.Background(), []string{"claude", "--version"}, env, nil, &out, &errs); code != 0 || out.String() != DefaultVersion+" (Claude Code)\n" {
		t.Errorf("--version: exit %d, %q", code, out.String())
	}
	if Invoked([]string{"/x/claude"}, nil) || Invoked([]string{"/x/signalbox"}, env) || !Invoked([]string{"/x/claude"}, env) {
		t.Error("Invoked does not need both the name and the variable")
	}
}
