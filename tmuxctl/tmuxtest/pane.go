package tmuxtest

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
)

const (
	// waitFor is how long Until waits: far above what a loaded machine needs, so that only a real
	// failure reaches it.
	waitFor = 30 * time.Second
	// pollInterval is how often a condition is looked at.
	pollInterval = 10 * time.Millisecond

	paneFormat = "#{session_id} #{window_id} #{pane_id} #{pane_pid}"
)

// Command describes what a new pane runs.
type Command struct {
	Argv []string // nil for the plain shell; run without a shell in between otherwise
	Env  []string // NAME=value, added to what tmux gives a pane
	Dir  string   // "" for the home directory
}

// NewSession makes a detached session of the fixed size. tmux chooses a name where none is given.
func (s *Server) NewSession(name string, c Command) Pane {
	s.t.Helper()
	args := []string{"new-session", "-d", "-x", strconv.Itoa(Width), "-y", strconv.Itoa(Height)}
	if name != "" {
		args = append(args, "-s", name)
	}
	return s.make(args, c)
}

// NewWindow makes a window at the end of the session, without selecting it.
func (s *Server) NewWindow(id tracker.SessionID, c Command) Pane {
	s.t.Helper()
	return s.make([]string{"new-window", "-d", "-a", "-t", string(id) + ":{end}"}, c)
}

// Split makes another pane in the window of p, without selecting it.
func (s *Server) Split(p Pane, c Command) Pane {
	s.t.Helper()
	return s.make([]string{"split-window", "-d", "-t", string(p.ID)}, c)
}

func (s *Server) make(args []string, c Command) Pane {
	s.t.Helper()
	dir := c.Dir
	if dir == "" {
		dir = s.Home()
	}
	args = append(args, "-P", "-F", paneFormat, "-c", dir)
	for _, e := range c.Env {
		args = append(args, "-e", e)
	}
	if len(c.Argv) == 1 {
		// A lone argument would go through a shell.
		c.Argv = []string{"/usr/bin/env", c.Argv[0]}
	}
	if len(c.Argv) > 0 {
		args = append(append(args, "--"), c.Argv...)
	}
	p := s.pane(s.Run(args...))
	if len(c.Argv) == 0 {
		s.untilPrompt(p.ID)
	}
	return p
}

func (s *Server) pane(line string) Pane {
	s.t.Helper()
	f := strings.Fields(line)
	if len(f) != 4 {
		s.t.Fatalf("tmux named no pane: %q", line)
	}
	pid, err := strconv.Atoi(f[3])
	if err != nil {
		s.t.Fatalf("tmux named no pane: %q", line)
	}
	return Pane{Session: tracker.SessionID(f[0]), Window: tracker.WindowID(f[1]), ID: tracker.PaneID(f[2]), PID: pid}
}

// SendKeys presses keys, by tmux's names ("Enter", "C-c", "a").
func (s *Server) SendKeys(id tracker.PaneID, keys ...string) {
	s.t.Helper()
	s.Run(append([]string{"send-keys", "-t", string(id), "--"}, keys...)...)
}

// Type types text literally. It presses no Enter.
func (s *Server) Type(id tracker.PaneID, text string) {
	s.t.Helper()
	// tmux takes a last ';' for the end of its command.
	if cut, ok := strings.CutSuffix(text, ";"); ok {
		text = cut + `\;`
	}
	s.Run("send-keys", "-t", string(id), "-l", "--", text)
}

// Shell runs one line in the pane's shell. It does not wait for it to end.
func (s *Server) Shell(id tracker.PaneID, line string) {
	s.t.Helper()
	s.Type(id, line)
	s.SendKeys(id, "Enter")
}

// Capture is the text on the pane's screen, without colours.
func (s *Server) Capture(id tracker.PaneID) string {
	s.t.Helper()
	return s.Run("capture-pane", "-p", "-t", string(id))
}

// Format expands a tmux format for a pane.
func (s *Server) Format(id tracker.PaneID, format string) string {
	s.t.Helper()
	return s.Run("display-message", "-p", "-t", string(id), format)
}

// Until waits until the condition holds. On a timeout it fails the test with what was waited for
// and the last screen of every pane.
func (s *Server) Until(what string, ok func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(waitFor); ; time.Sleep(pollInterval) {
		if ok() {
			return
		}
		if time.Now().After(deadline) {
			s.t.Fatalf("waited %v for: %s\n%s", waitFor, what, s.Screens())
		}
	}
}

// UntilText waits until the pane's screen holds the text.
func (s *Server) UntilText(id tracker.PaneID, text string) {
	s.t.Helper()
	s.Until(fmt.Sprintf("%q in %s", text, id), func() bool { return strings.Contains(s.Capture(id), text) })
}

// UntilFormat waits until a format has this value for the pane.
func (s *Server) UntilFormat(id tracker.PaneID, format, want string) {
	s.t.Helper()
	s.Until(fmt.Sprintf("%s to be %q in %s", format, want, id), func() bool { return s.Format(id, format) == want })
}

// UntilDead waits until tmux says how the program of a kept pane has ended. A signal that comes at a bad
// moment makes it overlook the end of a child until another child ends, for good where none does: each look
// here is one.
func (s *Server) UntilDead(id tracker.PaneID) {
	s.t.Helper()
	s.Until("the program in "+string(id)+" to be reaped", func() bool {
		s.Run("run-shell", "-b", "true") // without -b it would wait for that end
		return strings.Contains(s.Capture(id), "Pane is dead")
	})
}

// UntilFile waits until the file exists and is not empty, and returns its content.
func (s *Server) UntilFile(path string) string {
	s.t.Helper()
	var data []byte
	s.Until("the file "+path, func() bool {
		data, _ = os.ReadFile(path)
		return len(data) > 0
	})
	return string(data)
}

// untilPrompt waits for the shell's prompt: before that a pane's first keys may be lost.
func (s *Server) untilPrompt(id tracker.PaneID) {
	s.t.Helper()
	s.Until("the shell's prompt in "+string(id), func() bool {
		return strings.HasPrefix(s.Capture(id), strings.TrimRight(Prompt, " "))
	})
}

// Screens shows every pane of the server for a failure message. It never fails the test.
func (s *Server) Screens() string {
	ids, err := s.Try("list-panes", "-a", "-F", "#{pane_id} #{window_id} #{session_id} #{pane_current_command}")
	if err != nil {
		return fmt.Sprintf("(no screens: %v)", err)
	}
	var b strings.Builder
	for line := range strings.Lines(ids) {
		id, _, _ := strings.Cut(line, " ")
		screen, err := s.Try("capture-pane", "-p", "-t", id)
		if err != nil {
			screen = err.Error()
		}
		fmt.Fprintf(&b, "--- %s\n%s\n", strings.TrimSpace(line), strings.TrimRight(screen, "\n"))
	}
	if s.outer != nil {
		b.WriteString("--- terminals of the attached clients\n" + s.outer.Screens())
	}
	return b.String()
}
