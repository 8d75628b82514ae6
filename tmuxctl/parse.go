package tmuxctl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
)

// maxComplaint bounds how much of a line that cannot be read is put into an error.
const maxComplaint = 80

// records is one parsed listing, before it is put in order.
type records struct {
	server    tracker.ServerLife
	version   string
	attached  map[tracker.SessionID]int
	panes     []record
	malformed int
}

// record is one pane as one session shows it.
type record struct {
	session tracker.SessionID
	window  tracker.Window // without Panes
	pane    tracker.Pane

	activity, created int64 // of the session, Unix seconds
	name, group       string
}

// parseFull reads the output of the full listing.
func parseFull(out, mark string) (records, error) {
	head, rest, _ := strings.Cut(out, mark+"P ")
	r, more, err := parseHead(head)
	if err != nil {
		return r, err
	}
	if more != "" {
		r.malformed++
	}
	if rest == "" {
		return r, nil
	}
	// A record ends where the next begins: only that marker in front of a P can.
	for _, rec := range strings.Split(rest, "\n"+mark+"P ") {
		rec = strings.TrimSuffix(rec, "\n")
		p, whole := parsePane(rec, mark)
		if !whole {
			r.malformed++
		}
		if p.pane.ID != "" {
			r.panes = append(r.panes, p)
		}
	}
	return r, nil
}

// parseHead reads the S and C lines, and returns what follows them.
func parseHead(head string) (records, string, error) {
	r := records{attached: make(map[tracker.SessionID]int)}
	line, rest, _ := strings.Cut(head, "\n")
	f := strings.SplitN(line, " ", 5) // the socket path may hold blanks
	if len(f) < 2 || f[0] != "S" || !isDigits(f[1]) {
		return r, "", fmt.Errorf("unexpected answer %q", clip(line))
	}
	r.server.PID, _ = strconv.Atoi(f[1])
	if len(f) == 5 {
		r.version, r.server.Socket = clean(f[2]), f[4]
		r.server.Started, _ = strconv.ParseInt(f[3], 10, 64)
	}
	for strings.HasPrefix(rest, "C ") {
		line, rest, _ = strings.Cut(rest, "\n")
		id, flags, _ := strings.Cut(line[len("C "):], " ")
		if checkID(id, '$', "session") != nil {
			r.malformed++
			continue
		}
		if countsAsAttached(flags) {
			r.attached[tracker.SessionID(id)]++
		}
	}
	return r, rest, nil
}

// countsAsAttached reports whether a client with these flags has a person in front of it. A
// control-mode client that wants no output and no size is a board's own connection, ours or
// another one's; iTerm2's control-mode clients are people.
func countsAsAttached(flags string) bool {
	has := func(f string) bool { return slices.Contains(strings.Split(flags, ","), f) }
	return !has("suspended") && !(has("control-mode") && has("no-output") && has("ignore-size"))
}

// parsePane reads one record of the full listing, without its leading marker. Where the texts
// cannot be told apart the record counts as malformed, but its ids and numbers stand.
func parsePane(rec, mark string) (record, bool) {
	numbers, texts, _ := strings.Cut(rec, mark)
	var p record
	rest, ok := p.parseNumbers(numbers)
	if !ok || !p.parseMore(rest) {
		return record{}, false
	}
	t := strings.Split(texts, mark)
	if len(t) != textCount {
		return p, false
	}
	p.pane.TTY, p.name, p.group = clean(t[textTTY]), clean(t[textSession]), clean(t[textGroup])
	p.window.Name, p.pane.Title, p.pane.Command = clean(t[textWindow]), clean(t[textTitle]), clean(t[textCommand])
	p.pane.Path = t[textPath]
	return p, true
}

// parseNumbers reads what both listings have, and returns what follows.
func (p *record) parseNumbers(s string) (rest string, ok bool) {
	f := fields{rest: s}
	p.session = tracker.SessionID(f.id('$'))
	p.window.ID = tracker.WindowID(f.id('@'))
	p.pane.ID = tracker.PaneID(f.id('%'))
	p.window.Index = int(f.number())
	flags := f.bracketed()
	p.window.Active, p.window.Zoomed = strings.Contains(flags, "*"), strings.Contains(flags, "Z")
	p.activity = f.number()
	p.window.Activity = unix(f.number())
	p.pane.PID = int(f.number())
	bits := f.word()
	if f.bad || len(bits) != 5 || strings.Trim(bits, "01") != "" {
		return "", false
	}
	p.pane.Active, p.pane.Dead, p.pane.InMode = bits[0] == '1', bits[1] == '1', bits[2] == '1'
	p.pane.InputOff, p.pane.Synchronized = bits[3] == '1', bits[4] == '1'
	return f.rest, true
}

