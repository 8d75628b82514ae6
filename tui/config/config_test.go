package config_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui"
	"signalbox/tui/config"
)

// actions is the board's own table.
func actions() []config.Action {
	var out []config.Action
	for _, k := range tui.KeyTable() {
		out = append(out, config.Action{Name: k.Action, Keys: k.Keys, Help: k.Help})
	}
	return out
}

func parse(t *testing.T, text string) config.Config {
	t.Helper()
	c, err := config.Parse([]byte(text), actions())
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c
}

func TestAnEmptyFileIsTheDefault(t *testing.T) {
	want := config.Default()
	want.Keys = map[string][]string{}
	for _, text := range []string{"", "# nothing\n", "[keys]\n", "\ufeff"} {
		if got := parse(t, text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %+v", text, got)
		}
	}
}

func TestWhatIsSaidIsTaken(t *testing.T) {
	c := parse(t, `
theme = "contrast"
motion = false
quiet_after = "off"
[notifications]
for = ["review"]
command = ["notify", "{title}"]
quiet_hours = "22:00-07:30"
[summaries]
command = ["claude", "-p"]
every = "2m"
[keys]
jump = "o"
sort = ["S", "Alt+s", "F5"]
peek = ["Space", "ctrl+P"]
back = []
`)
	if c.Theme != "contrast" || c.Motion || c.QuietAfter != 0 || !c.StatusFile {
		t.Errorf("%+v", c)
	}
	if n := c.Notifications; len(n.For) != 1 || len(n.Command) != 2 || n.QuietHours != (config.Hours{From: 22 * 60, To: 7*60 + 30}) {
		t.Errorf("%+v", n)
	}
	if s := c.Summaries; !s.On() || s.Every.String() != "2m" || s.Max != 12 {
		t.Errorf("%+v", s)
	}
	want := map[string][]string{"jump": {"o"}, "sort": {"S", "alt+s", "f5"}, "peek": {"space", "ctrl+p"}, "back": {}}
	if !reflect.DeepEqual(c.Keys, want) {
		t.Errorf("%v", c.Keys)
	}
}

