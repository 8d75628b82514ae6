//go:build linux

package desk_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// What is counted here does not depend on how busy the machine is; times are in bench_test.go.

// TestHookLoadsLittle counts the pages that a hook touches, because every hook call loads the whole
// program, screen and all: a page is a few microseconds, whatever a package does with it. A package
// that fills a table when it is loaded shows here.
func TestHookLoadsLittle(t *testing.T) {
	const most = 400 // more than an empty program; 240 when this was written
	empty := goProgram(t, "empty", "package main\n\nfunc main() {}\n")
	faults := func(name string, args ...string) int64 {
		least := int64(1 << 62)
		for range 5 {
			cmd := exec.Command(name, args...)
			cmd.Env, cmd.Stdin = []string{"HOME=" + t.TempDir(), "TERM=dumb"}, strings.NewReader(`{"hook_event_name":"Stop","session_id":"s"}`)
			if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
				t.Fatalf("%s: %v, %q", name, err, out)
			}
			least = min(least, cmd.ProcessState.SysUsage().(*syscall.Rusage).Minflt)
		}
		return least
	}
	hook, base := faults(tested(), "hook"), faults(empty)
	t.Logf("a hook touches %d pages, an empty program %d", hook, base)
	if hook > base+most {
		t.Errorf("a hook touches %d pages more than an empty program, want at most %d", hook-base, most)
	}
}

// goProgram builds a Go program of one file.
func goProgram(t testing.TB, name, source string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path+".go", []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "build", "-o", path, path+".go").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// TestLoadingAllocatesLittle counts what the packages allocate when a hook loads them, by Go's own trace.
// Of what is not ours half is one renderer that a hook never uses; nothing of ours may join it.
func TestLoadingAllocatesLittle(t *testing.T) {
	const mostBytes, mostOurs = 192 << 10, 8 << 10 // 138 and 4 KB when this was written
	cmd := exec.Command(tested(), "hook")
	cmd.Env, cmd.Stdin = []string{"HOME=" + t.TempDir(), "GODEBUG=inittrace=1"}, strings.NewReader("{}")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	all, ours, packages := 0, 0, 0
	for line := range strings.Lines(string(out)) {
		var name string
		var at, took float64
		var bytes, allocs int
		if _, err := fmt.Sscanf(line, "init %s @%f ms, %f ms clock, %d bytes, %d allocs", &name, &at, &took, &bytes, &allocs); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		packages++
		if all += bytes; strings.HasPrefix(name, "signalbox/") {
			ours += bytes
		}
	}
	t.Logf("%d packages allocate %d bytes, ours %d", packages, all, ours)
	if packages < 20 || all > mostBytes || ours > mostOurs {
		t.Errorf("%d packages allocate %d bytes when they are loaded, ours %d, want at most %d and %d:\n%s", packages, all, ours, mostBytes, mostOurs, out)
	}
}

// TestNoExpressionIsCompiledAtLoad holds that regular expressions are compiled when they are first
// used: thirty of them were a fifth of what a hook cost.
func TestNoExpressionIsCompiledAtLoad(t *testing.T) {
	root, seen := filepath.Join("..", ".."), 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
			strings.HasPrefix(path, filepath.Join(root, "testdata", "claudelab")) { // not in the program
			return err
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		seen++
		for _, d := range f.Decls {
			if d, ok := d.(*ast.GenDecl); ok {
				ast.Inspect(d, func(n ast.Node) bool {
					sel, ok := n.(*ast.SelectorExpr)
					if ok && strings.HasPrefix(sel.Sel.Name, "MustCompile") {
						t.Errorf("%s: compiled whenever the program is loaded", fset.Position(sel.Pos()))
					}
					_, inFunction := n.(*ast.FuncLit)
					return !inFunction
				})
			}
		}
		return nil
	})
	if err != nil || seen < 100 {
		t.Fatalf("read %d files: %v", seen, err)
	}
}

// TestABoardAtRestDoesNothing counts what a board with agents does while they rest or work quietly.
func TestABoardAtRestDoesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 40, 12)
	w.start()
	const mostStarts = 12 // at least its connection, and what is asked until that may begin
	if n := w.started("tmux"); n < 1 || n > mostStarts {
		t.Errorf("the start ran tmux %d times", n)
	}
	// Whatever else the machine does shows in these counts, so there must be a rest that is one, not only such.
	var problems []string
	for range 5 {
		if problems = w.watchRest(t, 4*time.Second); len(problems) == 0 {
			return
		}
		t.Logf("this was none: %s", strings.Join(problems, "; "))
	}
	t.Error(strings.Join(problems, "; "))
}

// watchRest watches the board for a while, and says what it did that a board at rest does not do.
func (w *world) watchRest(t *testing.T, rest time.Duration) (problems []string) {
	open, rev, read, was := files(t, w.pid), w.snapshot().Rev, bytesRead(t, w.pid), w.spent()
	time.Sleep(rest) // what is counted is what happens by itself
	c := w.spent().since(was)
	perSecond := func(n int) int { return int(float64(n) / c.took.Seconds()) }
	t.Logf("%d wake-ups a second, %.1f ms of processor time; the server's %d and %.1f",
		perSecond(c.wakeups), ms(c.board)/c.took.Seconds(), perSecond(c.serverWakeups), ms(c.server)/c.took.Seconds())
	held := func(ok bool, format string, args ...any) {
		if !ok {
			problems = append(problems, fmt.Sprintf(format, args...))
		}
	}
	held(c.tmux+c.claude == 0, "it started tmux %d times, claude %d times", c.tmux, c.claude)
	const mostWakeups = 120 // the budget is 100, on a machine that does nothing else
	held(perSecond(c.wakeups) <= mostWakeups, "%d wake-ups a second, want at most %d", perSecond(c.wakeups), mostWakeups)
	const mostServerWakeups = 16 // two steps of the lamps are eight
	held(perSecond(c.serverWakeups) <= mostServerWakeups, "the server wakes up %d times a second, want at most %d", perSecond(c.serverWakeups), mostServerWakeups)
	held(perSecond(bytesRead(t, w.pid)-read) <= 64<<10, "it reads %d bytes a second", perSecond(bytesRead(t, w.pid)-read))
	now := w.snapshot().Rev // windows that were made a moment ago cease to be active
	held(now <= rev+2, "%d snapshots although nothing happened", now-rev)
	n := files(t, w.pid)
	held(n <= open && n <= 24+len(w.agents), "%d open files, %d before, with %d agents", n, open, len(w.agents))
	return problems
}

