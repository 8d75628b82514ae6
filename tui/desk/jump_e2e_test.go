package desk_test

import (
	"strings"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
)

// TestAJumpThatCannotBeSaysWhy: nothing moves then, and tmux's own words are not all there is.
func TestAJumpThatCannotBeSaysWhy(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	work := s.NewSession("work", tmuxtest.Command{})
	s.Run("rename-window", "-t", string(work.Window), "first")
	s.NewWindow(work.Session, tmuxtest.Command{})
	shown := func() string {
		return s.Run("display-message", "-p", "-t", string(work.Session)+":", "#{pane_id}")
	}
	nobody := tmuxtest.Pane{}
	before := shown()
	is := func(what string, in tmuxtest.Pane, code int, want string, args ...string) {
		t.Helper()
		out, got := run(t, s, in, append([]string{"jump"}, args...)...)
		if got != code || !strings.HasPrefix(out, "error: ") || !strings.Contains(out, want) || strings.Count(out, "\nhint: ") != 1 || strings.Contains(out, "exit status") {
			t.Errorf("%s: exit %d, want %d and %q\n%s", what, got, code, want, out)
		}
		if shown() != before {
			t.Errorf("%s: something moved", what)
		}
	}
	is("no terminal", nobody, 1, "this is none", string(work.ID))
	is("back, outside", nobody, 5, "outside of tmux", "--back")
	is("back, nobody attached", work, 5, "no client is attached", "--back")
	s.Attach(s.Main().Session)
	is("back, somebody attached elsewhere", work, 5, "the one client attached shows another", "--back")
	is("there, somebody attached elsewhere", work, 5, "the one client attached shows another", string(s.Main().ID))

	// A terminal that tmux does not know.
	sh := s.NewSession("sh", tmuxtest.Command{Argv: []string{"/bin/sh"}})
	s.Run("resize-window", "-t", string(sh.Window), "-x", "200", "-y", "30")
	s.Shell(sh.ID, "env -u TMUX -u TMUX_PANE TERM=unheard-of "+program+" jump -S "+s.Socket()+" "+string(work.ID)+`; echo "left $?"`)
	s.UntilText(sh.ID, "left 1")
	if out := s.Capture(sh.ID); !strings.Contains(out, "error: tmux could not show the pane in this terminal: ") || !strings.Contains(out, "unsuitable terminal: unheard-of") || !strings.Contains(out, "\nhint: ") {
		t.Errorf("a terminal that tmux does not know:\n%s", out)
	}
}
