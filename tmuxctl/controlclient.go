package tmuxctl

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	sys "golang.org/x/sys/unix"
)

// errNotSent says that a command was not given to tmux, so that it can be given again.
var errNotSent = errors.New("not sent")

// exitGrace is how long a client may take to go after its input was closed. It needs a millisecond.
const exitGrace = time.Second

// controlClient is one living control-mode client: a process with our pipes as its input and
// output. tmux ends it when its input closes, which the kernel does for us however we die, as long as
// its output can be written; see keepReadable and startBound.
type controlClient struct {
	cmd     *exec.Cmd
	in, out *os.File // our ends of its pipes
	reader  *controlReader
	stderr  bounded
	prefix  string // of the markers; drawn at random

	mu      sync.Mutex // held while a request is queued and written, so that both are in one order
	pending []*request
	seq     int
	closed  bool

	dead   chan struct{} // closed when nothing will be answered any more
	gone   chan struct{} // closed when its process was waited for
	ending sync.Once
}

// request is one command list that waits for its answer. Its lines are followed by a command that
// prints the marker: a list is answered with any number of replies, and with fewer after a failure.
type request struct {
	name   string
	marker string
	out    bytes.Buffer
	err    error
	done   chan struct{}
}

// startControl starts a client attached to a session and waits until tmux has accepted it. -E keeps
// tmux from copying our environment into the session, -N from starting a server.
func startControl(ctx context.Context, e *Exec, target string) (*controlClient, error) {
	theirIn, ourIn, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("starting a control client: %w", err)
	}
	ourOut, theirOut, err := os.Pipe()
	if err != nil {
		_ = theirIn.Close()
		_ = ourIn.Close()
		return nil, fmt.Errorf("starting a control client: %w", err)
	}
	argv := append([]string{e.tmux, "-u", "-N"}, e.server.Args()...)
	argv = append(argv, "-C", "attach-session", "-E", "-t", target, "-f", "ignore-size,no-output")
	c := &controlClient{
		cmd: exec.Command(argv[0], argv[1:]...), in: ourIn, out: ourOut, reader: newControlReader(ourOut),
		stderr: bounded{max: maxLine}, prefix: "signalbox-" + rand.Text()[:10] + "-", dead: make(chan struct{}), gone: make(chan struct{}),
	}
	c.cmd.Env, c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = e.environ, theirIn, theirOut, &c.stderr
	// A session of its own: no signals from our terminal, and no terminal to disturb.
	c.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	c.cmd.WaitDelay = killWait
	spare, err := keepReadable(c.cmd, ourOut)
	if err == nil {
		err = startBound(c.cmd, c.gone)
		_ = spare.Close()
	}
	_ = theirIn.Close()
	_ = theirOut.Close()
	if err != nil {
		_ = ourIn.Close()
		_ = ourOut.Close()
		return nil, e.explain(ctx, ctx, "attach-session", "", err)
	}
	if err := c.greet(ctx, e); err != nil {
		c.end()
		return nil, err
	}
	return c, nil
}

// keepReadable gives a client the reading end of its own output too. When we die tmux may still have a
// notification for it. That must go somewhere: until all is written tmux lets no client go, and neither
// does its server end, but a pipe that nobody can read takes nothing, for ever. The file is ours to close
// once the client runs.
func keepReadable(cmd *exec.Cmd, out *os.File) (*os.File, error) {
	raw, err := out.SyscallConn()
	if err != nil {
		return nil, err
	}
	spare, dupErr := -1, error(nil)
	// A plain Fd would make reading block for good.
	if err := raw.Control(func(fd uintptr) { spare, dupErr = sys.FcntlInt(fd, sys.F_DUPFD_CLOEXEC, 0) }); err != nil {
		return nil, err
	}
	if dupErr != nil {
		return nil, os.NewSyscallError("fcntl", dupErr)
	}
	file := os.NewFile(uintptr(spare), "|0")
	cmd.ExtraFiles = []*os.File{file}
	return file, nil
}

