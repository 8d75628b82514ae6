package tmuxctl

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"testing"

	"signalbox/tracker"
)

func TestSelectServer(t *testing.T) {
	dir := t.TempDir()
	uid := os.Getuid()
	for name, row := range map[string]struct {
		name, path, tmux, tmpdir string
		args                     []string
		socket                   string
		pid                      int
	}{
		"nothing":           {"", "", "", "", []string{"-L", "default"}, fmt.Sprintf("/tmp/tmux-%d/default", uid), 0},
		"inside":            {"", "", "/run/x,y/s,42,7", "", []string{"-S", "/run/x,y/s"}, "/run/x,y/s", 42},
		"name beats inside": {"other", "", "/run/s,42,7", "", []string{"-L", "other"}, fmt.Sprintf("/tmp/tmux-%d/other", uid), 0},
		"path beats name":   {"other", "/p/s", "/run/s,42,7", "", []string{"-S", "/p/s"}, "/p/s", 0},
		"tmpdir":            {"other", "", "", dir, []string{"-L", "other"}, fmt.Sprintf("%s/tmux-%d/other", dir, uid), 0},
		"missing tmpdir":    {"", "", "", dir + "/no", []string{"-L", "default"}, fmt.Sprintf("/tmp/tmux-%d/default", uid), 0},
	} {
		s := SelectServer(row.name, row.path, func(k string) string {
			return map[string]string{"TMUX": row.tmux, "TMUX_TMPDIR": row.tmpdir}[k]
		})
		if !slices.Equal(s.Args(), row.args) || s.Socket() != row.socket || s.PID != row.pid {
			t.Errorf("%s: %q %q %d", name, s.Args(), s.Socket(), s.PID)
		}
	}
}

func TestParseTmuxVar(t *testing.T) {
	for in, want := range map[string]TmuxVar{
		"/tmp/tmux-0/default,123,4": {"/tmp/tmux-0/default", 123, "$4"},
		"/a,b,1,2":                  {"/a,b", 1, "$2"},
		"":                          {},
		"/a":                        {Socket: "/a"},
		"/a,1,-3":                   {Socket: "/a", PID: 1},
		"/a,x,3":                    {Socket: "/a", Session: "$3"},
	} {
		if got := ParseTmuxVar(in); got != want {
			t.Errorf("%q: %+v, not %+v", in, got, want)
		}
	}
}

func TestOnlyIDsAreTargets(t *testing.T) {
	for _, id := range []string{"%0", "%5", "%4294967295"} {
		if err := CheckPane(tracker.PaneID(id)); err != nil {
			t.Errorf("%q: %v", id, err)
		}
	}
	for _, id := range oddTargets() {
		if err := CheckPane(tracker.PaneID(id)); !errors.Is(err, ErrBadTarget) {
			t.Errorf("%q was taken for a pane", id)
		}
	}
	if CheckSession("$1") != nil || CheckSession("%1") == nil || CheckWindow("@1") != nil || CheckWindow("$1") == nil {
		t.Error("sigils are mixed up")
	}
}
