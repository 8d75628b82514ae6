package prompt

import (
	"slices"
	"testing"
	"time"

	"github.com/muesli/termenv"

	"signalbox/tui/style"
)

func someTasks() []Waiting {
	at := func(d time.Duration) time.Time { return begin().Add(-d) }
	return []Waiting{
		{ID: "a", Pane: "%5", Where: "api:0.0", Name: "api-worker", Text: "after that, fix the second one\nand the third", Since: at(3 * time.Minute), Note: "Claude is busy"},
		{ID: "b", Pane: "%6", Where: "web:1.0", Name: "測試-a-name-that-is-rather-long", Text: "\n\ncommit it", Since: at(12 * time.Second), State: BeingSent},
		{ID: "c", Pane: "%7", Where: "infra:0.0", Text: "terraform plan\x1b[2J", Since: at(3 * time.Hour), State: Unsure, Note: "the board ended while it was being sent"},
		{ID: "d", Pane: "%8", Where: "docs:0.0", Text: "check the links", Since: at(80 * time.Hour), State: Dropped, Note: "the agent is gone"},
	}
}

func newTestList() *List {
	l := NewList(newLook(termenv.TrueColor, style.Unicode))
	l.SetItems(someTasks())
	return l
}

func TestListKeys(t *testing.T) {
	for _, c := range []struct {
		name string
		keys []string
		kind ListKind
		id   string
	}{
		{"a waiting task is changed", []string{"enter"}, ListEdit, "a"},
		{"cancelling is asked for twice", []string{"x"}, ListNone, ""},
		{"and then done", []string{"x", "x"}, ListCancel, "a"},
		{"another key in between forgets it", []string{"x", "j", "k", "x"}, ListNone, ""},
		{"the same key on another task does not count", []string{"x", "G", "x"}, ListNone, ""},
		{"what is being sent can be looked at", []string{"j", "enter"}, ListJump, "b"},
		{"and not cancelled", []string{"j", "x", "x"}, ListNone, ""},
		{"an unsure one is looked at", []string{"j", "j", "enter"}, ListJump, "c"},
		{"or put away", []string{"j", "j", "x"}, ListDismiss, "c"},
		{"a dropped one is put away", []string{"j", "j", "j", "j", "x"}, ListDismiss, "d"},
		{"and not changed", []string{"j", "j", "j", "enter"}, ListNone, ""},
		{"close", []string{"esc"}, ListClose, ""},
	} {
		l := newTestList()
		var a ListAction
		for _, k := range c.keys {
			a = l.HandleKey(Key{Name: k})
		}
		if a.Kind != c.kind || a.Item.ID != c.id {
			t.Errorf("%s: %v %q", c.name, a.Kind, a.Item.ID)
		}
	}
}

func TestTheListKeepsItsSelection(t *testing.T) {
	l := newTestList()
	l.HandleKey(Key{Name: "j"})
	l.HandleKey(Key{Name: "j"})
	items := slices.Delete(someTasks(), 0, 1)
	l.SetItems(items)
	if w, _ := l.Selected(); w.ID != "c" {
		t.Errorf("the one before went: %q", w.ID)
	}
	l.SetItems(slices.Delete(slices.Clone(items), 1, 2))
	if w, _ := l.Selected(); w.ID != "d" {
		t.Errorf("it went itself: %q", w.ID)
	}
	l.SetItems(nil)
	if _, ok := l.Selected(); ok {
		t.Error("something is selected in an empty list")
	}
	if a := l.HandleKey(Key{Name: "x"}); a.Kind != ListNone {
		t.Errorf("%v", a.Kind)
	}
	exact(t, l.View(40, 3, begin()), 40, 3)
}

func TestEveryListViewIsExact(t *testing.T) {
	for w := 1; w < 100; w += 1 + w/10 {
		for h := 1; h < 12; h++ {
			l := newTestList()
			for range 5 {
				exact(t, l.View(w, h, begin()), w, h)
				l.HandleKey(Key{Name: "j"})
			}
		}
	}
}
