package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"

	"signalbox/tracker"
)

const testCommand = "TERM=dumb GOMAXPROCS=1 '/opt/x/signalbox' hook >/dev/null 2>&1 || :"

func allEvents() []tracker.HookName { return EventsFor("9.9.9") }

// foreign is a file like people have: hooks of others on our events, keys in no order, an unknown
// key and event, a number no float64 holds.
const foreign = `{
  "zeta": 12345678901234567,
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "~/bin/guard --strict" }
        ]
      },
      {"matcher": "", "hooks": [{"type":"command","command":"say \u00e9"}]}
    ],
    "MoonPhase": [{"hooks": []}],
    "Stop": [],
    "SessionStart": [
    ],
    "Notification": [ {"hooks": [{"type": "http", "url": "http://x"}]} ]
  },
  "alpha": {"hooks": {"Stop": [1]}},
  "env": {"A":"b"}
}
`

// documents are settings files of every layout.
func documents() map[string]string {
	return map[string]string{
		"as people have it":       foreign,
		"windows line ends":       strings.ReplaceAll(foreign, "\n", "\r\n"),
		"tabs":                    strings.ReplaceAll(foreign, "  ", "\t"),
		"no line end":             strings.TrimSpace(foreign),
		"empty":                   "{}",
		"empty with a line":       "{\n}\n",
		"blanks around":           " \n\t{ } \r\n\n",
		"minified":                `{"model":"opus","hooks":{"Stop":[{"hooks":[{"type":"command","command":"x"}]}]},"n":1.50e+3}`,
		"minified without hooks":  `{"model":"opus"}`,
		"one line":                `{ "model": "opus", "permissions": { "allow": [ "a", "b" ] } }`,
		"empty hooks":             "{\n  \"hooks\": {}\n}\n",
		"empty hooks with blanks": "{\"hooks\": { \n }, \"x\": null}",
		"empty lists":             `{"hooks": {"PreToolUse": [], "Stop": [ ], "SessionEnd":[` + "\n\n" + `]}}`,
		"hooks last":              "{\n    \"a\": 1,\n    \"hooks\": {\n        \"Stop\": [\n            {}\n        ]\n    }\n}",
		"odd shapes inside":       `{"hooks":{"PreToolUse":[1,null,"x",{"hooks":7},{"hooks":[5,{"command":{}}]},[]],"Other":{"a":[]}}}`,
		"the same name twice":     `{"hooks":{"Stop":[]},"hooks":{"Stop":[{}],"Stop":[]}}`,
		"escaped names":           `{"\u0068ooks":{"S\u0074op":[{"hooks":[]}]}}`,
		"brackets in texts":       `{"a":"]}[{,\\\"","hooks":{"Stop":[{"x":"}],"}]}}`,
		"everything on one event": `{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "a"}, {"type": "command", "command": "b"}]}]}}`,
	}
}

func mustInstall(t testing.TB, text, command string, events []tracker.HookName) string {
	t.Helper()
	out, err := Install([]byte(text), command, events)
	if err != nil {
		t.Fatalf("installing into %s: %v", text, err)
	}
	return string(out)
}

func mustUninstall(t testing.TB, text string) string {
	t.Helper()
	out, err := Uninstall([]byte(text))
	if err != nil {
		t.Fatalf("uninstalling from %s: %v", text, err)
	}
	return string(out)
}

// commands are the commands on one event in order, as Claude Code would run them.
func commands(t testing.TB, text, event string) []string {
	t.Helper()
	// Maps, because the fields of a struct would match names in any case.
	type object = map[string]json.RawMessage
	var top, hooks object
	if err := json.Unmarshal([]byte(text), &top); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	_ = json.Unmarshal(top["hooks"], &hooks)
	var groups []json.RawMessage
	_ = json.Unmarshal(hooks[event], &groups)
	var list []string
	for _, g := range groups {
		var group object
		var entries []json.RawMessage
		_ = json.Unmarshal(g, &group)
		_ = json.Unmarshal(group["hooks"], &entries)
		for _, e := range entries {
			var entry object
			var command string
			if json.Unmarshal(e, &entry) == nil && json.Unmarshal(entry["command"], &command) == nil && command != "" {
				list = append(list, command)
			}
		}
	}
	return list
}

