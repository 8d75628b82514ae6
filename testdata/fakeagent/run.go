package fakeagent

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"
)

// escWait is how long a lone ESC waits for the rest of a sequence.
const escWait = 40 * time.Millisecond

// endBudget is Claude's own bound on SessionEnd hooks.
const endBudget = 1500 * time.Millisecond

// Run is a whole life of one simulated agent: it takes over the terminal, reads keys from stdin,
// draws on stdout, and returns when the person exits, ctx ends, the input ends, or a signal comes.
// It restores the terminal, removes the registry file, calls SessionEnd and waits for everything it
// started. An orderly end is nil.
//
// A stdin that is not a file must end or be closed by the caller, because reading it cannot be
// interrupted.
func Run(ctx context.Context, o Options, stdin io.Reader, stdout io.Writer) error {
	o, err := o.withDefaults()
	if err != nil {
		return err
	}
	log, err := openInputLog(o.InputLog)
	if err != nil {
		return err
	}
	defer log.close()
	t, err := openTerminal(o, stdin, stdout)
	if err != nil {
		return err
	}
	defer t.restore()
	a := newAgent(o)
	l := &loop{a: a, t: t, log: log, d: &display{w: stdout}, chunks: make(chan []byte), inject: make(chan []byte), sync: make(chan chan struct{})}
	// Signals stay caught to the very end: a pane that closes sends several, and none of them may
	// cut the way out short.
	l.sigs = make(chan os.Signal, 8)
	signal.Notify(l.sigs, syscall.SIGWINCH, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	defer signal.Stop(l.sigs)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopControl, err := a.serve(ctx, l)
	if err != nil {
		return err
	}
	done := make(chan struct{})
	a.wg.Go(func() { t.read(l.chunks, done) })
	a.wg.Go(func() { a.boot(ctx) })
	if len(o.Script) > 0 {
		a.wg.Go(func() { a.autoplay(ctx, l) })
	}
	l.d.start()
	reason := l.run(ctx)
	l.d.leave()
	t.restore()
	cancel()
	close(done)
	t.in.Cancel()
	stopControl()
	a.end(reason)
	l.farewell()
	a.wg.Wait()
	t.in.Close()
	return a.firstFailure()
}

// boot is the start of a session: the trust dialog where it is asked for, the registry file, the
// SessionStart hook, and only then a first status.
func (a *agent) boot(ctx context.Context) {
	if a.opt.Trust {
		r, err := a.ask(ctx, trustDialog(a.opt.CWD), hookContext{})
		if err != nil {
			return
		}
		if r.cancelled || r.index == 0 {
			a.exit("")
			return
		}
	}
	reg, err := newRegistry(a.opt, a.prof)
	if err != nil {
		a.mu.Lock()
		a.failure = err
		a.mu.Unlock()
		a.exit("")
		return
	}
	a.locked(func() { a.reg, a.fullscreen, a.started = reg, true, time.Now() })
	source := "startup"
	if a.opt.Resume {
		source = "resume"
	}
	a.hook(ctx, hookContext{}, "SessionStart", source, kv{"source", source}, kv{"model", a.opt.Model})
	a.locked(func() { a.ready = true })
}

// end is the way out: no new turns, the registry file first, then SessionEnd, as in the recordings.
func (a *agent) end(reason string) {
	a.mu.Lock()
	a.quitting = true
	if a.turn != nil {
		a.turn.cancel(errExit)
	}
	reg := a.reg
	a.reg = nil
	begun, id := a.fullscreen, a.lastID
	if reason == "prompt_input_exit" {
		id = newUUID() // the /exit is a prompt of its own
	}
	a.mu.Unlock()
	reg.remove()
	if begun {
		// A closing pane sends SIGHUP to its whole process group, more than once; a hook that has not
		// reached its own session yet would die of it. Ignored signals are inherited.
		signal.Ignore(syscall.SIGHUP)
		defer signal.Reset(syscall.SIGHUP)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			a.hook(context.Background(), hookContext{promptID: id}, "SessionEnd", reason, kv{"reason", reason})
		}()
		timer := time.NewTimer(endBudget)
		select {
		case <-ended:
		case <-timer.C:
		}
		timer.Stop()
		a.hooks.kill()
		<-ended
		return
	}
	a.hooks.kill()
}

func (a *agent) firstFailure() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.failure != nil {
		return a.failure
	}
	return a.tr.err
}

