package desk

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/tmuxctl"
	"signalbox/tracker"
	"signalbox/tracker/engine"
	"signalbox/tracker/registry"
)

// countedConn is a connection to where no server runs, and counts how often it is asked.
type countedConn struct{ asked atomic.Int32 }

func (c *countedConn) Run(context.Context, ...tmuxctl.Command) ([]byte, error) {
	c.asked.Add(1)
	return nil, tmuxctl.ErrNoServer
}

// TestWordFromAnUnknownPaneHasTmuxListed holds that an agent in a pane that is not on the board is not
// kept waiting for the next sweep, and that everybody else's word costs tmux nothing.
func TestWordFromAnUnknownPaneHasTmuxListed(t *testing.T) {
	const known, unknown = 100, 200 // the first processes of two panes
	chain := func(pane int) []tracker.Process {
		return []tracker.Process{{PID: pane + 1, Start: 1, Name: "claude"}, {PID: pane, Start: 1, Name: "bash"}}
	}
	hook := func(s *sources, pane int) {
		s.emitHook(tracker.HookReceived{At: time.Now(), Hook: tracker.Hook{SessionID: "s"}, Chain: chain(pane)})
	}
	file := func(s *sources, pane int) {
		s.emitRegistry(tracker.RegistryRead{At: time.Now(), PID: pane + 1, Entry: &tracker.RegistryEntry{}, Trust: tracker.TrustProven, Chain: chain(pane)})
	}
	for _, row := range []struct {
		name string
		emit func(s *sources)
		more int32
	}{
		{"a hook from a known pane", func(s *sources) { hook(s, known) }, 0},
		{"a hook from an unknown pane", func(s *sources) { hook(s, unknown) }, 1},
		{"many of them", func(s *sources) {
			for range 50 {
				hook(s, unknown)
			}
		}, 1},
		{"a file about a known pane", func(s *sources) { file(s, known) }, 0},
		{"a file about an unknown pane", func(s *sources) { file(s, unknown) }, 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			claude := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				conn := &countedConn{}
				s := &sources{
					sup: engine.Supervise(t.Context()), eng: engine.New(tracker.NewState()), tmux: tmuxctl.NewPoller(conn, ""),
					list: registry.NewAgentsPoller(nil, nil), ears: newEars(claude),
				}
				s.nearest.Store(&tracker.Snapshot{Sessions: []*tracker.SessionRow{{Windows: []*tracker.WindowRow{
					{Panes: []*tracker.PaneRow{{Pane: tracker.Pane{PID: known}}}},
				}}}})
				s.sup.Go("engine", s.eng.Run)
				s.sup.Go("tmux", func(ctx context.Context) error { return s.tmux.Poll(ctx, func(tracker.Event) {}) })
				time.Sleep(300 * time.Millisecond) // the first sweep was long enough ago for another one
				before := conn.asked.Load()
				row.emit(s)
				time.Sleep(50 * time.Millisecond) // far from the next one by itself
				if more := conn.asked.Load() - before; more != row.more {
					t.Errorf("tmux was listed %d times, want %d", more, row.more)
				}
				if err := s.sup.Stop(time.Second); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
