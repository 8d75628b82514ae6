package transcript

import (
	"bytes"
	"unicode/utf8"
)

// shrinker copies one JSON line into a bounded buffer and leaves out what no fact needs: the rest
// of long strings, containers nested too deep, and containers under top-level keys nobody asks
// for. The line may come in any pieces and have any length. What comes out is as valid as what
// went in; the shrinker only tracks strings and nesting and leaves judgement to the JSON decoder.
type shrinker struct {
	out   []byte
	depth int // open containers, those left out included
	skip  int // depth of the container being left out; 0 for none
	// broken: the line cannot be JSON, or is too large even without what was left out.
	broken bool

	inString bool
	kept     int     // bytes kept of the current string
	limit    int     // the most that may be
	cut      bool    // the rest of the current string is left out
	escape   [6]byte // an escape sequence is kept whole or not at all
	escaped  int     // bytes of it seen; 0 outside of one

	wantKey  bool // the next string at depth 1 is a key
	isKey    bool // the current string is one
	keyStart int
	keep     bool // the value of the last key at depth 1 may be a container
}

// keepsContainer names the top-level keys whose objects and lists hold facts. toolUseResult, the
// usual place of 40 MB, is not among them.
func keepsContainer(key []byte) bool {
	switch string(key) {
	case "message", "attachment", "origin", "forkedFrom", "error":
		return true
	}
	return false
}

// reset prepares for the next line.
func (s *shrinker) reset() {
	out := s.out[:0]
	if cap(out) > bufferBytes {
		out = nil
	}
	*s = shrinker{out: out}
}

// line is the shrunk line, valid until the next write, or nil if it cannot be JSON.
func (s *shrinker) line() []byte {
	if s.broken || s.inString || s.depth != 0 || len(s.out) == 0 {
		return nil
	}
	return s.out
}

// write takes the next piece of the line; it holds no newline.
func (s *shrinker) write(p []byte) {
	for len(p) > 0 && !s.broken {
		switch {
		case s.inString:
			p = s.str(p)
		case s.skip > 0:
			p = s.leaveOut(p)
		default:
			p = s.structure(p)
		}
	}
}

// structure handles bytes outside of strings, up to the next string or container left out.
func (s *shrinker) structure(p []byte) []byte {
	for i, c := range p {
		switch c {
		case '"':
			s.open()
			return p[i+1:]
		case '{', '[':
			s.depth++
			if s.depth > lineDepth || s.depth == 2 && !s.keep {
				s.skip = s.depth
				s.put([]byte("null"))
				return p[i+1:]
			}
			s.wantKey = s.depth == 1 && c == '{'
		case '}', ']':
			s.depth--
			if s.depth < 0 {
				s.broken = true
				return nil
			}
		case ',':
			s.wantKey = s.depth == 1
		}
		s.out = append(s.out, c)
		if len(s.out) > shrunkBytes {
			s.broken = true
			return nil
		}
	}
	return nil
}

// leaveOut passes over a container up to the next string in it or its end.
func (s *shrinker) leaveOut(p []byte) []byte {
	for i, c := range p {
		switch c {
		case '"':
			s.inString = true
			s.isKey = false
			return p[i+1:]
		case '{', '[':
			s.depth++
		case '}', ']':
			s.depth--
			if s.depth < s.skip {
				s.skip = 0
				return p[i+1:]
			}
		}
	}
	return nil
}

// open begins a string that is kept.
func (s *shrinker) open() {
	s.inString, s.cut, s.kept = true, false, 0
	s.limit = stringBytes
	if len(s.out) > crowdedBytes {
		s.limit = briefBytes
	}
	s.isKey = s.wantKey && s.depth == 1
	s.wantKey = false
	s.put([]byte{'"'})
	s.keyStart = len(s.out)
}

// str handles bytes inside a string. The next quote is searched once and not again for each
// backslash before it: both searches together stay linear in the length of the line.
func (s *shrinker) str(p []byte) []byte {
	for s.escaped > 0 {
		if len(p) == 0 {
			return nil
		}
		s.escapeByte(p[0])
		p = p[1:]
	}
	q := bytes.IndexByte(p, '"')
	if q < 0 {
		q = len(p)
	}
	b := bytes.IndexByte(p[:q], '\\')
	for b >= 0 {
		s.text(p[:b])
		s.escape[0], s.escaped = '\\', 1
		p, q = p[b+1:], q-b-1
		for s.escaped > 0 {
			if len(p) == 0 {
				return nil
			}
			if q == 0 { // the quote is the escaped byte, not the end
				q = 1 + bytes.IndexByte(p[1:], '"')
				if q == 0 {
					q = len(p)
				}
			}
			s.escapeByte(p[0])
			p, q = p[1:], q-1
		}
		b = bytes.IndexByte(p[:q], '\\')
	}
	s.text(p[:q])
	if q == len(p) {
		return nil
	}
	s.closeString()
	return p[q+1:]
}

// escapeByte takes the next byte of an escape sequence and keeps the sequence once it is whole.
func (s *shrinker) escapeByte(c byte) {
	s.escape[s.escaped] = c
	s.escaped++
	if s.escaped < 2 || s.escape[1] == 'u' && s.escaped < len(s.escape) {
		return
	}
	n := s.escaped
	s.escaped = 0
	if s.skip > 0 || s.cut {
		return
	}
	if s.kept+n > s.limit {
		s.cut = true
		return
	}
	s.kept += n
	s.put(s.escape[:n])
}

// text keeps what the limit allows of plain string bytes.
func (s *shrinker) text(b []byte) {
	if s.skip > 0 || s.cut || len(b) == 0 {
		return
	}
	if room := s.limit - s.kept; len(b) > room {
		s.put(b[:room])
		s.cut = true
		if !utf8.RuneStart(b[room]) {
			s.dropPartialRune()
		}
		return
	}
	s.kept += len(b)
	s.put(b)
}

// dropPartialRune removes the character whose rest is being cut off. It looks at what was kept,
// not at the current piece, so that the same line in other pieces ends the same way.
func (s *shrinker) dropPartialRune() {
	i := len(s.out) - 1
	for n := 1; n < utf8.UTFMax && i > 0 && !utf8.RuneStart(s.out[i]); n++ {
		i--
	}
	if i >= 0 && s.out[i] >= utf8.RuneSelf {
		s.out = s.out[:i]
	}
}

func (s *shrinker) closeString() {
	s.inString = false
	if s.skip > 0 {
		return
	}
	if s.isKey {
		s.keep = keepsContainer(s.out[s.keyStart:])
		s.isKey = false
	}
	s.put([]byte{'"'})
}

func (s *shrinker) put(b []byte) {
	s.out = append(s.out, b...)
	if len(s.out) > shrunkBytes {
		s.broken = true
	}
}
