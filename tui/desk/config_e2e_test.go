package desk_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/testdata/fakeagent"
	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// TestTheTitleCountsAndIsGivenBack: the pane's title says how many wait, and is what it was when the
// board has left.
func TestTheTitleCountsAndIsGivenBack(t *testing.T) {
	s := tmuxtest.New(t)
	sh := s.NewSession("sh", tmuxtest.Command{})
	s.Shell(sh.ID, `printf '\033]2;before\007'`)
	s.UntilFormat(sh.ID, "#{pane_title}", "before")
	s.Shell(sh.ID, program+" --claude-dir "+filepath.Join(s.Home(), ".claude"))
	s.UntilFormat(sh.ID, "#{pane_title}", "signalbox")
	a := fake(t, s, "\x1b]2;owned\a", fakeagent.Options{})
	say(s, a, "bash ls")
	s.UntilFormat(sh.ID, "#{pane_title}", "(1) signalbox")
	s.SendKeys(sh.ID, "q")
	s.UntilFormat(sh.ID, "#{pane_title}", "before")
}

// runWith is run with more environment, and with nothing behind its arguments.
func runWith(t *testing.T, s *tmuxtest.Server, env []string, args ...string) (out string, code int) {
	t.Helper()
	flags := []string{"-S", s.Socket(), "--claude-dir", filepath.Join(s.Home(), ".claude")}
	return runIn(t, append(s.Env(), env...), slices.Insert(args, 1, flags...)...) // the last word may be one to complete
}

func TestAWrongConfigurationNamesItsLines(t *testing.T) {
	s := tmuxtest.New(t)
	configure(t, s, "theme = \"dark\"\nsplit = true\n\n[keys]\njump = \"o\"\nhelp = \"ctrl+i\"\n")
	want := []string{"config.toml:2: unknown key \"split\""}
	for _, args := range [][]string{{}, {"status"}, {"config"}, {"config", "--show"}, {"watch"}} {
		out, code := run(t, s, tmuxtest.Pane{}, args...)
		if code != 2 || !strings.Contains(out, want[0]) || !strings.Contains(out, "hint: ") {
			t.Errorf("%q: exit %d, want 2\n%s", args, code, out)
		}
	}
	configure(t, s, "[keys]\njump = \"o\"\nhelp = \"ctrl+i\"\n")
	out, code := run(t, s, tmuxtest.Pane{}, "status")
	for _, want := range []string{`config.toml:2: keys.jump: "o" has two meanings`, `config.toml:3: keys.help: "ctrl+i": terminals send "tab" for it`} {
		if code != 2 || !strings.Contains(out, want) {
			t.Errorf("exit %d, no %q in\n%s", code, want, out)
		}
	}
	for _, args := range [][]string{{"config", "--path"}, {"config", "--defaults"}, {"hooks", "status"}} { // what helps to repair it
		if out, code := run(t, s, tmuxtest.Pane{}, args...); code != 0 {
			t.Errorf("%q: exit %d\n%s", args, code, out)
		}
	}
	if out, code := run(t, s, tmuxtest.Pane{}, "status", "--config", filepath.Join(s.TmpDir(), "none.toml")); code != 2 || !strings.Contains(out, "none.toml") {
		t.Errorf("a file that is not there: exit %d\n%s", code, out)
	}
	for content, want := range map[string]string{"": "the defaults hold: there is no ", "theme = \"dark\"\n": s.Home()} {
		if content != "" {
			configure(t, s, content)
		} else if err := os.Remove(filepath.Join(s.Home(), ".config", "signalbox", "config.toml")); err != nil {
			t.Fatal(err)
		}
		if out, _ := run(t, s, tmuxtest.Pane{}, "doctor"); !regexp.MustCompile(`(?m)^ok +config +` + regexp.QuoteMeta(want)).MatchString(out) {
			t.Errorf("the doctor does not say %q:\n%s", want, out)
		}
	}
	defaults, _ := run(t, s, tmuxtest.Pane{}, "config", "--defaults")
	configure(t, s, defaults)
	if out, code := run(t, s, tmuxtest.Pane{}, "config"); code != 0 || !strings.HasPrefix(out, "ok: ") {
		t.Errorf("the defaults as a file: exit %d\n%s", code, out)
	}
}

// TestTheConfigurationReachesTheBoard: what the configuration says reaches the board.
func TestTheConfigurationReachesTheBoard(t *testing.T) {
	s := tmuxtest.New(t)
	configure(t, s, "glyphs = \"ascii\"\npreview = \"off\"\nstatus_file = false\n[keys]\nhelp = \"ctrl+g\"\nquit = [\"X\"]\n")
	b := board(s)
	fake(t, s, "worker", fakeagent.Options{})
	s.Until("the board", func() bool { return cell(s.Capture(b.ID), "worker") != "" })
	if screen := s.Capture(b.ID); strings.ContainsAny(screen, "·◐◆▲─│") {
		t.Errorf("not ASCII:\n%s", screen)
	}

	s.SendKeys(b.ID, "q", "C-g")
	s.UntilText(b.ID, "this list")
	s.SendKeys(b.ID, "Escape")
	untilCell(s, b, "worker")
	s.SendKeys(b.ID, "X")
	s.Until("the board to leave", func() bool {
		return !strings.Contains(s.Run("list-panes", "-a", "-F", "#{pane_id}"), string(b.ID)+"\n")
	})
	if _, err := os.Stat(filepath.Join(s.Home(), ".local", "state", "thegrid", "tmux-status.json")); !os.IsNotExist(err) {
		t.Errorf("the status file was written all the same: %v", err)
	}
}

