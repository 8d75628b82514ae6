package summaries

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
)

// desk is a world in which panes have screens and a program answers.
type desk struct {
	mu      sync.Mutex // held by whoever does something in this world
	snap    *tracker.Snapshot
	screens map[tracker.PaneID]string
	answer  func(items []Item) (string, error)

	asked  [][]Item
	reads  int
	events []tracker.Event
}

// newDesk has windows work:0 to work:n-1 with one pane each.
func newDesk(n int) *desk {
	d := &desk{screens: map[tracker.PaneID]string{}, snap: &tracker.Snapshot{Tmux: tracker.TmuxState{State: tracker.StateOK}}}
	s := &tracker.SessionRow{ID: "$0", Name: "work"}
	for i := range n {
		id := tracker.PaneID(fmt.Sprintf("%%%d", i))
		s.Windows = append(s.Windows, &tracker.WindowRow{
			ID: tracker.WindowID(fmt.Sprintf("@%d", i)), Index: i, Name: "w", Activity: time.Unix(1, 0),
			Panes: []*tracker.PaneRow{{Pane: tracker.Pane{ID: id, PID: 100 + i, Command: "make"}}},
		})
		d.screens[id] = "screen " + strings.Repeat("x", i)
	}
	d.snap.Sessions = []*tracker.SessionRow{s}
	d.answer = echo
	return d
}

// echo answers every item with the first line of its screen.
func echo(items []Item) (string, error) {
	var rows []map[string]string
	for _, i := range items {
		first, _, _ := strings.Cut(i.Capture, "\n")
		rows = append(rows, map[string]string{"target": i.Target, "summary": "at " + first, "statusKind": "active"})
	}
	data, err := json.Marshal(rows)
	return string(data), err
}

// output changes the screen of a window and lets tmux notice.
func (d *desk) output(i int, text string) {
	c := *d.snap.Sessions[0].Windows[i]
	c.Activity = c.Activity.Add(time.Second)
	d.snap.Sessions[0].Windows[i] = &c
	d.screens[c.Panes[0].ID] = text
}

// latest is a snapshot that nobody changes.
func (d *desk) latest() *tracker.Snapshot {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.snap == nil {
		return nil
	}
	snap, sess := *d.snap, *d.snap.Sessions[0]
	sess.Windows = slices.Clone(sess.Windows)
	snap.Sessions = []*tracker.SessionRow{&sess}
	return &snap
}

func (d *desk) writer() *Writer {
	return &Writer{
		Every: time.Minute, Max: 3, PerDay: 100,
		Latest: d.latest,
		Capture: func(_ context.Context, p tracker.PaneID) (string, error) {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.reads++
			text, ok := d.screens[p]
			if !ok {
				return "", errors.New("no such pane")
			}
			return text, nil
		},
		Ask: func(_ context.Context, stdin []byte) ([]byte, error) {
			var items []Item
			if err := json.Unmarshal(stdin, &items); err != nil {
				return nil, err
			}
			d.asked = append(d.asked, items)
			text, err := d.answer(items)
			return []byte(text), err
		},
		Emit: func(ev tracker.Event) { d.events = append(d.events, ev) },
	}
}

// written is what holds by the last event.
func (d *desk) written() map[tracker.WindowID]string {
	out := map[tracker.WindowID]string{}
	for _, ev := range slices.Backward(d.events) {
		if w, ok := ev.(tracker.SummariesWritten); ok {
			for _, r := range w.Rows {
				out[r.Window] = r.Text
			}
			break
		}
	}
	return out
}

// health is the last word on the source.
func (d *desk) health() (failed bool, text string) {
	for _, ev := range slices.Backward(d.events) {
		switch ev := ev.(type) {
		case tracker.SourceFailed:
			return true, ev.Reason
		case tracker.SourceWorks:
			return false, ev.Detail
		}
	}
	return false, "nothing was said"
}

// during runs a writer in virtual time and does things at the minutes of its runs.
func during(t *testing.T, d *desk, w *Writer, minutes int, at map[int]func()) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan error, 1)
		go func() { done <- w.Run(ctx) }()
		time.Sleep(30 * time.Second)
		for m := range minutes {
			if f := at[m]; f != nil {
				d.mu.Lock()
				f()
				d.mu.Unlock()
			}
			time.Sleep(time.Minute)
		}
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
}

