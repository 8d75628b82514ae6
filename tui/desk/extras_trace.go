package desk

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tmuxctl"
	"signalbox/tracker"
	"signalbox/tui/cli"
)

// trace is the log of --debug: what kinds of things happen, how big they are and how long they take.
// It never holds a word of what they say: its methods take types, numbers and times, and the few
// words they do take are looked up in lists of our own. A nil trace logs nothing. It is safe for
// concurrent use.
type trace struct {
	log *slog.Logger

	mu  sync.Mutex
	msg string    // kind of the message that the screen works on
	at  time.Time // since when
}

// openTrace opens the log of --debug for appending; nil without the flag.
func openTrace(path string) (*trace, error) {
	if path == "" {
		return nil, nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, &cli.Exit{Code: cli.ExitUsage, Err: fmt.Errorf("opening the debug log: %w", err)}
	}
	return &trace{log: slog.New(slog.NewJSONHandler(f, nil))}, nil
}

func (t *trace) write(what string, args ...any) {
	if t != nil {
		t.log.Info(what, append([]any{"pid", os.Getpid()}, args...)...)
	}
}

// kindOf is the name of a type, which no stranger chooses.
func kindOf(v any) string {
	if v == nil {
		return "nil"
	}
	return reflect.TypeOf(v).String()
}

// applied logs one fact that the engine has taken in.
func (t *trace) applied(ev tracker.Event, c tracker.Change, took time.Duration) {
	if t == nil {
		return
	}
	detail, n := sizeOf(ev)
	t.write("event", "type", kindOf(ev), "detail", detail, "n", n, "change", int(c), "us", took.Microseconds())
}

// published logs one snapshot.
func (t *trace) published(snap *tracker.Snapshot, took time.Duration) {
	if t == nil {
		return
	}
	t.write("snapshot", "rev", snap.Rev, "windows", snap.Counts.Windows, "agents", snap.Counts.Agents, "inbox", len(snap.Inbox), "us", took.Microseconds())
}

// sizeOf says how big a fact is, and which of a fixed list of kinds.
func sizeOf(ev tracker.Event) (detail string, n int) {
	switch ev := ev.(type) {
	case tracker.TmuxListed:
		for _, s := range ev.Topology.Sessions {
			for _, w := range s.Windows {
				n += len(w.Panes)
			}
		}
		return "panes", n
	case tracker.HookReceived:
		return known(string(ev.Hook.Name), hookNames()), len(ev.Chain)
	case tracker.ProcessesSeen:
		return "processes", len(ev.Procs)
	case tracker.AgentsListed:
		return "rows", len(ev.Rows)
	case tracker.SourceFailed:
		return known(string(ev.Source), sourceNames()), len(ev.Reason)
	case tracker.SourceWorks:
		return known(string(ev.Source), sourceNames()), len(ev.Detail)
	case tracker.Restored:
		return "verdicts", len(ev.Verdicts)
	case tracker.SummariesWritten:
		return "rows", len(ev.Rows)
	}
	return "", 1
}

// hookNames are the hooks that the board knows by name.
func hookNames() []tracker.HookName {
	return []tracker.HookName{
		tracker.HookSessionStart, tracker.HookSessionEnd, tracker.HookUserPromptSubmit, tracker.HookPreToolUse, tracker.HookPermissionRequest,
		tracker.HookPermissionDenied, tracker.HookPostToolUse, tracker.HookPostToolUseFailure, tracker.HookNotification, tracker.HookStop,
		tracker.HookStopFailure, tracker.HookSubagentStart, tracker.HookSubagentStop, tracker.HookPreCompact, tracker.HookPostCompact,
		tracker.HookElicitation, tracker.HookElicitationResult, tracker.HookCwdChanged,
	}
}

// sourceNames are the sources of facts, and what else has a health.
func sourceNames() []tracker.Source {
	return append(boardSources[:], tracker.SourceScreen, tracker.SourceJournal, tracker.SourceSummaries, tracker.SourceNotify)
}

// known is a word if it is one of ours.
func known[T ~string](word string, words []T) string {
	if slices.Contains(words, T(word)) {
		return word
	}
	return "other"
}

// message is a filter for the screen's program: it notes what the screen begins to work on.
func (t *trace) message(_ tea.Model, msg tea.Msg) tea.Msg {
	t.mu.Lock()
	t.msg, t.at = kindOf(msg), time.Now()
	t.mu.Unlock()
	return msg
}

// options are those of the screen's program.
func (t *trace) options() []tea.ProgramOption {
	if t == nil {
		return nil
	}
	return []tea.ProgramOption{tea.WithFilter(t.message)}
}

// drew logs one write to the terminal, with the message that led to it.
func (t *trace) drew(bytes int, began time.Time) {
	if t == nil || bytes == 0 {
		return
	}
	now := time.Now()
	t.mu.Lock()
	msg, at := t.msg, t.at
	t.mu.Unlock()
	if at.IsZero() {
		at = began
	}
	t.write("draw", "message", msg, "bytes", bytes, "us", now.Sub(at).Microseconds(), "write_us", now.Sub(began).Microseconds())
}

// step logs one part of a one-shot command. what is one of our own words.
func (t *trace) step(what string, began time.Time, err error) {
	if t != nil {
		t.write("step", "what", what, "failed", err != nil, "us", time.Since(began).Microseconds())
	}
}

// tracedConn logs what tmux is asked and how long it takes.
type tracedConn struct {
	tmuxctl.Conn
	tr *trace
}

// Run implements tmuxctl.Conn.
func (c tracedConn) Run(ctx context.Context, cmds ...tmuxctl.Command) ([]byte, error) {
	began := time.Now()
	out, err := c.Conn.Run(ctx, cmds...)
	word := ""
	if len(cmds) > 0 && len(cmds[len(cmds)-1]) > 0 {
		word = cmds[len(cmds)-1][0] // a command's name, which is ours
	}
	c.tr.write("tmux", "command", word, "commands", len(cmds), "bytes", len(out), "failed", err != nil, "us", time.Since(began).Microseconds())
	return out, err
}

// Remark is what the connection has to say, for the poller.
func (c tracedConn) Remark() string {
	if r, ok := c.Conn.(interface{ Remark() string }); ok {
		return r.Remark()
	}
	return ""
}

// traced is the connection with its log.
func (t *trace) traced(c tmuxctl.Conn) tmuxctl.Conn {
	if t == nil {
		return c
	}
	return tracedConn{c, t}
}
