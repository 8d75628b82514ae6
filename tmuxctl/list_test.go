package tmuxctl

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

func TestListSaysWhatTmuxSays(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		main := s.Main()
		work := s.NewSession("work", tmuxtest.Command{Dir: s.TmpDir()})
		win := s.NewWindow(work.Session, tmuxtest.Command{Argv: []string{"sleep", "1000"}})
		split := s.Split(win, tmuxtest.Command{Argv: []string{"cat"}})
		s.UntilFormat(split.ID, "#{pane_current_command}", "cat")
		s.UntilFormat(win.ID, "#{pane_current_command}", "sleep")
		top := list(t, c)
		if top.Server != (tracker.ServerID{Socket: s.Socket(), PID: s.PID()}) {
			t.Errorf("server is %+v", top.Server)
		}
		if v := s.Format(main.ID, "#{version}"); top.Version != v {
			t.Errorf("version is %q, not %q", top.Version, v)
		}
		if n := len(top.Sessions); n != 2 || top.Sessions[0].ID != main.Session || top.Sessions[1].ID != work.Session {
			t.Fatalf("sessions: %+v", top.Sessions)
		}
		sess, w, p := find(t, top, split.ID)
		if sess.Name != "work" || sess.Group != "" || time.Since(sess.Created) > time.Minute || time.Since(sess.Activity) > time.Minute {
			t.Errorf("session: %+v", sess)
		}
		if w.ID != win.Window || w.Index != 1 || w.Active || len(w.Panes) != 2 || time.Since(w.Activity) > time.Minute {
			t.Errorf("window: %+v", w)
		}
		if want := s.Format(split.ID, "#{pane_tty} #{pane_current_path}"); p.TTY+" "+p.Path != want {
			t.Errorf("tty and path: %q, not %q", p.TTY+" "+p.Path, want)
		}
		if p.PID != split.PID || p.Index != 1 || p.Active || p.Command != "cat" ||
			fmt.Sprint(p.Width, p.Height) != s.Format(split.ID, "#{pane_width} #{pane_height}") {
			t.Errorf("pane: %+v", p)
		}
		if p := w.Panes[0]; p.ID != win.ID || !p.Active || p.Command != "sleep" {
			t.Errorf("first pane: %+v", p)
		}
		if _, w, p := find(t, top, work.ID); !w.Active || p.Path != s.TmpDir() {
			t.Errorf("work: %+v %+v", w, p)
		}
	})
}

func TestListHostileTexts(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		texts := map[string]string{ // name -> as it must come out, where tmux changes nothing
			"format":  `#{pane_id}|#(touch pwned) 'x"`,
			"quotes":  `q"x'y z`,
			"record":  `P $0 @0 %0 0 [*] 1 1 1 10000`,
			"emoji":   "👩‍👩‍👧 é ŀ",
			"rtl":     "abc \u202edef\u202c שלום",
			"percent": "%H %d %%",
			"guard":   "%end 1 1 1",
		}
		panes := make(map[string]tmuxtest.Pane)
		for name, text := range texts {
			dir := filepath.Join(s.TmpDir(), name+"\t\n~P $9 @9 %9 9 [*] 1 1 1 10000\n%end 1 1 1\n"+strings.ReplaceAll(text, "/", "_"))
			if err := os.Mkdir(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			title := filepath.Join(s.TmpDir(), name+".title")
			if err := os.WriteFile(title, []byte("\033]2;"+text+"\033\\"), 0o600); err != nil {
				t.Fatal(err)
			}
			p := s.NewSession("", tmuxtest.Command{Argv: []string{"sh", "-c", `cat "$1"; cd "$2"; exec cat`, "sh", title, dir}})
			s.UntilFormat(p.ID, "#{pane_current_command}", "cat")
			// tmux expands names when they are given; doubled, a '#' stays one.
			s.Run("rename-window", "-t", string(p.Window), "--", strings.ReplaceAll(text, "#", "##"))
			s.Run("rename-session", "-t", string(p.Session), "--", strings.ReplaceAll(text, "#", "##"))
			panes[name] = p
		}
		top := list(t, c)
		if len(top.Sessions) != 1+len(texts) {
			t.Fatalf("%d sessions: %+v", len(top.Sessions), top.Sessions)
		}
		for name, text := range texts {
			sess, w, p := find(t, top, panes[name].ID)
			if want := s.Format(p.ID, "#{pane_current_path}"); p.Path != want || !strings.Contains(p.Path, name+"\t\n~P") {
				t.Errorf("%s: path %q, not %q", name, p.Path, want)
			}
			if want := s.Format(p.ID, "#{pane_title}"); p.Title != want || p.Title != text && name != "rtl" && name != "format" {
				t.Errorf("%s: title %q, not %q", name, p.Title, want)
			}
			if want := s.Format(p.ID, "#{window_name}"); w.Name != want {
				t.Errorf("%s: window %q, not %q", name, w.Name, want)
			}
			if want := s.Format(p.ID, "#{session_name}"); sess.Name != want {
				t.Errorf("%s: session %q, not %q", name, sess.Name, want)
			}
			if sess.ID != panes[name].Session || p.PID != panes[name].PID || len(sess.Windows) != 1 {
				t.Errorf("%s: %+v", name, sess)
			}
		}
		if found, _ := filepath.Glob(filepath.Join(s.TmpDir(), "*", "pwned")); len(found) > 0 {
			t.Errorf("text was run: %q", found)
		}
		if _, err := os.Stat(filepath.Join(s.Home(), "pwned")); err == nil {
			t.Error("text was run")
		}
	})
}

