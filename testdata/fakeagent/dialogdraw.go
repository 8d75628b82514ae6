package fakeagent

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// drawnDialog is a dialog as rows; x, y is the cursor's place in them.
type drawnDialog struct {
	rows []string
	x, y int
}

func (dd *drawnDialog) add(rows ...string) { dd.rows = append(dd.rows, rows...) }

// draw lays a dialog out as Claude does: permission and plan dialogs end with the named rule of
// the input box, the person's own dialogs do not.
func (d *dialog) draw(width int, name string) drawnDialog {
	switch d.kind {
	case dialogQuestion:
		return d.drawQuestion(width, name)
	case dialogPlan:
		return d.drawPlan(width, name)
	case dialogTrust:
		return d.drawTrust(width)
	case dialogModel, dialogConfig:
		return d.drawOwn(width)
	}
	return d.drawPermission(width, name)
}

func (d *dialog) drawPermission(width int, name string) drawnDialog {
	var dd drawnDialog
	dashes := fg(colourDash, strings.Repeat("╌", width))
	dd.add(fg(colourBlue, rule(width)), " "+bold(fg(colourBlue, cut(d.title, width-1))))
	for i, a := range d.about {
		for _, l := range wrap(a, width-2) {
			if i == 0 && len(d.about) > 1 {
				dd.add(" " + bold(l))
			} else {
				dd.add(" " + fg(colourGrey, l))
			}
		}
	}
	dd.add(dashes)
	for _, l := range wrap(d.body, width-2) {
		dd.add(" " + l)
	}
	dd.add(dashes)
	for _, l := range wrap(d.question, width-2) {
		dd.add(" " + l)
	}
	d.addChoices(&dd, width, 1)
	dd.add("", " "+fg(colourGrey, cut(d.footer, width-2)), namedRule(width, name))
	return dd
}

// choiceMargin is the empty space Claude leaves to the right of a choice.
const choiceMargin = 4

// addChoices adds numbered choices, indented by pad, and puts the cursor on the chosen one.
func (d *dialog) addChoices(dd *drawnDialog, width, indent int) {
	in := strings.Repeat(" ", indent)
	for i, c := range d.choices {
		mark, paint := "  ", func(s string) string { return s }
		if i == d.sel {
			dd.x, dd.y = indent, len(dd.rows)
			mark, paint = fg(colourBlue, "❯")+" ", func(s string) string { return fg(colourBlue, s) }
		}
		num := fmt.Sprintf("%d. ", i+1)
		lines := wrap(c.label+c.more, width-indent-2-len(num)-choiceMargin)
		for j, l := range lines {
			switch {
			case j == 0:
				dd.add(in + mark + fg(colourGrey, num) + paint(l))
			default:
				dd.add(in + "  " + strings.Repeat(" ", len(num)) + paint(l))
			}
		}
	}
}

func (d *dialog) drawQuestion(width int, name string) drawnDialog {
	var dd drawnDialog
	dd.add(fg(colourGrey, rule(width)), fg(colourBlue, inverse(" ☐ "+cut(d.title, width-5)+" ")), "")
	for _, l := range wrap(d.question, width-1) {
		dd.add(bold(fg(colourWhite, l)))
	}
	dd.add("")
	for i, c := range d.choices {
		if i == len(d.choices)-1 {
			dd.add(fg(colourGrey, rule(width)))
		}
		num, label := fmt.Sprintf("%d.", i+1), cut(c.label, width-6)
		if i == d.sel {
			dd.x, dd.y = 0, len(dd.rows)
			dd.add(fg(colourBlue, "❯") + " " + fg(colourGrey, num) + " " + fg(colourBlue, label))
		} else {
			dd.add("  " + fg(colourGrey, num) + " " + label)
		}
		if c.more != "" {
			dd.add("     " + fg(colourGrey, cut(c.more, width-6)))
		}
	}
	dd.add("", fg(colourGrey, cut(d.footer, width)), namedRule(width, name))
	return dd
}

func (d *dialog) drawPlan(width int, name string) drawnDialog {
	var dd drawnDialog
	dd.add(fg(colourBlue, strings.Repeat("▔", width)), "", "  "+fg(colourTeal, rule(width-4)))
	dd.add("   "+bold(fg(colourBlue, d.title)), "")
	for _, a := range d.about {
		dd.add("   " + cut(a, width-4))
	}
	dd.add("")
	d.addChoices(&dd, width, 3)
	dd.add(namedRule(width, name))
	return dd
}

func (d *dialog) drawTrust(width int) drawnDialog {
	var dd drawnDialog
	dd.add("", fg(colourYellow, rule(width)), " "+bold(fg(colourYellow, "Accessing workspace:")), "", " "+bold(cut(clean(d.body), width-2)), "")
	about := "Quick safety check: Is this a project you created or one you trust? (Like your own code, a well-known open source " +
		"project, or work from your team). If not, take a moment to review what's in this folder first."
	for _, l := range wrap(about, width-2) {
		dd.add(" " + l)
	}
	dd.add("")
	for _, l := range wrap("Claude Code'll be able to read, edit, and execute files here.", width-2) {
		dd.add(" " + l)
	}
	dd.add("", " "+fg(colourGrey, "Security guide"), "")
	for i, c := range d.choices {
		if i == d.sel {
			dd.x, dd.y = 1, len(dd.rows)
			dd.add(" " + fg(colourBlue, "❯") + " " + fg(colourBlue, c.label))
		} else {
			dd.add("   " + c.label)
		}
	}
	dd.add("", " "+fg(colourGrey, cut("Enter to confirm · Esc to cancel", width-2)))
	return dd
}

// drawOwn draws a dialog the person opened: /model or /config.
func (d *dialog) drawOwn(width int) drawnDialog {
	var dd drawnDialog
	dd.add(fg(colourBlue, strings.Repeat("▔", width)), "  "+bold(fg(colourBlue, cut(d.title, width-3))))
	for _, a := range d.about {
		for _, l := range wrap(a, width-4) {
			dd.add("  " + fg(colourGrey, l))
		}
	}
	dd.add("")
	labels := 0
	for _, c := range d.choices {
		labels = max(labels, ansi.StringWidth(c.label))
	}
	for i, c := range d.choices {
		mark := "  "
		if i == d.sel {
			dd.x, dd.y = 2, len(dd.rows)
			mark = fg(colourBlue, "❯") + " "
		}
		num := ""
		if d.kind == dialogModel {
			num = fmt.Sprintf("%d. ", i+1)
		}
		lead := len(num) + labels + 6
		for j, l := range wrap(c.more, width-lead-1) {
			if j == 0 {
				dd.add("  " + mark + fg(colourGrey, num) + pad(c.label, labels+2) + fg(colourGrey, l))
			} else {
				dd.add(strings.Repeat(" ", lead) + fg(colourGrey, l))
			}
		}
	}
	dd.add("")
	if d.kind == dialogModel {
		dd.add("  "+fg(colourClay, "◐")+fg(colourGrey, " Medium effort (default) ←/→ to adjust"), "")
	}
	dd.add("  " + fg(colourGrey, cut(d.footer, width-3)))
	return dd
}
