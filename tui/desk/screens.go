package desk

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"signalbox/tmuxctl"
	"signalbox/tmuxctl/interlock/composer"
	"signalbox/tracker"
)

const (
	// lookTimeout bounds one look at screens.
	lookTimeout = 2 * time.Second
	// screenPause is the shortest time between two looks at the screen of a silent agent.
	screenPause = 2 * time.Second
	// settled is how long a window must have printed nothing for its cursor line to say something:
	// tmux tells the time of the last output to the second.
	settled = time.Second
	// printing is how often the screen of a window that prints all the time is read.
	printing = 5 * time.Second
	// looksAtOnce bounds one look, which is one call that holds tmux up for everybody.
	looksAtOnce = 24
)

// looks remembers when each screen was read. It belongs to one goroutine.
type looks struct {
	self tracker.PaneID // the board's own pane: looking at it would tell us of ourselves
	at   map[tracker.PaneID]time.Time
}

// due lists the panes whose screen would tell something new: those of silent agents, and of
// windows without an agent that have printed since their last look. Windows in which nothing happens
// cost nothing.
func (l *looks) due(snap *tracker.Snapshot, silent []tracker.PaneID, now time.Time) []tracker.PaneID {
	var ids []tracker.PaneID
	for _, id := range silent {
		if now.Sub(l.at[id]) >= screenPause {
			ids = append(ids, id)
		}
	}
	alive := make(map[tracker.PaneID]time.Time, len(l.at))
	snap.Windows(func(_ *tracker.SessionRow, w *tracker.WindowRow) bool {
		p := w.LeadPane()
		if p == nil {
			return true
		}
		last := l.at[p.ID]
		if !last.IsZero() {
			alive[p.ID] = last
		}
		quiet := w.Activity.Add(settled)
		if p.Agent == nil && p.ID != l.self && last.Before(quiet) && (!now.Before(quiet) || now.Sub(last) >= printing) {
			ids = append(ids, p.ID)
		}
		return true
	})
	l.at = alive
	slices.SortStableFunc(ids, func(a, b tracker.PaneID) int { return cmp.Compare(l.at[a].UnixNano(), l.at[b].UnixNano()) })
	ids = ids[:min(len(ids), looksAtOnce)]
	for _, id := range ids {
		l.at[id] = now
	}
	return ids
}

// look reads the screens in one call. Where tmux as a whole does not answer, its listing says so;
// a single pane that is not in the answer cannot be read.
func (s *sources) look(ctx context.Context, ids []tracker.PaneID) {
	if len(ids) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, lookTimeout)
	defer cancel()
	at := time.Now()
	screens, err := tmuxctl.CaptureAll(ctx, s.asked, ids, tmuxctl.CaptureOptions{Colours: true})
	if err != nil {
		return
	}
	for _, id := range ids {
		if scr, ok := screens[id]; ok {
			s.emit(screenSeen(at, scr))
			continue
		}
		if _, _, p := s.nearest.Load().FindPane(id); p != nil {
			s.emit(tracker.ScreenSeen{At: at, Pane: id, PanePID: p.PID, Problem: "the pane cannot be read"})
		}
	}
}

// asksToChoose reports whether a choice stands on a screen, as in Claude Code's start-up dialogs
// (trust, login, theme): a marked entry of a numbered list, or the words on the Enter key.
func asksToChoose(lines []string) bool {
	for _, l := range lines {
		text := strings.TrimSpace(ansi.Strip(l))
		rest, marked := strings.CutPrefix(text, "❯ ")
		if strings.Contains(text, "Enter to confirm") || marked && len(rest) > 1 && rest[0] >= '1' && rest[0] <= '9' && rest[1] == '.' {
			return true
		}
	}
	return false
}

// screenSeen is a captured screen as a fact.
func screenSeen(at time.Time, scr tmuxctl.Screen) tracker.ScreenSeen {
	read := composer.Read(composer.Screen{
		Lines: composer.ParseLines([]byte(strings.Join(scr.Lines, "\n"))), Width: scr.Width, Height: scr.Height,
		CursorX: scr.CursorX, CursorY: scr.CursorY, Alternate: scr.Alternate,
	})
	return tracker.ScreenSeen{
		At: at, Pane: scr.Pane, PanePID: scr.PID, Composer: read.Box, Dialog: asksToChoose(scr.Lines),
		Cursor: scr.BeforeCursor(), LastLine: scr.LastLine(), Full: scr.Alternate,
	}
}
