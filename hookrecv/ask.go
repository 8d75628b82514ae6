package hookrecv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"time"

	"signalbox/hookrecv/paths"
	"signalbox/hookrecv/wire"
)

// A question is the second kind of object a connection may carry.
type question struct {
	V    int             `json:"v"`
	Ask  string          `json:"ask"`
	Args json.RawMessage `json:"args,omitempty"`
}

// A reply is what comes back: an answer or an error, never both.
type reply struct {
	V      int             `json:"v"`
	Answer json.RawMessage `json:"answer,omitempty"`
	Error  string          `json:"error,omitempty"`
}

// answer replies to a question on its own connection.
func (s *server) answer(ctx context.Context, conn net.Conn, q question) {
	r := reply{V: wire.Version}
	select {
	case s.asks <- struct{}{}:
		r.Answer, r.Error = s.work(ctx, q)
		<-s.asks
	default:
		r.Error = "the board has too many questions to answer"
	}
	line, err := json.Marshal(r)
	if err != nil {
		return // work checked the answer
	}
	_ = conn.SetWriteDeadline(time.Now().Add(writeLimit))
	_, _ = conn.Write(append(line, '\n'))
}

func (s *server) work(ctx context.Context, q question) (json.RawMessage, string) {
	if q.V != wire.Version {
		return nil, fmt.Sprintf("the board speaks version %d, not %d", wire.Version, q.V)
	}
	if s.Ask == nil {
		return nil, "the board answers no questions"
	}
	ctx, cancel := context.WithTimeout(ctx, askLimit)
	defer cancel()
	v, err := s.Ask(ctx, q.Ask, q.Args)
	if err != nil {
		return nil, err.Error()
	}
	answer, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Sprintf("encoding the answer: %v", err)
	}
	return answer, ""
}

// ErrNoBoard says that no board answered, or none was accepted.
var ErrNoBoard = errors.New("no board answers")

// An AnswerError is a board's refusal to answer.
type AnswerError struct {
	PID    int
	Reason string
}

func (e *AnswerError) Error() string { return fmt.Sprintf("board %d: %s", e.PID, e.Reason) }

// An Answer is what one board said.
type Answer struct {
	PID  int // of the board
	Body json.RawMessage
}

// Ask puts a question to all boards in the directories at once and returns the first answer that
// accept takes; a nil accept takes any. So it is for questions without an effect: every board gets
// it. Dead boards cost nothing, a mute one (suspended, say) is not waited for once another has
// answered. When nothing was accepted the error is ErrNoBoard, joined with what went wrong with
// the boards there are. accept is called from one goroutine.
func Ask(ctx context.Context, dirs []string, what string, args any, accept func(Answer) bool) (Answer, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type outcome struct {
		Answer
		err error
	}
	boards := paths.Boards(dirs)
	outcomes := make(chan outcome, len(boards))
	for _, b := range boards {
		go func() {
			body, err := askOne(ctx, b, what, args)
			outcomes <- outcome{Answer{PID: b.PID, Body: body}, err}
		}()
	}
	problems := []error{fmt.Errorf("asking for %s: %w", what, ErrNoBoard)}
	for range boards {
		o := <-outcomes
		if o.err != nil {
			problems = append(problems, o.err)
		} else if accept == nil || accept(o.Answer) {
			return o.Answer, nil
		}
	}
	return Answer{}, errors.Join(problems...)
}

// AskBoard puts a question to one board, for what only one may do. The error is ErrNoBoard when
// there is no such board, and an AnswerError when it refuses.
func AskBoard(ctx context.Context, dirs []string, pid int, what string, args any) (json.RawMessage, error) {
	for _, b := range paths.Boards(dirs) {
		if b.PID == pid {
			return askOne(ctx, b, what, args)
		}
	}
	return nil, fmt.Errorf("asking board %d for %s: %w", pid, what, ErrNoBoard)
}

// askOne asks one board. It ends with ctx.
func askOne(ctx context.Context, b paths.Board, what string, args any) (json.RawMessage, error) {
	q := question{V: wire.Version, Ask: what}
	var err error
	if args != nil {
		if q.Args, err = json.Marshal(args); err != nil {
			return nil, fmt.Errorf("encoding question: %w", err)
		}
	}
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", b.Path)
	if err != nil {
		return nil, fmt.Errorf("asking board %d: %w", b.PID, err)
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := json.NewEncoder(conn).Encode(q); err != nil {
		return nil, fmt.Errorf("asking board %d: %w", b.PID, err)
	}
	var r reply
	if err := json.NewDecoder(conn).Decode(&r); err != nil {
		return nil, fmt.Errorf("reading the answer of board %d: %w", b.PID, err)
	}
	if r.Error != "" {
		return nil, &AnswerError{PID: b.PID, Reason: r.Error}
	}
	return r.Answer, nil
}
