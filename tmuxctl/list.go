package tmuxctl

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"signalbox/tracker"
)

// A listing is one tmux call. Its output is lines:
//
//	S <server pid> …           once, from display-message
//	C <session id> <flags>     per client, from list-clients
//	P <ids and numbers> …      per pane and session that shows it, from list-panes -a
//
// The light listing ends there: nothing in it was chosen by a stranger, so a line is a record. In
// the full one each P starts with a marker that is drawn at random for this Lister, and texts
// follow, each behind the same marker; a newline in a path cannot end a record, and no text can
// start one.
const (
	serverLight = "S #{pid}"
	clientLine  = "C #{session_id} #{client_flags}"

	// The numbers of both listings. They cost the server about 1 ms per 100 panes.
	paneNumbers = "P #{session_id} #{window_id} #{pane_id} #{window_index} [#{window_raw_flags}] " +
		"#{session_activity} #{window_activity} #{pane_pid} " +
		"#{pane_active}#{pane_dead}#{pane_in_mode}#{pane_input_off}#{pane_synchronized}"

	// What only the full listing has. Command and path cost most: the server reads them from the
	// process table, one pane at a time.
	paneMore = " #{pane_index} #{pane_width} #{pane_height} #{session_created} [#{pane_dead_status} #{pane_dead_signal}]"
)

// Texts of the full listing, in order. The path stands last: of all of them it is the one that
// comes out unescaped.
const (
	textTTY = iota
	textSession
	textGroup
	textWindow
	textTitle
	textCommand
	textPath
	textCount
)

func textFormats() []string {
	return []string{
		textTTY: "#{pane_tty}", textSession: "#{session_name}", textGroup: "#{session_group}", textWindow: "#{window_name}",
		textTitle: "#{pane_title}", textCommand: "#{pane_current_command}", textPath: "#{pane_current_path}",
	}
}

// errStale says that a light listing cannot be understood without a full one: panes came, went or
// moved.
var errStale = errors.New("the panes have changed since the last full listing")

// Listing is one answer of a Lister.
type Listing struct {
	Topology tracker.Topology
	// Malformed counts records that could not be read. Those whose ids and numbers could be are in
	// the topology all the same, without their texts.
	Malformed int
	// Full is set when names, titles, commands and paths were read and not repeated.
	Full bool
}

// Lister lists one server again and again. It remembers the last full listing, so that a light one
// can repeat what it did not read. It is not safe for concurrent use.
type Lister struct {
	conn  Conn
	mark  string // random; see above
	full  []Command
	light []Command

	glance []Command

	fullRaw, lightRaw []byte // last outputs: equal bytes need no parsing
	known             records
	last              Listing
}

// NewLister returns a lister for the server behind conn.
func NewLister(conn Conn) *Lister {
	l := &Lister{conn: conn, mark: "~" + rand.Text()[:10] + "~"}
	more := l.mark + paneNumbers + paneMore
	for _, f := range textFormats() {
		more += l.mark + f
	}
	clients := Command{"list-clients", "-F", clientLine}
	l.light = []Command{{"display-message", "-p", serverLight}, clients, {"list-panes", "-a", "-F", paneNumbers}}
	l.glance = []Command{l.light[0], clients, {"list-panes", "-a", "-F", paneGlance}}
	l.full = []Command{
		{"display-message", "-p", serverLight + " #{version} #{start_time} #{socket_path}"},
		clients,
		{"list-panes", "-a", "-F", more},
	}
	return l
}

// List is one complete listing, for callers that need only one.
func List(ctx context.Context, conn Conn) (tracker.Topology, error) {
	l, err := NewLister(conn).Full(ctx)
	return l.Topology, err
}

// Full reads everything. The topology shares nothing with earlier ones that will change.
func (l *Lister) Full(ctx context.Context) (Listing, error) {
	out, err := ask(ctx, l.conn, l.full...)
	if err != nil && !withoutSessions(err) {
		return Listing{}, fmt.Errorf("listing panes: %w", err)
	}
	if l.last.Full && bytes.Equal(out, l.fullRaw) {
		return l.last, nil
	}
	r, err := parseFull(string(out), l.mark)
	if err != nil {
		return Listing{}, fmt.Errorf("listing panes: %w", err)
	}
	l.known, l.fullRaw, l.lightRaw = r, out, nil
	l.last = Listing{Topology: r.topology(), Malformed: r.malformed, Full: true}
	return l.last, nil
}

// Light reads ids, pids, flags and activity, at about a third of the price, and repeats the rest
// from the last full listing. Where that one does not fit any more, it reads everything.
func (l *Lister) Light(ctx context.Context) (Listing, error) {
	if l.fullRaw == nil {
		return l.Full(ctx)
	}
	out, err := ask(ctx, l.conn, l.light...)
	if err != nil && !withoutSessions(err) {
		return Listing{}, fmt.Errorf("listing panes: %w", err)
	}
	if bytes.Equal(out, l.lightRaw) {
		return l.last, nil
	}
	r, err := parseLight(string(out), l.known)
	if errors.Is(err, errStale) {
		return l.Full(ctx)
	}
	if err != nil {
		return Listing{}, fmt.Errorf("listing panes: %w", err)
	}
	l.known, l.lightRaw = r, out
	l.last = Listing{Topology: r.topology(), Malformed: r.malformed}
	return l.last, nil
}

// withoutSessions reports whether the listing failed only because the server has no session, as it
// may with the option exit-empty off: list-panes -a then complains that it has no target.
func withoutSessions(err error) bool {
	var refused *CommandError
	return errors.As(err, &refused) && refused.Stderr == "no current target"
}

// clean makes text valid UTF-8; what is not becomes U+FFFD.
func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
