package fakeagent

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Input is one piece of what an agent read from its terminal. Paste says that it came between
// paste brackets; Bytes does not hold the brackets then.
type Input struct {
	Paste bool
	Bytes string
}

// inputLog appends what is read to a file, one quoted piece per line. A nil log takes nothing.
type inputLog struct{ f *os.File }

func openInputLog(path string) (*inputLog, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening the input log: %w", err)
	}
	return &inputLog{f: f}, nil
}

// add writes one token. It is written before the agent acts on it, so that a reader of the log
// never sees an effect without its cause.
func (l *inputLog) add(t token) error {
	if l == nil {
		return nil
	}
	word, text := "keys", t.raw
	if t.kind == tokenPaste {
		word, text = "paste", t.text
	}
	_, err := fmt.Fprintf(l.f, "%s %s\n", word, strconv.Quote(text))
	return err
}

func (l *inputLog) close() {
	if l != nil {
		l.f.Close()
	}
}

// ReadInputLog reads Options.InputLog back: everything the agent read, in order. A file that does
// not exist yet is an empty log.
func ReadInputLog(path string) ([]Input, error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the input log: %w", err)
	}
	var out []Input
	sc := bufio.NewScanner(bytes.NewReader(b))
	sc.Buffer(nil, len(b)+1)
	for sc.Scan() {
		word, quoted, _ := strings.Cut(sc.Text(), " ")
		text, err := strconv.Unquote(quoted)
		if err != nil {
			return out, fmt.Errorf("reading the input log: line %d: %w", len(out)+1, err)
		}
		out = append(out, Input{Paste: word == "paste", Bytes: text})
	}
	return out, sc.Err()
}

// RawInput joins a log to the bytes that came in, paste brackets included.
func RawInput(log []Input) string {
	var b strings.Builder
	for _, in := range log {
		if in.Paste {
			b.WriteString(pasteStart + in.Bytes + pasteEnd)
		} else {
			b.WriteString(in.Bytes)
		}
	}
	return b.String()
}
