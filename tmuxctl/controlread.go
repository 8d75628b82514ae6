package tmuxctl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

const (
	// maxLine bounds one line from tmux: a row of a coloured screen, or a path.
	maxLine = 1 << 20
	// maxReply bounds one reply.
	maxReply = maxOutput
)

// reply is what tmux answers to one command of a list.
type reply struct {
	out    []byte
	failed bool
	// mine is not set for commands that others made tmux run on this client, such as hooks.
	mine bool
}

// controlReader reads what tmux writes to a control-mode client: replies, each between a %begin and
// an %end or %error line with the same numbers, and between them notifications, one a line that
// begins with %.
type controlReader struct {
	r     *bufio.Reader
	guard string // numbers of the open %begin, "" outside of a reply
	out   bytes.Buffer
}

func newControlReader(r io.Reader) *controlReader {
	return &controlReader{r: bufio.NewReaderSize(r, 64<<10)}
}

// next returns the next reply, or else the next notification without its %. What is neither, such
// as a line tmux prints before control mode begins, is passed over.
func (c *controlReader) next() (*reply, string, error) {
	for {
		line, err := c.line()
		if err != nil {
			return nil, "", err
		}
		if c.guard == "" {
			text := string(line)
			if numbers, ok := strings.CutPrefix(text, "%begin "); ok && validGuard(numbers) {
				c.guard = numbers
			} else if strings.HasPrefix(text, "%") && !strings.HasPrefix(text, "%begin") {
				return nil, text[1:], nil
			}
			continue
		}
		if ended, failed := c.ends(line); ended {
			r := &reply{out: bytes.Clone(c.out.Bytes()), failed: failed, mine: strings.HasSuffix(c.guard, " 1")}
			c.guard = ""
			c.out.Reset()
			return r, "", nil
		}
		// A line of output, whatever it looks like.
		if c.out.Len()+len(line) > maxReply {
			return nil, "", fmt.Errorf("more than %d bytes in a reply", maxReply)
		}
		c.out.Write(line)
		c.out.WriteByte('\n')
	}
}

// ends reports whether the line ends the open reply, and whether as a failure.
func (c *controlReader) ends(line []byte) (ended, failed bool) {
	if rest, ok := bytes.CutPrefix(line, []byte("%end ")); ok {
		return string(rest) == c.guard, false
	}
	rest, ok := bytes.CutPrefix(line, []byte("%error "))
	return ok && string(rest) == c.guard, true
}

// line reads one line without its end. It is valid until the next call. A last line without an end
// is not a line.
func (c *controlReader) line() ([]byte, error) {
	var long []byte
	for {
		part, err := c.r.ReadSlice('\n')
		if err == nil && long == nil {
			return part[:len(part)-1], nil
		}
		if len(long)+len(part) > maxLine {
			return nil, fmt.Errorf("more than %d bytes in a line", maxLine)
		}
		long = append(long, part...)
		if err == nil {
			return long[:len(long)-1], nil
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return nil, err
		}
	}
}

// validGuard reports whether these are the three numbers of a guard line: time, number of the
// command, and 1 for a command of this client.
func validGuard(s string) bool {
	f := strings.Split(s, " ")
	if len(f) != 3 {
		return false
	}
	for _, n := range f {
		if n == "" || strings.Trim(n, "0123456789") != "" {
			return false
		}
	}
	return true
}

// Notice says how far a notification of tmux matters to a listing.
type Notice struct {
	Early bool // a sweep should not wait: something came, went, or changed its state
	Full  bool // names or sizes have changed, which only a full listing reads
}

// noticeOf judges a notification. Output, buffers and messages do not matter.
func noticeOf(notification string) Notice {
	name, _, _ := strings.Cut(notification, " ")
	switch name {
	case "sessions-changed", "session-changed", "client-session-changed", "client-detached",
		"window-add", "window-close", "unlinked-window-add", "unlinked-window-close",
		"window-pane-changed", "session-window-changed", "pane-mode-changed":
		return Notice{Early: true}
	case "layout-change": // a pane came, went or was resized
		return Notice{Early: true, Full: true}
	case "window-renamed", "unlinked-window-renamed", "session-renamed":
		return Notice{Full: true}
	}
	return Notice{}
}
