package settings

import (
	"path/filepath"
	"strings"
)

// program is the name our binary is recognised by.
const program = "signalbox"

// Command is the shell command that calls the binary at path as a hook. It prints nothing and
// succeeds even when the binary is gone, because anything else would be shown to the agent or its
// user. TERM keeps libraries that ask the terminal at program start from doing so. GOMAXPROCS keeps the
// runtime from starting threads for work that one does: a tenth of what a hook takes.
//
// It is a shell command because Claude Code before 2.1.139 knows no other form.
func Command(path string) string {
	return "TERM=dumb GOMAXPROCS=1 " + quote(path) + ending
}

// ending is how every command of ours goes on behind the path.
const ending = " hook >/dev/null 2>&1 || :"

// quote makes one word for sh.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// isOurs reports whether a command runs `signalbox hook` and nothing else: variables before it,
// redirections and "|| :" behind it do not matter. A binary of another name is known by the rest of the
// command, which nobody else writes so: what was installed can always be found again.
func isOurs(command string) bool {
	words, ok := shellWords(command)
	if !ok {
		return false
	}
	own := len(words) > 0 && words[0] == "TERM=dumb" && strings.HasSuffix(command, "'"+ending)
	for len(words) > 0 && (isAssignment(words[0]) || words[0] == "exec" || words[0] == "env") {
		words = words[1:]
	}
	if len(words) < 2 || filepath.Base(words[0]) != program && !own || words[1] != "hook" {
		return false
	}
	for rest := words[2:]; len(rest) > 0; rest = rest[1:] {
		switch rest[0] {
		case ">/dev/null", "2>/dev/null", "&>/dev/null", "2>&1":
		case "||":
			return len(rest) == 2 && (rest[1] == ":" || rest[1] == "true")
		default:
			return false
		}
	}
	return true
}

func isAssignment(word string) bool {
	name, _, ok := strings.Cut(word, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// shellWords splits a command at blanks and takes quotes away. It knows enough of sh for commands
// like ours; ok is false when a quote is left open.
func shellWords(command string) (words []string, ok bool) {
	var word strings.Builder
	inWord, quoted := false, byte(0)
	for i := 0; i < len(command); i++ {
		c := command[i]
		switch {
		case quoted != 0 && c == quoted:
			quoted = 0
		case quoted == '\'':
			word.WriteByte(c)
		case c == '\\' && i+1 < len(command):
			i++
			word.WriteByte(command[i])
			inWord = true
		case quoted != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quoted, inWord = c, true
		case c == ' ' || c == '\t' || c == '\n':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, quoted == 0
}
