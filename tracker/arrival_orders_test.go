package tracker

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

// inOrder merges the sources by the times of their facts.
func (w *world) inOrder() []Event {
	var all []Event
	for _, s := range w.tells {
		all = append(all, s...)
	}
	slices.SortStableFunc(all, func(a, b Event) int { return eventAt(a).Compare(eventAt(b)) })
	return all
}

// shuffled lets the sources get through by chance, some much later than others. A fact in five is
// told again later on.
func (w *world) shuffled(rng *rand.Rand) []Event {
	left := slices.Clone(w.tells)
	weight := make([]int, len(left))
	for i := range weight {
		weight[i] = 1 << rng.IntN(8)
	}
	var out, again []Event
	for len(left) > 0 {
		sum := 0
		for _, n := range weight {
			sum += n
		}
		i := 0
		for x := rng.IntN(sum); x >= weight[i]; i++ {
			x -= weight[i]
		}
		out = append(out, left[i][0])
		if rng.IntN(5) == 0 {
			again = append(again, left[i][0])
		}
		if len(again) > 0 && rng.IntN(4) == 0 {
			out = append(out, again[rng.IntN(len(again))])
		}
		if left[i] = left[i][1:]; len(left[i]) == 0 {
			left, weight = slices.Delete(left, i, i+1), slices.Delete(weight, i, i+1)
		}
	}
	return append(out, again...)
}

func eventAt(ev Event) time.Time {
	switch ev := ev.(type) {
	case TmuxListed:
		return ev.At
	case SourceFailed:
		return ev.At
	case SourceWorks:
		return ev.At
	case RegistryRead:
		return ev.At
	case HookReceived:
		return ev.Seen
	case ProcessesSeen:
		return ev.At
	case ProcessExited:
		return ev.At
	case TranscriptRead:
		return ev.At
	case AgentsListed:
		return ev.At
	case ScreenSeen:
		return ev.At
	case Acknowledged:
		return ev.At
	case Restored:
		return ev.At
	}
	panic(fmt.Sprintf("no time of %T", ev))
}

// eventList is a story in words, for a failure.
func eventList(evs []Event) string {
	var b strings.Builder
	for _, ev := range evs {
		fmt.Fprintf(&b, "%5.1f ", eventAt(ev).Sub(t0).Seconds())
		switch ev := ev.(type) {
		case TmuxListed:
			fmt.Fprintf(&b, "tmux lists %d windows", len(ev.Topology.Sessions[0].Windows))
		case RegistryRead:
			fmt.Fprintf(&b, "registry: %d %s %s", ev.PID, ev.Entry.SessionID, ev.Entry.Status)
		case HookReceived:
			fmt.Fprintf(&b, "hook: %d, chain of %d, %s %s %s %s", ev.Hook.ClaudePID, len(ev.Chain), ev.Hook.SessionID, ev.Hook.Name, ev.Hook.StartSource, ev.Hook.PromptID)
		case ProcessesSeen:
			fmt.Fprintf(&b, "processes, complete %v:", ev.Complete)
			for _, p := range ev.Procs {
				fmt.Fprintf(&b, " %d<%d %s %d", p.PID, p.PPID, p.Name, p.State)
			}
		case ProcessExited:
			fmt.Fprintf(&b, "exited: %v", ev.ID)
		case TranscriptRead:
			fmt.Fprintf(&b, "transcript %s", ev.SessionID)
		case AgentsListed:
			fmt.Fprintf(&b, "list, available %v:", ev.Available)
			for _, r := range ev.Rows {
				fmt.Fprintf(&b, " %d %s %s", r.PID, r.SessionID, r.Status)
			}
		case ScreenSeen:
			fmt.Fprintf(&b, "screen of %s: dialog %v, composer %v", ev.Pane, ev.Dialog, ev.Composer)
		case Acknowledged:
			fmt.Fprintf(&b, "looked at %s", ev.Pane)
		default:
			fmt.Fprintf(&b, "%+v", ev)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
