package paths

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestDirectories(t *testing.T) {
	run := t.TempDir()
	tests := []struct {
		name  string
		env   map[string]string
		run   []string
		state string
	}{
		{
			"all set",
			map[string]string{"HOME": "/h", "XDG_RUNTIME_DIR": run, "XDG_STATE_HOME": "/s"},
			[]string{run + "/signalbox", "/s/signalbox/run"},
			"/s/signalbox",
		},
		{
			"defaults",
			map[string]string{"HOME": "/h"},
			[]string{"/h/.local/state/signalbox/run"},
			"/h/.local/state/signalbox",
		},
		{
			"relative paths count as unset",
			map[string]string{"HOME": "/h", "XDG_RUNTIME_DIR": "run", "XDG_STATE_HOME": "./s"},
			[]string{"/h/.local/state/signalbox/run"},
			"/h/.local/state/signalbox",
		},
		{"no home", map[string]string{"XDG_RUNTIME_DIR": run}, []string{run + "/signalbox"}, ""},
		{"a runtime directory that is not there is not made", map[string]string{"HOME": "/h", "XDG_RUNTIME_DIR": run + "/no"}, []string{"/h/.local/state/signalbox/run"}, "/h/.local/state/signalbox"},
		{"nothing", nil, nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env := func(name string) string { return tt.env[name] }
			if got := RunDirs(env); !slices.Equal(got, tt.run) {
				t.Errorf("run directories %q, want %q", got, tt.run)
			}
			if got := State(env); got != tt.state {
				t.Errorf("state %q, want %q", got, tt.state)
			}
			log := ""
			if tt.state != "" {
				log = tt.state + "/events.jsonl"
			}
			if got := EventLog(env); got != log {
				t.Errorf("log %q, want %q", got, log)
			}
		})
	}
}

func TestCheckPrivate(t *testing.T) {
	dir := t.TempDir()
	file, link, wide := filepath.Join(dir, "file"), filepath.Join(dir, "link"), filepath.Join(dir, "wide")
	err := errors.Join(os.WriteFile(file, nil, 0o600), os.Symlink(dir, link), os.Mkdir(wide, 0o700), os.Chmod(wide, 0o720))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := CheckPrivate(dir); err != nil {
		t.Errorf("a directory others can only read: %v", err)
	}
	for name, path := range map[string]string{"a file": file, "a link": link, "a directory its group can write to": wide} {
		if err := CheckPrivate(path); !errors.Is(err, ErrUntrusted) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := CheckPrivate(filepath.Join(dir, "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
	if err := CheckOwned(wide); err != nil {
		t.Errorf("our own directory: %v", err)
	}
}
