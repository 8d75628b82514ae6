package desk

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestAChangeOfClaudesSettingsIsNoticed(t *testing.T) {
	dir := t.TempDir()
	claude := filepath.Join(dir, "claude")
	file, other := filepath.Join(claude, "settings.json"), filepath.Join(dir, "dotfiles.json")
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) {
		t.Helper()
		must(os.WriteFile(name, []byte(text), 0o600))
	}
	w, now := newHookWatch(file), time.Now()
	looked := func() bool {
		now = now.Add(hookPause)
		w.look(now)
		select {
		case <-w.moved:
			return true
		default:
			return false
		}
	}
	for _, step := range []struct {
		what string
		do   func()
		want bool
	}{
		{"nothing is there", func() {}, false},
		{"the folder is made", func() { must(os.Mkdir(claude, 0o700)) }, false},
		{"the file is made", func() { write(file, "{}") }, true},
		{"nothing happens", func() {}, false},
		{"another file changes", func() { write(filepath.Join(claude, "history.jsonl"), "{}") }, false},
		{"it is written in place", func() { write(file, `{"a":1}`) }, true},
		{"it is replaced by one of the same size and date", func() {
			info, err := os.Stat(file)
			must(err)
			write(file+".tmp", `{"b":1}`)
			must(os.Chtimes(file+".tmp", info.ModTime(), info.ModTime()))
			must(os.Rename(file+".tmp", file))
		}, true},
		{"it becomes a link", func() {
			write(other, `{"b":1}`)
			must(os.Remove(file))
			must(os.Symlink(other, file))
		}, true},
		{"what it links to changes", func() { write(other, `{"c":1, "d":2}`) }, true},
		{"what it links to goes", func() { must(os.Remove(other)) }, true},
		{"the link goes as well", func() { must(os.Remove(file)) }, false},
	} {
		step.do()
		if got := looked(); got != step.want {
			t.Errorf("when %s, a change is told: %v", step.what, got)
		}
	}
	write(file, "{}")
	w.look(now)
	if len(w.moved) > 0 {
		t.Error("a busy board looks at every round")
	}
	(*hookWatch)(nil).look(now) // of `signalbox watch`, which has no screen
}