// parseMore reads what only the full listing has.
func (p *record) parseMore(s string) bool {
	f := fields{rest: s}
	p.pane.Index = int(f.number())
	p.pane.Width, p.pane.Height = int(f.number()), int(f.number())
	p.created = f.number()
	// A pane that was killed by a signal has no exit status.
	status, signal, _ := strings.Cut(f.bracketed(), " ") // empty while the pane lives; the signal since tmux 3.3
	p.pane.DeadStatus, _ = strconv.Atoi(status)
	p.pane.DeadSignal, _ = strconv.Atoi(signal)
	return !f.bad && f.rest == ""
}

// parseLight reads the light listing and fills it up from the last one. It returns errStale when
// the two do not show the same panes in the same places.
func parseLight(out string, known records) (records, error) {
	r, rest, err := parseHead(out)
	if err != nil {
		return r, err
	}
	if r.server.PID != known.server.PID || known.malformed > 0 {
		return r, errStale
	}
	r.server, r.version = known.server, known.version
	r.panes = make([]record, len(known.panes))
	n := 0
	for rest != "" {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		var p record
		after, ok := strings.CutPrefix(line, "P ")
		if ok {
			after, ok = p.parseNumbers(after)
		}
		if !ok || after != "" {
			return r, fmt.Errorf("unexpected answer %q", clip(line))
		}
		if n == len(known.panes) || !p.fill(&known.panes[n]) {
			return r, errStale
		}
		r.panes[n] = p
		n++
	}
	if n != len(known.panes) {
		return r, errStale
	}
	return r, nil
}

// fill completes a light record from the last one in the same place, if it is the same pane there.
func (p *record) fill(k *record) bool {
	if p.session != k.session || p.window.ID != k.window.ID || p.pane.ID != k.pane.ID || p.window.Index != k.window.Index ||
		p.pane.PID != k.pane.PID || p.pane.Dead != k.pane.Dead {
		return false
	}
	p.created, p.name, p.group, p.window.Name = k.created, k.name, k.group, k.window.Name
	q := &p.pane
	q.Index, q.Width, q.Height = k.pane.Index, k.pane.Width, k.pane.Height
	q.DeadStatus, q.DeadSignal = k.pane.DeadStatus, k.pane.DeadSignal
	q.TTY, q.Title, q.Command, q.Path = k.pane.TTY, k.pane.Title, k.pane.Command, k.pane.Path
	return true
}

// fields takes blank-separated fields from the front of a line. After the first that does not fit,
// bad is set and stays so.
type fields struct {
	rest string
	bad  bool
}

func (f *fields) word() string {
	w, rest, _ := strings.Cut(f.rest, " ")
	f.rest = rest
	return w
}

func (f *fields) id(sigil byte) string {
	w := f.word()
	if checkID(w, sigil, "") != nil {
		f.bad = true
		return ""
	}
	return w
}

func (f *fields) number() int64 {
	n, err := strconv.ParseInt(f.word(), 10, 64)
	if err != nil || n < 0 {
		f.bad = true
		return 0
	}
	return n
}

// bracketed takes "[…] ", whose content may be empty but holds no bracket.
func (f *fields) bracketed() string {
	in, rest, ok := strings.Cut(strings.TrimPrefix(f.rest, "["), "]")
	if !ok || !strings.HasPrefix(f.rest, "[") {
		f.bad = true
		return ""
	}
	f.rest = strings.TrimPrefix(rest, " ")
	return in
}

// unix is a time of tmux, which says 0 for never.
func unix(sec int64) time.Time {
	if sec == 0 {
		return time.Time{}
	}
	return time.Unix(sec, 0)
}

func clip(s string) string {
	if len(s) > maxComplaint {
		s = s[:maxComplaint]
	}
	return clean(s)
}
