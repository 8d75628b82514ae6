package registry

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"time"

	"github.com/fsnotify/fsnotify"

	"signalbox/tracker"
)

// Cadence of the watch.
const (
	pollEvery = 2 * time.Second        // the truth, should an event be lost: stats only
	pollHeard = 10 * time.Second       // the same once the system has told of a change in the folder
	pollBlind = 250 * time.Millisecond // the same where the system tells nothing
	listEvery = 30 * time.Second       // also files that speak of nobody, and another try to watch
	tornAfter = 10 * time.Millisecond  // a half-written file is complete a few microseconds later
	tornTries = 3                      // reads more of a half-written file, where an answer is needed now
	worksTold = 10 * time.Second       // how old the word that all is well may get

	// blindAfter is how many changes the polls must find before events before the system counts as
	// silent: it accepts watches on network folders and never tells of another machine's writes.
	blindAfter = 2
)

// Watch reads the sessions folder and follows it.
type Watch struct {
	dir   string
	host  Host
	chain func(pid int) []tracker.Process
	hurry chan struct{} // one slot
	open  func() (*fsnotify.Watcher, error)
	poll  cadence
}

// cadence is how often a Watch looks where the system tells of changes.
type cadence struct {
	every time.Duration
	heard time.Duration // once the system has told of a change in the folder
}

// NewWatch returns a watch on <claudeDir>/sessions, which need not exist. chain reads a process and
// its ancestors afresh, nearest first; an empty answer means that there is no such process, or that
// it cannot be read.
func NewWatch(claudeDir string, chain func(pid int) []tracker.Process) *Watch {
	return &Watch{
		dir:   filepath.Join(claudeDir, "sessions"),
		host:  Host{Domain: LocalDomain(), Ticks: runtime.GOOS == "linux"},
		chain: chain,
		hurry: make(chan struct{}, 1),
		open:  fsnotify.NewWatcher,
		poll:  cadence{pollEvery, pollHeard},
	}
}

// Hurry asks for a look at everything now. It does not block; calls that come while one is pending
// are one.
func (w *Watch) Hurry() {
	select {
	case w.hurry <- struct{}{}:
	default:
	}
}

// Run follows the folder until the context ends and then returns nil. It emits a
// tracker.RegistryRead for every entry at first, then for every one that changed or was removed,
// and SourceWorks and SourceFailed for tracker.SourceRegistry. Only one Run may be active.
func (w *Watch) Run(ctx context.Context, emit func(tracker.Event)) error {
	n := &notifier{dir: w.dir, open: w.open}
	defer n.close()
	r := &run{folder: newFolder(w.dir, w.host, w.chain, emit), notifier: n, poll: w.poll}
	poll := time.NewTimer(0)
	defer poll.Stop()
	again := time.NewTimer(0)
	again.Stop()
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case ev := <-n.events():
			r.notice(ev)
		case <-n.errors():
			r.look(true) // after an overflow nobody knows what was lost
		case <-w.hurry:
			r.look(true)
		case <-again.C:
			r.retry()
		case <-poll.C:
			r.drain() // an event that waits is not a lost one
			r.look(!time.Now().Before(r.listAt))
			poll.Reset(r.pollEvery())
		}
		if len(r.torn) > 0 {
			again.Reset(tornAfter)
		}
	}
}

// Entry reads the file of one agent now, for a decision that cannot wait for an event. It returns
// nil without an error when there is no file, or none that is proven to speak of this very process.
// It may be called from any goroutine.
func (w *Watch) Entry(ctx context.Context, id tracker.AgentID) (*tracker.RegistryEntry, error) {
	path := filepath.Join(w.dir, fmt.Sprint(id.PID)+".json")
	for try := 0; ; try++ {
		data, err := readBounded(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		e, err := Decode(id.PID, data)
		switch {
		case errors.Is(err, ErrNotEntry):
			return nil, nil
		case err == nil:
			chain := w.chain(id.PID)
			if Verify(e, chain, len(chain) > 0, w.host) != tracker.TrustProven || chain[0].ID() != id {
				return nil, nil
			}
			return e, nil
		case try == tornTries:
			return nil, err
		}
		select { // half written
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(tornAfter):
		}
	}
}

// run is the state of one Run.
type run struct {
	*folder
	notifier *notifier
	poll     cadence

	listAt time.Time
	missed int  // changes that the polls found first
	blind  bool // the system tells nothing
	heard  bool // it has told something of the folder that is watched now
	health health
	toldAt time.Time
}

func (r *run) pollEvery() time.Duration {
	if r.blind || r.notifier.problem != "" {
		return pollBlind
	}
	if r.heard {
		return r.poll.heard
	}
	return r.poll.every
}

// look compares everything with what is known, after making sure that the right folder is watched:
// a change between the two is then told by an event.
func (r *run) look(all bool) {
	if r.notifier.problem == "" || all {
		if r.notifier.arm() {
			all, r.heard = true, false
		}
	}
	missed, err := r.folder.look(all)
	if all {
		r.listAt = time.Now().Add(listEvery)
	}
	if r.notifier.direct() && !all {
		if r.missed += missed; r.missed >= blindAfter {
			r.blind = true
		}
		r.heard = r.heard && missed == 0
	}
	r.tell(err)
}

// notice acts on one event and those that wait behind it.
func (r *run) notice(ev fsnotify.Event) {
	if r.notifier.moved(ev) {
		r.look(true)
		return
	}
	if pid, ok := r.notifier.pid(ev); ok {
		r.missed, r.blind, r.heard = 0, false, true
		r.check(pid, true)
	}
}

// drain acts on the events that are waiting.
func (r *run) drain() {
	for {
		select {
		case ev := <-r.notifier.events():
			r.notice(ev)
		default:
			return
		}
	}
}

// health is the last word on the source.
type health struct {
	failed bool
	text   string
}

// tell says how the source is, when that changed or the last word got old.
func (r *run) tell(err error) {
	h := health{text: r.detail()}
	if err != nil {
		h = health{failed: true, text: fmt.Sprintf("cannot read %s: %v", r.dir, cause(err))}
	}
	now := time.Now()
	if h == r.health && now.Sub(r.toldAt) < worksTold {
		return
	}
	r.health, r.toldAt = h, now
	if h.failed {
		r.emit(tracker.SourceFailed{At: now, Source: tracker.SourceRegistry, Reason: h.text})
	} else {
		r.emit(tracker.SourceWorks{At: now, Source: tracker.SourceRegistry, Detail: h.text})
	}
}

// detail is what there is to remark although the source works.
func (r *run) detail() string {
	switch denied := r.denied(); {
	case r.folder.info == nil:
		return "no sessions folder yet"
	case r.blind:
		return "the system does not tell of changes in " + r.dir + "; read every 250 ms"
	case r.notifier.problem != "":
		return r.notifier.problem + "; read every 250 ms"
	case denied == 1:
		return "1 unreadable file"
	case denied > 1:
		return fmt.Sprintf("%d unreadable files", denied)
	}
	return ""
}

// cause is the innermost reason of an error, without the path that the sentence names already.
func cause(err error) error {
	for {
		next := errors.Unwrap(err)
		if next == nil {
			return err
		}
		err = next
	}
}
