package style

import (
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/muesli/termenv"
)

// Glyphs chooses between the drawn and the ASCII shapes.
type Glyphs string

// Glyph sets. ASCII is for terminals that draw the other set two cells wide, or not at all.
const (
	Unicode Glyphs = "unicode"
	ASCII   Glyphs = "ascii"
)

// Options say what to build a Style for. The zero value is the dark theme with drawn glyphs.
type Options struct {
	Theme  Theme
	Glyphs Glyphs
	Still  bool // reduced motion: every lamp keeps its first step
}

// Signs are the strings of a glyph set that are not lamps. Each is one cell wide.
type Signs struct {
	Bar      string // beside what is selected
	Rule     string // horizontal
	Side     string // vertical
	TeeDown  string // where a vertical line hangs from a horizontal one
	TeeUp    string // where it stands on one
	Dot      string // between facts on a line
	Ellipsis string
	Enter    string
	Tab      string
	On       string // a lamp of the sources that is on
	Off      string
	Check    string // still being asked
	More     string // there is more below
	Fewer    string // there is more above
	Folded   string
	Asked    string // before what somebody wrote, as Claude Code has it
}

// Style is a finished look. It is immutable.
type Style struct {
	Signs   Signs
	Profile termenv.Profile // colour depth of the terminal; Ascii means none
	Moving  bool            // lamps have more than one step

	open   [roles]string
	lamps  [lamps][Frames]string
	shapes [lamps]string
}

// reset ends every role that has an open sequence.
const reset = "\x1b[0m"

// New renders a look for the terminal that r stands for: its colour profile and background decide
// how the theme is drawn. A profile without colours is drawn as the mono theme.
func New(r *lipgloss.Renderer, o Options) *Style {
	s := &Style{Profile: r.ColorProfile(), Signs: signs(o.Glyphs)}
	mono := o.Theme == Mono || s.Profile == termenv.Ascii
	if mono {
		s.Profile = termenv.Ascii
	}
	s.Moving = !o.Still && !mono // who asks for no colours asks for a calm screen
	inks := palette(o.Theme, r.HasDarkBackground())
	for role := range roles {
		s.open[role] = openOf(r, inks[role], mono)
	}
	for l := range lamps {
		s.shapes[l] = looks[l].unicode[0]
		if o.Glyphs == ASCII {
			s.shapes[l] = looks[l].ascii[0]
		}
		for f := range Frames {
			s.lamps[l][f] = s.lampAt(l, f, o.Glyphs == ASCII)
		}
	}
	return s
}

func (s *Style) lampAt(l Lamp, frame int, ascii bool) string {
	lk := looks[l]
	if !s.Moving {
		frame = 0
	}
	shape, role := lk.unicode[frame], lk.role
	if ascii {
		shape = lk.ascii[frame]
	}
	if frame%2 == 1 {
		role = lk.soft
	}
	return s.Render(role, shape)
}

// openOf is the sequence that switches to an ink. lipgloss decides it; the text is cut out again,
// because at drawing time only the sequence is needed.
func openOf(r *lipgloss.Renderer, i ink, mono bool) string {
	if mono {
		if i.monoAttrs == "" {
			return ""
		}
		return "\x1b[" + i.monoAttrs + "m"
	}
	st := r.NewStyle().Bold(i.bold)
	if i.hasColor {
		st = st.Foreground(i.color)
	}
	if i.faint && r.ColorProfile() == termenv.ANSI {
		st = r.NewStyle().Faint(true)
	}
	open, _, found := strings.Cut(st.Render("x"), "x")
	if !found {
		return ""
	}
	return open
}

func signs(g Glyphs) Signs {
	if g == ASCII {
		return Signs{
			Bar: "[", Rule: "-", Side: "|", TeeDown: "+", TeeUp: "+", Dot: "-", Ellipsis: EllipsisASCII, Enter: "enter", Tab: "tab",
			On: "*", Off: "#", Check: "o", More: "v", Fewer: "^", Folded: "+", Asked: ">",
		}
	}
	return Signs{
		Bar: "▌", Rule: "─", Side: "│", TeeDown: "┬", TeeUp: "┴", Dot: "·", Ellipsis: Ellipsis, Enter: "↵", Tab: "⇥",
		On: "●", Off: "■", Check: "○", More: "▾", Fewer: "▴", Folded: "▸", Asked: "❯",
	}
}

// Lamp is the rendered lamp at a step of the clock; one cell.
func (s *Style) Lamp(l Lamp, frame int) string { return s.lamps[l][frame%Frames] }

// Shape is a lamp's bare shape, for one that is off.
func (s *Style) Shape(l Lamp) string { return s.shapes[l] }

// Cursor is text under a cursor.
func (s *Style) Cursor(text string) string { return "\x1b[7m" + text + reset }

// Render is text in a role's ink. The text must be clean.
func (s *Style) Render(r Role, text string) string {
	if s.open[r] == "" {
		return text
	}
	return s.open[r] + text + reset
}

// Append appends clean text in a role's ink.
func (s *Style) Append(b []byte, r Role, text string) []byte {
	if s.open[r] == "" {
		return append(b, text...)
	}
	b = append(b, s.open[r]...)
	b = append(b, text...)
	return append(b, reset...)
}

// AppendFit appends any text in a role's ink at exactly w cells.
func (s *Style) AppendFit(b []byte, r Role, text string, w int) []byte {
	if w <= 0 {
		return b
	}
	if s.open[r] == "" {
		return AppendFit(b, text, w, s.Signs.Ellipsis)
	}
	b = append(b, s.open[r]...)
	b = AppendFit(b, text, w, s.Signs.Ellipsis)
	return append(b, reset...)
}

// AppendCut appends any text in a role's ink at no more than w cells, and returns how many it took.
func (s *Style) AppendCut(b []byte, r Role, text string, w int) ([]byte, int) {
	if w <= 0 || text == "" {
		return b, 0
	}
	b = append(b, s.open[r]...)
	b, n := AppendCut(b, text, w, s.Signs.Ellipsis)
	if s.open[r] != "" {
		b = append(b, reset...)
	}
	return b, n
}

// Rule appends a horizontal line of w cells.
func (s *Style) Rule(b []byte, w int) []byte {
	if w <= 0 {
		return b
	}
	b = append(b, s.open[Faint]...)
	for range w {
		b = append(b, s.Signs.Rule...)
	}
	if s.open[Faint] != "" {
		b = append(b, reset...)
	}
	return b
}
