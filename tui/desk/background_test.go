package desk

import (
	"io"
	"os"
	"testing"
	"time"
)

func TestHowDarkABackgroundIs(t *testing.T) {
	for _, c := range []struct {
		answer      string
		dark, known bool
	}{
		{"\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?1;2c", true, true},
		{"\x1b]11;rgb:fdfd/f6f6/e3e3\x07", false, true}, // a paper
		{"\x1b]11;rgb:00/2b/36\x1b\\", true, true},      // a dark blue
		{"\x1b]11;rgb:f/f/f\x1b\\", false, true},
		{"x\x1b[?1;2c", false, false},
		{"\x1b]11;rgb:ffff/ffff", false, false}, // cut off
		{"", false, false},
	} {
		if dark, known := isDark([]byte(c.answer)); dark != c.dark || known != c.known {
			t.Errorf("%q: dark %v, known %v", c.answer, dark, known)
		}
	}
}

// TestAnAnswerThatHasBegunIsHeardToItsEnd: what came of it after the wait would be taken for keys.
func TestAnAnswerThatHasBegunIsHeardToItsEnd(t *testing.T) {
	t.Parallel()
	const wait = time.Second
	in, terminal, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = in.Close(), terminal.Close() })
	heard := make(chan string)
	go func() { heard <- string(hear(in, wait)) }()
	pieces := []string{"\x1b]11;rgb:fd", "fd/f6f6/e3e3\x1b\\\x1b[?1;2c"}
	for i, piece := range pieces {
		time.Sleep(time.Duration(i) * wait * 5 / 4) // after the wait, and before the end of the second one
		if _, err := io.WriteString(terminal, piece); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := <-heard, pieces[0]+pieces[1]; got != want {
		t.Errorf("heard %q of %q", got, want)
	}
}

// TestTheWaitForAnAnswerEnds: also where we were late ourselves, as after a moment in which nothing ran.
func TestTheWaitForAnAnswerEnds(t *testing.T) {
	in, terminal, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = in.Close(), terminal.Close() })
	heard := make(chan []byte)
	go func() { heard <- hear(in, -time.Second) }()
	select {
	case got := <-heard:
		if len(got) > 0 {
			t.Errorf("heard %q", got)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("it waits for ever")
	}
}

// TestKeysAmongTheAnswersAreKept: before, between and behind them.
func TestKeysAmongTheAnswersAreKept(t *testing.T) {
	const colour, who = "\x1b]11;rgb:fdfd/f6f6/e3e3\x1b\\", "\x1b[?1;2c"
	for _, c := range []struct{ heard, keys string }{
		{colour + who, ""},
		{"j" + colour + who, "j"},
		{colour + "/\x1b[B" + who + "é\r", "/\x1b[Bé\r"},
		{who + "\x1b", "\x1b"},
		{"11;rgb:?c", "11;rgb:?c"},
		{"j\x1b]11;rgb:ff", "j\x1b]11;rgb:ff"}, // which the screen goes on with
		{"j\x1b[?1;", "j"},
	} {
		if got := string(keysIn([]byte(c.heard))); got != c.keys {
			t.Errorf("%q: the keys are %q, want %q", c.heard, got, c.keys)
		}
	}
}
