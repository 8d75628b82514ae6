package registry

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"signalbox/tracker"
)

// file is what is known of one registry file.
type file struct {
	info    fs.FileInfo          // just before it was last read
	settled bool                 // a write after that read would have changed info
	told    tracker.RegistryRead // what was told last; a nil Entry: nothing
	live    bool                 // worth a look at every poll: it speaks of a process that lives here
	denied  bool                 // this user may not read it
}

// folder keeps the state of the sessions folder and turns looks at it into events. It belongs to
// one goroutine.
type folder struct {
	dir   string
	host  Host
	chain func(pid int) []tracker.Process
	emit  func(tracker.Event)

	files  map[int]*file
	info   fs.FileInfo // of the folder when it was last listed; nil: it did not exist
	listed time.Time
	torn   map[int]bool // to be read again in a moment
}

func newFolder(dir string, host Host, chain func(pid int) []tracker.Process, emit func(tracker.Event)) *folder {
	return &folder{dir: dir, host: host, chain: chain, emit: emit, files: map[int]*file{}, torn: map[int]bool{}}
}

// look compares the folder with what is known and reads what changed. It costs one stat of the
// folder and one per living entry. The folder is listed when it changed, or when all is set; then
// the files that speak of nobody are looked at as well. missed is how many changes it found that
// somebody should have told by now. An error means that the folder cannot be read: what is known
// stays.
func (f *folder) look(all bool) (missed int, err error) {
	info, err := os.Stat(f.dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		f.info = nil
		for pid := range f.files {
			f.removed(pid)
		}
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if all || f.info == nil || !os.SameFile(f.info, info) || !f.info.ModTime().Equal(info.ModTime()) || f.listed.Sub(info.ModTime()) < racy {
		return f.list(info)
	}
	for pid, fl := range f.files {
		if (fl.live || !fl.settled) && f.check(pid, false) {
			missed++
		}
	}
	return missed, nil
}

const (
	// racy is the age below which the time of a change does not tell whether another one followed:
	// file systems keep times in steps, of up to two seconds.
	racy = 2 * time.Second
	// late is the age from which a change should have been told by the system.
	late = time.Second
)

// list reads the folder's names and looks at every file.
func (f *folder) list(info fs.FileInfo) (missed int, err error) {
	now := time.Now()
	d, err := os.Open(f.dir)
	if err != nil {
		return 0, err
	}
	names, err := d.Readdirnames(-1)
	d.Close()
	if err != nil {
		return 0, err
	}
	f.info, f.listed = info, now
	there := map[int]bool{}
	for _, name := range names {
		if pid, ok := PIDOf(name); ok {
			there[pid] = true
			if f.check(pid, false) {
				missed++
			}
		}
	}
	for pid := range f.files {
		if !there[pid] {
			f.removed(pid)
		}
	}
	return missed, nil
}

// check looks at one file and reads it if it changed, or if sure is set: an event came for it. It
// reports whether a change was found that somebody should have told by now.
func (f *folder) check(pid int, sure bool) (missed bool) {
	path := filepath.Join(f.dir, fmt.Sprint(pid)+".json")
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		f.removed(pid)
		return false
	case err != nil || !info.Mode().IsRegular():
		return false // nothing Claude Code has written
	}
	fl := f.files[pid]
	if fl == nil {
		fl = &file{}
		f.files[pid] = fl
	}
	known := fl.info != nil
	changed := !known || !sameStamp(fl.info, info)
	if !changed && fl.settled && !fl.denied && !sure {
		return false
	}
	age := time.Since(info.ModTime())
	fl.info, fl.settled = info, age > racy || age < -racy // a time in the future stays what it is
	f.read(pid, path, fl)
	return known && changed && !sure && age > late
}

func sameStamp(a, b fs.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// read reads one file, judges it and tells what is new.
func (f *folder) read(pid int, path string, fl *file) {
	at := time.Now()
	data, err := readBounded(path)
	fl.denied = errors.Is(err, fs.ErrPermission)
	if err != nil {
		return // gone meanwhile, which its folder will tell, or not readable
	}
	entry, err := Decode(pid, data)
	if errors.Is(err, ErrNotEntry) {
		f.untell(pid, fl)
		return
	}
	if err != nil {
		f.torn[pid] = true // half written
		return
	}
	chain := f.chain(pid)
	there := len(chain) > 0 || exists(pid)
	trust := Verify(entry, chain, there, f.host)
	fl.live = trust == tracker.TrustProven || trust == tracker.TrustUnproven
	if len(chain) == 0 && trust == tracker.TrustUnproven {
		fl.settled = false // alive but unreadable a moment ago: ask again
	}
	if was := fl.told; was.Entry != nil && *was.Entry == *entry && was.Trust == trust && sameProcess(was.Chain, chain) {
		return
	}
	fl.told = tracker.RegistryRead{At: at, PID: pid, Entry: entry, Trust: trust, Chain: chain}
	f.emit(fl.told)
}

func sameProcess(a, b []tracker.Process) bool {
	return len(a) == 0 && len(b) == 0 || len(a) > 0 && len(b) > 0 && a[0].ID() == b[0].ID()
}

// removed forgets a file that is no longer there and tells so if it was ever told.
func (f *folder) removed(pid int) {
	fl := f.files[pid]
	if fl == nil {
		return
	}
	delete(f.files, pid)
	delete(f.torn, pid)
	f.untell(pid, fl)
}

func (f *folder) untell(pid int, fl *file) {
	if fl.told.Entry == nil {
		return
	}
	fl.told, fl.live = tracker.RegistryRead{}, false
	f.emit(tracker.RegistryRead{At: time.Now(), PID: pid, Chain: f.chain(pid)})
}

// retry reads the half-written files once more. Those that still are must change to be read again.
func (f *folder) retry() {
	for pid := range f.torn {
		delete(f.torn, pid)
		f.check(pid, true)
		delete(f.torn, pid)
	}
}

// denied counts the files that this user may not read.
func (f *folder) denied() int {
	n := 0
	for _, fl := range f.files {
		if fl.denied {
			n++
		}
	}
	return n
}

// readBounded reads a regular file. It does not wait for a writer, should it be replaced by a pipe
// just now.
func readBounded(path string) ([]byte, error) {
	fd, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return nil, err
	}
	defer fd.Close()
	data, err := io.ReadAll(io.LimitReader(fd, maxFile+1))
	if err == nil && len(data) > maxFile {
		return nil, fmt.Errorf("%s has more than %d bytes", path, maxFile)
	}
	return data, err
}

// exists reports whether a process has this pid, whoever it belongs to.
func exists(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
