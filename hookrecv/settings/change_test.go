package settings

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"signalbox/tracker"
)

func writeFile(t *testing.T, path, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil { // whatever the umask
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// planned fails the test on an error of PlanInstall or PlanUninstall.
func planned(t *testing.T) func(*Change, error) *Change {
	return func(c *Change, err error) *Change {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return c
	}
}

func apply(t *testing.T, c *Change) {
	t.Helper()
	if err := c.Apply(); err != nil {
		t.Fatal(err)
	}
}

// ls lists a directory.
func ls(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestChangeOfAFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "settings.json")
	writeFile(t, path, foreign, 0o640)

	c := planned(t)(PlanInstall(path, testCommand, allEvents()))
	if got := ls(t, dir); len(got) != 1 || readFile(t, path) != foreign {
		t.Fatalf("planning left %v", got)
	}
	d := c.Diff()
	if strings.Count(d, "\n+") < 15 || !strings.HasPrefix(d, "--- "+path+"\n+++ "+path+"\n@@") || !strings.Contains(d, `+    "CwdChanged": [ {"hooks"`) {
		t.Errorf("the diff is\n%s", d)
	}
	apply(t, c)
	if readFile(t, path) != string(c.After) || readFile(t, c.Backup()) != foreign {
		t.Error("the file or its backup is not what it should be")
	}
	for _, p := range []string{path, c.Backup()} {
		if info, err := os.Stat(p); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("%s has mode %v (%v)", p, info.Mode(), err)
		}
	}

	again := planned(t)(PlanInstall(path, testCommand, allEvents()))
	if !again.Empty() || again.Diff() != "" || again.Backup() != "" {
		t.Errorf("installing twice changes\n%s", again.Diff())
	}
	apply(t, again)

	apply(t, planned(t)(PlanUninstall(path)))
	if readFile(t, path) != foreign {
		t.Errorf("came back as %q", readFile(t, path))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("came back with mode %v (%v)", info.Mode(), err)
	}
	if nothing := planned(t)(PlanUninstall(path)); !nothing.Empty() {
		t.Errorf("uninstalling twice changes\n%s", nothing.Diff())
	}
	if got := ls(t, dir); !slices.Equal(got, []string{"settings.json", "settings.json" + backupSuffix}) {
		t.Errorf("left behind: %v", got)
	}
}

func TestNoFileYet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "claude", "settings.json")
	if c := planned(t)(PlanUninstall(path)); !c.Empty() {
		t.Errorf("uninstalling from nothing: %s", c.Diff())
	}
	c := planned(t)(PlanInstall(path, testCommand, EventsFor("2.0.76")))
	if !strings.HasPrefix(c.Diff(), "--- /dev/null\n+++ "+path+"\n") || c.Backup() != "" {
		t.Errorf("backup %q, diff\n%s", c.Backup(), c.Diff())
	}
	apply(t, c)
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != newFileMode {
		t.Errorf("mode %v (%v)", info.Mode(), err)
	}
	apply(t, planned(t)(PlanInstall(path, testCommand, allEvents()))) // a newer Claude Code
	gone := planned(t)(PlanUninstall(path))
	if gone.After != nil || !strings.Contains(gone.Diff(), "+++ /dev/null\n") {
		t.Errorf("diff\n%s", gone.Diff())
	}
	apply(t, gone)
	for _, name := range ls(t, filepath.Dir(path)) {
		if name != "settings.json"+backupSuffix { // of the update
			t.Errorf("left behind: %s", name)
		}
	}

	apply(t, planned(t)(PlanInstall(path, testCommand, allEvents())))
	kept := strings.Replace(readFile(t, path), "{", `{"model": "opus",`, 1)
	writeFile(t, path, kept, 0o600)
	apply(t, planned(t)(PlanUninstall(path)))
	if got := readFile(t, path); !sameJSON(t, got, `{"model": "opus"}`) {
		t.Errorf("a file that came to hold more was left as %s", got)
	}
}

func TestSymbolicLink(t *testing.T) {
	dir := t.TempDir()
	dotfiles, claude := filepath.Join(dir, "dotfiles"), filepath.Join(dir, "claude")
	if err := errors.Join(os.Mkdir(dotfiles, 0o700), os.Mkdir(claude, 0o700)); err != nil {
		t.Fatal(err)
	}
	real, path := filepath.Join(dotfiles, "claude.json"), filepath.Join(claude, "settings.json")
	writeFile(t, real, foreign, 0o600)
	if err := os.Symlink("../dotfiles/claude.json", path); err != nil {
		t.Fatal(err)
	}
	apply(t, planned(t)(PlanInstall(path, testCommand, allEvents())))
	if to, err := os.Readlink(path); err != nil || to != "../dotfiles/claude.json" {
		t.Errorf("the link points to %q (%v)", to, err)
	}
	if !strings.Contains(readFile(t, real), testCommand) {
		t.Error("the file behind the link was not edited")
	}
	if got := ls(t, dotfiles); len(got) != 1 {
		t.Errorf("beside the real file: %v", got)
	}
	apply(t, planned(t)(PlanUninstall(path)))
	if readFile(t, real) != foreign {
		t.Errorf("came back as %s", readFile(t, real))
	}
	if err := os.Remove(real); err != nil {
		t.Fatal(err)
	}
	if c, err := PlanInstall(path, testCommand, allEvents()); err == nil {
		t.Errorf("a link to nowhere was planned as %+v", c)
	}
}

