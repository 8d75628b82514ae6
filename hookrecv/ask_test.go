package hookrecv

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"signalbox/hookrecv/paths"
	"signalbox/tracker"
)

func TestAsk(t *testing.T) {
	runtime, state := shortDir(t), shortDir(t)
	dirs := []string{runtime, state}
	if _, err := Ask(t.Context(), dirs, "echo", nil, nil); !errors.Is(err, ErrNoBoard) {
		t.Errorf("no board: %v", err)
	}
	deadSocket(t, paths.Socket(runtime, endedPID(t)))
	mute, err := net.Listen("unix", paths.Socket(runtime, 5)) // a suspended board: the kernel accepts
	if err != nil {
		t.Fatal(err)
	}
	defer mute.Close()
	for _, pid := range []int{os.Getpid(), os.Getppid()} {
		stop := served(t.Context(), listen(t, state, pid), Handler{
			Emit: func(tracker.HookReceived) { t.Error("a question became a hook") },
			Ask: func(ctx context.Context, what string, args json.RawMessage) (any, error) {
				if what == "who" {
					return pid, nil
				}
				return asker(ctx, what, args)
			},
		})
		defer stop()
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()

	type point struct{ X, Y int }
	a, err := Ask(ctx, dirs, "echo", point{3, 4}, nil)
	var back point
	if err != nil || json.Unmarshal(a.Body, &back) != nil || back != (point{3, 4}) {
		t.Errorf("echo: %s %v", a.Body, err)
	}
	for _, want := range []int{os.Getpid(), os.Getppid()} {
		a, err := Ask(ctx, dirs, "who", nil, func(a Answer) bool {
			var pid int
			return json.Unmarshal(a.Body, &pid) == nil && pid == want && a.PID == want
		})
		if err != nil || a.PID != want {
			t.Errorf("board %d: %+v %v", want, a, err)
		}
	}
	for _, want := range []int{os.Getpid(), os.Getppid()} {
		if body, err := AskBoard(ctx, dirs, want, "who", nil); err != nil || string(body) != fmt.Sprint(want) {
			t.Errorf("board %d: %s %v", want, body, err)
		}
	}
	if _, err := AskBoard(ctx, dirs, 6, "who", nil); !errors.Is(err, ErrNoBoard) {
		t.Errorf("a board that is not there: %v", err)
	}
	var refused *AnswerError
	if _, err := AskBoard(ctx, dirs, os.Getpid(), "fail", nil); !errors.As(err, &refused) || refused.Reason != "no such thing" {
		t.Errorf("a refusal: %v", err)
	}
	if _, err := AskBoard(ctx, dirs, os.Getpid(), "unspeakable", nil); !errors.As(err, &refused) || !strings.Contains(refused.Reason, "encoding") {
		t.Errorf("an answer that is no JSON: %v", err)
	}
	if _, err := AskBoard(ctx, dirs, os.Getpid(), "echo", make(chan int)); err == nil {
		t.Error("a question that is no JSON was asked")
	}
	mute.Close()
	if _, err := Ask(ctx, dirs, "who", nil, func(Answer) bool { return false }); !errors.Is(err, ErrNoBoard) {
		t.Errorf("no answer accepted: %v", err)
	}
	if _, err := Ask(ctx, dirs, "fail", nil, nil); !errors.Is(err, ErrNoBoard) || !errors.As(err, &refused) {
		t.Errorf("refused by all: %v", err)
	}
}

func TestAskGivesUpWithItsContext(t *testing.T) {
	dir := shortDir(t)
	ln, err := net.Listen("unix", paths.Socket(dir, 5)) // accepts in the kernel, never answers
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	if _, err := Ask(ctx, []string{dir}, "who", nil, nil); !errors.Is(err, ErrNoBoard) {
		t.Errorf("got %v", err)
	}
}

// Slow answers do not keep hooks waiting, and too many questions are turned away.
func TestQuestionsDoNotHoldUpHooks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := newPipeListener()
		got := make(chan string, 1)
		stop := served(t.Context(), ln, Handler{
			Emit: func(ev tracker.HookReceived) { got <- ev.Hook.SessionID },
			Ask: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
		})
		var asking []net.Conn
		for range maxConns + maxAsks {
			conn := ln.dial()
			io.WriteString(conn, `{"v":1,"ask":"slow"}`)
			asking = append(asking, conn)
		}
		io.WriteString(ln.dial(), hookLine(t, "s1"))
		if s := <-got; s != "s1" {
			t.Errorf("got %q", s)
		}
		begun := time.Now()
		replies := make(chan string, len(asking))
		for _, conn := range asking {
			go func() {
				var r reply
				if err := json.NewDecoder(conn).Decode(&r); err != nil {
					r.Error = err.Error()
				}
				replies <- r.Error
			}()
		}
		turnedAway, timedOut := 0, 0
		for range asking {
			switch r := <-replies; {
			case strings.Contains(r, "too many"):
				turnedAway++
			case strings.Contains(r, "deadline"):
				timedOut++
			default:
				t.Errorf("reply %q", r)
			}
		}
		if timedOut != maxAsks || turnedAway != maxConns {
			t.Errorf("%d questions were answered and %d turned away", timedOut, turnedAway)
		}
		if took := time.Since(begun); took > askLimit {
			t.Errorf("the slowest answer took %v", took)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}

func TestQuestionsEndWithServe(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := newPipeListener()
		stop := served(t.Context(), ln, Handler{
			Emit: func(tracker.HookReceived) {},
			Ask: func(ctx context.Context, _ string, _ json.RawMessage) (any, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			},
		})
		io.WriteString(ln.dial(), `{"v":1,"ask":"slow"}`)
		synctest.Wait()
		begun := time.Now()
		if err := stop(); err != nil || time.Since(begun) > 0 {
			t.Errorf("Serve returned %v after %v", err, time.Since(begun))
		}
	})
}

func TestQuestionsOfAnotherVersion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ln := newPipeListener()
		stop := served(t.Context(), ln, Handler{Emit: func(tracker.HookReceived) {}})
		for in, want := range map[string]string{`{"v":2,"ask":"echo"}`: "version", `{"v":1,"ask":"echo"}`: "answers no questions"} {
			conn := ln.dial()
			io.WriteString(conn, in)
			var r reply
			if err := json.NewDecoder(conn).Decode(&r); err != nil || !strings.Contains(r.Error, want) {
				t.Errorf("%s: %+v %v", in, r, err)
			}
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	})
}
