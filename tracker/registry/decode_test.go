package registry

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"signalbox/tracker"
)

const recordings = "../../testdata/recordings"

// idle is a file as Claude Code 2.1.332 writes it.
const idle = `{"pid":32151,"sessionId":"069100f0-c9b6-4e0a-8ff1-bc4c7313f2d9","cwd":"/home/me/src/api","startedAt":1796083349918,"procStart":"89571","version":"2.1.332","peerProtocol":1,"peerFeatures":["notify_idle"],"kind":"interactive","entrypoint":"cli","pidDomain":"linux:3d1219c7c4c5404aaa1f6d2a48adfda4:pid:[4026531836]","asksForConvertedSkills":null,"tmux":"one:@1.%1","messagingSocketPath":"/tmp/cc-socks/32151.sock","name":"one","nameSource":"user","nameSince":1796083349923,"updatedAt":1796083350067,"status":"idle","statusUpdatedAt":1796083350067}`

func TestPIDOf(t *testing.T) {
	for name, want := range map[string]int{
		"4711.json": 4711, "1.json": 1, "2147483647.json": 2147483647,
		"pid-4711.json": 0, "4711.json.tmp": 0, "4711.secret.key": 0, "4711.5fb2.key": 0, ".json": 0, "4711": 0, "-4711.json": 0,
		"+4711.json": 0, "04711.json": 0, "0.json": 0, "4711.JSON": 0, "47 11.json": 0, "٤.json": 0, "99999999999.json": 0, "2147483648.json": 0, "": 0,
	} {
		if pid, ok := PIDOf(name); pid != want && ok || ok != (want != 0) {
			t.Errorf("PIDOf(%q) = %d, %v, want %d", name, pid, ok, want)
		}
	}
}

func TestDecode(t *testing.T) {
	ms := time.UnixMilli
	full := tracker.RegistryEntry{
		PID: 32151, SessionID: "069100f0-c9b6-4e0a-8ff1-bc4c7313f2d9", CWD: "/home/me/src/api", StartedAt: ms(1796083349918),
		ProcStart: "89571", PIDDomain: "linux:3d1219c7c4c5404aaa1f6d2a48adfda4:pid:[4026531836]", Version: "2.1.332", Kind: "interactive",
		Entrypoint: "cli", Name: "one", NameSource: "user", Status: "idle", StatusUpdatedAt: ms(1796083350067), UpdatedAt: ms(1796083350067),
	}
	tests := []struct {
		name, data string
		want       tracker.RegistryEntry
	}{
		{"a whole file", idle, full},
		{"with a byte order mark and blanks", "\xef\xbb\xbf \n" + idle + "\n", full},
		{"just started: no status yet", `{"sessionId":"s","procStart":"5"}`, tracker.RegistryEntry{PID: 32151, SessionID: "s", ProcStart: "5"}},
		{"an unknown word stays", `{"sessionId":"s","status":"hibernating","kind":"hologram"}`, tracker.RegistryEntry{PID: 32151, SessionID: "s", Status: "hibernating", Kind: "hologram"}},
		{"waiting", `{"sessionId":"s","status":"waiting","waitingFor":"permission prompt"}`, tracker.RegistryEntry{PID: 32151, SessionID: "s", Status: "waiting", WaitingFor: "permission prompt"}},
		{
			"wrong types lose nothing else",
			`{"pid":"32151","sessionId":"s","cwd":["/x"],"startedAt":"soon","procStart":89571,"status":{"a":1},"version":2.1,"kind":null,"name":true,"updatedAt":-5,"statusUpdatedAt":1e300}`,
			tracker.RegistryEntry{PID: 32151, SessionID: "s", ProcStart: "89571"},
		},
		{"times as texts and fractions", `{"sessionId":"s","startedAt":"1796083349918","updatedAt":1796083350067.75}`, tracker.RegistryEntry{PID: 32151, SessionID: "s", StartedAt: ms(1796083349918), UpdatedAt: ms(1796083350067)}},
		{"a lone surrogate", `{"sessionId":"s","name":"a\ud800b"}`, tracker.RegistryEntry{PID: 32151, SessionID: "s", Name: "a\uFFFDb"}},
		{"a field told twice: the last counts", `{"sessionId":"a","sessionId":"b"}`, tracker.RegistryEntry{PID: 32151, SessionID: "b"}},
		{"the macOS form of the start time", `{"sessionId":"s","procStart":"Thu Jul  9 04:18:26 2026"}`, tracker.RegistryEntry{PID: 32151, SessionID: "s", ProcStart: "Thu Jul  9 04:18:26 2026"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Decode(32151, []byte(tt.data))
			if err != nil {
				t.Fatal(err)
			}
			if *got != tt.want {
				t.Errorf("got  %+v\nwant %+v", *got, tt.want)
			}
		})
	}
}

