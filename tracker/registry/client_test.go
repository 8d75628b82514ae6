package registry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/tracker"
)

// bareEnv is the whole environment of the programs these tests run.
var bareEnv = []string{"PATH=/usr/bin:/bin", "HOME=/nonexistent", "MARK=ours"}

// program writes a fake claude.
func program(t *testing.T, name, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return path
}

const oneRow = `[{"pid":7,"cwd":"/x","kind":"interactive","startedAt":1796083349918,"sessionId":"s","name":"one","status":"idle"}]`

func TestDecodeAgents(t *testing.T) {
	data := `[
	 {"pid":7,"cwd":"/x","kind":"interactive","startedAt":1796083349918,"sessionId":"s","name":"one","status":"waiting","waitingFor":"permission prompt"},
	 {"id":"c50f8a43","cwd":"/y","kind":"background","sessionId":"t","state":"stopped"},
	 {"pid":8,"kind":"hologram","state":"dreaming","status":["x"],"cwd":5,"new":{}},
	 {"pid":7.5,"kind":"x"}, {"pid":1e12}, {"pid":"9"}, 4711, null, "text", []]`
	rows, err := DecodeAgents([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	want := []tracker.AgentsEntry{
		{PID: 7, CWD: "/x", Kind: "interactive", StartedAt: time.UnixMilli(1796083349918), SessionID: "s", Name: "one", Status: "waiting", WaitingFor: "permission prompt"},
		{ID: "c50f8a43", CWD: "/y", Kind: "background", SessionID: "t", State: "stopped"},
		{PID: 8, Kind: "hologram", State: "dreaming"},
		{Kind: "x"},
		{},
		{PID: 9},
	}
	if fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("got  %+v\nwant %+v", rows, want)
	}
	if rows, err := DecodeAgents([]byte(" [] \n")); err != nil || len(rows) != 0 {
		t.Errorf("an empty list: %v, %v", rows, err)
	}
	for _, data := range []string{"", "Agents:\n- reviewer", "{}", "null", "[", "[]x", `{"rows":[]}`} {
		if _, err := DecodeAgents([]byte(data)); !errors.Is(err, ErrNoList) {
			t.Errorf("DecodeAgents(%q): %v, want ErrNoList", data, err)
		}
	}
}

func TestDecodeAgentsRecordings(t *testing.T) {
	paths, err := filepath.Glob(recordings + "/*/agents-*.json")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		rows, err := DecodeAgents(data)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		for _, r := range rows {
			if r.Kind == "" || r.SessionID == "" || r.PID == 0 && r.State == "" {
				t.Errorf("%s: %+v", path, r)
			}
		}
	}
}

func FuzzDecodeAgents(f *testing.F) {
	f.Add(oneRow)
	f.Add(`[{"pid":1e400},[[]],{"state":"x"}]`)
	f.Fuzz(func(t *testing.T, data string) {
		rows, err := DecodeAgents([]byte(data))
		if err != nil && rows != nil || len(rows) > maxRows {
			t.Errorf("%d rows, %v", len(rows), err)
		}
	})
}

func TestAskGivesWhatIsInjectedAndNothingElse(t *testing.T) {
	t.Setenv("LEAKED", "yes")
	out := filepath.Join(t.TempDir(), "seen")
	exe := program(t, "claude", "{ echo \"$@\"; pwd; env; cat; ps -o sid= -p $$; } >"+out+"\necho '"+oneRow+"'")
	rows, err := NewAgentsClient(bareEnv, 0).Ask(t.Context(), exe)
	if err != nil || len(rows) != 1 || rows[0].PID != 7 {
		t.Fatalf("rows %+v, %v", rows, err)
	}
	data, err := os.ReadFile(out)
	seen := string(data)
	if err != nil || !strings.HasPrefix(seen, "agents --json\n/\n") || !strings.Contains(seen, "MARK=ours") || strings.Contains(seen, "LEAKED") {
		t.Errorf("the program saw: %s, %v", seen, err)
	}
	words := strings.Fields(seen)
	stat, err := os.ReadFile("/proc/self/stat")
	if err != nil {
		t.Skip("SKIP: no /proc to read our own session from: ", err)
	}
	// The program's session is compared as a whole: ours may be a single digit that ends many numbers.
	if ours, its := strings.Fields(string(stat))[5], words[len(words)-1]; its == ours {
		t.Errorf("the program runs in our session %s and can reach our terminal", ours)
	}
}

