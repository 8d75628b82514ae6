package transcript

import (
	"context"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"signalbox/tracker"
)

// Target is one session to follow. A Path that is not this session's file under the Claude folder
// is refused; without one, CWD tells where the file should be.
type Target = tracker.TranscriptTarget

// Config says where Claude Code keeps its files.
type Config struct {
	ClaudeDir string // ~/.claude or what CLAUDE_CONFIG_DIR names; absolute
}

// Watcher follows the transcripts of its targets. Create it with New, run it once.
type Watcher struct {
	places  places
	notices func() (notifier, error) // how to be told of changes; replaced by tests
	wake    chan struct{}            // one slot: there are new targets
	poll    time.Duration            // how often to look in spite of notices; replaced by tests

	mu   sync.Mutex
	want []Target
}

// New makes a watcher without targets. It reads nothing before Run.
func New(cfg Config) *Watcher {
	return &Watcher{
		places:  places{projects: filepath.Join(cfg.ClaudeDir, "projects")},
		notices: newNotifier,
		wake:    make(chan struct{}, 1),
		poll:    pollEvery,
	}
}

// SetTargets replaces the sessions to follow: those of agents that are busy, needs-input, unknown
// or review. It may be called from any goroutine and as often as there are snapshots; it never
// blocks, and the last call wins. A session that is no longer named is followed a moment longer;
// when it is named again, reading goes on where it ended. The facts of a session are sent again
// when one more agent has it: /resume brings old sessions back to agents that forgot them.
func (w *Watcher) SetTargets(targets []Target) {
	w.mu.Lock()
	same := slices.Equal(w.want, targets)
	if !same {
		w.want = slices.Clone(targets)
	}
	w.mu.Unlock()
	if same {
		return
	}
	select {
	case w.wake <- struct{}{}:
	default: // a wake-up is due already and will find these targets
	}
}

func (w *Watcher) targets() []Target {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.want
}

// Run follows the targets until ctx ends, then returns nil. It sends a TranscriptRead for each
// change, and SourceWorks or SourceFailed when its own health changes. It blocks while out is full.
func (w *Watcher) Run(ctx context.Context, out chan<- tracker.Event) error {
	l := newLoop(w, out)
	defer l.close()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-w.wake:
			l.retarget(w.targets(), time.Now())
		case e, ok := <-l.events:
			l.notice(e, ok)
		case err, ok := <-l.errors:
			l.noticeError(err, ok)
		case <-timer.C:
		}
		if err := l.step(ctx, time.Now()); err != nil {
			return nil // ctx ended while the channel was full
		}
		timer.Stop()
		if at := l.deadline(); !at.IsZero() {
			timer.Reset(time.Until(at))
		}
	}
}
