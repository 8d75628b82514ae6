package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"signalbox/tracker"
)

// ErrNotEntry says that a file holds a complete JSON value that is no entry of the registry. Any
// other error of Decode means that the file is half written or damaged.
var ErrNotEntry = errors.New("not a session entry")

const (
	// maxFile bounds what is read of one file. Real ones have 600 bytes.
	maxFile = 256 << 10
	// maxText bounds one field: the longest a path can be on Linux.
	maxText = 4096
	// maxMillis is the largest time Claude Code itself accepts in these files.
	maxMillis = 4e15
)

// PIDOf reads the pid from the name of a registry file. Only the plain form counts: leftovers are
// called "pid-4711.json", keys "4711.<hex>.key", and half-made files end otherwise.
func PIDOf(name string) (int, bool) {
	digits, ok := strings.CutSuffix(name, ".json")
	if !ok || digits == "" || digits[0] == '0' || len(digits) > 10 {
		return 0, false
	}
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
	}
	pid, err := strconv.ParseInt(digits, 10, 32)
	return int(pid), err == nil
}

// Decode reads the content of `<pid>.json`. It keeps what it understands: unknown fields are
// passed over, a field of another type counts as missing, words stay as they are. An object
// without a session id and without a start time is ErrNotEntry, and so is one that names another
// pid than its file.
func Decode(pid int, data []byte) (*tracker.RegistryEntry, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if !json.Valid(data) {
		return nil, fmt.Errorf("reading %d.json: no complete JSON value in %d bytes", pid, len(data))
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return nil, fmt.Errorf("reading %d.json: %w", pid, ErrNotEntry)
	}
	o := object(raw)
	e := &tracker.RegistryEntry{
		PID:             pid,
		SessionID:       o.text("sessionId"),
		CWD:             o.text("cwd"),
		StartedAt:       o.time("startedAt"),
		ProcStart:       o.text("procStart"),
		PIDDomain:       o.text("pidDomain"),
		Version:         o.text("version"),
		Kind:            o.text("kind"),
		Entrypoint:      o.text("entrypoint"),
		Name:            o.text("name"),
		NameSource:      o.text("nameSource"),
		Status:          o.text("status"),
		WaitingFor:      o.text("waitingFor"),
		StatusUpdatedAt: o.time("statusUpdatedAt"),
		UpdatedAt:       o.time("updatedAt"),
	}
	if e.ProcStart == "" {
		// a number where a text is meant keeps its meaning
		if n, ok := o.number("procStart"); ok && n >= 0 && n == math.Trunc(n) && n < 1<<53 {
			e.ProcStart = strconv.FormatInt(int64(n), 10)
		}
	}
	if e.SessionID == "" && e.ProcStart == "" {
		return nil, fmt.Errorf("reading %d.json: %w", pid, ErrNotEntry)
	}
	if n, ok := o.number("pid"); ok && n != float64(pid) {
		return nil, fmt.Errorf("reading %d.json: it names pid %v: %w", pid, n, ErrNotEntry)
	}
	return e, nil
}

// object is a JSON object with its fields still undecoded.
type object map[string]json.RawMessage

// text is the value of a string field, bounded; "" when it is missing or something else.
func (o object) text(field string) string {
	raw := o[field]
	if len(raw) == 0 || raw[0] != '"' {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return cut(s, maxText)
}

// number is the value of a number field, or of a text that is a number.
func (o object) number(field string) (float64, bool) {
	s := o.text(field)
	if s == "" {
		s = string(o[field])
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil && !math.IsNaN(n) && !math.IsInf(n, 0)
}

// time is the value of a field in Unix milliseconds; zero when it is missing or makes no sense.
func (o object) time(field string) time.Time {
	n, ok := o.number(field)
	if !ok || n <= 0 || n > maxMillis {
		return time.Time{}
	}
	return time.UnixMilli(int64(n))
}

// cut shortens a text to at most n bytes, between runes.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
