package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tmuxctl"
	"signalbox/tracker"
)

// secret stands for whatever a person or an agent may write.
const secret = "hunter2-correct-horse"

// everyEvent has one of each kind. TestTheLogHoldsNoWord checks that none is missing.
func everyEvent() []tracker.Event {
	return []tracker.Event{
		tracker.TmuxListed{},
		tracker.TmuxAbsent{},
		tracker.SourceFailed{},
		tracker.SourceWorks{},
		tracker.RegistryRead{},
		tracker.HookReceived{},
		tracker.ProcessesSeen{},
		tracker.ProcessExited{},
		tracker.TranscriptRead{},
		tracker.AgentsListed{},
		tracker.ScreenSeen{},
		tracker.Acknowledged{},
		tracker.Restored{},
		tracker.InboxSeen{},
		tracker.SummariesWritten{},
	}
}

// fill puts the secret into every text of a value, however deep.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(secret)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			return
		}
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				fill(v.Field(i))
			}
		}
	}
}

// saying is a connection whose tmux says the secret.
type saying struct{}

func (saying) Run(context.Context, ...tmuxctl.Command) ([]byte, error) {
	return []byte(secret), errors.New(secret)
}

// TestTheLogHoldsNoWord feeds the secret through everything that is logged.
func TestTheLogHoldsNoWord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "debug.log")
	tr, err := openTrace(path)
	if err != nil {
		t.Fatal(err)
	}
	st := tracker.NewState()
	for _, ev := range everyEvent() {
		v := reflect.New(reflect.TypeOf(ev)).Elem()
		fill(v)
		ev = v.Interface().(tracker.Event)
		tr.applied(ev, st.Apply(ev), time.Millisecond)
		tr.published(st.Snapshot(), time.Millisecond)
	}
	for _, msg := range []tea.Msg{tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(secret), Paste: true}, secret, errors.New(secret), nil, struct{ Text string }{secret}} {
		tr.message(nil, msg)
		tr.drew(len(secret), time.Now())
	}
	_, _ = tr.traced(saying{}).Run(t.Context(), tmuxctl.Command{"display-message", secret}, tmuxctl.Command{"if-shell", secret})
	tr.step("read", time.Now(), errors.New(secret))

	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), "hunter2") {
		t.Errorf("the secret is in the log:\n%s", data)
	}
	for _, ev := range everyEvent() {
		if !strings.Contains(string(data), `"`+kindOf(ev)+`"`) {
			t.Errorf("%s was not logged", kindOf(ev))
		}
	}
	for _, want := range []string{`"message":"tea.KeyMsg"`, `"command":"if-shell"`, `"detail":"other"`, `"what":"read"`, `"us":1000`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("no %s in\n%s", want, data)
		}
	}
}

// TestEveryKindOfEventIsTried holds everyEvent to the kinds there are.
func TestEveryKindOfEventIsTried(t *testing.T) {
	have := map[string]bool{}
	for _, ev := range everyEvent() {
		have[reflect.TypeOf(ev).Name()] = true
	}
	files, err := filepath.Glob("../../tracker/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	found := 0
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^func \((\w+)\) event\(\)`).FindAllStringSubmatch(string(data), -1) {
			found++
			if !have[m[1]] {
				t.Errorf("%s is not tried", m[1])
			}
		}
	}
	if found != len(have) {
		t.Errorf("%d kinds in the source, %d tried", found, len(have))
	}
}

func TestWithoutTheFlagNothingIsLogged(t *testing.T) {
	tr, err := openTrace("")
	if tr != nil || err != nil {
		t.Fatal(tr, err)
	}
	tr.applied(tracker.TmuxAbsent{}, 0, 0)
	tr.published(&tracker.Snapshot{}, 0)
	tr.drew(1, time.Now())
	tr.step("x", time.Now(), nil)
	if len(tr.options()) != 0 || tr.traced(saying{}) != (saying{}) {
		t.Error("something is in the way")
	}
	if _, err := openTrace(filepath.Join(t.TempDir(), "no", "such", "folder")); err == nil {
		t.Error("a log that cannot be opened is no error")
	}
}
