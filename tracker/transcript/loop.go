package transcript

import (
	"context"
	"reflect"
	"time"

	"github.com/fsnotify/fsnotify"

	"signalbox/tracker"
)

// loop is the state of one Run. Only its goroutine touches it.
type loop struct {
	places  places
	out     chan<- tracker.Event
	ledger  *ledger
	buf     []byte
	folders *folders
	events  <-chan fsnotify.Event
	errors  <-chan error
	blind   string // why there are no notices, or ""

	follows map[string]*follow // by session id
	byPath  map[string]*follow
	polled  time.Time
	every   time.Duration // how often to look where there are notices
	headAt  time.Time     // next piece of the background count
	health  tracker.Event
}

// follow is one session.
type follow struct {
	target   Target
	wanted   bool      // named by the last SetTargets
	agents   int       // how many times
	active   bool      // watched and polled
	until    time.Time // when it stops to be active, once it is not wanted
	usedAt   time.Time
	place    place
	file     *file
	watching string // path given to folders, or ""
	dirty    bool   // to be read when readEvery allows
	readAt   time.Time
	problem  error // why it could not be read

	facts  tracker.TranscriptFacts
	unsent bool
	sent   tracker.TranscriptFacts
	sentAt time.Time // zero before the first
}

func newLoop(w *Watcher, out chan<- tracker.Event) *loop {
	l := &loop{
		places: w.places, out: out, ledger: newLedger(ledgerIDs), buf: make([]byte, chunkBytes),
		follows: map[string]*follow{}, byPath: map[string]*follow{},
		headAt: time.Now().Add(headDelay), every: w.poll,
	}
	n, err := w.notices()
	if err != nil {
		l.blind = err.Error()
		l.folders = newFolders(nil)
		return l
	}
	l.folders = newFolders(n)
	l.events, l.errors = n.Events(), n.Errors()
	return l
}

func (l *loop) close() {
	if l.folders.notes != nil {
		_ = l.folders.notes.Close() // nothing is read after this
	}
}

// retarget takes a new list of targets.
func (l *loop) retarget(targets []Target, now time.Time) {
	agents := map[string]int{}
	for _, t := range targets {
		agents[t.SessionID]++
		if agents[t.SessionID] == 1 && validSession(t.SessionID) {
			l.want(t, now)
		}
	}
	for session, f := range l.follows {
		f.wanted = agents[session] > 0
		if !f.wanted {
			f.linger(now)
		}
		if agents[session] > f.agents {
			f.sendAgain()
		}
		f.agents = agents[session]
	}
	l.forgetOldest()
}

func (l *loop) want(t Target, now time.Time) {
	f := l.follows[t.SessionID]
	if f == nil {
		f = &follow{target: t}
		l.follows[t.SessionID] = f
	}
	moved := t.Path != f.target.Path || t.CWD != f.target.CWD
	if moved {
		f.place.search, f.place.found = time.Time{}, false
	}
	glanced := f.target.Glance && !f.usedAt.IsZero() && !moved
	f.target, f.usedAt = t, now
	switch {
	case !t.Glance:
		f.dirty = f.dirty || !f.active
		f.active, f.until = true, time.Time{}
	case f.active:
		f.linger(now)
	case !glanced:
		f.active, f.dirty, f.until = true, true, now
	}
}

// sendAgain makes the facts news, if there are any.
func (f *follow) sendAgain() {
	f.sent, f.sentAt = tracker.TranscriptFacts{}, time.Time{}
	f.unsent = f.facts.Path != ""
}

// linger lets a session be followed a moment longer.
func (f *follow) linger(now time.Time) {
	if f.active && f.until.IsZero() {
		f.until = now.Add(lingerFor)
	}
}

// forgetOldest bounds what is kept of sessions that are no longer targets.
func (l *loop) forgetOldest() {
	for len(l.follows) > keptFiles {
		var oldest *follow
		for _, f := range l.follows {
			if !f.wanted && !f.active && (oldest == nil || f.usedAt.Before(oldest.usedAt)) {
				oldest = f
			}
		}
		if oldest == nil {
			return
		}
		if oldest.file != nil {
			oldest.file.close()
		}
		delete(l.follows, oldest.target.SessionID)
	}
}

