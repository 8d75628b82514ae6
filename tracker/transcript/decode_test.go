package transcript

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
)

// decodeIn decodes data in pieces of the given sizes, the last one repeated.
func decodeIn(data []byte, sizes ...int) (records []*record, d decoder) {
	for i := 0; len(data) > 0; i++ {
		n := min(max(sizes[min(i, len(sizes)-1)], 1), len(data))
		// A copy: what the decoder keeps must not be the reader's buffer.
		piece := bytes.Clone(data[:n])
		d.write(piece, func(r *record) { records = append(records, r) })
		clear(piece)
		data = data[n:]
	}
	return records, d
}

func TestAnySplitGivesTheSameRecords(t *testing.T) {
	paths, _ := filepath.Glob("../../testdata/recordings/*/transcript-*.jsonl")
	for _, p := range paths {
		data := readTestFile(t, p)
		want, _ := decodeIn(data, len(data))
		if len(want) == 0 {
			t.Fatalf("%s: no records", p)
		}
		for _, size := range []int{1, 2, 3, 7, 64, 1000} {
			if got, _ := decodeIn(data, size); !reflect.DeepEqual(got, want) {
				t.Errorf("%s in pieces of %d: other records", p, size)
			}
		}
	}
}

func TestALineOfAnyLengthIsReadInBoundedMemory(t *testing.T) { // B58
	const size = 40 << 20
	head := `{"parentUuid":"p","isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"`
	tail := `"}]},"uuid":"u","timestamp":"2026-11-30T22:01:39.567Z","toolUseResult":{"stdout":"`
	end := `"},"sessionId":"s"}` + "\n"
	filler := bytes.Repeat([]byte(`line with \"quotes\" and \n breaks é `), 64<<10/38)

	var d decoder
	var got []*record
	emit := func(r *record) { got = append(got, r) }
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	d.write([]byte(head), emit)
	for n := 0; n < size; n += len(filler) {
		d.write(filler, emit)
	}
	d.write([]byte(tail), emit)
	for n := 0; n < size; n += len(filler) {
		d.write(filler, emit)
	}
	d.write([]byte(end), emit)
	runtime.ReadMemStats(&after)

	if len(got) != 1 || len(got[0].results) != 1 || got[0].results[0].id != "toolu_1" {
		t.Fatalf("the result in a long line is not seen: %+v", got)
	}
	if got[0].at.IsZero() {
		t.Error("the timestamp behind the long text is not seen")
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 1<<20 {
		t.Errorf("%d bytes allocated for one line", grown)
	}
	if c := cap(d.shrink.out); c > bufferBytes {
		t.Errorf("the buffer keeps %d bytes after the line", c)
	}
}

func TestALineOfManyLongResultsKeepsItsIDs(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"type":"user","timestamp":"2026-11-30T22:01:39Z","message":{"content":[`)
	for i := range 200 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"type":"tool_result","content":"` + strings.Repeat("x", 100_000) + `","tool_use_id":"toolu_` + string(rune('a'+i%26)) + `"}`)
	}
	b.WriteString("]}}\n")
	got, d := decodeIn([]byte(b.String()), 64<<10)
	if len(got) != 1 || len(got[0].results) != 200 || got[0].results[199].id != "toolu_r" {
		t.Fatalf("%d records", len(got))
	}
	if c := cap(d.shrink.out); c > bufferBytes {
		t.Errorf("the buffer keeps %d bytes after the line", c)
	}
}

func TestAValueNobodyAsksForMayBeAnyNumberOfThings(t *testing.T) {
	patch := `"toolUseResult":{"structuredPatch":[{"lines":[` + strings.Repeat(`"a",1,`, 1<<20) + `2]}]}`
	line := `{` + patch + `,"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t1"}]},` + patch + `,"version":"2"}`
	got, _ := decodeIn([]byte(line+"\n"), 64<<10)
	if len(got) != 1 || len(got[0].results) != 1 || got[0].version != "2" {
		t.Fatalf("%d records", len(got))
	}
}

func TestALongTextIsCutAtACharacterWhereverThePiecesEnd(t *testing.T) {
	for _, filler := range []string{"", "a", "ab", "abc"} {
		line := []byte(`{"type":"user","message":{"content":"` + filler + strings.Repeat("😀", stringBytes) + `"}}` + "\n")
		want, _ := decodeIn(line, len(line))
		if text := want[0].texts[0]; strings.ContainsRune(text, '\ufffd') || len(text) < stringBytes-4 {
			t.Errorf("%d bytes, cut inside a character", len(text))
		}
		for _, size := range []int{1, 3, 5, 4096} {
			if got, _ := decodeIn(line, size); !reflect.DeepEqual(got, want) {
				t.Errorf("in pieces of %d: cut elsewhere", size)
			}
		}
	}
}

func TestOddLinesAreSkippedOrReadForWhatTheyAre(t *testing.T) {
	good := `{"type":"user","message":{"content":"next"},"timestamp":"2026-11-30T22:00:00Z"}`
	for name, c := range map[string]struct {
		line    string
		records int // besides the good one that follows
	}{
		"a half line":                 {`{"type":"assistant","message":{"content":[{"text":"hal`, 0},
		"a half line with the next":   {`{"type":"assistant","mess{"type":"user","message":{"content":"x"}}`, 0},
		"not JSON":                    {`hello`, 0},
		"a list":                      {`[1,{"type":"user"}]`, 0},
		"a number":                    {`12`, 0},
		"zero bytes after a crash":    {strings.Repeat("\x00", 5000), 0},
		"closing what was not opened": {`}}}]`, 0},
		"an empty line":               {``, 0},
		"blanks":                      {"  \t\r", 0},
		"windows line end":            {`{"type":"x"}` + "\r", 1},
		"unknown type":                {`{"type":"brand-new","data":{"a":[1,2,{"b":null}]}}`, 1},
		"no type":                     {`{"leafUuid":"x"}`, 1},
		"fields of other types":       {`{"type":"user","message":"text","timestamp":12,"isMeta":"yes","origin":[],"cwd":{}}`, 1},
		"lone surrogates":             {`{"type":"user","message":{"content":"a\ud83dz\udc00"}}`, 1},
		"bytes that are not UTF-8":    {"{\"type\":\"user\",\"message\":{\"content\":\"\xff\xfe\"}}", 1},
		"very deep nesting":           {`{"type":"x","message":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}`, 1},
		"a tree without an end":       {`{"type":"x","message":` + strings.Repeat(`{"a":`, 100_000), 0},
	} {
		got, _ := decodeIn([]byte(c.line+"\n"+good+"\n"), 1000)
		if len(got) != c.records+1 {
			t.Errorf("%s: %d records, want %d", name, len(got)-1, c.records)
			continue
		}
		if last := got[len(got)-1]; len(last.texts) != 1 || last.texts[0] != "next" {
			t.Errorf("%s: the next line is lost", name)
		}
	}
}

func TestALineIsNotReadBeforeItsEnd(t *testing.T) {
	line := []byte(`{"type":"user","message":{"content":"x"}}`)
	got, d := decodeIn(line, 10)
	if len(got) != 0 || d.pending != int64(len(line)) {
		t.Fatalf("%d records from a line without an end, %d bytes pending", len(got), d.pending)
	}
	d.write([]byte("\n"), func(r *record) { got = append(got, r) })
	if len(got) != 1 || d.pending != 0 {
		t.Fatalf("%d records, %d bytes pending", len(got), d.pending)
	}
}

// FuzzDecode holds two promises: any pieces give the same records, and what the shrinker leaves
// out makes no difference to a line within the bounds.
func FuzzDecode(f *testing.F) {
	// One line of each kind: short seeds, since the fuzzer spends its time on making them shorter.
	paths, _ := filepath.Glob("../../testdata/recordings/*/transcript-*.jsonl")
	kinds := map[string]bool{}
	for _, p := range paths {
		for line := range bytes.Lines(readTestFile(f, p)) {
			r := parseRecord(line)
			if kind := r.kind + r.sub + r.origin; len(line) < 1500 && !kinds[kind] {
				kinds[kind] = true
				f.Add(line, uint16(len(kinds)), uint16(2))
			}
		}
	}
	f.Add([]byte(`{"type":"user","message":{"content":"a\ud83d\udc00\\\"é"}}`+"\n"), uint16(1), uint16(2))
	f.Add([]byte(`{"a":{"b":[{"c":"}\\"}]},"type":"x","message":{"content":[{"input":{"k":[[[[[1]]]]]}}]}}`+"\n"), uint16(5), uint16(1))
	f.Fuzz(func(t *testing.T, data []byte, first, rest uint16) {
		want, _ := decodeIn(data, len(data)+1)
		got, _ := decodeIn(data, int(first)+1, int(rest)%97+1)
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("in pieces: %d records, whole: %d", len(got), len(want))
		}
		a := newAccum(newLedger(8), 1)
		for _, r := range want {
			a.fold(r)
		}
		a.sum(a, true)
		for _, line := range bytes.Split(data, []byte("\n")) {
			checkAgainstPlainJSON(t, line)
		}
	})
}

