package client

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"signalbox/hookrecv/paths"
)

func TestLogRotates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	line := func(i int) []byte { return []byte(fmt.Sprintf("%08d%s\n", i, strings.Repeat("x", 64<<10))) }
	const lines = 3 * logLimit / (64 << 10)
	for i := range lines {
		if err := appendLog(path, line(i)); err != nil {
			t.Fatal(err)
		}
	}
	current, old := read(t, path), read(t, paths.OldLog(path))
	for name, data := range map[string][]byte{"current": current, "old": old} {
		if len(data) > logLimit || len(data) == 0 {
			t.Errorf("%s log has %d bytes", name, len(data))
		}
	}
	// together they are the newest lines without a gap
	next := lines
	for _, data := range [][]byte{current, old} {
		rows := bytes.Split(bytes.TrimSuffix(data, []byte("\n")), []byte("\n"))
		for i := len(rows) - 1; i >= 0; i-- {
			next--
			if !bytes.HasPrefix(rows[i], line(next)[:8]) {
				t.Fatalf("found line %.8s, want %08d", rows[i], next)
			}
		}
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v (%v)", entries, err)
	}
}

// Clients that find the log full at the same moment rotate it once, and lose nothing.
func TestLogRotatesOnceForAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	full := bytes.Repeat([]byte(strings.Repeat("y", 1023)+"\n"), logLimit/1024)
	if err := os.WriteFile(path, full, 0o600); err != nil {
		t.Fatal(err)
	}
	const writers = 50
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			if err := appendLog(path, []byte(fmt.Sprintf("line %d\n", i))); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	old := read(t, paths.OldLog(path))
	if !bytes.HasPrefix(old, full) {
		t.Fatal("the full log is gone")
	}
	all := "\n" + string(old[len(full):]) + string(read(t, path))
	for i := range writers {
		if strings.Count(all, fmt.Sprintf("\nline %d\n", i)) != 1 {
			t.Errorf("line %d is not there once", i)
		}
	}
}

// Two clients hold the same full log: the first moves it aside, the second must not move the new one.
func TestRotateChecksWhatItMoves(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	open := func() *os.File {
		f, err := openLog(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		return f
	}
	first, second := open(), open()
	if _, err := first.WriteString("old\n"); err != nil {
		t.Fatal(err)
	}
	if !rotate(first, path) {
		t.Fatal("the first did not move it")
	}
	if err := os.WriteFile(path, []byte("new\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if rotate(second, path) {
		t.Error("the second did not wait for the lock")
	}
	first.Close() // gives the lock back
	if !rotate(second, path) {
		t.Error("the second is to open the path again: it is another file")
	}
	if got := string(read(t, path)) + string(read(t, paths.OldLog(path))); got != "new\nold\n" {
		t.Errorf("new and old log hold %q", got)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if !rotate(second, path) {
		t.Error("the second is to open the path again: there is no file")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}
