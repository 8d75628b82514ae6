package settings

import (
	"bytes"
	"encoding/json"
	"strings"
)

// splice replaces text[from:to].
func splice(text []byte, from, to int, with string) []byte {
	out := make([]byte, 0, len(text)-(to-from)+len(with))
	out = append(out, text[:from]...)
	out = append(out, with...)
	return append(out, text[to:]...)
}

// addChild puts a child behind the last one of an object or array, with lead before it; into an
// empty one right behind the bracket, without lead, which says that it was there before.
func addChild(text []byte, n *node, lead, child string) []byte {
	if n.size() == 0 {
		return splice(text, n.start+1, n.start+1, child)
	}
	_, end := n.child(n.size() - 1)
	return splice(text, end, end, ","+lead+child)
}

// removeChild is the inverse of addChild for the last child; any other takes the white space and
// the one comma with it that belong to it.
func removeChild(text []byte, n *node, i int) []byte {
	_, end := n.child(i)
	var start int
	switch {
	case i > 0:
		_, start = n.child(i - 1)
	case n.size() > 1:
		start = n.start + 1
		end += bytes.IndexByte(text[end:], ',') + 1
	default:
		start = n.start + 1
	}
	return splice(text, start, end, "")
}

// isCreated reports whether a container was made by us: it begins with white space.
func isCreated(text []byte, n *node) bool { return isSpace(text[n.start+1]) }

// A style is how a settings file is laid out.
type style struct {
	lines   bool   // one member per line
	newline string // "\n" or "\r\n"
	unit    string // one step of indentation
}

// newFileStyle is what Claude Code writes itself.
func newFileStyle() style { return style{lines: true, newline: "\n", unit: "  "} }

func styleOf(text []byte, root *node) style {
	st := newFileStyle()
	if bytes.Contains(text, []byte("\r\n")) {
		st.newline = "\r\n"
	}
	if root.size() == 0 {
		return st
	}
	first, _ := root.child(0)
	gap := string(text[root.start+1 : first])
	i := strings.LastIndexByte(gap, '\n')
	if st.lines = i >= 0; st.lines && gap[i+1:] != "" {
		st.unit = gap[i+1:]
	}
	return st
}

// lead is the white space before a child at this depth; the root's members are at depth 1.
func (st style) lead(depth int) string {
	if !st.lines {
		return " "
	}
	return st.newline + strings.Repeat(st.unit, depth)
}

// leadIn is the white space before a further child of n at this depth: that of the last child, or,
// where it has none although the file is laid out in lines, the usual one.
func (st style) leadIn(text []byte, n *node, depth int) string {
	if n.size() == 0 {
		return ""
	}
	start, _ := n.child(n.size() - 1)
	from := start
	for isSpace(text[from-1]) {
		from--
	}
	if from == start && st.lines {
		return st.lead(depth)
	}
	return string(text[from:start])
}

// timeoutSeconds bounds our hook, should it ever hang in a file system: the client itself gives up
// earlier. Without it Claude Code would wait for ten minutes.
const timeoutSeconds = "5"

// group is our entry for one event: a matcher group without a matcher, which matches everything.
func group(command string) string {
	return `{"hooks": [{"type": "command", "command": ` + literal(command) + `, "timeout": ` + timeoutSeconds + `}]}`
}

// event is a member of "hooks" that is ours altogether.
func event(name, command string) string { return literal(name) + ": [ " + group(command) + " ]" }

// hooks is a "hooks" member that is ours altogether.
func (st style) hooks(names []string, command string) string {
	var b strings.Builder
	b.WriteString(`"hooks": {`)
	for i, name := range names {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(st.lead(2) + event(name, command))
	}
	b.WriteString(st.lead(1) + "}")
	return b.String()
}

// literal is s as a JSON string.
func literal(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // of a string it cannot fail
	return strings.TrimSuffix(b.String(), "\n")
}
