package desk

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"signalbox/tracker"
	"signalbox/tracker/engine"
	"signalbox/tracker/journal"
	"signalbox/tui/cli"
)

// restore hands over what the last run knew. Damaged verdicts are told as a remark of the journal and
// the board starts as if it had never run. An inbox that cannot be read is none; that the new one
// cannot be kept either is told when it is so.
func (s *sources) restore() {
	path := s.desk.verdictsFile()
	if path == "" {
		return
	}
	ev, err := journal.Load(path, time.Now())
	if err != nil {
		s.emit(tracker.SourceFailed{At: time.Now(), Source: tracker.SourceJournal, Reason: err.Error()})
	}
	_ = s.desk.inbox().Load(&ev)
	s.emit(ev)
}

// inbox is where the inbox of our world is kept.
func (d *Desk) inbox() journal.Inbox {
	if d.stateDir == "" {
		return journal.Inbox{}
	}
	return journal.Inbox{Path: filepath.Join(d.stateDir, "inbox.json"), World: journal.World(d.identity())}
}

// keepJournal writes the last verdicts and the inbox for the next run.
func (s *sources) keepJournal(ctx context.Context, snaps *engine.Latest) error {
	path := s.desk.verdictsFile()
	if path == "" {
		return nil
	}
	return journal.Keep(ctx, snaps, path, s.desk.inbox(), s.report(tracker.SourceJournal))
}

// report turns the outcome of a write into the health of a source. Success is only told after a
// failure: a file that can be written is no news.
func (s *sources) report(src tracker.Source) func(error) {
	failed := false
	return func(err error) {
		switch {
		case err != nil:
			failed = true
			s.emit(tracker.SourceFailed{At: time.Now(), Source: src, Reason: err.Error()})
		case failed:
			failed = false
			s.emit(tracker.SourceWorks{At: time.Now(), Source: src})
		}
	}
}

// publishStatus keeps the public status file up to date, or takes it over when the board that writes
// it ends.
func (s *sources) publishStatus() {
	dir := journal.StatusDir(s.desk.env)
	if dir == "" {
		return
	}
	snaps := s.eng.Subscribe()
	s.sup.Go("status file", func(ctx context.Context) error {
		journal.PublishStatus(ctx, dir, cli.PublicStatus, snaps, time.Now, s.rewrite, s.report(tracker.SourceJournal))
		return nil
	})
}

// WriteStatusFile implements cli.Desk.
func (d *Desk) WriteStatusFile(_ context.Context, snap *tracker.Snapshot) error {
	f, err := journal.OpenStatusFile(journal.StatusDir(d.env), cli.PublicStatus)
	if errors.Is(err, journal.ErrOtherWriter) {
		return nil // a board writes it already, and more often
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Write(snap, time.Now()), f.Close())
}

// acknowledgeHere notes in the last verdicts and the inbox that a pane's agent was looked at, for when
// no board runs.
func (d *Desk) acknowledgeHere(ctx context.Context, pane tracker.PaneID) error {
	path := d.verdictsFile()
	if path == "" {
		return errors.New("there is no folder to note it in: HOME is not set")
	}
	snap, err := d.readHere(ctx)
	if err != nil {
		return err
	}
	_, _, p := snap.FindPane(pane)
	if p == nil || p.Agent == nil {
		return &cli.Exit{Code: cli.ExitNoTarget, Err: fmt.Errorf("there is no agent in %s", pane)}
	}
	now := time.Now()
	return errors.Join(journal.Acknowledge(path, p.Agent.ID, now), d.inbox().MarkRead(p.Agent.ID, now))
}
