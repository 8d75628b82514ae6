package journal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tracker"
)

var here = World{Socket: "/tmp/tmux-1000/default", ClaudeDir: "/home/me/.claude"}

// inboxBeside is the inbox of a board whose verdicts are there.
func inboxBeside(path string) Inbox {
	return Inbox{Path: filepath.Join(filepath.Dir(path), "inbox.json"), World: here}
}

func happened(pid int, at time.Time, text string) *tracker.Happening {
	return &tracker.Happening{
		At: at, Kind: tracker.HappenedReview, Agent: tracker.AgentID{PID: pid, Start: uint64(pid) * 10}, Pane: "%5", Title: "worker", Text: text,
		SessionID: "s1", Server: tracker.ServerLife{ServerID: tracker.ServerID{Socket: here.Socket, PID: 42}, Started: 7},
	}
}

func withInbox(seen time.Time, list ...*tracker.Happening) *tracker.Snapshot {
	snap := board("work")
	snap.Inbox, snap.InboxSeen = list, seen
	return snap
}

// entriesIn is what a file holds of a world, as "pid text" and "read".
func entriesIn(t *testing.T, f Inbox) []string {
	t.Helper()
	r := tracker.Restored{At: time.Now()}
	if err := f.Load(&r); err != nil {
		t.Fatalf("loading: %v", err)
	}
	var out []string
	for _, h := range r.Inbox {
		e := fmt.Sprint(h.Agent.PID, " ", h.Text)
		if h.Read {
			e += " read"
		}
		out = append(out, e)
	}
	return out
}

func TestTheInboxSurvivesARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := statePath(t)
		f := inboxBeside(path)
		at := time.Now().Add(-time.Hour)
		read := happened(1, at, "done")
		read.Read = true
		k := keep(t, path)
		k.box.put(withInbox(at, happened(2, at.Add(time.Minute), "tests pass"), read))
		synctest.Wait()
		if got, want := entriesIn(t, f), []string{"2 tests pass", "1 done read"}; !slices.Equal(got, want) {
			t.Errorf("loaded %q, want %q", got, want)
		}
		r := tracker.Restored{At: time.Now()}
		if err := f.Load(&r); err != nil || !r.Seen.Equal(at) {
			t.Errorf("seen %v, want %v; %v", r.Seen, at, err)
		}
		want := *read
		want.Over = true // until somebody says otherwise
		if got := r.Inbox[1]; !got.At.Equal(want.At) || got.Server != want.Server || got.Pane != want.Pane || got.SessionID != want.SessionID || !got.Over {
			t.Errorf("loaded %+v", got)
		}
		k.end()
	})
}

func TestTheInboxIsSavedWhenItChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := statePath(t)
		f := inboxBeside(path)
		k := keep(t, path)
		k.box.put(withInbox(time.Time{}))
		after(time.Minute)
		if _, err := os.Stat(f.Path); err == nil {
			t.Error("an inbox in which nothing happened was written")
		}
		h := happened(1, time.Now(), "done")
		k.box.put(withInbox(time.Time{}, h))
		after(time.Minute)
		n := k.told.writes()
		for range 30 {
			k.box.put(withInbox(time.Time{}, h))
			after(time.Minute)
		}
		if got := k.told.writes(); got != n {
			t.Errorf("%d writes of what has not changed", got-n)
		}
		k.box.put(withInbox(h.At, h)) // it was opened
		k.end()
		r := tracker.Restored{At: time.Now()}
		if err := f.Load(&r); err != nil || !r.Seen.Equal(h.At) {
			t.Errorf("seen %v, want %v; %v", r.Seen, h.At, err)
		}
	})
}

// TestBoardsShareTheInboxOfTheirWorld: of two notes of one thing one stays, what one board has read
// was read, and another world is left alone.
func TestBoardsShareTheInboxOfTheirWorld(t *testing.T) {
	f := Inbox{Path: filepath.Join(t.TempDir(), "inbox.json"), World: here}
	other := Inbox{Path: f.Path, World: World{Socket: "/tmp/other", ClaudeDir: here.ClaudeDir}}
	now := time.Now()
	write := func(f Inbox, list ...*tracker.Happening) {
		t.Helper()
		k := inboxKeeper{file: f}
		if wrote, err := k.write(withInbox(time.Time{}, list...), now, false); !wrote || err != nil {
			t.Fatal(wrote, err)
		}
		if wrote, err := k.write(withInbox(time.Time{}, list...), now, false); wrote || err != nil {
			t.Fatal("the same was written again", err)
		}
	}
	write(other, happened(9, now, "elsewhere"))
	read := happened(1, now.Add(-time.Second), "mine")
	read.Read = true
	write(f, read, happened(3, now.Add(-time.Hour), "only mine"))
	write(f, happened(1, now, "yours"), happened(1, now.Add(-time.Minute), "the turn before"))
	if got, want := entriesIn(t, f), []string{"1 yours read", "1 the turn before", "3 only mine"}; !slices.Equal(got, want) {
		t.Errorf("loaded %q, want %q", got, want)
	}
	if err := f.MarkRead(tracker.AgentID{PID: 1, Start: 10}, now); err != nil {
		t.Fatal(err)
	}
	if got, want := entriesIn(t, f), []string{"1 yours read", "1 the turn before read", "3 only mine"}; !slices.Equal(got, want) {
		t.Errorf("after a look %q, want %q", got, want)
	}
	if got := entriesIn(t, other); !slices.Equal(got, []string{"9 elsewhere"}) {
		t.Errorf("the other world has %q", got)
	}
}

