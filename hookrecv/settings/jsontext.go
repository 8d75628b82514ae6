package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode/utf8"
)

// maxDepth bounds the recursion of the parser; settings are five levels deep.
const maxDepth = 1000

// A SyntaxError says where a settings file is not what it should be. The file was not touched.
type SyntaxError struct {
	Line, Column int // from 1; the column in characters
	What         string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.What) }

// fail is a SyntaxError for a byte offset.
func fail(text []byte, at int, what string) error {
	before := text[:min(at, len(text))]
	line := bytes.LastIndexByte(before, '\n') + 1
	return &SyntaxError{
		Line:   bytes.Count(before, []byte("\n")) + 1,
		Column: utf8.RuneCount(before[line:]) + 1,
		What:   what,
	}
}

// A node is one JSON value and where it stands: text[start:end].
type node struct {
	kind       byte // its first byte, with '0' for any number
	start, end int
	str        string   // of a string
	members    []member // of an object
	items      []*node  // of an array
}

type member struct {
	start int // of the name
	name  string
	value *node
}

// lookup is the last member with this name, as Claude Code reads it; nil when there is none.
func (n *node) lookup(name string) *node {
	for i := len(n.members) - 1; i >= 0; i-- {
		if n.members[i].name == name {
			return n.members[i].value
		}
	}
	return nil
}

// size is the number of children.
func (n *node) size() int { return len(n.members) + len(n.items) }

// child is where the i-th child stands, its name included.
func (n *node) child(i int) (start, end int) {
	if n.kind == '{' {
		return n.members[i].start, n.members[i].value.end
	}
	return n.items[i].start, n.items[i].end
}

// parse reads the text of a settings file: strict JSON, an object.
func parse(text []byte) (*node, error) {
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		return nil, fail(text, 0, "the file begins with a byte order mark; save it without one")
	}
	p := parser{text: text}
	p.space()
	if p.pos == len(text) {
		return nil, fail(text, p.pos, "the file is empty; it should hold at least {}")
	}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	p.space()
	if p.pos < len(text) {
		return nil, p.fail("something follows the end of the settings")
	}
	if root.kind != '{' {
		return nil, fail(text, root.start, "the settings are not an object in braces")
	}
	return root, nil
}

type parser struct {
	text []byte
	pos  int
}

func (p *parser) fail(what string) error {
	switch {
	case p.pos >= len(p.text):
		return fail(p.text, len(p.text), "the file ends in the middle")
	case p.text[p.pos] == '/' || p.text[p.pos] == '#':
		return fail(p.text, p.pos, "comments are not possible in JSON")
	}
	return fail(p.text, p.pos, what)
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func (p *parser) space() {
	for p.pos < len(p.text) && isSpace(p.text[p.pos]) {
		p.pos++
	}
}

// at reports whether c comes next, after white space.
func (p *parser) at(c byte) bool {
	p.space()
	return p.pos < len(p.text) && p.text[p.pos] == c
}

func (p *parser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, p.fail("nested too deep")
	}
	p.space()
	if p.pos == len(p.text) {
		return nil, p.fail("")
	}
	switch p.text[p.pos] {
	case '{':
		return p.container('}', func(n *node) error { return p.member(n, depth) })
	case '[':
		return p.container(']', func(n *node) error {
			v, err := p.value(depth + 1)
			n.items = append(n.items, v)
			return err
		})
	case '"':
		return p.stringValue()
	}
	return p.word()
}

// container reads an object or array; element reads one child.
func (p *parser) container(closing byte, element func(*node) error) (*node, error) {
	n := &node{kind: p.text[p.pos], start: p.pos}
	p.pos++
	for !p.at(closing) {
		if n.size() > 0 {
			if !p.at(',') {
				return nil, p.fail("a comma is missing")
			}
			comma := p.pos
			p.pos++
			if p.at(closing) {
				return nil, fail(p.text, comma, "there is a comma behind the last element")
			}
		}
		if err := element(n); err != nil {
			return nil, err
		}
	}
	p.pos++
	n.end = p.pos
	return n, nil
}

func (p *parser) member(n *node, depth int) error {
	if !p.at('"') {
		return p.fail("a name in double quotes is missing")
	}
	name, err := p.stringValue()
	if err != nil {
		return err
	}
	if !p.at(':') {
		return p.fail("a colon is missing")
	}
	p.pos++
	v, err := p.value(depth + 1)
	n.members = append(n.members, member{start: name.start, name: name.str, value: v})
	return err
}

func (p *parser) stringValue() (*node, error) {
	n := &node{kind: '"', start: p.pos}
	for p.pos++; p.pos < len(p.text) && p.text[p.pos] != '"'; p.pos++ {
		if p.text[p.pos] == '\\' {
			p.pos++
		}
	}
	if p.pos >= len(p.text) {
		return nil, fail(p.text, n.start, "a closing quote is missing")
	}
	p.pos++
	n.end = p.pos
	if json.Unmarshal(p.text[n.start:n.end], &n.str) != nil {
		return nil, fail(p.text, n.start, "this text has a line break or an unknown escape in it")
	}
	return n, nil
}

// word reads a number, true, false or null.
func (p *parser) word() (*node, error) {
	n := &node{kind: p.text[p.pos], start: p.pos}
	for p.pos < len(p.text) && isWord(p.text[p.pos]) {
		p.pos++
	}
	n.end = p.pos
	if !json.Valid(p.text[n.start:n.end]) {
		p.pos = n.start
		return nil, p.fail("this is not a JSON value")
	}
	if n.kind == '-' || n.kind >= '0' && n.kind <= '9' {
		n.kind = '0'
	}
	return n, nil
}

func isWord(c byte) bool {
	return c == '-' || c == '+' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
