package demo

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// makerVar makes the test binary the maker of a world that is killed from outside.
const makerVar = "SIGNALBOX_TEST_MAKER"

func TestMain(m *testing.M) {
	if Invoked(os.Args, os.Environ()) {
		os.Exit(Main(context.Background(), os.Args, os.Environ(), os.Stdin, os.Stdout, os.Stderr))
	}
	if dir := os.Getenv(makerVar); dir != "" {
		os.Exit(makeAndWait(dir))
	}
	os.Exit(m.Run())
}

// testTmux is the Tmux of these tests: the binary, on the world's own socket.
type testTmux struct {
	bin string
	w   *World
}

func (t testTmux) Run(ctx context.Context, args ...string) error {
	_, err := t.output(ctx, args...)
	return err
}

func (t testTmux) output(ctx context.Context, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, t.bin, append([]string{"-u", "-S", t.w.Socket, "-f", "/dev/null"}, args...)...)
	cmd.Env = t.w.Env()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %s: %w: %s", args[0], err, out)
	}
	return string(out), nil
}

func makeAndWait(dir string) int {
	w, err := New(Config{TempDir: dir, Settings: []byte("{}")})
	if err != nil {
		fmt.Println("error:", err)
		return 1
	}
	tm := testTmux{os.Getenv("TMUX_BINARY"), w}
	if err := w.Start(context.Background(), tm); err != nil {
		fmt.Println("error:", err)
		return 1
	}
	fmt.Println(w.Dir)
	fmt.Println("error:", w.Drive(context.Background(), tm)) // until it is killed
	return 1
}

// waitFor is far above what a loaded machine needs: only a real failure reaches it.
const waitFor = 30 * time.Second

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(waitFor); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited %v for: %s", waitFor, what)
		}
	}
}

// inWorld lists the processes whose command line or environment names the directory.
func inWorld(dir string) []string {
	var out []string
	procs, _ := filepath.Glob("/proc/[0-9]*")
	for _, p := range procs {
		env, _ := os.ReadFile(p + "/environ")
		cmd, _ := os.ReadFile(p + "/cmdline")
		if strings.Contains(string(env)+string(cmd), dir) {
			out = append(out, filepath.Base(p)+" "+strings.ReplaceAll(string(cmd), "\x00", " "))
		}
	}
	return out
}

// TestEveryStatusWithinAMinute plays the first minute ten times as fast and looks for what each
// status of the board is made of.
func TestEveryStatusWithinAMinute(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads the states of processes from /proc")
	}
	bin := tmuxtest.Binary(t)
	w := newWorld(t, 10)
	tm := testTmux{bin, w}
	ctx, cancel := context.WithCancel(context.Background())
	if err := w.Start(ctx, tm); err != nil {
		t.Fatal(err)
	}
	driven := make(chan error, 1)
	go func() { driven <- w.Drive(ctx, tm) }()
	seen := map[string]bool{}
	want := []string{
		"idle", "busy", "shell", "waiting permission prompt", "waiting input needed", "plan", "subagent asks", "failed",
		"interrupted", "review", "suspended", "trust dialog", "no registry", "crashed", "background row",
	}
	until(t, "everything the demo shows in its first minute", func() bool {
		look(t, w, tm, seen)
		for _, s := range want {
			if !seen[s] {
				return false
			}
		}
		return true
	})
	cancel()
	if err := <-driven; err != nil {
		t.Error(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("seen: %v", seen)
		}
	})
	closeWorld(t, w)
}

