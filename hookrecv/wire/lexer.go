package wire

import (
	"bytes"
	"fmt"
	"io"
)

const (
	// bufferSize is one pipe buffer of Linux: a writer of a large payload is drained at full speed.
	bufferSize = 64 << 10
	// maxDepth is the nesting encoding/json accepts. It bounds the recursion of value.
	maxDepth = 10000
	// maxKey is longer than any key we look for; what is cut can match none of them.
	maxKey = 64
	// maxEmptyReads bounds how often a reader may return nothing without an error, as in bufio.
	maxEmptyReads = 100
)

// A lexer reads JSON from a stream with one fixed buffer. It accepts exactly what encoding/json
// accepts and never looks past the value it was asked for.
type lexer struct {
	src      io.Reader
	buf      []byte
	pos, end int
	base     int64  // offset of buf[0] in the stream
	key      []byte // the member name read last, cut to maxKey; valid until the next one
}

// newLexer needs no larger buffer than there are bytes, where that is known: a board reads thousands
// of messages that are in memory and have some hundred.
func newLexer(src io.Reader) *lexer {
	size := bufferSize
	if r, ok := src.(*bytes.Reader); ok {
		size = min(size, max(r.Len(), 1))
	}
	return &lexer{src: src, buf: make([]byte, size), key: make([]byte, 0, maxKey)}
}

// A SyntaxError says where a payload stops being JSON.
type SyntaxError struct {
	Offset int64 // bytes before the offending one
	What   string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("byte %d: %s", e.Offset, e.What) }

func (l *lexer) fail(what string) error {
	return &SyntaxError{Offset: l.base + int64(l.pos), What: what}
}

// fill replaces the used-up buffer. The end of the stream is unexpected by definition: nobody
// asks for more after a complete value.
func (l *lexer) fill() error {
	l.base += int64(l.end)
	l.pos, l.end = 0, 0
	for range maxEmptyReads {
		n, err := l.src.Read(l.buf)
		if n > 0 {
			l.end = n
			return nil
		}
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return fmt.Errorf("reading payload: %w", err)
		}
	}
	return io.ErrNoProgress
}

// peek is the next byte, which stays unread.
func (l *lexer) peek() (byte, error) {
	if l.pos == l.end {
		if err := l.fill(); err != nil {
			return 0, err
		}
	}
	return l.buf[l.pos], nil
}

// token is the next byte that is not white space, which stays unread.
func (l *lexer) token() (byte, error) {
	for {
		c, err := l.peek()
		if err != nil {
			return 0, err
		}
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c, nil
		}
		l.pos++
	}
}

// value reads one value of any kind. A string is kept in text, if given. With hash set the result
// is a digest of the value that does not depend on white space, escapes or the order of keys.
func (l *lexer) value(depth int, text *cut, hash bool) (digest, error) {
	if depth > maxDepth {
		return 0, l.fail("nested too deep")
	}
	c, err := l.token()
	if err != nil {
		return 0, err
	}
	switch c {
	case '"':
		l.pos++
		return l.str(text, hash)
	case '{':
		l.pos++
		return l.object(depth, hash)
	case '[':
		l.pos++
		return l.array(depth, hash)
	case 't':
		return l.literal("true")
	case 'f':
		return l.literal("false")
	case 'n':
		return l.literal("null")
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return l.number()
	}
	return 0, l.fail("expected a value")
}

// object reads the rest of an object. The sum over its members does not depend on their order.
func (l *lexer) object(depth int, hash bool) (digest, error) {
	sum := digest(0)
	for first := true; ; first = false {
		key, ok, err := l.member(first)
		if err != nil {
			return 0, err
		}
		if !ok {
			return sum.as('{'), nil
		}
		v, err := l.value(depth+1, nil, hash)
		if err != nil {
			return 0, err
		}
		sum += pair(key, v)
	}
}

// member goes to the value of an object's next member and leaves the name in l.key. It reports
// false behind the closing brace.
func (l *lexer) member(first bool) (digest, bool, error) {
	ok, err := l.next(first, '}')
	if err != nil || !ok {
		return 0, false, err
	}
	c, err := l.token()
	if err != nil {
		return 0, false, err
	}
	if c != '"' {
		return 0, false, l.fail("expected a member name")
	}
	l.pos++
	name := cut{buf: l.key[:0], room: maxKey}
	sum, err := l.str(&name, true)
	if err != nil {
		return 0, false, err
	}
	l.key = name.buf
	if c, err = l.token(); err != nil {
		return 0, false, err
	}
	if c != ':' {
		return 0, false, l.fail("expected a colon")
	}
	l.pos++
	return sum, true, nil
}

// array reads the rest of an array. The order of its elements matters.
func (l *lexer) array(depth int, hash bool) (digest, error) {
	sum := digest(0)
	for first := true; ; first = false {
		ok, err := l.next(first, ']')
		if err != nil {
			return 0, err
		}
		if !ok {
			return sum.as('['), nil
		}
		v, err := l.value(depth+1, nil, hash)
		if err != nil {
			return 0, err
		}
		sum = pair(sum, v)
	}
}

// next goes to the next element of an object or array, past the comma between two. It reports
// false behind the closing bracket.
func (l *lexer) next(first bool, closing byte) (bool, error) {
	c, err := l.token()
	switch {
	case err != nil:
		return false, err
	case c == closing:
		l.pos++
		return false, nil
	case first:
		return true, nil
	case c != ',':
		return false, l.fail("expected a comma")
	}
	l.pos++
	if c, err = l.token(); err != nil {
		return false, err
	}
	if c == closing {
		return false, l.fail("trailing comma")
	}
	return true, nil
}

// literal reads true, false or null.
func (l *lexer) literal(word string) (digest, error) {
	for i := range len(word) {
		c, err := l.peek()
		if err != nil {
			return 0, err
		}
		if c != word[i] {
			return 0, l.fail("expected " + word)
		}
		l.pos++
	}
	return newDigest(word[0]).done(), nil
}
