package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"signalbox/tracker"
)

func TestReadFields(t *testing.T) {
	tests := []struct {
		name, in string
		want     tracker.Hook
	}{
		{
			"session start", `{"session_id":"s1","transcript_path":"/t.jsonl","cwd":"/w","hook_event_name":"SessionStart","source":"resume","model":"m","session_title":"api"}`,
			tracker.Hook{Name: "SessionStart", SessionID: "s1", TranscriptPath: "/t.jsonl", CWD: "/w", StartSource: "resume", Model: "m", Title: "api"},
		},
		{
			"prompt", `{"hook_event_name":"UserPromptSubmit","prompt":"fix \"it\"\n\u00e9\ud83d\ude00","permission_mode":"plan","prompt_id":"p1"}`,
			tracker.Hook{Name: "UserPromptSubmit", Prompt: "fix \"it\"\né😀", PermissionMode: "plan", PromptID: "p1"},
		},
		{
			"inside a subagent", `{"hook_event_name":"Stop","agent_id":"a1","agent_type":"general-purpose","last_assistant_message":"done"}`,
			tracker.Hook{Name: "Stop", SubagentID: "a1", SubagentType: "general-purpose", LastMessage: "done"},
		},
		{
			"stop with background work", `{"hook_event_name":"Stop","background_tasks":[{"id":"b1","type":"shell","status":"running","description":"x","command":"sleep 12"}],"session_crons":[{"id":"c"},{"id":"d"}]}`,
			tracker.Hook{Name: "Stop", Background: []tracker.BackgroundTask{{ID: "b1", Type: "shell", Status: "running", Description: "x"}}, Crons: 2},
		},
		{
			"stop failure", `{"hook_event_name":"StopFailure","error":"rate_limit","last_assistant_message":"API Error"}`,
			tracker.Hook{Name: "StopFailure", Error: "rate_limit", LastMessage: "API Error"},
		},
		{
			"notification", `{"hook_event_name":"Notification","message":"m","notification_type":"idle_prompt"}`,
			tracker.Hook{Name: "Notification", Message: "m", Notification: "idle_prompt"},
		},
		{
			"session end", `{"hook_event_name":"SessionEnd","reason":"clear"}`,
			tracker.Hook{Name: "SessionEnd", EndReason: "clear"},
		},
		{
			"compaction", `{"hook_event_name":"PreCompact","trigger":"auto","custom_instructions":null}`,
			tracker.Hook{Name: "PreCompact", Trigger: "auto"},
		},
		{
			"a changed directory is the new one, in any order", `{"new_cwd":"/b","hook_event_name":"CwdChanged","old_cwd":"/a","cwd":"/a"}`,
			tracker.Hook{Name: "CwdChanged", CWD: "/b"},
		},
		{
			"an unknown event is normal", `{"hook_event_name":"MoonPhase","session_id":"s","moon":{"phase":[1,2,{"x":null}]}}`,
			tracker.Hook{Name: "MoonPhase", SessionID: "s"},
		},
		{
			"odd types are missing fields", `{"hook_event_name":"Stop","session_id":5,"cwd":null,"prompt":["x"],"model":{"id":"m"},"background_tasks":"none","session_crons":3,"agent_id":true,"tool_input":7,"tool_name":{}}`,
			tracker.Hook{Name: "Stop"},
		},
		{
			"odd background tasks", `{"hook_event_name":"Stop","background_tasks":[1,null,[],{"id":7,"status":"running"}]}`,
			tracker.Hook{Name: "Stop", Background: []tracker.BackgroundTask{{Status: "running"}}},
		},
		{
			"a hostile id stays text", `{"hook_event_name":"Stop","session_id":"../../x","transcript_path":"/etc/passwd"}`,
			tracker.Hook{Name: "Stop", SessionID: "../../x", TranscriptPath: "/etc/passwd"},
		},
		{
			"lone surrogates and raw bytes become U+FFFD", "{\"hook_event_name\":\"Stop\",\"prompt\":\"\\ud800x\\udc00\\ud83d\\ud83d\\ude00\xff\"}",
			tracker.Hook{Name: "Stop", Prompt: "\uFFFDx\uFFFD\uFFFD😀\uFFFD"},
		},
		{"no name", `{}`, tracker.Hook{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.OneByteReader(strings.NewReader(tt.in))} {
				got, err := Read(r)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, tt.want) {
					t.Errorf("got  %+v\nwant %+v", got, tt.want)
				}
			}
		})
	}
}

func TestReadRefusesWhatIsNoObject(t *testing.T) {
	for _, in := range []string{
		"", " ", "null", "[]", `["hook_event_name"]`, `"x"`, "7", "garbage", "{", `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`,
		`{"a":1,}`, `{"a":[1,]}`, `{,}`, `{"a" 1}`, `{a:1}`, `{"a":01}`, `{"a":1.}`, `{"a":-}`, `{"a":1e}`, `{"a":tru}`,
		"{\"a\":\"\n\"}", `{"a":"\x"}`, `{"a":"\u12g4"}`, `{"a":"`, `{"session_id":"s1","prompt":"cut off here`,
		`{"a":` + strings.Repeat("[", 20000) + strings.Repeat("]", 20000) + "}",
		"\xef\xbb\xbf{}",
	} {
		if h, err := Read(strings.NewReader(in)); err == nil {
			t.Errorf("%.40q was read as %+v", in, h)
		}
	}
}