func TestDecodeRefuses(t *testing.T) {
	torn := []string{"", " ", `{"pid":47`, idle[:len(idle)-1], idle + `"}`, idle + `":1796083350067}`, "\x00\x00\x00"}
	for _, data := range torn {
		if e, err := Decode(32151, []byte(data)); err == nil || errors.Is(err, ErrNotEntry) {
			t.Errorf("Decode(%.30q…) = %+v, %v, want a damaged file", data, e, err)
		}
	}
	other := []string{`[]`, `null`, `7`, `"x"`, `{}`, `{"session_id":"s","cwd":"/x"}`, `{"token":"secret"}`, `{"pid":4,"sessionId":"s"}`, `[{"sessionId":"s"}]`}
	for _, data := range other {
		if e, err := Decode(32151, []byte(data)); !errors.Is(err, ErrNotEntry) {
			t.Errorf("Decode(%q) = %+v, %v, want ErrNotEntry", data, e, err)
		}
	}
}

func TestDecodeBoundsTexts(t *testing.T) {
	e, err := Decode(1, []byte(`{"sessionId":"s","cwd":"/`+strings.Repeat("€", 5000)+`"}`))
	if err != nil || len(e.CWD) > maxText || len(e.CWD) < maxText-3 || !utf8.ValidString(e.CWD) {
		t.Errorf("%d bytes, %v", len(e.CWD), err)
	}
}

// TestDecodeRecordings reads every file a real Claude Code 2.1.332 wrote in thirty scenarios.
func TestDecodeRecordings(t *testing.T) {
	paths, err := filepath.Glob(recordings + "/*/timeline.jsonl")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recordings: %v", err)
	}
	words, files := map[string]int{}, 0
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for lines := bufio.NewScanner(f); lines.Scan(); {
			var rec struct {
				File    string
				Content json.RawMessage
			}
			if json.Unmarshal(lines.Bytes(), &rec) != nil || len(rec.Content) == 0 || string(rec.Content) == "null" {
				continue
			}
			pid, ok := PIDOf(rec.File)
			e, err := Decode(pid, rec.Content)
			if !ok || err != nil {
				t.Errorf("%s: %s: %v", path, rec.File, err)
				continue
			}
			files++
			words[e.Status]++
			if e.PID != pid || e.SessionID == "" || e.ProcStart == "" || e.CWD == "" || e.Kind == "" || e.StartedAt.IsZero() ||
				(e.Status == "waiting") != (e.WaitingFor != "") || (e.Status == "") == (!e.StatusUpdatedAt.IsZero() && !e.UpdatedAt.IsZero()) {
				t.Errorf("%s: %+v", path, e)
			}
		}
		f.Close()
	}
	for _, w := range []string{"", "idle", "busy", "waiting", "shell"} {
		if words[w] == 0 {
			t.Errorf("no file with status %q in %d", w, files)
		}
		delete(words, w)
	}
	if len(words) > 0 {
		t.Errorf("unexpected words: %v", words)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(idle)
	f.Add(idle[:300])
	f.Add(`{"pid":"x","sessionId":{"a":[1,2]},"procStart":5e3,"startedAt":1e999}`)
	f.Fuzz(func(t *testing.T, data string) {
		e, err := Decode(32151, []byte(data))
		if err != nil {
			if e != nil {
				t.Error("an entry beside an error")
			}
			return
		}
		if e.PID != 32151 || e.SessionID == "" && e.ProcStart == "" || len(e.CWD) > maxText || !utf8.ValidString(e.Name+e.CWD+e.Status) {
			t.Errorf("Decode(%q) = %+v", data, e)
		}
		Verify(e, []tracker.Process{{PID: 32151, Start: 5}}, true, Host{Ticks: true})
	})
}
