package desk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// TestTheThemeFollowsTheBackgroundInTmux: where nothing is configured the board asks, also inside tmux.
func TestTheThemeFollowsTheBackgroundInTmux(t *testing.T) {
	for _, c := range []struct{ background, inks, config string }{
		{"#fdf6e3", "38;5;130", ""}, // needs-input on light
		{"#002b36", "38;5;221", ""}, // and on dark
		{"default", "38;5;221", ""}, // tmux does not say
		{"#fdf6e3", "38;5;221", "theme = \"dark\"\n"},
	} {
		s := tmuxtest.New(t)
		if c.config != "" {
			configure(t, s, c.config)
		}
		sh := s.NewSession("sh", tmuxtest.Command{})
		s.Run("select-pane", "-t", string(sh.ID), "-P", "bg="+c.background)
		s.Shell(sh.ID, "TERM=tmux-256color "+program+" --claude-dir "+filepath.Join(s.Home(), ".claude"))
		a := fake(t, s, "worker", fakeagent.Options{})
		say(s, a, "bash ls")
		s.UntilText(sh.ID, "1 needs input")
		if screen := s.Run("capture-pane", "-ep", "-t", string(sh.ID)); !strings.Contains(screen, c.inks) {
			t.Errorf("on %s with %q there is no ink %s:\n%q", c.background, c.config, c.inks, screen)
		}
	}
}

// TestKeysTypedBeforeTheBoardCount: they wait in the terminal while the program starts, and are read there
// with what the terminal answers. Enter was made a new line meanwhile.
func TestKeysTypedBeforeTheBoardCount(t *testing.T) {
	for _, c := range []struct{ term, config string }{
		{"tmux-256color", ""},
		{"xterm-256color", ""},                  // which libraries talk to
		{"tmux-256color", "theme = \"dark\"\n"}, // not asked
	} {
		s := tmuxtest.New(t)
		if c.config != "" {
			configure(t, s, c.config)
		}
		s.NewSession("other", tmuxtest.Command{})
		sh := s.NewSession("sh", tmuxtest.Command{})
		typed, done := filepath.Join(s.TmpDir(), "typed"), filepath.Join(s.TmpDir(), "waits")
		s.Shell(sh.ID, "touch "+done+"; until [ -e "+typed+" ]; do :; done; TERM="+c.term+" exec "+program+" --claude-dir "+filepath.Join(s.Home(), ".claude"))
		s.Until("the shell to wait", func() bool { return exists(done) })
		s.Type(sh.ID, "/othe")
		s.SendKeys(sh.ID, "Enter")
		s.Type(sh.ID, "/r")
		s.UntilText(sh.ID, "/r") // echoed: all of it is there
		if err := os.WriteFile(typed, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s.UntilText(sh.ID, "/other")
	}
}

func exists(path string) bool { _, err := os.Stat(path); return err == nil }
