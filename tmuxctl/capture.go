package tmuxctl

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"signalbox/tracker"
)

// maxBatch bounds the commands of one capture call. A tmux that is started takes at most 16 KB of
// arguments; half of that leaves room for what surrounds them.
const maxBatch = 8 << 10

// CaptureOptions say how a screen is to be read; the zero value is plain text without trailing
// blanks.
type CaptureOptions struct {
	Colours bool // keep colours and attributes as SGR sequences
	Blanks  bool // keep trailing blanks
	Join    bool // join wrapped lines; keeps trailing blanks too
	History int  // lines of the scrollback above the screen
}

func (o CaptureOptions) command(id tracker.PaneID) Command {
	c := Command{"capture-pane", "-p", "-t", string(id)}
	if o.Colours {
		c = append(c, "-e")
	}
	if o.Blanks {
		c = append(c, "-N")
	}
	if o.Join {
		c = append(c, "-J")
	}
	if o.History > 0 {
		c = append(c, "-S", strconv.Itoa(-o.History))
	}
	return c
}

// Screen is what a pane's program shows, with the state of the pane at that very moment. In copy
// mode it is the program's screen, not what the person sees.
type Screen struct {
	Pane             tracker.PaneID
	PID              int // first process of the pane
	Width, Height    int // in cells
	CursorX, CursorY int // in cells, from 0, on the program's screen
	CursorVisible    bool
	Alternate        bool // a full-screen program has the alternate screen
	Dead             bool
	InMode           bool
	Mode             string   // "copy-mode", "" for none
	Lines            []string // untrusted; from the top, the scrollback first; valid UTF-8
}

const screenFormat = "#{pane_id} #{pane_pid} #{pane_width} #{pane_height} #{cursor_x} #{cursor_y} " +
	"#{cursor_flag}#{alternate_on}#{pane_dead}#{pane_in_mode} [#{pane_mode}]"

// Capture reads the screen of one pane. It is ErrGone when there is no such pane.
func Capture(ctx context.Context, conn Conn, id tracker.PaneID, o CaptureOptions) (Screen, error) {
	got, err := CaptureAll(ctx, conn, []tracker.PaneID{id}, o)
	if err != nil {
		return Screen{}, err
	}
	s, ok := got[id]
	if !ok {
		return Screen{}, fmt.Errorf("capturing %s: %w", id, ErrGone)
	}
	return s, nil
}

// CaptureAll reads the screens of several panes, as many in one tmux call as its limits allow.
// Panes that do not exist are not in the result.
func CaptureAll(ctx context.Context, conn Conn, ids []tracker.PaneID, o CaptureOptions) (map[tracker.PaneID]Screen, error) {
	// Screens may hold anything, so what separates them has to be news to everybody.
	mark := "~" + rand.Text()[:10] + "~"
	screens := make(map[tracker.PaneID]Screen, len(ids))
	var batch []Command
	size := 0
	flush := func() error {
		if len(batch) == 0 {
			return nil
		}
		out, err := ask(ctx, conn, batch...)
		if err != nil {
			return fmt.Errorf("capturing panes: %w", err)
		}
		batch, size = nil, 0
		return parseScreens(string(out), mark, screens)
	}
	for _, id := range ids {
		if err := CheckPane(id); err != nil {
			return nil, fmt.Errorf("capturing: %w", err)
		}
		// Without the guard a pane that is gone would fail the whole list, or show another one.
		c := Command{"if-shell", "-F", "-t", string(id), isPane(id), quoteCommands(
			Command{"display-message", "-p", "-t", string(id), mark + screenFormat}, o.command(id))}
		if n := len(strings.Join(c, " ")); size+n > maxBatch {
			if err := flush(); err != nil {
				return nil, err
			}
		}
		batch = append(batch, c)
		size += len(strings.Join(c, " "))
	}
	if err := flush(); err != nil {
		return nil, err
	}
	return screens, nil
}

// parseScreens reads "<mark><state>\n<screen>\n" again and again.
func parseScreens(out, mark string, into map[tracker.PaneID]Screen) error {
	rest, ok := strings.CutPrefix(strings.TrimSuffix(out, "\n"), mark)
	if !ok {
		if out != "" {
			return fmt.Errorf("capturing panes: unexpected answer %q", clip(out))
		}
		return nil
	}
	for _, rec := range strings.Split(rest, "\n"+mark) {
		head, text, _ := strings.Cut(rec, "\n")
		s, ok := parseScreenState(head)
		if !ok {
			return fmt.Errorf("capturing panes: unexpected answer %q", clip(head))
		}
		s.Lines = strings.Split(clean(text), "\n")
		into[s.Pane] = s
	}
	return nil
}

func parseScreenState(head string) (Screen, bool) {
	f := fields{rest: head}
	s := Screen{Pane: tracker.PaneID(f.id('%')), PID: int(f.number())}
	s.Width, s.Height = int(f.number()), int(f.number())
	s.CursorX, s.CursorY = int(f.number()), int(f.number())
	bits := f.word()
	s.Mode = clean(f.bracketed())
	if f.bad || len(bits) != 4 || strings.Trim(bits, "01") != "" {
		return Screen{}, false
	}
	s.CursorVisible, s.Alternate, s.Dead, s.InMode = bits[0] == '1', bits[1] == '1', bits[2] == '1', bits[3] == '1'
	return s, true
}

// BeforeCursor is the plain text left of the cursor on its line. Not for joined lines.
func (s Screen) BeforeCursor() string {
	n := len(s.Lines) - s.Height + s.CursorY
	if n < 0 || n >= len(s.Lines) {
		return ""
	}
	return ansi.Truncate(ansi.Strip(s.Lines[n]), s.CursorX, "")
}

// LastLine is the last line with plain text on it, without blanks around it.
func (s Screen) LastLine() string {
	for i := len(s.Lines) - 1; i >= 0; i-- {
		if text := strings.TrimSpace(ansi.Strip(s.Lines[i])); text != "" {
			return text
		}
	}
	return ""
}
