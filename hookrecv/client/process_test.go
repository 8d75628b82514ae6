package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// asHook makes the test binary behave as `signalbox hook`; a path in keepStatus is where it leaves
// what the kernel says of it at the end, for which it takes all the time that it needs.
const (
	asHook     = "SIGNALBOX_TEST_AS_HOOK"
	keepStatus = "SIGNALBOX_TEST_KEEP_STATUS"
)

func TestMain(m *testing.M) {
	if os.Getenv(asHook) != "" {
		path := os.Getenv(keepStatus)
		if path == "" {
			Main()
			os.Exit(0)
		}
		_ = Run(Call{Begun: time.Now(), Stdin: os.Stdin, Env: os.Getenv}) // the test sees by the log whether it did
		status, _ := os.ReadFile("/proc/self/status")
		_ = os.WriteFile(path, status, 0o600)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// process is a hook process in this place, not yet started.
func (p place) process(t *testing.T) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe)
	cmd.Env = []string{asHook + "=1", "GORACE=atexit_sleep_ms=0", "GOMAXPROCS=1"} // as the installed command has it
	for k, v := range p.env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	return cmd
}

// quietly waits for a process that has to succeed without a word.
func quietly(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil || out.Len() > 0 {
		t.Errorf("hook process: %v, printed %q", err, out.String())
	}
}

func TestFiftyHooksAtOnce(t *testing.T) {
	p := newPlace(t)
	got := board(t, p.runDirs()[0], 1)
	const hooks = 50
	var wg sync.WaitGroup
	for i := range hooks {
		cmd := p.process(t)
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":"Stop","session_id":"s%d"}`, i))
		wg.Go(func() { quietly(t, cmd) })
	}
	wg.Wait()
	seen := map[string]int{}
	for _, m := range p.logged(t) {
		seen[m.Hook.SessionID]++
	}
	for range hooks {
		m := <-got
		seen[m.Hook.SessionID]++
	}
	for i := range hooks {
		if n := seen[fmt.Sprintf("s%d", i)]; n != 2 {
			t.Errorf("hook %d arrived %d times, want once at the board and once in the log", i, n)
		}
	}
}

func TestQuietWhateverComes(t *testing.T) {
	p := newPlace(t)
	if err := os.WriteFile(p.env["HOME"], nil, 0o600); err != nil { // no state folder either
		t.Fatal(err)
	}
	for _, in := range []string{
		"", "garbage", "[1,2]", `{"hook_event_name":"Stop","session_id":`, `{"hook_event_name":"NeverHeardOf"}`,
		`{"hook_event_name":"Stop","session_id":"../../x","transcript_path":"/etc/passwd"}`,
	} {
		cmd := p.process(t)
		cmd.Stdin = strings.NewReader(in)
		quietly(t, cmd)
	}
	closed := p.process(t)
	closed.Stdin, _ = os.Open(os.DevNull)
	quietly(t, closed)
}

// Claude Code has left standard input open behind a complete payload, and a pipe may stay silent.
func TestOpenStandardInput(t *testing.T) {
	for name, tt := range map[string]struct {
		payload string
		logged  int
	}{
		"behind the payload":     {stopPayload, 1},
		"in the payload":         {stopPayload[:20], 0},
		"without a single byte":  {"", 0},
		"behind a line of blank": {"\n", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close()
			defer r.Close()
			if _, err := io.WriteString(w, tt.payload); err != nil {
				t.Fatal(err)
			}
			cmd := p.process(t)
			cmd.Stdin = r
			begun := time.Now()
			quietly(t, cmd)
			if took := time.Since(begun); tt.logged == 0 && took < silenceLimit {
				t.Errorf("gave up after %v", took)
			} else if took > 4*totalLimit {
				t.Errorf("took %v", took)
			}
			if n := len(p.logged(t)); n != tt.logged {
				t.Errorf("%d lines in the log, want %d", n, tt.logged)
			}
		})
	}
}

func TestPatientReader(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	in := &patientReader{file: r, silence: time.Millisecond}
	if n, err := in.Read(make([]byte, 9)); n != 0 || !errors.Is(err, errSilent) {
		t.Errorf("silence: %d, %v", n, err)
	}
	if _, err := w.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if n, err := in.Read(make([]byte, 9)); n != 1 || err != nil {
		t.Errorf("one byte: %d, %v", n, err)
	}
	w.Close()
	if n, err := in.Read(make([]byte, 9)); n != 0 || err != io.EOF {
		t.Errorf("end: %d, %v", n, err)
	}
}

func TestGiantPayloadKeepsMemorySmall(t *testing.T) {
	if _, err := os.Stat("/proc/self/status"); err != nil {
		t.Skip("no peak memory without /proc:", err)
	}
	const size = 12 << 20 // a third of it would show
	peak := func(head string, size int64, tail string) int {
		p := newPlace(t)
		p.env[keepStatus] = filepath.Join(p.dir, "status")
		cmd := p.process(t)
		cmd.Stdin = io.MultiReader(strings.NewReader(head), io.LimitReader(words("some words of a file "), size), strings.NewReader(tail))
		quietly(t, cmd)
		if m := p.logged(t); len(m) != 1 || m[0].Hook.SessionID != "big" {
			t.Fatalf("logged %+v", m)
		}
		return peakKB(t, p.env[keepStatus])
	}
	for name, form := range map[string][2]string{
		"response": {`{"hook_event_name":"PostToolUse","session_id":"big","tool_name":"Read","tool_response":{"content":"`, `"}}`},
		"input":    {`{"hook_event_name":"PostToolUse","session_id":"big","tool_name":"Write","tool_input":{"content":"`, `"}}`},
	} {
		small, giant := peak(form[0], 100, form[1]), peak(form[0], size, form[1])
		t.Logf("%s: %d KB and %d KB", name, small, giant)
		const spread = 4 << 10 // of two runs of the same program
		if giant > small+spread {
			t.Errorf("%s: a small payload needs %d KB, a giant one %d KB", name, small, giant)
		}
	}
}

// peakKB is the high-water mark of a process's memory. Not the one of wait4: that begins with what
// the parent had.
func peakKB(t *testing.T, path string) int {
	t.Helper()
	for line := range strings.Lines(string(read(t, path))) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kb, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			if err != nil {
				t.Fatal(err)
			}
			return kb
		}
	}
	t.Fatalf("no peak in %s", path)
	return 0
}

// words is an endless stream of one text.
type words string

func (w words) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], w)
	}
	return n, nil
}
