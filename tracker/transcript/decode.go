package transcript

import "bytes"

// decoder cuts a stream of bytes into lines and the lines into records. The pieces it is given
// may end anywhere: the records are the same.
type decoder struct {
	shrink  shrinker
	skip    bool  // the stream began inside a line: nothing counts before the next newline
	pending int64 // bytes of the line that is not complete yet
	skipped int   // lines that were not JSON objects
}

// write takes the next bytes and calls emit for each record completed by them. The record is
// emit's to keep.
func (d *decoder) write(p []byte, emit func(*record)) {
	for len(p) > 0 {
		end := bytes.IndexByte(p, '\n')
		if end < 0 {
			d.pending += int64(len(p))
			if !d.skip {
				d.shrink.write(p)
			}
			return
		}
		if !d.skip {
			d.shrink.write(p[:end])
			d.finish(emit)
		}
		d.shrink.reset()
		d.skip = false
		d.pending = 0
		p = p[end+1:]
	}
}

// finish decodes the line that is complete.
func (d *decoder) finish(emit func(*record)) {
	if len(bytes.TrimSpace(d.shrink.out)) == 0 && !d.shrink.broken {
		return // an empty line is no error
	}
	r := parseRecord(d.shrink.line())
	if r == nil {
		d.skipped++
		return
	}
	emit(r)
}
