package desk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"signalbox/tmuxctl/interlock"
	"signalbox/tracker"
	"signalbox/tui/prompt"
)

// newSender makes the sends of a board, over the board's own connection and sources.
func (s *sources) newSender() *sender {
	return &sender{desk: s.desk, conn: s.conn, list: s.list, files: s.files, ears: s.ears}
}

// CheckText judges a text as the interlock will: "" or why it cannot be sent, and a remark. It is
// pure.
func CheckText(text string, asCommand bool) (why, remark string) {
	t, err := interlock.PrepareText(text, asCommand)
	if err != nil {
		return err.Error(), ""
	}
	return "", t.Remark
}

// errChanged says that the agent is not the one that the person saw when they wrote.
var errChanged = errors.New("the agent there has changed: look before you send")

// chosen is the agent that the person saw, as the snapshot of that moment shows it.
func chosen(snap *tracker.Snapshot, seen prompt.Target) (target, error) {
	t := targetOf(snap, seen.Pane)
	switch {
	case t.problem != "":
		return t, errors.New(t.problem)
	case t.Agent != seen.Agent || seen.SessionID != "" && t.SessionID != seen.SessionID:
		return t, errChanged
	}
	return t, nil
}

// check looks at every lamp and tells each as soon as it is known.
func (s *sender) check(ctx context.Context, snap *tracker.Snapshot, a prompt.Action, tell func(prompt.Lamp)) []prompt.Lamp {
	t := targetOf(snap, a.Target.Pane)
	lamps := s.interlock(ctx, t).Check(ctx, request(t, a), func(p interlock.Progress) {
		if p.Lamp.Name != "" {
			tell(shownLamp(t, p.Lamp))
		}
	})
	return shownLamps(t, lamps)
}

// sendTask sends what the person wrote. tell gets the stages and lamps on the way; it is called on
// this goroutine.
func (s *sender) sendTask(ctx context.Context, snap *tracker.Snapshot, a prompt.Action, tell func(stage string, lamp prompt.Lamp)) prompt.Outcome {
	t, err := chosen(snap, a.Target)
	if err != nil {
		return prompt.Outcome{Kind: prompt.Failed, Detail: err.Error()}
	}
	res := s.transact(ctx, s.interlock(ctx, t), request(t, a), func(p interlock.Progress) {
		lamp := prompt.Lamp{}
		if p.Lamp.Name != "" {
			lamp = shownLamp(t, p.Lamp)
		}
		tell(p.Stage.String(), lamp)
	})
	o := prompt.Outcome{Kind: prompt.OutcomeKind(res.Outcome), Detail: res.Detail, Box: strings.TrimSpace(res.Box), Lamps: shownLamps(t, res.Lamps)}
	if res.Receipt != nil {
		o.Receipt, o.By = res.Receipt.At.Local(), receiptBy(res.Receipt.Source)
	}
	return o
}

// sendQueued sends a task whose agent has come to rest. row is that agent, where it is known.
func (s *sender) sendQueued(ctx context.Context, e queueEntry, row *tracker.AgentRow) interlock.Result {
	t := e.target()
	if row != nil {
		t.transcript, t.cwd, t.shared = row.Transcript, row.CWD, row.SharesSession
	}
	return s.transact(ctx, s.interlock(ctx, t), interlock.Request{Target: t.Target, Shared: t.shared, Text: e.Text, AsCommand: e.AsCommand, AllowBackground: e.AllowBackground}, nil)
}

func request(t target, a prompt.Action) interlock.Request {
	return interlock.Request{Target: t.Target, Shared: t.shared, Text: a.Text, AsCommand: a.AsCommand, AllowBackground: a.AllowBackground}
}

func shownLamps(t target, lamps []interlock.Lamp) []prompt.Lamp {
	out := make([]prompt.Lamp, len(lamps))
	for i, l := range lamps {
		out[i] = shownLamp(t, l)
	}
	return out
}

func shownLamp(t target, l interlock.Lamp) prompt.Lamp {
	l = t.lamp(l)
	return prompt.Lamp{Name: l.Name, OK: l.OK, Reason: l.Reason, Passing: l.Passing}
}

func receiptBy(src tracker.Source) string {
	if src == tracker.SourceHook {
		return "from a hook"
	}
	return fmt.Sprintf("from the %s", src)
}
