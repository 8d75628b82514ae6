package tmuxctl

import (
	"context"
	"fmt"
	"maps"
	"strconv"
	"strings"

	"signalbox/tracker"
)

// paneGlance is what changes in a pane without a notification of the connection: output, keys, a program's
// end, and another program in its place.
const paneGlance = "G #{pane_pid} #{pane_dead} #{session_activity} #{window_activity}"

// Glance looks whether something has changed of which the connection does not tell, at half the price of
// Light. Where nothing has, it repeats the last listing, else it reads on as Light does. What own writes,
// the pane that the board draws in, is no change.
func (l *Lister) Glance(ctx context.Context, own tracker.PaneID) (Listing, error) {
	if l.fullRaw == nil {
		return l.Full(ctx)
	}
	out, err := ask(ctx, l.conn, l.glance...)
	if err != nil && !withoutSessions(err) {
		return Listing{}, fmt.Errorf("listing panes: %w", err)
	}
	if !l.known.stands(string(out), own) {
		return l.Light(ctx)
	}
	same := l.last
	same.Full = false
	return same, nil
}

// stands reports whether the records are still true, as far as a glance tells.
func (r *records) stands(glance string, own tracker.PaneID) bool {
	now, rest, err := parseHead(glance)
	if err != nil || now.server.PID != r.server.PID || now.malformed+r.malformed > 0 || !maps.Equal(now.attached, r.attached) {
		return false
	}
	var want []byte
	for i := range r.panes {
		var line string
		line, rest, _ = strings.Cut(rest, "\n")
		p := &r.panes[i]
		if p.pane.ID == own {
			line = line[:max(strings.LastIndexByte(line, ' '), 0)]
		}
		if want = p.appendGlance(want[:0], p.pane.ID != own); line != string(want) {
			return false
		}
	}
	return rest == ""
}

// appendGlance is what a glance shows of the pane as it was.
func (p *record) appendGlance(b []byte, output bool) []byte {
	b = strconv.AppendInt(append(b, "G "...), int64(p.pane.PID), 10)
	dead := " 0 "
	if p.pane.Dead {
		dead = " 1 "
	}
	b = strconv.AppendInt(append(b, dead...), p.activity, 10)
	if output {
		b = strconv.AppendInt(append(b, ' '), p.window.Activity.Unix(), 10)
	}
	return b
}
