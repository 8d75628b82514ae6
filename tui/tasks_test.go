package tui

import (
	"strings"
	"testing"
	"time"

	"signalbox/tui/prompt"
	"signalbox/tui/tuitest"
)

var later = prompt.Waiting{ID: "t1", Pane: "%4", Where: "web:1.0", Name: "web-review", Text: "then the docs\nand the rest", Note: "works"}

// withQueue is the everyday board with tasks that wait.
func withQueue(t testing.TB, w, h int, items ...prompt.Waiting) *driver {
	d := everyday(t, w, h)
	for i := range items {
		items[i].Since = d.clock.at
	}
	d.send(queueMsg{queue: queueOf(1, items...)})
	return d
}

func TestAWaitingTaskIsOnItsCellAndInTheList(t *testing.T) {
	d := withQueue(t, 120, 40, later)
	marked := 0
	for _, line := range strings.Split(text(d), "\n") {
		if strings.Contains(line, "1 review") && strings.Contains(line, "queued") {
			marked++
		}
	}
	if marked != 1 || strings.Count(text(d), "queued") != 1 {
		t.Errorf("the mark is not on its cell alone:\n%s", text(d))
	}
	d.at("web-review")
	if d.m.dirty = true; !strings.Contains(text(d), "later   then the docs") {
		t.Errorf("the panel does not tell of it:\n%s", text(d))
	}
	if !strings.Contains(text(d), "t tasks 1") {
		t.Error("the footer does not count it")
	}
	d.press("t")
	if shown := text(d); !strings.Contains(shown, "web:1.0 web-review") || !strings.Contains(shown, "then the docs") {
		t.Errorf("the list shows\n%s", shown)
	}
	d.press("t")
	if d.m.mode != browsing {
		t.Error("the key that opened the list does not close it")
	}
}

func TestAWaitingTaskCanBeCancelledAndChanged(t *testing.T) {
	d := withQueue(t, 120, 40, later)
	d.press("t", "x")
	d.settle()
	if d.sender.sends() != "" {
		t.Error("one key threw a text away")
	}
	d.press("x")
	d.settle()
	if got := d.sender.sends(); got != "withdraw t1" {
		t.Errorf("asked for %q", got)
	}
	d.press("enter")
	d.settle()
	if shown := text(d); d.m.mode != composing || !strings.Contains(shown, "queued for web:1.0 web-review") || !strings.Contains(shown, "and the rest") {
		t.Fatalf("the prompt shows\n%s", shown)
	}
	d.typed("!")
	d.pass(settled)
	d.settle()
	d.press("enter")
	d.settle()
	if got, want := d.sender.sends(), `withdraw t1; queue %4 "then the docs\nand the rest!" t1`; got != want {
		t.Errorf("asked for %q, want %q", got, want)
	}
}

func TestAReadOnlyBoardOnlyShowsTheTasks(t *testing.T) {
	d := everyday(t, 120, 40, func(o *Options) { o.ReadOnly = true })
	d.send(queueMsg{queue: queueOf(1, later)})
	for _, k := range []string{"enter", "x", "x", "g"} {
		d.press("t", k, k)
		d.settle()
		d.press("esc")
	}
	if d.sender.sends() != "" || len(d.board.calls) > 0 && d.board.did("jump %4") {
		t.Errorf("it did %q %v", d.sender.sends(), d.board.calls)
	}
}

func TestNewsOfTheQueueAreTold(t *testing.T) {
	d := withQueue(t, 120, 40, later)
	q := queueOf(2)
	q.News = "the queued task was delivered to web:1.0"
	d.send(queueMsg{queue: q})
	if !strings.Contains(text(d), q.News) || strings.Count(text(d), "queued") != 1 {
		t.Errorf("the news are not told:\n%s", text(d))
	}
	q.Rev, q.Problem = 3, "changing the queue: disk full"
	d.send(queueMsg{queue: q})
	d.press("t")
	if !strings.Contains(text(d), q.Problem) {
		t.Errorf("the list does not say why the queue does not work:\n%s", text(d))
	}
}

