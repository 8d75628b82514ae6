package desk_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
)

// keptInbox is the file of the inbox as far as these tests look into it.
type keptInbox struct {
	Worlds []struct {
		Seen    time.Time
		Entries []struct {
			Title string
			Read  bool
		}
	}
}

func readInbox(s *tmuxtest.Server) (f keptInbox) {
	data, err := os.ReadFile(filepath.Join(s.Home(), ".local", "state", "signalbox", "inbox.json"))
	if err == nil {
		_ = json.Unmarshal(data, &f)
	}
	return f
}

// entryLine is the line of the open inbox that tells of an agent; "" unless there is exactly one.
func entryLine(screen, agent string) string {
	line := ""
	for l := range strings.Lines(screen) {
		if strings.Contains(l, " "+agent+" ") {
			if line != "" {
				return ""
			}
			line = l
		}
	}
	return line
}

// TestAKilledBoardLosesNothingOfItsInbox: an agent that asks, one that is done and was looked at, one
// that has ended, and one that came after the inbox was last open. The next board shows each once and
// as it was, counts the same in its footer and in the terminal's title, and tells it to nobody again.
func TestAKilledBoardLosesNothingOfItsInbox(t *testing.T) {
	t.Parallel() // it waits more than it works
	s := tmuxtest.New(t)
	installHooks(t, s)
	file := listener(t, s, "")
	b := board(s)
	asks, over := fake(t, s, "asks", fakeagent.Options{}), fake(t, s, "ends", fakeagent.Options{})
	say(s, asks, "bash ls > x")
	untilCell(s, b, "asks", "▲", "Bash: ls > x")
	say(s, over, "bash ls > y")
	untilCell(s, b, "ends", "▲")
	s.Run("set-option", "-w", "-t", string(over.Window), "remain-on-exit", "on")
	if err := syscall.Kill(over.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	s.UntilDead(over.ID)
	untilCell(s, b, "ends", "†")
	seen := done(t, s, "seen")
	untilCell(s, b, "seen", "◆")
	if out, code := run(t, s, tmuxtest.Pane{}, "ack", string(seen.ID)); code != 0 {
		t.Fatalf("ack: %d, %s", code, out)
	}
	untilCell(s, b, "seen", "·")
	s.SendKeys(b.ID, "i")
	s.UntilText(b.ID, "what happened, newest first")
	s.SendKeys(b.ID, "i")
	s.Until("what was seen to be written", func() bool { f := readInbox(s); return len(f.Worlds) == 1 && !f.Worlds[0].Seen.IsZero() })
	done(t, s, "fresh")
	untilCell(s, b, "fresh", "◆")
	counts := func() {
		t.Helper()
		s.UntilText(b.ID, "i inbox 1 ")
		s.UntilFormat(b.ID, "#{pane_title}", "(2) signalbox")
	}
	counts()
	s.Until("all of it to be written", func() bool {
		f, read := readInbox(s), 0
		for _, e := range f.Worlds[0].Entries {
			if e.Read {
				read++
			}
		}
		return len(f.Worlds[0].Entries) == 5 && read == 1
	})
	s.Until("the last of it to be notified", func() bool {
		for _, n := range notifications(t, file) {
			for _, one := range n.Notices {
				if one.Name == "fresh" {
					return true
				}
			}
		}
		return false
	})
	told := len(notifications(t, file))

	for range 2 { // the second one finds what the first one wrote
		if err := syscall.Kill(b.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		s.Until("the board to be gone", func() bool { return !strings.Contains(s.Run("list-sessions"), "board") })
		b = board(s)
		counts()
		s.SendKeys(b.ID, "i")
		for agent, words := range map[string][]string{"asks": {" open ", "Bash: ls > x"}, "seen": {" seen ", "Echo: hello"}, "fresh": {" new ", "Echo: hello"}} {
			s.Until("the one entry of "+agent, func() bool {
				line := entryLine(s.Capture(b.ID), agent)
				return strings.Contains(line, words[0]) && strings.Contains(line, words[1])
			})
		}
		if screen := s.Capture(b.ID); strings.Count(screen, " ends ") != 2 || !strings.Contains(screen, "ended while waiting: Bash: ls > y") {
			t.Errorf("the one that has ended is told as\n%s", screen)
		}
	}
	if got := notifications(t, file); len(got) != told {
		t.Errorf("after the restart it was told: %+v", got[told:])
	}
}