func TestListLinkedWindowsOnce(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		a, b := s.NewSession("a", tmuxtest.Command{}), s.NewSession("b", tmuxtest.Command{})
		s.Run("link-window", "-d", "-s", string(a.Window), "-t", string(b.Session)+":7")
		if sess, w, _ := find(t, list(t, c), a.ID); sess.ID != a.Session || w.Index != 0 {
			t.Errorf("nobody attached: listed under %s at %d", sess.ID, w.Index)
		}
		s.Attach(b.Session)
		top := list(t, c)
		if sess, w, _ := find(t, top, a.ID); sess.ID != b.Session || w.Index != 7 || w.Active {
			t.Errorf("b attached: listed under %s at %d", sess.ID, w.Index)
		}
		if sess := session(t, top, a.Session); len(sess.Windows) != 0 || sess.Attached != 0 {
			t.Errorf("a: %+v", sess)
		}
		if sess := session(t, top, b.Session); sess.Attached != 1 {
			t.Errorf("b: %+v", sess)
		}
	})
}

func TestListSessionGroupOnce(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		a := s.NewSession("a", tmuxtest.Command{})
		two := s.NewWindow(a.Session, tmuxtest.Command{})
		s.Run("new-session", "-d", "-s", "g", "-t", string(a.Session))
		g := tracker.SessionID(s.Run("display-message", "-p", "-t", "=g:", "#{session_id}"))
		s.Run("select-window", "-t", string(g)+":"+string(two.Window))
		if sess, w, _ := find(t, list(t, c), two.ID); sess.ID != a.Session || w.Active || sess.Group == "" {
			t.Errorf("nobody attached: listed under %s, active %v, group %q", sess.ID, w.Active, sess.Group)
		}
		s.Attach(g)
		top := list(t, c)
		if sess, w, _ := find(t, top, two.ID); sess.ID != g || !w.Active {
			t.Errorf("g attached: listed under %s, active %v", sess.ID, w.Active)
		}
		if session(t, top, a.Session).Group != session(t, top, g).Group {
			t.Error("the group is not told")
		}
	})
}

func TestListFlags(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		mode, off, dead, killed := s.NewSession("mode", tmuxtest.Command{}), s.NewSession("off", tmuxtest.Command{}),
			s.NewSession("dead", tmuxtest.Command{}), s.NewSession("killed", tmuxtest.Command{})
		syn := s.NewSession("sync", tmuxtest.Command{})
		s.Split(syn, tmuxtest.Command{})
		s.Run("resize-pane", "-Z", "-t", string(syn.ID))
		s.Run("copy-mode", "-t", string(mode.ID))
		s.Run("select-pane", "-d", "-t", string(off.ID))
		s.Run("set-option", "-w", "-t", string(syn.Window), "synchronize-panes", "on")
		s.Run("set-option", "-g", "remain-on-exit", "on")
		s.Shell(dead.ID, "exit 3")
		s.Shell(killed.ID, "kill -9 $$")
		s.UntilDead(dead.ID) // its terminal may be closed before it is reaped
		s.UntilDead(killed.ID)
		l := NewLister(c)
		for _, read := range []func() (Listing, error){
			func() (Listing, error) { return l.Full(t.Context()) },
			func() (Listing, error) { return l.Light(t.Context()) },
		} {
			got, err := read()
			if err != nil {
				t.Fatal(err)
			}
			flags := func(id tracker.PaneID) string {
				_, w, p := find(t, got.Topology, id)
				var out []string
				for name, set := range map[string]bool{
					"mode": p.InMode, "off": p.InputOff, "dead": p.Dead, "sync": p.Synchronized, "zoom": w.Zoomed, "exit3": p.DeadStatus == 3,
				} {
					if set {
						out = append(out, name)
					}
				}
				slices.Sort(out)
				return strings.Join(out, " ")
			}
			for id, want := range map[tracker.PaneID]string{
				s.Main().ID: "", mode.ID: "mode", off.ID: "off", dead.ID: "dead exit3", killed.ID: "dead", syn.ID: "sync zoom",
			} {
				if f := flags(id); f != want {
					t.Errorf("full %v: flags of %s: %q, not %q", got.Full, id, f, want)
				}
			}
		}
	})
}