// TestKeysStartNothing presses the keys that look, choose and arrange.
func TestKeysStartNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 12, 6)
	w.start()
	was := w.spent()
	for _, key := range []string{"j", "k", "l", "h", "g", "G", "\t", "N", "w", "f", "f", "f", "f", "o", "o", "o", "v", "v", "z", "z", "p", "p", "j", "k"} {
		w.person.press(key)
	}
	shown := func(want bool) func() bool {
		return func() bool { return w.person.screen.has(w.agents[5].cell) == want }
	}
	for _, sheet := range []string{"?", "e", "i", " "} { // each covers the board
		w.person.expect(shown(false))
		w.person.press(sheet)
		w.person.arrived("the board to be covered by " + sheet)
		w.person.expect(shown(true))
		w.person.press("\x1b")
		w.person.arrived("the board to be back after " + sheet)
	}
	if c := w.spent().since(was); c.tmux+c.claude != 0 {
		t.Errorf("keys started tmux %d times, claude %d times", c.tmux, c.claude)
	}
}

// TestAKilledBoardLeavesNoClient kills a board that was alone in its session, where tmux takes clients to
// another session when theirs goes.
func TestAKilledBoardLeavesNoClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 12, 3)
	w.Run("set-option", "-g", "detach-on-destroy", "off")
	w.start()
	control := func() string {
		return strings.TrimSpace(w.Run("list-clients", "-F", "#{?client_control_mode,#{client_pid},}"))
	}
	pid, err := strconv.Atoi(control())
	if err != nil {
		t.Fatalf("the board's clients: %v", err)
	}
	if err := syscall.Kill(w.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.Until("tmux to forget the client", func() bool { return w.connection() == "" })
	w.Until("the client to go", func() bool { return cpu(t, pid) == 0 })
	w.Until("the board's session to go", func() bool {
		return !strings.Contains(w.Run("list-sessions", "-F", "#{session_id}")+"\n", string(w.board.Session)+"\n")
	})
}

// TestTranscriptsAreOpenedAtTheTail counts what is read of four gigabytes.
func TestTranscriptsAreOpenedAtTheTail(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 12, 6)
	w.transcripts(4)
	w.open()
	w.launch(lastWords)
	if n := bytesRead(t, w.pid); n > len(w.agents)*300<<10 {
		t.Errorf("until the screen was complete %d bytes were read for %d transcripts", n, len(w.agents))
	}
	w.Until("no transcript to be kept open", func() bool { // one that is being read is open for a moment
		names, err := filepath.Glob(proc(w.pid, "fd/*"))
		if err != nil {
			t.Fatal(err)
		}
		return !slices.ContainsFunc(names, func(name string) bool {
			to, _ := os.Readlink(name)
			return strings.HasSuffix(to, ".jsonl")
		})
	})
}

// TestABurstOfHooks sends 2,000 hooks at once, each of which leaves a trace of its own.
func TestABurstOfHooks(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 120, 100)
	w.start()
	for round := range 3 { // a busy machine is slow at times, a slow board always
		took, settled, keys := w.burst(round)
		most := max(time.Second, took) // until the board knows the last of them, of what is sent in a second where the machine can
		t.Logf("%d hooks in %v, the last was known %v later; keys took %v, the slowest %v", burstSize, took, settled, keys.at(0.5), keys.at(1))
		if settled <= most {
			break
		} else if round == 2 {
			t.Errorf("each time the board was behind by more than a second, and than the sending took")
		}
	}
	const mostMB = 40 // at 500 windows too, which differ by little
	if mb := rssMB(t, w.pid); mb < 5 || mb > mostMB {
		t.Errorf("after the burst the board has %.0f MB", mb)
	}
}

// connection is the pid of the board's control client, or "".
func (w *world) connection() string {
	w.t.Helper()
	return strings.TrimSpace(w.Run("list-clients", "-F", "#{?client_control_mode,#{client_pid},}"))
}

// TestWithoutAConnectionLittleIsStarted runs a board that tmux must be started for: with this option a
// connection would change what happens to the person's sessions.
func TestWithoutAConnectionLittleIsStarted(t *testing.T) {
	t.Parallel()
	w := newWorld(t, 12, 3)
	w.open()
	w.Run("set-option", "-t", string(w.board.Session), "destroy-unattached", "on")
	w.launch()
	time.Sleep(settled)
	if pid := w.connection(); pid != "" {
		t.Fatalf("it is connected by %s", pid)
	}
	const rest = 6 * time.Second
	for try := range 3 { // the first may be no rest yet on a busy machine
		was := w.spent()
		time.Sleep(rest) // what is counted is what happens by itself
		c := w.spent().since(was)
		perSecond := float64(c.tmux) / c.took.Seconds()
		t.Logf("tmux was started %d times in %v", c.tmux, c.took)
		if perSecond >= 0.1 && perSecond <= 1.2 { // the budget is one
			break
		} else if try == 2 {
			t.Errorf("tmux was started %.1f times a second", perSecond)
		}
	}
}
