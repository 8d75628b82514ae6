package desk

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// What is asked: the colour of the background, and then something that every terminal answers, so that
// one which keeps quiet about the first need not be waited for.
const (
	askColour   = "\x1b]11;?\x1b\\"
	askTerminal = "\x1b[c"
)

// How long to wait for a terminal that answers nothing at all, and then for the rest of an answer that has
// begun. tmux answers within a millisecond; another terminal may stand at the far end of a slow line, and
// one that answers nothing is rare.
const (
	answerWait = 200 * time.Millisecond
	answerFar  = time.Second
)

// What comes back. It is read once, so the expressions are compiled there.
const (
	colourAnswer   = `\x1b\]11;rgb:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})(?:\x07|\x1b\\)`
	colourBegins   = `\x1b\]11;`
	terminalAnswer = `\x1b\[\?[0-9;]*c`
	terminalBegins = `\x1b\[\?[0-9;]*$`
)

// told is what the terminal had to say before the screen reads it.
type told struct {
	dark, known bool   // its background
	typed       []byte // keys: whoever is quick presses them before there is a board, and means it
}

// hearTerminal takes what was typed so far and, where that is wanted, asks the terminal whether its
// background is dark. Inside tmux the answer is that of the pane or, from tmux 3.4 on, of the client.
func hearTerminal(in, out *os.File, ask, inTmux bool) (t told) {
	state, err := term.MakeRaw(in.Fd())
	if err != nil {
		return t
	}
	defer func() { _ = term.Restore(in.Fd(), state) }()
	t.typed = asKeys(drain(in))
	if !ask {
		return t
	}
	if _, err := io.WriteString(out, askColour+askTerminal); err != nil {
		return t
	}
	wait := answerFar
	if inTmux {
		wait = answerWait
	}
	answer := hear(in, wait)
	t.dark, t.known = isDark(answer)
	t.typed = append(t.typed, keysIn(answer)...)
	return t
}

// drain is what waits to be read.
func drain(in *os.File) (got []byte) {
	var b [256]byte
	for speaks(in, 0) {
		n, err := in.Read(b[:])
		if err != nil || n == 0 {
			break
		}
		got = append(got, b[:n]...)
	}
	return got
}

// speaks reports whether there is something to read now, or within a while. A signal ends the while.
func speaks(in *os.File, wait time.Duration) bool {
	fds := []unix.PollFd{{Fd: int32(in.Fd()), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, max(int(wait/time.Millisecond), 0)) // less than 0 is for ever
	return err == nil && n > 0
}

// asKeys are keys as they would have been read: until the terminal is raw, it makes a new line of Enter.
func asKeys(typed []byte) []byte { return bytes.ReplaceAll(typed, []byte("\n"), []byte("\r")) }

// keysIn is what is left of an answer without the answers. The beginning of one without an end is kept: the
// screen knows how to go on with it, see tui.
func keysIn(answer []byte) []byte {
	for _, known := range []string{colourAnswer, terminalAnswer, terminalBegins} {
		answer = regexp.MustCompile(known).ReplaceAll(answer, nil)
	}
	return answer
}

// hear reads what the terminal answers. An answer that has begun is waited for once more: nobody else could
// make sense of its rest.
func hear(in *os.File, wait time.Duration) (got []byte) {
	answered, begun, patient := regexp.MustCompile(terminalAnswer), regexp.MustCompile(colourBegins+"|"+terminalBegins), false
	for end := time.Now().Add(wait); !answered.Match(got); {
		left := time.Until(end)
		ready := []unix.PollFd{{Fd: int32(in.Fd()), Events: unix.POLLIN}}
		switch n, err := unix.Poll(ready, max(int(left/time.Millisecond), 0)); { // less than 0 is for ever
		case err == unix.EINTR && left > 0:
			continue
		case err == nil && n == 0 && !patient && begun.Match(got):
			patient, end = true, time.Now().Add(wait)
			continue
		case err != nil, n == 0:
			return got
		}
		var b [256]byte
		n, err := in.Read(b[:])
		if err != nil || n == 0 {
			return got
		}
		got = append(got, b[:n]...)
	}
	return got
}

// isDark reads the answer, if there is one in what the terminal sent.
func isDark(answer []byte) (dark, known bool) {
	m := regexp.MustCompile(colourAnswer).FindSubmatch(answer)
	if m == nil {
		return false, false
	}
	// How bright the eye takes each of the three to be.
	light := 0.0
	for i, weight := range []float64{0.299, 0.587, 0.114} {
		n, err := strconv.ParseUint(string(m[i+1]), 16, 16)
		if err != nil {
			return false, false
		}
		light += weight * float64(n) / float64(uint(1)<<(4*len(m[i+1]))-1)
	}
	return light < 0.5, true
}
