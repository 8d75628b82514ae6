package desk

import (
	"context"
	"sync"
	"time"

	"signalbox/tui"
)

// keepEvery is how often the choices are written at most while a text is typed.
const keepEvery = time.Second

// keptSettings writes how the person has the board, drafts included, whenever that changes: a board that
// is killed loses a second of it at most.
type keptSettings struct {
	desk   *Desk
	newest chan tui.Settings // one slot

	mu   sync.Mutex       // one save at a time
	mine []tui.SavedDraft // our drafts as they were written last
}

// newKeptSettings is for a board that began with these.
func (d *Desk) newKeptSettings(s tui.Settings) *keptSettings {
	return &keptSettings{desk: d, newest: make(chan tui.Settings, 1), mine: s.Drafts}
}

// put takes the newest choices. It does not block.
func (k *keptSettings) put(s tui.Settings) {
	for {
		select {
		case k.newest <- s:
			return
		default:
		}
		select {
		case <-k.newest:
		default:
		}
	}
}

// run writes until the context ends. Whoever ends it saves once more.
func (k *keptSettings) run(ctx context.Context) error {
	for {
		select {
		case s := <-k.newest:
			k.save(s)
		case <-ctx.Done():
			return nil
		}
		pause := time.NewTimer(keepEvery)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			return nil
		}
	}
}

// save writes the choices, and the drafts of other boards beside ours.
func (k *keptSettings) save(s tui.Settings) {
	k.mu.Lock()
	defer k.mu.Unlock()
	ours := s.Drafts
	s.Drafts = keepDrafts(k.mine, ours, k.desk.loadSettings().Drafts)
	k.mine = ours
	k.desk.saveSettings(s)
}
