package tmuxctl

import (
	"context"
	"fmt"

	"signalbox/tracker"
)

// OwnClient is the name of the person's own client, by the same rules as Jump, and what it shows.
func OwnClient(ctx context.Context, conn Conn, j Jumper) (string, Place, error) {
	var panes []tracker.PaneID
	if j.Pane != "" {
		if err := CheckPane(j.Pane); err != nil {
			return "", Place{}, fmt.Errorf("looking for the own client from TMUX_PANE: %w", err)
		}
		panes = append(panes, j.Pane)
	}
	sc, err := readScene(ctx, conn, panes...)
	if err != nil {
		return "", Place{}, fmt.Errorf("looking for the own client: %w", err)
	}
	tmux := ParseTmuxVar(j.Tmux)
	switch {
	case j.Outside():
		return "", Place{}, &NoClientError{Outside: true}
	case j.Tmux != "" && tmux.PID != sc.server.PID:
		return "", Place{}, &NoClientError{Ours: tmux.Socket, Socket: sc.server.Socket}
	}
	c, err := sc.ours(j, tmux)
	return c.name, c.at, err
}
