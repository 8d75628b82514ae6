package composer

import (
	"strconv"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// box is where an input box was found.
type box struct {
	look               look
	top, first, bottom int // rows: top rule, first row of text, bottom rule
	hidden             int
	shell              bool
	gap                int // bytes of mark and gap on the first row; of the indent when it is scrolled
	footer             footerKind
}

// indent is what stands before every row of text but the first.
const indent = "  "

// findBox finds the lowest box: two full rules with rows of text between them. When the marks of
// several looks agree, the one that knows the row under the box is taken, else the newest.
func findBox(s Screen) (box, bool) {
	for bottom := len(s.Lines) - 1; bottom >= 2; bottom-- {
		if label, ok := rule(s.Line(bottom), s.Width); !ok || label != "" && !moreBelow().MatchString(label) {
			continue
		}
		var found *box
		for _, l := range looks() {
			b, ok := boxAbove(s, bottom, l)
			if !ok {
				continue
			}
			if found == nil {
				found = &b
			}
			if b.footer > footerExtra {
				return b, true
			}
		}
		if found != nil {
			return *found, true
		}
	}
	return box{}, false
}

var (
	moreAbove = lazyRegexp(`^↑ (\d+) more( |$)`)
	moreBelow = lazyRegexp(`^↓ \d+ more$`)
)

// boxAbove checks that a box of one look ends at a bottom rule.
func boxAbove(s Screen, bottom int, l look) (box, bool) {
	b := box{look: l, bottom: bottom, first: -1}
	for y := bottom - 1; y >= 0; y-- {
		text := s.Line(y).Text()
		if label, ok := rule(s.Line(y), s.Width); ok {
			m := moreAbove().FindStringSubmatch(label)
			if b.first < 0 && m != nil && y < bottom-1 {
				b.hidden, _ = strconv.Atoi(m[1])
				b.first, b.gap = y+1, len(indent)
			}
			b.top = y
			break
		}
		if b.first >= 0 {
			return b, false
		}
		switch {
		case strings.HasPrefix(text, l.mark):
			b.first, b.gap = y, len(l.mark)
		case l.shell != "" && strings.HasPrefix(text, l.shell):
			b.first, b.gap, b.shell = y, len(l.shell), true
		case text != "" && !strings.HasPrefix(text, indent):
			return b, false
		}
	}
	if b.first < 0 || b.top != b.first-1 {
		return b, false
	}
	b.footer = footerOf(s, b)
	return b, true
}

// rule reports whether a row is a rule across the whole pane, and its label. A label that is as long as
// the rule leaves but the end of it. Rows of text in the box begin with more than one blank.
func rule(l Line, width int) (label string, ok bool) {
	text := l.Text()
	full := strings.HasPrefix(text, " ") && !strings.HasPrefix(text, indent) && strings.HasSuffix(text, fullRule)
	if !full && (!strings.HasPrefix(text, "─") || !strings.HasSuffix(text, "─")) || !spans(text, width) {
		return "", false
	}
	label = strings.Trim(text, "─")
	if label == "" {
		return "", true
	}
	return strings.TrimSpace(strings.ReplaceAll(label, "─", "")), strings.HasPrefix(label, " ") && strings.HasSuffix(label, " ")
}

const (
	fullRule = " ─"
	// variation makes an emoji of the character before it. Claude counts two cells for that, tmux one or
	// two by its version, and who counted less has the space behind it.
	variation = "\ufe0f"
)

// spans reports whether a row is as wide as the pane.
func spans(text string, width int) bool {
	most := ansi.StringWidth(text)
	return width <= most && width >= most-strings.Count(text, variation)
}

// left is a row under the box without the hint at its right edge.
func left(l Line) string {
	text, ok := strings.CutPrefix(l.Text(), indent)
	if !ok {
		return strings.TrimSpace(l.Text())
	}
	if i := strings.Index(text, "   "); i >= 0 {
		text = text[:i]
	}
	return strings.TrimRight(text, " ")
}

// footerOf is the most telling kind of row under the box.
func footerOf(s Screen, b box) footerKind {
	kind := footerOther
	for y := b.bottom + 1; y < s.Height; y++ {
		if s.Line(y).Text() == "" && y != b.bottom+1 {
			continue
		}
		kind = max(kind, b.look.footer(left(s.Line(y)), y == b.bottom+1))
	}
	return kind
}
