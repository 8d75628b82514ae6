package fakeagent

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Bounds of the control socket.
const (
	maxControlLine = 1 << 20          // one command with a whole screen
	controlWait    = 10 * time.Second // one command and its answer
)

// State is what an agent says of itself over its control socket.
type State struct {
	PID        int    `json:"pid"`
	Session    string `json:"session"`
	Word       string `json:"word"` // the registry's status
	WaitingFor string `json:"waitingFor"`
	Draft      string `json:"draft"`
	Dialog     string `json:"dialog"` // title of the open dialog, "" for none
	View       string `json:"view"`   // "main", "transcript", "history", "custom"
	Busy       bool   `json:"busy"`
	Queued     int    `json:"queued"`
	Shells     int    `json:"shells"`
	Subagents  int    `json:"subagents"`
	Mode       string `json:"mode"`
}

// Screen is a screen set from outside with the "screen" command: rows from the top, and the cursor.
type Screen struct {
	Rows []string `json:"rows"`
	X    int      `json:"x"`
	Y    int      `json:"y"`
	Show bool     `json:"show"` // the terminal's own cursor is visible
}

// Control sends one command to an agent and returns its answer once the agent's screen shows the
// effect. Commands are a verb and the rest of the line; a rest in double quotes is unquoted as in Go.
//
//	state                    the State as JSON
//	prompt TEXT              submits TEXT as if typed
//	play ACTS                a turn with these acts
//	keys "BYTES"             types bytes
//	dialog [COMMAND]         opens a permission dialog at this instant
//	busy, idle               starts or ends a turn nobody asked for, without hooks
//	status WORD [WAITINGFOR] lets the registry say WORD; "status" alone goes back to the truth
//	session ID               changes the session id under the living agent, without hooks
//	draft TEXT, ghost TEXT   fills the composer, or its dim suggestion
//	view main|transcript|history
//	screen JSON              shows a Screen whatever the state; "screen" alone goes back
//	delay-echo DURATION      draws what is typed that much later; "0s" ends it, and draws now
//	swallow-enter N          loses the next N Enter presses
//	mode MODE, title TEXT    permission mode, terminal title
//	torn                     leaves the next registry write half done
//	exit, crash              ends in order, or like kill -9
func Control(ctx context.Context, socket, command string) (string, error) {
	var d net.Dialer
	c, err := d.DialContext(ctx, "unix", socket)
	if err != nil {
		return "", fmt.Errorf("connecting to the fake agent: %w", err)
	}
	defer c.Close()
	deadline := time.Now().Add(controlWait)
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	if err := c.SetDeadline(deadline); err != nil {
		return "", fmt.Errorf("talking to the fake agent: %w", err)
	}
	if _, err := fmt.Fprintf(c, "%s\n", command); err != nil {
		return "", fmt.Errorf("talking to the fake agent: %w", err)
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("waiting for the fake agent's answer to %q: %w", command, err)
	}
	line = strings.TrimSuffix(line, "\n")
	if msg, bad := strings.CutPrefix(line, "error "); bad {
		return "", errors.New("fake agent: " + msg)
	}
	return strings.TrimPrefix(strings.TrimPrefix(line, "ok"), " "), nil
}

// ControlState asks an agent for its State.
func ControlState(ctx context.Context, socket string) (State, error) {
	var s State
	answer, err := Control(ctx, socket, "state")
	if err != nil {
		return s, err
	}
	return s, json.Unmarshal([]byte(answer), &s)
}

// serve opens the control socket and the hold connection. The function it returns closes both.
func (a *agent) serve(ctx context.Context, l *loop) (stop func(), err error) {
	var closers []func()
	stop = func() {
		for _, c := range closers {
			c()
		}
	}
	if a.opt.Hold != "" {
		c, err := net.Dial("unix", a.opt.Hold)
		if err != nil {
			return nil, fmt.Errorf("connecting to the holder: %w", err)
		}
		closers = append(closers, func() { c.Close() })
		a.wg.Go(func() {
			// Nothing is ever sent: the read ends when the other side is gone.
			_, _ = c.Read(make([]byte, 1))
			a.exit("other")
		})
	}
	if a.opt.Control == "" {
		return stop, nil
	}
	ln, err := net.Listen("unix", a.opt.Control)
	if err != nil {
		stop()
		return nil, fmt.Errorf("opening the control socket: %w", err)
	}
	closers = append(closers, func() { ln.Close() })
	a.wg.Go(func() {
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			a.wg.Go(func() { a.serveOne(ctx, l, c) })
		}
	})
	return stop, nil
}

func (a *agent) serveOne(ctx context.Context, l *loop, c net.Conn) {
	defer c.Close()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	if c.SetDeadline(time.Now().Add(controlWait)) != nil {
		return
	}
	sc := bufio.NewScanner(c)
	sc.Buffer(nil, maxControlLine)
	if !sc.Scan() {
		return
	}
	answer, err := a.control(ctx, l, sc.Text())
	if err != nil {
		fmt.Fprintf(c, "error %v\n", err)
		return
	}
	l.shown(ctx)
	fmt.Fprintf(c, "ok %s\n", answer)
}