func TestOnlyNewScreensAreAskedAbout(t *testing.T) {
	d := newDesk(2)
	during(t, d, d.writer(), 10, map[int]func(){
		2: func() { d.output(1, "all tests pass\nPASS") },
		4: func() { d.output(0, "screen ") }, // output, but the same screen
	})
	if len(d.asked) != 2 || len(d.asked[0]) != 2 || len(d.asked[1]) != 1 || d.asked[1][0].Target != "work:1" {
		t.Errorf("asked %v", d.asked)
	}
	if d.reads != 4 {
		t.Errorf("%d screens were read, want 4", d.reads)
	}
	if got := d.written(); got["@0"] != "at screen" || got["@1"] != "at all tests pass" {
		t.Errorf("%v", got)
	}
	if failed, text := d.health(); failed || text != "" {
		t.Errorf("%v %q", failed, text)
	}
}

func TestAKnownContentCostsNothing(t *testing.T) {
	d := newDesk(1)
	during(t, d, d.writer(), 8, map[int]func(){
		1: func() { d.output(0, "B") },
		2: func() { d.output(0, "screen ") },                                // back to A
		3: func() { d.output(0, "B") },                                      // back to B
		4: func() { d.screens["%0"] = "never read: no output" },             // a screen without output is old news
		5: func() { d.output(0, "building 17% ⠋ 12:01:07\nstep 3 of 9") },   // new
		6: func() { d.output(0, "building 83% ⠙ 12:02:09\nstep 11 of 40") }, // the same but for numbers and a spinner
	})
	if len(d.asked) != 3 {
		t.Errorf("asked %d times: %v", len(d.asked), d.asked)
	}
}

func TestManyWindowsAreAskedAboutInTurns(t *testing.T) {
	d := newDesk(8)
	during(t, d, d.writer(), 5, nil)
	var sizes []int
	for _, a := range d.asked {
		sizes = append(sizes, len(a))
	}
	if !slices.Equal(sizes, []int{3, 3, 2}) || len(d.written()) != 8 {
		t.Errorf("%v, written %v", sizes, d.written())
	}
}