// TestProblemsNameTheirLine: each file has its faulty line marked, and all problems come at once.
func TestProblemsNameTheirLine(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"no TOML", "theme = \"dark\"\nmotion =\n", []string{":2: "}},
		{"a text that does not end", "theme = \"dark", []string{":1: "}},
		{"a key said twice", "theme = \"dark\"\ntheme = \"light\"", []string{":2: "}},
		{
			"unknown keys", "motion = true\ntheem = \"dark\"\n[notifications]\nbell = true\nbeep = true\n",
			[]string{`:2: unknown key "theem", did you mean "theme"?`, `:5: unknown key "notifications.beep"`},
		},
		{"an unknown table", "\n[colours]\nred = 1\n", []string{`:2: unknown key "colours"`}},
		{"an empty unknown table", "\n[colours]\n", []string{`:2: unknown key "colours"`}},
		{"another type", "motion = \"yes\"", []string{":1: motion: want true or false, not a string"}},
		{"another type of theme", "theme = [3]", []string{":1: theme: want a text, not an array"}},
		{"another type of list", "[notifications]\ncommand = \"x\"", []string{":2: notifications.command: want a list of texts, not a string"}},
		{"another type of table", "notifications = 3", []string{":1: notifications: want a table, not an integer"}},
		{"another type further in", "\n[summaries]\n\nmax = \"many\"", []string{":4: summaries.max: "}},
		{"no theme", "\ntheme = \"drak\"", []string{`:2: theme: "drak" is none of auto, dark, light, contrast, mono, did you mean "dark"?`}},
		{"no length of time", "quiet_after = \"soon\"", []string{`:1: quiet_after: `, "5m"}},
		{"a negative one", "quiet_after = \"-5m\"", []string{`:1: quiet_after: `}},
		{"too short a one", "quiet_after = \"1s\"", []string{`:1: quiet_after: 1s is less than 10s`}},
		{"no part of a day", "[notifications]\nquiet_hours = \"22-7\"", []string{`:2: notifications.quiet_hours: "22-7" is no part of a day`}},
		{"the 25th hour", "[notifications]\nquiet_hours = \"22:00-25:00\"", []string{":2: "}},
		{"no time at all", "[notifications]\nquiet_hours = \"07:00-07:00\"", []string{":2: "}},
		{"no kind", "[notifications]\nfor = [\n \"review\",\n \"busy\"]", []string{`:2: notifications.for: "busy" is none of`}},
		{"a program without a name", "[notifications]\ncommand = [\"\", \"x\"]", []string{":2: notifications.command: the program has no name"}},
		{"summaries by nobody", "[summaries]\nevery = \"1m\"", []string{":2: summaries.every: there is no summaries.command to run"}},
		{"summaries too often", "[summaries]\ncommand = [\"x\"]\nevery = \"1s\"", []string{":3: summaries.every: 1s is less than 5s"}},
		{
			"numbers out of bounds", "[summaries]\nmax = 0\nper_day = 1000000\ntimeout = \"1h\"",
			[]string{":2: summaries.max: 0 is not between 1 and 200", ":3: summaries.per_day: ", ":4: summaries.timeout: 1h is not between 1s and 10m0s"},
		},
		{"no action", "[keys]\njmup = \"o\"", []string{`:2: unknown action "jmup", did you mean "jump"?`}},
		{"no key", "[keys]\njump = [\"entre\"]", []string{`:2: keys.jump: unknown key "entre", did you mean "enter"?`}},
		{"an empty key", "[keys]\njump = \"\"", []string{`:2: keys.jump: unknown key ""`}},
		{"a control byte", "[keys]\njump = \"\\u0007\"", []string{`:2: keys.jump: `}},
		{"a key that terminals do not tell", "[keys]\njump = \"ctrl+i\"", []string{`:2: keys.jump: "ctrl+i": terminals send "tab" for it`}},
		{"a digit", "[keys]\njump = \"3\"", []string{`:2: keys.jump: "3": digits count`}},
		{"no list of keys", "[keys]\njump = 3", []string{`:2: keys.jump: want a key or a list of keys`}},
		{"a list of something else", "[keys]\njump = [1]", []string{`:2: keys.jump: want a key or a list of keys`}},
		{"no way out", "[keys]\nquit = []", []string{`:2: keys.quit: without a key there is no way to leave the board`}},
		{
			"two meanings", "[keys]\nhelp = \"X\"\nsort = \"ctrl+r\"\njump = [\"X\"]",
			[]string{`:4: keys.jump: "X" has two meanings, help has it too`},
		},
		{
			"two meanings, written in the other order", "[keys]\njump = [\"X\"]\nsort = \"ctrl+r\"\nhelp = \"X\"",
			[]string{`:4: keys.help: "X" has two meanings, jump has it too`},
		},
		{
			"a key that another action has by itself", "[keys]\n\njump = [\"enter\", \"j\"]",
			[]string{`:3: keys.jump: "j" has two meanings, down has it by itself: give that one other keys, as in down = ["down"]`},
		},
		{"in an inline table", "keys = { help = \"X\", jump = \"X\" }", []string{`:1: keys.help: "X" has two meanings, jump has it too`}},
		{"with dotted keys", "keys.help = \"X\"\nkeys.jump = \"X\"", []string{`:2: keys.jump: "X" has two meanings`}},
		{
			"values of other types", "motion = \"yes\"\ntheme = \"drak\"\n[notifications]\nfor = [\n 1,\n 2,\n]\nbell = 3\n[summaries]\nmax = \"many\"\nevery = \"soon\"\nnope = 1\n",
			[]string{":1: motion: ", ":2: theme: ", ":5: notifications.for", ":8: notifications.bell: ", ":10: summaries.max: ", ":11: summaries.every: ", ":12: unknown key"},
		},
		{"another type, and then no TOML", "motion = \"yes\"\ntheme = \n", []string{":1: motion: ", ":2: "}},
		{"another type in an inline table", "notifications = { bell = 3 }\ntheme = \"x\"", []string{":1: notifications: want true or false, not an integer", ":2: theme"}},
		{"a table that is none", "[theme]\nx = 1\n", []string{":1: "}},
		{
			"everything at once", "theme = \"x\"\nglyfs = \"ascii\"\nglyphs = \"y\"\n[keys]\nnope = \"a\"\njump = \"3\"",
			[]string{":1: theme", `:2: unknown key "glyfs"`, ":3: glyphs", ":5: unknown action", ":6: keys.jump"},
		},
	} {
		_, err := config.Parse([]byte(c.text), actions())
		var e *config.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		text := e.Error()
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q in\n%s", c.name, want, text)
			}
		}
		if got, want := strings.Count(text, "\n"), strings.Count(strings.Join(c.want, "\n"), "\n:"); got != want {
			t.Errorf("%s: %d lines, want %d:\n%s", c.name, got+1, want+1, text)
		}
	}
}

// TestAKeyMayMoveFromOneActionToAnother is not a conflict when the other gives it up.
func TestAKeyMayMoveFromOneActionToAnother(t *testing.T) {
	c := parse(t, "[keys]\ndown = [\"down\"]\npeek = \"j\"\nfirst = []\nlast = [\"g\"]")
	if !reflect.DeepEqual(c.Keys["peek"], []string{"j"}) || !reflect.DeepEqual(c.Keys["last"], []string{"g"}) {
		t.Errorf("%v", c.Keys)
	}
}

