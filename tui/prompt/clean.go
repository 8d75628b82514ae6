package prompt

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"signalbox/tui/style"
)

// clean makes a typed or pasted text one that can be sent and seen: line ends of every kind become
// LF; escape sequences, control and invisible characters go. It says how many went: the person
// should know that the text is not what they pasted.
func clean(text string) (out string, dropped int) {
	if plain(text) {
		return text, 0
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if text[i] == 0x1b {
			i += style.EscapeLen(text[i:])
			dropped++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		i += n
		switch {
		case r == '\r':
			if i < len(text) && text[i] == '\n' {
				i++
			}
			b.WriteByte('\n')
		case r == '\n', r == '\v', r == '\f', r == 0x85, r == '\u2028', r == '\u2029':
			b.WriteByte('\n')
		case r == '\t', r == '\u200c', r == '\u200d': // joiners are part of emoji and of scripts
			b.WriteRune(r)
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == utf8.RuneError && n == 1:
			dropped++
		default:
			b.WriteRune(r)
		}
	}
	return b.String(), dropped
}

// plain reports whether a text is printable ASCII and line feeds only.
func plain(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c != '\n' && (c < 0x20 || c > 0x7e) {
			return false
		}
	}
	return true
}