// greet waits for the answer to attach-session.
func (c *controlClient) greet(ctx context.Context, e *Exec) error {
	call, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	// Not killed at once: up to tmux 3.6 a client that goes before it has told all of itself takes the server
	// with it, and every session. One whose input has ended goes by itself.
	defer context.AfterFunc(call, c.end)()
	for {
		r, note, err := c.reader.next()
		switch {
		case call.Err() != nil:
			return e.explain(ctx, call, "attach-session", "", call.Err())
		case err != nil, note == "exit", strings.HasPrefix(note, "exit "):
			c.end()
			return e.explain(ctx, call, "attach-session", c.stderr.String(), &exec.ExitError{ProcessState: c.cmd.ProcessState})
		case r != nil && r.failed:
			text := strings.TrimSpace(string(r.out))
			return &CommandError{Command: "attach-session", Kind: kindOf(text), Stderr: text}
		case r != nil:
			return nil
		}
	}
}

// serve reads until the client ends, hands out the answers and tells of notifications. It returns
// why it ended. Nothing is pending afterwards.
func (c *controlClient) serve(notify func(Notice)) error {
	defer c.fail()
	for {
		r, note, err := c.reader.next()
		switch {
		case errors.Is(err, io.EOF):
			return errors.New("the control client ended")
		case err != nil:
			return err
		case r != nil:
			if r.mine {
				if err := c.answer(r); err != nil {
					return err
				}
			}
		case note == "exit", strings.HasPrefix(note, "exit "):
			return errors.New("tmux ended the control client" + clean(strings.TrimPrefix(note, "exit")))
		default:
			if n := noticeOf(note); n != (Notice{}) {
				notify(n)
			}
		}
	}
}

// answer gives a reply to the oldest request.
func (c *controlClient) answer(r *reply) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pending) == 0 {
		return errors.New("tmux answered what nobody asked")
	}
	q := c.pending[0]
	switch {
	case string(r.out) == q.marker+"\n" && !r.failed:
		c.pending = c.pending[1:]
		close(q.done)
	case r.failed && q.err == nil:
		text := strings.TrimSpace(string(r.out))
		q.err = &CommandError{Command: q.name, Kind: kindOf(text), Stderr: text}
	case q.out.Len()+len(r.out) > maxReply:
		return fmt.Errorf("more than %d bytes in an answer", maxReply)
	case !r.failed:
		q.out.Write(r.out)
	}
	return nil
}

// ask gives tmux a command list and waits for its answer. After a timeout the client is ended: it
// cannot be known any more which answer belongs to what.
func (c *controlClient) ask(ctx context.Context, timeout time.Duration, cmds []Command) ([]byte, error) {
	q := &request{name: cmds[0][0], done: make(chan struct{})}
	if err := c.send(q, cmds, timeout); err != nil {
		return nil, err
	}
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-q.done:
	case <-c.dead:
		select {
		case <-q.done: // the answer came first
		default:
			return nil, fmt.Errorf("tmux %s: %w", q.name, ErrBroken)
		}
	case <-ctx.Done():
		return nil, fmt.Errorf("tmux %s: %w", q.name, ctx.Err())
	case <-timer.C:
		c.kill()
		return nil, &CommandError{Command: q.name, Kind: ErrTimeout, Stderr: "no answer within " + timeout.String()}
	}
	return q.out.Bytes(), q.err
}

func (c *controlClient) send(q *request, cmds []Command, timeout time.Duration) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return errNotSent
	}
	c.seq++
	q.marker = c.prefix + strconv.Itoa(c.seq)
	lines := quoteCommands(cmds...) + "\n" + quoteCommands(Command{"display-message", "-p", q.marker}) + "\n"
	c.pending = append(c.pending, q)
	// Only a server that reads nothing lets the pipe fill up.
	_ = c.in.SetWriteDeadline(time.Now().Add(timeout))
	if n, err := c.in.WriteString(lines); err != nil {
		c.closed = true
		c.kill()
		if n == 0 {
			return errNotSent
		}
		return fmt.Errorf("tmux %s: %w: %w", q.name, ErrBroken, err)
	}
	return nil
}

// fail lets nobody wait for an answer that will not come.
func (c *controlClient) fail() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.pending = nil
	close(c.dead)
}

// kill ends the client's process at once. The server has its output open too, and a server that is
// stopped would never close it: so we close ours, which ends serve.
func (c *controlClient) kill() {
	_ = c.cmd.Process.Kill()
	_ = c.out.Close()
}

// end closes the client's input, so that tmux lets it go, and returns when its process is gone. It
// may be called again, and at the same time.
func (c *controlClient) end() {
	c.ending.Do(func() {
		_ = c.in.Close()
		timer := time.AfterFunc(exitGrace, c.kill)
		defer timer.Stop()
		_ = c.cmd.Wait() // its exit status says nothing that was not read
		close(c.gone)
		_ = c.out.Close()
	})
}