// TestShowIsAFileWithTheSameMeaning: what is shown can be saved and gives the same again.
func TestShowIsAFileWithTheSameMeaning(t *testing.T) {
	own := parse(t, "theme = \"mono\"\nquiet_after = \"90s\"\n[notifications]\ncommand = ['a\\b', \"it's \\\"x\\\"\", \"\\u001b\"]\nquiet_hours = \"09:05-10:00\"\n"+
		"[keys]\npeek = []\nlabel = ['\\', \"ä\"]\n")
	for name, c := range map[string]config.Config{"default": parse(t, ""), "own": own} {
		text := config.Show(c, actions())
		got := parse(t, text)
		for _, a := range actions() { // Show writes every action's keys
			if _, given := c.Keys[a.Name]; !given {
				if !reflect.DeepEqual(got.Keys[a.Name], a.Keys) {
					t.Errorf("%s: keys of %s: %v", name, a.Name, got.Keys[a.Name])
				}
				delete(got.Keys, a.Name)
			}
		}
		// An empty list and none are written alike.
		for _, l := range []*[]string{&got.Notifications.Command, &got.Summaries.Command} {
			if len(*l) == 0 {
				*l = nil
			}
		}
		if !reflect.DeepEqual(got, c) {
			t.Errorf("%s:\n%+v\n%+v\n%s", name, c, got, text)
		}
	}
	if text := config.Show(own, actions()); !strings.Contains(text, "# default: \"auto\"\ntheme = \"mono\"") {
		t.Errorf("what differs has no default beside it:\n%s", text)
	}
}

// TestEveryKeyIsDocumented walks the fields of Config, so that none can be forgotten.
func TestEveryKeyIsDocumented(t *testing.T) {
	text := config.Show(config.Default(), actions())
	var walk func(prefix string, typ reflect.Type)
	walk = func(prefix string, typ reflect.Type) {
		for i := range typ.NumField() {
			f := typ.Field(i)
			tag := f.Tag.Get("toml")
			switch {
			case tag == "-":
			case tag == "":
				t.Errorf("%s%s has no name in the file", prefix, f.Name)
			case f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[config.Hours]():
				if !strings.Contains(text, "\n["+tag+"]\n") {
					t.Errorf("no section [%s]", tag)
				}
				walk(tag+".", f.Type)
			default:
				_, section, _ := strings.Cut("\n[]\n"+text, "\n["+strings.TrimSuffix(prefix, ".")+"]\n")
				section, _, _ = strings.Cut(section, "\n[")
				if before, _, ok := strings.Cut(section, "\n"+tag+" = "); !ok || !strings.HasPrefix(before[strings.LastIndex(before, "\n")+1:], "# ") {
					t.Errorf("%s%s is not documented", prefix, tag)
				}
			}
		}
	}
	walk("", reflect.TypeFor[config.Config]())
}

// TestKeyNamesAreThoseOfTheTerminalLibrary holds our list to what a key press can be called.
func TestKeyNamesAreThoseOfTheTerminalLibrary(t *testing.T) {
	possible := map[string]bool{}
	for k := tea.KeyType(-200); k < 200; k++ {
		name := tea.Key{Type: k}.String()
		if name == " " {
			name = "space"
		}
		possible[name] = true
	}
	ours := map[string]bool{}
	for _, n := range config.KeyNames() {
		ours[n] = true
		if !possible[n] {
			t.Errorf("no key press is called %q", n)
		}
	}
	for n := range possible {
		if n != "" && n != "runes" && !ours[n] {
			t.Errorf("%q is missing", n)
		}
	}
}

func TestQuietHours(t *testing.T) {
	at := func(hm string) time.Time {
		v, err := time.Parse("15:04", hm)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, c := range []struct {
		hours, at string
		in        bool
	}{
		{"22:00-07:30", "23:00", true},
		{"22:00-07:30", "07:29", true},
		{"22:00-07:30", "07:30", false},
		{"22:00-07:30", "21:59", false},
		{"09:00-17:00", "09:00", true},
		{"09:00-17:00", "17:00", false},
		{"", "00:00", false},
	} {
		var h config.Hours
		if err := h.UnmarshalText([]byte(c.hours)); err != nil {
			t.Fatal(err)
		}
		if h.Contains(at(c.at)) != c.in || h.String() != c.hours {
			t.Errorf("%s at %s: %v", c.hours, c.at, !c.in)
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	if _, err := config.Load(filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	path := filepath.Join(dir, "config.toml")
	if err := os.WriteFile(path, []byte("\nnope = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := config.Load(path, nil); err == nil || err.Error() != path+`:2: unknown key "nope"` {
		t.Errorf("%v", err)
	}
}
