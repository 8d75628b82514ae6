package summaries

import (
	"context"
	"errors"
	"fmt"
	"time"

	"signalbox/tracker"
)

const (
	// maxReads is how many screens one run may read, as a multiple of what it may ask about: a
	// screen whose answer is known is read as well.
	maxReads = 4
	// mostPause is how rarely a program that fails is run in the end.
	mostPause = time.Hour
	// day is what Writer.PerDay counts in.
	day = 24 * time.Hour
)

// Writer has summaries written. All functions are called from Run's goroutine, one at a time.
type Writer struct {
	Every  time.Duration // from the end of a run to the next
	Max    int           // windows in one run
	PerDay int           // runs in 24 hours
	Self   tracker.PaneID

	// Latest is the newest snapshot, or nil.
	Latest func() *tracker.Snapshot
	// Capture reads the screen of a pane as plain text.
	Capture func(ctx context.Context, pane tracker.PaneID) (string, error)
	// Ask runs the program. It is bounded in time and output by itself.
	Ask func(ctx context.Context, stdin []byte) ([]byte, error)
	// Emit takes SummariesWritten whenever what is written has changed, and SourceWorks or
	// SourceFailed after each run.
	Emit func(tracker.Event)
}

// run is the state of one Run.
type run struct {
	*Writer
	book     *book
	runs     []time.Time // of the last day
	failures int         // in a row
	told     []tracker.WrittenSummary
}

// Run reads and asks until ctx ends.
func (w *Writer) Run(ctx context.Context) error {
	r := &run{Writer: w, book: newBook(w.Self)}
	timer := time.NewTimer(w.Every)
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		if snap := w.Latest(); snap != nil && snap.Tmux.State == tracker.StateOK {
			r.once(ctx, snap)
		}
		timer.Reset(r.pause())
	}
}

// pause doubles with each failure.
func (r *run) pause() time.Duration {
	d := r.Every
	for range r.failures {
		if d *= 2; d > mostPause {
			return max(mostPause, r.Every)
		}
	}
	return d
}

// once is one run: read what is new, ask about what is not known, tell what holds.
func (r *run) once(ctx context.Context, snap *tracker.Snapshot) {
	defer r.tell(snap)
	now := time.Now()
	spent := r.spent(now)
	items, asked := r.read(ctx, snap, spent)
	switch {
	case ctx.Err() != nil:
		return
	case spent:
		r.Emit(tracker.SourceWorks{At: now, Source: tracker.SourceSummaries, Detail: fmt.Sprintf("the %d runs of this day are spent", r.PerDay)})
		return
	case len(items) == 0:
		return
	}
	r.runs = append(r.runs, now)
	bad, err := r.ask(ctx, items, asked)
	switch now = time.Now(); {
	case ctx.Err() != nil:
	case err != nil:
		r.failures++
		r.Emit(tracker.SourceFailed{At: now, Source: tracker.SourceSummaries, Reason: err.Error()})
	default:
		r.failures = 0
		ev := tracker.SourceWorks{At: now, Source: tracker.SourceSummaries}
		if bad > 0 {
			ev.Detail = fmt.Sprintf("%d of its answers could not be used", bad)
		}
		r.Emit(ev)
	}
}

// spent reports whether there were enough runs in the last day.
func (r *run) spent(now time.Time) bool {
	for len(r.runs) > 0 && now.Sub(r.runs[0]) >= day {
		r.runs = r.runs[1:]
	}
	return len(r.runs) >= r.PerDay
}

// read reads the screens that are new. Those with unknown content are the items to ask about, unless
// the day is spent: then they stay candidates for tomorrow.
func (r *run) read(ctx context.Context, snap *tracker.Snapshot, spent bool) ([]Item, []candidate) {
	var items []Item
	var asked []candidate
	for i, c := range r.book.candidates(snap) {
		if i == maxReads*r.Max || len(items) == r.Max {
			break
		}
		text, err := r.Capture(ctx, c.mark.pane)
		if err != nil {
			continue // it may be gone; the listing will say so
		}
		text = trim(text)
		screen := contentOf(c.mark.command, text)
		if r.book.turn(c, screen, time.Now()) {
			continue
		}
		if spent {
			r.book.forget(c.window.ID)
			continue
		}
		items = append(items, Item{Target: c.target, Name: nameOf(c.window), Command: c.mark.command, Capture: text})
		asked = append(asked, c)
	}
	return items, asked
}

// ask runs the program once and writes down what it answers. What it has no usable answer to is not
// asked again before it changes; after a failure everything is.
func (r *run) ask(ctx context.Context, items []Item, asked []candidate) (bad int, err error) {
	in, err := question(items)
	if err != nil {
		return 0, err
	}
	out, err := r.Ask(ctx, in)
	var rows map[string]answer
	if err == nil {
		rows, bad, err = parse(out, items)
	}
	if err == nil && len(rows) == 0 {
		err = errors.New("there is no answer that can be used")
	}
	now := time.Now()
	for i, c := range asked {
		if err != nil {
			r.book.forget(c.window.ID)
			continue
		}
		a := rows[items[i].Target]
		a.at = now
		r.book.write(r.book.pages[c.window.ID].content, a)
	}
	return bad, err
}

// tell hands over the summaries that hold, if they are others than before.
func (r *run) tell(snap *tracker.Snapshot) {
	rows := r.book.rows(snap)
	if len(rows) == len(r.told) {
		same := true
		for i := range rows {
			same = same && rows[i].Same(r.told[i])
		}
		if same {
			return
		}
	}
	r.told = rows
	r.Emit(tracker.SummariesWritten{At: time.Now(), Rows: rows})
}