func TestAskRefusesOddAnswers(t *testing.T) {
	tests := []struct {
		name, script, want string
		noList             bool
	}{
		{"plain text", "echo 'No agents configured'", "no list of agents", true},
		{"nothing", "true", "no list of agents", true},
		{"an unknown option, as 2.1.120", "echo \"error: unknown option '--json'\" >&2; exit 1", "unknown option", true},
		{"an error", "printf '\\033[31mlogin expired\\033[0m\\nmore\\n' >&2; exit 1", "[31mlogin expired[0m", false},
		{"an exit without a word", "exit 3", "exit status 3", false},
		{"killed", "kill -9 $$", "signal: killed", false},
		{"an answer without end", "exec head -c 5000000 /dev/zero", "more than", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			rows, err := NewAgentsClient(bareEnv, 0).Ask(t.Context(), program(t, "claude", tt.script))
			if err == nil || rows != nil || errors.Is(err, ErrNoList) != tt.noList || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\033") {
				t.Errorf("rows %v, error %q", rows, err)
			}
		})
	}
}

func TestAskEndsWhatTakesTooLong(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	exe := program(t, "claude", "sleep 1000 & echo $! >"+pidFile+"\necho '[]'; wait")
	for patience := 300 * time.Millisecond; ; patience *= 2 { // on a busy machine it is ended before it has started anything
		begin := time.Now()
		_, err := NewAgentsClient(bareEnv, patience).Ask(t.Context(), exe)
		if err == nil || !strings.Contains(err.Error(), "no answer within") || time.Since(begin) > patience+waitLimit {
			t.Fatalf("after %v: %v", time.Since(begin), err)
		}
		if data, err := os.ReadFile(pidFile); err == nil && len(data) > 0 {
			break
		}
	}
	child := readPID(t, pidFile)
	for end := time.Now().Add(waitLimit); alive(child); {
		if time.Now().After(end) {
			syscall.Kill(child, syscall.SIGKILL)
			t.Fatal("a child of the call lives on")
		}
	}
}

func readPID(t *testing.T, path string) int {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil || pid <= 1 {
		t.Fatalf("no pid in %q", data)
	}
	return pid
}

// alive reports whether a process runs, a corpse not counted.
func alive(pid int) bool {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err == nil && !strings.Contains(string(data), ") Z ")
}

func TestAskDoesNotWaitForWhoKeepsTheOutputOpen(t *testing.T) {
	pidFile := filepath.Join(t.TempDir(), "pid")
	exe := program(t, "claude", "sleep 1000 & echo $! >"+pidFile+"\necho '"+oneRow+"'; exit 0")
	t.Cleanup(func() { syscall.Kill(readPID(t, pidFile), syscall.SIGKILL) })
	begin := time.Now()
	rows, err := NewAgentsClient(bareEnv, time.Minute).Ask(t.Context(), exe)
	if err != nil || len(rows) != 1 || time.Since(begin) > waitLimit {
		t.Errorf("after %v: %v, %v", time.Since(begin), rows, err)
	}
}

func TestAskEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewAgentsClient(bareEnv, 0).Ask(ctx, program(t, "claude", "exec sleep 1000")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestAskRunsOneAtATime(t *testing.T) {
	lock := filepath.Join(t.TempDir(), "lock")
	exe := program(t, "claude", "mkdir "+lock+" || exit 7; sleep 0.05; rmdir "+lock+"; echo '[]'")
	c := NewAgentsClient(bareEnv, 0)
	done := make(chan error)
	for range 5 {
		go func() {
			_, err := c.Ask(context.Background(), exe)
			done <- err
		}()
	}
	for range 5 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestAskFindsTheProgramOnTheGivenPath(t *testing.T) {
	exe := program(t, "claude", "echo '"+oneRow+"'")
	c := NewAgentsClient([]string{"PATH=relative:" + filepath.Dir(exe) + ":/usr/bin:/bin"}, 0)
	if rows, err := c.Ask(t.Context(), "claude"); err != nil || len(rows) != 1 {
		t.Errorf("rows %v, %v", rows, err)
	}
	t.Setenv("PATH", filepath.Dir(exe))
	if _, err := NewAgentsClient([]string{"PATH=/nonexistent"}, 0).Ask(t.Context(), "claude"); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("the program was found on our own PATH: %v", err)
	}
	if _, err := NewAgentsClient(nil, 0).Ask(t.Context(), "claude"); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("no environment: %v", err)
	}
}

func TestAgentsEnv(t *testing.T) {
	in := []string{
		"HOME=/home/me", "PATH=/bin", "CLAUDECODE=1", "CLAUDE_PID=7", "CLAUDE_CODE_SESSION_ID=s", "CLAUDE_CODE_CHILD_SESSION=1",
		"CLAUDE_CODE_MESSAGING_SOCKET=/x", "CLAUDE_CONFIG_DIR=/old", "CLAUDE_CODE_USE_BEDROCK=1",
	}
	got := strings.Join(AgentsEnv(in, "/home/me/.claude-work"), " ")
	want := "HOME=/home/me PATH=/bin CLAUDE_CODE_USE_BEDROCK=1 CLAUDE_CONFIG_DIR=/home/me/.claude-work DISABLE_AUTOUPDATER=1 CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := strings.Join(AgentsEnv(in, ""), " "); !strings.Contains(got, "CLAUDE_CONFIG_DIR=/old") {
		t.Errorf("without a folder of its own: %s", got)
	}
}
