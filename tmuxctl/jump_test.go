package tmuxctl

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// inPane is the jumper of a board that runs in this pane.
func inPane(s *tmuxtest.Server, p tmuxtest.Pane) Jumper {
	return Jumper{Tmux: s.TmuxVar(p.Session), Pane: p.ID}
}

// watchHook counts how often tmux runs a hook from now on.
func watchHook(s *tmuxtest.Server, name string) func() int {
	option := "@count-" + name
	s.Run("set-option", "-g", option, "", ";", "set-hook", "-g", name, "set-option -ga "+option+" x")
	return func() int { return len(s.Run("show-options", "-gqv", option)) }
}

func TestJumpToAnotherSession(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		board := s.Main()
		work := s.NewSession("work", tmuxtest.Command{})
		win := s.NewWindow(work.Session, tmuxtest.Command{})
		target := s.Split(win, tmuxtest.Command{})
		mine := s.Attach(board.Session)
		switched := watchHook(s, "client-session-changed")
		res, err := Jump(t.Context(), c, inPane(s, board), target.ID)
		if err != nil {
			t.Fatal(err)
		}
		to, from := Place{work.Session, win.Window, target.ID}, Place{board.Session, board.Window, board.ID}
		if want := (JumpResult{To: to, From: from, Client: mine.TTY(), Switched: true}); !equalResult(res, want) {
			t.Errorf("%+v, not %+v", res, want)
		}
		if got := mine.Shows(); got != target.ID {
			t.Errorf("the client shows %s", got)
		}
		if n := switched(); n != 1 {
			t.Errorf("switched %d times", n)
		}
		// And back, to what From said.
		back, err := Jump(t.Context(), c, inPane(s, board), from.Pane)
		if err == nil || mine.Shows() != target.ID {
			// Our own pane is shown by nobody now, and the session by nobody either.
			t.Errorf("somebody else was moved: %+v", back)
		}
		back, err = Jump(t.Context(), c, Jumper{Tmux: s.TmuxVar(board.Session), ClientTTY: res.Client}, from.Pane)
		if err != nil || mine.Shows() != board.ID || back.From != to {
			t.Errorf("%+v %v", back, err)
		}
	})
}

func equalResult(a, b JumpResult) bool {
	return a.To == b.To && a.From == b.From && a.Client == b.Client && a.Switched == b.Switched && slices.Equal(a.Attach, b.Attach)
}

// TestJumpInTheSameSession is B51: no client-session-changed, and the zoom stays.
func TestJumpInTheSameSession(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		board := s.Main()
		first := s.NewWindow(board.Session, tmuxtest.Command{})
		second := s.Split(first, tmuxtest.Command{})
		mine := s.Attach(board.Session)
		switched, selected := watchHook(s, "client-session-changed"), watchHook(s, "session-window-changed")
		jump := func(id tracker.PaneID) {
			t.Helper()
			res, err := Jump(t.Context(), c, inPane(s, board), id)
			if err != nil || res.Switched || mine.Shows() != id {
				t.Fatalf("%+v %v, shows %s", res, err, mine.Shows())
			}
		}
		jump(second.ID)
		if s.Format(second.ID, "#{window_zoomed_flag}") != "0" {
			t.Error("the window was zoomed by us")
		}
		jump(first.ID)
		if n := selected(); n != 1 {
			t.Errorf("the window was selected %d times", n)
		}
		// Zoomed on the target it stays so; zoomed on another pane the zoom moves along.
		s.Run("resize-pane", "-Z", "-t", string(first.ID))
		jump(first.ID)
		if s.Format(first.ID, "#{window_zoomed_flag}#{pane_active}") != "11" {
			t.Error("the zoom is lost")
		}
		jump(second.ID)
		if s.Format(second.ID, "#{window_zoomed_flag}#{pane_active}") != "11" {
			t.Error("the target is not what is seen")
		}
		jump(board.ID)
		jump(second.ID)
		if s.Format(second.ID, "#{window_zoomed_flag}#{pane_active}") != "11" {
			t.Error("the zoom is lost on the way back")
		}
		if n := switched(); n != 0 {
			t.Errorf("client-session-changed fired %d times", n)
		}
	})
}