// control runs one command.
func (a *agent) control(ctx context.Context, l *loop, line string) (string, error) {
	verb, rest, _ := strings.Cut(line, " ")
	if strings.HasPrefix(rest, `"`) {
		if s, err := strconv.Unquote(rest); err == nil {
			rest = s
		}
	}
	switch verb {
	case "state":
		return a.state(), nil
	case "keys":
		select {
		case l.inject <- []byte(rest):
			return "", nil
		case <-ctx.Done():
			return "", ctx.Err()
		}
	case "dialog":
		a.openNow(ctx, rest)
		return "", nil
	case "exit":
		a.exit("prompt_input_exit")
		return "", nil
	case "crash":
		return "", syscall.Kill(os.Getpid(), syscall.SIGKILL)
	}
	set, err := a.setter(ctx, verb, rest)
	if err != nil {
		return "", err
	}
	a.locked(set)
	return "", nil
}

// setter returns what a command changes in the state.
func (a *agent) setter(ctx context.Context, verb, rest string) (func(), error) {
	switch verb {
	case "prompt":
		return func() { a.submit(ctx, rest, nil) }, nil
	case "play":
		return func() { a.submit(ctx, rest, parseActs(rest)) }, nil
	case "busy":
		return func() {
			if a.turn == nil {
				a.begin(ctx, &turn{source: "silent", acts: []act{{"think", "86400"}}, shown: entry{}})
			}
		}, nil
	case "idle":
		return func() {
			if a.turn != nil {
				a.turn.cancel(errExit)
			}
		}, nil
	case "status":
		word, why, _ := strings.Cut(rest, " ")
		return func() { a.override, a.overFor = word, why }, nil
	case "session":
		return func() { a.session = rest; a.tr.switchTo(rest) }, nil
	case "draft":
		return func() { a.comp.set(rest) }, nil
	case "ghost":
		return func() { a.ghost = rest }, nil
	case "mode":
		return func() { a.mode, a.tr.mode = rest, rest }, nil
	case "title":
		return func() { a.title = rest }, nil
	case "torn":
		return func() {
			if a.reg != nil {
				a.reg.torn = true
			}
		}, nil
	case "swallow-enter":
		n, err := strconv.Atoi(rest)
		return func() { a.swallow = n }, err
	case "delay-echo":
		d, err := time.ParseDuration(rest)
		return func() { a.echo = d }, err
	case "view", "screen":
		return a.viewSetter(verb, rest)
	}
	return nil, fmt.Errorf("unknown command %q", verb)
}

var viewNames = [...]string{viewMain: "main", viewTranscript: "transcript", viewHistory: "history", viewCustom: "custom"}

func (a *agent) viewSetter(verb, rest string) (func(), error) {
	if verb == "screen" && rest != "" {
		var s Screen
		if err := json.Unmarshal([]byte(rest), &s); err != nil {
			return nil, fmt.Errorf("reading the screen: %w", err)
		}
		return func() { a.view, a.custom = viewCustom, frame{rows: s.Rows, x: s.X, y: s.Y, show: s.Show} }, nil
	}
	if rest == "" {
		rest = "main"
	}
	for v, name := range viewNames {
		if name == rest {
			return func() { a.view = view(v) }, nil
		}
	}
	return nil, fmt.Errorf("unknown view %q", rest)
}

func (a *agent) state() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := State{
		PID: os.Getpid(), Session: a.session, Draft: a.comp.string(), View: viewNames[a.view], Busy: a.turn != nil || a.local,
		Queued: len(a.queued), Shells: len(a.shells), Subagents: len(a.subs), Mode: a.mode,
	}
	s.Word, s.WaitingFor = a.word()
	if d := a.front(); d != nil {
		s.Dialog = d.title
		if s.Dialog == "" {
			s.Dialog = "trust"
		}
	}
	return string(encodeJSON(s))
}

// openNow opens a permission dialog without a turn, so that a test can do it between two of its
// own steps. Its hooks follow at once.
func (a *agent) openNow(ctx context.Context, command string) {
	if command == "" {
		command = "touch opened-meanwhile.txt"
	}
	d := permissionDialog(command, "scripted command", a.opt.CWD, "", a.waitingWord("Bash"))
	c := &toolCall{
		name: "Bash", id: stamp("toolu_"), promptC: hookContext{promptID: newUUID()}, tr: a.tr, started: time.Now(),
		input: map[string]any{"command": command, "description": "scripted command"},
	}
	a.locked(func() { a.dialogs = append(a.dialogs, d) })
	a.wg.Go(func() {
		a.pre(ctx, c)
		if _, err := a.permit(ctx, c, d, a.allowDirectory()); err == nil {
			a.done(ctx, c, "(Bash completed with no output)", bashResult())
		}
	})
}
