package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestProjectDirIsClaudesEncoding(t *testing.T) {
	long := "/home/me/" + strings.Repeat("deep/", 60)
	for cwd, want := range map[string]string{
		"/home/me/src/api":  "-home-me-src-api",
		"/home/me/Src.v2_x": "-home-me-Src-v2-x",
		"/tmp/é":            "-tmp--",
		"/tmp/😀":            "-tmp---",
		"":                  "",
		// As 2.1.332 named the folder.
		"/tmp/" + strings.Repeat("deep-directory-name/", 12) + "ünï😀": "-tmp-" + strings.Repeat("deep-directory-name-", 9) + "deep-directory--k90ak5",
	} {
		if got := ProjectDir(cwd); got != want {
			t.Errorf("%q: %q, want %q", cwd, got, want)
		}
	}
	got := ProjectDir(long)
	if !strings.HasPrefix(got, "-home-me-deep-deep") || got[projectDirUnits] != '-' || len(got) > projectDirUnits+1+7 {
		t.Errorf("long path: %q", got)
	}
	if got == ProjectDir(long+"x") {
		t.Error("the hash does not cover the end of the path")
	}
}

func TestOnlyTheSessionsOwnFileUnderTheClaudeFolderIsRead(t *testing.T) { // B57
	dir := t.TempDir()
	p := places{projects: filepath.Join(dir, "projects")}
	inside := filepath.Join(p.projects, "-x", "s1.jsonl")
	if err := os.MkdirAll(filepath.Dir(inside), 0o700); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, other); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(other, "projects", "-x", "s1.jsonl")
	for path, want := range map[string]string{
		inside: inside,
		linked: linked, // the same folder by another name
		filepath.Join(p.projects, "-x", "..", "-x", "s1.jsonl"):             inside,
		filepath.Join(p.projects, "-x", "s2.jsonl"):                         "", // another session's
		filepath.Join(p.projects, "-x", "s1", "subagents", "agent-1.jsonl"): "",
		filepath.Join(p.projects, "s1.jsonl"):                               "",
		filepath.Join(p.projects, "..", "s1.jsonl"):                         "",
		filepath.Join(p.projects, "..", "..", "s1.jsonl"):                   "",
		filepath.Join(p.projects, "-x", "..", "..", "..", "y", "s1.jsonl"):  "",
		"/etc/s1.jsonl":             "",
		"projects/-x/s1.jsonl":      "",
		"/proc/self/fd/../s1.jsonl": "",
		"":                          "",
	} {
		if got := p.told(Target{SessionID: "s1", Path: path}); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
	for id, want := range map[string]bool{
		"2137bc74-471b-42b5-b872-6f659acc771c": true, "": false, "../../x": false, "a/b": false, "a\x00": false, ".": false,
		"agent-a8c1ab5b50adfb062": false, strings.Repeat("a", 129): false,
	} {
		if got := validSession(id); got != want {
			t.Errorf("session %q: %v", id, got)
		}
	}
}

func TestASessionIsSearchedWhereItIsNotExpectedButNotAllTheTime(t *testing.T) {
	dir := t.TempDir()
	p := places{projects: filepath.Join(dir, "projects")}
	put := func(project string, age time.Duration) string {
		path := filepath.Join(p.projects, project, "s1.jsonl")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		when := time.Now().Add(-age)
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		return path
	}
	tg := Target{SessionID: "s1", CWD: "/home/me"}
	now := time.Now()
	var l place
	find := func(after time.Duration) {
		t.Helper()
		now = now.Add(after)
		if err := l.find(p, tg, now); err != nil {
			t.Fatal(err)
		}
	}
	find(0)
	if l.found || l.path != p.expected(tg) {
		t.Fatalf("%+v: nothing is there, and the expected place is to be watched", l)
	}
	old, moved := put("-old", time.Hour), ""
	find(time.Millisecond)
	if l.found {
		t.Fatal("searched again at once")
	}
	moved = put("-worktree", time.Minute)
	find(searchFirst)
	if l.path != moved || !l.found {
		t.Fatalf("%+v: want the newest, %s", l, moved)
	}
	expected := put(ProjectDir("/home/me"), 0)
	find(0)
	if l.path != expected {
		t.Errorf("%s: the expected place comes first", l.path)
	}
	tg.Path = old
	find(0)
	if l.path != old {
		t.Errorf("%s: what a hook told comes before that", l.path)
	}
	l = place{}
	tg = Target{SessionID: "s9"}
	for range 100 {
		find(searchMost)
	}
	if l.wait != searchMost {
		t.Errorf("the pause between searches is %v", l.wait)
	}
}