func TestJumpKeepsZoomInAnotherSession(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		work := s.NewSession("work", tmuxtest.Command{})
		target := s.Split(work, tmuxtest.Command{})
		s.Run("resize-pane", "-Z", "-t", string(work.ID))
		mine := s.Attach(s.Main().Session)
		if _, err := Jump(t.Context(), c, inPane(s, s.Main()), target.ID); err != nil {
			t.Fatal(err)
		}
		if mine.Shows() != target.ID || s.Format(target.ID, "#{window_zoomed_flag}#{pane_active}") != "11" {
			t.Error("the target is not what is seen")
		}
	})
}

// TestJumpTakesThisClient has a second client that was used later, in another session.
func TestJumpTakesThisClient(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		elsewhere, work := s.NewSession("elsewhere", tmuxtest.Command{}), s.NewSession("work", tmuxtest.Command{})
		mine := s.Attach(s.Main().Session)
		other := s.Attach(elsewhere.Session)
		other.Type("echo la''ter")
		other.Keys("Enter")
		other.UntilText("later")
		if _, err := Jump(t.Context(), c, inPane(s, s.Main()), work.ID); err != nil {
			t.Fatal(err)
		}
		if mine.Shows() != work.ID || other.Shows() != elsewhere.ID {
			t.Errorf("mine shows %s, the other %s", mine.Shows(), other.Shows())
		}
	})
}

func TestJumpOfTwoClientsOnTheBoard(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		work := s.NewSession("work", tmuxtest.Command{})
		first, second := s.Attach(s.Main().Session), s.Attach(s.Main().Session)
		used := func(c *tmuxtest.Client) string { return c.Format("#{client_activity}") }
		press := func(c *tmuxtest.Client) {
			other := used(first)
			if c == first {
				other = used(second)
			}
			s.Until("a second to pass", func() bool { c.Keys("a", "BSpace"); return used(c) > other })
		}
		press(first)
		res, err := Jump(t.Context(), c, inPane(s, s.Main()), work.ID)
		if err != nil || res.Client != first.TTY() || first.Shows() != work.ID || second.Shows() != s.Main().ID {
			t.Fatalf("%+v %v", res, err)
		}
		if res, err = Jump(t.Context(), c, inPane(s, s.Main()), work.ID); err != nil || res.Client != second.TTY() {
			t.Errorf("the one that is left: %+v %v", res, err)
		}
	})
}

func TestJumpToALinkedWindowStays(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		// The window's first home is older and attached as well.
		target, board := s.Main(), s.NewSession("board", tmuxtest.Command{})
		s.Run("link-window", "-d", "-s", string(target.Window), "-t", string(board.Session)+":5")
		mine := s.Attach(board.Session)
		s.Attach(target.Session)
		switched := watchHook(s, "client-session-changed")
		res, err := Jump(t.Context(), c, inPane(s, board), target.ID)
		if err != nil || res.Switched || res.To.Session != board.Session || mine.Format("#{session_id} #{pane_id}") != string(board.Session)+" "+string(target.ID) || switched() != 0 {
			t.Errorf("%+v %v, shows %s", res, err, mine.Shows())
		}
	})
}

func TestJumpRefuses(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		board := s.Main()
		work := s.NewSession("work", tmuxtest.Command{})
		calls := &counting{Conn: c}
		for _, id := range oddTargets() {
			if _, err := Jump(t.Context(), calls, inPane(s, board), tracker.PaneID(id)); !errors.Is(err, ErrBadTarget) {
				t.Errorf("%q: %v", id, err)
			}
			if _, err := Jump(t.Context(), calls, Jumper{Tmux: s.TmuxVar(board.Session), Pane: tracker.PaneID(id)}, work.ID); id != "" && !errors.Is(err, ErrBadTarget) {
				t.Errorf("from %q: %v", id, err)
			}
		}
		if calls.n > 1 { // the empty TMUX_PANE is that of a popup
			t.Errorf("tmux was asked %d times", calls.n)
		}
		if _, err := Jump(t.Context(), c, inPane(s, board), work.ID); !errors.Is(err, ErrNoClient) {
			t.Errorf("nobody is attached: %v", err)
		}
		mine := s.Attach(board.Session)
		if _, err := Jump(t.Context(), c, inPane(s, board), "%4000000000"); !errors.Is(err, ErrGone) {
			t.Errorf("no such pane: %v", err)
		}
		for _, tty := range []string{"/dev/pts/999999", "x; kill-server", "'"} {
			if _, err := Jump(t.Context(), c, Jumper{Tmux: s.TmuxVar(board.Session), ClientTTY: tty}, work.ID); !errors.Is(err, ErrNoClient) {
				t.Errorf("client %q: %v", tty, err)
			}
		}
		var other *OtherServerError
		_, err := Jump(t.Context(), c, Jumper{Tmux: "/tmp/it's other,1,0", Pane: "%0"}, work.ID)
		if !errors.As(err, &other) || other.Ours != "/tmp/it's other" || !strings.Contains(Hint(err), "tmux -S '"+s.Socket()+"' attach-session -t '"+string(work.Session)+"'") {
			t.Errorf("another server: %v, %q", err, Hint(err))
		}
		if mine.Shows() != board.ID || s.Run("display-message", "-p", "-t", string(work.Session)+":", "#{pane_id}") != string(work.ID) {
			t.Error("something moved")
		}
	})
}

