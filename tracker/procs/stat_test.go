package procs

import (
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

// statTail is a stat line from the parent's pid on, as a running Claude Code 2.1.332 had it.
const statTail = " 32061 32151 32061 34924 32151 4194304 39908 5063 53 4 101 51 7 15 20 0 9 0 89571 5871828992 53779 18446744073709551615 1 1 0 0 0 0 0 4096 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

func TestParseStat(t *testing.T) {
	base := tracker.Process{PID: 32151, PPID: 32061, Group: 32151, TTY: 34924, TermGroup: 32151, Start: 89571}
	with := func(name string, s tracker.ProcState) tracker.Process {
		p := base
		p.Name, p.State = name, s
		return p
	}
	tests := []struct {
		name, line string
		want       tracker.Process
	}{
		{"an ordinary line", "32151 (claude) S" + statTail, with("claude", tracker.ProcRunning)},
		{"stopped by Ctrl-Z", "32151 (claude) T" + statTail, with("claude", tracker.ProcStopped)},
		{"traced, in front of its terminal", "32151 (claude) t" + statTail, with("claude", tracker.ProcRunning)},
		{
			"held by a debugger, which has the terminal", "7 (x) t 1 7 7 34816 8 0 0 0 0 0 0 0 0 0 20 0 1 0 5",
			tracker.Process{PID: 7, PPID: 1, Group: 7, TTY: 34816, TermGroup: 8, Start: 5, Name: "x", State: tracker.ProcStopped},
		},
		{
			"traced, without a terminal", "7 (x) t 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5",
			tracker.Process{PID: 7, PPID: 1, Group: 7, TermGroup: -1, Start: 5, Name: "x"},
		},
		{"a corpse", "32151 (claude) Z" + statTail, with("claude", tracker.ProcZombie)},
		{"a name with blanks and parentheses", "32151 (a) S 1 (b) R) S" + statTail, with("a) S 1 (b) R", tracker.ProcRunning)},
		{"a name with a newline", "32151 (a\nb) S" + statTail, with("a\nb", tracker.ProcRunning)},
		{"a name that is no UTF-8", "32151 (a\xff) S" + statTail, with("a\uFFFD", tracker.ProcRunning)},
		{"an empty name", "32151 () S" + statTail, with("", tracker.ProcRunning)},
		{
			"no terminal", "7 (x) S 1 7 7 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 18446744073709551 0",
			tracker.Process{PID: 7, PPID: 1, Group: 7, TermGroup: -1, Start: 18446744073709551, Name: "x"},
		},
		{
			"a terminal number with the high bit", "7 (x) S 1 7 7 -2147483393 7 0 0 0 0 0 0 0 0 0 20 0 1 0 5",
			tracker.Process{PID: 7, PPID: 1, Group: 7, TTY: 0x800000ff, TermGroup: 7, Start: 5, Name: "x"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := parseStat([]byte(tt.line))
			if err != nil {
				t.Fatal(err)
			}
			if got.ID() != tt.want.ID() || got.Name != tt.want.Name || got.State != tt.want.State || got.PPID != tt.want.PPID ||
				got.Group != tt.want.Group || got.TermGroup != tt.want.TermGroup || got.TTY != tt.want.TTY {
				t.Errorf("got  %+v\nwant %+v", got, tt.want)
			}
		})
	}
}

func TestParseStatRefuses(t *testing.T) {
	for _, line := range []string{
		"", "7", "7 (x", "7 x) S", ") (", "(x) S" + statTail, "x (y) S" + statTail, "-1 (y) S" + statTail, "7 (x) S 1 2 3",
		"7 (x) S a" + statTail, "7 (x) S 1 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 soon", "7 (x) S 99999999999 7 7 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5",
	} {
		if p, err := parseStat([]byte(line)); err == nil {
			t.Errorf("parseStat(%q) = %+v, want an error", line, p)
		}
	}
	kernel := "7 (kworker/0:1) I 2 0 0 0 -1 69238880 0 0 0 0 0 0 0 0 20 0 1 0 5"
	if _, err := parseStat([]byte(kernel)); !isGone(err) {
		t.Errorf("a kernel thread: %v, want ErrGone", err)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add("32151 (claude) S" + statTail)
	f.Add("7 (a) (b)) T" + statTail)
	f.Add("7 (x) S 1 7 7 -1 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 5")
	f.Fuzz(func(t *testing.T, line string) {
		p, err := parseStat([]byte(line))
		if err == nil && (p.PID <= 0 || strings.ToValidUTF8(p.Name, "") != p.Name) {
			t.Errorf("parseStat(%q) = %+v", line, p)
		}
	})
}

func TestBeganAt(t *testing.T) {
	now := time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)
	if got, want := beganAt(150, now, 10*time.Second), now.Add(-8500*time.Millisecond); !got.Equal(want) {
		t.Errorf("150 ticks after boot, 10 s ago: %v, want %v", got, want)
	}
	if got := beganAt(1<<63, now, 10*time.Second); !got.IsZero() {
		t.Errorf("a start time out of reach: %v, want none", got)
	}
}
