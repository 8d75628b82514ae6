package cli

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"signalbox/tui/tuitest"
)

// TestStatusAndWatchAreOneSchema: the first line of watch is what status prints, the lines after it
// carry the same version, a growing revision and the same form of an agent.
func TestStatusAndWatchAreOneSchema(t *testing.T) {
	snap := tuitest.Parse(tuitest.Everyday)
	snap.Rev = 41
	snap.Sessions[0].Windows[0].Written = "lists the files"
	var status, watch bytes.Buffer
	lines := NewChanges(&watch)
	if err := StatusJSON(&status, snap, StatusOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := lines.Write(snap, ""); err != nil {
		t.Fatal(err)
	}
	if watch.String() != status.String() || !strings.Contains(status.String(), `"written":"lists the files"`) {
		t.Errorf("the first line differs:\n%s%s", status.String(), watch.String())
	}
	watch.Reset()
	next := tuitest.Parse(strings.Replace(tuitest.Everyday, "| needs |", "| idle |", 1))
	next.Rev = 42
	next.Sessions[len(next.Sessions)-1].Windows = nil
	if err := lines.Write(next, ""); err != nil {
		t.Fatal(err)
	}
	type agent map[string]any
	var first struct {
		Sessions []struct {
			Windows []struct{ Panes []struct{ Agent agent } }
		}
	}
	if err := json.Unmarshal(status.Bytes(), &first); err != nil {
		t.Fatal(err)
	}
	n := 0
	for l := range strings.Lines(watch.String()) {
		n++
		var c struct {
			Version int
			Rev     uint64
			Agent   agent
		}
		if err := json.Unmarshal([]byte(l), &c); err != nil || c.Version != 1 || c.Rev != 42 {
			t.Errorf("%v: %s", err, l)
		}
		for key := range c.Agent {
			if _, ok := first.Sessions[0].Windows[0].Panes[0].Agent[key]; !ok {
				t.Errorf("an agent has %q here only", key)
			}
		}
	}
	if n == 0 {
		t.Error("nothing has changed")
	}
}

// TestThePublicFilePrefersTheWrittenSummary and never loses the derived one.
func TestThePublicFilePrefersTheWrittenSummary(t *testing.T) {
	snap := tuitest.Parse("$ a attached\n0 x | run | make all | 1m\n1 y | run | derived | 1m\n")
	snap.Sessions[0].Windows[0].Written = "builds " + strings.Repeat("everything ", 20)
	data, err := PublicStatus(snap, tuitest.Now())
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Sessions []struct{ Windows []struct{ Summary string } }
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	ws := f.Sessions[0].Windows
	if !strings.HasPrefix(ws[0].Summary, "builds everything") || len([]rune(ws[0].Summary)) > 80 || ws[1].Summary != "derived" {
		t.Errorf("%+v", ws)
	}
	if snap.Sessions[0].Windows[0].Summary != "make all" {
		t.Error("the derived summary is gone")
	}
}