func newWorld(t *testing.T, speed float64) *World {
	t.Helper()
	log := "$HOME/hooks.jsonl"
	hooks := map[string]any{}
	for _, e := range []string{"SessionStart", "UserPromptSubmit", "PermissionRequest", "PreToolUse", "Stop", "StopFailure"} {
		hooks[e] = []any{map[string]any{"hooks": []any{map[string]any{"type": "command", "command": `p=$(cat); printf '%s\n' "$p" >> ` + log}}}}
	}
	settings, err := json.Marshal(map[string]any{"hooks": hooks})
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{Settings: settings, Speed: speed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// closeWorld closes a world and checks that nothing of it is left.
func closeWorld(t *testing.T, w *World) {
	t.Helper()
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(w.Dir); !os.IsNotExist(err) {
		t.Errorf("the directory is still there: %v", err)
	}
	until(t, "every process of the world to end", func() bool { return len(inWorld(w.Dir)) == 0 })
}

// look notes what can be seen right now.
func look(t *testing.T, w *World, tm testTmux, seen map[string]bool) {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join(w.ClaudeDir, "sessions", "*.json"))
	for _, f := range files {
		var r struct {
			PID                int
			Status, WaitingFor string
		}
		b, err := os.ReadFile(f)
		if err != nil || json.Unmarshal(b, &r) != nil {
			continue
		}
		seen[strings.TrimSpace(r.Status+" "+r.WaitingFor)] = true
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(r.PID) + "/stat")
		if err != nil {
			seen["crashed"] = true
		} else if strings.Contains(string(stat), ") T ") {
			seen["suspended"] = true
		}
	}
	hooks, _ := os.ReadFile(filepath.Join(w.Home, "hooks.jsonl"))
	for sign, text := range map[string]string{"plan": `"tool_name":"ExitPlanMode"`, "failed": `"error":"server_error"`, "review": `"last_assistant_message":"All 214 tests`} {
		seen[sign] = seen[sign] || strings.Contains(string(hooks), text)
	}
	sc := bufio.NewScanner(strings.NewReader(string(hooks)))
	for sc.Scan() {
		if strings.Contains(sc.Text(), `"PermissionRequest"`) && strings.Contains(sc.Text(), `"agent_id"`) {
			seen["subagent asks"] = true
		}
	}
	transcripts, _ := filepath.Glob(filepath.Join(w.ClaudeDir, "projects", "*", "*.jsonl"))
	for _, f := range transcripts {
		b, _ := os.ReadFile(f)
		seen["interrupted"] = seen["interrupted"] || strings.Contains(string(b), "[Request interrupted by user]")
	}
	lookAtScreens(t, tm, seen)
	if b, err := os.ReadFile(filepath.Join(w.ClaudeDir, fakeagent.BackgroundFile)); err == nil && strings.Contains(string(b), `"working"`) {
		seen["background row"] = true
	}
}

func lookAtScreens(t *testing.T, tm testTmux, seen map[string]bool) {
	t.Helper()
	list, err := tm.output(context.Background(), "list-panes", "-a", "-F", "#{pane_id} #{window_name}")
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range strings.Split(strings.TrimSpace(list), "\n") {
		id, name, _ := strings.Cut(l, " ")
		if name != "handbook" && name != "legacy" {
			continue
		}
		screen, err := tm.output(context.Background(), "capture-pane", "-p", "-t", id)
		if err != nil {
			t.Fatal(err)
		}
		seen["trust dialog"] = seen["trust dialog"] || strings.Contains(screen, "Accessing workspace:")
		seen["no registry"] = seen["no registry"] || strings.Contains(screen, "Claude Code v2.0.76")
	}
}

func TestWindowsStandAsPlanned(t *testing.T) {
	bin := tmuxtest.Binary(t)
	w := newWorld(t, 1)
	tm := testTmux{bin, w}
	if err := w.Start(context.Background(), tm); err != nil {
		t.Fatal(err)
	}
	out, err := tm.output(context.Background(), "list-panes", "-a", "-F", "#{pane_id} #{session_name} #{window_name}")
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSpace(out), "\n")
	var want []string
	for i, win := range windows() {
		want = append(want, fmt.Sprintf("%%%d %s %s", i, win.session, win.name))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("panes\ngot  %q\nwant %q", got, want)
	}
	env, err := tm.output(context.Background(), "show-environment", "-g", "HOME")
	if err != nil || strings.TrimSpace(env) != "HOME="+w.Home {
		t.Errorf("a new window would have %q, %v", env, err)
	}
	closeWorld(t, w)
}

// TestMakerKilled kills the maker of a world with SIGKILL; the guard tidies up.
func TestMakerKilled(t *testing.T) {
	bin := tmuxtest.Binary(t)
	base, err := os.MkdirTemp("/tmp", "tt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(base) })
	cmd := exec.Command(os.Args[0])
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), makerVar + "=" + base, "TMUX_BINARY=" + bin}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	sc := bufio.NewScanner(out)
	if !sc.Scan() {
		t.Fatal("the maker made no world")
	}
	dir := sc.Text()
	if !strings.HasPrefix(dir, base) {
		cmd.Process.Kill()
		t.Fatalf("the maker says %q", dir)
	}
	until(t, "the agents to register", func() bool {
		files, _ := filepath.Glob(filepath.Join(dir, "home", ".claude", "sessions", "*.json"))
		return len(files) >= 5
	})
	cmd.Process.Signal(syscall.SIGKILL)
	cmd.Wait()
	until(t, "the directory to go away", func() bool { _, err := os.Stat(dir); return os.IsNotExist(err) })
	until(t, "every process of the world to end", func() bool { return len(inWorld(dir)) == 0 })
}

// TestGuardRefusesOtherDirectories: what the guard removes must be a demo's.
func TestGuardRefusesOtherDirectories(t *testing.T) {
	dir := t.TempDir()
	var msg strings.Builder
	if code := guard(dir, filepath.Join(dir, holdName), &msg); code != 2 || !strings.Contains(msg.String(), "not the directory of a demo") {
		t.Errorf("exit %d: %s", code, msg.String())
	}
	if _, err := os.Stat(dir); err != nil {
		t.Errorf("the directory is gone: %v", err)
	}
}
