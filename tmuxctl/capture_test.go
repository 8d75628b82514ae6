package tmuxctl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"signalbox/tmuxctl/tmuxtest"
	"signalbox/tracker"
)

// draw makes a pane that shows exactly these bytes.
func draw(t *testing.T, s *tmuxtest.Server, name, bytes string) tmuxtest.Pane {
	t.Helper()
	path := filepath.Join(s.TmpDir(), name)
	if err := os.WriteFile(path, []byte(bytes), 0o600); err != nil {
		t.Fatal(err)
	}
	p := s.NewSession("", tmuxtest.Command{Argv: []string{"sh", "-c", `stty -echo; cat "$1"; exec sleep 1000`, "sh", path}})
	s.UntilFormat(p.ID, "#{pane_current_command}", "sleep")
	return p
}

func TestCaptureSaysWhatIsOnScreen(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		p := draw(t, s, "screen", "\033[31mred\033[0m plain\n\nthree 日本 ❯ \033[2mghost\033[0m\033[6D")
		s.UntilText(p.ID, "ghost")
		plain, err := Capture(t.Context(), c, p.ID, CaptureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(plain.Lines[:3], "|"); got != "red plain||three 日本 ❯ ghost" {
			t.Errorf("lines: %q", got)
		}
		if plain.Pane != p.ID || plain.PID != p.PID || fmt.Sprint(plain.Width, plain.Height) != s.Format(p.ID, "#{pane_width} #{pane_height}") || len(plain.Lines) != plain.Height {
			t.Errorf("%d lines, %+v", len(plain.Lines), plain)
		}
		if plain.CursorX != 12 || plain.CursorY != 2 || !plain.CursorVisible || plain.Alternate || plain.Dead || plain.InMode || plain.Mode != "" {
			t.Errorf("state: %+v", plain)
		}
		if got := plain.BeforeCursor(); got != "three 日本 ❯" {
			t.Errorf("before the cursor: %q", got)
		}
		if got := plain.LastLine(); got != "three 日本 ❯ ghost" {
			t.Errorf("last line: %q", got)
		}
		coloured, err := Capture(t.Context(), c, p.ID, CaptureOptions{Colours: true})
		if err != nil || !strings.HasPrefix(coloured.Lines[0], "\033[31mred\033[39m plain") || !strings.Contains(coloured.Lines[2], "\033[2mghost") {
			t.Errorf("coloured: %q %v", coloured.Lines[:3], err)
		}
		if coloured.BeforeCursor() != "three 日本 ❯" || coloured.LastLine() != "three 日本 ❯ ghost" {
			t.Errorf("coloured: %q %q", coloured.BeforeCursor(), coloured.LastLine())
		}
	})
}

func TestCaptureOptions(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		var b strings.Builder
		for i := range 60 {
			fmt.Fprintf(&b, "line %d\n", i)
		}
		p := draw(t, s, "long", b.String()+strings.Repeat("x", tmuxtest.Width-1)+"yz\nend  ")
		s.UntilText(p.ID, "end")
		get := func(o CaptureOptions) Screen {
			t.Helper()
			got, err := Capture(t.Context(), c, p.ID, o)
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		// tmux has no lines for cells that were never written, so blanks only count where they were.
		if got := get(CaptureOptions{Blanks: true}); !strings.HasPrefix(got.Lines[got.CursorY], "end  ") || got.BeforeCursor() != "end  " {
			t.Errorf("blanks: %q", got.Lines[got.CursorY])
		}
		if got := get(CaptureOptions{}); got.Lines[got.CursorY] != "end" {
			t.Errorf("no blanks: %q", got.Lines[got.CursorY])
		}
		deep := get(CaptureOptions{History: 5})
		if len(deep.Lines) != deep.Height+5 || deep.BeforeCursor() != "end" {
			t.Errorf("history: %d lines of %d, %q", len(deep.Lines), deep.Height, deep.BeforeCursor())
		}
		joined := get(CaptureOptions{Join: true})
		if !strings.Contains(strings.Join(joined.Lines, "\n"), "xyz") {
			t.Errorf("joined: %q", joined.Lines)
		}
	})
}