func count(list []string, s string) int {
	n := 0
	for _, x := range list {
		if x == s {
			n++
		}
	}
	return n
}

func TestInstallAndBack(t *testing.T) {
	for name, text := range documents() {
		t.Run(name, func(t *testing.T) {
			installed := mustInstall(t, text, testCommand, allEvents())
			for _, ev := range allEvents() {
				before, after := commands(t, text, string(ev)), commands(t, installed, string(ev))
				if count(after, testCommand) != 1 || len(after) != len(before)+1 {
					t.Errorf("%s runs %q, before %q", ev, after, before)
				}
			}
			if again := mustInstall(t, installed, testCommand, allEvents()); again != installed {
				t.Errorf("installing twice changes\n%s\nto\n%s", installed, again)
			}
			if back := mustUninstall(t, installed); back != text {
				t.Errorf("came back as\n%q\nwas\n%q", back, text)
			}
			if same := mustUninstall(t, text); same != text {
				t.Errorf("uninstalling without hooks changed it to %q", same)
			}
		})
	}
}

// An update of Claude Code brings new events, a downgrade takes some away.
func TestInstallForAnotherVersion(t *testing.T) {
	for name, text := range documents() {
		now := mustInstall(t, text, testCommand, EventsFor("2.0.76"))
		now = mustInstall(t, now, testCommand, allEvents())
		now = mustInstall(t, now, testCommand, EventsFor("2.0.45"))
		for _, ev := range allEvents() {
			want := 0
			for _, known := range EventsFor("2.0.45") {
				if ev == known {
					want = 1
				}
			}
			if got := commands(t, now, string(ev)); count(got, testCommand) != want {
				t.Errorf("%s: %s runs %q", name, ev, got)
			}
		}
		if back := mustUninstall(t, now); back != text {
			t.Errorf("%s came back as\n%q\nwas\n%q", name, back, text)
		}
	}
}

func TestInstallUpdatesAnOlderPath(t *testing.T) {
	for name, text := range documents() {
		for _, old := range []string{Command("/old place/it's/signalbox"), "signalbox hook", "/usr/bin/signalbox hook || true"} {
			now := mustInstall(t, mustInstall(t, text, old, allEvents()), testCommand, allEvents())
			if want := mustInstall(t, text, testCommand, allEvents()); now != want {
				t.Errorf("%s, from %q: got\n%s\nwant\n%s", name, old, now, want)
			}
		}
	}
}

