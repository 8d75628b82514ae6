package transcript

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// head counts the part of a file before its tail, piece by piece.
type head struct {
	at, end int64 // counted up to at; end is where the tail begins, at a line start
	dec     decoder
	acc     *accum
	done    bool
}

func newHead(end int64, acc *accum) *head { return &head{end: end, acc: acc} }

// counting reports whether there is a part of the file left to count.
func (f *file) counting() bool { return f.head != nil && !f.head.done }

// left is how many bytes there are to count.
func (f *file) left() int64 { return f.head.end - f.head.at }

// countHead counts the next piece. A file that is no longer the one that was opened is left to
// the next read.
func (f *file) countHead() error {
	fh, err := os.Open(f.path)
	if err != nil {
		return fmt.Errorf("counting transcript: %w", err)
	}
	defer fh.Close()
	stat, err := fh.Stat()
	if err != nil {
		return fmt.Errorf("counting transcript: %w", err)
	}
	if !os.SameFile(stat, f.stat) || stat.Size() < f.head.end {
		return fmt.Errorf("counting transcript %s: %w", f.path, os.ErrNotExist)
	}
	h := f.head
	for stop := min(h.at+headStep, h.end); h.at < stop; {
		n, err := fh.ReadAt(f.buf[:min(int64(len(f.buf)), stop-h.at)], h.at)
		h.dec.write(f.buf[:n], h.acc.fold)
		h.at += int64(n)
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("counting transcript: %w", err)
		}
		if n == 0 {
			break
		}
	}
	h.done = h.at >= h.end
	return nil
}
