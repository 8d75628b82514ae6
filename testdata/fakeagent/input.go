package fakeagent

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// key is one key press that is not text.
type key uint8

const (
	keyNone key = iota
	keyEnter
	keyNewline // Ctrl-J
	keyEsc
	keyTab
	keyBackTab
	keyUp
	keyDown
	keyLeft
	keyRight
	keyHome
	keyEnd
	keyBackspace
	keyDelete
	keyCtrlC
	keyCtrlD
	keyCtrlG
	keyCtrlO
	keyCtrlR
	keyCtrlU
	keyCtrlW
	keyCtrlZ
	keyOther // a control sequence Claude does not act on
)

// tokenKind tells what a run of input bytes is.
type tokenKind uint8

const (
	tokenText   tokenKind = iota // printable characters
	tokenKey                     // one key
	tokenPaste                   // the inside of a bracketed paste
	tokenReport                  // mouse or focus report of the terminal
)

// token is one piece of decoded input; raw holds its bytes, paste brackets included.
type token struct {
	kind tokenKind
	key  key
	text string
	raw  string
}

const (
	pasteStart = "\x1b[200~"
	pasteEnd   = "\x1b[201~"
	// maxPaste bounds what a paste without end can make us keep.
	maxPaste = 4 << 20
)

// decoder cuts a byte stream into tokens. It keeps incomplete sequences until the next bytes; a
// lone ESC is only told from the start of a sequence by time, so the caller calls flush when no
// byte followed for a moment.
type decoder struct {
	buf     []byte
	inPaste bool
}

// feed adds bytes and returns the tokens they complete.
func (d *decoder) feed(b []byte) []token {
	d.buf = append(d.buf, b...)
	var out []token
	for {
		t, n := d.next(false)
		if n == 0 {
			return out
		}
		out = append(out, t)
		d.buf = d.buf[n:]
	}
}

// pending reports whether bytes wait for their rest.
func (d *decoder) pending() bool { return len(d.buf) > 0 && !d.inPaste }

// flush takes what waits as it is: ESC alone is the Esc key.
func (d *decoder) flush() []token {
	var out []token
	for d.pending() {
		t, n := d.next(true)
		if n == 0 {
			break
		}
		out = append(out, t)
		d.buf = d.buf[n:]
	}
	return out
}

// next decodes the token at the front of the buffer and says how many bytes it took; 0 means that
// more bytes are needed.
func (d *decoder) next(final bool) (token, int) {
	if d.inPaste || bytes.HasPrefix(d.buf, []byte(pasteStart)) {
		return d.nextPaste()
	}
	if len(d.buf) == 0 {
		return token{}, 0
	}
	c := d.buf[0]
	switch {
	case c == 0x1b:
		return d.nextEscape(final)
	case c < 0x20 || c == 0x7f:
		return token{kind: tokenKey, key: controlKey(c), raw: string(c)}, 1
	}
	n := 0
	for n < len(d.buf) && d.buf[n] >= 0x20 && d.buf[n] != 0x7f {
		r, size := utf8.DecodeRune(d.buf[n:])
		if r == utf8.RuneError && size == 1 && !utf8.FullRune(d.buf[n:]) && !final {
			break
		}
		n += size
	}
	if n == 0 {
		return token{}, 0
	}
	s := string(d.buf[:n])
	return token{kind: tokenText, text: strings.ToValidUTF8(s, "\uFFFD"), raw: s}, n
}

func (d *decoder) nextPaste() (token, int) {
	d.inPaste = true
	body := d.buf[len(pasteStart):]
	end := bytes.Index(body, []byte(pasteEnd))
	if end < 0 && len(d.buf) < maxPaste {
		return token{}, 0
	}
	d.inPaste = false
	if end < 0 {
		n := len(d.buf)
		return token{kind: tokenPaste, text: string(body), raw: string(d.buf)}, n
	}
	n := len(pasteStart) + end + len(pasteEnd)
	return token{kind: tokenPaste, text: string(body[:end]), raw: string(d.buf[:n])}, n
}

// nextEscape decodes ESC, an SS3 key, or a CSI sequence.
func (d *decoder) nextEscape(final bool) (token, int) {
	esc := token{kind: tokenKey, key: keyEsc, raw: "\x1b"}
	if len(d.buf) == 1 {
		if final {
			return esc, 1
		}
		return token{}, 0
	}
	switch d.buf[1] {
	case 'O':
		if len(d.buf) < 3 {
			return incomplete(esc, final)
		}
		return token{kind: tokenKey, key: cursorKey(d.buf[2]), raw: string(d.buf[:3])}, 3
	case '[':
		for i := 2; i < len(d.buf); i++ {
			if c := d.buf[i]; c >= 0x40 && c <= 0x7e {
				return csiToken(string(d.buf[:i+1])), i + 1
			}
		}
		return incomplete(esc, final)
	case 0x1b:
		return esc, 1
	}
	// ESC and a character: Alt, which Claude does not act on here.
	return token{kind: tokenKey, key: keyOther, raw: string(d.buf[:2])}, 2
}

func incomplete(esc token, final bool) (token, int) {
	if final {
		return esc, 1
	}
	return token{}, 0
}

// csiToken names a complete CSI sequence.
func csiToken(raw string) token {
	final := raw[len(raw)-1]
	args := raw[2 : len(raw)-1]
	t := token{kind: tokenKey, key: keyOther, raw: raw}
	switch {
	case (final == 'M' || final == 'm') && strings.HasPrefix(args, "<"), final == 'I', final == 'O':
		t.kind = tokenReport
	case final == 'Z':
		t.key = keyBackTab
	case final == '~' && args == "3":
		t.key = keyDelete
	case args == "":
		t.key = cursorKey(final)
	}
	return t
}

func cursorKey(c byte) key {
	switch c {
	case 'A':
		return keyUp
	case 'B':
		return keyDown
	case 'C':
		return keyRight
	case 'D':
		return keyLeft
	case 'H':
		return keyHome
	case 'F':
		return keyEnd
	}
	return keyOther
}

func controlKey(c byte) key {
	switch c {
	case '\r':
		return keyEnter
	case '\n':
		return keyNewline
	case '\t':
		return keyTab
	case 0x03:
		return keyCtrlC
	case 0x04:
		return keyCtrlD
	case 0x07:
		return keyCtrlG
	case 0x08, 0x7f:
		return keyBackspace
	case 0x0f:
		return keyCtrlO
	case 0x12:
		return keyCtrlR
	case 0x15:
		return keyCtrlU
	case 0x17:
		return keyCtrlW
	case 0x1a:
		return keyCtrlZ
	case 0x01:
		return keyHome
	case 0x05:
		return keyEnd
	}
	return keyOther
}