func TestBadAnswersAreIgnoredAndReported(t *testing.T) {
	for _, c := range []struct {
		name, out string
		err       error
		report    string
		failed    bool
		written   int
	}{
		{"an error", "", errors.New("exit status 1"), "exit status 1", true, 0},
		{"nothing", "", nil, "its answer is no JSON list: it is empty or cut off", true, 0},
		{"prose", "Sure! SECRET is", nil, "its answer is no JSON list: byte 1 does not fit", true, 0},
		{"an object", `{"target":"work:0","summary":"SECRET"}`, nil, "its answer is no JSON list: object where slice should be", true, 0},
		{"cut off", `[{"target":"work:0"`, nil, "its answer is no JSON list: it is empty or cut off", true, 0},
		{"a number", `[{"target":"work:0","summary":7}]`, nil, "its answer is no JSON list: number where string should be", true, 0},
		{"something behind it", `[{"target":"work:0","summary":"x"}] [1]`, nil, "there is more behind the list", true, 0},
		{"an empty list", `[]`, nil, "there is no answer that can be used", true, 0},
		{"a window nobody asked about", `[{"target":"other:0","summary":"x"}]`, nil, "there is no answer that can be used", true, 0},
		{"no summary", `[{"target":"work:0","summary":" \n\u001b"}]`, nil, "there is no answer that can be used", true, 0},
		{"an unknown status", `[{"target":"work:0","summary":"x","statusKind":"done"}]`, nil, "there is no answer that can be used", true, 0},
		{"a good one and a bad one", `[{"target":"work:0","summary":"x"},{"target":"work:1","summary":""}]`, nil, "1 of its answers could not be used", false, 1},
		{"one twice", `[{"target":"work:0","summary":"x"},{"target":"work:0","summary":"y"}]`, nil, "1 of its answers could not be used", false, 1},
		{"in a fence", "```json\n[{\"target\":\"work:0\",\"summary\":\"x\"}]\n```\n", nil, "", false, 1},
	} {
		d := newDesk(2)
		d.answer = func([]Item) (string, error) { return c.out, c.err }
		during(t, d, d.writer(), 1, nil)
		failed, text := d.health()
		if failed != c.failed || !strings.Contains(text, c.report) || strings.Contains(text, "SECRET") {
			t.Errorf("%s: failed %v, %q", c.name, failed, text)
		}
		if got := d.written(); len(got) != c.written || c.written > 0 && got["@0"] != "x" {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestSummariesAreOneShortLine(t *testing.T) {
	d := newDesk(1)
	d.answer = func([]Item) (string, error) {
		text, err := json.Marshal("\x1b]52;c;AAAA\a two\r\n  lines\u202e\u009b " + strings.Repeat("é", 200))
		return `[{"target":"work:0","summary":` + string(text) + `}]`, err
	}
	during(t, d, d.writer(), 1, nil)
	got := []rune(d.written()["@0"])
	if len(got) != maxSummary || !strings.HasPrefix(string(got), "]52;c;AAAA two lines éé") || got[maxSummary-1] != '…' {
		t.Errorf("%q", string(got))
	}
}

// TestFailuresSlowDownAndRecover: a program that fails is run less and less, and what it failed at
// is asked again.
func TestFailuresSlowDownAndRecover(t *testing.T) {
	d := newDesk(1)
	broken := true
	d.answer = func(items []Item) (string, error) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if broken {
			return "", errors.New("down")
		}
		return echo(items)
	}
	during(t, d, d.writer(), 600, map[int]func(){300: func() { broken = false }})
	// 1, 3, 7, 15, 31, 63 minutes, then every hour; and once well.
	if n := len(d.asked); n < 9 || n > 13 {
		t.Errorf("asked %d times", n)
	}
	if failed, _ := d.health(); failed || d.written()["@0"] == "" {
		t.Errorf("not recovered: %v", d.written())
	}
}

func TestADayHasAnEnd(t *testing.T) {
	d := newDesk(1)
	w := d.writer()
	w.PerDay = 3
	n := 0
	at := map[int]func(){}
	for m := range 24*60 + 10 {
		at[m] = func() {
			d.output(0, strings.Repeat("a", n))
			n++
		}
	}
	during(t, d, w, 30, at)
	if len(d.asked) != 3 {
		t.Errorf("asked %d times", len(d.asked))
	}
	if _, text := d.health(); text != "the 3 runs of this day are spent" {
		t.Errorf("%q", text)
	}
	d.asked = nil
	during(t, d, w, 24*60+10, at)
	if len(d.asked) != 6 {
		t.Errorf("asked %d times in a day and some minutes", len(d.asked))
	}
}

func TestWhatIsLeftAlone(t *testing.T) {
	d := newDesk(5)
	ws := d.snap.Sessions[0].Windows
	ws[0].Panes[0].Dead = true
	ws[1].Panes[0].Agent = &tracker.AgentRow{Verdict: tracker.Verdict{Status: tracker.StatusNeedsInput}}
	ws[2].Lead = -1
	ws[3].Panes[0].Agent = &tracker.AgentRow{Name: "worker", Verdict: tracker.Verdict{Status: tracker.StatusBusy}}
	w := d.writer()
	w.Self = "%4"
	delete(d.screens, "%0")
	during(t, d, w, 2, nil)
	if len(d.asked) != 1 || len(d.asked[0]) != 1 || d.asked[0][0].Target != "work:3" || d.asked[0][0].Name != "worker" {
		t.Errorf("%v", d.asked)
	}
}

func TestNoTmuxNoQuestions(t *testing.T) {
	d := newDesk(1)
	d.snap.Tmux.State = tracker.StateFailed
	during(t, d, d.writer(), 3, map[int]func(){2: func() { d.snap = nil }})
	if len(d.asked)+d.reads+len(d.events) != 0 {
		t.Errorf("%v %v", d.asked, d.events)
	}
}

func TestTheProgramGetsTheEndOfAScreen(t *testing.T) {
	text := trim(strings.Repeat("long line of text\x1b[31m \xff\u202e\t\n", 500) + "the end  \n\n\n")
	if len(text) > maxCapture || !strings.HasSuffix(text, "text[31m \uFFFD\nthe end") || strings.Count(text, "\n") != maxLines-1 {
		t.Errorf("%d bytes, %d lines, …%q", len(text), strings.Count(text, "\n")+1, text[len(text)-40:])
	}
	if text := trim(strings.Repeat("é", 5000)); len(text) > maxCapture || strings.Trim(text, "é") != "" {
		t.Errorf("%d bytes", len(text))
	}
	if trim("\n \n") != "" {
		t.Error("an empty screen has text")
	}
}

func TestAnswersThatAreKeptAreBounded(t *testing.T) {
	b := newBook("")
	for i := range 3 * keepAnswers {
		b.write(contentOf("x", strings.Repeat("a", i)), answer{text: "x", at: time.Unix(int64(i), 0)})
	}
	if _, ok := b.answers[contentOf("x", strings.Repeat("a", 3*keepAnswers-1))]; len(b.answers) != keepAnswers || !ok {
		t.Errorf("%d answers", len(b.answers))
	}
}
