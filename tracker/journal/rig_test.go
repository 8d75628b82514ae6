package journal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"signalbox/tracker"
)

// mailbox is a source as the engine's is: the newest snapshot wins, and one that is there is handed
// over even when the context has ended.
type mailbox struct {
	mu     sync.Mutex
	snap   *tracker.Snapshot
	wake   chan struct{}
	closed bool
}

var errClosed = errors.New("closed")

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{})} }

func (m *mailbox) put(s *tracker.Snapshot) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.snap != nil {
		s.Rev = m.snap.Rev
	}
	s.Rev++
	m.snap = s
	close(m.wake)
	m.wake = make(chan struct{})
}

func (m *mailbox) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	close(m.wake)
}

func (m *mailbox) Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error) {
	for {
		m.mu.Lock()
		snap, wake, closed := m.snap, m.wake, m.closed
		m.mu.Unlock()
		switch {
		case snap != nil && snap.Rev > rev:
			return snap, nil
		case closed:
			return nil, errClosed
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// board is a snapshot of one session with this name.
func board(name string) *tracker.Snapshot {
	return &tracker.Snapshot{
		Tmux:     tracker.TmuxState{State: tracker.StateOK},
		Sessions: []*tracker.SessionRow{{ID: "$0", Name: name}},
	}
}

// publicFile is the status file as far as these tests look into it.
type publicFile struct {
	GeneratedAt int64           `json:"generatedAt"`
	Sessions    []publicSession `json:"sessions"`
}

type publicSession struct {
	Name     string         `json:"name"`
	Attached bool           `json:"attached"`
	Activity int64          `json:"activity"`
	Windows  []publicWindow `json:"windows"`
}

type publicWindow struct {
	Index      int                `json:"index"`
	Name       string             `json:"name"`
	Command    string             `json:"command"`
	Active     bool               `json:"active"`
	StatusKind tracker.WindowKind `json:"statusKind"`
	Summary    string             `json:"summary"`
	Target     string             `json:"target"`
}

// render writes the public form.
func render(snap *tracker.Snapshot, at time.Time) ([]byte, error) {
	f := publicFile{GeneratedAt: at.Unix(), Sessions: []publicSession{}}
	for _, s := range snap.Sessions {
		p := publicSession{Name: s.Name, Attached: s.Attached, Activity: s.Activity.Unix(), Windows: []publicWindow{}}
		for _, w := range s.Windows {
			p.Windows = append(p.Windows, publicWindow{
				Index: w.Index, Name: w.Name, Command: "sh", Active: w.Active,
				StatusKind: w.Kind, Summary: w.Summary, Target: fmt.Sprintf("%s:%d", s.Name, w.Index),
			})
		}
		f.Sessions = append(f.Sessions, p)
	}
	return json.Marshal(f)
}

// readPublic reads the status file in a folder; the zero file where there is none.
func readPublic(t *testing.T, dir string) publicFile {
	t.Helper()
	var f publicFile
	data, err := os.ReadFile(filepath.Join(dir, statusName))
	if errors.Is(err, os.ErrNotExist) {
		return f
	}
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatalf("reading the status file: %v\n%s", err, data)
	}
	return f
}

// shown is the name of the session in the status file, or "".
func shown(t *testing.T, dir string) string {
	t.Helper()
	if f := readPublic(t, dir); len(f.Sessions) > 0 {
		return f.Sessions[0].Name
	}
	return ""
}

// names lists a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// block makes every write of a file fail, whoever asks, until the returned function is called: a
// folder that is not empty stands where its temporary file should.
func block(t *testing.T, path string) (unblock func()) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(path+".tmp", "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	return func() {
		if err := os.RemoveAll(path + ".tmp"); err != nil {
			t.Error(err)
		}
	}
}
