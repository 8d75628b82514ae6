package composer

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const recordings = "../../../testdata/recordings"

// golden is what a person reading one screen says of it.
type golden struct {
	ready  bool
	veto   string // part of the reason; "" only where ready
	rows   string // text in the box, rows joined by "/"
	ghost  string
	hidden int
	insert bool
	noBox  bool
}

func ready() golden             { return golden{ready: true} }
func dialog(says string) golden { return golden{veto: says, noBox: true} }
func draft(rows string) golden  { return golden{veto: "not empty", rows: rows} }

// recordedScreens says of every screen of the recordings what its input box is. Written by hand
// from the pictures, never from the output.
func recordedScreens() map[string]golden {
	permission, none := dialog("permission dialog"), dialog("no input box")
	screens := map[string]golden{
		"api-error/02-ghost-suggestion":     {ready: true, ghost: "Resend your message to try again"},
		"approve/02-permission":             permission,
		"background-agent/01-after":         none,
		"bash-mode/01-bash-mode":            {veto: "shell mode", rows: " touch from-bash-mode.txt"},
		"deny/01-permission":                permission,
		"dialog/01-model":                   dialog("a dialog is open"),
		"dialog/02-config":                  dialog("a dialog is open"),
		"draft/01-draft":                    draft("half typed draft"),
		"draft/02-multi-line-draft":         draft("first line/second line"),
		"editor/01-editor":                  none,
		"exit/01-shell-again":               none,
		"interrupt/01-busy":                 {veto: "working"},
		"killed/01-shell-again":             dialog(""), // what is left of a dialog, under a shell prompt
		"naive-send/01-permission":          permission,
		"narrow/02-permission":              permission,
		"narrow/03-draft":                   draft("a draft that is long enough to/wrap in a narrow pane"),
		"paste/01-pasted":                   draft("line one/line two; with semi/    tabbed"),
		"paste/03-long-paste":               draft("[Pasted text #1 +59 lines]"),
		"plan/01-plan":                      dialog("plan waits"),
		"print-mode/01-after":               none,
		"question/01-question":              dialog("question"),
		"queued/01-queued":                  {veto: "working", ghost: "Press up to edit queued messages"},
		"slash-menu/01-slash-menu":          {veto: "picker is open", rows: "/mod"},
		"slash-menu/02-file-menu":           {veto: "picker is open", rows: "@READ"},
		"subagent-permission/01-permission": permission,
		"suspended/01-shell-prompt":         dialog("suspended"),
		"transcript-view/01-transcript":     dialog("transcript view"),
		"transcript-view/02-history-search": dialog("history search"),
		"trust/01-trust-dialog":             dialog("trust dialog"),
		"vim/01-insert":                     {ready: true, insert: true},
		"vim/03-garbled":                    {veto: "not empty", rows: "ll files", insert: true},
		"background-shell/01-permission":    ready(), // the label is older than the screen
		"copy-mode/01-copy-mode":            ready(), // tmux's mode is the tmux lamp's matter
		"dialog/03-rewind":                  ready(), // Esc Esc on an empty box did nothing yet
		"subagent/01-running":               ready(), // that a subagent runs is the claude lamp's matter
		"vim/02-normal":                     ready(), // leaves no trace on an empty box
	}
	for _, idle := range strings.Fields(`
		api-error/01-after approve/01-idle approve/03-after auto-mode/01-idle auto-mode/02-after
		background-shell/02-shell-running background-shell/03-after bash-mode/02-after clear/01-after
		compact/01-after copy-mode/02-after deny/02-after editor/02-after interrupt/02-after long-name/01-idle
		naive-send/02-after narrow/01-idle paste/02-after paste/04-long-after plan/02-after prompt/01-after
		question/02-after question-cancelled/01-after queued/02-after resume/01-resumed resume/02-after
		subagent/02-after subagent-permission/02-after suspended/02-back trust/02-after`) {
		screens[idle] = ready()
	}
	return screens
}

