package journal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"signalbox/tracker"
)

func TestStatusDir(t *testing.T) {
	for _, tt := range []struct {
		name, state, home, want string
	}{
		{"the default", "", "/home/me", "/home/me/.local/state/thegrid"},
		{"a state folder", "/var/state", "/home/me", "/var/state/thegrid"},
		{"a relative state folder counts for nothing", "state", "/home/me", "/home/me/.local/state/thegrid"},
		{"a state folder without a home", "/var/state", "", "/var/state/thegrid"},
		{"no home: nothing, and never a place in the current folder", "", "", ""},
	} {
		env := map[string]string{"XDG_STATE_HOME": tt.state, "HOME": tt.home}
		if got := StatusDir(func(k string) string { return env[k] }); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, err := OpenStatusFile("", render); err == nil {
		t.Error("a status file without a folder was opened")
	}
}

func TestStatusFileHasOneWriter(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "thegrid")
	one, err := OpenStatusFile(dir, render)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStatusFile(dir, render); !errors.Is(err, ErrOtherWriter) {
		t.Errorf("a second writer: %v, want ErrOtherWriter", err)
	}
	if err := one.Close(); err != nil {
		t.Fatal(err)
	}
	two, err := OpenStatusFile(dir, render)
	if err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	defer two.Close()
	if err := two.Write(board("x"), time.Unix(1718500000, 0)); err != nil {
		t.Fatal(err)
	}
	if got := readPublic(t, dir).GeneratedAt; got != 1718500000 {
		t.Errorf("generatedAt %d", got)
	}
	if got := names(t, dir); !slices.Equal(got, []string{"tmux-status.json", "tmux-status.lock"}) {
		t.Errorf("the folder holds %v", got)
	}
	for _, f := range []struct {
		path string
		want os.FileMode
	}{{dir, 0o700}, {filepath.Join(dir, statusName), 0o600}} {
		if info, err := os.Stat(f.path); err != nil || info.Mode().Perm() != f.want {
			t.Errorf("%s: %v %v, want %v", f.path, info.Mode(), err, f.want)
		}
	}
}

// What stands where the temporary file should is never written through.
func TestLeftoverTemporaryFileIsReplaced(t *testing.T) {
	dir := t.TempDir()
	victim := filepath.Join(t.TempDir(), "victim")
	if err := os.WriteFile(victim, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(victim, filepath.Join(dir, statusName+".tmp")); err != nil {
		t.Fatal(err)
	}
	f, err := OpenStatusFile(dir, render)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Write(board("x"), time.Now()); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(victim); string(data) != "mine" {
		t.Errorf("the file behind a link was written: %q %v", data, err)
	}
	if info, err := os.Lstat(filepath.Join(dir, statusName)); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the status file is %v, %v", info.Mode(), err)
	}
}

func TestFailedWriteLeavesNothingBehind(t *testing.T) {
	dir := t.TempDir()
	f, err := OpenStatusFile(dir, render)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// A folder stands where the file should: the rename fails.
	if err := os.MkdirAll(filepath.Join(dir, statusName, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := f.Write(board("x"), time.Now()); err == nil {
		t.Error("no error")
	}
	if got := names(t, dir); !slices.Equal(got, []string{"tmux-status.json", "tmux-status.lock"}) {
		t.Errorf("the folder holds %v", got)
	}
	boom := errors.New("boom")
	f.render = func(*tracker.Snapshot, time.Time) ([]byte, error) { return nil, boom }
	if err := f.Write(board("x"), time.Now()); !errors.Is(err, boom) {
		t.Errorf("a rendering that fails: %v", err)
	}
}