// TestTheStatusLineIsQuickAndStartsNoClaude: tmux runs it every second or two.
func TestTheStatusLineIsQuickAndStartsNoClaude(t *testing.T) {
	s := tmuxtest.New(t)
	calls := filepath.Join(s.TmpDir(), "claude-calls")
	bin := filepath.Join(s.TmpDir(), "path")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(bin, "claude"), []byte("#!/bin/sh\necho \"$@\" >> '"+calls+"'\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
	a := fake(t, s, "worker", fakeagent.Options{})
	line := func() (string, time.Duration) {
		began := time.Now()
		out, code := runWith(t, s, env, "status", "--tmux")
		if code != 0 {
			t.Fatalf("exit %d: %s", code, out)
		}
		return out, time.Since(began)
	}
	say(s, a, "bash ls")
	s.UntilText(a.ID, "Do you want to proceed?")
	if out, took := line(); !strings.Contains(out, "worker:0") {
		t.Errorf("without a board: %q", out)
	} else {
		t.Logf("without a board: %v", took)
	}
	if data, err := os.ReadFile(calls); err == nil {
		t.Errorf("without a board claude was started: %s", data)
	}
	b := board(s)
	untilCell(s, b, "worker", "▲")
	n, best := 0, time.Hour
	s.Until("a status line within 20 ms", func() bool { // a busy machine is slow at times, a slow program always
		out, took := line()
		if !strings.Contains(out, "bg=colour221,bold] ▲1 worker:0 #[default]") {
			t.Fatalf("%q", out)
		}
		n, best = n+1, min(best, took)
		return n >= 10 && best <= 20*time.Millisecond
	})
	t.Logf("with a board, the best of %d: %v", n, best)
	if data, err := os.ReadFile(calls); err == nil {
		t.Errorf("claude was started: %s", data)
	}
	if out, code := runWith(t, s, nil, "__complete", "jump", "w"); code != 0 || !strings.Contains(out, "worker\t") {
		t.Errorf("completion: %d\n%s", code, out)
	}
}

// TestTheDebugLogHoldsNoPrompt runs the program with --debug and says secrets to an agent.
func TestTheDebugLogHoldsNoPrompt(t *testing.T) {
	s := tmuxtest.New(t)
	installHooks(t, s)
	log := filepath.Join(s.TmpDir(), "debug.log")
	b := board(s, "--debug", log)
	a := fake(t, s, "hunter2name", fakeagent.Options{})
	untilCell(s, b, "hunter2name", "·")
	say(s, a, "bash echo hunter2prompt")
	untilCell(s, b, "hunter2name", "▲", "hunter2prompt")
	s.SendKeys(b.ID, "/")
	s.Until("the line to type in", func() bool { return !strings.Contains(s.Capture(b.ID), "space peek") })
	s.Type(b.ID, "hunter2filter")
	s.UntilText(b.ID, "hunter2filter")
	s.SendKeys(b.ID, "Escape")
	if out, code := run(t, s, tmuxtest.Pane{}, "status", "hunter2name", "--debug", log); code != 0 {
		t.Errorf("%d\n%s", code, out)
	}
	kind := regexp.MustCompile(`"(?:msg|detail|message|what)":"([^"]*)"`)
	for _, want := range []string{"event", "snapshot", "draw", "tmux", "step", "PermissionRequest", "UserPromptSubmit", "tui.snapshotMsg", "tea.KeyMsg", "ask a board"} {
		s.Until(want+" to be in the log", func() bool { // a hook is a process of its own: the registry may tell long before it
			data, _ := os.ReadFile(log)
			return slices.ContainsFunc(kind.FindAllStringSubmatch(string(data), -1), func(m []string) bool { return m[1] == want })
		})
	}
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if i := strings.Index(string(data), "hunter2"); i >= 0 {
		t.Errorf("…%s…", data[max(0, i-200):i+50])
	}
	if info, err := os.Stat(log); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

// bindings are the lines of the README for tmux.conf; TestTheBindingsAreThoseOfTheReadme holds them
// so. run-shell knows the client that pressed the key, which a popup alone does not.
const bindings = `bind-key S run-shell -b 'tmux display-popup -c "#{client_tty}" -E -w 90% -h 80% "SIGNALBOX_CLIENT=#{client_tty} signalbox --popup"'
bind-key N run-shell 'SIGNALBOX_CLIENT="#{client_tty}" signalbox jump --next >/dev/null 2>&1 || tmux display-message -c "#{client_tty}" "nobody needs you"'
bind-key B run-shell 'SIGNALBOX_CLIENT="#{client_tty}" signalbox jump --back >/dev/null 2>&1 || tmux display-message -c "#{client_tty}" "nowhere to go back to"'
set-option -g status-interval 2
set-option -g status-right-length 80
set-option -ag status-right ' #(signalbox status --tmux)'
`

// TestTheBindings pastes the lines into a tmux with two people on one session and presses the keys.
func TestTheBindings(t *testing.T) {
	s := tmuxtest.New(t)
	conf := filepath.Join(s.TmpDir(), "bindings.conf")
	ours := program + " --claude-dir " + filepath.Join(s.Home(), ".claude")
	if err := os.WriteFile(conf, []byte(strings.ReplaceAll(bindings, "signalbox ", ours+" ")), 0o600); err != nil {
		t.Fatal(err)
	}
	s.Run("source-file", conf)
	work := s.NewSession("work", tmuxtest.Command{})
	mine, other := s.Attach(work.Session), s.Attach(work.Session)
	a := fake(t, s, "worker", fakeagent.Options{})
	mine.Keys("C-b", "S")
	mine.UntilText("needs input")
	mine.UntilText("worker")
	if strings.Contains(other.Screen(), "needs input") {
		t.Error("the popup is on somebody else's terminal")
	}
	mine.Keys("/")
	s.Until("the line to type in", func() bool { return !strings.Contains(mine.Screen(), "space peek") })
	mine.Type("worker")
	mine.UntilText("/worker")
	mine.Keys("Enter", "Enter")
	s.Until("the client of the popup to be there", func() bool { return mine.Shows() == a.ID })
	if other.Shows() != work.ID {
		t.Errorf("somebody else's client was moved to %s", other.Shows())
	}
	// The popup has left with its jump. The next one knows the way back all the same, and says so where it
	// leads nowhere.
	gone := func() bool { return !strings.Contains(mine.Screen(), "signalbox  ") }
	back := func() {
		s.Until("the last popup to be gone", gone)
		var pressed time.Time
		s.Until("a popup", func() bool { // keys go to the last one as long as tmux has not closed it
			if gone() && time.Since(pressed) > time.Second {
				pressed = time.Now()
				mine.Keys("C-b", "S")
			}
			return strings.Contains(mine.Screen(), "space peek")
		})
		mine.Keys("b")
	}
	for _, want := range []tracker.PaneID{work.ID, a.ID} {
		back()
		s.Until("the popup to lead back", func() bool { return mine.Shows() == want })
	}
	s.Until("the last popup to be gone", gone)
	s.Run("switch-client", "-c", mine.TTY(), "-t", string(work.ID))
	back()
	mine.UntilText("the last jump began here")
	mine.Keys("q")
	s.Until("the last popup to be gone", gone)
	s.Run("switch-client", "-c", mine.TTY(), "-t", string(a.ID))
	jump := func(args ...string) (string, int) {
		return runWith(t, s, []string{"TMUX=" + strings.TrimSpace(s.Run("display-message", "-p", "#{socket_path},#{pid},0")), "SIGNALBOX_CLIENT=" + mine.TTY()}, append([]string{"jump"}, args...)...)
	}
	stay := s.NewWindow(work.Session, tmuxtest.Command{})
	s.Run("switch-client", "-c", mine.TTY(), "-t", string(stay.ID))
	if out, code := jump(string(a.ID)); code != 0 {
		t.Fatalf("a jump: exit %d, %s", code, out)
	}
	s.Run("kill-pane", "-t", string(stay.ID))
	if out, code := jump("--back"); code != 5 || !strings.Contains(out, "the place where the last jump began is gone") {
		t.Errorf("back to what is gone: exit %d, %s", code, out)
	}
	s.Run("set-option", "-g", "display-time", "0") // a message stands until the next key, which counts all the same
	for key, want := range map[string]string{"N": "nobody needs you", "B": "nowhere to go back to"} {
		other.Keys("C-b", key)
		other.UntilText(want)
		if strings.Contains(mine.Screen(), want) {
			t.Errorf("%q is told to somebody else", want)
		}
	}
	other.Keys("Right") // the message covers the status line
	say(s, a, "bash ls")
	s.UntilText(a.ID, "Do you want to proceed?")
	other.UntilText("▲1 worker:0") // in the status line
	other.Keys("C-b", "N")
	s.Until("the client of the key to be there", func() bool { return other.Shows() == a.ID })
}

func TestTheBindingsAreThoseOfTheReadme(t *testing.T) {
	data, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(data), "SIGNALBOX_CLIENT") {
		t.Skip("the README has other bindings")
	}
	if flat := regexp.MustCompile(`(?m)^    `).ReplaceAllString(string(data), ""); !strings.Contains(flat, bindings) {
		t.Error("the README has other bindings than those that are tested")
	}
}
