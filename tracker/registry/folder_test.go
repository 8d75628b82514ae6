package registry

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"signalbox/tracker"
)

// desk is a folder looked at by hand: no clock and no watch.
type desk struct {
	*folder
	t    *testing.T
	told []tracker.RegistryRead
	p    *people
	old  time.Time // of the folder
}

func newDesk(t *testing.T, pids ...int) *desk {
	d := &desk{t: t, p: newPeople(pids...), old: time.Now().Add(-time.Hour)}
	d.folder = newFolder(t.TempDir(), Host{Ticks: true}, d.p.chain, func(ev tracker.Event) {
		if read, ok := ev.(tracker.RegistryRead); ok {
			d.told = append(d.told, read)
		}
	})
	return d
}

// write puts a file there with a time in the past, so that nothing about it is racy.
func (d *desk) write(pid int, text string, age time.Duration) {
	d.t.Helper()
	path := filepath.Join(d.dir, fmt.Sprint(pid)+".json")
	overwrite(d.t, path, text)
	at := time.Now().Add(-age)
	if err := os.Chtimes(path, at, at); err != nil {
		d.t.Fatal(err)
	}
}

// age makes the folder itself old, always the same: as if nothing in it had come or gone.
func (d *desk) age() {
	if err := os.Chtimes(d.dir, d.old, d.old); err != nil {
		d.t.Fatal(err)
	}
}

func (d *desk) lookAll(all bool) int {
	d.t.Helper()
	missed, err := d.look(all)
	if err != nil {
		d.t.Fatal(err)
	}
	return missed
}

// take returns what was told since the last call, as text.
func (d *desk) take() string {
	s := ""
	for _, ev := range d.told {
		switch {
		case ev.Entry == nil:
			s += fmt.Sprintf("-%d ", ev.PID)
		default:
			s += fmt.Sprintf("%d:%s:%d ", ev.PID, ev.Entry.Status, ev.Trust)
		}
	}
	d.told = nil
	return s
}

func (d *desk) want(s string) {
	d.t.Helper()
	if got := d.take(); got != s {
		d.t.Fatalf("told %q, want %q", got, s)
	}
}

func TestFolderTellsAChangeOnce(t *testing.T) {
	d := newDesk(t, 11)
	d.write(11, entry(11, "idle"), time.Hour)
	d.lookAll(false)
	d.want("11:idle:0 ")
	d.lookAll(true)
	d.write(11, entry(11, "idle"), time.Minute) // rewritten, the same
	d.lookAll(true)
	d.want("")
	d.write(11, entry(11, "busy"), 30*time.Second)
	d.age()
	d.lookAll(false)
	d.want("11:busy:0 ")
}

func TestFolderReadsAYoungFileTwice(t *testing.T) {
	d := newDesk(t, 11)
	d.write(11, entry(11, "idle"), 0)
	d.lookAll(true)
	d.want("11:idle:0 ")
	info := d.files[11].info
	d.write(11, entry(11, "busy"), 0) // the same length, and now also the same time
	os.Chtimes(filepath.Join(d.dir, "11.json"), info.ModTime(), info.ModTime())
	d.age()
	d.lookAll(false)
	d.want("11:busy:0 ")
}

func TestFolderLeavesTheDeadAlone(t *testing.T) {
	d := newDesk(t, 11)
	d.write(11, entry(11, "idle"), time.Hour)
	for pid := nobody; pid < nobody+80; pid++ {
		d.write(pid, entry(pid, "waiting"), time.Hour)
	}
	d.age()
	d.lookAll(true)
	if len(d.told) != 81 {
		t.Fatalf("told %d, want 81", len(d.told))
	}
	d.take()
	clear(d.p.asked)
	d.write(nobody, entry(nobody, "busy"), time.Minute)
	d.age()
	for range 10 {
		d.lookAll(false)
	}
	d.want("")
	if len(d.p.asked) != 0 {
		t.Errorf("the process table was asked for %v in ten looks at rest", d.p.asked)
	}
	d.lookAll(true) // the slow look finds it
	d.want(fmt.Sprintf("%d:busy:1 ", nobody))
}