// ownScreens does the same for the screens beside this test, one folder per version.
func ownScreens() map[string]golden {
	word := "word word word word word word word"
	old := "too old"
	return map[string]golden{
		"2.1.332/busy-context":         {veto: "working"},
		"2.1.332/dialog-config":        dialog("a dialog"),
		"2.1.332/dialog-export":        dialog("menu"),
		"2.1.332/dialog-help":          dialog("a dialog"),
		"2.1.332/dialog-hooks":         dialog("a dialog"),
		"2.1.332/dialog-memory":        dialog("menu"),
		"2.1.332/dialog-resume":        dialog("a dialog"),
		"2.1.332/dialog-rewind":        dialog("a dialog"),
		"2.1.332/dialog-tasks":         dialog("a dialog"),
		"2.1.332/dialog-theme":         dialog("menu"),
		"2.1.332/focus-out-draft":      draft("hello while away"),
		"2.1.332/focus-out-idle":       ready(), // without focus an empty box shows no caret
		"2.1.332/history-search":       dialog("history search"),
		"2.1.332/idle-after-mcp":       ready(),
		"2.1.332/name-flag":            ready(), // name-*: of the session, on the rule
		"2.1.332/name-joined":          ready(),
		"2.1.332/name-keycap":          ready(),
		"2.1.332/name-long":            ready(),
		"2.1.332/name-variation":       ready(),
		"2.1.332/name-variations":      ready(),
		"2.1.332/narrow34-long":        ready(),
		"2.1.332/narrow34-variation":   ready(),
		"2.1.332/narrow40-idle":        ready(),
		"2.1.332/narrow40-scrolled":    {veto: "not empty", rows: strings.Repeat(word+"/", 4) + "word", hidden: 18},
		"2.1.332/shortcuts-help":       {veto: "not known to stand under the input box"},
		"2.1.332/stashed":              ready(),
		"2.1.332/statusline-after":     ready(),
		"2.1.332/statusline-filled":    draft("hello there"),
		"2.1.332/statusline-idle":      ready(),
		"2.1.332/statusline-multi":     ready(), // one of its rows looks like a prompt
		"2.1.332/main-idle":            ready(), // main-*: drawn on the main screen
		"2.1.332/main-hint-below":      draft("hint 5"),
		"2.1.332/main-slash-menu":      {veto: "picker is open", rows: "/mod"},
		"2.1.332/main-file-menu":       {veto: "picker is open", rows: "see @REA"},
		"2.1.332/main-emoji-menu":      {veto: "picker is open", rows: "so :hea"},
		"2.1.332/main-shell-mode":      {veto: "shell mode", rows: "ls"},
		"2.1.332/main-placeholder":     draft("[Pasted text #1 +4 lines]"),
		"2.1.332/main-permission":      dialog("permission dialog"),
		"2.1.332/main-busy":            {veto: "working"},
		"2.1.332/main-narrow-scrolled": dialog("no input box"), // its top is in the history
		"2.1.197/after-deny":           ready(),
		"2.1.197/after-failed-tool":    ready(),
		"2.1.197/after-turn":           ready(),
		"2.1.197/busy":                 {veto: "working"},
		"2.1.197/draft":                draft("half typed draft"),
		"2.1.197/idle":                 ready(),
		"2.1.197/permission":           dialog("permission dialog"),
		"2.1.197/placeholder":          draft("[Pasted text #1 +3 lines]"),
		"2.1.197/question":             dialog("question"),
		"2.1.197/shell-mode":           {veto: "shell mode", rows: "ls"},
		"2.1.197/slash-menu":           {veto: "not known to stand under the input box", rows: "/mod"},
		"2.0.76/after-turn":            {veto: old},
		"2.0.76/draft":                 {veto: old, rows: "half typed draft"},
		"2.0.76/idle":                  {veto: old},
		"2.0.76/multi-line-draft":      {veto: old, rows: "one/two/three/four"},
		"2.0.76/multi-line-draft-2":    {veto: old, rows: "one/two/three/!ls"},
	}
}

