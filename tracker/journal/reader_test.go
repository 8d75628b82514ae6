package journal

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

// reader is the stranger's program, for whatever this machine can run.
func reader(t *testing.T) []string {
	t.Helper()
	for _, r := range [][]string{{"python3", "reader.py"}, {"node", "reader.js"}} {
		// Not every python3 on the path is one: some are shims that need a home.
		cmd := exec.Command(r[0], "--version")
		cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
		if cmd.Run() == nil {
			return []string{r[0], filepath.Join("testdata", "statusreader", r[1])}
		}
	}
	t.Skip("SKIPPED, NOT TESTED: the reader of the status file needs python3 or node")
	return nil
}

func readerCommand(argv []string, args ...string) *exec.Cmd {
	argv = append(argv, args...)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8"}
	return cmd
}

// various is a board of changing size, with names that need care.
func various(n int) *tracker.Snapshot {
	snap := board(`q"x y ü 🚦`)
	s := snap.Sessions[0]
	s.Activity = time.Unix(1718499900, 0)
	windows := n % 8
	if n%50 == 0 {
		windows = 100
	}
	for i := range windows {
		s.Windows = append(s.Windows, &tracker.WindowRow{
			Index: i, Name: `a|b \ #[fg=red]`, Active: i == 0,
			Kind: tracker.WindowKind(i % 5), Summary: strings.Repeat("é", n%81),
		})
	}
	if n%64 == 0 {
		snap.Sessions = nil
	}
	return snap
}

// The file is rewritten ten thousand times under the eyes of a program that knows only the
// contract. It never sees a part of a file, none, or one that breaks the contract.
func TestReaderNeverSeesAnInvalidFile(t *testing.T) {
	t.Parallel()
	rewrites := 10_000
	if testing.Short() {
		rewrites = 2000
	}
	argv := reader(t)
	dir := t.TempDir()
	f, err := OpenStatusFile(dir, render)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := readerCommand(argv, filepath.Join(dir, statusName))
	stop, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	said := bufio.NewReader(out)
	if line, err := said.ReadString('\n'); line != "ready\n" {
		t.Fatalf("the reader said %q, %v", line, err)
	}
	for n := range rewrites {
		if err := f.Write(various(n), time.Unix(int64(1718500000+n), 0)); err != nil {
			t.Fatal(err)
		}
	}
	stop.Close()
	rest, _ := io.ReadAll(said)
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, rest)
	}
	var reads, different int
	if _, err := fmt.Sscanf(string(rest), "%d reads, %d different", &reads, &different); err != nil || different < 100 {
		t.Errorf("the reader saw too little to tell: %s", rest)
	}
	t.Logf("%d rewrites, %s: %s", rewrites, argv[0], strings.TrimSpace(string(rest)))
}

// The reader itself must notice what it is there for.
func TestReaderRefusesInvalidFiles(t *testing.T) {
	t.Parallel()
	argv := reader(t)
	window := func(change string) string {
		w := `{"index":0,"name":"nvim","command":"nvim","active":true,"statusKind":"active","summary":"editing api.go","target":"work:0"}`
		before, after, _ := strings.Cut(change, " -> ")
		return `{"generatedAt":1718500000,"sessions":[{"name":"work","attached":true,"activity":1718499900,"windows":[` +
			strings.Replace(w, before, after, 1) + `]}]}`
	}
	for _, tt := range []struct {
		name, content string
		valid         bool
	}{
		{"the example of the contract", window("x -> x"), true},
		{"no tmux", `{"generatedAt":1718500000,"sessions":[]}`, true},
		{"half a file", window("x -> x")[:150], false},
		{"nothing", "", false},
		{"milliseconds", `{"generatedAt":1718500000123,"sessions":[]}`, false},
		{"an unknown kind", window(`"active", -> "busy",`), false},
		{"a long summary", window("editing -> " + strings.Repeat("x", 80)), false},
		{"another target", window("work:0 -> work:1"), false},
		{"no command", window(`"command":"nvim", -> `), false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), statusName)
			if err := os.WriteFile(path, []byte(tt.content), 0o600); err != nil {
				t.Fatal(err)
			}
			out, err := readerCommand(argv, "--once", path).CombinedOutput()
			if (err == nil) != tt.valid {
				t.Errorf("valid: %v, want %v: %s", err == nil, tt.valid, out)
			}
		})
	}
}
