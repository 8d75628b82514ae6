package tracker

import (
	"strconv"
	"strings"
	"unicode"
)

// maxLabel is how much of a command line stands before its last line of output, in characters:
// the readers cut at 80, and the output is the news.
const maxLabel = 36

// summary says what happens in the window.
func (f *windowFacts) summary(prog *program, line cursorLine) string {
	p := f.pane
	switch {
	case line.secret && prog.shell:
		return "password asked"
	case line.secret:
		return "password asked (" + prog.line + ")"
	case line.question != "" && prog.shell:
		return "asks: " + line.question
	case line.question != "":
		return prog.name + " asks: " + line.question
	case prog.shell && len(p.Jobs) > 0:
		return "paused: " + strings.Join(p.Jobs, ", ")
	case line.typed != "":
		return "typed, not run: " + line.typed
	case prog.shell && line.prompt:
		return f.atPrompt()
	case line.prompt && prog.carrier():
		return label(prog.line) + ": at a prompt"
	case line.prompt:
		return "at the prompt of " + prog.line + portList(p.Ports)
	}
	return f.running(prog)
}

func (f *windowFacts) atPrompt() string {
	text := "at a prompt"
	if f.pane.Path != "" {
		text += " in " + f.short(f.pane.Path)
	}
	if len(f.pane.Ports) > 0 {
		text += ", serving" + portList(f.pane.Ports)
	}
	return text
}

// short shortens a path below the home directory.
func (f *windowFacts) short(path string) string {
	if rest, ok := strings.CutPrefix(path, f.home); ok && f.home != "" && f.home != "/" && (rest == "" || rest[0] == '/') {
		return "~" + rest
	}
	return path
}

// running is a program that does not wait for anybody. Where it is known what it is for, that is
// said in words; else its command line, with the ports it serves or its last line of output.
func (f *windowFacts) running(prog *program) string {
	inner := prog.unwrapped()
	if text := f.knownWork(inner); text != "" {
		return text
	}
	if follows(inner) {
		return withOutput("following "+namesOf(inner.operands(), "its input"), f.lastOutput(prog))
	}
	if len(f.pane.Ports) > 0 {
		return prog.line + portList(f.pane.Ports)
	}
	return withOutput(prog.line, f.lastOutput(prog))
}

// knownWork is what full-screen programs and watchers are there for, or "".
func (f *windowFacts) knownWork(prog *program) string {
	ops := prog.operands()
	switch n := prog.name; {
	case editors.has(n) && hasFlag(prog.args, "-d") || differs.has(n):
		if len(ops) > 1 {
			return "comparing " + baseName(ops[0]) + " and " + baseName(ops[1])
		}
	case editors.has(n):
		return f.editing(n, ops)
	case pagers.has(n) && len(ops) > 0:
		return "reading " + namesOf(ops, "")
	case n == "man" && len(ops) > 0:
		return "reading the manual of " + ops[len(ops)-1]
	case watches.has(n) && len(ops) > 0:
		// What it watches has options of its own.
		line := strings.Join(prog.args, " ")
		if i := strings.Index(line, ops[0]); i >= 0 {
			return "watching " + line[i:]
		}
	case notifies.has(n) && len(ops) > 0:
		return "watching " + namesOf(ops, "")
	}
	return ""
}

// editing names the file in an editor: the one its title shows, which follows the person, else
// those it was started with.
func (f *windowFacts) editing(name string, ops []string) string {
	if file := fileInTitle(f.pane.Title); file != "" {
		return "editing " + file
	}
	if len(ops) == 0 {
		return name
	}
	if ops[0] == "." {
		return name + " in " + f.short(f.pane.Path)
	}
	return "editing " + namesOf(ops, "")
}

// fileInTitle reads the titles that vim makes: "api.go + (~/src/api) - VIM".
func fileInTitle(title string) string {
	upper := strings.ToUpper(title)
	if !strings.HasSuffix(upper, " - VIM") && !strings.HasSuffix(upper, " - NVIM") {
		return ""
	}
	file, _, ok := strings.Cut(title, " (")
	file = strings.TrimRight(file, " +-=")
	if !ok || strings.HasPrefix(file, "[") { // [No Name]
		return ""
	}
	return file
}

// follows reports whether the program is a tail that does not end.
func follows(prog *program) bool {
	if prog.name != "tail" {
		return false
	}
	for _, a := range prog.args {
		short := strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--")
		if short && strings.ContainsAny(a, "fF") || strings.HasPrefix(a, "--follow") || a == "--retry" {
			return true
		}
	}
	return false
}

func hasFlag(args []string, flag string) bool {
	for _, a := range args {
		if a == flag {
			return true
		}
	}
	return false
}

// namesOf names files without their folders: "a.go, b.go and 2 more".
func namesOf(paths []string, none string) string {
	var names []string
	for _, p := range paths {
		names = append(names, baseName(strings.TrimRight(p, "/")))
	}
	switch n := len(names); {
	case n == 0:
		return none
	case n > 3:
		return strings.Join(names[:2], ", ") + " and " + strconv.Itoa(n-2) + " more"
	}
	return strings.Join(names, ", ")
}

// lastOutput is the last line on the screen, if it is output of the program: not part of a picture,
// not the command line that started it, and with something to read in it.
func (f *windowFacts) lastOutput(prog *program) string {
	text := strings.TrimSpace(f.screen.LastLine)
	if f.screen.Full || fullScreen(prog.unwrapped().name) || strings.Contains(text, prog.line) ||
		!strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	if at := replPrompt().FindStringIndex(text); at != nil && (repls.has(prog.name) || isInterpreter(prog.name)) {
		return strings.TrimSpace(text[at[1]:]) // what the person had it do
	}
	switch end := promptEnd(text); {
	case prog.carrier() && end >= 0:
		return strings.TrimSpace(text[end:])
	case end >= 0 && startsWithPrompt(text):
		return "" // the person's own line, perhaps an alias
	}
	return text
}

// startsWithPrompt reports whether a line begins the way prompts do, with user@host or with the
// sign itself, and is not output that has one of those signs in it.
func startsWithPrompt(text string) bool {
	first, _, _ := strings.Cut(text, " ")
	number := strings.TrimRight(first, "%") != strings.TrimRight(first, "0123456789.%") // 45%
	return strings.Contains(first, "@") || promptEnd(first) >= 0 && !number
}

func withOutput(command, output string) string {
	if output == "" {
		return command
	}
	return label(command) + ": " + output
}

// label cuts a command line at a word.
func label(line string) string {
	r := []rune(line)
	if len(r) <= maxLabel {
		return line
	}
	cut := string(r[:maxLabel])
	if i := strings.LastIndexByte(cut, ' '); i > maxLabel/2 {
		cut = cut[:i]
	}
	return cut + "…"
}
