package interlock

import (
	"strings"
	"unicode"
)

// maxQuote bounds how much of a stranger's text is quoted to a person.
const maxQuote = 60

// quote is untrusted text as it may be shown: one line, no control characters, not long.
func quote(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case !unicode.IsPrint(r):
			return -1
		}
		return r
	}, text)
	if rs := []rune(text); len(rs) > maxQuote {
		text = string(rs[:maxQuote-1]) + "…"
	}
	return "“" + strings.TrimSpace(text) + "”"
}
