package interlock

import (
	"strings"
	"testing"

	"signalbox/tmuxctl/interlock/composer"
	"signalbox/tracker"
)

func TestPrepareText(t *testing.T) {
	for _, c := range []struct {
		name, text, typed string
		command           bool
		refused           string // part of the reason; "" where it may be typed
	}{
		{name: "plain", text: "run the tests", typed: "run the tests"},
		{name: "a shell line", text: "!rm x", refused: "shell without asking"},
		{name: "a shell line behind blanks", text: "  !rm x", refused: "shell without asking"},
		{name: "a command", text: "/clear", refused: "runs a command"},
		{name: "a command behind a blank: Claude runs it all the same", text: " /help", refused: "runs a command"},
		{name: "a command behind blank lines", text: "\n \n/help", refused: "runs a command"},
		{name: "a note", text: "#note", refused: "memory"},
		{name: "a cloud task", text: "&task", refused: "cloud"},
		{name: "help", text: "?", refused: "help"},
		{name: "chosen as a command", text: " /model opus", command: true, typed: "/model opus"},
		{name: "chosen, but none", text: "fix it", command: true, typed: "fix it"},
		{name: "a file first", text: "@main.go explain", typed: "@main.go explain"},
		{name: "a file last: a blank closes its picker", text: "look at @src/a.go", typed: "look at @src/a.go "},
		{name: "an emoji being named", text: ":hea", typed: ":hea "},
		{name: "a command named last", text: "see /model", typed: "see /model "},
		{name: "a mail address last", text: "write to me@example.org", typed: "write to me@example.org "},
		{name: "a file before the last line", text: "read @a.go\nand say", typed: "read @a.go\nand say"},
		{name: "backslash at the end", text: `go on \`, refused: "backslash"},
		{name: "backslash and blanks at the end", text: "go on \\ \n", refused: "backslash"},
		{name: "backslash inside", text: `a\b`, typed: `a\b`},
		{name: "the word that ends Claude", text: " exit\n", refused: "ends Claude"},
		{name: "the vi word that ends Claude", text: ":wq!", refused: "ends Claude"},
		{name: "leaving, chosen", text: "quit ", command: true, typed: "quit"},
		{name: "leaving, in a sentence", text: "exit the loop early", typed: "exit the loop early"},
		{name: "a joiner before a command", text: "\u200d/clear", refused: "U+200D at the start"},
		{name: "a variation selector before a shell line", text: "\ufe0f!rm x", refused: "U+FE0F at the start"},
		{name: "a grapheme joiner before a command", text: " \u034f/clear", refused: "U+034F at the start"},
		{name: "a Hangul filler before a shell line", text: "\u3164!rm x", refused: "U+3164 at the start"},
		{name: "empty", text: "", refused: "empty"},
		{name: "blanks only", text: " \n\t\u00a0", refused: "empty"},
		{name: "escape", text: "a\x1bb", refused: "U+001B"},
		{name: "the end of a paste", text: "x\x1b[201~\ry", refused: "U+001B"},
		{name: "carriage return", text: "a\rb", refused: "U+000D"},
		{name: "interrupt", text: "a\x03", refused: "U+0003"},
		{name: "delete", text: "a\x7f", refused: "U+007F"},
		{name: "C1", text: "a\u009bb", refused: "U+009B"},
		{name: "a raw C1 byte", text: "a\x9bb", refused: "UTF-8"},
		{name: "NUL in the third line", text: "a\n\nb\x00", refused: "U+0000 in line 3"},
		{name: "line separator", text: "a\u2028b", refused: "U+2028"},
		{name: "bidi override", text: "a\u202eb", refused: "U+202E"},
		{name: "zero width space", text: "a\u200bb", refused: "U+200B"},
		{name: "hidden tags", text: "a\U000e0041b", refused: "U+E0041"},
		{name: "joined emoji", text: "👨\u200d👩\u200d👧 ok", typed: "👨\u200d👩\u200d👧 ok"},
		{name: "tab and newline", text: "a\n\tb", typed: "a\n\tb"},
		{name: "DOS lines and blank edges", text: "\r\n  \r\n  a\r\nb\r\n\r\n", typed: "  a\nb"},
		{name: "decomposed letters", text: "cafe\u0301", typed: "café"},
		{name: "key names, options and ends of commands", text: "-R Enter; C-c;", typed: "-R Enter; C-c;"},
		{name: "long", text: strings.Repeat("ä", 100_000), typed: strings.Repeat("ä", 100_000)},
		{name: "too long", text: strings.Repeat("ä", 100_001), refused: "at most"},
	} {
		got, err := PrepareText(c.text, c.command)
		switch {
		case c.refused == "" && err != nil:
			t.Errorf("%s: refused: %v", c.name, err)
		case c.refused == "" && got.Typed != c.typed:
			t.Errorf("%s: would type %q, want %q", c.name, got.Typed, c.typed)
		case c.refused != "" && (err == nil || !strings.Contains(err.Error(), c.refused)):
			t.Errorf("%s: got %q, %v; want a refusal that says %q", c.name, got.Typed, err, c.refused)
		}
	}
}

func FuzzPrepareText(f *testing.F) {
	for _, s := range []string{"a", " !x", "a\r\nb", "e\u0301", "x\x1b[201~", "@a", "\\"} {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, raw string, command bool) {
		got, err := PrepareText(raw, command)
		if err != nil {
			return
		}
		again, err := PrepareText(got.Typed, command)
		if err != nil || again.Typed != got.Typed || again.Remark != "" {
			t.Fatalf("not stable: %q, then %q, %v", got.Typed, again.Typed, err)
		}
		if strings.ContainsAny(got.Typed, "\x1b\r\x00\x03\x7f") || skeleton(got.Typed) == "" {
			t.Fatalf("would type %q", got.Typed)
		}
		if first := strings.TrimSpace(got.Typed)[0]; !command && strings.IndexByte(commandMarks, first) >= 0 {
			t.Fatalf("a command got through: %q", got.Typed)
		}
	})
}

func TestEchoed(t *testing.T) {
	box := func(rows ...string) composer.Reading { return composer.Reading{Box: true, Rows: rows, AtEnd: true} }
	veto := func(r composer.Reading, k composer.Kind) composer.Reading {
		r.Vetoes = append(r.Vetoes, composer.Veto{Kind: k, Says: "no"})
		return r
	}
	with := func(r composer.Reading, change func(*composer.Reading)) composer.Reading { change(&r); return r }
	sixty := strings.Repeat("row\n", 59) + "row"
	for _, c := range []struct {
		name    string
		text    string
		command bool
		reading composer.Reading
		ok      bool
	}{
		{name: "as typed", text: "run the tests", reading: box("run the tests"), ok: true},
		{name: "wrapped between words", text: "run all the tests", reading: box("run all", "the tests"), ok: true},
		{name: "wrapped inside a word", text: "abcdefgh", reading: box("abcde", "fgh"), ok: true},
		{name: "wide characters wrapped", text: "漢字かな漢字", reading: box("漢字か", "な漢字"), ok: true},
		{name: "tab as blanks", text: "a\n\tb", reading: box("a", "    b"), ok: true},
		{name: "a mark the terminal dropped", text: "é\u0302x", reading: box("éx"), ok: true},
		{name: "nothing yet", text: "run", reading: box(), ok: false},
		{name: "half of it", text: "run the tests", reading: box("run the"), ok: false},
		{name: "fused with a draft", text: "run the tests", reading: box("half a draft run the tests"), ok: false},
		{name: "something behind it", text: "run the tests", reading: box("run the tests now"), ok: false},
		{name: "something else", text: "run the tests", reading: box("rm the tests"), ok: false},
		{name: "caret inside", text: "run", reading: with(box("run"), func(r *composer.Reading) { r.AtEnd = false }), ok: false},
		{name: "no box", text: "run", reading: composer.Reading{}, ok: false},
		{name: "a dialog", text: "run", reading: veto(composer.Reading{}, composer.NoBox), ok: false},
		{name: "busy", text: "run", reading: veto(box("run"), composer.Busy), ok: false},
		{name: "shell mode", text: "run", reading: veto(box("run"), composer.Shell), ok: false},
		{name: "a picker", text: "@run", reading: veto(box("@run"), composer.Picker), ok: false},
		{name: "placeholder", text: sixty, reading: box("[Pasted text #1 +59 lines]"), ok: true},
		{name: "placeholder of a second paste", text: sixty, reading: box("[Pasted text #12 +59 lines]"), ok: true},
		{name: "placeholder of something else", text: sixty, reading: box("[Pasted text #1 +58 lines]"), ok: false},
		{name: "two placeholders", text: sixty, reading: box("[Pasted text #1 +59 lines][Pasted text #2 +59 lines]"), ok: false},
		{name: "placeholder of one long line", text: strings.Repeat("x", 900), reading: box("[Pasted text #3]"), ok: true},
		{name: "scrolled", text: "one two three four", reading: with(box("three", "four"), func(r *composer.Reading) { r.Hidden = 2 }), ok: true},
		{name: "scrolled, another end", text: "one two three four", reading: with(box("three", "five"), func(r *composer.Reading) { r.Hidden = 2 }), ok: false},
		{name: "a shell line, chosen", text: "!ls -l", command: true, reading: veto(with(box("ls -l"), func(r *composer.Reading) { r.Shell = true }), composer.Shell), ok: true},
		{name: "a command, chosen in the list", text: "/model", command: true, reading: veto(with(box("/model"), func(r *composer.Reading) { r.Picker = []string{"  ❯ /model   Switch", "    /mode"} }), composer.Picker), ok: true},
		{name: "a command, another one chosen", text: "/mod", command: true, reading: veto(with(box("/mod"), func(r *composer.Reading) { r.Picker = []string{"  ❯ /model   Switch"} }), composer.Picker), ok: false},
		{name: "a command with arguments and no list", text: "/model opus", command: true, reading: box("/model opus"), ok: true},
	} {
		text, err := PrepareText(c.text, c.command)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		ok, why := text.Echoed(c.reading)
		if ok != c.ok || ok == (why != "") {
			t.Errorf("%s: %v (%s), want %v", c.name, ok, why, c.ok)
		}
	}
}

func TestAcknowledges(t *testing.T) {
	agent := tracker.AgentID{PID: 7, Start: 1}
	long := strings.Repeat("row of a long paste\n", 60) + "\tend"
	wrapped := "\n\n<pasted_content id=\"49d1\">\n" + strings.ReplaceAll(long, "\t", "    ") + "\n</pasted_content id=\"49d1\">\n"
	for _, c := range []struct {
		name    string
		text    string
		command bool
		prompt  Prompt
		ok      bool
	}{
		{name: "by hook", text: "run the tests", prompt: Prompt{SessionID: "s", ClaudePID: 7, Text: "run the tests"}, ok: true},
		{name: "by transcript", text: "run the tests", prompt: Prompt{SessionID: "s", Text: "run the tests"}, ok: true},
		{name: "a blank of ours dropped", text: "see @a.go", prompt: Prompt{SessionID: "s", Text: "see @a.go"}, ok: true},
		{name: "tabs as blanks", text: "a\n\tb", prompt: Prompt{SessionID: "s", Text: "a\n    b"}, ok: true},
		{name: "another session", text: "run", prompt: Prompt{SessionID: "other", Text: "run"}},
		{name: "another agent in this session", text: "run", prompt: Prompt{SessionID: "s", ClaudePID: 8, Text: "run"}},
		{name: "another prompt", text: "run the tests", prompt: Prompt{SessionID: "s", Text: "run the test"}},
		{name: "fused", text: "run the tests", prompt: Prompt{SessionID: "s", Text: "draft run the tests"}},
		{name: "nothing", text: "run", prompt: Prompt{SessionID: "s"}},
		{name: "a long paste", text: long, prompt: Prompt{SessionID: "s", Text: wrapped}, ok: true},
		{name: "a long paste, cut", text: long, prompt: Prompt{SessionID: "s", Text: wrapped[:300] + "…", Cut: true}, ok: true},
		{name: "another long paste, cut", text: long, prompt: Prompt{SessionID: "s", Text: "row of another paste", Cut: true}},
		{name: "cut to nothing", text: long, prompt: Prompt{SessionID: "s", Text: "row", Cut: true}},
		{name: "a shell line", text: "!ls -l", command: true, prompt: Prompt{SessionID: "s", Text: "<bash-input>ls -l</bash-input>"}, ok: true},
		{name: "a command", text: "/model opus", command: true, prompt: Prompt{SessionID: "s", Text: "<command-message>model</command-message>\n<command-name>/model</command-name>\n<command-args>opus</command-args>"}, ok: true},
		{name: "tags in a plain prompt are text", text: "ls", prompt: Prompt{SessionID: "s", Text: "<bash-input>ls</bash-input>"}},
	} {
		text, err := PrepareText(c.text, c.command)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if got := c.prompt.acknowledges(text, agent, "s"); got != c.ok {
			t.Errorf("%s: %v, want %v", c.name, got, c.ok)
		}
	}
}
