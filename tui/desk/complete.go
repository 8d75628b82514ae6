package desk

import (
	"context"
	"time"

	"signalbox/tmuxctl"
	"signalbox/tracker"
)

// Glance implements cli.Desk: what a running board knows, or, without one, what tmux alone says.
func (d *Desk) Glance(ctx context.Context) (*tracker.Snapshot, error) {
	if snap, ok := d.askBoard(ctx); ok {
		return snap, nil
	}
	topo, err := tmuxctl.List(ctx, d.conn)
	if err != nil {
		return nil, err
	}
	st := tracker.NewState(tracker.SourceTmux)
	st.Apply(tracker.TmuxListed{At: time.Now(), Topology: topo})
	return st.Snapshot(), nil
}
