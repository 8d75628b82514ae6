package tmuxctl

import "strings"

// quoteCommands writes commands as one line of tmux's own language, for a control-mode client or
// as the argument of if-shell. Every argument is quoted: nothing in it is expanded.
func quoteCommands(cmds ...Command) string {
	var b strings.Builder
	for i, c := range cmds {
		if i > 0 {
			b.WriteString(" ; ")
		}
		for j, a := range c {
			if j > 0 {
				b.WriteByte(' ')
			}
			quote(&b, a)
		}
	}
	return b.String()
}

// quote puts the argument in single quotes, inside which tmux knows no escapes, variables, formats
// or comments. A single quote is written outside of them, escaped.
func quote(b *strings.Builder, arg string) {
	b.WriteByte('\'')
	for {
		before, after, found := strings.Cut(arg, "'")
		b.WriteString(before)
		if !found {
			break
		}
		b.WriteString(`'\''`)
		arg = after
	}
	b.WriteByte('\'')
}
