package interlock

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"signalbox/tmuxctl/interlock/composer"
	"signalbox/tracker"
)

// Runner runs commands on one tmux server as one list, in order, with an optional standard input,
// and returns what they print, including what commands print that an if-shell ran. Arguments are
// literal. It is tmuxctl's Feed with plain types. An error of which the runner knows that tmux never
// got the commands (no such program, no server) may wrap ErrNotSent: the outcome is then refused or
// withheld instead of a "may".
type Runner func(ctx context.Context, stdin []byte, commands ...[]string) ([]byte, error)

// Server is the tmux server over a Runner. It only builds commands and reads answers.
type Server struct{ run Runner }

// NewServer makes a Server.
func NewServer(run Runner) *Server { return &Server{run: run} }

// ErrNotSent marks an error of which it is certain that nothing was typed.
var ErrNotSent = errors.New("nothing was typed")

// The words our commands print to say which branch was taken.
const (
	answerDone    = "signalbox-done"
	answerRefused = "signalbox-refused"
)

// cleanupTimeout bounds the removal of our buffer after a failure, when the send's own time may be
// over.
const cleanupTimeout = time.Second

// lookFields are the formats of a look, in the order of parseFacts. The name of the program is
// last: it may hold the separator.
func lookFields() []string {
	return []string{
		"pid", "pane_id", "pane_pid", "pane_dead", "pane_in_mode", "pane_input_off", "pane_synchronized",
		"cursor_x", "cursor_y", "pane_width", "pane_height", "alternate_on", "bracket_paste_flag", "session_activity", "pane_tty",
		"pane_current_command",
	}
}

// fieldSeparator cannot occur in a number, an id or the path of a terminal.
const fieldSeparator = "|"

// clientLine begins every line about a client. A screen whose first rows begin like this is read
// wrongly, which can only lead to a veto.
const clientLine = "signalbox-client" + fieldSeparator

// LookCommands is one command list that prints the facts of a pane, the clients, and its screen.
// tmux runs a list at one go, so all are of the same instant.
func LookCommands(pane tracker.PaneID) [][]string {
	var f []string
	for _, name := range lookFields() {
		f = append(f, "#{"+name+"}")
	}
	return [][]string{
		{"display-message", "-p", "-t", string(pane), strings.Join(f, fieldSeparator)},
		{"list-clients", "-F", clientLine + "#{pane_id}" + fieldSeparator + "#{client_activity}" + fieldSeparator + "#{client_tty}"},
		{"capture-pane", "-p", "-e", "-N", "-t", string(pane)},
	}
}

// PasteCommands is one command list that loads the text from standard input into a buffer of our
// own and pastes it in brackets if the guard holds. The buffer is gone afterwards either way.
// -p asks for brackets, -r keeps line feeds, -d deletes the buffer.
func PasteCommands(g Guard, buffer string) [][]string {
	return [][]string{
		{"load-buffer", "-b", buffer, "-"},
		guarded(g,
			fmt.Sprintf("paste-buffer -p -r -d -b %s -t %s ; display-message -p %s", buffer, g.Pane, answerDone),
			fmt.Sprintf("delete-buffer -b %s ; display-message -p %s", buffer, answerRefused)),
	}
}

// EnterCommands presses Enter if the guard holds.
func EnterCommands(g Guard) [][]string {
	return [][]string{guarded(g,
		fmt.Sprintf("send-keys -t %s Enter ; display-message -p %s", g.Pane, answerDone),
		"display-message -p "+answerRefused)}
}

func guarded(g Guard, then, otherwise string) []string {
	return []string{"if-shell", "-F", "-t", string(g.Pane), g.Format(), then, otherwise}
}

// CheckPane reports whether an id is one of a pane. tmux takes an empty or crippled target for the
// current pane, so nothing else may ever reach it.
func CheckPane(id tracker.PaneID) error {
	digits, ok := strings.CutPrefix(string(id), "%")
	if !ok || digits == "" || strings.Trim(digits, "0123456789") != "" {
		return fmt.Errorf("%q is not a pane id", string(id))
	}
	return nil
}

// Look implements Tmux.
func (s *Server) Look(ctx context.Context, pane tracker.PaneID) (Look, error) {
	if err := CheckPane(pane); err != nil {
		return Look{}, err
	}
	out, err := s.run(ctx, nil, LookCommands(pane)...)
	if err != nil {
		return Look{}, fmt.Errorf("looking at the pane: %w", err)
	}
	return ParseLook(out)
}

