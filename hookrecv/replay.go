package hookrecv

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"signalbox/hookrecv/paths"
	"signalbox/hookrecv/wire"
	"signalbox/tracker"
)

// messageStart begins every message as the client writes it.
const messageStart = `{"v":`

// ReadLog reads back from the event log at path what boards may have missed: the calls that began
// at since or later, oldest first, from the last maxBytes of the log and its predecessor. Half and
// foreign lines are skipped. A missing log is empty. chain is as in Handler. With an error comes
// what could be read all the same.
func ReadLog(path string, since time.Time, maxBytes int64, chain func(pid int) []tracker.Process) ([]tracker.HookReceived, error) {
	current, err := tail(path, maxBytes)
	old, oldErr := tail(paths.OldLog(path), maxBytes-int64(len(current)))
	err = errors.Join(err, oldErr)

	seen := time.Now()
	chain = remember(chain)
	var events []tracker.HookReceived
	for _, data := range [][]byte{old, current} {
		for line := range bytes.Lines(data) {
			m, ok := logged(line)
			if !ok || m.At.Before(since) {
				continue
			}
			ev := received(m, seen, chain)
			ev.Replayed = true
			events = append(events, ev)
		}
	}
	slices.SortStableFunc(events, func(a, b tracker.HookReceived) int { return a.At.Compare(b.At) })
	return events, err
}

// tail is at most the last limit bytes of a file. It may begin with half a line.
func tail(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) || limit <= 0 {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading event log: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading event log: %w", err)
	}
	data, err := io.ReadAll(io.NewSectionReader(f, max(info.Size()-limit, 0), limit))
	if err != nil {
		err = fmt.Errorf("reading event log: %w", err)
	}
	return data, err
}

// logged decodes a line of the log. A full disk leaves a half line without an end, and the next
// message on the same line: that one is found by how it begins.
func logged(line []byte) (wire.Message, bool) {
	if len(line) > 2*wire.MaxSize || !bytes.HasSuffix(line, []byte("\n")) {
		return wire.Message{}, false
	}
	m, err := wire.Decode(line)
	if err != nil {
		if i := bytes.LastIndex(line, []byte(messageStart)); i > 0 {
			m, err = wire.Decode(line[i:])
		}
	}
	return m, err == nil
}

// remember asks chain once per process: a long log names few.
func remember(chain func(int) []tracker.Process) func(int) []tracker.Process {
	known := make(map[int][]tracker.Process)
	return func(pid int) []tracker.Process {
		c, ok := known[pid]
		if !ok {
			c = chain(pid)
			known[pid] = c
		}
		return c
	}
}
