package desk

import (
	"context"
	"errors"

	"signalbox/tracker"
	"signalbox/tracker/engine"
	"signalbox/tui"
	"signalbox/tui/prompt"
)

// boardSender is what the prompt of a board asks for: its sends over the board's own connection, its
// queue on disk.
type boardSender struct {
	send  *sender
	snaps *engine.Latest // what the person sees
	queue *queue         // nil without a folder to keep it in
}

// newBoardSender makes the sender of a board and starts its queue. It is to be called before the
// engine runs, as every subscription. A read-only board shows the queue and leaves it to others.
func (s *sources) newBoardSender(readOnly bool) *boardSender {
	b := &boardSender{send: s.newSender(), snaps: s.board}
	if file := s.desk.queueFile(); file != nil {
		b.queue = newQueue(file, b.send.sendQueued)
		b.queue.looks = readOnly
		snaps := s.eng.Subscribe()
		s.sup.Go("queue", func(ctx context.Context) error { return b.queue.Run(ctx, snaps) })
	}
	return b
}

func (b *boardSender) CheckText(text string, asCommand bool) (why, remark string) {
	return CheckText(text, asCommand)
}

func (b *boardSender) Check(ctx context.Context, a prompt.Action, tell func(prompt.Lamp)) []prompt.Lamp {
	return b.send.check(ctx, b.snaps.Peek(), a, tell)
}

func (b *boardSender) Send(ctx context.Context, a prompt.Action, tell func(string, prompt.Lamp)) prompt.Outcome {
	return b.send.sendTask(ctx, b.snaps.Peek(), a, tell)
}

// errNoQueue says why nothing can wait.
var errNoQueue = errors.New("there is no folder to keep tasks in: HOME is not set")

func (b *boardSender) Enqueue(ctx context.Context, a prompt.Action) prompt.Outcome {
	err := errNoQueue
	switch {
	case b.queue == nil:
	case a.Entry != "":
		err = b.queue.Edit(ctx, a)
	default:
		err = b.queue.Add(ctx, b.snaps.Peek(), a)
	}
	if err != nil {
		return prompt.Outcome{Kind: prompt.Failed, Detail: err.Error()}
	}
	return prompt.Outcome{Kind: prompt.Queued}
}

func (b *boardSender) NextQueue(ctx context.Context, rev uint64) (tui.Queue, error) {
	if b.queue == nil {
		return tui.Queue{}, errNoQueue
	}
	v, err := b.queue.Next(ctx, rev)
	return tui.Queue(v), err
}

func (b *boardSender) Withdraw(ctx context.Context, id string) error {
	if b.queue == nil {
		return errNoQueue
	}
	return b.queue.Remove(ctx, id)
}

// keepDrafts is the drafts to write for the next start. Another board may have written its own since
// this one began: of a pane that was not written for here, its word holds.
func keepDrafts(began, ours, theirs []tui.SavedDraft) []tui.SavedDraft {
	type place struct {
		server tracker.ServerID
		pane   tracker.PaneID
	}
	was, now := map[place]prompt.Draft{}, map[place]prompt.Draft{}
	for _, d := range began {
		was[place{d.Server, d.Pane}] = d.Draft
	}
	for _, d := range ours {
		now[place{d.Server, d.Pane}] = d.Draft
	}
	var out []tui.SavedDraft
	for _, d := range ours {
		if at := (place{d.Server, d.Pane}); now[at] != was[at] {
			out = append(out, d)
		}
	}
	for _, d := range theirs {
		if at := (place{d.Server, d.Pane}); now[at] == was[at] {
			out = append(out, d)
		}
	}
	return out
}