func TestADamagedInboxIsNone(t *testing.T) {
	for name, content := range map[string]string{
		"empty": "", "null": "null", "a list": "[]", "half": `{"version":1,"worlds":[{"socket":"/tmp`,
		"zeros after a power failure": strings.Repeat("\x00", 512), "an older version": `{"worlds":[]}`, "a later version": `{"version":2,"worlds":[]}`,
		"another shape": `{"version":1,"worlds":{"entries":1}}`, "huge": `{"version":1,"worlds":["` + strings.Repeat("x", maxFile) + `"]}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := Inbox{Path: filepath.Join(t.TempDir(), "inbox.json"), World: here}
			if err := os.WriteFile(f.Path, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			now := time.Now()
			r := tracker.Restored{At: now, Verdicts: []tracker.RestoredVerdict{{}}}
			if err := f.Load(&r); !errors.Is(err, ErrDamaged) || len(r.Inbox) != 0 || !r.Seen.IsZero() || len(r.Verdicts) != 1 {
				t.Errorf("loaded %+v, %v", r, err)
			}
			if err := f.MarkRead(tracker.AgentID{PID: 1}, now); err != nil {
				t.Error(err)
			}
			k := inboxKeeper{file: f}
			if _, err := k.write(withInbox(now, happened(1, now, "done")), now, false); err != nil {
				t.Fatalf("it was not replaced: %v", err)
			}
			if got := entriesIn(t, f); !slices.Equal(got, []string{"1 done"}) {
				t.Errorf("loaded %q", got)
			}
		})
	}
	f := Inbox{Path: filepath.Join(t.TempDir(), "none", "inbox.json"), World: here}
	if r := (tracker.Restored{}); f.Load(&r) != nil || f.MarkRead(tracker.AgentID{PID: 1}, time.Now()) != nil {
		t.Error("no inbox is an error")
	}
	if _, err := os.Stat(filepath.Dir(f.Path)); err == nil {
		t.Error("a look alone made a file")
	}
}

// TestTheLastRunsEntriesAreChecked: kinds and times that cannot be are not believed.
func TestTheLastRunsEntriesAreChecked(t *testing.T) {
	now := time.Now()
	strange, nobody, old, future := happened(1, now, "strange"), happened(0, now, "nobody"), happened(3, now.Add(-2*keepFor), "old"), happened(4, now.Add(time.Hour), "future")
	strange.Kind = "dreams"
	f := Inbox{Path: filepath.Join(t.TempDir(), "inbox.json"), World: here}
	data, err := json.Marshal(inboxFile{Version: formatVersion, Worlds: []worldInbox{{
		World: here, Seen: now.Add(time.Hour), Entries: []entry{entryOf(strange), entryOf(nobody), entryOf(old), entryOf(future)},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	r := tracker.Restored{At: now}
	if err := f.Load(&r); err != nil || len(r.Inbox) != 1 || r.Inbox[0].Text != "future" || !r.Inbox[0].At.Equal(now) || !r.Seen.Equal(now) {
		t.Errorf("loaded %+v, %v", r, err)
	}
}

// TestInboxesAreBounded fills every world with the longest entries that there are.
func TestInboxesAreBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "inbox.json")
	now := time.Now()
	var list []*tracker.Happening
	long := strings.Repeat("\x01", 10*maxText)
	for i := range 2 * tracker.InboxLimit {
		h := happened(i+1, now.Add(-time.Duration(i)*time.Minute), long)
		h.Title, h.SessionID = long, long
		list = append(list, h)
	}
	for i := range 2 * maxWorlds {
		k := inboxKeeper{file: Inbox{Path: path, World: World{Socket: fmt.Sprint("/tmp/", i)}}}
		if _, err := k.write(withInbox(now, list...), now.Add(time.Duration(i)*time.Second), false); err != nil {
			t.Fatal(err)
		}
	}
	worlds, err := readInboxes(path)
	if err != nil || len(worlds) != maxWorlds || worlds[0].Socket != "/tmp/15" || worlds[maxWorlds-1].Socket != "/tmp/8" {
		t.Fatalf("%d worlds, %v", len(worlds), err)
	}
	for _, w := range worlds {
		if len(w.Entries) != tracker.InboxLimit || w.Entries[0].Agent.PID != 1 {
			t.Errorf("%s has %d entries", w.Socket, len(w.Entries))
		}
	}
}
