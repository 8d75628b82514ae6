package registry

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"signalbox/tracker"
)

// waitLimit bounds every wait of these tests. It is only ever reached by a failure.
const waitLimit = 10 * time.Second

// people is a process table of the test's own making.
type people struct {
	mu    sync.Mutex
	start map[int]uint64
	asked map[int]int
}

func newPeople(pids ...int) *people {
	p := &people{start: map[int]uint64{}, asked: map[int]int{}}
	for _, pid := range pids {
		p.start[pid] = uint64(pid) * 10
	}
	return p
}

func (p *people) chain(pid int) []tracker.Process {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked[pid]++
	if start, ok := p.start[pid]; ok {
		return []tracker.Process{{PID: pid, PPID: 2, Start: start}, {PID: 2, Start: 1}}
	}
	return nil
}

func (p *people) kill(pid int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.start, pid)
}

// nobody are pids beyond those the kernel gives out.
const nobody = 1 << 23

// entry is a file of a process of people, with this status.
func entry(pid int, status string) string {
	return fmt.Sprintf(`{"pid":%d,"sessionId":"s%d","procStart":"%d","status":%q}`, pid, pid, pid*10, status)
}

// overwrite writes a file the way Claude Code does: over the old text, then cut to length.
func overwrite(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Truncate(int64(len(text))); err != nil {
		t.Fatal(err)
	}
}

type rig struct {
	t      *testing.T
	dir    string // the sessions folder
	people *people
	watch  *Watch
	events chan tracker.Event
}

// newRig makes a watch on a folder that does not exist yet.
func newRig(t *testing.T, pids ...int) *rig {
	t.Helper()
	claude := filepath.Join(t.TempDir(), "home", ".claude")
	p := newPeople(pids...)
	w := NewWatch(claude, p.chain)
	w.host = Host{Ticks: true}
	return &rig{t: t, dir: filepath.Join(claude, "sessions"), people: p, watch: w, events: make(chan tracker.Event, 256)}
}

func (r *rig) path(name string) string { return filepath.Join(r.dir, name) }

func (r *rig) file(pid int) string { return r.path(fmt.Sprint(pid) + ".json") }

func (r *rig) mkdir() {
	r.t.Helper()
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		r.t.Fatal(err)
	}
}

// eventsOnly has the watch look by itself later than any test waits: whatever is told, an event told it.
func (r *rig) eventsOnly() { r.watch.poll = cadence{time.Hour, time.Hour} }

func (r *rig) run() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- r.watch.Run(ctx, func(ev tracker.Event) { r.events <- ev }) }()
	r.t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			r.t.Errorf("Run: %v", err)
		}
	})
}

// read returns the next entry or removal that is told, passing over words on the source.
func (r *rig) read() tracker.RegistryRead {
	r.t.Helper()
	limit := time.After(waitLimit)
	for {
		select {
		case ev := <-r.events:
			if read, ok := ev.(tracker.RegistryRead); ok {
				return read
			}
		case <-limit:
			r.t.Fatal("timed out waiting for a registry event")
		}
	}
}

// want waits for one entry with this status.
func (r *rig) want(pid int, status string, trust tracker.Trust) tracker.RegistryRead {
	r.t.Helper()
	ev := r.read()
	if ev.Entry == nil || ev.PID != pid || ev.Entry.Status != status || ev.Trust != trust {
		r.t.Fatalf("told %+v (%+v), want pid %d %s with trust %v", ev, ev.Entry, pid, status, trust)
	}
	if trust == tracker.TrustProven && (len(ev.Chain) != 2 || ev.Chain[0].PID != pid) {
		r.t.Fatalf("chain %+v", ev.Chain)
	}
	return ev
}

func (r *rig) wantRemoved(pid int) {
	r.t.Helper()
	if ev := r.read(); ev.Entry != nil || ev.PID != pid {
		r.t.Fatalf("told %+v (%+v), want the removal of %d", ev, ev.Entry, pid)
	}
}

