package desk

import (
	"slices"
	"testing"

	"signalbox/tracker"
	"signalbox/tui"
	"signalbox/tui/prompt"
)

func draftOf(pane tracker.PaneID, text string) tui.SavedDraft {
	return tui.SavedDraft{Server: tracker.ServerID{PID: 1}, Pane: pane, Draft: prompt.Draft{Text: text}}
}

// A draft that was sent does not come back from what this board has written before, and one of another
// board stays.
func TestDraftsAreWrittenAsTheyAreNow(t *testing.T) {
	d := &Desk{stateDir: t.TempDir()}
	k := d.newKeptSettings(tui.Settings{})
	texts := func() (out []string) {
		for _, s := range d.loadSettings().Drafts {
			out = append(out, string(s.Pane)+" "+s.Text)
		}
		slices.Sort(out)
		return out
	}
	k.save(tui.Settings{Drafts: []tui.SavedDraft{draftOf("%1", "hal")}})
	k.save(tui.Settings{Drafts: []tui.SavedDraft{draftOf("%1", "half"), draftOf("%2", "b")}})
	other := d.loadSettings()
	other.Drafts = append(other.Drafts, draftOf("%9", "of another board"))
	d.saveSettings(other)
	k.save(tui.Settings{Drafts: []tui.SavedDraft{draftOf("%2", "b")}}) // the first one was sent
	if got, want := texts(), []string{"%2 b", "%9 of another board"}; !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
	k.save(tui.Settings{})
	if got, want := texts(), []string{"%9 of another board"}; !slices.Equal(got, want) {
		t.Errorf("kept are %q, want %q", got, want)
	}
	for i := range 3 { // only the newest is worth anything, and nobody waits
		k.put(tui.Settings{NoPreview: i == 2})
	}
	if s := <-k.newest; !s.NoPreview || len(k.newest) != 0 {
		t.Errorf("%+v was kept, and %d more", s, len(k.newest))
	}
}
