package tracker

import (
	"strings"
	"unicode/utf8"
)

// cursorLine is what stands left of the cursor.
type cursorLine struct {
	prompt   bool   // a prompt, with or without something typed behind it
	typed    string // what was typed and not run yet
	question string // what a program asks
	secret   bool   // the question is for a password
}

func (l cursorLine) waits() bool { return l.prompt || l.question != "" }

// readShellLine reads the line of a shell that is in front: nothing else runs, so whatever stands
// there is its prompt or the question of its read command.
func readShellLine(text string) cursorLine {
	if strings.TrimSpace(text) == "" {
		return cursorLine{}
	}
	if end := promptEnd(text); end >= 0 {
		return cursorLine{prompt: true, typed: strings.TrimSpace(text[end:])}
	}
	if l := readQuestion(text); l.question != "" {
		return l
	}
	return cursorLine{prompt: true}
}

// readCarriedLine reads the line of a program that shows another shell: ssh, docker exec, sudo -s.
func readCarriedLine(text string) cursorLine {
	if l := readQuestion(text); l.question != "" {
		return l
	}
	if promptEnd(text) >= 0 {
		return cursorLine{prompt: true}
	}
	return cursorLine{}
}

// readProgramLine reads the line of any other program.
func readProgramLine(text string) cursorLine {
	if l := readQuestion(text); l.question != "" {
		return l
	}
	return cursorLine{prompt: replPrompt().MatchString(text)}
}

// arrows end prompts and hardly ever occur in commands.
const arrows = "❯➜➤»›▶▸⟩❱λ✗✘✔±⚡"

// isArrow also takes in the separators of powerline fonts.
func isArrow(r rune) bool {
	return r >= 0xE0B0 && r <= 0xE0D4 || strings.ContainsRune(arrows, r)
}

// promptEnd finds where the prompt of a shell ends and what was typed begins: behind the last
// arrow, else behind the first of $ # % >, each followed by a blank or by nothing. It is -1 where
// no prompt is to be seen.
func promptEnd(text string) int {
	ascii, arrow, first := -1, -1, true
	for i, r := range text {
		after := i + utf8.RuneLen(r)
		if r == utf8.RuneError || !blankAt(text, after) {
			first = first && r == ' '
			continue
		}
		switch {
		case r == '➜' && first: // "➜  api git:(main) ls"
			arrow = after + behindArrow(text[after:])
		case isArrow(r):
			arrow = after
		case ascii < 0 && strings.ContainsRune("$#%>", r):
			ascii = after
		}
		first = first && r == ' '
	}
	if arrow >= 0 {
		return arrow
	}
	return ascii
}

// behindArrow is the length of the directory and the branch that some themes show behind the arrow.
func behindArrow(rest string) int { return len(arrowTail().FindString(rest)) }

var arrowTail = lazyRegexp(`^[ \x{a0}]+\S*(?:[ \x{a0}]+(?:git|hg|svn)?:?\([^)]*\))*`)

// blankAt reports whether the text ends at i or has a blank there, breaking or not.
func blankAt(text string, i int) bool {
	return i >= len(text) || text[i] == ' ' || strings.HasPrefix(text[i:], "\u00a0")
}

// replPrompt is the prompt of a program that reads commands, at the start of its line.
var replPrompt = lazyRegexp(`^(?:` + strings.Join([]string{
	`>{1,3}`, `\.\.\.`, // python, node
	`\s*\.\.\.+>`,               // sqlite, iex
	`In \[\d+\]:`, `\s+\.\.\.:`, // ipython
	`\([\w+.-]{2,16}\)`,            // (gdb) (lldb) (Pdb) (dlv)
	`\[\d+\] pry\(.{1,40}\)[>*"']`, // pry
	`irb\(.{1,20}\):\d+(?::\d+)?[*'"]`,
	`[\w.@:()\[\]/~+*-]{0,40}[=*'"-]?>`,   // mysql> db=> irb(main):001> iex(1)> sftp> ghci> 1>
	`[\w.@:()\[\]/~+-]{0,40}[=*'"(-]?#`,   // db=# ocaml's #
	`\w{2,12} (?:\[[^\]]{1,40}\])? ?[>#]`, // MariaDB [db]> php > utop #
	`\s*DB<+\d+>+`,                        // perl -d
	`\[\d+\]>`, `\*`,                      // lisps
}, `|`) + `)(?:[ \x{a0}]|$)`)

// secretWords and a colon ask for a password, in the languages that sudo and ssh are met in.
var secretWords = lazyRegexp(`(?i)(password|passphrase|pass phrase|passcode|passwort|kennwort|mot de passe|` +
	`contraseña|senha|wachtwoord|parola d|пароль|パスワード|密码|密碼|verification code|one-time code|\bpin\b|\botp\b).*[:：][ \x{a0}]*$`)

// questions are what programs end a line with when they want an answer.
var questions = lazyRegexp(`(?i)(?:` + strings.Join([]string{
	`\?[ \x{a0}]*$`, // Overwrite?
	`\?[ \x{a0}]*[\[(][^\])]*[\])][:>]?[ \x{a0}]*$`,        // Do you want to continue? [Y/n]
	`[\[(]y(?:es)?/no?(?:/[^\])]*)?[\])][:?>]?[ \x{a0}]*$`, // (yes/no/[fingerprint])
	`\bpress (?:any key|enter|return)\b.*$`,                // Press ENTER to continue
	`^(?:enter|type|choose|select|user ?name|login|your|e-?mail|name|input)\b.*:[ \x{a0}]*$`,
	`\blogin:[ \x{a0}]*$`,
}, `|`) + `)`)

// readQuestion recognises a line that wants an answer.
func readQuestion(text string) cursorLine {
	if !mayAsk(text) {
		return cursorLine{}
	}
	switch {
	case secretWords().MatchString(text):
		return cursorLine{question: strings.TrimSpace(text), secret: true}
	case questions().MatchString(text):
		return cursorLine{question: strings.TrimSpace(text)}
	}
	return cursorLine{}
}

// mayAsk spares the patterns most lines: questions end with one of few signs, or tell which key to
// press.
func mayAsk(text string) bool {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(text, " \u00a0"))
	return strings.ContainsRune("?:)]>：", r) || strings.Contains(text, "ress ")
}
