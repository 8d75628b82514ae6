package prompt

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tracker"
	"signalbox/tui/style"
)

var (
	update = flag.Bool("update", false, "write the golden views anew")
	frames = flag.String("frames", "", "write the views with their colours into this file, to look at")
)

func plainText(view string) string { return ansi.Strip(view) }

// scene is a prompt in a state worth seeing.
type scene struct {
	name string
	set  func(d *driver)
}

const task = "Run the test suite and fix the first failure.\n\nThen say what it was: 測試 in one line, please, and no more than that.\n\tgo test ./..."

func scenes() []scene {
	send := func(d *driver, text string) {
		d.open(worker(), lampsWith())
		d.paste(text)
		d.wait(time.Second)
		d.key("enter")
	}
	ends := func(o Outcome) func(*driver) {
		return func(d *driver) {
			send(d, task)
			d.p.SetOutcome(d.last().Seq, o, d.now)
			d.wait(time.Second)
		}
	}
	return []scene{
		{"just opened", func(d *driver) { d.take(d.p.Open(worker(), d.now)) }},
		{"ready", func(d *driver) { d.open(worker(), lampsWith()); d.paste(task); d.wait(time.Second) }},
		{"a lamp at a time", func(d *driver) {
			a := d.take(d.p.Open(worker(), d.now))
			d.p.SetLamp(a.Seq, Lamp{Name: "target", OK: true}, d.now)
			d.p.SetLamp(a.Seq, Lamp{Name: "tmux", OK: true}, d.now)
			d.p.SetLamp(a.Seq, Lamp{Name: "process", Reason: "vi (pid 77) reads from the terminal"}, d.now)
			d.paste("fix it")
		}},
		{"waits for permission", func(d *driver) {
			d.open(waitingWorker(), lampsWith(Lamp{Name: lampClaude, Reason: "Claude waits for you: permission prompt"}))
			d.paste("and then")
			d.wait(time.Second)
		}},
		{"busy", func(d *driver) {
			t := worker()
			t.Status, t.Reason = tracker.StatusBusy, "works"
			d.open(t, lampsWith(redClaude))
			d.paste("after that, fix the second one")
			d.wait(time.Second)
		}},
		{"two lamps are red", func(d *driver) {
			d.open(worker(), lampsWith(redComposer, Lamp{Name: "tmux", Reason: "the panes of its window are synchronised"}))
			d.paste("fix it")
			d.wait(time.Second)
		}},
		{"a shell line", func(d *driver) { d.open(worker(), lampsWith()); d.paste("!rm -rf build"); d.wait(time.Second) }},
		{"a remark", func(d *driver) {
			d.open(worker(), lampsWith(Lamp{Name: "target", OK: true, Reason: "another agent has the same session open"}))
			d.paste("fix it")
			d.wait(time.Second)
		}},
		{"control characters in a paste", func(d *driver) { d.open(worker(), lampsWith()); d.paste("a\x1b[31mb\x00c\u202ed") }},
		{"more than fits", func(d *driver) {
			d.open(worker(), lampsWith())
			d.paste(strings.Repeat("a line of a long text, with words enough to break it somewhere\n", 40))
			d.wait(time.Second)
		}},
		{"on its way", func(d *driver) { send(d, task); d.p.SetStage(d.last().Seq, "waiting for the receipt") }},
		{"delivered", ends(Outcome{Kind: Delivered, Lamps: lampsWith(), Receipt: begin().Add(65 * time.Second), By: "from a hook"})},
		{"refused", ends(Outcome{Kind: Refused, Detail: "the input box is not empty: “half a thought”", Lamps: lampsWith(redComposer)})},
		{"withheld", ends(Outcome{Kind: Withheld, Detail: "Enter was not pressed: Claude waits for you: permission prompt", Box: "Run the test suite and fix the first failure. Then say what it was", Lamps: lampsWith(redClaude)})},
		{"unconfirmed", ends(Outcome{Kind: Unconfirmed, Detail: "Enter was pressed, no receipt within 5s: the input box is empty: it was probably taken", Lamps: lampsWith()})},
		{"queued", ends(Outcome{Kind: Queued, Detail: "it waits for: Claude is busy", Lamps: lampsWith(redClaude)})},
		{"gone", func(d *driver) {
			d.open(worker(), lampsWith())
			d.paste("fix it")
			t := worker()
			t.Gone = true
			d.take(d.p.SetTarget(t, d.now))
		}},
		{"a waiting task is changed", func(d *driver) {
			d.take(d.p.OpenEntry(worker(), "q1", "after that, fix the second one", false, d.now))
			d.answer(lampsWith(redClaude))
			d.wait(time.Second)
		}},
		{"names that lie", func(d *driver) {
			t := worker()
			t.Where, t.Name = "a\x1b[2Jb:0.0", "x\u202ey \x1b]2;z\a"
			d.open(t, lampsWith())
			d.typed("x")
		}},
	}
}

func TestGoldenViews(t *testing.T) {
	for _, w := range []int{34, 80, 120} {
		var b strings.Builder
		fmt.Fprintf(&b, "The prompt at %d cells, without colours and without blanks at line ends.\nWritten by: go test ./tui/prompt -run TestGolden -update\n", w)
		for _, s := range scenes() {
			d := newDriver(t)
			s.set(d)
			d.view(w, 14) // the width of the rows must be known before the height
			h := d.p.Height(w, 14)
			fmt.Fprintf(&b, "-- %s --\n", s.name)
			for _, l := range strings.Split(plainText(d.view(w, h)), "\n") {
				b.WriteString(strings.TrimRight(l, " ") + "\n")
			}
			for i, hint := range d.p.Hints() {
				if i > 0 {
					b.WriteString("   ")
				}
				b.WriteString(hint.Key + " " + hint.Word)
			}
			b.WriteString("\n")
		}
		golden(t, fmt.Sprintf("../../testdata/golden/prompt-%d.txtar", w), b.String())
	}
}