// notice takes one notice and those behind it, so that a burst is read once.
func (l *loop) notice(e fsnotify.Event, ok bool) {
	for n := 0; ; n++ {
		if !ok {
			l.blind, l.events, l.errors = "notices ended", nil, nil
			l.folders = newFolders(nil)
			return
		}
		if f := l.byPath[e.Name]; f != nil {
			f.dirty = true
		}
		if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
			l.folders.lost(e.Name)
		}
		if n == drainEvents {
			return
		}
		select {
		case e, ok = <-l.events:
		default:
			return
		}
	}
}

// noticeError handles lost notices (an overflow, mostly) by looking at everything: a stat per file.
func (l *loop) noticeError(_ error, ok bool) {
	if !ok {
		l.errors = nil
		return
	}
	for _, f := range l.follows {
		f.dirty = f.dirty || f.active
	}
}

// step does what is due: poll, read and send, count, say how it goes. Each session is sent as soon
// as it is read, so that the first of a hundred does not wait for the last.
func (l *loop) step(ctx context.Context, now time.Time) error {
	if l.pollDue(now) {
		l.poll(now)
	}
	l.count(now)
	for _, f := range l.follows {
		if f.dirty && !now.Before(f.readAt.Add(readEvery)) {
			l.read(f, now)
		}
		if !f.unsent || !f.due(now) {
			continue
		}
		if err := l.send(ctx, tracker.TranscriptRead{At: now, SessionID: f.target.SessionID, Facts: f.facts}); err != nil {
			return err
		}
		f.sent, f.sentAt, f.unsent = f.facts, now, false
	}
	return l.report(ctx, now)
}

func (l *loop) send(ctx context.Context, e tracker.Event) error {
	select {
	case l.out <- e:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// poll marks everything to be looked at, which is a stat where nothing changed.
func (l *loop) poll(now time.Time) {
	l.polled = now
	for _, f := range l.follows {
		f.dirty = f.dirty || f.active
	}
	if problem := l.folders.retry(); problem != nil {
		l.blind = problem.Error()
	} else if l.folders.notes != nil {
		l.blind = ""
	}
}

// rest stops following a session; its file stays known.
func (l *loop) rest(f *follow) {
	f.active, f.dirty, f.until = false, false, time.Time{}
	l.watch(f, "")
}

// read looks at one session, for the last time if its time is over.
func (l *loop) read(f *follow, now time.Time) {
	f.dirty, f.problem, f.readAt = false, nil, now
	if !f.place.found {
		f.problem = f.place.find(l.places, f.target, now)
	}
	l.watch(f, f.place.path)
	if f.place.found {
		l.readFile(f, now)
	}
	if !f.until.IsZero() && !now.Before(f.until) {
		l.rest(f)
	}
}

func (l *loop) readFile(f *follow, now time.Time) {
	changed, err := f.openAt(l).read()
	if missing(err) { // moved, renamed or deleted since
		if f.problem = f.place.find(l.places, f.target, now); f.problem != nil || !f.place.found {
			f.place.found = false
			return
		}
		l.watch(f, f.place.path)
		changed, err = f.openAt(l).read()
	}
	if err != nil {
		f.problem = err
		return
	}
	if changed {
		f.update()
	}
}

// openAt is the reader for the place where the session is now.
func (f *follow) openAt(l *loop) *file {
	if f.file == nil || f.file.path != f.place.path {
		if f.file != nil {
			f.file.close()
		}
		f.file = newFile(f.place.path, l.ledger, l.buf)
	}
	return f.file
}

// update takes the facts of the file.
func (f *follow) update() {
	f.facts = f.file.facts()
	f.unsent = f.sentAt.IsZero() || !reflect.DeepEqual(f.facts, f.sent)
}

// watch asks for notices about the file at path instead of the one before; "" for none.
func (l *loop) watch(f *follow, path string) {
	if f.watching == path {
		return
	}
	if f.watching != "" {
		if l.byPath[f.watching] == f {
			delete(l.byPath, f.watching)
		}
		l.folders.drop(watched(f.watching))
	}
	f.watching = path
	if path != "" {
		l.byPath[path] = f
		l.folders.add(watched(path))
	}
}
