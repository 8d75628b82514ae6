package interlock

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
)

// realDeed is a deed in a real tmux. It returns when tmux shows what it did.
type realDeed struct {
	name  string
	do    func(*rig)
	unfit bool // tmux or the screen shows that nothing must be typed any more: the first guard refuses
}

func realDeeds() []realDeed {
	return []realDeed{
		{"opens a dialog", func(r *rig) { r.order("dialog"); r.shows("Do you want to proceed?") }, true},
		{"shows the transcript", func(r *rig) { r.order("transcript"); r.shows("Showing detailed transcript") }, true},
		{"turns busy", func(r *rig) { r.setWord("busy") }, false},
		{"exits", func(r *rig) { r.order("exit"); r.inFront("bash") }, true},
		{"is suspended", func(r *rig) { r.order("suspend"); r.inFront("bash") }, true},
		{"is respawned", (*rig).respawn, true},
		{"moves to another window", func(r *rig) {
			s := r.server.NewSession("", tmuxtest.Command{})
			r.server.Run("resize-window", "-t", string(s.Window), "-x", "100", "-y", "30")
			r.server.Run("join-pane", "-d", "-s", string(r.pane.ID), "-t", string(s.ID))
		}, true},
		{"gets a neighbour that takes the focus", func(r *rig) { r.server.Run("split-window", "-t", string(r.pane.ID)) }, true}, // and makes it smaller
		{"enters copy mode", func(r *rig) { r.server.Run("copy-mode", "-t", string(r.pane.ID)) }, true},
		{"is synchronised", func(r *rig) {
			r.server.Split(r.pane, tmuxtest.Command{Argv: []string{"cat"}})
			r.server.Run("set-option", "-w", "-t", string(r.pane.ID), "synchronize-panes", "on")
		}, true},
		{"has its input switched off", func(r *rig) { r.server.Run("select-pane", "-d", "-t", string(r.pane.ID)) }, true},
		{"loses the pane", func(r *rig) { r.server.Run("kill-pane", "-t", string(r.pane.ID)) }, true},
		{"gets typed into", func(r *rig) { r.order("text a draft of the person"); r.shows("a draft of the person") }, true},
		{"swallows the first Enter", func(r *rig) { r.order("swallow") }, false},
		{"draws late", func(r *rig) { r.order("echo 200ms") }, false},
	}
}

func (r *rig) shows(text string) { r.server.UntilText(r.pane.ID, text) }

func (r *rig) inFront(program string) {
	r.server.UntilFormat(r.pane.ID, "#{pane_current_command}", program)
	// The shell asks for brackets itself when it prompts; wait for it.
	r.shows(strings.TrimSpace(tmuxtest.Prompt))
}

// respawn puts another stub into the pane, with an empty box on the same screen.
func (r *rig) respawn() {
	dir, err := os.MkdirTemp(r.server.TmpDir(), "s")
	if err != nil {
		r.t.Fatal(err)
	}
	r.server.Run("respawn-pane", "-k", "-t", string(r.pane.ID), "exec env "+stubCommand(r.t, dir))
	r.server.UntilFile(filepath.Join(dir, "pid"))
	r.server.UntilText(r.pane.ID, "manual mode on")
}

// realTask would leave a file behind if any line of it ran in a shell.
const realTask = "touch pwned\ntouch pwned"

// keyPoints are where a deed hurts most; the rest of the points is left to the model, unless
// INTERLOCK_FULL is set.
func keyPoints() []string {
	return []string{"paste before #1", "paste after #1", "rows after #2", "enter before #1", "enter after #1"}
}

// TestRealAdversary does the deeds in a real tmux, with a real process in a real shell.
func TestRealAdversary(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	points := keyPoints()
	if os.Getenv("INTERLOCK_FULL") != "" {
		points = allPoints(t, s)
	}
	t.Run("deeds", func(t *testing.T) {
		for _, d := range realDeeds() {
			t.Run(d.name, func(t *testing.T) {
				t.Parallel()
				for _, p := range points {
					t.Run(p, func(t *testing.T) { newRig(t, s).suffer(d, p) })
				}
			})
		}
	})
	if left, _ := s.Try("list-buffers"); left != "" {
		t.Errorf("buffers left: %s", left)
	}
	if files, _ := filepath.Glob(filepath.Join(s.Home(), "pwned")); len(files) > 0 {
		t.Error("the task was run by a shell")
	}
}