func TestGoldenList(t *testing.T) {
	var b strings.Builder
	b.WriteString("The tasks that wait.\nWritten by: go test ./tui/prompt -run TestGolden -update\n")
	for _, w := range []int{34, 80} {
		fmt.Fprintf(&b, "-- %d cells --\n", w)
		l := NewList(newLook(termenv.TrueColor, style.Unicode))
		l.SetItems(someTasks())
		view := l.View(w, 10, begin())
		exact(t, view, w, 10)
		for _, line := range strings.Split(plainText(view), "\n") {
			b.WriteString(strings.TrimRight(line, " ") + "\n")
		}
	}
	golden(t, "../../testdata/golden/prompt-list.txtar", b.String())
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if string(want) != got {
		t.Errorf("%s differs; if that is right, run with -update\n%s", path, got)
	}
}

// TestWriteFrames is for eyes: it writes the scenes with their colours.
func TestWriteFrames(t *testing.T) {
	if *frames == "" {
		t.Skip("no -frames file was given")
	}
	var b strings.Builder
	for _, w := range []int{80, 34} {
		for _, s := range scenes() {
			d := newDriver(t)
			s.set(d)
			d.view(w, 14)
			b.WriteString(d.view(w, d.p.Height(w, 14)) + "\n\n")
		}
		l := NewList(newLook(termenv.TrueColor, style.Unicode))
		l.SetItems(someTasks())
		b.WriteString(l.View(w, 10, begin()) + "\n\n")
	}
	if err := os.WriteFile(*frames, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestEveryViewIsExact draws every scene at every size.
func TestEveryViewIsExact(t *testing.T) {
	for _, s := range scenes() {
		d := newDriver(t)
		s.set(d)
		for w := 1; w < 130; w += 1 + w/12 {
			for h := 0; h < 20; h += 1 + h/5 {
				d.view(w, h)
				if got := d.p.Height(w, h); got < 0 || got > h {
					t.Errorf("%s: wants %d of %d rows", s.name, got, h)
				}
			}
		}
	}
}

// TestWhatGoesWhereIsAlwaysInSight: down to two rows, title and text are there.
func TestWhatGoesWhereIsAlwaysInSight(t *testing.T) {
	for _, s := range scenes() {
		if s.name == "names that lie" || s.name == "just opened" {
			continue
		}
		d := newDriver(t)
		s.set(d)
		for _, w := range []int{34, 80} {
			for h := 2; h < 14; h++ {
				rows := strings.Split(plainText(d.view(w, h)), "\n")
				if !strings.Contains(rows[0], "api:0.0") {
					t.Errorf("%s at %d×%d: no target in %q", s.name, w, h, rows[0])
				}
				if d.p.out.edit < 1 {
					t.Errorf("%s at %d×%d: no row of the text", s.name, w, h)
				}
			}
		}
	}
}

func TestTheCursorIsAlwaysOnScreen(t *testing.T) {
	for _, key := range []string{"up", "pgup", "ctrl+home", "ctrl+end", "home", "end", "left", "alt+b"} {
		d := newDriver(t)
		d.open(worker(), lampsWith())
		d.paste(strings.Repeat("a line of a long text, with words enough to break it somewhere\n", 30))
		for range 50 {
			d.key(key)
			if view := d.view(40, 8); strings.Count(view, "\x1b[7m") != 1 {
				t.Fatalf("after %s there are %d cursors", key, strings.Count(view, "\x1b[7m"))
			}
		}
	}
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.paste("fix it")
	d.wait(time.Second)
	d.key("enter")
	if strings.Contains(d.view(80, 8), "\x1b[7m") {
		t.Error("a text on its way has a cursor")
	}
}

// TestASCII: where asked, the prompt draws ASCII only.
func TestASCII(t *testing.T) {
	for _, s := range scenes() {
		if s.name == "names that lie" {
			continue
		}
		d := newDriver(t)
		d.p = New(Options{Style: newLook(termenv.ANSI256, style.ASCII), CheckText: checkText})
		s.set(d)
		for i, r := range plainText(d.view(60, 14)) {
			if r > 0x7e && !strings.ContainsRune("測試“”", r) {
				t.Fatalf("%s: %q at %d", s.name, r, i)
			}
		}
	}
}

// TestPeopleReadOfAnInputBox: the name that a lamp has for scripts is not among the words on the screen, and
// what is meant is not named twice.
func TestPeopleReadOfAnInputBox(t *testing.T) {
	for _, red := range []Lamp{{}, redComposer, {Name: lampComposer, Reason: "there is a draft in it"}} {
		for w := 16; w <= 120; w++ {
			d := newDriver(t)
			d.open(worker(), lampsWith(red))
			d.paste("fix it")
			d.wait(time.Second)
			got := strings.Join(strings.Fields(plainText(d.view(w, 12))), " ")
			if strings.Contains(got, "composer") || strings.Contains(got, "input box: the input box") {
				t.Fatalf("%d cells: %s", w, got)
			}
			if !strings.Contains(got, "input box") || w >= 33 && !strings.Contains(got, "text") {
				t.Fatalf("%d cells do not show every lamp: %s", w, got)
			}
		}
	}
}
