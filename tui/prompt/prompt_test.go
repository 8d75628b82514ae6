package prompt

import (
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// begin is when the tests begin.
func begin() time.Time { return time.Date(2026, 3, 4, 10, 30, 0, 0, time.UTC) }

func newLook(profile termenv.Profile, glyphs style.Glyphs) *style.Style {
	r := lipgloss.NewRenderer(io.Discard)
	r.SetColorProfile(profile)
	r.SetHasDarkBackground(true)
	return style.New(r, style.Options{Glyphs: glyphs})
}

// checkText stands in for the interlock's judgement.
func checkText(text string, asCommand bool) (why, remark string) {
	switch text = strings.TrimSpace(text); {
	case strings.HasSuffix(text, `\`):
		return "a backslash at the end would turn Enter into a line break", ""
	case text != "" && strings.IndexByte("/!#&?", text[0]) >= 0 && !asCommand:
		return `"` + text[:1] + `" at the start would not be a prompt`, ""
	}
	return "", ""
}

// driver is a person at a prompt, with a clock that only they move.
type driver struct {
	t   testing.TB
	p   *Prompt
	now time.Time
	got []Action // actions that asked for something
}

func newDriver(t testing.TB) *driver {
	return &driver{t: t, now: begin(), p: New(Options{Style: newLook(termenv.TrueColor, style.Unicode), CheckText: checkText})}
}

func (d *driver) take(a Action) Action {
	if a.Kind != None {
		d.got = append(d.got, a)
	}
	return a
}

// key presses a key 50 ms after the last one; a key that is no name is typed.
func (d *driver) key(names ...string) Action {
	var last Action
	for _, n := range names {
		d.now = d.now.Add(50 * time.Millisecond)
		k := Key{Name: n}
		if len([]rune(n)) == 1 {
			k.Text = n
		}
		last = d.take(d.p.HandleKey(k, d.now))
	}
	return last
}

func (d *driver) typed(text string) {
	for _, r := range text {
		d.key(string(r))
	}
}

func (d *driver) paste(text string) {
	d.now = d.now.Add(50 * time.Millisecond)
	d.take(d.p.HandleKey(Key{Name: "[" + text + "]", Text: text, Paste: true}, d.now))
}

// wait lets time pass and ticks as the owner would.
func (d *driver) wait(dur time.Duration) {
	end := d.now.Add(dur)
	for next := d.p.Next(); !next.IsZero() && !next.After(end); next = d.p.Next() {
		if next.After(d.now) {
			d.now = next
		}
		before := len(d.got)
		d.take(d.p.Tick(d.now))
		if d.p.Next().Equal(next) && len(d.got) == before {
			d.t.Fatalf("the timer stands still at %v", next)
		}
	}
	d.now = end
	d.take(d.p.Tick(d.now))
}

// last is the newest action.
func (d *driver) last() Action {
	if len(d.got) == 0 {
		return Action{}
	}
	return d.got[len(d.got)-1]
}

// kinds are the actions so far, and forgets them.
func (d *driver) kinds() []Kind {
	var ks []Kind
	for _, a := range d.got {
		ks = append(ks, a.Kind)
	}
	d.got = nil
	return ks
}

func worker() Target {
	return Target{
		Pane: "%5", Agent: tracker.AgentID{PID: 7, Start: 1}, SessionID: "s1", Where: "api:0.0", Name: "api-worker",
		Status: tracker.StatusIdle, Reason: "waits for you",
	}
}

func waitingWorker() Target {
	t := worker()
	t.Status, t.Reason, t.Detail = tracker.StatusNeedsInput, "waits for permission", "Bash: ls > listing.txt"
	return t
}

// lampsWith are all lamps green but those given.
func lampsWith(red ...Lamp) []Lamp {
	var out []Lamp
	for _, name := range LampNames() {
		l := Lamp{Name: name, OK: true}
		for _, r := range red {
			if r.Name == name {
				l = r
			}
		}
		out = append(out, l)
	}
	return out
}

var (
	redClaude   = Lamp{Name: lampClaude, Reason: "Claude is busy", Passing: true}
	redComposer = Lamp{Name: lampComposer, Reason: "the input box is not empty: “half a thought”"}
	redTyping   = Lamp{Name: lampTmux, Reason: "somebody is typing in the pane", Passing: true}
)

// open opens the prompt and answers its check.
func (d *driver) open(t Target, lamps []Lamp) {
	a := d.take(d.p.Open(t, d.now))
	d.p.SetLamps(a.Seq, lamps, d.now)
}

func (d *driver) answer(lamps []Lamp) { d.p.SetLamps(d.last().Seq, lamps, d.now) }

func (d *driver) view(w, h int) string {
	d.t.Helper()
	v := d.p.View(w, h)
	exact(d.t, v, w, h)
	return v
}

var sgr = regexp.MustCompile("\x1b\\[[0-9;]*m")

// exact holds a view to its size, and to no sequences besides SGR.
func exact(t testing.TB, view string, w, h int) {
	t.Helper()
	if h == 0 {
		if view != "" {
			t.Errorf("no rows, but %q", view)
		}
		return
	}
	lines := strings.Split(view, "\n")
	if len(lines) != h {
		t.Fatalf("%d×%d: %d rows", w, h, len(lines))
	}
	for i, l := range lines {
		if n := ansi.StringWidth(l); n != w {
			t.Errorf("%d×%d: row %d is %d cells wide: %q", w, h, i, n, l)
		}
		if all := sgr.FindAllString(l, -1); len(all) > 0 && all[len(all)-1] != "\x1b[0m" {
			t.Errorf("%d×%d: row %d does not end its look: %q", w, h, i, l)
		}
	}
	if rest := sgr.ReplaceAllString(view, ""); strings.ContainsFunc(rest, func(r rune) bool {
		return r < ' ' && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
	}) {
		t.Errorf("%d×%d: a control was drawn: %q", w, h, rest)
	}
}
