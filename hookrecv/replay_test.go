package hookrecv

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"signalbox/hookrecv/client"
	"signalbox/hookrecv/paths"
	"signalbox/hookrecv/wire"
	"signalbox/tracker"
)

func logLine(t testing.TB, second int64, session string) string {
	t.Helper()
	line, err := wire.Message{At: time.Unix(second, 0), Hook: tracker.Hook{Name: "Stop", SessionID: session, ClaudePID: 42}}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(line)
}

func sessions(events []tracker.HookReceived) string {
	var ids []string
	for _, ev := range events {
		ids = append(ids, ev.Hook.SessionID)
	}
	return strings.Join(ids, " ")
}

func TestReadLog(t *testing.T) {
	line := func(second int64, session string) string { return logLine(t, second, session) }
	whole := line(1, "x")
	tests := []struct {
		name, old, current string
		since, max         int64
		want               string
	}{
		{"nothing", "", "", 0, 1 << 20, ""},
		{"both files, oldest first", line(3, "c") + line(1, "a"), line(4, "d") + line(2, "b"), 0, 1 << 20, "a b c d"},
		{"since", line(1, "a") + line(5, "e"), line(4, "d") + line(3, "c"), 4, 1 << 20, "d e"},
		{"the tail, from the beginning of a line", line(1, "a"), line(2, "b") + line(3, "c") + line(4, "d"), 0, int64(len(whole)*5) / 2, "c d"},
		{"the tail of the old one too", line(1, "a") + line(2, "b"), line(3, "c"), 0, int64(len(whole)*5) / 2, "b c"},
		{"foreign lines", "garbage\n\n[]\n{}\n" + line(1, "a") + `{"v":9,"event":{}}` + "\n", line(2, "b"), 0, 1 << 20, "a b"},
		{"the last line is still being written", "", line(1, "a") + whole[:40], 0, 1 << 20, "a"},
		{"a full disk left half a line", "", whole[:40] + line(1, "a") + line(2, "b"), 0, 1 << 20, "a b"},
		{"a line longer than any message", "", strings.Repeat("x", 5*wire.MaxSize) + "\n" + line(1, "a"), 0, 1 << 20, "a"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "events.jsonl")
			for file, text := range map[string]string{path: tt.current, paths.OldLog(path): tt.old} {
				if text == "" {
					continue
				}
				if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			asked := 0
			chain := func(pid int) []tracker.Process { asked++; return []tracker.Process{{PID: pid}} }
			begun := time.Now()
			events, err := ReadLog(path, time.Unix(tt.since, 0), tt.max, chain)
			if err != nil {
				t.Fatal(err)
			}
			if got := sessions(events); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if asked > 1 {
				t.Errorf("one process was looked up %d times", asked)
			}
			for _, ev := range events {
				if !ev.Replayed || ev.Seen.Before(begun) || len(ev.Chain) != 1 || ev.Chain[0].PID != 42 {
					t.Errorf("got %+v", ev)
				}
			}
		})
	}
}

func TestReadLogThatCannotBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(path, []byte(logLine(t, 1, "a")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(paths.OldLog(path), 0o700); err != nil {
		t.Fatal(err)
	}
	events, err := ReadLog(path, time.Time{}, 1<<20, noChain)
	if err == nil || sessions(events) != "a" {
		t.Errorf("got %q, %v; want the readable part and an error", sessions(events), err)
	}
}

// The whole way: from a payload on standard input to the same event by socket and by log.
func TestFromClientToBoard(t *testing.T) {
	dir := shortDir(t)
	env := map[string]string{"XDG_RUNTIME_DIR": dir, "HOME": dir, "CLAUDE_PID": "42", "TMUX_PANE": "%5"}
	getenv := func(name string) string { return env[name] }
	got := make(chan tracker.HookReceived, 10)
	dirs := paths.RunDirs(getenv)
	var stops []func() error
	for _, d := range dirs {
		stops = append(stops, served(t.Context(), listen(t, d, os.Getpid()), Handler{
			Emit: func(ev tracker.HookReceived) { got <- ev },
		}))
	}
	run := func(i int) {
		payload := fmt.Sprintf(`{"hook_event_name":"PreToolUse","session_id":"s%d","tool_name":"Bash","tool_input":{"command":"ls"}}`, i)
		in := io.MultiReader(strings.NewReader(payload), neverEnding{t})
		if err := client.Run(client.Call{Begun: time.Unix(int64(i), 0), Stdin: in, Env: getenv, PPID: 40}); err != nil {
			t.Fatal(err)
		}
	}
	run(1)
	live := <-got
	delete(env, "XDG_RUNTIME_DIR") // an agent in a tmux server that was started over ssh
	run(2)
	live2 := <-got
	if len(got) > 0 {
		t.Errorf("%d calls came twice", len(got))
	}
	for _, stop := range stops {
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	run(3)
	events, err := ReadLog(paths.EventLog(getenv), time.Time{}, 1<<20, noChain)
	if err != nil || sessions(events) != "s1 s2 s3" {
		t.Fatalf("log: %q %v", sessions(events), err)
	}
	for i, ev := range []tracker.HookReceived{live, live2} {
		if fmt.Sprintf("%+v", ev.Hook) != fmt.Sprintf("%+v", events[i].Hook) || !ev.At.Equal(events[i].At) {
			t.Errorf("by socket %+v\nby log    %+v", ev, events[i])
		}
	}
	if h := live.Hook; h.ToolDetail != "ls" || h.ToolKey == "" || h.Pane != "%5" || h.ClaudePID != 42 || h.ParentPID != 40 {
		t.Errorf("got %+v", h)
	}
	names, err := filepath.Glob(filepath.Join(dirs[0], "*"))
	if err != nil || slices.ContainsFunc(names, exists) {
		t.Errorf("left behind: %v %v", names, err)
	}
}

// neverEnding is standard input that stays open: whoever reads it waits for ever.
type neverEnding struct{ t *testing.T }

func (n neverEnding) Read([]byte) (int, error) {
	n.t.Error("read on behind the payload")
	return 0, io.EOF
}
