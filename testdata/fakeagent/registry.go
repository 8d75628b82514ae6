package fakeagent

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// Words of the registry's `status`.
const (
	wordIdle    = "idle"
	wordBusy    = "busy"
	wordWaiting = "waiting"
	wordShell   = "shell"
)

// registryFile has the fields of ~/.claude/sessions/<pid>.json in the order Claude writes them.
type registryFile struct {
	PID             int      `json:"pid"`
	SessionID       string   `json:"sessionId"`
	CWD             string   `json:"cwd"`
	StartedAt       int64    `json:"startedAt"`
	ProcStart       string   `json:"procStart"`
	Version         string   `json:"version"`
	PeerProtocol    int      `json:"peerProtocol"`
	PeerFeatures    []string `json:"peerFeatures"`
	Kind            string   `json:"kind"`
	Entrypoint      string   `json:"entrypoint"`
	PIDDomain       string   `json:"pidDomain,omitempty"`
	AsksForSkills   any      `json:"asksForConvertedSkills"`
	Tmux            string   `json:"tmux,omitempty"`
	MessagingSocket string   `json:"messagingSocketPath"`
	Name            string   `json:"name"`
	NameSource      string   `json:"nameSource"`
	NameSince       int64    `json:"nameSince"`
	UpdatedAt       int64    `json:"updatedAt,omitempty"`
	Status          string   `json:"status,omitempty"`
	StatusUpdatedAt int64    `json:"statusUpdatedAt,omitempty"`
	WaitingFor      string   `json:"waitingFor,omitempty"`
}

// registry owns the file of this process. It is nil where the version has none.
type registry struct {
	path string
	key  string // the key file beside it
	file registryFile
	log  string // where its words are kept, "" for nowhere
	torn bool   // leave the next write half done, as a reader in the middle of it would see it
}

// newRegistry writes the first form of the file: without a status, as Claude does 0.1 s before it
// has one.
func newRegistry(o Options, p profile) (*registry, error) {
	if o.NoRegistry || !p.registry {
		return nil, nil
	}
	pid := os.Getpid()
	start, err := procStart(pid)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(o.ClaudeDir, "sessions")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("making the registry folder: %w", err)
	}
	now := time.Now().UnixMilli()
	r := &registry{path: filepath.Join(dir, strconv.Itoa(pid)+".json"), log: o.WordLog}
	r.file = registryFile{
		PID: pid, SessionID: o.SessionID, CWD: o.CWD, StartedAt: now, ProcStart: start, Version: o.Version,
		PeerProtocol: 1, PeerFeatures: []string{"notify_idle", "reply_across_default_dirs", "artifact_yield"},
		Kind: "interactive", Entrypoint: "cli", Tmux: o.TmuxLabel,
		MessagingSocket: filepath.Join(o.ClaudeDir, "socks", strconv.Itoa(pid)+".sock"),
		Name:            o.Name, NameSource: "user", NameSince: now, UpdatedAt: now,
	}
	if o.Name == "" {
		r.file.Name, r.file.NameSource = filepath.Base(o.CWD)+"-"+randomHex(1), "derived"
	}
	if p.pidDomain {
		r.file.PIDDomain = pidDomain()
	}
	// Claude keeps a key beside the file; readers of the folder have to step over it.
	r.key = filepath.Join(dir, strconv.Itoa(pid)+"."+randomHex(32)+".key")
	if err := os.WriteFile(r.key, []byte(randomHex(69)), 0o600); err != nil {
		return nil, fmt.Errorf("writing the registry key: %w", err)
	}
	return r, r.write()
}

// set changes the status word, its reason and the session id, and writes the file if anything
// is new. `statusUpdatedAt` moves only with the word or its reason, as Claude's does.
func (r *registry) set(word, waitingFor, session string) error {
	if r == nil {
		return nil
	}
	f := &r.file
	if f.Status == word && f.WaitingFor == waitingFor && f.SessionID == session && !r.torn {
		return nil
	}
	now := time.Now().UnixMilli()
	if f.Status != word || f.WaitingFor != waitingFor {
		f.StatusUpdatedAt = now
	}
	f.Status, f.WaitingFor, f.SessionID, f.UpdatedAt = word, waitingFor, session, now
	return r.write()
}

// write rewrites the file in place and then cuts it to its new length. That is what Claude does
// (seen with strace): there is no rename, and for a moment a shorter content is followed by the
// end of the longer one before it.
func (r *registry) write() error {
	b, err := json.Marshal(r.file)
	if err != nil {
		return fmt.Errorf("encoding the registry file: %w", err)
	}
	f, err := os.OpenFile(r.path, os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("writing the registry file: %w", err)
	}
	defer f.Close()
	if r.torn {
		r.torn = false
		b = b[:len(b)/2]
	}
	if _, err := f.WriteAt(b, 0); err != nil {
		return fmt.Errorf("writing the registry file: %w", err)
	}
	if err := f.Truncate(int64(len(b))); err != nil {
		return fmt.Errorf("cutting the registry file: %w", err)
	}
	return r.keep(strings.TrimSpace(r.file.Status + " " + r.file.WaitingFor))
}

// keep adds a word to the log.
func (r *registry) keep(word string) error {
	if r.log == "" {
		return nil
	}
	f, err := os.OpenFile(r.log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keeping a word of the registry: %w", err)
	}
	defer f.Close()
	_, err = f.WriteString(word + "\n")
	return err
}

// remove takes the file away, as every orderly exit does. A killed Claude leaves it behind.
func (r *registry) remove() {
	if r == nil {
		return
	}
	os.Remove(r.path)
	os.Remove(r.key)
	_ = r.keep("gone") // nobody is left to tell
}
