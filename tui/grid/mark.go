package grid

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"signalbox/tui/style"
)

// SetQuery says what the rows were found by. Its letters are marked in them.
func (g *Grid) SetQuery(q Query) {
	if !g.query.same(q) {
		g.query = q
		g.gen++
	}
}

func (q Query) same(o Query) bool {
	return slices.Equal(q.words, o.words) && slices.Equal(q.status, o.status) &&
		slices.Equal(q.session, o.session) && slices.Equal(q.cwd, o.cwd)
}

// field is what a text on a row is to the query, as Query.Window has it.
type field uint8

const (
	fieldNone    field = iota // not looked at
	fieldName                 // found by its letters in order
	fieldSession              // the same, and by the term of that name
	fieldText                 // found by the whole word
	fieldPlace                // a directory: the last part by its letters, all of it by the term
)

// marks returns what finds the letters of a text that the query found it by, or nil.
func (g *Grid) marks(f field) func(text string, shown int, hit []bool) {
	q := &g.query
	var term []string
	switch f {
	case fieldNone:
		return nil
	case fieldSession:
		term = q.session
	case fieldPlace:
		term = q.cwd
	}
	if len(q.words) == 0 && len(term) == 0 {
		return nil
	}
	return func(text string, shown int, hit []bool) {
		from := 0
		switch i := strings.IndexByte(text, ':'); {
		case f == fieldPlace:
			from = len(text) - len(base(text))
		case f == fieldSession && i >= 0: // the window behind it
			text, shown = text[:i], min(shown, i)
		}
		for _, word := range q.words {
			own := text[from:]
			if !markWhole(own, word, shown-from, hit[from:]) && f != fieldText && inOrder(own, word) {
				markLetters(own, word, hit[from:])
			}
		}
		for _, word := range term {
			markWhole(text, word, shown, hit)
		}
	}
}

// fit appends a text at exactly w cells, with the letters marked that it was found by.
func (g *Grid) fit(b []byte, r style.Role, text string, w int, f field) []byte {
	if find := g.marks(f); find != nil {
		return g.style.AppendMarked(b, r, text, w, find)
	}
	return g.style.AppendFit(b, r, text, w)
}

// cut appends it at no more than w cells, and returns how many it took.
func (g *Grid) cut(b []byte, r style.Role, text string, w int, f field) ([]byte, int) {
	if find := g.marks(f); find != nil {
		return g.style.AppendMarkedCut(b, r, text, w, find)
	}
	return g.style.AppendCut(b, r, text, w)
}

// markWhole notes where the word stands in a text, ignoring case, from among its first bytes on. It
// reports whether there is any such place.
func markWhole(text, word string, shown int, hit []bool) bool {
	found := false
	for i := 0; i < shown; {
		n := wordAt(text[i:], word)
		if n > 0 {
			found = true
			for j := range n {
				hit[i+j] = true
			}
			i += n
			continue
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
	}
	return found
}

// wordAt is how many bytes of the text the word takes at its beginning, or 0.
func wordAt(text, word string) int {
	rest := text
	for _, want := range word {
		r, size := utf8.DecodeRuneInString(rest)
		if size == 0 || unicode.ToLower(r) != want {
			return 0
		}
		rest = rest[size:]
	}
	return len(text) - len(rest)
}

// markLetters notes the letters of the word in the order in which inOrder finds them.
func markLetters(text, word string, hit []bool) {
	for i, r := range text {
		want, size := utf8.DecodeRuneInString(word)
		if size == 0 {
			return
		}
		if unicode.ToLower(r) == want {
			word = word[size:]
			for j := range utf8.RuneLen(r) {
				hit[i+j] = true
			}
		}
	}
}

// cutNote appends what is said of a section behind its name: where its agents work is found otherwise than
// the branch behind it.
func (g *Grid) cutNote(b []byte, k *titleKey, note string, w int) ([]byte, int) {
	place, branch := g.marks(fieldPlace), g.marks(fieldName)
	if k.folded || place == nil && branch == nil {
		return g.style.AppendCut(b, style.Dim, note, w)
	}
	at := len(style.Clean(k.path))
	return g.style.AppendMarkedCut(b, style.Dim, note, w, func(text string, shown int, hit []bool) {
		at = min(at, len(text))
		if place != nil {
			place(text[:at], min(shown, at), hit[:at])
		}
		if branch != nil && shown > at {
			branch(text[at:], shown-at, hit[at:])
		}
	})
}
