package fakeagent

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/tmuxctl/tmuxtest"
)

// TestMain lets the test binary be the simulated claude: the rig links it under that name.
func TestMain(m *testing.M) {
	if Invoked(os.Args, os.Environ()) {
		os.Exit(Main(context.Background(), os.Args, os.Environ(), os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

// allEvents are the hook events the recordings were made with.
var allEvents = []string{
	"SessionStart", "SessionEnd", "UserPromptSubmit", "PreToolUse", "PermissionRequest", "PostToolUse",
	"PostToolUseFailure", "Notification", "Stop", "StopFailure", "SubagentStart", "SubagentStop", "PreCompact", "PostCompact",
}

// rig is one simulated agent in a pane of a real private tmux, with everything it leaves behind.
type rig struct {
	*tmuxtest.Server
	t       *testing.T
	pane    tmuxtest.Pane
	dir     string // Claude's folder
	cwd     string
	hookLog string
	control string
	input   string
	wordLog string
}

// newRig starts an agent under a shell, as a person does. change adjusts the options.
func newRig(t *testing.T, change func(*Options)) *rig {
	t.Helper()
	s := tmuxtest.New(t)
	r := &rig{Server: s, t: t, dir: filepath.Join(s.Home(), ".claude"), cwd: filepath.Join(s.Home(), "src", "api")}
	for _, d := range []string{filepath.Join(r.dir, "sessions"), r.cwd, filepath.Join(s.Home(), "bin")} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	claude, err := Install(filepath.Join(s.Home(), "bin"), ProgramName)
	if err != nil {
		t.Fatal(err)
	}
	r.hookLog = filepath.Join(s.TmpDir(), "hooks.jsonl")
	r.control = filepath.Join(s.TmpDir(), "ctl")
	r.input = filepath.Join(s.TmpDir(), "input")
	r.wordLog = filepath.Join(s.TmpDir(), "words")
	r.writeSettings()
	o := Options{ClaudeDir: r.dir, Control: r.control, InputLog: r.input, WordLog: r.wordLog, Latency: 100 * time.Millisecond, Notice: 300 * time.Millisecond}
	if change != nil {
		change(&o)
	}
	options := filepath.Join(s.TmpDir(), "options.json")
	r.writeJSON(options, o)
	r.pane = s.NewSession("agent", tmuxtest.Command{Dir: r.cwd, Env: []string{EnvVar + "=" + options}})
	name := " -n api-worker"
	if o.Name == "-" {
		name = ""
	}
	s.Shell(r.pane.ID, "clear; "+claude+name)
	return r
}

func (r *rig) writeJSON(path string, v any) {
	r.t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, b, 0o600); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) writeSettings() {
	hooks := map[string]any{}
	for _, e := range allEvents {
		hooks[e] = []any{map[string]any{"hooks": []any{map[string]any{
			"type":    "command",
			"command": `p=$(cat); printf '%s\n' "$p" >> ` + r.hookLog,
		}}}}
	}
	r.writeJSON(settingsPath(r.dir), map[string]any{"hooks": hooks})
}

// ready waits for the idle composer.
func (r *rig) ready() {
	r.t.Helper()
	r.untilWord(wordIdle)
	r.UntilFormat(r.pane.ID, "#{alternate_on}#{cursor_x}", "12")
}

func (r *rig) say(text string) {
	r.t.Helper()
	before := r.Format(r.pane.ID, "#{cursor_x}")
	r.Type(r.pane.ID, text)
	r.Until("the typed text on the screen", func() bool { return r.Format(r.pane.ID, "#{cursor_x}") != before })
	r.SendKeys(r.pane.ID, "Enter")
}

func (r *rig) state() State {
	r.t.Helper()
	s, err := ControlState(context.Background(), r.control)
	if err != nil {
		r.t.Fatal(err)
	}
	return s
}

func (r *rig) do(command string) {
	r.t.Helper()
	if _, err := Control(context.Background(), r.control, command); err != nil {
		r.t.Fatal(err)
	}
}

// untilWord waits until the registry file's status is the word.
func (r *rig) untilWord(word string) {
	r.t.Helper()
	r.Until("the registry to say "+word, func() bool { f, ok := r.registry(); return ok && f.Status == word })
}

// registry reads the one registry file there is.
func (r *rig) registry() (registryFile, bool) {
	files, _ := filepath.Glob(filepath.Join(r.dir, "sessions", "*.json"))
	var f registryFile
	if len(files) != 1 {
		return f, false
	}
	b, err := os.ReadFile(files[0])
	return f, err == nil && json.Unmarshal(b, &f) == nil
}

// hooks reads what the hooks wrote.
func (r *rig) hooks() []map[string]any {
	r.t.Helper()
	return readLines(r.t, r.hookLog)
}

// untilHooks waits until n hooks of an event were called.
func (r *rig) untilHooks(event string, n int) {
	r.t.Helper()
	r.Until(event+" hook", func() bool {
		seen := 0
		for _, h := range r.hooks() {
			if h["hook_event_name"] == event {
				seen++
			}
		}
		return seen >= n
	})
}

func readLines(t *testing.T, path string) []map[string]any {
	t.Helper()
	f, err := os.Open(path)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []map[string]any
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 4<<20)
	for sc.Scan() {
		var m map[string]any
		if json.Unmarshal(sc.Bytes(), &m) == nil { // the last line may still be in the making
			out = append(out, m)
		}
	}
	return out
}

// words are those of the registry so far, in order.
func (r *rig) words() []string {
	r.t.Helper()
	b, err := os.ReadFile(r.wordLog)
	if err != nil && !os.IsNotExist(err) {
		r.t.Fatal(err)
	}
	whole := strings.LastIndexByte(string(b), '\n') + 1 // the last line may still be in the making
	return slices.Compact(strings.Split(strings.TrimSuffix(string(b[:whole]), "\n"), "\n"))
}

const recordings = "../recordings"

// varying are the parts of a screen that differ from run to run.
var varying = []struct {
	re *regexp.Regexp
	to string
}{
	{regexp.MustCompile(`✻ \p{L}+ for \d+s · done \d+:\d\d [AP]M`), "✻ Done"},
	{regexp.MustCompile(`^[·✢*✶✻✽] \p{L}+… \(.*`), "SPINNER"},
	{regexp.MustCompile(`\s*(◐ medium · /effort|tmux focus-events off.*|ctrl\+g to edit in Vim)$`), ""},
	{regexp.MustCompile(` · ← for agents`), ""},
	{regexp.MustCompile(`· \d+s$`), "· Ns"},
	{regexp.MustCompile(`/tmp/tt\d+/home`), "/home/me"},
	{regexp.MustCompile(`sleep 12`), "sleep 1"},
	{regexp.MustCompile(`slow 20`), "slow 9"},
	{regexp.MustCompile(` If it persists, check your|\s*inference gateway \(.*\)\.`), ""},
	{regexp.MustCompile(`^● (word ?)*(word)?$`), "● WORDS"},
	{regexp.MustCompile(`\x{a0}`), " "},
	{regexp.MustCompile(`\s+$`), ""},
}

func normal(screen string) []string {
	var out []string
	for _, l := range strings.Split(strings.TrimRight(screen, "\n"), "\n") {
		for _, v := range varying {
			l = v.re.ReplaceAllString(l, v.to)
		}
		out = append(out, l)
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// sameAs waits until the pane shows what the real program showed in a recording, with the cursor
// in the same cell.
func (r *rig) sameAs(scenario, shot string) {
	r.t.Helper()
	b, err := os.ReadFile(filepath.Join(recordings, scenario, "screens", shot+".txt"))
	if err != nil {
		r.t.Fatal(err)
	}
	want := strings.Join(normal(string(b)), "\n")
	cursor := recordedCursor(r.t, scenario, shot)
	var got, at string
	if poll(func() bool {
		got, at = strings.Join(normal(r.Capture(r.pane.ID)), "\n"), r.Format(r.pane.ID, "#{cursor_x},#{cursor_y}")
		return got == want && at == cursor
	}) {
		return
	}
	r.t.Errorf("%s/%s: the screen differs from the recording\n--- recorded, cursor %s\n%s\n--- here, cursor %s\n%s", scenario, shot, cursor, want, at, got)
}

func recordedCursor(t *testing.T, scenario, shot string) string {
	t.Helper()
	for _, l := range readLines(t, filepath.Join(recordings, scenario, "timeline.jsonl")) {
		if l["screen"] == shot {
			return l["pane"].(map[string]any)["cursor"].(string)
		}
	}
	t.Fatalf("%s/%s: no such screen in the timeline", scenario, shot)
	return ""
}

// waitFor is far above what a loaded machine needs: only a real failure reaches it.
const waitFor = 30 * time.Second

// poll looks again and again whether it is so, and reports whether it was in the end.
func poll(ok func() bool) bool {
	for deadline := time.Now().Add(waitFor); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}