func TestInstallLeavesOneOfSeveral(t *testing.T) {
	stop := []tracker.HookName{"Stop"}
	for name, text := range map[string]string{
		"in two groups":                 `{"hooks":{"Stop":[{"hooks":[{"command":"signalbox hook"}]},{"hooks":[{"command":"x"}]},{"hooks":[{"command":"signalbox hook"}]}]}}`,
		"in one group":                  `{"hooks":{"Stop":[{"hooks":[{"command":"signalbox hook"},{"command":"x"},{"command":"/b/signalbox hook"}]}]}}`,
		"where Claude Code never looks": `{"hooks":{"Stop":[{"hooks":[{"command":"signalbox hook"}]}]},"hooks":{"Stop":[{"hooks":[{"command":"signalbox hook"}]}],"Stop":[{"hooks":[{"command":"x"}]}]}}`,
	} {
		got := mustInstall(t, text, testCommand, stop)
		if c := commands(t, got, "Stop"); count(c, testCommand) != 1 || count(c, "x") != 1 || len(c) != 2 {
			t.Errorf("%s: runs %q", name, c)
		}
		if strings.Count(got, program) != 1 {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// The layout is that of the file.
func TestLayout(t *testing.T) {
	two := []tracker.HookName{"Stop", "SessionEnd"}
	g := `{"hooks": [{"type": "command", "command": "` + testCommand + `", "timeout": 5}]}`
	for _, tt := range []struct{ text, want string }{
		{"{}\n", "{\"hooks\": {\n    \"Stop\": [ " + g + " ],\n    \"SessionEnd\": [ " + g + " ]\n  }}\n"},
		{"{\n\t\"a\": 1\n}", "{\n\t\"a\": 1,\n\t\"hooks\": {\n\t\t\"Stop\": [ " + g + " ],\n\t\t\"SessionEnd\": [ " + g + " ]\n\t}\n}"},
		{"{\n  \"hooks\": {}\n}", "{\n  \"hooks\": {\"Stop\": [ " + g + " ],\n    \"SessionEnd\": [ " + g + " ]}\n}"},
		{"{\n  \"hooks\": {\n    \"Stop\": [\n      {}\n    ]\n  }\n}", "{\n  \"hooks\": {\n    \"Stop\": [\n      {},\n      " + g + "\n    ],\n    \"SessionEnd\": [ " + g + " ]\n  }\n}"},
		{`{"a":1,"hooks":{"Stop":[{}]}}`, `{"a":1,"hooks":{"Stop":[{},` + g + `],"SessionEnd": [ ` + g + ` ]}}`},
	} {
		if got := mustInstall(t, tt.text, testCommand, two); got != tt.want {
			t.Errorf("%s\ngot\n%s\nwant\n%s", tt.text, got, tt.want)
		}
	}
}

// What happened to the file meanwhile stays, and only ours goes.
func TestUninstallAfterOthersWrote(t *testing.T) {
	installed := mustInstall(t, foreign, testCommand, allEvents())
	edit := func(old, with string) string {
		t.Helper()
		if strings.Count(installed, old) != 1 {
			t.Fatalf("%q is %d times in %s", old, strings.Count(installed, old), installed)
		}
		return strings.Replace(installed, old, with, 1)
	}
	mine := group(testCommand)
	tests := []struct{ name, text, want string }{
		{"a key is added", edit(`"alpha"`, `"beta": true, "alpha"`), strings.Replace(foreign, `"alpha"`, `"beta": true, "alpha"`, 1)},
		{
			"a hook behind ours", edit(`"SessionEnd": [ `+mine, `"SessionEnd": [ `+mine+`, {"hooks": []}`),
			strings.Replace(foreign, `x"}]} ]`, `x"}]} ],`+"\n"+`    "SessionEnd": [ {"hooks": []} ]`, 1),
		},
		{
			"a hook before ours", edit(`"SessionEnd": [ `, `"SessionEnd": [ {"hooks": []}, `),
			strings.Replace(foreign, `x"}]} ]`, `x"}]} ],`+"\n"+`    "SessionEnd": [ {"hooks": []} ]`, 1),
		},
		{"ours moved into a group of theirs", edit(`"command": "~/bin/guard --strict" }`, `"command": "~/bin/guard --strict" }, {"type":"command","command":"signalbox hook"}`), foreign},
		{
			"theirs moved into our group", edit(`"CwdChanged": [ {"hooks": [`, `"CwdChanged": [ {"hooks": [{"type":"command","command":"x"}, `),
			strings.Replace(foreign, `x"}]} ]`, `x"}]} ],`+"\n"+`    "CwdChanged": [ {"hooks": [ {"type":"command","command":"x"}]} ]`, 1),
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := mustUninstall(t, tt.text)
			if strings.Contains(got, program) {
				t.Errorf("ours is still there: %s", got)
			}
			if !sameJSON(t, got, tt.want) {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Claude Code writes the file anew when a setting is changed in its menus.
func TestUninstallAfterReformatting(t *testing.T) {
	for name, text := range documents() {
		if name == "the same name twice" {
			continue // a program that writes the file anew keeps one of the two
		}
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(mustInstall(t, text, testCommand, allEvents())), "", "  "); err != nil {
			t.Fatal(err)
		}
		if got := mustUninstall(t, b.String()); !sameJSON(t, dropEmpty(t, got), dropEmpty(t, text)) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, text)
		}
	}
}

// dropEmpty is a settings file without hook lists, and hooks, that are empty.
func dropEmpty(t *testing.T, text string) string {
	t.Helper()
	var v map[string]any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if hooks, ok := v["hooks"].(map[string]any); ok {
		for ev, groups := range hooks {
			if list, ok := groups.([]any); ok && len(list) == 0 {
				delete(hooks, ev)
			}
		}
		if len(hooks) == 0 {
			delete(v, "hooks")
		}
	}
	out, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal([]byte(a), &x), json.Unmarshal([]byte(b), &y)); err != nil {
		t.Fatalf("%v in\n%s\nor\n%s", err, a, b)
	}
	return reflect.DeepEqual(x, y)
}

func TestWhatCannotBeEditedIsRefused(t *testing.T) {
	tests := []struct {
		name, text   string
		line, column int
		what         string
	}{
		{"comma behind the last member", "{\n  \"a\": 1,\n}", 2, 9, "comma behind the last"},
		{"comma behind the last element", "{\"a\": [1,2 ,\n ]}", 1, 12, "comma behind the last"},
		{"line comment", "{\n  // mine\n  \"a\": 1\n}", 2, 3, "comments"},
		{"comment at the end", "{}\n# done", 2, 1, "comments"},
		{"block comment", "{\"a\": /* x */ 1}", 1, 7, "comments"},
		{"byte order mark", "\xef\xbb\xbf{}", 1, 1, "byte order mark"},
		{"nothing", "", 1, 1, "empty"},
		{"blanks", " \n\t", 2, 2, "empty"},
		{"an array", "[]", 1, 1, "not an object"},
		{"a text", " \"x\"", 1, 2, "not an object"},
		{"null", "null", 1, 1, "not an object"},
		{"two objects", "{}\n{}", 2, 1, "follows the end"},
		{"cut off", "{\"a\": {\n\"b\"", 2, 4, "ends in the middle"},
		{"cut off in a text", "{\"ä\": \"ö", 1, 7, "closing quote"},
		{"line break in a text", "{\"é\": \"a\nb\"}", 1, 7, "line break"},
		{"no comma", "{\"a\": 1\n \"b\": 2}", 2, 2, "comma is missing"},
		{"no colon", "{\"a\" 1}", 1, 6, "colon"},
		{"single quotes", "{'a': 1}", 1, 2, "double quotes"},
		{"a word", "{\"a\": undefined}", 1, 7, "not a JSON value"},
		{"a bad number", "{\"a\": 01}", 1, 7, "not a JSON value"},
		{"hooks is a list", "{\n  \"hooks\": []\n}", 2, 12, `"hooks" is not an object`},
		{"hooks is null", "{\"hooks\": null}", 1, 11, `"hooks" is not an object`},
		{"an event is an object", "{\"hooks\": {\n\"Stop\": {}}}", 2, 9, "Stop are not a list"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Install([]byte(tt.text), testCommand, allEvents())
			var syntax *SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("got %v", err)
			}
			if syntax.Line != tt.line || syntax.Column != tt.column || !strings.Contains(syntax.What, tt.what) {
				t.Errorf("got %v, want %d:%d: … %s …", err, tt.line, tt.column, tt.what)
			}
		})
	}
	if _, err := Install([]byte(strings.Repeat(`{"a":`, 5000)), testCommand, allEvents()); err == nil {
		t.Error("a bottomless file was read")
	}
}

// FuzzInstall: whatever the file, installing and uninstalling gives the same bytes, installing
// twice is installing once, and what is refused is no settings file.
func FuzzInstall(f *testing.F) {
	for _, text := range documents() {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		text := string(data)
		root, err := parse(data)
		var ref map[string]json.RawMessage
		if isObject := json.Unmarshal(data, &ref) == nil && ref != nil; isObject != (err == nil) {
			t.Fatalf("parse says %v, encoding/json says object: %v", err, isObject)
		}
		if err != nil || len(find(root)) > 0 {
			return
		}
		installed, err := Install(data, testCommand, allEvents())
		if string(data) != text {
			t.Fatal("Install changed its argument")
		}
		if err != nil {
			var syntax *SyntaxError
			if !errors.As(err, &syntax) || !strings.Contains(syntax.What, "not a") {
				t.Fatalf("refused: %v", err)
			}
			return
		}
		for _, ev := range allEvents() {
			if count(commands(t, string(installed), string(ev)), testCommand) != 1 {
				t.Fatalf("%s does not run ours once in %s", ev, installed)
			}
		}
		if again := mustInstall(t, string(installed), testCommand, allEvents()); again != string(installed) {
			t.Fatalf("twice: %q", again)
		}
		if back := mustUninstall(t, string(installed)); back != text {
			t.Fatalf("came back as %q, was %q", back, text)
		}
	})
}
