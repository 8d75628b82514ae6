package tui

import (
	"context"
	"errors"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tracker"
	"signalbox/tui/prompt"
)

// ErrClosed is returned by Board.Next when there will be no further snapshot. The screen then
// leaves.
var ErrClosed = errors.New("board is closed")

// Board is all that the screen needs from the rest of the program. Methods that take a context
// may block until it ends and are called from goroutines of their own, several at once; the others
// must return at once and are called from the drawing loop. Errors are shown to the person as they
// are, so they should say what failed and what helps.
type Board interface {
	// Next blocks until there is a snapshot newer than rev and returns the newest. It is called
	// with rev 0 first, and always once at a time. Any error means that the board is closed.
	Next(ctx context.Context, rev uint64) (*tracker.Snapshot, error)

	// Jump takes the person's client to a pane. It counts as a look at the pane's agent.
	Jump(ctx context.Context, pane tracker.PaneID) (JumpOutcome, error)

	// Back returns to where the person was before the last jump.
	Back(ctx context.Context) (JumpOutcome, error)

	// Preview reads the screen of a pane with up to history lines from above it.
	Preview(ctx context.Context, pane tracker.PaneID, history int) (Preview, error)

	// Acknowledge says that the person has seen the result of the pane's agent.
	Acknowledge(ctx context.Context, pane tracker.PaneID) error

	// SawInbox says that the inbox was open when its newest entry was of that time. It comes back with
	// the snapshots, also of a later board.
	SawInbox(ctx context.Context, newest time.Time) error

	// Hooks says whether Claude Code calls our hooks, and what installing them would change.
	Hooks(ctx context.Context) (HookSetup, error)

	// HooksMoved blocks until what Hooks tells may have changed since it was last asked. It is called
	// always once at a time. Any error means that the board is closed.
	HooksMoved(ctx context.Context) error

	// InstallHooks makes the change that Hooks described.
	InstallHooks(ctx context.Context) error

	// Refresh asks every source for news now. It does not block.
	Refresh()

	// Focus says whether the person looks at the board; sources may rest while nobody does. It
	// does not block.
	Focus(focused bool)
}

// JumpOutcome is what is left to do after a jump.
type JumpOutcome struct {
	Leave bool            // the screen ends (a popup, or a client that has gone elsewhere)
	Note  string          // one line for the person, or ""
	Exec  tea.ExecCommand // run in the board's place, then come back; nil inside tmux
}

// Preview is the captured screen of a pane. Lines hold text with SGR sequences as tmux captures
// them; other sequences are taken out before drawing. It is not changed after it was returned.
type Preview struct {
	Lines   []string // history first, then the screen
	Width   int      // of the pane, in cells
	Height  int      // of the pane's screen: the last Height lines
	CursorX int
	CursorY int  // from the top of the screen
	Cursor  bool // it is shown
}

// HookSetup is the state of our hooks in Claude Code's settings.
type HookSetup struct {
	Installed bool
	Partly    bool     // some events call us, others do not
	File      string   // the settings file, for people
	Diff      []string // what installing would change, as lines of a unified diff; empty when Installed
	Problem   string   // why they cannot be installed, or ""
}

// Settings are the choices of a person that outlive the board. The zero value is the default.
type Settings struct {
	View      ViewSettings `json:"view" toml:"view"`
	NoPreview bool         `json:"noPreview" toml:"no_preview"`
	Folded    []string     `json:"folded,omitempty" toml:"folded"` // names of folded sections
	Drafts    []SavedDraft `json:"drafts,omitempty" toml:"drafts"`
}

// SavedDraft is a text that was written for a pane and not sent.
type SavedDraft struct {
	Server tracker.ServerID `json:"server"`
	Pane   tracker.PaneID   `json:"pane"`
	prompt.Draft
}
