package wire

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// FuzzRead holds Read against encoding/json: the same inputs are accepted, the same texts come out,
// and neither the size of the pieces nor the trimmed form makes a difference.
func FuzzRead(f *testing.F) {
	for i, p := range recordedPayloads(f) {
		if i%7 == 0 {
			f.Add([]byte(p))
		}
	}
	f.Add([]byte(`{"prompt":"\ud83d\ude00\ud83d","tool_name":"Bash","tool_input":{"command":"x","n":-1.5e+3}}`))
	f.Add([]byte(`{"background_tasks":[{"id":"a","status":"running"}],"session_crons":[1]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := Read(bytes.NewReader(data))
		slow, slowErr := Read(iotest.OneByteReader(bytes.NewReader(data)))
		if !reflect.DeepEqual(h, slow) || (err == nil) != (slowErr == nil) {
			t.Fatalf("whole: %+v %v\nin pieces: %+v %v", h, err, slow, slowErr)
		}
		var ref map[string]any
		refErr := json.NewDecoder(bytes.NewReader(data)).Decode(&ref)
		isObject := refErr == nil && ref != nil
		if isObject != (err == nil) {
			t.Fatalf("encoding/json: %v, Read: %v", refErr, err)
		}
		if err != nil {
			return
		}
		want, _ := ref["prompt"].(string)
		if r := []rune(want); len(r) > textLimit {
			want = string(r[:textLimit])
		}
		if h.Prompt != want {
			t.Fatalf("prompt %q, want %q", h.Prompt, want)
		}
		line, err := Message{At: time.Unix(0, 1), Hook: h}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode(line)
		if err != nil || !reflect.DeepEqual(back.Hook, h) {
			t.Fatalf("sent %+v\ngot  %+v %v", h, back.Hook, err)
		}
	})
}

// FuzzToolKey re-encodes an input with encoding/json, which sorts keys and spells escapes its own way.
func FuzzToolKey(f *testing.F) {
	f.Add(`{"b":"\u00e9","a":[1,{"z":null,"y":"<"}]}`)
	f.Add(`{"command":"ls -la","description":"x"}`)
	f.Fuzz(func(t *testing.T, input string) {
		var v any
		dec := json.NewDecoder(strings.NewReader(input))
		dec.UseNumber()
		if dec.Decode(&v) != nil || dec.More() {
			return
		}
		again, err := json.MarshalIndent(v, "\t", " ")
		if err != nil {
			t.Fatal(err)
		}
		if hasDuplicates(input) || strings.ContainsRune(string(again), '\uFFFD') || strings.Contains(string(again), `\ufffd`) {
			return // encoding/json keeps one of two equal keys, and replaces broken bytes
		}
		a, errA := Read(strings.NewReader(`{"tool_name":"T","tool_input":` + input + `}`))
		b, errB := Read(strings.NewReader(`{"tool_input":` + string(again) + `,"tool_name":"T"}`))
		if errA != nil || errB != nil {
			return
		}
		if a.ToolKey != b.ToolKey || a.ToolDetail != b.ToolDetail && len(input) < inputTextLimit {
			t.Fatalf("%s: %q %q\n%s: %q %q", input, a.ToolKey, a.ToolDetail, again, b.ToolKey, b.ToolDetail)
		}
	})
}

// hasDuplicates reports whether two members of one object may have the same name.
func hasDuplicates(input string) bool {
	dec := json.NewDecoder(strings.NewReader(input))
	seen := map[string]bool{}
	for {
		tok, err := dec.Token()
		if err != nil {
			return false
		}
		if s, ok := tok.(string); ok {
			if seen[s] {
				return true
			}
			seen[s] = true
		}
	}
}

func BenchmarkRead(b *testing.B) {
	response := `{"hook_event_name":"PostToolUse","tool_name":"Read","tool_input":{"file_path":"/a"},"tool_response":{"content":"` +
		strings.Repeat(`some text of a file\n`, 1<<20) + `"}}`
	b.SetBytes(int64(len(response)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Read(strings.NewReader(response)); err != nil {
			b.Fatal(err)
		}
	}
}
