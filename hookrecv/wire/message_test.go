package wire

import (
	"bytes"
	"encoding/json"
	"maps"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tracker"
)

func TestMessageRoundTrip(t *testing.T) {
	at := time.Unix(1796075533, 614000001)
	for _, p := range recordedPayloads(t) {
		h, err := Read(bytes.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		h.Pane, h.Tmux, h.ClaudePID, h.ParentPID = "%5", "/tmp/tmux-1000/default,77,0", 4250, 4300
		m := Message{At: at, Hook: h, Ancestors: []int{4300, 4250}}
		line, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if bytes.IndexByte(line, '\n') != len(line)-1 {
			t.Errorf("not one line: %q", line)
		}
		got, err := Decode(line)
		if err != nil {
			t.Fatal(err)
		}
		if !got.At.Equal(m.At) || !reflect.DeepEqual(got.Hook, m.Hook) || !reflect.DeepEqual(got.Ancestors, m.Ancestors) {
			t.Errorf("got  %+v\nwant %+v", got, m)
		}
	}
}

// Every character of every field at its limit, each one in need of six bytes.
func TestWorstMessageFits(t *testing.T) {
	var p payload
	var b strings.Builder
	b.WriteString("{")
	for _, key := range members() {
		if field, _ := p.text(key); field == nil {
			t.Fatalf("%s is not read", key)
		}
		b.WriteString(`"` + key + `":"` + strings.Repeat(`\u0001`, 5000) + `",`)
	}
	long := strings.Repeat(`\u0001`, 500)
	task := `{"id":"` + long + `","type":"` + long + `","status":"` + long + `","description":"` + long + `"}`
	b.WriteString(`"background_tasks":[` + strings.TrimSuffix(strings.Repeat(task+",", 100), ",") + `],`)
	b.WriteString(`"session_crons":[` + strings.TrimSuffix(strings.Repeat("{},", 5000), ",") + `]}`)
	h := readString(t, b.String())
	h.Tmux, h.Pane = strings.Repeat("\x01", 5000), "%2147483647"
	h.ClaudePID, h.ParentPID = 1<<31-1, 1<<31-1
	m := Message{At: time.Unix(0, 1<<62), Hook: h, Ancestors: make([]int, 50)}
	line, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d bytes", len(line), MaxSize)
}

// members are the names of all text members of a trimmed payload.
func members() []string {
	var h tracker.Hook
	v := reflect.ValueOf(&h).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.String {
			v.Field(i).SetString("x")
		}
	}
	var event map[string]string
	if err := json.Unmarshal(appendEvent(nil, h), &event); err != nil {
		panic(err)
	}
	return slices.Collect(maps.Keys(event))
}

// Whoever adds a field to tracker.Hook must decide whether it travels.
func TestEveryHookFieldTravels(t *testing.T) {
	var h tracker.Hook
	v := reflect.ValueOf(&h).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("%" + strings.Repeat("7", i%9+1))
		case reflect.Int:
			f.SetInt(int64(i + 1))
		case reflect.Slice:
			f.Set(reflect.ValueOf([]tracker.BackgroundTask{{ID: "i", Type: "t", Status: "s", Description: "d"}}))
		default:
			t.Fatalf("field %s is of a new kind", v.Type().Field(i).Name)
		}
	}
	line, err := Message{Hook: h}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode(line)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got.Hook, h) {
		t.Errorf("got  %+v\nwant %+v", got.Hook, h)
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, in := range []string{
		"", "{}", "[]", "null", `{"v":1}`, `{"v":2,"event":{}}`, `{"v":1,"at":"now","event":{}}`, `{"v":1,"event":[]}`, `{"v":1,"event":{}`,
	} {
		if m, err := Decode([]byte(in)); err == nil {
			t.Errorf("%s was read as %+v", in, m)
		}
	}
}

func TestDecodeDistrustsTheEnvironment(t *testing.T) {
	m, err := Decode([]byte(`{"v":1,"at":1,"pane":"%1;kill-server","tmux":"` + strings.Repeat("x", 5000) + `","claudePid":-4,"ppid":-1,"event":{}}`))
	if err != nil {
		t.Fatal(err)
	}
	if m.Hook.Pane != "" || len(m.Hook.Tmux) != envLimit || m.Hook.ClaudePID != 0 || m.Hook.ParentPID != 0 {
		t.Errorf("got %+v", m.Hook)
	}
	for s, want := range map[string]tracker.PaneID{"%0": "%0", "%12": "%12", "%": "", "": "", "5": "", "%5 ": "", "% 5": "", "%99999999999999": ""} {
		if got := PaneID(s); got != want {
			t.Errorf("PaneID(%q) = %q, want %q", s, got, want)
		}
	}
}

// exampleMessage is a message as a board gets it.
func exampleMessage(t testing.TB) []byte {
	t.Helper()
	line, err := Message{At: time.Now(), Hook: tracker.Hook{
		Name: tracker.HookPreToolUse, SessionID: "8201d2cd-8e7e-4cd0-8da5-c767aecacc69", Tool: "Bash", ToolDetail: "go test ./...", CWD: "/home/me/src/api",
	}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return line
}

// TestDecodeNeedsLittleMemory counts what a board pays for each of thousands of hooks.
func TestDecodeNeedsLittleMemory(t *testing.T) {
	line := exampleMessage(t)
	const times, most = 200, 8 << 10
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range times {
		if _, err := Decode(line); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if n := (after.TotalAlloc - before.TotalAlloc) / times; n > most {
		t.Errorf("decoding %d bytes allocates %d, want at most %d", len(line), n, most)
	}
}

// BenchmarkDecode is what each hook costs a board before anything is done with it.
func BenchmarkDecode(b *testing.B) {
	line := exampleMessage(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(line); err != nil {
			b.Fatal(err)
		}
	}
}