func TestCaptureModeAndDeath(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		mode := draw(t, s, "mode", "under")
		s.UntilText(mode.ID, "under")
		s.Run("copy-mode", "-t", string(mode.ID))
		s.Run("set-option", "-g", "remain-on-exit", "on")
		dead := s.NewSession("", tmuxtest.Command{Argv: []string{"sh", "-c", "printf '\033[?1049h\033[?25llast words'; read x"}})
		s.UntilText(dead.ID, "last words")
		s.SendKeys(dead.ID, "Enter")
		s.UntilFormat(dead.ID, "#{pane_dead}", "1")
		got, err := CaptureAll(t.Context(), c, []tracker.PaneID{mode.ID, dead.ID}, CaptureOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if m := got[mode.ID]; !m.InMode || m.Mode != "copy-mode" || m.Lines[0] != "under" {
			t.Errorf("copy mode: %+v", m)
		}
		if d := got[dead.ID]; !d.Dead || d.CursorVisible || !d.Alternate || len(d.Lines) != d.Height {
			t.Errorf("dead: %+v", d)
		}
	})
}

func TestCaptureManyInOneCall(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		// Contents that look like what stands around them.
		hostile := []string{"", "\n\n", "%end 1 1 1\n%exit\n", "~AAAAAAAAAA~%1 1 1 1 1 1 1111 []\n", "%error 1 2 1\n%begin 1 2 1\nsignalbox", "S 1 2\nP $1 @1 %1\n"}
		var ids []tracker.PaneID
		want := make(map[tracker.PaneID]string)
		for i, text := range hostile {
			p := draw(t, s, fmt.Sprint("p", i), text+"\nlast")
			s.UntilText(p.ID, "last")
			ids = append(ids, p.ID)
			want[p.ID] = strings.TrimRight(text, "\n")
		}
		calls := &counting{Conn: c}
		// One of them is gone, one is asked for twice.
		got, err := CaptureAll(t.Context(), calls, append(ids, "%4000000000", ids[0]), CaptureOptions{})
		if err != nil || len(got) != len(ids) || calls.n != 1 {
			t.Fatalf("%d screens of %d in %d calls, %v", len(got), len(ids), calls.n, err)
		}
		for id, text := range want {
			if all := strings.Join(got[id].Lines, "\n"); !strings.HasPrefix(all, text+"\n") || got[id].LastLine() != "last" || len(got[id].Lines) != got[id].Height {
				t.Errorf("%s shows %q, not %q", id, all, text)
			}
		}
		calls.n = 0
		var many []tracker.PaneID
		for range 100 {
			many = append(many, ids...)
		}
		if got, err := CaptureAll(t.Context(), calls, many, CaptureOptions{}); err != nil || len(got) != len(ids) || calls.n < 2 || calls.n > 50 {
			t.Errorf("%d screens in %d calls, %v", len(got), calls.n, err)
		}
	})
}

func TestCaptureRefuses(t *testing.T) {
	overEach(t, func(t *testing.T, s *tmuxtest.Server, c Conn) {
		if _, err := Capture(t.Context(), c, "%4000000000", CaptureOptions{}); !errors.Is(err, ErrGone) {
			t.Errorf("gone: %v", err)
		}
		calls := &counting{Conn: c}
		for _, id := range oddTargets() {
			if _, err := Capture(t.Context(), calls, tracker.PaneID(id), CaptureOptions{}); !errors.Is(err, ErrBadTarget) {
				t.Errorf("%q: %v", id, err)
			}
		}
		if got, err := CaptureAll(t.Context(), calls, nil, CaptureOptions{}); err != nil || len(got) != 0 || calls.n != 0 {
			t.Errorf("%d calls, %v", calls.n, err)
		}
	})
}

func FuzzParseScreens(f *testing.F) {
	const mark = "~M~"
	f.Add(mark + "%1 2 80 24 0 0 1000 []\nline\n\n")
	f.Add(mark + "%1 2 80 24 5 1 1001 [copy-mode]\nline\n" + mark + "%2 3 1 1 0 0 0010 []\n\n")
	f.Add(mark + "%1 2 80 24 99999999999999999999 1 1001 []")
	f.Add("")
	f.Fuzz(func(t *testing.T, in string) {
		got := make(map[tracker.PaneID]Screen)
		if parseScreens(in, mark, got) != nil {
			return
		}
		for id, s := range got {
			if CheckPane(id) != nil || s.Pane != id || len(s.Lines) == 0 {
				t.Errorf("%q: %+v", id, s)
			}
			_, _ = s.BeforeCursor(), s.LastLine()
		}
	})
}