// word waits for a word on the source that contains text.
func (r *rig) word(failed bool, text string) {
	r.t.Helper()
	limit := time.After(waitLimit)
	for {
		select {
		case ev := <-r.events:
			switch ev := ev.(type) {
			case tracker.SourceFailed:
				if failed && ev.Source == tracker.SourceRegistry && strings.Contains(ev.Reason, text) {
					return
				}
			case tracker.SourceWorks:
				if !failed && ev.Source == tracker.SourceRegistry && strings.Contains(ev.Detail, text) && (text != "" || ev.Detail == "") {
					return
				}
			case tracker.RegistryRead:
				r.t.Fatalf("told %+v while waiting for a word on the source", ev)
			}
		case <-limit:
			r.t.Fatalf("timed out waiting for a word on the source: %q", text)
		}
	}
}

func TestWatchTellsWhatIsThere(t *testing.T) {
	r := newRig(t, 11)
	r.mkdir()
	overwrite(t, r.file(11), entry(11, "busy"))
	overwrite(t, r.file(nobody), entry(nobody, "waiting"))
	r.run()
	got := map[int]tracker.Trust{}
	for range 2 {
		ev := r.read()
		got[ev.PID] = ev.Trust
	}
	if got[11] != tracker.TrustProven || got[nobody] != tracker.TrustDead || len(got) != 2 {
		t.Errorf("told %v", got)
	}
	r.word(false, "")
}

func TestWatchFollowsAFile(t *testing.T) {
	r := newRig(t, 11)
	r.mkdir()
	overwrite(t, r.file(11), entry(11, "idle"))
	r.eventsOnly()
	r.run()
	r.want(11, "idle", tracker.TrustProven)
	r.word(false, "")
	var worst time.Duration // on a machine that does nothing else
	for i := range 50 {
		status := []string{"waiting", "idle", "busy", "hibernating"}[i%4] // longer and shorter in turn
		begin := time.Now()
		overwrite(t, r.file(11), entry(11, status))
		r.want(11, status, tracker.TrustProven)
		worst = max(worst, time.Since(begin))
	}
	t.Logf("worst time from write to event: %v", worst)
	tmp := r.path("11.json.tmp.x")
	overwrite(t, tmp, entry(11, "shell"))
	if err := os.Rename(tmp, r.file(11)); err != nil {
		t.Fatal(err)
	}
	r.want(11, "shell", tracker.TrustProven)
	os.Remove(r.file(11))
	r.wantRemoved(11)
	overwrite(t, r.file(11), entry(11, "idle"))
	r.want(11, "idle", tracker.TrustProven)
}