func TestRecordedScreens(t *testing.T) {
	checkAll(t, filepath.Join(recordings, "*", "screens", "*.ansi"), recordedScreens(), recorded, func(path string) string {
		scenario := filepath.Base(filepath.Dir(filepath.Dir(path)))
		return scenario + "/" + strings.TrimSuffix(filepath.Base(path), ".ansi")
	})
}

func TestOwnScreens(t *testing.T) {
	checkAll(t, filepath.Join("testdata", "*", "*.ansi"), ownScreens(), captured, func(path string) string {
		return filepath.Base(filepath.Dir(path)) + "/" + strings.TrimSuffix(filepath.Base(path), ".ansi")
	})
}

// checkAll reads every screen of a folder; one without an expectation fails, and so does an
// expectation without a screen.
func checkAll(t *testing.T, glob string, want map[string]golden, load func(*testing.T, string) Screen, name func(string) string) {
	t.Helper()
	paths, err := filepath.Glob(glob)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no screens at %s: %v", glob, err)
	}
	for _, path := range paths {
		key := name(path)
		g, ok := want[key]
		if !ok {
			t.Errorf("%s: nobody said what is on this screen", key)
			continue
		}
		delete(want, key)
		t.Run(key, func(t *testing.T) { g.check(t, Read(load(t, path))) })
	}
	for key := range want {
		t.Errorf("%s: no such screen", key)
	}
}

func (g golden) check(t *testing.T, r Reading) {
	t.Helper()
	if r.Ready() != g.ready {
		t.Errorf("ready = %v (%s), want %v", r.Ready(), r.Reason(), g.ready)
	}
	if !strings.Contains(r.Reason(), g.veto) || !g.ready && r.Reason() == "" {
		t.Errorf("reason = %q, want it to say %q", r.Reason(), g.veto)
	}
	if got := strings.Join(r.Rows, "/"); got != g.rows {
		t.Errorf("text in the box = %q, want %q", got, g.rows)
	}
	if r.Ghost != g.ghost || r.Hidden != g.hidden || r.Insert != g.insert || r.Box == g.noBox {
		t.Errorf("got %+v, want %+v", r, g)
	}
	if len(r.Rows) > 0 && !r.AtEnd {
		t.Errorf("every draft here was typed to its end, but AtEnd is false")
	}
}

func captured(t *testing.T, path string) Screen {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	meta, err := os.ReadFile(strings.TrimSuffix(path, ".ansi") + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var m struct{ Cursor, Size, Alternate string }
	if err := json.Unmarshal(meta, &m); err != nil {
		t.Fatal(err)
	}
	return screenOf(t, raw, m.Cursor, m.Size, m.Alternate)
}

func screenOf(t *testing.T, raw []byte, cursor, size, alternate string) Screen {
	t.Helper()
	s := Screen{Lines: ParseLines(raw), Alternate: alternate == "1"}
	s.CursorX, s.CursorY = pair(t, cursor, ",")
	s.Width, s.Height = pair(t, size, "x")
	return s
}

func pair(t *testing.T, s, sep string) (int, int) {
	t.Helper()
	var a, b int
	l, r, ok := strings.Cut(s, sep)
	if !ok {
		t.Fatalf("not a pair: %q", s)
	}
	for _, c := range l {
		a = a*10 + int(c-'0')
	}
	for _, c := range r {
		b = b*10 + int(c-'0')
	}
	return a, b
}

// recorded reads one screen of a recording, with the cursor and size its timeline tells.
func recorded(t *testing.T, path string) Screen {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	label := strings.TrimSuffix(filepath.Base(path), ".ansi")
	f, err := os.Open(filepath.Join(filepath.Dir(path), "..", "timeline.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var rec struct {
			Screen string
			Pane   struct{ Cursor, Size, Alternate string }
		}
		if err := json.Unmarshal(lines.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		if rec.Screen == label {
			return screenOf(t, raw, rec.Pane.Cursor, rec.Pane.Size, rec.Pane.Alternate)
		}
	}
	t.Fatalf("%s is not in its timeline", label)
	return Screen{}
}
