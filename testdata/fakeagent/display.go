package fakeagent

import (
	"fmt"
	"io"
	"strings"
)

// frame is one complete screen: rows from the top, and where the cursor stands.
type frame struct {
	rows []string
	x, y int
	// show makes the terminal's own cursor visible. Claude hides it and draws its own.
	show bool
}

// display writes frames to the terminal. It remembers what is on the screen and writes only rows
// that changed, in one write per frame, so that a reader of the screen rarely sees half a frame.
type display struct {
	w      io.Writer
	rows   []string
	x, y   int
	alt    bool // the alternate screen is in use
	width  int
	height int
	err    error // first failed write; the terminal is gone then
}

// The terminal modes Claude sets, in its order, seen on its pty.
const (
	modesOn = "\x1b[?2004h\x1b[?2031h\x1b[?1004h"
	altOn   = "\x1b[?1049h\x1b[2J\x1b[H\x1b[?1000h\x1b[?1002h\x1b[?1003h\x1b[?1006h\x1b[?25l"
	mouseOf = "\x1b[?1006l\x1b[?1003l\x1b[?1002l\x1b[?1000l"
	altOff  = mouseOf + "\x1b[?1004l\x1b[?1049l\x1b[?2031l\x1b[?2004l\x1b[?25h"
)

func (d *display) write(s string) {
	if d.err != nil || s == "" {
		return
	}
	if _, err := io.WriteString(d.w, s); err != nil {
		d.err = fmt.Errorf("writing to the terminal: %w", err)
	}
}

// start asks for bracketed paste and focus reports. The trust dialog is drawn on the normal screen.
func (d *display) start() { d.write(modesOn + "\x1b[?25l") }

// enter switches to the alternate screen and forgets what was drawn.
func (d *display) enter(title string) {
	d.write("\x1b]0;" + clean(title) + "\a" + modesOn + altOn)
	d.alt, d.rows = true, nil
}

// leave gives the terminal back as it was found.
func (d *display) leave() {
	if d.alt {
		d.write(altOff)
	} else {
		d.write("\x1b[?1004l\x1b[?2031l\x1b[?2004l\x1b[?25h\r\n")
	}
	d.alt, d.rows = false, nil
}

func (d *display) title(s string) { d.write("\x1b]0;" + clean(s) + "\a") }

// resize forgets the screen, so that the next frame is drawn in full.
func (d *display) resize(width, height int) {
	if width == d.width && height == d.height {
		return
	}
	d.width, d.height, d.rows = max(width, 1), max(height, 1), nil
	d.write("\x1b[2J")
}

// draw brings the screen to a frame.
func (d *display) draw(f frame) {
	var b strings.Builder
	full := d.rows == nil
	if full {
		d.rows = make([]string, d.height)
	}
	for i := range d.rows {
		row := ""
		if i < len(f.rows) {
			row = f.rows[i]
		}
		if !full && row == d.rows[i] {
			continue
		}
		if full && row == "" {
			continue // the screen was just cleared
		}
		fmt.Fprintf(&b, "\x1b[%d;1H\x1b[0m%s\x1b[0m\x1b[K", i+1, row)
		d.rows[i] = row
	}
	if b.Len() == 0 && d.x == f.x && d.y == f.y && !full {
		return
	}
	d.x, d.y = f.x, f.y
	cursor := "\x1b[?25l"
	if f.show {
		cursor = "\x1b[?25h"
	}
	d.write(cursor + b.String() + fmt.Sprintf("\x1b[%d;%dH", f.y+1, f.x+1))
}
