package transcript

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"

	"signalbox/tracker"
)

// fakeNotes is a notifier that says what the test says.
type fakeNotes struct {
	mu      sync.Mutex
	watched map[string]int
	refuse  error
	events  chan fsnotify.Event
	errs    chan error
}

func newFakeNotes() *fakeNotes {
	return &fakeNotes{watched: map[string]int{}, events: make(chan fsnotify.Event, 4096), errs: make(chan error, 1)}
}

func (n *fakeNotes) Add(path string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.refuse != nil {
		return n.refuse
	}
	if _, err := os.Stat(path); err != nil {
		return err
	}
	n.watched[path]++
	return nil
}

func (n *fakeNotes) Remove(path string) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.watched[path]--
	return nil
}

func (n *fakeNotes) refs(path string) int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.watched[path]
}

func (n *fakeNotes) Events() <-chan fsnotify.Event { return n.events }
func (n *fakeNotes) Errors() <-chan error          { return n.errs }
func (n *fakeNotes) Close() error                  { return nil }

// rig is a watcher on a folder of its own.
type rig struct {
	t      *testing.T
	dir    string // the Claude folder
	w      *Watcher
	notes  *fakeNotes // nil with the real one
	out    chan tracker.Event
	stop   context.CancelFunc
	ended  chan error
	latest map[string]tracker.TranscriptFacts
	reads  map[string]int
	health tracker.Event
}

const rigCWD = "/home/me/src/api"

func newRig(t *testing.T, notes *fakeNotes) *rig {
	r := &rig{
		t: t, dir: t.TempDir(), notes: notes, out: make(chan tracker.Event, 1024), ended: make(chan error, 1),
		latest: map[string]tracker.TranscriptFacts{}, reads: map[string]int{},
	}
	if err := os.MkdirAll(filepath.Dir(r.path("x")), 0o700); err != nil {
		t.Fatal(err)
	}
	r.w = New(Config{ClaudeDir: r.dir})
	if notes != nil {
		r.w.notices = func() (notifier, error) { return notes, nil }
	}
	return r
}

func (r *rig) path(session string) string {
	return filepath.Join(r.dir, "projects", ProjectDir(rigCWD), session+".jsonl")
}

func (r *rig) start() {
	ctx, stop := context.WithCancel(context.Background())
	r.stop = stop
	go func() { r.ended <- r.w.Run(ctx, r.out) }()
}

func (r *rig) end() {
	r.stop()
	if err := <-r.ended; err != nil {
		r.t.Errorf("Run returned %v", err)
	}
}

func (r *rig) write(path, data string) {
	r.t.Helper()
	fh, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		r.t.Fatal(err)
	}
	defer fh.Close()
	if _, err := fh.WriteString(data); err != nil {
		r.t.Fatal(err)
	}
}

// add appends lines to a session and, with the fake, gives notice.
func (r *rig) add(session string, lines ...string) {
	r.t.Helper()
	r.write(r.path(session), string(joined(lines)))
	if r.notes != nil {
		r.notes.events <- fsnotify.Event{Name: r.path(session), Op: fsnotify.Write}
	}
}

func (r *rig) take(e tracker.Event) {
	switch e := e.(type) {
	case tracker.TranscriptRead:
		if e.Facts.Path == "" {
			r.t.Errorf("facts of %s without a file", e.SessionID)
		}
		r.latest[e.SessionID] = e.Facts
		r.reads[e.SessionID]++
	default:
		r.health = e
	}
}

// drain takes what has been sent; under synctest that is everything there is.
func (r *rig) drain() {
	for {
		select {
		case e := <-r.out:
			r.take(e)
		default:
			return
		}
	}
}

// settle waits until the watcher waits, and takes what it sent.
func (r *rig) settle() {
	synctest.Wait()
	r.drain()
}

// until takes events until the condition holds; for tests in real time.
func (r *rig) until(what string, ok func() bool) {
	r.t.Helper()
	deadline := time.After(10 * time.Second)
	for !ok() {
		select {
		case e := <-r.out:
			r.take(e)
		case <-deadline:
			r.t.Fatalf("%s: not in time; last facts %+v, health %+v", what, r.latest, r.health)
		}
	}
}

func target(session string) Target { return Target{SessionID: session, CWD: rigCWD} }