func TestWatchPassesOverLeftovers(t *testing.T) { // B14
	r := newRig(t, 11)
	r.mkdir()
	overwrite(t, r.path("pid-4711.json"), `{"session_id":"s","cwd":"/x"}`)
	overwrite(t, r.path("4712.json"), "")
	overwrite(t, r.path("4713.json"), `{"pid":47`)
	overwrite(t, r.path("4714.json"), `{"token":"x"}`)
	overwrite(t, r.path("4715.json"), strings.Repeat(" ", maxFile)+entry(4715, "idle"))
	os.Mkdir(r.path("4711.secret.key"), 0o700)
	os.Mkdir(r.path("4716.json"), 0o700)
	os.Symlink(r.path("4714.json"), r.path("4717.json"))
	if err := syscall.Mkfifo(r.path("4718.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Chmod(r.path("4714.json"), 0o600)
	r.run()
	r.word(false, "") // no banner
	overwrite(t, r.file(11), entry(11, "idle"))
	r.want(11, "idle", tracker.TrustProven) // and nothing was told before it
	// the half-written one is read again when it is written on
	r.people.mu.Lock()
	r.people.start[4713] = 5
	r.people.mu.Unlock()
	overwrite(t, r.path("4713.json"), `{"pid":4713,"sessionId":"s","procStart":"5","status":"idle"}`)
	r.want(4713, "idle", tracker.TrustProven)
	os.Remove(r.path("4714.json"))
	os.Remove(r.file(11))
	r.wantRemoved(11)
}

func TestWatchWaitsForTheFolder(t *testing.T) {
	r := newRig(t, 11, 12)
	r.eventsOnly()
	r.run()
	r.word(false, "no sessions folder yet")
	r.mkdir() // three folders at once
	overwrite(t, r.file(11), entry(11, "idle"))
	r.want(11, "idle", tracker.TrustProven)
	overwrite(t, r.file(11), entry(11, "busy"))
	r.want(11, "busy", tracker.TrustProven)

	if err := os.RemoveAll(r.dir); err != nil {
		t.Fatal(err)
	}
	r.wantRemoved(11)
	r.mkdir()
	overwrite(t, r.file(12), entry(12, "idle"))
	r.want(12, "idle", tracker.TrustProven)
	overwrite(t, r.file(12), entry(12, "busy"))
	r.want(12, "busy", tracker.TrustProven)

	// another folder in the place of this one
	if err := os.Rename(r.dir, r.dir+".old"); err != nil {
		t.Fatal(err)
	}
	r.wantRemoved(12)
	r.mkdir()
	overwrite(t, r.file(11), entry(11, "idle"))
	r.want(11, "idle", tracker.TrustProven)
}

func TestWatchWithoutInotify(t *testing.T) {
	r := newRig(t, 11)
	r.mkdir()
	r.watch.open = func() (*fsnotify.Watcher, error) { return nil, os.NewSyscallError("inotify_init1", syscall.EMFILE) }
	r.eventsOnly() // of which there are none: it looks at the pace of a blind one
	r.run()
	r.word(false, "no inotify instances left")
	overwrite(t, r.file(11), entry(11, "idle"))
	r.want(11, "idle", tracker.TrustProven)
	// the same length, and perhaps the same tick of the file system's clock
	overwrite(t, r.file(11), entry(11, "busy"))
	r.want(11, "busy", tracker.TrustProven)
}

func TestWatchRescansAfterAnOverflow(t *testing.T) {
	r := newRig(t, 11)
	r.mkdir()
	overwrite(t, r.file(11), entry(11, "idle"))
	var watcher *fsnotify.Watcher
	r.watch.open = func() (*fsnotify.Watcher, error) {
		w, err := fsnotify.NewWatcher()
		watcher = w
		return w, err
	}
	r.eventsOnly()
	r.run()
	r.want(11, "idle", tracker.TrustProven)
	r.word(false, "")
	watcher.Remove(r.dir) // what happens now is lost
	overwrite(t, r.file(11), entry(11, "waiting"))
	watcher.Errors <- fsnotify.ErrEventOverflow
	r.want(11, "waiting", tracker.TrustProven)
}

func TestWatchHurries(t *testing.T) {
	r := newRig(t, 11)
	r.mkdir()
	overwrite(t, r.file(11), entry(11, "idle"))
	r.watch.open = func() (*fsnotify.Watcher, error) { return nil, errors.New("none in this test") }
	r.run()
	r.want(11, "idle", tracker.TrustProven)
	overwrite(t, r.file(11), entry(11, "waiting"))
	for range 3 {
		r.watch.Hurry()
	}
	r.want(11, "waiting", tracker.TrustProven)
}

func TestWatchSaysWhatCannotBeRead(t *testing.T) {
	r := newRig(t, 11)
	r.mkdir()
	overwrite(t, r.file(11), entry(11, "idle"))
	r.run()
	r.want(11, "idle", tracker.TrustProven)
	r.word(false, "")
	// a folder that exists and cannot be read, for root as well
	if err := os.Rename(r.dir, r.dir+".kept"); err != nil {
		t.Fatal(err)
	}
	r.wantRemoved(11)
	if err := os.Symlink("sessions", r.dir); err != nil {
		t.Fatal(err)
	}
	r.watch.Hurry()
	r.word(true, "too many levels of symbolic links")
	os.Remove(r.dir)
	if err := os.Rename(r.dir+".kept", r.dir); err != nil {
		t.Fatal(err)
	}
	r.want(11, "idle", tracker.TrustProven)
	r.word(false, "")
}
