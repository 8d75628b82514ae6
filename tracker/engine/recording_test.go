package engine_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"signalbox/hookrecv/wire"
	"signalbox/tracker"
	"signalbox/tracker/registry"
	"signalbox/tracker/transcript"
)

// recording is one folder with its expected timeline, read by load.
type recording struct {
	dir      string
	base     time.Time // wall clock at second zero
	facts    []fact    // in the order in which they became known
	lines    []string  // of the timeline
	chains   map[int][]tracker.Process
	paneless map[int]bool // agents whose hooks had no pane: they run in the background
	temp     string       // a folder in Claude's form, in which the transcripts grow
}

// fact is one recorded thing: source is b for the registry, h for a hook, t for a transcript
// record, and ! for what the recorder did.
type fact struct {
	at     float64
	source byte
	apply  func(t *testing.T, s *tracker.State, now time.Time)
}

func load(t *testing.T, name string) *recording {
	t.Helper()
	r := &recording{dir: filepath.Join(recordings, name), chains: map[int][]tracker.Process{}, paneless: map[int]bool{}, temp: t.TempDir()}
	text, err := os.ReadFile(filepath.Join("../../testdata/timelines", name+".txt"))
	if err != nil {
		t.Fatal(err)
	}
	r.lines = strings.Split(string(text), "\n")
	r.findPaneless(t)
	r.loadRegistry(t)
	r.loadHooks(t)
	r.loadTranscripts(t)
	r.loadActions(t)
	slices.SortStableFunc(r.facts, func(a, b fact) int {
		if a.at < b.at {
			return -1
		}
		return min(1, int((a.at-b.at)*1e9))
	})
	return r
}

// eachLine calls f with every line of a JSONL file; a missing file has none.
func (r *recording) eachLine(t *testing.T, name string, f func(line []byte)) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.dir, name))
	if err != nil {
		return
	}
	sc := bufio.NewScanner(bytes.NewReader(data))
	sc.Buffer(nil, 16<<20)
	for sc.Scan() {
		f(sc.Bytes())
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
}

// panePID is the first process of the only pane, %0.
const panePID = 50

// chain is the agent with this pid as its registry file describes it, below the pane's shell. The
// stale file of a process that is long gone has none.
func (r *recording) chain(pid int, start uint64) []tracker.Process {
	c, ok := r.chains[pid]
	if !ok {
		parent := panePID
		if r.paneless[pid] {
			parent = 1
		}
		c = []tracker.Process{{PID: pid, PPID: parent, Start: start, Name: "claude", Args: []string{"claude"}}, {PID: panePID, PPID: 1, Start: 1, Name: "bash"}}
		r.chains[pid] = c
	}
	return c
}

func (r *recording) loadRegistry(t *testing.T) {
	type line struct {
		T       float64         `json:"t"`
		File    string          `json:"file"`
		Removed bool            `json:"removed"`
		Content json.RawMessage `json:"content"`
	}
	var lines []line
	stale := map[string]bool{}
	r.eachLine(t, "timeline.jsonl", func(b []byte) {
		var l line
		if err := json.Unmarshal(b, &l); err != nil {
			t.Fatal(err)
		}
		if l.File == "" {
			return
		}
		if l.T < 0.1 { // it lay there before the recording began: its process is not of this world
			stale[l.File] = true
		}
		lines = append(lines, l)
	})
	for _, l := range lines {
		pid, _ := strconv.Atoi(strings.TrimSuffix(l.File, ".json"))
		if l.Removed {
			r.facts = append(r.facts, fact{l.T, 'r', func(_ *testing.T, s *tracker.State, now time.Time) {
				s.Apply(tracker.RegistryRead{At: now, PID: pid})
			}})
			continue
		}
		e, err := registry.Decode(pid, l.Content)
		if err != nil {
			t.Fatalf("%s: %v", l.Content, err)
		}
		trust, chain := tracker.TrustDead, []tracker.Process(nil)
		if !stale[l.File] {
			start, _ := strconv.ParseUint(e.ProcStart, 10, 64)
			trust, chain = tracker.TrustProven, r.chain(pid, start)
			if base := e.StatusUpdatedAt.Add(-seconds(l.T)); !e.StatusUpdatedAt.IsZero() && base.After(r.base) {
				r.base = base // the shortest delay between writing and seeing
			}
		}
		r.facts = append(r.facts, fact{l.T, 'r', func(_ *testing.T, s *tracker.State, now time.Time) {
			s.Apply(tracker.RegistryRead{At: now, PID: pid, Entry: e, Trust: trust, Chain: chain})
		}})
	}
}

func (r *recording) findPaneless(t *testing.T) {
	r.eachLine(t, "hooks.jsonl", func(b []byte) {
		var l struct {
			Pane      *string `json:"pane"`
			ClaudePID string  `json:"claude_pid"`
		}
		if err := json.Unmarshal(b, &l); err != nil {
			t.Fatal(err)
		}
		pid, _ := strconv.Atoi(l.ClaudePID)
		r.paneless[pid] = r.paneless[pid] || l.Pane == nil
	})
}

func (r *recording) loadHooks(t *testing.T) {
	r.eachLine(t, "hooks.jsonl", func(b []byte) {
		var l struct {
			T         float64         `json:"t"`
			Pane      string          `json:"pane"`
			ClaudePID string          `json:"claude_pid"`
			Payload   json.RawMessage `json:"payload"`
		}
		if err := json.Unmarshal(b, &l); err != nil {
			t.Fatal(err)
		}
		h, err := wire.Read(bytes.NewReader(l.Payload))
		if err != nil {
			t.Fatal(err)
		}
		h.ClaudePID, _ = strconv.Atoi(l.ClaudePID)
		h.Pane = tracker.PaneID(l.Pane)
		r.facts = append(r.facts, fact{l.T, 'h', func(_ *testing.T, s *tracker.State, now time.Time) {
			s.Apply(tracker.HookReceived{At: now, Seen: now, Hook: h, Chain: r.chain(h.ClaudePID, 0)})
		}})
	})
}

// loadTranscripts lets each transcript grow record by record, at the records' own times, and has
// the real reader look at the file.
func (r *recording) loadTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(r.dir, "transcript-*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		session := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(f), "transcript-"), ".jsonl")
		path := filepath.Join(r.temp, "projects", "p", session+".jsonl")
		target := transcript.Target{SessionID: session, Path: path}
		now := 0.0
		r.eachLine(t, filepath.Base(f), func(b []byte) {
			var rec struct {
				Timestamp time.Time `json:"timestamp"`
			}
			if json.Unmarshal(b, &rec) == nil && !rec.Timestamp.IsZero() {
				now = max(now, rec.Timestamp.Sub(r.base).Seconds())
			}
			line := append(slices.Clone(b), '\n')
			r.facts = append(r.facts, fact{now, 't', func(t *testing.T, s *tracker.State, at time.Time) {
				grow(t, path, line)
				for _, ev := range transcript.Look(transcript.Config{ClaudeDir: r.temp}, []transcript.Target{target}, at) {
					s.Apply(ev)
				}
			}})
		})
	}
}

func grow(t *testing.T, path string, line []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(line); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// loadActions reads what the recorder did from the timeline. An exit is that of the agent whose
// facts stand nearest before it.
func (r *recording) loadActions(t *testing.T) {
	for _, line := range r.lines {
		f := strings.Fields(line)
		if len(f) != 3 || f[0] != "!" {
			continue
		}
		at, err := strconv.ParseFloat(f[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		r.facts = append(r.facts, fact{at, '!', func(t *testing.T, s *tracker.State, now time.Time) { r.act(t, s, f[2], now) }})
	}
}