// loop reads keys and draws. It is the only goroutine that touches the display.
type loop struct {
	a        *agent
	t        *terminal
	d        *display
	log      *inputLog
	dec      decoder
	chunks   chan []byte
	inject   chan []byte // keys of the script and the control socket
	sync     chan chan struct{}
	sigs     chan os.Signal
	drawFrom time.Time // while the echo is delayed nothing is drawn before
}

// run returns the reason for SessionEnd.
func (l *loop) run(ctx context.Context) string {
	tick := time.NewTimer(time.Hour)
	defer tick.Stop()
	esc := time.NewTimer(time.Hour)
	defer esc.Stop()
	l.d.resize(l.t.size())
	for {
		select {
		case <-ctx.Done():
			return "other"
		case reason := <-l.a.quit:
			return reason
		case b, ok := <-l.chunks:
			if !ok {
				return "other"
			}
			l.input(ctx, l.dec.feed(b))
			if l.dec.pending() {
				esc.Reset(escWait)
			}
		case <-esc.C:
			l.input(ctx, l.dec.flush())
		case b := <-l.inject:
			var d decoder
			l.input(ctx, append(d.feed(b), d.flush()...))
		case ch := <-l.sync:
			tick.Reset(l.draw())
			close(ch)
		case s := <-l.sigs:
			if s != syscall.SIGWINCH {
				return "other"
			}
			l.d.resize(l.t.size())
			tick.Reset(l.draw())
		case <-l.a.dirty:
			tick.Reset(l.draw())
		case <-tick.C:
			l.a.step()
			tick.Reset(l.draw())
		}
		if l.d.err != nil {
			return "other"
		}
	}
}

// shown returns when the screen shows the present state, or the agent ends.
func (l *loop) shown(ctx context.Context) {
	ch := make(chan struct{})
	select {
	case l.sync <- ch:
	case <-ctx.Done():
		return
	}
	select {
	case <-ch:
	case <-ctx.Done():
	}
}

// input logs tokens and lets the agent react to them.
func (l *loop) input(ctx context.Context, tokens []token) {
	for _, t := range tokens {
		if err := l.log.add(t); err != nil {
			l.a.locked(func() { l.a.failure = fmt.Errorf("writing the input log: %w", err) })
		}
		if t.kind == tokenKey && t.key == keyCtrlZ {
			l.suspend()
			continue
		}
		l.a.locked(func() {
			l.a.handle(ctx, t)
			if l.a.echo > 0 {
				l.drawFrom = time.Now().Add(l.a.echo)
			}
		})
	}
}

// draw brings the screen up to date and says when to look again.
func (l *loop) draw() time.Duration {
	a := l.a
	a.mu.Lock()
	full, title, echo := a.fullscreen, a.title, a.echo
	a.mu.Unlock()
	if wait := time.Until(l.drawFrom); echo > 0 && wait > 0 {
		return wait
	}
	if full && !l.d.alt {
		l.d.enter(a.titleText())
	}
	if title != "" {
		l.d.title(title)
		a.mu.Lock()
		a.title = ""
		a.mu.Unlock()
	}
	if !full && !a.opt.Trust {
		return time.Hour
	}
	s := a.snapshot(l.d.width, l.d.height)
	l.d.draw(s.render())
	return s.next(a.opt.Spinner)
}

// next is when time alone changes the screen.
func (s *screen) next(spinner time.Duration) time.Duration {
	switch {
	case s.busy && s.dialog == nil:
		return spinner
	case s.footnote != "":
		return ctrlCFor / 2
	case s.agents:
		return hintFor / 8
	}
	return time.Hour
}

// suspend is Ctrl-Z: the terminal is given back, the process stops, and draws anew when it goes on.
func (l *loop) suspend() {
	if l.t.file == nil {
		return
	}
	l.d.leave()
	l.t.restore()
	l.d.write("\r\nClaude Code is suspended. Run `fg` to bring it back.\r\nTo undo typing, press ctrl+_.\r\n")
	l.t.stop()
	if err := l.t.raw(); err != nil {
		l.a.locked(func() { l.a.failure = err })
	}
	l.d.resize(l.t.size())
	l.a.locked(func() {})
}

// farewell is what Claude leaves in the shell it returns to.
func (l *loop) farewell() {
	a := l.a
	if l.d.err != nil || a.firstFailure() != nil {
		return
	}
	a.mu.Lock()
	session, begun := a.session, a.fullscreen
	a.mu.Unlock()
	if begun {
		l.d.write("\x1b]0;\a\r\n" + dim("Resume this session with:") + "\r\n" + dim("claude --resume "+session) + "\r\n")
	}
}

// step moves the spinner.
func (a *agent) step() {
	a.mu.Lock()
	a.spin++
	a.mu.Unlock()
}
