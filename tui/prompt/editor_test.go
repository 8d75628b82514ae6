package prompt

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

// TestPastes: line ends of every kind, tabs, and what cannot be sent.
func TestPastes(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		dropped          int
	}{
		{"lines", "a\nb\n", "a\nb\n", 0},
		{"Windows lines", "a\r\nb\r\n", "a\nb\n", 0},
		{"old Mac lines", "a\rb\r", "a\nb\n", 0},
		{"mixed", "a\r\n\rb\n\r\nc", "a\n\nb\n\nc", 0},
		{"Unicode line ends", "a\u2028b\u2029c\u0085d", "a\nb\nc\nd", 0},
		{"tabs stay", "\ta\tb", "\ta\tb", 0},
		{"colours", "\x1b[31mred\x1b[0m", "red", 2},
		{"the end of a paste in a paste", "x\x1b[201~\ry", "x\ny", 1},
		{"a title", "\x1b]2;title\aa", "a", 1},
		{"control bytes", "a\x00\x03b\x7f\u009bc", "abc", 4},
		{"direction marks", "a\u202eb\u2066c\u200bd\ufeffe", "abcde", 4},
		{"a family of emoji is one", "👨‍👩‍👧", "👨‍👩‍👧", 0},
		{"bytes that are no text", "a\xffb", "ab", 1},
		{"everything else", "it's \"x\" $HOME #{pid} #(id) ; – é 測試", "it's \"x\" $HOME #{pid} #(id) ; – é 測試", 0},
	} {
		got, dropped := clean(c.text)
		if got != c.want || dropped != c.dropped {
			t.Errorf("%s: %q (%d left out), want %q (%d)", c.name, got, dropped, c.want, c.dropped)
		}
		if again, n := clean(got); again != got || n != 0 {
			t.Errorf("%s: cleaning twice makes %q", c.name, again)
		}
	}
}

func TestTooLongIsRefusedWhole(t *testing.T) {
	d := newDriver(t)
	d.open(worker(), lampsWith())
	d.paste("before ")
	d.paste(strings.Repeat("x", maxBytes))
	if d.p.edit.String() != "before " || !strings.Contains(plainText(d.view(80, 8)), "too long") {
		t.Errorf("%d bytes", d.p.edit.size)
	}
	d.paste(strings.Repeat("y", maxBytes-len("before ")))
	if d.p.edit.size != maxBytes {
		t.Errorf("%d bytes", d.p.edit.size)
	}
	d.key("z")
	if d.p.edit.size != maxBytes {
		t.Errorf("%d bytes", d.p.edit.size)
	}
}

// TestEditing: what keys do to a text. | stands for the cursor.
func TestEditing(t *testing.T) {
	const w = 10
	for _, c := range []struct{ text, keys, want string }{
		{"abc|", "left left", "a|bc"},
		{"|abc", "left", "|abc"},
		{"a\n|b", "left", "a|\nb"},
		{"a|\nb", "right", "a\n|b"},
		{"a測試|b", "left", "a測|試b"},
		{"x👨‍👩‍👧|y", "left", "x|👨‍👩‍👧y"},
		{"x👨‍👩‍👧|y", "backspace", "x|y"},
		{"e\u0301|", "backspace", "|"},
		{"a\n|b", "backspace", "a|b"},
		{"a|\nb", "delete", "a|b"},
		{"ab|c", "ctrl+a", "|abc"},
		{"a|bc", "ctrl+e", "abc|"},
		{"one two| three", "ctrl+w", "one | three"},
		{"one two  |", "ctrl+w ctrl+w", "|"},
		{"one\n|two", "ctrl+w", "one|two"},
		{"|one two", "alt+f alt+f", "one two|"},
		{"one two|", "alt+b", "one |two"},
		{"|one two", "alt+d", "| two"},
		{"one| two", "ctrl+k", "one|"},
		{"one|\ntwo", "ctrl+k", "one|two"},
		{"one two|", "ctrl+u", "|"},
		{"one two|", "ctrl+u ctrl+y ctrl+y", "one twoone two|"},
		{"abc\nde|f\nghi", "up", "ab|c\ndef\nghi"},
		{"abc\nde|f\nghi", "down", "abc\ndef\ngh|i"},
		{"abcd\ne\nfgh|", "up up", "abc|d\ne\nfgh"},
		{"測試試\nabc|d", "up", "測|試試\nabcd"},
		{"a|bc", "up", "|abc"},
		{"a|bc", "down", "abc|"},
		{"aaaa bbbb cccc|", "up", "aaaa| bbbb cccc"}, // broken rows count as rows
		{"aaaa bbbb cccc|", "up end", "aaaa bbbb| cccc"},
		{"aaaa bbbb cc|cc", "home", "aaaa bbbb |cccc"},
		{"a|b", "ctrl+home", "|ab"},
		{"a|\nb", "ctrl+end", "a\nb|"},
	} {
		e := newEditor()
		before, after, _ := strings.Cut(c.text, "|")
		e.set(before + after)
		place(&e, len(before))
		for _, k := range strings.Fields(c.keys) {
			if !e.edit(k, w) {
				t.Errorf("%s is no key of the editor", k)
			}
		}
		if got := marked(&e); got != c.want {
			t.Errorf("%q, %s: %q, want %q", c.text, c.keys, got, c.want)
		}
	}
}