// Paste implements Tmux.
func (s *Server) Paste(ctx context.Context, g Guard, text string) (bool, error) {
	if err := CheckPane(g.Pane); err != nil {
		return false, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	buffer, err := bufferName()
	if err != nil {
		return false, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	out, err := s.run(ctx, []byte(text), PasteCommands(g, buffer)...)
	if err != nil {
		clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanupTimeout)
		defer cancel()
		// Best effort: when the paste was made, or the server is gone, so is the buffer.
		_, _ = s.run(clean, nil, []string{"delete-buffer", "-b", buffer})
		return false, fmt.Errorf("pasting: %w", err)
	}
	return answer(out)
}

// Enter implements Tmux.
func (s *Server) Enter(ctx context.Context, g Guard) (bool, error) {
	if err := CheckPane(g.Pane); err != nil {
		return false, fmt.Errorf("%w: %w", ErrNotSent, err)
	}
	out, err := s.run(ctx, nil, EnterCommands(g)...)
	if err != nil {
		return false, fmt.Errorf("pressing Enter: %w", err)
	}
	return answer(out)
}

// bufferName is a name that no buffer of the person's has. Named buffers do not count against
// buffer-limit, so that none of theirs is lost.
func bufferName() (string, error) {
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return "", fmt.Errorf("naming a buffer: %w", err)
	}
	return "signalbox-" + hex.EncodeToString(b[:]), nil
}

// answer reads which branch was taken.
func answer(out []byte) (bool, error) {
	switch text := strings.TrimSpace(string(out)); text {
	case answerDone:
		return true, nil
	case answerRefused:
		return false, nil
	default:
		return false, fmt.Errorf("tmux gave an unexpected answer: %s", quote(text))
	}
}

// ParseLook reads what LookCommands print.
func ParseLook(out []byte) (Look, error) {
	head, capture, _ := strings.Cut(string(out), "\n")
	l, err := parseFacts(head)
	if err != nil {
		return Look{}, err
	}
	for strings.HasPrefix(capture, clientLine) {
		var line string
		line, capture, _ = strings.Cut(capture, "\n")
		f := strings.SplitN(strings.TrimPrefix(line, clientLine), fieldSeparator, 3)
		if len(f) != 3 {
			return Look{}, fmt.Errorf("reading tmux's answer: a client is %s", quote(line))
		}
		at, err := strconv.ParseInt(f[1], 10, 64)
		if err != nil {
			return Look{}, fmt.Errorf("reading tmux's answer: a client is %s", quote(line))
		}
		l.Clients = append(l.Clients, Client{Pane: tracker.PaneID(f[0]), Active: time.Unix(at, 0), TTY: f[2]})
	}
	l.Screen.Lines = composer.ParseLines([]byte(capture))
	return l, nil
}

func parseFacts(line string) (Look, error) {
	names := lookFields()
	values := strings.SplitN(line, fieldSeparator, len(names))
	if len(values) != len(names) {
		return Look{}, fmt.Errorf("reading tmux's answer: %d fields, want %d", len(values), len(names))
	}
	field := map[string]string{}
	for i, name := range names {
		field[name] = values[i]
	}
	var bad error
	number := func(name string) int {
		n, err := strconv.Atoi(field[name])
		if err != nil && bad == nil {
			bad = fmt.Errorf("reading tmux's answer: %s is %s", name, quote(field[name]))
		}
		return n
	}
	l := Look{Facts: Facts{
		ServerPID: number("pid"), Pane: tracker.PaneID(field["pane_id"]), PanePID: number("pane_pid"),
		Dead: number("pane_dead") != 0, InMode: number("pane_in_mode") != 0,
		InputOff: number("pane_input_off") != 0, Synchronized: number("pane_synchronized") != 0,
		TTY: field["pane_tty"], Command: field["pane_current_command"], KeyAt: int64(number("session_activity")),
	}}
	l.Screen = composer.Screen{
		CursorX: number("cursor_x"), CursorY: number("cursor_y"),
		Width: number("pane_width"), Height: number("pane_height"), Alternate: number("alternate_on") != 0,
	}
	switch field["bracket_paste_flag"] {
	case "1":
		l.Bracketed = FlagOn
	case "0":
		l.Bracketed = FlagOff
	}
	return l, bad
}
