package wire

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"signalbox/tracker"
)

func readString(t testing.TB, in string) tracker.Hook {
	t.Helper()
	h, err := Read(strings.NewReader(in))
	if err != nil {
		t.Fatalf("%s: %v", in, err)
	}
	return h
}

func TestToolKeyJoinsTheHooksOfOneCall(t *testing.T) {
	key := func(tool, input string) string {
		return readString(t, fmt.Sprintf(`{"tool_name":%q,"tool_input":%s}`, tool, input)).ToolKey
	}
	base := key("Bash", `{"command":"ls","timeout":5,"nested":{"a":[1,2,{"b":null}],"c":"é"}}`)
	for _, same := range []string{
		`{"timeout":5,"nested":{"c":"\u00e9","a":[1,2,{"b":null}]},"command":"ls"}`,
		" {\n\"command\" : \"l\\u0073\",\t\"timeout\":5 , \"nested\":{\"a\":[ 1,2,{\"b\":null} ],\"c\":\"é\"}}",
	} {
		if got := key("Bash", same); got != base {
			t.Errorf("%s: key %s, want %s", same, got, base)
		}
	}
	seen := map[string]string{base: "the base"}
	for _, in := range []string{
		`{}`, `[]`, `null`, `""`, `"x"`, `1`, `true`, `{"command":"ls"}`, `{"command":"ls "}`, `{"command":["ls"]}`, `{"ls":"command"}`,
		`{"a":1,"b":2}`, `{"a":2,"b":1}`, `{"a":"1","b":"2"}`, `{"a":[1],"b":2}`, `{"a":[],"b":{}}`, `{"a":{},"b":[]}`, `{"a":[1,2]}`, `{"a":[2,1]}`,
		`{"a":[[1],2]}`, `{"a":[1,[2]]}`, `{"a":{"b":{"c":1}}}`, `{"a":{"b":1,"c":1}}`, `{"a":{"b":1},"c":1}`,
	} {
		k := key("Bash", in)
		if other, ok := seen[k]; ok {
			t.Errorf("%s and %s share key %s", in, other, k)
		}
		seen[k] = in
	}
	if key("Bash", `{}`) == key("Read", `{}`) {
		t.Error("the tool's name is not part of the key")
	}
	if h := readString(t, `{"hook_event_name":"Stop","tool_name":"Bash"}`); h.ToolKey != "" {
		t.Errorf("a call without input has key %q", h.ToolKey)
	}
}

// Swapped values of two members must not sum to the same.
func TestToolKeyMixes(t *testing.T) {
	seen := map[string]string{}
	for a := range 60 {
		for b := range 60 {
			in := fmt.Sprintf(`{"tool_name":"T","tool_input":{"a":%d,"b":%d}}`, a, b)
			k := readString(t, in).ToolKey
			if seen[k] != "" {
				t.Fatalf("%s and %s share key %s", in, seen[k], k)
			}
			seen[k] = in
		}
	}
}

func TestRecordedCallsShareTheirKey(t *testing.T) {
	byID, keys := map[string]string{}, map[string]bool{}
	joined, requests := 0, 0
	for _, p := range recordedPayloads(t) {
		h, err := Read(bytes.NewReader(p))
		if err != nil {
			t.Fatal(err)
		}
		if h.Tool == "" {
			continue
		}
		if h.ToolKey == "" {
			t.Errorf("no key: %+v", h)
		}
		call := h.SessionID + " " + h.ToolKey
		switch h.Name {
		case tracker.HookPreToolUse:
			byID[h.ToolUseID], keys[call] = h.ToolKey, true
		case tracker.HookPermissionRequest:
			requests++
			if !keys[call] {
				t.Errorf("no call with the key of %+v", h)
			}
		case tracker.HookPostToolUse:
			joined++
			if byID[h.ToolUseID] != h.ToolKey {
				t.Errorf("%s: key %s before and %s after", h.Tool, byID[h.ToolUseID], h.ToolKey)
			}
		}
	}
	if joined < 8 || requests < 9 {
		t.Errorf("the recordings held %d results and %d requests", joined, requests)
	}
}

func TestToolDetail(t *testing.T) {
	tests := []struct{ tool, input, want string }{
		{"Bash", `{"description":"d","command":"go  test\n\t./..."}`, "go test ./..."},
		{"Read", `{"limit":5,"file_path":"/a b"}`, "/a b"},
		{"Write", `{"content":"c","file_path":"/a"}`, "/a"},
		{"Edit", `{"file_path":"/a","old_string":"c"}`, "/a"},
		{"NotebookEdit", `{"cell_id":"c","notebook_path":"/n"}`, "/n"},
		{"Glob", `{"pattern":"**/*.go"}`, "**/*.go"},
		{"WebFetch", `{"prompt":"p","url":"https://x"}`, "https://x"},
		{"WebSearch", `{"allowed_domains":["a"],"query":"q"}`, "q"},
		{"Task", `{"prompt":"long","description":"short"}`, "short"},
		{"Agent", `{"prompt":"long","description":"short"}`, "short"},
		{"Skill", `{"args":"a","skill":"pdf"}`, "pdf"},
		{"AskUserQuestion", `{"questions":[{"header":"h","question":"Which?","options":[{"label":"a"}]},{"question":"Second?"}]}`, "Which?"},
		{"ExitPlanMode", `{}`, "plan approval"},
		{"mcp__db__run", `{"n":1,"zeta":"z","sql":"select"}`, "select"},
		{"Unknown", `{"z":"last","b":"first","a":1}`, "first"},
		{"Unknown", `{}`, ""},
		{"Unknown", `["x"]`, ""},
	}
	for _, tt := range tests {
		for _, form := range []string{`{"tool_name":%q,"tool_input":%s}`, `{"tool_input":%[2]s,"tool_name":%[1]q}`} {
			if got := readString(t, fmt.Sprintf(form, tt.tool, tt.input)).ToolDetail; got != tt.want {
				t.Errorf("%s %s: %q, want %q", tt.tool, tt.input, got, tt.want)
			}
		}
	}
	long := readString(t, `{"tool_name":"Bash","tool_input":{"command":"`+strings.Repeat("世", 5000)+`"}}`).ToolDetail
	if n := len([]rune(long)); n > detailLimit || n < detailLimit-10 {
		t.Errorf("label has %d characters", n)
	}
}

// An input with many and deep members is bounded, and still has its whole digest.
func TestWideInput(t *testing.T) {
	member := func(i int) string { return fmt.Sprintf(`"k%d":{"a":["%[1]d",{"b":{"c":"x"}}]}`, i) }
	var members []string
	for i := range 2000 {
		members = append(members, member(i))
	}
	in := func() string {
		return `{"tool_name":"T","tool_input":{` + strings.Join(members, ",") + `}}`
	}
	first := readString(t, in()).ToolKey
	rand.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	if got := readString(t, in()).ToolKey; got != first {
		t.Errorf("key %s, in another order %s", first, got)
	}
	members[1999] = member(2000)
	if got := readString(t, in()).ToolKey; got == first {
		t.Error("a changed member left the key as it was")
	}
}