// TestJumpTargetGoesMeanwhile closes and replaces the target between the look and the jump.
func TestJumpTargetGoesMeanwhile(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		work := s.NewSession("work", tmuxtest.Command{})
		mine := s.Attach(s.Main().Session)
		for name, meanwhile := range map[string]func(tmuxtest.Pane){
			"closed":    func(p tmuxtest.Pane) { s.Run("kill-pane", "-t", string(p.ID)) },
			"respawned": func(p tmuxtest.Pane) { s.Run("respawn-pane", "-k", "-t", string(p.ID)) },
			"moved":     func(p tmuxtest.Pane) { s.Run("break-pane", "-d", "-s", string(p.ID)) },
		} {
			target := s.Split(s.NewWindow(work.Session, tmuxtest.Command{}), tmuxtest.Command{})
			late := &between{Conn: c, call: func() { meanwhile(target) }}
			if res, err := Jump(t.Context(), late, inPane(s, s.Main()), target.ID); !errors.Is(err, ErrGone) {
				t.Errorf("%s: %+v %v", name, res, err)
			}
			if mine.Shows() != s.Main().ID {
				t.Errorf("%s: the client was moved", name)
			}
		}
	})
}

// between calls something before the second call of a connection.
type between struct {
	Conn
	n    int
	call func()
}

func (b *between) Run(ctx context.Context, cmds ...Command) ([]byte, error) {
	if b.n++; b.n == 2 {
		b.call()
	}
	return b.Conn.Run(ctx, cmds...)
}

func TestJumpFromOutside(t *testing.T) {
	s := tmuxtest.New(t)
	c := execConn(s)
	work := s.NewSession("work", tmuxtest.Command{})
	target := s.Split(s.NewWindow(work.Session, tmuxtest.Command{}), tmuxtest.Command{})
	res, err := Jump(t.Context(), c, Jumper{}, target.ID)
	if err != nil || res.To.Session != work.Session || res.To.Pane != target.ID || res.Client != "" || res.Attach == nil {
		t.Fatalf("%+v %v", res, err)
	}
	if attached := s.Terminal(append([]string{"env", "-u", "TMUX"}, c.Argv(res.Attach)...)...); attached.Shows() != target.ID {
		t.Errorf("the client shows %s", attached.Shows())
	}
	if _, err := Jump(t.Context(), c, Jumper{}, "%4000000000"); !errors.Is(err, ErrGone) {
		t.Errorf("no such pane: %v", err)
	}
}

