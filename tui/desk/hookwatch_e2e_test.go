package desk_test

import (
	"strings"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
)

// TestHooksOfAnotherShellReachAnOpenBoard installs and uninstalls them beside a board that nobody
// touches.
func TestHooksOfAnotherShellReachAnOpenBoard(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	b := board(s)
	s.UntilText(b.ID, "hooks off")
	for range 2 {
		installHooks(t, s)
		s.UntilText(b.ID, "all sources ok")
		if out, code := run(t, s, tmuxtest.Pane{}, "hooks", "uninstall"); code != 0 {
			t.Fatalf("hooks uninstall: %d\n%s", code, out)
		}
		s.UntilText(b.ID, "hooks off")
	}
	if out, _ := run(t, s, tmuxtest.Pane{}, "hooks", "uninstall"); !strings.HasPrefix(out, "there are no hooks of signalbox in "+s.Home()) {
		t.Errorf("uninstalled once more: %s", out)
	}
}
