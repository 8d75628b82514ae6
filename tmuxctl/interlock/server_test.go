package interlock

import (
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl/interlock/composer"
	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// TestSendInRealTmux is the whole transaction in a real tmux, with texts that tmux, a shell or a
// format could trip over.
func TestSendInRealTmux(t *testing.T) {
	s := tmuxtest.New(t)
	r := newRig(t, s)
	s.Run("set-buffer", "-b", "mine", "a buffer of the person")
	for _, text := range []string{
		"run the tests", "fix it;", ";", "-R now", "Enter", "C-c", "--", "{", "}", "see #{pid}", "%5", "a,b",
		`it's "x" $HOME #{pid} #(id) \x`, "[Pasted text]", "^$.*+?()[]{}|", "one\n  two\n\tthree", "漢字かな 👍 é",
		"touch pwned; `touch pwned` $(touch pwned)",
	} {
		// The receipt of the text before comes when the stub has it, which is before its box is drawn.
		s.Until("an empty box", func() bool { return composer.Read(r.look().Screen).Ready() })
		before := len(r.reads("log"))
		got := r.interlock().Send(t.Context(), Request{Target: r.target(), Text: text}, nil)
		if got.Outcome != Delivered {
			t.Errorf("%q: %s: %s\n%s", text, got.Outcome, got.Detail, s.Capture(r.pane.ID))
			r.order("text")
			continue
		}
		log := r.reads("log")[before:]
		typed, err := PrepareText(text, false)
		if err != nil {
			t.Fatal(err)
		}
		if len(log) != 2 || !log[0].Bracketed || log[0].Text != typed.Typed || log[1].Text != "\r" {
			t.Errorf("%q: the program read %+v", text, log)
		}
	}
	if got := r.buffers(); got != "mine=a buffer of the person" {
		t.Errorf("buffers afterwards: %q", got)
	}
}

// TestGuardsInRealTmux breaks each condition of a guard in a real tmux: nothing may be typed, no
// buffer may stay, and Holds must judge as tmux does.
func TestGuardsInRealTmux(t *testing.T) {
	s := tmuxtest.New(t)
	r := newRig(t, s)
	look := r.look()
	good := pasteGuard(look, composer.Read(look.Screen))
	for name, change := range map[string]func(*Guard){
		"server":       func(g *Guard) { g.ServerPID++ },
		"pane pid":     func(g *Guard) { g.PanePID++ },
		"pane":         func(g *Guard) { g.Pane = "%99" },
		"program":      func(g *Guard) { g.Command = "bash" },
		"column":       func(g *Guard) { g.CursorX++ },
		"row":          func(g *Guard) { g.CursorY-- },
		"width":        func(g *Guard) { g.Width-- },
		"height":       func(g *Guard) { g.Height-- },
		"screen":       func(g *Guard) { g.Alternate = !g.Alternate },
		"prompt row":   func(g *Guard) { g.Rows[0].Y-- },
		"prompt mark":  func(g *Guard) { g.Rows[0].Text = "❯ " },
		"not on it":    func(g *Guard) { g.Rows[0].Text += "needle" },
		"a key":        func(g *Guard) { g.KeyAt = 1 },
		"picker":       func(g *Guard) { g.Picker = 3 },
		"any row":      func(g *Guard) { g.Rows = append(g.Rows, RowGuard{Text: "needle", Anyrow: true}) },
		"format in it": func(g *Guard) { g.Rows[0].Text = "},1} #{pid" },
	} {
		g := good
		g.Rows = append([]RowGuard(nil), good.Rows...)
		change(&g)
		r.refuses(name, g)
	}
	for _, state := range []struct{ name, on, off string }{
		{"copy mode", "copy-mode -t %s", "send-keys -t %s -X cancel"},
		{"input off", "select-pane -d -t %s", "select-pane -e -t %s"},
		{"synchronised", "set-option -w -t %s synchronize-panes on", "set-option -w -t %s synchronize-panes off"},
	} {
		run := func(line string) {
			s.Run(strings.Fields(strings.ReplaceAll(line, "%s", string(r.pane.ID)))...)
		}
		run(state.on)
		r.refuses(state.name, good)
		run(state.off)
	}
	r.order("dialog")
	s.UntilText(r.pane.ID, "Do you want to proceed?")
	r.refuses("a dialog", good)
	r.order("box")
	s.UntilText(r.pane.ID, "manual mode on")
	if ok, err := r.tmux.Paste(t.Context(), good, "hello"); !ok || err != nil {
		t.Fatalf("the good guard was refused: %v", err)
	}
	r.untilLog(1)
	r.refuses("the text is there now", good)
}

// TestDeadPane is a case of its own: in tmux 3.3a a paste into a dead pane ends the server.
func TestDeadPane(t *testing.T) {
	s := tmuxtest.New(t)
	r := newRig(t, s)
	look := r.look()
	g := pasteGuard(look, composer.Read(look.Screen))
	s.Run("set-option", "-w", "-t", string(r.pane.ID), "remain-on-exit", "on")
	s.Run("respawn-pane", "-k", "-t", string(r.pane.ID), "exit 0")
	s.UntilFormat(r.pane.ID, "#{pane_dead}", "1")
	r.refuses("dead pane", g)
	dead := r.look()
	forged := g
	forged.PanePID, forged.Command = dead.PanePID, dead.Command
	forged.CursorX, forged.CursorY, forged.Rows, forged.Alternate = dead.Screen.CursorX, dead.Screen.CursorY, nil, dead.Screen.Alternate
	r.refuses("dead pane and all else right", forged)
	if pid := s.Run("display-message", "-p", "#{pid}"); pid == "" {
		t.Error("the server is gone")
	}
}

func TestLookOfAMissingPane(t *testing.T) {
	s := tmuxtest.New(t)
	tm := NewServer(execRunner(s))
	for _, id := range []string{"%99", "", ":", "=", "{marked}", "%", "%0;kill-server", "%0 ", "%0\n", "main:0.0"} {
		if l, err := tm.Look(t.Context(), tracker.PaneID(id)); err == nil {
			t.Errorf("pane %q: got %+v, want an error", id, l.Facts)
		}
		g := Guard{Pane: tracker.PaneID(id), ServerPID: s.PID()}
		if ok, err := tm.Paste(t.Context(), g, "x"); ok || id != "%99" && err == nil {
			t.Errorf("pane %q: paste %v, %v", id, ok, err)
		}
		if ok, err := tm.Enter(t.Context(), g); ok || id != "%99" && err == nil {
			t.Errorf("pane %q: enter %v, %v", id, ok, err)
		}
	}
	if out, _ := s.Try("list-buffers"); out != "" {
		t.Errorf("buffers left: %s", out)
	}
}

func (r *rig) look() Look {
	r.t.Helper()
	l, err := r.tmux.Look(r.t.Context(), r.pane.ID)
	if err != nil {
		r.t.Fatal(err)
	}
	return l
}

// refuses checks that neither key of a guard gets through, and that Holds agrees with tmux.
func (r *rig) refuses(name string, g Guard) {
	r.t.Helper()
	before := len(r.reads("log"))
	if ok, err := r.tmux.Paste(r.t.Context(), g, "touch pwned"); ok || err != nil {
		r.t.Errorf("%s: paste = %v, %v; want a refusal", name, ok, err)
	}
	if ok, err := r.tmux.Enter(r.t.Context(), g); ok || err != nil {
		r.t.Errorf("%s: enter = %v, %v; want a refusal", name, ok, err)
	}
	if l := r.look(); g.Holds(l) {
		r.t.Errorf("%s: Holds says yes, tmux says no", name)
	}
	if got := r.buffers(); got != "" {
		r.t.Errorf("%s: a buffer stayed: %q", name, got)
	}
	if log := r.reads("log"); len(log) != before {
		r.t.Errorf("%s: the program read %+v", name, log[before:])
	}
}

func (r *rig) untilLog(n int) {
	r.t.Helper()
	r.server.Until("the stub to read", func() bool { return len(r.reads("log")) >= n })
	r.server.UntilText(r.pane.ID, "hello")
}

// TestLookSeesWhoTypes attaches a real terminal: its keys go to the pane.
func TestLookSeesWhoTypes(t *testing.T) {
	t.Parallel()
	s := tmuxtest.New(t)
	r := newRig(t, s)
	if l := r.look(); len(l.Clients) != 0 {
		t.Fatalf("clients before any is attached: %+v", l.Clients)
	}
	c := s.Attach(r.pane.Session)
	s.Until("the client", c.Attached)
	l := r.look()
	if len(l.Clients) != 1 || l.Clients[0].Pane != r.pane.ID || l.Clients[0].TTY != c.TTY() || time.Since(l.Clients[0].Active) > time.Minute {
		t.Fatalf("clients %+v, want one on %s at %s", l.Clients, r.pane.ID, c.TTY())
	}
	if lamp := tmuxLamp(findings{look: l}, "", l.Clients[0].Active.Add(time.Second)); lamp.OK || !lamp.Passing {
		t.Errorf("right after a key: %+v", lamp)
	}
	if got := r.interlock().Send(t.Context(), Request{Target: r.target(), Text: "hello"}, nil); got.Outcome != Delivered {
		t.Errorf("after a pause: %s: %s", got.Outcome, got.Detail)
	}
}
