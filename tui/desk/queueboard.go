package desk

import (
	"context"
	"crypto/rand"
	"time"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
	"signalbox/tui/prompt"
)

// QueueView is the queue as the screen shows it.
type QueueView struct {
	Rev     uint64
	Items   []prompt.Waiting
	News    string // the newest thing that happened to a task, or ""
	Bad     bool   // the news wants the person
	Problem string // why the queue does not work, or ""
}

// Queued is how many tasks wait for a pane's agent, for the mark on its cell.
func (v QueueView) Queued(pane tracker.PaneID) int {
	n := 0
	for i := range v.Items {
		if s := v.Items[i].State; v.Items[i].Pane == pane && (s == prompt.WaitsForRest || s == prompt.BeingSent) {
			n++
		}
	}
	return n
}

// Next blocks until the queue is newer than rev and returns it, as Board.Next does for snapshots.
func (q *queue) Next(ctx context.Context, rev uint64) (QueueView, error) {
	for {
		q.mu.Lock()
		changed := q.changed
		v := q.viewLocked()
		q.mu.Unlock()
		if v.Rev > rev {
			return v, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return QueueView{}, ctx.Err()
		}
	}
}

func (q *queue) viewLocked() QueueView {
	v := QueueView{Rev: q.rev, News: q.news.text, Bad: q.news.bad, Problem: q.problem}
	for _, e := range q.entries {
		w := prompt.Waiting{
			ID: e.ID, Pane: e.Pane, Where: e.Where, Name: e.Name, Text: e.Text, AsCommand: e.AsCommand,
			Since: e.Created, State: prompt.WaitsForRest, Note: e.Note,
		}
		switch e.State {
		case queueSending:
			w.State = prompt.BeingSent
		case queueUnsure:
			w.State = prompt.Unsure
		case queueDropped:
			w.State = prompt.Dropped
		}
		v.Items = append(v.Items, w)
	}
	return v
}

// Add puts a task for the agent in the queue. It is on disk when Add returns.
func (q *queue) Add(ctx context.Context, snap *tracker.Snapshot, a prompt.Action) error {
	t, err := chosen(snap, a.Target)
	if err != nil {
		return err
	}
	if _, err := interlock.PrepareText(a.Text, a.AsCommand); err != nil {
		return err
	}
	e := queueEntry{
		ID: rand.Text()[:10], Server: t.Server, Pane: t.Pane, PanePID: t.PanePID, Agent: t.Agent, Session: t.SessionID,
		Where: a.Target.Where, Name: a.Target.Name, Text: a.Text, AsCommand: a.AsCommand, AllowBackground: a.AllowBackground,
		Created: time.Now(), State: queueWaiting, Note: a.Target.Reason,
	}
	return q.change(ctx, func(t *tasks) error { return t.add(e) })
}

// Edit changes a task that still waits.
func (q *queue) Edit(ctx context.Context, a prompt.Action) error {
	if _, err := interlock.PrepareText(a.Text, a.AsCommand); err != nil {
		return err
	}
	return q.change(ctx, func(t *tasks) error { return t.edit(a.Entry, a.Text, a.AsCommand, a.AllowBackground) })
}

// Remove cancels a task that waits, or puts the notice about one that ended away.
func (q *queue) Remove(ctx context.Context, id string) error {
	return q.change(ctx, func(t *tasks) error { return t.remove(id) })
}

func (q *queue) change(ctx context.Context, change func(*tasks) error) error {
	err := q.file.change(ctx, change)
	q.hurry()
	return err
}