func TestFolderNeverResurrects(t *testing.T) {
	d := newDesk(t, nobody)
	d.write(nobody, entry(nobody, "busy"), time.Hour)
	d.lookAll(true)
	d.want(fmt.Sprintf("%d:busy:0 ", nobody))
	d.p.kill(nobody) // kill -9: the file stays
	for range 3 {
		d.lookAll(true)
	}
	d.want("") // its end is for others to tell
	d.write(nobody, entry(nobody, "idle"), time.Minute)
	d.lookAll(true)
	d.want(fmt.Sprintf("%d:idle:1 ", nobody))
}

func TestFolderAsksAgainForTheUnreadable(t *testing.T) {
	d := newDesk(t)
	pid := os.Getpid() // there is such a process, but the table will not say which
	d.write(pid, entry(pid, "idle"), time.Hour)
	d.age()
	d.lookAll(true)
	d.want(fmt.Sprintf("%d:idle:3 ", pid))
	d.lookAll(false)
	d.want("")
	d.p.start[pid] = uint64(pid) * 10
	d.lookAll(false)
	d.want(fmt.Sprintf("%d:idle:0 ", pid))
}

func TestFolderReadsHalfWrittenFilesOnceMore(t *testing.T) {
	d := newDesk(t, 11)
	// Claude Code shortens a file: the new text, with the tail of the old behind it
	whole := entry(11, "idle")
	d.write(11, whole+`sion"}`, 0)
	d.lookAll(true)
	d.want("")
	if !d.torn[11] {
		t.Fatal("not to be read again")
	}
	d.write(11, whole, 0)
	d.retry()
	d.want("11:idle:0 ")
	d.write(11, whole+"}", time.Minute)
	d.check(11, true)
	d.retry() // still torn: what was told stays, and it must change to be read again
	if len(d.torn) != 0 {
		t.Errorf("to be read again: %v", d.torn)
	}
	d.want("")
}

func TestFolderTellsAnEntryThatIsNoneAnyMore(t *testing.T) {
	d := newDesk(t, 11)
	d.write(11, entry(11, "idle"), time.Hour)
	d.lookAll(true)
	d.write(11, `{}`, time.Minute)
	d.lookAll(true)
	d.want("11:idle:0 -11 ")
}

func TestFolderKeepsWhatItKnowsWhileItCannotBeRead(t *testing.T) {
	d := newDesk(t, 11)
	d.write(11, entry(11, "idle"), time.Hour)
	d.lookAll(true)
	d.take()
	if err := os.Rename(d.dir, d.dir+".kept"); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Base(d.dir), d.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := d.look(true); err == nil {
		t.Error("a loop of links was read")
	}
	d.want("")
	os.Remove(d.dir)
	d.lookAll(true)
	d.want("-11 ") // now it is really gone
	os.Rename(d.dir+".kept", d.dir)
}

