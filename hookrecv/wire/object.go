package wire

import (
	"strconv"
	"unicode/utf8"
)

// An object is a JSON object that is being appended to buf. Members with zero values are left out.
type object struct {
	buf   []byte
	empty bool
}

func openObject(b []byte) object { return object{buf: append(b, '{'), empty: true} }

func (o *object) close() []byte { return append(o.buf, '}') }

// name begins a member; the caller appends its value to buf.
func (o *object) name(name string) {
	if !o.empty {
		o.buf = append(o.buf, ',')
	}
	o.empty = false
	o.buf = append(appendString(o.buf, name), ':')
}

func (o *object) text(name, value string) {
	if value != "" {
		o.name(name)
		o.buf = appendString(o.buf, value)
	}
}

func (o *object) count(name string, value int) {
	if value != 0 {
		o.number(name, int64(value))
	}
}

// number is never left out.
func (o *object) number(name string, value int64) {
	o.name(name)
	o.buf = strconv.AppendInt(o.buf, value, 10)
}

func (o *object) numbers(name string, values []int) {
	o.name(name)
	o.buf = append(o.buf, '[')
	for i, v := range values {
		if i > 0 {
			o.buf = append(o.buf, ',')
		}
		o.buf = strconv.AppendInt(o.buf, int64(v), 10)
	}
	o.buf = append(o.buf, ']')
}

// appendString appends s as a JSON string. Line breaks and all other control characters are
// escaped, so that a message stays one line; invalid UTF-8 becomes U+FFFD.
func appendString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r == '\t':
			b = append(b, '\\', 't')
		case r < ' ' || r == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&0xf])
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
