package notify

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"signalbox/tracker"
)

// hostile is what agents may be called and say.
const hostile = "--evil=\x1b]52;c;AAAA\a\x1b[2J@/etc/passwd;x\u202e\u009b\r\nnext <b>bold</b> \xff {text}"

func TestNothingOfStrangersActs(t *testing.T) {
	one := []Notice{{Kind: tracker.HappenedReview, Name: hostile, Target: hostile, Text: hostile}}
	for _, m := range []Message{Compose(one), Compose(append(one, one...)), Compose(slices.Repeat(one, 9)), Compose([]Notice{{Kind: tracker.HappenedReview, Text: hostile}})} {
		argv := m.Argv([]string{"x", "{title}", "{text}", "-t{title}", "{markup}"})
		for _, s := range []string{m.Title, m.Text, argv[1], argv[2]} {
			if strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r == 0x202e }) {
				t.Errorf("a control is left in %q", s)
			}
			for l := range strings.Lines(s) {
				if l[0] < 'A' || l[0] > 'Z' {
					t.Errorf("%q begins with a stranger's word", l)
				}
			}
		}
		if len(argv) != 5 || strings.ContainsAny(argv[4], "<>") {
			t.Errorf("%q", argv)
		}
		for _, o := range []OSC{OSC9, OSC777} {
			seq := m.Sequence(o)
			body := strings.TrimSuffix(strings.TrimPrefix(seq, "\x1b]"), "\a")
			if strings.ContainsAny(body, "\x1b\a\n") || strings.Count(body, ";") != map[OSC]int{OSC9: 1, OSC777: 3}[o] {
				t.Errorf("%q", seq)
			}
		}
		data, err := m.JSON()
		var back struct{ Notices []Notice }
		if err != nil || json.Unmarshal(data, &back) != nil || len(back.Notices) != len(m.Notices) {
			t.Errorf("%v %s", err, data)
		}
	}
}

func TestNoticesSayWhereAndNothingTwice(t *testing.T) {
	for _, c := range []struct {
		n           Notice
		title, text string
	}{
		{Notice{Kind: tracker.HappenedReview, Name: "docs", Target: "web:1", Text: "done: All pass."}, "Done: docs", "In web:1: All pass."},
		{Notice{Kind: tracker.HappenedFailed, Name: "docs", Target: "web:1", Text: "stopped: API Error: 500"}, "Failed: docs", "In web:1: API Error: 500"},
		{Notice{Kind: tracker.HappenedEnded, Name: "docs", Closed: true, Text: "ended while busy: slow"}, "Ended: docs", "Its window is closed: ended while busy: slow"},
		{Notice{Kind: tracker.HappenedReview, Name: "check"}, "Done: check", "In the background: nothing more is known"},
	} {
		if m := Compose([]Notice{c.n}); m.Title != c.title || m.Text != c.text {
			t.Errorf("told as %q, %q, want %q, %q", m.Title, m.Text, c.title, c.text)
		}
	}
	two := Compose([]Notice{{Kind: tracker.HappenedReview, Name: "a", Text: "done: x"}, {Kind: tracker.HappenedFailed, Name: "b", Text: "stopped: y"}})
	if want := "Failed: b · y\nDone: a · x"; two.Text != want {
		t.Errorf("two are told as %q, want %q", two.Text, want)
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	long := strings.Repeat("wide ", 200)
	m := Compose([]Notice{{Kind: tracker.HappenedReview, Name: long, Text: long}})
	if n := len([]rune(m.Title)); n < maxTitle || n > maxTitle+1 || !strings.HasSuffix(m.Title, "…") {
		t.Errorf("%d %q", n, m.Title)
	}
	m = Compose(slices.Repeat([]Notice{{Kind: tracker.HappenedReview, Name: "a", Text: long}}, 30))
	if lines := strings.Split(m.Text, "\n"); len(lines) != maxLines || lines[4] != "And 26 more" {
		t.Errorf("%q", lines)
	}
}

func TestWaysOfDesktops(t *testing.T) {
	all := func(string) bool { return true }
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			if i := slices.Index(pairs, name); i >= 0 {
				return "x"
			}
			return ""
		}
	}
	for _, c := range []struct {
		goos string
		has  func(string) bool
		env  func(string) string
		want string
	}{
		{"darwin", all, env(), "osascript"},
		{"linux", all, env("DISPLAY"), "notify-send"},
		{"linux", all, env("WAYLAND_DISPLAY"), "notify-send"},
		{"linux", all, env(), ""}, // a server over ssh
		{"linux", func(string) bool { return false }, env("DISPLAY"), ""},
	} {
		got := append(Desktop(c.goos, c.has, c.env), "")[0]
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.goos, got, c.want)
		}
	}
}

func TestWaysOfTerminals(t *testing.T) {
	for name, want := range map[string]OSC{
		"iTerm.app": OSC9, "iTerm2 3.5.0": OSC9, "WezTerm 20240203": OSC9, "ghostty 1.2": OSC777, "foot(1.16.2)": OSC777,
		"xterm-kitty": OSC9, "XTerm(370)": OSCNone, "tmux-256color": OSCNone, "": OSCNone,
	} {
		if got := OSCOf("", name); got != want {
			t.Errorf("%q: %v, want %v", name, got, want)
		}
	}
	if got := Passthrough("\x1b]9;x\a"); got != "\x1bPtmux;\x1b\x1b]9;x\a\x1b\\" {
		t.Errorf("%q", got)
	}
	if Passthrough("") != "" {
		t.Error("nothing is wrapped")
	}
}