func TestReadSaysWhere(t *testing.T) {
	_, err := Read(strings.NewReader(`{"a": 1 "b":2}`))
	var syntax *SyntaxError
	if !errors.As(err, &syntax) || syntax.Offset != 8 {
		t.Errorf("got %v, want a syntax error at byte 8", err)
	}
	failure := errors.New("pipe burst")
	if _, err := Read(iotest.ErrReader(failure)); !errors.Is(err, failure) {
		t.Errorf("got %v, want the reader's own error", err)
	}
}

// Claude Code has left standard input open behind a SessionEnd.
func TestReadStopsBehindTheValue(t *testing.T) {
	in := io.MultiReader(strings.NewReader(`{"hook_event_name":"SessionEnd","reason":"clear"}`), iotest.ErrReader(errors.New("read on")))
	if _, err := Read(in); err != nil {
		t.Error(err)
	}
}

func TestReadCutsByCharacters(t *testing.T) {
	for _, char := range []string{"x", "é", "世", "😀", `\u0000`, `\ud83d\ude00`} {
		in := fmt.Sprintf(`{"prompt":"%s","session_id":"%[1]s"}`, strings.Repeat(char, 3*textLimit))
		h, err := Read(strings.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		if n := len([]rune(h.Prompt)); n != textLimit {
			t.Errorf("%s: prompt has %d characters, want %d", char, n, textLimit)
		}
		if n := len([]rune(h.SessionID)); n != wordLimit || strings.ContainsRune(h.SessionID, '\uFFFD') {
			t.Errorf("%s: id has %d characters, want %d, none of them broken", char, n, wordLimit)
		}
	}
}

func TestRunningTasksDisplaceFinishedOnes(t *testing.T) {
	var tasks []string
	for i := range 40 {
		status := "completed"
		if i >= 35 {
			status = "running"
		}
		tasks = append(tasks, fmt.Sprintf(`{"id":"t%d","status":%q}`, i, status))
	}
	h, err := Read(strings.NewReader(`{"background_tasks":[` + strings.Join(tasks, ",") + `]}`))
	if err != nil {
		t.Fatal(err)
	}
	running := 0
	for _, b := range h.Background {
		if b.Status == "running" {
			running++
		}
	}
	if len(h.Background) != taskCount || running != 5 {
		t.Errorf("kept %d tasks, %d running; want %d and 5", len(h.Background), running, taskCount)
	}
}

// A generated stream of any size costs the same memory.
func TestReadHoldsNothing(t *testing.T) {
	read := func(head, tail string, size int64) (tracker.Hook, uint64) {
		in := io.MultiReader(strings.NewReader(head), io.LimitReader(repeat("word \\n "), size), strings.NewReader(tail))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		h, err := Read(in)
		runtime.ReadMemStats(&after)
		if err != nil {
			t.Fatal(err)
		}
		return h, after.TotalAlloc - before.TotalAlloc
	}
	const size = 4 << 20
	for _, form := range [][2]string{
		{`{"hook_event_name":"PostToolUse","tool_name":"Write","tool_input":{"file_path":"/a"},"tool_response":{"x":[{"y":"`, `"}]},"tool_use_id":"t1"}`},
		{`{"hook_event_name":"PostToolUse","tool_input":{"content":"`, `","file_path":"/a"},"tool_name":"Write","tool_use_id":"t1"}`},
		{`{"hook_event_name":"PostToolUse","tool_use_id":"t1","tool_name":"Write","tool_input":{"file_path":"/a"},"prompt":"`, `"}`},
	} {
		h, bytes := read(form[0], form[1], size)
		if h.ToolUseID != "t1" || h.ToolDetail != "/a" || len(h.ToolKey) != 16 {
			t.Errorf("got %+v", h)
		}
		if bytes > 4*bufferSize {
			t.Errorf("reading %d bytes allocated %d", size, bytes)
		}
	}
}

// repeat is an endless stream of s.
type repeat string

func (r repeat) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		n += copy(p[n:], r)
	}
	return n, nil
}

func recordedPayloads(t testing.TB) [][]byte {
	t.Helper()
	files, err := filepath.Glob("../../testdata/recordings/*/hooks.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings (%v)", err)
	}
	var payloads [][]byte
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(data) {
			var row struct{ Payload json.RawMessage }
			if err := json.Unmarshal(line, &row); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			payloads = append(payloads, row.Payload)
		}
	}
	return payloads
}

func TestRecordedPayloads(t *testing.T) {
	names := map[tracker.HookName]int{}
	for _, p := range recordedPayloads(t) {
		h, err := Read(bytes.NewReader(p))
		if err != nil {
			t.Fatalf("%s: %v", p, err)
		}
		names[h.Name]++
		if h.SessionID == "" || h.TranscriptPath == "" || h.CWD == "" {
			t.Errorf("common fields are missing in %+v", h)
		}
		if h.Tool != "" && h.ToolDetail == "" {
			t.Errorf("no label for %+v", h)
		}
	}
	if len(names) < 10 || names[tracker.HookPermissionRequest] == 0 {
		t.Errorf("recordings hold %v", names)
	}
}

// TestPlainPrefix compares the search with one byte after the other, for every byte at every place.
func TestPlainPrefix(t *testing.T) {
	for length := range 20 {
		for at := range length {
			for c := range 256 {
				p := bytes.Repeat([]byte{'a'}, length)
				p[at] = byte(c)
				for _, behind := range []byte{'a', '"', 0xff} { // what follows must not matter
					if at+1 < length {
						p[at+1] = behind
					}
					want := bytes.IndexFunc(p, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' })
					if want < 0 {
						want = length
					}
					if got := plainPrefix(p); got != want {
						t.Fatalf("plainPrefix(%q) = %d, want %d", p, got, want)
					}
				}
			}
		}
	}
}