func TestRunNoticesASilentSystem(t *testing.T) {
	d := newDesk(t, 11)
	d.write(11, entry(11, "idle"), time.Hour)
	n := &notifier{dir: d.dir, open: fsnotify.NewWatcher}
	defer n.close()
	r := &run{folder: d.folder, notifier: n, poll: cadence{pollEvery, pollHeard}}
	r.look(true)
	if !n.direct() {
		t.Fatalf("not watched: %v", n.problem)
	}
	n.watcher.Remove(d.dir) // as a network folder does: accepted, and never a word
	d.age()
	for i, status := range []string{"busy", "waiting"} {
		if r.blind || r.pollEvery() != pollEvery {
			t.Fatalf("blind after %d changes", i)
		}
		d.write(11, entry(11, status), 5*time.Second)
		d.age()
		r.look(false)
	}
	if !r.blind || r.pollEvery() != pollBlind || r.detail() == "" {
		t.Errorf("blind %v, next poll in %v, detail %q", r.blind, r.pollEvery(), r.detail())
	}
	d.want("11:idle:0 11:busy:0 11:waiting:0 ")
	r.notice(fsnotify.Event{Name: filepath.Join(d.dir, "11.json"), Op: fsnotify.Write})
	if r.blind || r.pollEvery() != pollHeard {
		t.Errorf("after an event: blind %v, next poll in %v", r.blind, r.pollEvery())
	}
	d.write(11, entry(11, "idle"), 5*time.Second)
	d.age()
	r.look(false)
	if r.pollEvery() != pollEvery {
		t.Errorf("after a change that nobody told, next poll in %v", r.pollEvery())
	}
	r.heard = true
	os.Rename(d.dir, d.dir+".old")
	if err := os.Mkdir(d.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	r.look(true)
	if r.heard {
		t.Error("another folder in its place counts as heard of")
	}
}

func TestNoWatchInWords(t *testing.T) {
	for _, err := range []error{os.NewSyscallError("inotify_init1", errors.New("x")), errors.New("y")} {
		if noWatch(err) == "" {
			t.Errorf("no words for %v", err)
		}
	}
}

func BenchmarkLookAtRest(b *testing.B) {
	dir := b.TempDir()
	p := newPeople()
	f := newFolder(dir, Host{Ticks: true}, p.chain, func(tracker.Event) {})
	at := time.Now().Add(-time.Hour)
	for i := range 130 {
		pid := nobody + i
		if i < 30 {
			p.start[pid] = uint64(pid) * 10
		}
		path := filepath.Join(dir, fmt.Sprint(pid)+".json")
		if err := os.WriteFile(path, []byte(entry(pid, "idle")), 0o600); err != nil {
			b.Fatal(err)
		}
		os.Chtimes(path, at, at)
	}
	os.Chtimes(dir, at, at)
	f.look(true)
	for b.Loop() {
		f.look(false)
	}
}

func TestScan(t *testing.T) {
	r := newRig(t, 11)
	claude := filepath.Dir(r.dir)
	if events, err := Scan(t.Context(), claude, r.people.chain); err != nil || len(events) != 0 {
		t.Errorf("no folder: %v, %v", events, err)
	}
	r.mkdir()
	overwrite(t, r.file(11), entry(11, "idle"))
	overwrite(t, r.file(12), `{"pid":1`)
	events, err := Scan(t.Context(), claude, r.people.chain)
	if err != nil || len(events) != 1 {
		t.Fatalf("events %v, %v", events, err)
	}
	if ev := events[0].(tracker.RegistryRead); ev.PID != 11 || ev.Entry.Status != "idle" {
		t.Errorf("event %+v", ev)
	}
	os.Rename(r.dir, r.dir+".kept")
	os.Symlink("sessions", r.dir)
	if _, err := Scan(t.Context(), claude, r.people.chain); err == nil {
		t.Error("a folder that cannot be read: no error")
	}
}

func TestFolderTellsAnotherProcessUnderTheSameFile(t *testing.T) {
	d := newDesk(t, 11)
	d.write(11, `{"sessionId":"s","status":"idle"}`, time.Hour) // no start time: nothing proves who wrote it
	d.lookAll(true)
	d.want("11:idle:3 ")
	d.p.start[11]++
	d.check(11, true)
	d.want("11:idle:3 ")
	if d.files[11].told.Chain[0].Start != 111 {
		t.Errorf("told of %+v", d.files[11].told.Chain)
	}
	d.check(11, true)
	d.want("")
}

func TestNotifierForgetsAFolderThatWent(t *testing.T) {
	n := &notifier{dir: t.TempDir(), open: fsnotify.NewWatcher}
	defer n.close()
	if !n.arm() || n.arm() {
		t.Fatal("the first watch is new, the second is not")
	}
	if n.moved(fsnotify.Event{Name: n.dir, Op: fsnotify.Chmod}) {
		t.Error("another mode is not another folder")
	}
	// A folder made in its place may get its inode: then it looks the same and is not watched.
	if !n.moved(fsnotify.Event{Name: n.dir, Op: fsnotify.Remove}) || !n.arm() {
		t.Error("the folder in its place is not watched anew")
	}
}