func TestLightRepeatsWhatItDidNotRead(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		l := NewLister(c)
		work := s.NewSession("work", tmuxtest.Command{})
		first, err := l.Full(t.Context())
		if err != nil || !first.Full {
			t.Fatal(first.Full, err)
		}
		s.Run("rename-window", "-t", string(work.Window), "other")
		s.Run("copy-mode", "-t", string(work.ID))
		light, err := l.Light(t.Context())
		if err != nil || light.Full {
			t.Fatal(light.Full, err)
		}
		_, w, p := find(t, light.Topology, work.ID)
		if !p.InMode || w.Name == "other" || p.Command != "bash" || p.TTY == "" {
			t.Errorf("light: %+v %+v", w, p)
		}
		if _, _, p := find(t, first.Topology, work.ID); p.InMode {
			t.Error("the earlier topology was changed")
		}
		again, err := l.Light(t.Context())
		if err != nil || &again.Topology.Sessions[0] != &light.Topology.Sessions[0] {
			t.Error("an unchanged answer was parsed again", err)
		}
		split := s.Split(work, tmuxtest.Command{Argv: []string{"cat"}})
		grown, err := l.Light(t.Context())
		if err != nil || !grown.Full {
			t.Fatal("a new pane did not lead to a full listing", err)
		}
		if _, w, _ := find(t, grown.Topology, split.ID); w.Name != "other" {
			t.Errorf("window: %+v", w)
		}
		s.Run("kill-pane", "-t", string(split.ID))
		shrunk, err := l.Light(t.Context())
		if err != nil || !shrunk.Full || len(session(t, shrunk.Topology, work.Session).Windows[0].Panes) != 1 {
			t.Errorf("a closed pane is still there: %+v %v", shrunk, err)
		}
		s.Run("respawn-pane", "-k", "-t", string(work.ID))
		if respawned, err := l.Light(t.Context()); err != nil || !respawned.Full {
			t.Error("a respawned pane did not lead to a full listing", err)
		}
	})
}

func TestListServerWithoutSessions(t *testing.T) {
	s := tmuxtest.New(t)
	s.Run("set-option", "-s", "exit-empty", "off", ";", "kill-session", "-t", string(s.Main().Session))
	top, err := List(t.Context(), execConn(s))
	if err != nil || len(top.Sessions) != 0 || top.Server != (tracker.ServerID{Socket: s.Socket(), PID: s.PID()}) {
		t.Errorf("%+v %v", top, err)
	}
}

func TestListSeveralServers(t *testing.T) {
	a, b := tmuxtest.New(t), tmuxtest.New(t)
	b.NewSession("more", tmuxtest.Command{})
	ta, tb := list(t, execConn(a)), list(t, execConn(b))
	if ta.Server == tb.Server || len(ta.Sessions) != 1 || len(tb.Sessions) != 2 {
		t.Errorf("mixed up: %+v %+v", ta, tb)
	}
}

// TestUnchangedListingsAreCheap counts what a sweep costs us when nothing has changed.
func TestUnchangedListingsAreCheap(t *testing.T) {
	l := NewLister(&constant{light: []byte(lightOne)})
	if _, err := l.Full(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		if got, err := l.Light(t.Context()); err != nil || len(got.Topology.Sessions) != 1 {
			t.Fatal(got, err)
		}
	}); n > 1 {
		t.Errorf("%v allocations", n)
	}
}

// constant answers every full and every light listing alike.
type constant struct{ light []byte }

func (c *constant) Run(_ context.Context, cmds ...Command) ([]byte, error) {
	if cmds[0][2] == serverLight {
		return c.light, nil
	}
	mark, _, _ := strings.Cut(cmds[2][3], "P ")
	return []byte(strings.ReplaceAll(fullOne, fuzzMark, mark)), nil
}