func TestRefusedFilesAreNotTouched(t *testing.T) {
	for name, text := range map[string]string{
		"trailing comma": "{\n  \"a\": 1,\n}", "comment": "{\n  // x\n}", "bom": "\xef\xbb\xbf{}", "empty": "", "array": "[]", "hooks": `{"hooks": 1}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "settings.json")
			writeFile(t, path, text, 0o600)
			_, installErr := PlanInstall(path, testCommand, allEvents())
			_, statusErr := Status(path, testCommand, allEvents())
			for _, err := range []error{installErr, statusErr} {
				var syntax *SyntaxError
				if name == "hooks" && err == statusErr {
					continue // it can be read, only not edited
				}
				if !errors.As(err, &syntax) || !strings.HasPrefix(err.Error(), path+":"+syntax.Error()[:3]) {
					t.Errorf("got %v", err)
				}
			}
			if got := ls(t, dir); len(got) != 1 || readFile(t, path) != text {
				t.Errorf("the folder holds %v, the file %q", got, readFile(t, path))
			}
		})
	}
	if _, err := PlanInstall(t.TempDir(), testCommand, allEvents()); err == nil {
		t.Error("a folder was planned")
	}
}

func TestSomebodyWroteMeanwhile(t *testing.T) {
	for name, meddle := range map[string]func(path string) error{
		"changed": func(path string) error { return os.WriteFile(path, []byte(`{"a":1}`), 0o600) },
		"removed": os.Remove,
	} {
		path := filepath.Join(t.TempDir(), "settings.json")
		writeFile(t, path, foreign, 0o600)
		c := planned(t)(PlanInstall(path, testCommand, allEvents()))
		if err := meddle(path); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(path)
		if err := c.Apply(); !errors.Is(err, ErrChanged) {
			t.Errorf("%s: %v", name, err)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, before) {
			t.Errorf("%s: the file is now %q", name, after)
		}
	}
	path := filepath.Join(t.TempDir(), "settings.json")
	c := planned(t)(PlanInstall(path, testCommand, allEvents()))
	writeFile(t, path, "{}", 0o600)
	if err := c.Apply(); !errors.Is(err, ErrChanged) || readFile(t, path) != "{}" {
		t.Errorf("a file appeared: %v, now %q", err, readFile(t, path))
	}
}

// Nothing is written when the backup cannot be.
func TestBackupComesFirst(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	writeFile(t, path, foreign, 0o600)
	c := planned(t)(PlanInstall(path, testCommand, allEvents()))
	if err := os.MkdirAll(filepath.Join(c.Backup(), "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := c.Apply(); err == nil || readFile(t, path) != foreign {
		t.Errorf("got %v, the file is %q", err, readFile(t, path))
	}
}

func TestStatus(t *testing.T) {
	path := filepath.Join(t.TempDir(), "settings.json")
	events := EventsFor("2.0.76")
	status := func() Report {
		t.Helper()
		r, err := Status(path, testCommand, events)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := status(); r.Exists || r.Complete() || len(r.Missing) != len(events) {
		t.Errorf("no file: %+v", r)
	}
	writeFile(t, path, foreign, 0o600)
	if r := status(); !r.Exists || r.Complete() || len(r.Missing) != len(events) || r.Disabled {
		t.Errorf("no hooks: %+v", r)
	}
	apply(t, planned(t)(PlanInstall(path, testCommand, events)))
	if r := status(); !r.Complete() || !slices.Equal(r.Installed, events) {
		t.Errorf("installed: %+v", r)
	}
	apply(t, planned(t)(PlanInstall(path, Command("/elsewhere/signalbox"), allEvents()[:15])))
	r := status()
	if r.Complete() || len(r.Installed) != 0 || len(r.Stale)+len(r.Missing) != len(events) || len(r.Excess) == 0 ||
		slices.Contains(r.Excess, tracker.HookStop) {
		t.Errorf("by another binary, for another version: %+v", r)
	}
	writeFile(t, path, `{"disableAllHooks": true}`, 0o600)
	if r := status(); !r.Disabled {
		t.Errorf("switched off: %+v", r)
	}
}
