package wire

import (
	"encoding/binary"
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A cut keeps the beginning of a string that is read in pieces.
type cut struct {
	buf  []byte
	room int // bytes that still fit
}

// newCut keeps at least limit characters: one takes utf8.UTFMax bytes at most.
func newCut(limit int) *cut { return &cut{room: limit * utf8.UTFMax} }

func (c *cut) write(p []byte) {
	if len(p) > c.room {
		p = p[:c.room]
	}
	c.buf = append(c.buf, p...)
	c.room -= len(p)
}

// text is the first limit characters as valid UTF-8; every invalid byte counts as one character.
func (c *cut) text(limit int) string {
	var b strings.Builder
	for _, r := range string(c.buf) {
		if limit--; limit < 0 {
			break
		}
		b.WriteRune(r)
	}
	return b.String()
}

// str reads a string behind its opening quote. Decoded bytes go to text, if given, in pieces.
func (l *lexer) str(text *cut, hash bool) (digest, error) {
	s := stringSink{text: text, hash: hash, sum: newDigest('"')}
	for {
		if l.pos == l.end {
			if err := l.fill(); err != nil {
				return 0, err
			}
		}
		if n := plainPrefix(l.buf[l.pos:l.end]); n > 0 {
			s.plain(l.buf[l.pos : l.pos+n])
			l.pos += n
			continue
		}
		switch l.buf[l.pos] {
		case '"':
			s.flush()
			l.pos++
			return s.sum.done(), nil
		case '\\':
			l.pos++
			if err := l.escape(&s); err != nil {
				return 0, err
			}
		default:
			return 0, l.fail("control character in a string")
		}
	}
}

// plainPrefix is how many bytes stand before the first that means something in a string: a quote, a
// backslash or a control character. It looks at eight at a time, as most of a large payload is this.
func plainPrefix(p []byte) int {
	const (
		ones  = 0x0101010101010101
		highs = 0x8080808080808080
	)
	// The high bit of each byte of v that is below n, for n up to 128, and exact up to the first.
	below := func(v, n uint64) uint64 { return (v - ones*n) &^ v & highs }
	i := 0
	for ; len(p)-i >= 8; i += 8 {
		v := binary.LittleEndian.Uint64(p[i:])
		if found := below(v, ' ') | below(v^ones*'"', 1) | below(v^ones*'\\', 1); found != 0 {
			return i + bits.TrailingZeros64(found)/8
		}
	}
	for i < len(p) && p[i] >= ' ' && p[i] != '"' && p[i] != '\\' {
		i++
	}
	return i
}

// A stringSink puts the pieces of a string together. A surrogate pair comes as two escapes, so the
// first half waits for the second; a half that stays alone becomes U+FFFD.
type stringSink struct {
	text *cut
	hash bool
	sum  digest
	high rune // first half of a surrogate pair, or 0
}

func (s *stringSink) write(p []byte) {
	if s.text != nil {
		s.text.write(p)
	}
	if s.hash {
		s.sum = s.sum.bytes(p)
	}
}

func (s *stringSink) flush() {
	if s.high != 0 {
		s.high = 0
		s.rune(utf8.RuneError)
	}
}

func (s *stringSink) plain(p []byte) {
	s.flush()
	s.write(p)
}

func (s *stringSink) rune(r rune) {
	var b [utf8.UTFMax]byte
	s.write(utf8.AppendRune(b[:0], r))
}

// unit takes one \uXXXX escape.
func (s *stringSink) unit(r rune) {
	if high := s.high; high != 0 {
		if pair := utf16.DecodeRune(high, r); pair != utf8.RuneError {
			s.high = 0
			s.rune(pair)
			return
		}
	}
	s.flush()
	const highFirst, highLast = 0xD800, 0xDBFF
	if r >= highFirst && r <= highLast {
		s.high = r
		return
	}
	s.rune(r) // a lone second half becomes U+FFFD in AppendRune
}

// escape reads the rest of an escape behind its backslash.
func (l *lexer) escape(s *stringSink) error {
	c, err := l.peek()
	if err != nil {
		return err
	}
	const from, to = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if i := strings.IndexByte(from, c); i >= 0 {
		l.pos++
		s.plain([]byte{to[i]})
		return nil
	}
	if c != 'u' {
		return l.fail("unknown escape")
	}
	l.pos++
	var r rune
	for range 4 {
		if c, err = l.peek(); err != nil {
			return err
		}
		v, ok := hexDigit(c)
		if !ok {
			return l.fail("expected a hexadecimal digit")
		}
		r = r<<4 | v
		l.pos++
	}
	s.unit(r)
	return nil
}

func hexDigit(c byte) (rune, bool) {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0'), true
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10, true
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10, true
	}
	return 0, false
}

// number reads a number. Its digest is that of its spelling: one writer spells a value one way.
func (l *lexer) number() (digest, error) {
	sum := newDigest('0')
	take := func() (c byte, err error) {
		sum = sum.bytes(l.buf[l.pos : l.pos+1])
		l.pos++
		return l.peek()
	}
	digits := func(c byte) (byte, error) {
		if c < '0' || c > '9' {
			return 0, l.fail("expected a digit")
		}
		var err error
		for c >= '0' && c <= '9' && err == nil {
			c, err = take()
		}
		return c, err
	}
	c, err := l.peek()
	if err == nil && c == '-' {
		c, err = take()
	}
	if err != nil {
		return 0, err
	}
	if c == '0' {
		c, err = take() // nothing but a fraction or an exponent may follow a leading zero
	} else {
		c, err = digits(c)
	}
	if err == nil && c == '.' {
		if c, err = take(); err == nil {
			c, err = digits(c)
		}
	}
	if err == nil && (c == 'e' || c == 'E') {
		c, err = take()
		if err == nil && (c == '+' || c == '-') {
			c, err = take()
		}
		if err == nil {
			_, err = digits(c)
		}
	}
	return sum.done(), err
}
