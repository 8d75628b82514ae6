package tui

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"

	"signalbox/tui/style"
)

// Terminal is where the screen is drawn; an *os.File is one.
type Terminal interface {
	io.ReadWriteCloser
	Fd() uintptr
}

// Run shows the screen on a terminal until the person leaves, the board is closed or ctx ends. It
// returns with the terminal as it was. in is nil for the standard input. Signals are left to the
// caller.
//
// Bubble Tea keeps the terminal: raw mode, the alternate screen, mouse and focus reports, and
// giving all of it back. It does not draw. Its renderer looks for a new frame at a fixed rate,
// which costs every frame half an interval and the machine a few wake-ups per look, all day. Here
// each frame is compared with the lines on the screen as soon as it is made, and what differs is
// written at once.
func Run(ctx context.Context, m *Model, in io.Reader, out Terminal, more ...tea.ProgramOption) error {
	s := &screenOut{Terminal: out}
	options := []tea.ProgramOption{
		tea.WithContext(ctx), tea.WithOutput(s), tea.WithAltScreen(), tea.WithMouseCellMotion(), tea.WithReportFocus(),
		tea.WithoutSignalHandler(), // signals are the caller's, who ends ctx
		tea.WithFPS(1),             // nothing is left for that renderer to draw; this is the slowest it can idle
	}
	if in != nil {
		options = append(options, tea.WithInput(in))
	}
	h := &heard{}
	m.hearEarly(ctx, h)
	_, err := tea.NewProgram(drawn{m, s, h}, append(options, more...)...).Run()
	if ctx.Err() != nil && errors.Is(err, tea.ErrProgramKilled) && !errors.Is(err, tea.ErrProgramPanic) {
		return nil // the end of ctx is an ordinary end
	}
	return err
}

// drawn is the model as the program sees it: its View draws, and leaves nothing for others to draw.
type drawn struct {
	*Model
	out   *screenOut
	heard *heard
}

func (d drawn) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if msg = d.heard.take(msg, d.opt.Now()); msg == nil {
		return d, nil
	}
	switch msg.(type) {
	case tea.WindowSizeMsg, tea.FocusMsg:
		// A terminal that was resized has moved its lines about, and one that comes back may have
		// been drawn on. Both are rare; drawing everything heals them.
		d.out.forget()
	}
	_, cmd := d.Model.Update(msg)
	return d, cmd
}

func (d drawn) View() string {
	d.out.draw(d.Model.View())
	return ""
}

// screenOut is the terminal with what is known to be on it.
type screenOut struct {
	Terminal

	mu    sync.Mutex // Bubble Tea writes from goroutines of its own
	alt   bool       // the alternate screen is on: it is ours to draw on
	lines []string   // what is on it; nil when that is not known
	buf   []byte
}

// Sequences by which Bubble Tea takes and gives back the screen, and begins one of its frames.
var (
	enterScreen = []byte(ansi.SetModeAltScreenSaveCursor)
	leaveScreen = []byte(ansi.ResetModeAltScreenSaveCursor)
	frameStart  = []byte(ansi.CursorHomePosition)
)

// Write passes on what Bubble Tea says to the terminal, but for its empty frames. It is how the
// screen learns whose it is: after the alternate screen was left, for good or while another program
// runs, nothing is drawn.
func (s *screenOut) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.alt && len(p) > len(frameStart) && bytes.HasPrefix(p, frameStart) {
		return len(p), nil
	}
	if bytes.Contains(p, enterScreen) {
		s.alt, s.lines = true, nil
	}
	if bytes.Contains(p, leaveScreen) {
		s.alt = false
	}
	return s.Terminal.Write(p)
}

// forget makes the next frame a whole one.
func (s *screenOut) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = nil
}

// draw brings the screen to a frame in one write. It blocks when the terminal takes nothing, and
// with it the model: snapshots then wait in the board, where the newest replaces the rest.
func (s *screenOut) draw(frame string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.alt || frame == "" {
		return
	}
	b := s.buf[:0]
	lines := strings.Split(frame, "\n")
	whole := len(lines) != len(s.lines)
	if whole {
		b = append(b, ansi.EraseEntireScreen...)
	}
	for y, l := range lines {
		if whole {
			b = append(appendMove(b, y, 0), l...)
		} else if l != s.lines[y] {
			b = appendChange(b, y, s.lines[y], l)
		}
	}
	s.buf = b
	if len(b) == 0 {
		return
	}
	if _, err := s.Terminal.Write(b); err != nil {
		s.lines = nil // unknown; the program ends by itself when the terminal is gone
		return
	}
	s.lines = lines
}

// appendMove puts the cursor on a cell.
func appendMove(b []byte, y, x int) []byte {
	b = append(b, "\x1b["...)
	b = strconv.AppendInt(b, int64(y+1), 10)
	if x > 0 {
		b = append(b, ';')
		b = strconv.AppendInt(b, int64(x+1), 10)
	}
	return append(b, 'H')
}

// appendChange turns the line was, on the screen at y, into now, and writes only the segments that
// differ: a lamp that turns is a few bytes, and what is not written costs the terminal nothing, four
// times a second. A segment ends where the look is given back, so that each begins with the default
// look. As soon as one has another width than before, all that follows has moved and is written.
func appendChange(b []byte, y int, was, now string) []byte {
	line, at := now, 0 // at is where now begins in line
	x, measured := 0, 0
	writing := false // the cursor stands where now begins
	for now != "" {
		next, old := segment(now), segment(was)
		if next == old {
			writing = false
		} else {
			if !writing {
				x, measured = x+style.Width(line[measured:at]), at
				b, writing = appendMove(b, y, x), true
			}
			if style.Width(next) != style.Width(old) {
				b = append(b, now...)
				return appendErase(b, style.Width(now), style.Width(was))
			}
			b = append(b, next...)
		}
		now, was, at = now[len(next):], was[len(old):], at+len(next)
	}
	if was != "" && !writing {
		b = appendMove(b, y, style.Width(line))
	}
	return appendErase(b, 0, style.Width(was))
}

// appendErase clears what a longer line has left behind the cursor. Lines of a frame are of one
// width as a rule, and then nothing must be cleared: behind the last cell of a line the cursor still
// stands on it.
func appendErase(b []byte, now, was int) []byte {
	if now < was {
		b = append(b, ansi.EraseLineRight...)
	}
	return b
}

// lookBack ends whatever look came before.
const lookBack = "\x1b[0m"

// segment is the beginning of a line up to where the default look is back.
func segment(line string) string {
	if i := strings.Index(line, lookBack); i >= 0 {
		return line[:i+len(lookBack)]
	}
	return line
}
