package summaries

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"signalbox/tracker"
)

// maxSummary is how long a summary may be, in characters: the limit of the public status file.
const maxSummary = 80

// Item is one window as the program gets it.
type Item struct {
	Target  string `json:"target"` // session:window
	Name    string `json:"name"`
	Command string `json:"command"` // in the foreground
	Capture string `json:"capture"` // the end of its screen
}

func targetOf(s *tracker.SessionRow, w *tracker.WindowRow) string {
	return s.Name + ":" + strconv.Itoa(w.Index)
}

// question is the program's standard input.
func question(items []Item) ([]byte, error) {
	data, err := json.Marshal(items)
	if err != nil {
		return nil, fmt.Errorf("encoding the windows: %w", err)
	}
	return append(data, '\n'), nil
}

// parse reads the program's answer: a JSON list of {target, summary, statusKind}, which may stand in
// a code fence as language models like to write it. A row that names no window that was asked about,
// says nothing, or knows another status, is left out and counted.
func parse(out []byte, asked []Item) (rows map[string]answer, bad int, err error) {
	var list []struct {
		Target     string `json:"target"`
		Summary    string `json:"summary"`
		StatusKind string `json:"statusKind"`
	}
	d := json.NewDecoder(bytes.NewReader(withoutFence(out)))
	if err := d.Decode(&list); err != nil {
		return nil, 0, fmt.Errorf("its answer is no JSON list: %w", noInput(err))
	}
	if d.More() {
		return nil, 0, errors.New("there is more behind the list it answers with")
	}
	targets := map[string]bool{}
	for _, i := range asked {
		targets[i.Target] = true
	}
	rows = map[string]answer{}
	for _, l := range list {
		a := answer{text: oneLine(l.Summary)}
		ok := targets[l.Target] && a.text != ""
		if l.StatusKind != "" {
			var k tracker.WindowKind
			ok = k.UnmarshalText([]byte(l.StatusKind)) == nil && ok
			a.kind = &k
		}
		if _, twice := rows[l.Target]; !ok || twice {
			bad++
			continue
		}
		rows[l.Target] = a
	}
	return rows, bad, nil
}

// noInput keeps what an answer contains out of the error about it.
func noInput(err error) error {
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("byte %d does not fit", syntax.Offset)
	case errors.As(err, &typ):
		return fmt.Errorf("%s where %s should be", typ.Value, typ.Type.Kind())
	}
	return errors.New("it is empty or cut off")
}

func withoutFence(out []byte) []byte {
	text := bytes.TrimSpace(out)
	if rest, ok := bytes.CutPrefix(text, []byte("```")); ok {
		if _, rest, ok = bytes.Cut(rest, []byte("\n")); ok {
			return bytes.TrimSuffix(bytes.TrimSpace(rest), []byte("```"))
		}
	}
	return text
}

// oneLine makes a summary safe and short.
func oneLine(text string) string {
	fields := strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text))
	line := []rune(strings.Join(fields, " "))
	if len(line) > maxSummary {
		line = append(line[:maxSummary-1], '…')
	}
	return string(line)
}
