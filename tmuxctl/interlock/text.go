package interlock

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// maxText bounds a task in bytes. 200 kB arrived whole in every tmux tried; whoever has more to
// say writes a file and names it.
const maxText = 200_000

// commandMarks are the first characters that Claude takes for something other than a prompt:
// a command, a shell line that runs without asking, and in older versions a memory note and a task
// sent to the cloud; "?" opens the help.
const commandMarks = "/!#&?"

// leaveWords are the prompts that make Claude quit when they are all there is.
var leaveWords = []string{"exit", "quit", ":q", ":q!", ":wq", ":wq!"}

// Text is a task made ready for typing.
type Text struct {
	Typed   string // exactly the bytes that go between the paste brackets
	Command bool   // it begins with a command mark, and the person chose that
	Remark  string // what was changed on the way, for people; "" for nothing
}

// PrepareText judges a task and makes it ready for typing, or says why it must not be typed.
//
// Line ends become LF, the text is put in Unicode normal form C (Claude does the same), blank lines
// at the start and blanks at the end go. When the last word could leave a picker open, a blank
// follows it: Claude drops that again, but the picker closes. Nothing else is ever changed.
func PrepareText(raw string, asCommand bool) (Text, error) {
	if len(raw) > maxText {
		return Text{}, fmt.Errorf("the text has %d bytes; at most %d can be sent: write a file and name it", len(raw), maxText)
	}
	if !utf8.ValidString(raw) {
		return Text{}, fmt.Errorf("the text is not valid UTF-8")
	}
	text := norm.NFC.String(strings.ReplaceAll(raw, "\r\n", "\n"))
	if err := checkRunes(text); err != nil {
		return Text{}, err
	}
	text = strings.TrimRightFunc(dropBlankLines(text), unicode.IsSpace)
	t := Text{Typed: text}
	first := strings.TrimLeftFunc(text, unicode.IsSpace)
	switch {
	case skeleton(text) == "":
		return Text{}, fmt.Errorf("the text is empty")
	case unseen(first):
		r, _ := utf8.DecodeRuneInString(first)
		return Text{}, fmt.Errorf("invisible character U+%04X at the start", r)
	case slices.Contains(leaveWords, first):
		if !asCommand {
			return Text{}, fmt.Errorf("%q alone would not be a prompt: it ends Claude", first)
		}
		t.Typed, t.Command = first, true
	case strings.HasSuffix(text, `\`):
		return Text{}, fmt.Errorf(`a backslash at the end would turn Enter into a line break`)
	case strings.IndexByte(commandMarks, first[0]) >= 0:
		if !asCommand {
			return Text{}, fmt.Errorf("%q at the start would not be a prompt: %s", first[:1], meaning(first[0]))
		}
		t.Typed, t.Command = first, true
	case pickerWord(text):
		t.Typed += " "
	}
	if strings.TrimSpace(t.Typed) != strings.TrimSpace(raw) {
		t.Remark = "cleaned: line ends, blank edges, composed letters"
	}
	return t, nil
}

// meaning says what Claude makes of a command mark.
func meaning(mark byte) string {
	switch mark {
	case '/':
		return "it runs a command"
	case '!':
		return "it runs in a shell without asking"
	case '#':
		return "older versions store a memory"
	case '&':
		return "older versions send it to the cloud"
	}
	return "it opens the help"
}

// checkRunes refuses what must not reach an input box: control characters, which are keys, and
// characters that are not seen, which could hide text from the person who sends it.
func checkRunes(text string) error {
	line := 1
	for _, r := range text {
		switch {
		case r == '\n':
			line++
		case r == '\t', r == '\u200d', r == '\u200c': // joiners: part of emoji and of scripts
		case unicode.IsControl(r):
			return fmt.Errorf("control character U+%04X in line %d", r, line)
		case r == '\u2028', r == '\u2029', unicode.Is(unicode.Cf, r):
			return fmt.Errorf("invisible character U+%04X in line %d", r, line)
		}
	}
	return nil
}

// unseen reports whether a text begins with something that is not drawn: a joiner, a mark without a
// letter, a filler. Claude may drop it, and then the second character decides what the text is.
func unseen(text string) bool {
	r, _ := utf8.DecodeRuneInString(text)
	return unicode.In(r, unicode.Cf, unicode.Mn, unicode.Me, unicode.Other_Default_Ignorable_Code_Point)
}

func dropBlankLines(text string) string {
	for {
		line, rest, found := strings.Cut(text, "\n")
		if !found || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}

// pickerWord reports whether the last word of a text may open a picker while the caret stands
// behind it: a file ("@src/a.go"), a command named in the text ("see /model"), an emoji (":hea").
func pickerWord(text string) bool {
	word := text
	if i := strings.LastIndexFunc(text, unicode.IsSpace); i >= 0 {
		_, n := utf8.DecodeRuneInString(text[i:])
		word = text[i+n:]
	}
	return strings.ContainsAny(word, "@:/")
}

// skeleton is what two spellings of the same text have in common: no blanks (the box wraps words,
// tabs become four spaces, edges are dropped), no marks and joiners that a terminal may drop.
func skeleton(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.In(r, unicode.Cf, unicode.Cc, unicode.Mn, unicode.Me) {
			return -1
		}
		return r
	}, norm.NFC.String(text))
}
