package tmuxctl

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// readAll reads until the end and writes down what came.
func readAll(r io.Reader) (string, error) {
	c := newControlReader(r)
	var b strings.Builder
	for {
		reply, note, err := c.next()
		switch {
		case err != nil:
			return b.String(), err
		case reply != nil:
			fmt.Fprintf(&b, "[%q failed=%v mine=%v]", reply.out, reply.failed, reply.mine)
		default:
			fmt.Fprintf(&b, "<%s>", note)
		}
	}
}

func TestControlReader(t *testing.T) {
	long := strings.Repeat("x", 200_000)
	for name, row := range map[string][2]string{
		"nothing":                   {"", ""},
		"empty reply":               {"%begin 1 2 1\n%end 1 2 1\n", `["" failed=false mine=true]`},
		"reply":                     {"%begin 1 2 1\na\n\nb\n%end 1 2 1\n", `["a\n\nb\n" failed=false mine=true]`},
		"of others":                 {"%begin 1 2 0\na\n%end 1 2 0\n", `["a\n" failed=false mine=false]`},
		"error":                     {"%begin 1 2 1\ncan't find pane: %9\n%error 1 2 1\n", `["can't find pane: %9\n" failed=true mine=true]`},
		"notifications":             {"%sessions-changed\n%window-renamed @1 a b %end\n%exit\n", "<sessions-changed><window-renamed @1 a b %end><exit>"},
		"another's guard inside":    {"%begin 1 2 1\n%end 1 3 1\n%end 1 2 0\n%error 2 2 1\n%begin 1 2 1\n%end 1 2 1\n", `["%end 1 3 1\n%end 1 2 0\n%error 2 2 1\n%begin 1 2 1\n" failed=false mine=true]`},
		"notification-like inside":  {"%begin 1 2 1\n%exit\n%end\n%end 1 2 1 \n%end 1 2 1\n", `["%exit\n%end\n%end 1 2 1 \n" failed=false mine=true]`},
		"noise":                     {"hello\n\n%begin x 2 1\n%begin 1 2\n%begin  1 2\n%sessions-changed\n", "<sessions-changed>"},
		"a last line without end":   {"%sessions-changed\n%exi", "<sessions-changed>"},
		"a reply without end":       {"%begin 1 2 1\na\n", ""},
		"a line beyond the buffer":  {"%begin 1 2 1\n" + long + "\n%end 1 2 1\n", fmt.Sprintf("[%q failed=false mine=true]", long+"\n")},
		"carriage return is kept":   {"%begin 1 2 1\na\r\n%end 1 2 1\n", `["a\r\n" failed=false mine=true]`},
		"end without a beginning":   {"%end 1 2 1\n", "<end 1 2 1>"},
		"nul and invalid utf-8":     {"%begin 1 2 1\n\x00\xff\n%end 1 2 1\n", `["\x00\xff\n" failed=false mine=true]`},
		"two replies, note between": {"%begin 1 2 1\na\n%end 1 2 1\n%window-add @1\n%begin 1 3 1\nb\n%end 1 3 1\n", `["a\n" failed=false mine=true]<window-add @1>["b\n" failed=false mine=true]`},
	} {
		for _, r := range []io.Reader{strings.NewReader(row[0]), iotest.OneByteReader(strings.NewReader(row[0]))} {
			if got, err := readAll(r); got != row[1] || !errors.Is(err, io.EOF) {
				t.Errorf("%s: %.200s, %v; want %.200s", name, got, err, row[1])
			}
		}
	}
}

func TestControlReaderIsBounded(t *testing.T) {
	endless := func(line string) io.Reader { return &repeating{line: line} }
	if _, err := readAll(endless("x")); err == nil || !strings.Contains(err.Error(), "in a line") {
		t.Errorf("an endless line: %v", err)
	}
	if _, err := readAll(io.MultiReader(strings.NewReader("%begin 1 2 1\n"), endless(strings.Repeat("x", 1<<16)+"\n"))); err == nil || !strings.Contains(err.Error(), "in a reply") {
		t.Errorf("an endless reply: %v", err)
	}
}

type repeating struct {
	line string
	at   int
}

func (r *repeating) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = r.line[r.at]
		r.at = (r.at + 1) % len(r.line)
	}
	return len(p), nil
}

func TestNotices(t *testing.T) {
	early, full := Notice{Early: true}, Notice{Full: true}
	for note, want := range map[string]Notice{
		"sessions-changed": early, "session-changed $1 x": early, "client-session-changed /dev/pts/1 $1 x": early, "client-detached /dev/pts/1": early,
		"window-add @1": early, "window-close @1": early, "unlinked-window-add @1": early, "unlinked-window-close @1": early,
		"window-pane-changed @1 %2": early, "session-window-changed $1 @2": early, "pane-mode-changed %1": early,
		"layout-change @1 abc": {Early: true, Full: true}, "window-renamed @1 x": full, "unlinked-window-renamed @1 x": full, "session-renamed $1 x": full,
		"output %1 x": {}, "message x": {}, "paste-buffer-changed x": {}, "": {}, "window-add-something": {},
	} {
		if got := noticeOf(note); got != want {
			t.Errorf("%q: %+v", note, got)
		}
	}
}

func FuzzControlReader(f *testing.F) {
	f.Add("%begin 1 2 1\na\n%end 1 2 1\n%sessions-changed\n", uint8(1))
	f.Add("%begin 1 2 0\n%error 1 2 0\n%exit lost\n", uint8(0))
	f.Add("%begin 1 2 1\n%begin 1 2 1\n%end 1 2\n\n", uint8(7))
	f.Fuzz(func(t *testing.T, in string, mode uint8) {
		var r io.Reader = strings.NewReader(in)
		if mode%2 == 1 {
			r = iotest.HalfReader(r)
		}
		got, err := readAll(r)
		if !errors.Is(err, io.EOF) {
			t.Errorf("%q: %v", in, err)
		}
		// Whatever came before, a whole exchange after a notification-free line is understood.
		if before := strings.TrimSuffix(in, "\n"); !strings.Contains(in, "%begin") && before != in {
			again, _ := readAll(strings.NewReader(in + "%begin 9 9 1\nok\n%end 9 9 1\n"))
			if again != got+`["ok\n" failed=false mine=true]` {
				t.Errorf("%q then a reply: %s", in, again)
			}
		}
	})
}

func FuzzQuote(f *testing.F) {
	f.Add("it's; $HOME #{x} \\ \"", "-t")
	f.Add("'", "''")
	f.Fuzz(func(t *testing.T, a, b string) {
		// A reader of the one rule: single quotes, and \' between them.
		line := quoteCommands(Command{a, b})
		var words []string
		var word strings.Builder
		for i, quoted := 0, false; i < len(line); i++ {
			switch ch := line[i]; {
			case ch == '\'':
				quoted = !quoted
			case quoted:
				word.WriteByte(ch)
			case ch == '\\':
				i++
				word.WriteByte(line[i])
			case ch == ' ':
				words = append(words, word.String())
				word.Reset()
			default:
				t.Fatalf("%q stands outside of the quotes in %q", ch, line)
			}
		}
		if words = append(words, word.String()); len(words) != 2 || words[0] != a || words[1] != b {
			t.Errorf("%q became %q", []string{a, b}, words)
		}
	})
}