// place puts the cursor before a byte of the whole text.
func place(e *editor, at int) {
	for y := range e.lines {
		if n := len(e.lines[y].text); at <= n {
			e.moveTo(y, at)
			return
		} else {
			at -= n + 1
		}
	}
}

// marked is the text with the cursor in it.
func marked(e *editor) string {
	at := e.at
	for y := range e.y {
		at += len(e.lines[y].text) + 1
	}
	text := e.String()
	return text[:at] + "|" + text[at:]
}

// sound holds the editor to what is always true of it.
func sound(t testing.TB, e *editor, w int) {
	t.Helper()
	if len(e.lines) == 0 || e.y < 0 || e.y >= len(e.lines) || e.at < 0 || e.at > len(e.lines[e.y].text) {
		t.Fatalf("the cursor is at %d:%d of %d lines", e.y, e.at, len(e.lines))
	}
	if got := len(e.String()); got != e.size {
		t.Fatalf("%d bytes, counted %d", got, e.size)
	}
	total := 0
	for y := range e.lines {
		text, at := e.lines[y].text, 0
		rows := e.lines[y].wrap(w)
		total += len(rows)
		for i, r := range rows {
			if r.from != at || r.to < r.from || i > 0 && r.from == r.to {
				t.Fatalf("%q breaks into %v", text, rows)
			}
			at = r.to
			part := text[r.from:r.to]
			n, _ := cluster(part + " ")
			if cells := ansi.StringWidth(drawn(part)); cells > w && len(part) > n {
				t.Fatalf("%q takes %d of %d cells", part, cells, w)
			}
		}
		if at != len(text) {
			t.Fatalf("%q breaks into %v", text, rows)
		}
		bounds := []int{0}
		for i := 0; i < len(text); {
			n, _ := cluster(text[i:])
			i += n
			bounds = append(bounds, i)
		}
		if y == e.y && !slices.Contains(bounds, e.at) {
			t.Fatalf("the cursor stands inside a character: %q", marked(e))
		}
	}
	if n, cur := e.rows(w); n != total || cur < 0 || cur >= n {
		t.Fatalf("row %d of %d (%d)", cur, n, total)
	}
}

// editKeys are all keys of the editor.
var editKeys = strings.Fields("left right up down home end pgup pgdown ctrl+left ctrl+right ctrl+home ctrl+end ctrl+a ctrl+e ctrl+k ctrl+u ctrl+w ctrl+y backspace delete alt+d alt+b alt+f")

// pieces are what people type and paste.
var pieces = []string{"a", "word ", " ", "\t", "\n", "測試", "é", "e\u0301", "👨‍👩‍👧", "🇩🇪", "क्षि", "ﷺ", "a\r\nb\r\n", "\x1b[1mx", "https://example.org/a/very/long/path/without/blanks/at/all ", "\u0301", "\u200d"}

func TestEditorStaysSound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		e := newEditor()
		w := 1 + r.IntN(30)
		for range 60 {
			if r.IntN(2) == 0 {
				e.edit(editKeys[r.IntN(len(editKeys))], w)
			} else {
				text, _ := clean(pieces[r.IntN(len(pieces))])
				e.insert(text)
			}
			// Typed characters may join with what stands beside them, as they do on the screen.
			snap(&e)
			sound(t, &e, w)
		}
	}
}

// snap moves a cursor that an insertion left inside of a character to its end.
func snap(e *editor) {
	text := e.lines[e.y].text
	for i := 0; i < len(text); {
		n, _ := cluster(text[i:])
		if i < e.at && e.at < i+n {
			e.at = i + n
		}
		i += n
	}
}

func FuzzEditor(f *testing.F) {
	for _, p := range pieces {
		f.Add(p, uint64(7), uint8(12))
	}
	f.Fuzz(func(t *testing.T, text string, keys uint64, width uint8) {
		if len(text) > 2000 {
			return
		}
		d := newDriver(t)
		d.open(worker(), lampsWith())
		w := int(width)%60 + 8
		d.view(w, 9)
		d.paste(text)
		for range 12 {
			d.key(editKeys[keys%uint64(len(editKeys))])
			keys = keys*6364136223846793005 + 1442695040888963407
			keys ^= keys >> 29
			d.view(w, 9)
		}
		if again, n := clean(d.p.edit.String()); again != d.p.edit.String() || n > 0 {
			t.Errorf("the editor holds %q", d.p.edit.String())
		}
	})
}

func BenchmarkKeyInALongText(b *testing.B) {
	d := newDriver(b)
	d.open(worker(), lampsWith())
	d.paste(strings.Repeat("a line of a long text, with words enough to break it somewhere\n", 3000))
	for b.Loop() {
		d.key("x", "backspace")
		d.p.View(80, 12)
	}
}
