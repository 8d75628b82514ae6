package tracker

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestToolDetailIsTheMostTellingArgument(t *testing.T) {
	type in = map[string]any
	for name, c := range map[string]struct {
		tool  string
		input in
		want  string
	}{
		"bash shows the command, not its description": {"Bash", in{"description": "run tests", "command": "go test ./..."}, "go test ./..."},
		"edit shows the path":                         {"Edit", in{"old_string": "a", "file_path": "/src/a.go"}, "/src/a.go"},
		"notebook shows the path":                     {"NotebookEdit", in{"new_source": "x", "notebook_path": "/n.ipynb"}, "/n.ipynb"},
		"grep shows pattern and place":                {"Grep", in{"pattern": "TODO", "path": "tui"}, "TODO in tui"},
		"glob without a place":                        {"Glob", in{"pattern": "**/*.go"}, "**/*.go"},
		"fetch shows the address":                     {"WebFetch", in{"prompt": "sum up", "url": "https://example.com"}, "https://example.com"},
		"search shows the query":                      {"WebSearch", in{"query": "tmux control mode"}, "tmux control mode"},
		"agent shows its description":                 {"Agent", in{"prompt": "long text", "description": "read the docs"}, "read the docs"},
		"question shows the first question":           {"AskUserQuestion", in{"questions": []any{in{"question": "Which\ndatabase?"}, in{"question": "no"}}}, "Which database?"},
		"plan shows its beginning":                    {"ExitPlanMode", in{"plan": "# Plan\n1. do it"}, "# Plan 1. do it"},
		"todo shows the item in work":                 {"TodoWrite", in{"todos": []any{in{"status": "completed", "content": "a"}, in{"status": "in_progress", "activeForm": "Testing"}}}, "Testing"},
		"unknown tools fall back on usual names":      {"mcp__db__run", in{"limit": 4.0, "query": "select 1"}, "select 1"},
		"then on the first text by name":              {"mcp__x", in{"b": "two", "a": "one"}, "one"},
		"a malformed question is no label":            {"AskUserQuestion", in{"questions": "x"}, "x"},
		"no input":                                    {"Bash", nil, ""},
		"control characters go":                       {"Bash", in{"command": "\x1b]52;c;x\x07 ls\r\n -l \t"}, "]52;c;x ls -l"},
	} {
		if got := ToolDetail(c.tool, c.input); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestToolDetailIsBounded(t *testing.T) {
	got := ToolDetail("Bash", map[string]any{"command": strings.Repeat("ä b", 1<<20)})
	if n := utf8.RuneCountInString(got); n > toolDetailRunes || n < toolDetailRunes-2 || !strings.HasSuffix(got, "…") {
		t.Errorf("got %d runes, ending %q", n, got[len(got)-8:])
	}
}
