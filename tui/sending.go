package tui

import (
	"context"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/prompt"
)

// What the sender is asked for is bounded. Its own limits are shorter; these are for when one of
// them does not hold.
const (
	checkTimeout = 15 * time.Second // a start of Claude, and the looks around it
	sendTimeout  = time.Minute      // two checks, a pause in somebody's typing, the echo, the receipt
	queueTimeout = 5 * time.Second  // a file that another board may hold
)

func askTimeout(k prompt.Kind) time.Duration {
	switch k {
	case prompt.Check:
		return checkTimeout
	case prompt.Send:
		return sendTimeout
	}
	return queueTimeout
}

// answers is how much a check or a send may tell before the loop takes it: more than one send does.
const answers = 64

// askSender makes a check, a send or an entry in the queue. It runs beside the loop, which pulls what
// it tells one by one and in order. done is called when there is nothing left to call off.
func askSender(ctx context.Context, done context.CancelFunc, s Sender, a prompt.Action) tea.Cmd {
	told := make(chan senderMsg, answers)
	run := func() tea.Msg {
		defer done()
		end := senderMsg{action: a, end: true}
		tell := func(stage string, l prompt.Lamp) {
			if len(told) < answers-1 { // the end always has a place, and telling never blocks
				told <- senderMsg{action: a, stage: stage, lamp: l}
			}
		}
		switch a.Kind {
		case prompt.Check:
			end.lamps = s.Check(ctx, a, func(l prompt.Lamp) { tell("", l) })
		case prompt.Send:
			end.outcome = s.Send(ctx, a, tell)
		case prompt.Queue:
			end.outcome = s.Enqueue(ctx, a)
		}
		told <- end
		return nil
	}
	return tea.Batch(run, nextAnswer(told))
}

// nextAnswer waits for the next thing that the sender tells. It ends with the request, which has a
// deadline.
func nextAnswer(told <-chan senderMsg) tea.Cmd {
	return func() tea.Msg {
		msg := <-told
		msg.more = told
		return msg
	}
}

// nextQueue waits for the queue to change, as nextSnapshot does for the board.
func nextQueue(s Sender, rev uint64) tea.Cmd {
	if s == nil {
		return nil
	}
	return func() tea.Msg {
		q, err := s.NextQueue(context.Background(), rev)
		return queueMsg{queue: q, err: err}
	}
}

func withdraw(s Sender, id string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
		defer cancel()
		return withdrawnMsg{err: s.Withdraw(ctx, id)}
	}
}