// allPoints lists the points of an undisturbed send.
func allPoints(t *testing.T, s *tmuxtest.Server) []string {
	r := newRig(t, s)
	var names []string
	r.count(func(name string) { names = append(names, name) })
	if got := r.interlock().Send(t.Context(), Request{Target: r.target(), Text: realTask}, nil); got.Outcome != Delivered {
		t.Fatalf("an undisturbed send: %s: %s", got.Outcome, got.Detail)
	}
	return names
}

// count numbers the points: "look before #2" is the second look.
func (r *rig) count(at func(string)) {
	seen := map[string]int{}
	r.point = func(name string) {
		seen[name]++
		at(name + " #" + string(rune('0'+seen[name]%10)))
	}
}

// settled waits until the stub has read what tmux has written to it, if anything.
func (r *rig) settled() {
	for deadline := time.Now().Add(200 * time.Millisecond); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if log := r.reads("log"); len(log) > 0 && log[len(log)-1].Text == "\r" {
			return
		}
	}
}

// suffer sends a task and does the deed at one point.
func (r *rig) suffer(d realDeed, point string) {
	r.t.Helper()
	done, typed, entered := false, false, false
	r.count(func(name string) {
		typed = typed || name == "paste after #1"
		entered = entered || name == "enter after #1"
		if name == point && !done {
			done = true
			if strings.HasPrefix(name, "enter after") {
				r.settled() // or the deed would overtake a key that tmux has already written
			}
			d.do(r)
		}
	})
	ctx, cancel := context.WithTimeout(r.t.Context(), 10*time.Second)
	defer cancel()
	i := r.interlock()
	// Impatient, or most of the time would go by waiting for what cannot come any more.
	i.Timing.Echo, i.Timing.Receipt, i.Timing.EchoPoll = 300*time.Millisecond, 300*time.Millisecond, 10*time.Millisecond
	got := i.Send(ctx, Request{Target: r.target(), Text: realTask}, nil)
	log, took := r.reads("log"), r.reads("got")
	pastes, enters := 0, 0
	for _, in := range log {
		switch {
		case in.Bracketed && in.Text == realTask:
			pastes++
		case in.Text == "\r" && in.Mode == "box" && in.Box == realTask:
			enters++
		default:
			r.t.Errorf("the program read %+v", in)
		}
	}
	if pastes > 1 || enters > 1 {
		r.t.Errorf("%d pastes, %d Enters", pastes, enters)
	}
	r.truth(got, pastes, enters, len(took))
	before := slices.Index(keyPoints(), point) <= slices.Index(keyPoints(), "paste before #1")
	if d.unfit && done && slices.Contains(keyPoints(), point) && before && got.Outcome != Refused {
		r.t.Errorf("it was too late to type, but the outcome is %s: %s", got.Outcome, got.Detail)
	}
	if r.t.Failed() {
		r.t.Logf("%s (%s), done %v, typed %v, entered %v\n%s", got.Outcome, got.Detail, done, typed, entered, r.server.Screens())
	}
	if _, err := r.server.Try("kill-pane", "-t", string(r.pane.ID)); err == nil {
		_, _ = r.server.Try("kill-session", "-t", string(r.pane.Session))
	}
}

func (r *rig) truth(got Result, pastes, enters, took int) {
	r.t.Helper()
	wrong := false
	switch got.Outcome {
	case Delivered:
		wrong = took != 1
	case Refused:
		wrong = pastes+enters > 0
	case Withheld:
		wrong = enters > 0
	case Unconfirmed:
		wrong = pastes != 1 || enters > 1
	default:
		wrong = true
	}
	if wrong {
		r.t.Errorf("told %s (%s) after %d pastes, %d Enters, %d prompts taken", got.Outcome, got.Detail, pastes, enters, took)
	}
}
