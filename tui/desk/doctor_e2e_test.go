package desk_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
)

// TestTheDoctorSaysHowABoardAsksTmux over its one client, or by starting a tmux each second, and why.
func TestTheDoctorSaysHowABoardAsksTmux(t *testing.T) {
	for _, c := range []struct{ config, want string }{
		{"", "one runs; tmux is asked over one client"},
		{"tmux_client = false\n", "one runs; tmux is started for every question: tmux_client is false in the configuration"},
	} {
		s := tmuxtest.New(t)
		if err := os.MkdirAll(filepath.Join(s.Home(), ".claude"), 0o700); err != nil {
			t.Fatal(err)
		}
		configure(t, s, c.config)
		doctor := func() string {
			out, _ := run(t, s, tmuxtest.Pane{}, "doctor")
			for l := range strings.Lines(out) {
				if name, rest, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(l, "ok")), " "); ok && name == "board" {
					return strings.TrimSpace(rest)
				}
			}
			t.Fatalf("nothing is said of the board:\n%s", out)
			return ""
		}
		if got := doctor(); got != "none runs on this server" {
			t.Errorf("without a board: %q", got)
		}
		b := s.NewSession("board", tmuxtest.Command{Argv: []string{program, "--claude-dir", filepath.Join(s.Home(), ".claude")}})
		s.UntilText(b.ID, "needs input")
		s.Until("the doctor to say "+c.want, func() bool { return doctor() == c.want })
		clients := strings.Count(s.Run("list-clients", "-F", "#{client_control_mode}"), "1")
		if wants := 1 - strings.Count(c.config, "false"); clients != wants {
			t.Errorf("%q: %d control clients, want %d", c.config, clients, wants)
		}
		s.SendKeys(b.ID, "q")
	}
}