// checkAgainstPlainJSON compares the record of a line with that of the same line, decoded whole.
func checkAgainstPlainJSON(t *testing.T, line []byte) {
	plain, ok := plainLine(line)
	if !ok {
		return
	}
	want := parseRecord(plain)
	got, _ := decodeIn(append(bytes.Clone(line), '\n'), 1<<20)
	if want == nil || len(got) != 1 {
		t.Fatalf("%q: %d records, plain JSON gives %+v", line, len(got), want)
	}
	if !reflect.DeepEqual(got[0], want) {
		t.Fatalf("%q:\n got %+v\nwant %+v", line, got[0], want)
	}
}

// plainLine is the line as the shrinker should leave it, made with the JSON package. It is not ok
// for lines that are not objects, are out of bounds, or name a key twice or in disguise.
func plainLine(line []byte) (out []byte, ok bool) {
	if !json.Valid(line) || len(line) > stringBytes || depthOf(line) > lineDepth {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	seen := map[string]bool{}
	out = append(out, '{')
	for dec.More() {
		t, err := dec.Token()
		key, isKey := t.(string)
		if err != nil || !isKey || seen[strings.ToLower(key)] || !bytes.Contains(line, []byte(`"`+key+`"`)) {
			return nil, false
		}
		seen[strings.ToLower(key)] = true
		var v json.RawMessage
		if dec.Decode(&v) != nil {
			return nil, false
		}
		if (v[0] == '{' || v[0] == '[') && !keepsContainer([]byte(key)) {
			v = json.RawMessage("null")
		}
		k, _ := json.Marshal(key)
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, k...), ':'), v...)
	}
	return append(out, '}'), true
}

func depthOf(line []byte) int {
	depth, most, inString, escaped := 0, 0, false, false
	for _, c := range line {
		switch {
		case escaped:
			escaped = false
		case inString:
			escaped = c == '\\'
			inString = c != '"'
		case c == '"':
			inString = true
		case c == '{' || c == '[':
			depth++
			most = max(most, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return most
}
