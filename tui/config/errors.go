package config

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Problem is one thing that is wrong in a file.
type Problem struct {
	Line int // from 1; 0 when it is about no line
	Text string
}

// Error is everything that is wrong with one file, in the order of its lines.
type Error struct {
	Path     string // "" when only bytes were parsed
	Problems []Problem
}

// Error puts every problem on a line of its own, each with its place as compilers write it.
func (e *Error) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = fmt.Sprintf("%s:%d: %s", cmp.Or(e.Path, "config.toml"), p.Line, p.Text)
	}
	return strings.Join(lines, "\n")
}

func newError(problems []Problem) *Error {
	slices.SortStableFunc(problems, func(a, b Problem) int { return a.Line - b.Line })
	return &Error{Problems: slices.Compact(problems)}
}

// unknownKeys are the keys of a file that mean nothing.
func unknownKeys(err *toml.StrictMissingError) []Problem {
	var out []Problem
	for i := range err.Errors {
		line, _ := err.Errors[i].Position()
		out = append(out, Problem{line, unknownKey(err.Errors[i].Key())})
	}
	return out
}

// decodeError turns what the decoder says into a problem with its line. typed says that all is well but
// for the type of one value.
func decodeError(err error) (p Problem, typed bool) {
	var bad *toml.DecodeError
	if !errors.As(err, &bad) {
		return Problem{0, err.Error()}, false
	}
	line, _ := bad.Position()
	text := strings.TrimPrefix(bad.Error(), "toml: ")
	if m := wrongType().FindStringSubmatch(text); m != nil {
		text = "want " + wanted(m[2]) + ", not " + article(m[1])
	}
	key := strings.Join(bad.Key(), ".")
	if key != "" {
		text = key + ": " + text
	}
	return Problem{line, text}, key != ""
}

// wrongType is how the decoder speaks of a value of a wrong type: in the names of our own types.
var wrongType = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^cannot decode TOML ([a-z ]+) into .* of type (\S+)`)
})

// wanted is one of our types in the words of the file.
func wanted(goType string) string {
	switch {
	case goType == "bool":
		return "true or false"
	case goType == "int":
		return "a whole number"
	case strings.HasPrefix(goType, "[]"):
		return "a list of texts"
	case strings.HasPrefix(goType, "map["), strings.HasPrefix(goType, "config."):
		return "a table"
	}
	return "a text"
}

func article(kind string) string {
	if strings.ContainsAny(kind[:1], "aeiou") {
		return "an " + kind
	}
	return "a " + kind
}

// without is a file with empty lines in place of the key that has its value on a line, nil when there is
// none.
func without(data []byte, line int) []byte {
	var p unstable.Parser
	p.Reset(data)
	from, end := 0, 0
	for end == 0 && p.NextExpression() {
		n := p.Expression()
		it := n.Key()
		if n.Kind == unstable.Comment || !it.Next() {
			continue
		}
		switch start := p.Shape(it.Node().Raw).Start.Line; {
		case start > line:
			end = start
		case n.Kind == unstable.KeyValue:
			from = start
		default:
			from = 0
		}
	}
	switch {
	case from == 0:
		return nil
	case p.Error() != nil: // further down; the decoder will say it of what is left
		end = line + 1
	}
	var out []byte
	n := 0
	for l := range bytes.Lines(data) {
		if n++; n >= from && (n < end || end == 0) {
			l = []byte{'\n'}
		}
		out = append(out, l...)
	}
	return out
}

// unknownKey names a key that is none, and the one that may be meant.
func unknownKey(parts []string) string {
	key := strings.Join(parts, ".")
	text := fmt.Sprintf("unknown key %q", key)
	var known []string
	for _, e := range table() {
		known = append(known, e.key)
	}
	if k := nearest(key, known); k != "" {
		text += fmt.Sprintf(", did you mean %q?", k)
	}
	return text
}

// nearest is the candidate that is at most two letters away from a word, "" for none or several.
func nearest(word string, candidates []string) string {
	best, found := 3, ""
	for _, c := range candidates {
		switch d := distance(word, c); {
		case d < best:
			best, found = d, c
		case d == best:
			found = ""
		}
	}
	return found
}

// distance counts the letters to insert, remove, replace or swap to get from one word to the other.
func distance(a, b string) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replace := d[i-1][j-1]
			if a[i-1] != b[j-1] {
				replace++
			}
			d[i][j] = min(replace, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(a)][len(b)]
}

// linesOf finds the line of every key of a document that was decoded without an error. Keys are
// dotted paths.
func linesOf(data []byte) map[string]int {
	lines := map[string]int{}
	var p unstable.Parser
	p.Reset(data)
	var under []string
	for p.NextExpression() {
		n := p.Expression()
		switch n.Kind {
		case unstable.Table, unstable.ArrayTable:
			under = note(&p, lines, nil, n)
		case unstable.KeyValue:
			noteValue(&p, lines, under, n)
		}
	}
	return lines
}

func noteValue(p *unstable.Parser, lines map[string]int, under []string, n *unstable.Node) {
	path := note(p, lines, under, n)
	if v := n.Value(); v.Kind == unstable.InlineTable {
		for it := v.Children(); it.Next(); {
			noteValue(p, lines, path, it.Node())
		}
	}
}

// note keeps the line of the key of a node and returns its path.
func note(p *unstable.Parser, lines map[string]int, under []string, n *unstable.Node) []string {
	path, line := slices.Clone(under), 0
	for it := n.Key(); it.Next(); {
		path = append(path, string(it.Node().Data))
		line = p.Shape(it.Node().Raw).Start.Line
	}
	lines[strings.Join(path, ".")] = line
	return path
}
