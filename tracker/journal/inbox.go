package journal

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"signalbox/tracker"
)

const (
	// maxWorlds bounds how many worlds have an inbox in the file, the latest used first.
	maxWorlds = 8
	// maxText bounds each text of an entry, in characters: the inbox shows less. With it and the bounds
	// above no inbox grows beyond maxFile.
	maxText = 200
)

// World is what an inbox is about: the agents of one Claude folder on one tmux server. Servers that
// follow each other on one socket are one world: what happened on the last one stays worth knowing.
type World struct {
	Socket    string `json:"socket"`
	ClaudeDir string `json:"claudeDir"`
}

// Inbox is where the inbox of a world is kept. Without a path it is not.
type Inbox struct {
	Path  string
	World World
}

// inboxFile is the form of the inboxes on disk.
type inboxFile struct {
	Version int          `json:"version"`
	Worlds  []worldInbox `json:"worlds"` // latest saved first
}

type worldInbox struct {
	World
	SavedAt time.Time `json:"savedAt"`
	Seen    time.Time `json:"seen"`    // newest entry when it was last open
	Entries []entry   `json:"entries"` // newest first
}

// entry is a happening. Whether it still holds is not kept: who waits now says so.
type entry struct {
	At        time.Time             `json:"at"`
	Kind      tracker.HappeningKind `json:"kind"`
	Agent     tracker.AgentID       `json:"agent"`
	Pane      tracker.PaneID        `json:"pane,omitempty"`
	Server    tracker.ServerLife    `json:"server"`
	Title     string                `json:"title"`
	Text      string                `json:"text"`
	SessionID string                `json:"sessionId"`
	Read      bool                  `json:"read"`
}

func entryOf(h *tracker.Happening) entry {
	return entry{
		At: h.At.UTC(), Kind: h.Kind, Agent: h.Agent, Pane: h.Pane, Server: h.Server,
		Title: cut(h.Title), Text: cut(h.Text), SessionID: cut(h.SessionID), Read: h.Read,
	}
}

func (e *entry) happening() tracker.Happening {
	return tracker.Happening{
		At: e.At, Kind: e.Kind, Agent: e.Agent, Pane: e.Pane, Server: e.Server,
		Title: e.Title, Text: e.Text, SessionID: e.SessionID, Read: e.Read, Over: true,
	}
}

func cut(text string) string {
	n := 0
	for i := range text {
		if n++; n > maxText {
			return text[:i]
		}
	}
	return text
}

// knownKinds are those that an inbox can show.
var knownKinds = [...]tracker.HappeningKind{
	tracker.HappenedNeedsInput, tracker.HappenedReview, tracker.HappenedFailed, tracker.HappenedEnded, tracker.HappenedQuiet,
}

// Load adds the inbox of the last run to what it knew. No file is no error; one that cannot be
// understood is ErrDamaged and no inbox.
func (f Inbox) Load(r *tracker.Restored) error {
	if f.Path == "" {
		return nil
	}
	worlds, err := readInboxes(f.Path)
	w := part(worlds, f.World)
	r.Seen = earlier(w.Seen, r.At)
	for _, e := range tidy(w.Entries, r.At) {
		r.Inbox = append(r.Inbox, e.happening())
	}
	return err
}

// MarkRead notes that a person looked at an agent, for when no board runs to be told.
func (f Inbox) MarkRead(id tracker.AgentID, at time.Time) error {
	if worlds, err := readInboxes(f.Path); err != nil || len(part(worlds, f.World).Entries) == 0 {
		return nil // there is nothing to be read
	}
	return f.update(at, func(w *worldInbox) {
		for i := range w.Entries {
			if e := &w.Entries[i]; e.Agent == id && !e.At.After(at) {
				e.Read = true
			}
		}
	})
}

func readInboxes(path string) ([]worldInbox, error) {
	data, err := readWhole(path)
	if data == nil {
		return nil, err
	}
	var f inboxFile
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, damaged(path, err)
	}
	if f.Version != formatVersion {
		return nil, damaged(path, wrongVersion(f.Version))
	}
	return f.Worlds, nil
}

// part is the inbox of a world, or an empty one.
func part(worlds []worldInbox, of World) worldInbox {
	for _, w := range worlds {
		if w.World == of {
			return w
		}
	}
	return worldInbox{World: of}
}

// update changes the inbox of the world and leaves the others alone. What cannot be understood is
// replaced; what cannot be read is an error.
func (f Inbox) update(now time.Time, change func(*worldInbox)) error {
	return alone(f.Path, func() (any, error) {
		worlds, err := readInboxes(f.Path)
		if err != nil && !errors.Is(err, ErrDamaged) {
			return nil, err
		}
		w := part(worlds, f.World)
		change(&w)
		w.SavedAt, w.Entries = now.UTC(), tidy(w.Entries, now)
		others := slices.DeleteFunc(worlds, func(o worldInbox) bool { return o.World == f.World || now.Sub(o.SavedAt) > keepFor })
		slices.SortStableFunc(others, func(a, b worldInbox) int { return b.SavedAt.Compare(a.SavedAt) })
		return inboxFile{Version: formatVersion, Worlds: append([]worldInbox{w}, others[:min(len(others), maxWorlds-1)]...)}, nil
	})
}

// tidy sorts entries, the newest first, and drops what is too old, too much, or not understood. Times
// that lie in the future, after a clock was set back, become now.
func tidy(list []entry, now time.Time) []entry {
	out := make([]entry, 0, len(list))
	for _, e := range list {
		e.At = earlier(e.At, now)
		if slices.Contains(knownKinds[:], e.Kind) && !e.Agent.IsZero() && now.Sub(e.At) <= keepFor {
			out = append(out, e)
		}
	}
	slices.SortStableFunc(out, func(a, b entry) int { return b.At.Compare(a.At) })
	return out[:min(len(out), tracker.InboxLimit)]
}

// inboxKeeper remembers what it wrote last.
type inboxKeeper struct {
	file  Inbox
	saved []*tracker.Happening
	seen  time.Time
}

// write reports whether there was anything to write. An inbox in which nothing ever happened is not.
func (k *inboxKeeper) write(snap *tracker.Snapshot, now time.Time, force bool) (bool, error) {
	same := slices.Equal(k.saved, snap.Inbox) && k.seen.Equal(snap.InboxSeen)
	if k.file.Path == "" || same && (!force || len(snap.Inbox) == 0) {
		return false, nil
	}
	err := k.file.update(now, func(w *worldInbox) {
		w.Seen = later(earlier(w.Seen, now), snap.InboxSeen.UTC())
		w.Entries = mergeEntries(w.Entries, snap.Inbox)
	})
	if err == nil {
		k.saved, k.seen = snap.Inbox, snap.InboxSeen
	}
	return true, err
}

// mergeEntries puts the entries of a board in place of those that tell of the same. What was read at
// one board was read.
func mergeEntries(stored []entry, mine []*tracker.Happening) []entry {
	out := make([]entry, 0, len(stored)+len(mine))
	for _, h := range mine {
		out = append(out, entryOf(h))
	}
	for _, e := range stored {
		h := e.happening()
		i := slices.IndexFunc(mine, func(m *tracker.Happening) bool { return m.At.Equal(h.At) && m.Same(&h) })
		if i < 0 {
			i = slices.IndexFunc(mine, h.Same)
		}
		if i < 0 {
			out = append(out, e)
			continue
		}
		out[i].Read = out[i].Read || e.Read
	}
	return out
}
