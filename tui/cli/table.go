package cli

import (
	"io"
	"os"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/term"
	"github.com/muesli/termenv"

	"signalbox/tui/style"
)

// StatusOptions say how a reading is printed.
type StatusOptions struct {
	Waiting bool         // only rows that need a person
	Width   int          // cells of the terminal; 0 for no limit
	Style   *style.Style // colours; nil for none at all
	Home    string       // paths below it are shown as ~/…
}

// forTerminal fills in width and colours from what w is. Anything but a terminal gets plain text
// at full width, for grep and files. Both get the home folder that paths are shortened by.
//
// The terminal is not asked for its background: a one-shot command must not wait for an answer.
func (o StatusOptions) forTerminal(w io.Writer) StatusOptions {
	o.Home = os.Getenv("HOME")
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(f.Fd()) {
		return o
	}
	if width, _, err := term.GetSize(f.Fd()); err == nil {
		o.Width = width
	}
	r := lipgloss.NewRenderer(f)
	r.SetHasDarkBackground(true)
	o.Style = style.New(r, style.Options{Still: true})
	return o
}

// plain draws shapes only.
func plain() *style.Style {
	return style.New(lipgloss.NewRenderer(io.Discard, termenv.WithProfile(termenv.Ascii)), style.Options{Theme: style.Mono, Still: true})
}

// cell is one field of a table row.
type cell struct {
	role style.Role
	text string
}

// tableRow is one line of the table: a lamp and the columns.
type tableRow struct {
	lamp  style.Lamp
	cells []cell
}

// column bounds the width of one column. The last column takes what is left.
type column struct {
	most int // widest it gets
	drop int // narrow terminals lose the columns with the highest number first; 0 is never lost
}

const (
	lampWidth = 2  // the lamp and a blank
	columnGap = 2  // blanks between columns
	lastLeast = 16 // cells the last column should have before others are dropped for it
)

// table lays rows out in columns as wide as their widest text.
type table struct {
	columns []column
	rows    []tableRow
}

func (t *table) add(l style.Lamp, cells ...cell) {
	for i := range cells {
		cells[i].text = style.Clean(cells[i].text)
	}
	t.rows = append(t.rows, tableRow{l, cells})
}

// widths are the columns' widths in a terminal of the given width (0: no limit); -1 for a column
// that is dropped. The last one is what is left, 0 for as long as it is.
func (t *table) widths(limit int) []int {
	last := len(t.columns) - 1
	w := make([]int, len(t.columns))
	for _, r := range t.rows {
		for i, c := range r.cells[:last] {
			w[i] = max(w[i], min(style.Width(c.text), t.columns[i].most))
		}
	}
	for i := range w[:last] {
		if w[i] == 0 {
			w[i] = -1 // nothing in it at all
		}
	}
	if limit <= 0 {
		return w
	}
	w[0] = min(w[0], max(1, (limit-lampWidth-columnGap)/2)) // the first column stays, but leaves room
	for t.left(w, limit) < lastLeast {
		worst := -1
		for i, c := range t.columns[:last] {
			if w[i] >= 0 && c.drop > 0 && (worst < 0 || c.drop > t.columns[worst].drop) {
				worst = i
			}
		}
		if worst < 0 {
			break
		}
		w[worst] = -1
	}
	w[last] = max(1, t.left(w, limit))
	return w
}

// left is what the other columns leave of the line to the last one.
func (t *table) left(w []int, limit int) int {
	left := limit - lampWidth
	for _, n := range w[:len(w)-1] {
		if n >= 0 {
			left -= n + columnGap
		}
	}
	return left
}

// lines draws the table.
func (t *table) lines(o StatusOptions) []string {
	s, colour := o.Style, o.Style != nil
	if !colour {
		s = plain()
	}
	w := t.widths(o.Width)
	var out []string
	for _, r := range t.rows {
		var b []byte
		if colour {
			b = append(b, s.Lamp(r.lamp, 0)...)
		} else {
			b = append(b, s.Shape(r.lamp)...)
		}
		b = append(b, ' ')
		for i, c := range r.cells {
			if w[i] < 0 {
				continue
			}
			text := c.text
			switch {
			case i < len(r.cells)-1:
				text = style.Fit(text, w[i])
			case w[i] > 0:
				cut, _ := style.AppendCut(nil, text, w[i], style.Ellipsis)
				text = string(cut)
			}
			if colour && c.role != style.Text {
				text = s.Render(c.role, text)
			}
			b = append(b, text...)
			if i < len(r.cells)-1 {
				b = style.Pad(b, columnGap)
			}
		}
		out = append(out, trimRight(string(b)))
	}
	return out
}

// trimRight takes blanks off the end of a line without colours.
func trimRight(s string) string {
	for len(s) > 0 && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}
