package transcript

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"signalbox/tracker"
)

// errNotRegular refuses what is not a plain file: opening a pipe for reading would hang.
var errNotRegular = errors.New("not a regular file")

// file reads one transcript: at its tail when it is opened, from where it ended after that. No
// descriptor is kept between two reads. It is used by one goroutine.
type file struct {
	path   string
	ledger *ledger
	buf    []byte // shared by the files of one watcher

	stat   os.FileInfo // of the last read; nil before the first
	offset int64       // bytes up to here have been decoded, an incomplete line included
	print  []byte      // the bytes right before offset
	owner  owner
	dec    decoder
	acc    *accum
	head   *head

	bytesRead int64 // all reads of this file, for the tests of the budget
}

func newFile(path string, l *ledger, buf []byte) *file {
	return &file{path: path, ledger: l, buf: buf}
}

// facts are what the file says up to the last read.
func (f *file) facts() tracker.TranscriptFacts {
	if f.acc == nil {
		return tracker.TranscriptFacts{Path: f.path}
	}
	var before *accum
	if f.head != nil {
		before = f.head.acc
	}
	sum := f.acc.sum(before, f.head == nil || f.head.done)
	sum.TokensPartial = f.head != nil && !f.head.done
	sum.Path = f.path
	return sum
}

// read takes what is new in the file. A file that was truncated, rewritten, replaced, or has
// grown by more than is worth reading is opened again at its tail. The error is fs.ErrNotExist
// where there is no file; what was read before stays. changed is false if there was nothing new,
// which costs one stat.
func (f *file) read() (changed bool, err error) {
	stat, err := os.Stat(f.path)
	if err != nil {
		return false, fmt.Errorf("reading transcript: %w", err)
	}
	if !stat.Mode().IsRegular() {
		return false, fmt.Errorf("reading transcript %s: %w", f.path, errNotRegular)
	}
	if f.stat != nil && unchanged(f.stat, stat) {
		return false, nil
	}
	fh, err := os.Open(f.path)
	if err != nil {
		return false, fmt.Errorf("reading transcript: %w", err)
	}
	defer fh.Close()
	if stat, err = fh.Stat(); err != nil {
		return false, fmt.Errorf("reading transcript: %w", err)
	}
	if f.resumable(fh, stat) {
		err = f.feed(fh, f.offset, stat.Size())
	} else {
		err = f.openTail(fh, stat)
	}
	if err != nil {
		return false, fmt.Errorf("reading transcript: %w", err)
	}
	f.stat = stat
	return true, nil
}

// unchanged reports whether nothing can have been written between the two. Where the clock of the
// file system is coarse, size tells an append.
func unchanged(a, b os.FileInfo) bool {
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// resumable reports whether the open file continues what was read. The bytes before the offset
// must still be there: a file may be truncated in place and grow past the old size between two
// looks, and an inode may be used again.
func (f *file) resumable(fh *os.File, stat os.FileInfo) bool {
	if f.stat == nil || !os.SameFile(f.stat, stat) {
		return false
	}
	if grown := stat.Size() - f.offset; grown < 0 || grown > catchUp {
		return false
	}
	now := make([]byte, len(f.print))
	n, _ := fh.ReadAt(now, f.offset-int64(len(now)))
	f.bytesRead += int64(n)
	return bytes.Equal(now[:n], f.print)
}

// feed decodes the bytes from..to, or to the end of the file if that comes first.
func (f *file) feed(fh io.ReaderAt, from, to int64) error {
	for from < to {
		n, err := fh.ReadAt(f.buf[:min(int64(len(f.buf)), to-from)], from)
		f.bytesRead += int64(n)
		f.dec.write(f.buf[:n], f.acc.fold)
		from += int64(n)
		f.offset = from
		f.remember(f.buf[:n])
		if errors.Is(err, io.EOF) {
			return nil // shortened since the stat: the next read notices
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// remember keeps the last bytes read.
func (f *file) remember(b []byte) {
	f.print = append(f.print, b[max(0, len(b)-printBytes):]...)
	if n := len(f.print); n > printBytes {
		f.print = append(f.print[:0], f.print[n-printBytes:]...)
	}
}

// openTail starts anew at the end of the file, going back only as far as it takes to know the
// state of the turn.
func (f *file) openTail(fh *os.File, stat os.FileInfo) error {
	size := stat.Size()
	for _, window := range []int64{tailFirst, tailMore, tailMost} {
		start, inside, err := f.lineStart(fh, max(0, size-window))
		if err != nil {
			return err
		}
		if err := f.restart(fh, stat, start, size); err != nil {
			return err
		}
		f.dec.skip = inside
		if start == 0 || f.enough(window) {
			return nil
		}
	}
	if f.acc.records > 0 {
		return nil
	}
	return f.openEndlessLine(fh, stat)
}

// enough reports whether this much of the tail will do: no tool before it can be pending, and the
// prompt is in it or too far away to be worth more reading.
func (f *file) enough(window int64) bool {
	return f.acc.settled && (window > tailFirst || !f.acc.facts.PromptAt.IsZero() || !f.acc.facts.TurnEndAt.IsZero())
}

// restart forgets everything and decodes start..size; start is the beginning of a line.
func (f *file) restart(fh io.ReaderAt, stat os.FileInfo, start, size int64) error {
	f.close()
	f.owner = f.ledger.open()
	f.dec = decoder{}
	f.acc = newAccum(f.ledger, f.owner)
	f.acc.clock = stat.ModTime().UTC()
	f.print = f.print[:0]
	f.offset = start
	if start > 0 {
		f.head = newHead(start, newAccum(f.ledger, f.owner))
		f.head.acc.clock = f.acc.clock
	}
	return f.feed(fh, start, size)
}

// close gives back what the file claimed in the ledger. The file can be read again.
func (f *file) close() {
	if f.acc != nil {
		f.ledger.close(f.owner)
	}
	f.acc, f.head, f.stat = nil, nil, nil
}

// lineStart is the first beginning of a line at or after pos. If there is none it is the end of
// the file, which then is inside a line.
func (f *file) lineStart(fh io.ReaderAt, pos int64) (start int64, inside bool, err error) {
	if pos == 0 {
		return 0, false, nil
	}
	pos-- // a newline right before pos makes pos itself a beginning
	for {
		n, err := fh.ReadAt(f.buf, pos)
		f.bytesRead += int64(n)
		if i := bytes.IndexByte(f.buf[:n], '\n'); i >= 0 {
			return pos + int64(i) + 1, false, nil
		}
		pos += int64(n)
		if errors.Is(err, io.EOF) {
			return pos, true, nil
		}
		if err != nil {
			return 0, false, err
		}
	}
}

// openEndlessLine handles a file that ends in one line longer than every window: the beginning of
// that line is searched backwards, once, and the line decoded from there.
func (f *file) openEndlessLine(fh *os.File, stat os.FileInfo) error {
	size := stat.Size()
	end := max(0, size-tailMost)
	for end > 0 && end > size-lineStartMost {
		from := max(0, end-int64(len(f.buf)))
		n, err := fh.ReadAt(f.buf[:end-from], from)
		f.bytesRead += int64(n)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if i := bytes.LastIndexByte(f.buf[:n], '\n'); i >= 0 {
			return f.restart(fh, stat, from+int64(i)+1, size)
		}
		end = from
	}
	if end == 0 {
		return f.restart(fh, stat, 0, size)
	}
	return nil
}

// missing reports whether err says that there is no such file.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