func TestAQueueBuildsOnlyTheRowsItChanges(t *testing.T) {
	d, snap := large(t)
	before := d.m.grid.Builds()
	pane := snap.Sessions[0].Windows[0].Panes[0].ID
	d.send(queueMsg{queue: queueOf(1, prompt.Waiting{ID: "a", Pane: pane, Text: "x"})})
	d.m.View()
	if n := d.m.grid.Builds() - before; n != 1 {
		t.Errorf("one task built %d rows", n)
	}
}

func TestTheListSaysWhatATaskWaitsForNow(t *testing.T) {
	rests := prompt.Waiting{ID: "t2", Pane: "%10", Where: "infra:4.0", Name: "notes", Text: "x", Note: "input box: there is a draft in it"}
	d := withQueue(t, 120, 40, later, rests)
	d.press("t")
	if shown := text(d); !strings.Contains(shown, "waits: it works") || !strings.Contains(shown, "waits: input box: there is a draft") {
		t.Errorf("the list shows\n%s", shown)
	}
	snap := tuitest.Parse(strings.Replace(tuitest.Everyday, "1 review | busy | Read: src/App.tsx", "1 review | needs | Bash: ls", 1))
	snap.Rev++
	d.give(snap)
	if shown := text(d); !strings.Contains(shown, "waits: it waits for permission") {
		t.Errorf("the list shows\n%s", shown)
	}
	if next := d.m.nextChange(); next.After(d.clock.at.Add(settled)) {
		t.Errorf("its age is looked at only at %v", next)
	}
}

// TestAQueuedTaskIsNotCalledQueuedForEver leaves the box open that says so until the task is sent.
func TestAQueuedTaskIsNotCalledQueuedForEver(t *testing.T) {
	for _, c := range []struct {
		news string
		bad  bool
		want string
	}{
		{"the queued task was delivered to web:1.0", false, "the queued task was delivered to web:1.0"},
		{"the queued task was dropped: its agent is gone", true, "the queued task was dropped: its agent is gone"},
		{"", false, "it is not in the queue any more"},
	} {
		d := everyday(t, 120, 40)
		d.sender.red["claude"] = prompt.Lamp{Name: "claude", Reason: "Claude is busy", Passing: true}
		d.write("web-review", "Then the docs.")
		d.press("enter")
		d.settle()
		d.send(queueMsg{queue: queueOf(1)}) // from before it was there
		d.send(queueMsg{queue: queueOf(2, waitingTask(d))})
		d.pass(settled)
		if !strings.Contains(text(d), "queued: it is sent when the agent rests") {
			t.Fatalf("it is not queued\n%s", text(d))
		}
		gone := queueOf(3)
		gone.News, gone.Bad = c.news, c.bad
		d.send(queueMsg{queue: gone})
		d.pass(time.Minute) // the notice goes, the box stays
		if shown := text(d); strings.Contains(shown, "it is sent when") || !strings.Contains(shown, c.want) || d.m.mode != composing {
			t.Errorf("%q:\n%s", c.news, shown)
		}
	}
}

// A text that was put aside is seen on its row, and in the box that it comes back in.
func TestADraftIsNotForgotten(t *testing.T) {
	d := everyday(t, 120, 40)
	row := func() string {
		for _, l := range strings.Split(text(d), "\n") {
			if strings.Contains(l, " notes ") {
				return l
			}
		}
		return ""
	}
	d.write("notes", "draw it")
	if strings.Contains(text(d), "your draft") {
		t.Errorf("a text that is new is called a draft:\n%s", text(d))
	}
	d.press("esc")
	if !strings.Contains(row(), "draft") {
		t.Errorf("the row says nothing of it: %q", row())
	}
	d.press("s")
	if !strings.Contains(text(d), " your draft ") {
		t.Errorf("the box does not say where its text comes from:\n%s", text(d))
	}
	d.typed(" again")
	if !strings.Contains(text(d), " your draft and more ") {
		t.Errorf("the box does not say that the text goes on from a draft:\n%s", text(d))
	}
	for range 2 { // the lamps come in, and then Enter is given its meaning
		d.pass(settled)
		d.settle()
	}
	d.press("enter")
	d.settle()
	d.pass(10 * settled)
	d.press("enter")
	if d.m.mode != browsing || strings.Contains(row(), "draft") {
		t.Errorf("it was sent, and the row says %q, %v\n%s", row(), d.sender.sends(), text(d))
	}
}