func TestJumpFromAPopup(t *testing.T) {
	s := tmuxtest.New(t)
	c := execConn(s)
	work := s.NewSession("work", tmuxtest.Command{})
	target := s.Split(work, tmuxtest.Command{})
	mine := s.Attach(s.Main().Session)
	other := s.Attach(work.Session)
	env := filepath.Join(s.TmpDir(), "env")
	s.Run("bind-key", "-n", "F5", "display-popup", "-E", "sh -c 'printf %s,%s \"$TMUX\" \"${TMUX_PANE-none}\" >"+env+"; exec sleep 1000'")
	mine.Keys("F5")
	got := s.UntilFile(env)
	tmux, ok := strings.CutSuffix(got, ",none")
	if !ok || tmux != s.TmuxVar(s.Main().Session) {
		t.Fatalf("the popup's environment is %q", got)
	}
	res, err := Jump(t.Context(), c, Jumper{Tmux: tmux}, target.ID)
	if err != nil || res.Client != mine.TTY() || mine.Shows() != target.ID || other.Shows() != target.ID {
		t.Fatalf("%+v %v", res, err)
	}
	// Now two clients are where a popup could have come from.
	s.Run("switch-client", "-c", mine.TTY(), "-t", string(work.Session))
	var ambiguous *AmbiguousClientError
	_, err = Jump(t.Context(), c, Jumper{Tmux: s.TmuxVar(work.Session)}, s.Main().ID)
	if !errors.As(err, &ambiguous) || !ambiguous.Popup || len(ambiguous.Clients) != 2 || Hint(err) == "" {
		t.Errorf("two clients: %v", err)
	}
	if mine.Shows() != target.ID || other.Shows() != target.ID {
		t.Error("a client was moved")
	}
	res, err = Jump(t.Context(), c, Jumper{Tmux: s.TmuxVar(work.Session), ClientTTY: other.TTY()}, s.Main().ID)
	if err != nil || other.Shows() != s.Main().ID || mine.Shows() != target.ID {
		t.Errorf("with the client's terminal: %+v %v", res, err)
	}
	if res, err = Jump(t.Context(), c, Jumper{Tmux: s.TmuxVar(s.Main().Session), ClientTTY: strings.TrimPrefix(mine.TTY(), "/dev/")}, s.Main().ID); err != nil || mine.Shows() != s.Main().ID {
		t.Errorf("with its short name: %+v %v", res, err)
	}
}

func TestOwnClient(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		if _, _, err := OwnClient(t.Context(), c, inPane(s, s.Main())); !errors.Is(err, ErrNoClient) {
			t.Errorf("nobody is attached: %v", err)
		}
		mine := s.Attach(s.Main().Session)
		s.Attach(s.NewSession("other", tmuxtest.Command{}).Session)
		for _, j := range []Jumper{inPane(s, s.Main()), {Tmux: s.TmuxVar(s.Main().Session)}, {ClientTTY: mine.TTY()}} {
			if got, _, err := OwnClient(t.Context(), c, j); err != nil || got != mine.TTY() {
				t.Errorf("%+v: %q, %v", j, got, err)
			}
		}
		for _, j := range []Jumper{{}, {Tmux: "/x,1,0", Pane: "%0"}} {
			if _, _, err := OwnClient(t.Context(), c, j); !errors.Is(err, ErrNoClient) {
				t.Errorf("from outside, or another server: %v", err)
			}
		}
		if _, _, err := OwnClient(t.Context(), c, Jumper{Tmux: "/x,1,0", Pane: "%0;x"}); !errors.Is(err, ErrBadTarget) {
			t.Errorf("odd pane: %v", err)
		}
	})
}

func TestOnlyNeverGuesses(t *testing.T) {
	cs := []client{{name: "a", activity: 7}, {name: "b", activity: 7}, {name: "c", activity: 3}}
	var ambiguous *AmbiguousClientError
	if _, err := only(slices.Clone(cs), "$1", false); !errors.As(err, &ambiguous) || ambiguous.Popup || len(ambiguous.Clients) != 3 {
		t.Errorf("a tie: %v", err)
	}
	if c, err := only(slices.Clone(cs[1:]), "$1", false); err != nil || c.name != "b" {
		t.Errorf("the last used: %v %v", c, err)
	}
	if _, err := only(slices.Clone(cs[1:]), "$1", true); !errors.As(err, &ambiguous) || !ambiguous.Popup {
		t.Errorf("a popup: %v", err)
	}
	if _, err := only(nil, "$1", true); !errors.Is(err, ErrNoClient) {
		t.Errorf("none: %v", err)
	}
}

func FuzzParseScene(f *testing.F) {
	f.Add("S 1 /tmp/s\nC $1 @2 %3 1796083033 [attached,UTF-8] /dev/pts/3\nP $1 @2 %3 42\n")
	f.Add("S 1 /tmp/s\nC $1 @2 %3 1 [] client-12\nC $1 @2 %3 1 [] x;kill-server\nP $1 @2 %3 -42\n")
	f.Add("S 1 /tmp/s\n\n")
	f.Fuzz(func(t *testing.T, in string) {
		sc, err := parseScene(in)
		if err != nil {
			return
		}
		for _, c := range sc.clients {
			if strings.ContainsAny(c.name, " ;'\"\n#${}\\") || CheckSession(c.at.Session) != nil || CheckPane(c.at.Pane) != nil {
				t.Errorf("%+v", c)
			}
		}
	})
}
