package interlock

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"signalbox/tmuxctl/interlock/composer"
	"signalbox/tracker"
)

// Interlock sends tasks. Its fields are set once, before the first use.
type Interlock struct {
	Tmux      Tmux
	Processes Processes
	Claude    Claude
	Receipts  Receipts
	Editor    Editor         // nil: the editor mode is not asked for
	Self      tracker.PaneID // the pane we run in, "" for none; only meaningful on SelfServer
	SelfPID   int            // pid of the tmux server we run in
	PopupTTY  string         // terminal of the client whose popup we run in: its keys go to us, not to the pane below
	Timing    Timing         // zero: DefaultTiming
}

// sending is one send under way.
type sending struct {
	*Interlock
	req     Request
	time    Timing
	tell    func(Progress)
	stage   Stage
	text    Text
	textErr error
	lamps   map[string]Lamp
	last    findings
	typed   bool // something may have been typed
	session string
	box     string
	prompts <-chan Prompt // what Claude says of prompts, from before the paste on
	since   time.Time     // what is told of an earlier moment is not about this send
	heard   *Prompt       // Claude has it, and asks its hooks
	back    bool          // the text was seen in the box again
	went    []string      // ids of prompts that Claude works on
	brief   bool          // what is refused anyway is not worth asking Claude, which is slow
}

// Check evaluates all lamps and types nothing. The callback may be nil.
func (i *Interlock) Check(ctx context.Context, req Request, progress func(Progress)) []Lamp {
	s := i.begin(req, progress)
	s.check(ctx)
	return s.all()
}

// Send runs the transaction. It blocks until the outcome is known or the context ends, which is an
// outcome too. The callback may be nil.
func (i *Interlock) Send(ctx context.Context, req Request, progress func(Progress)) Result {
	s := i.begin(req, progress)
	s.brief = true
	if !s.checkWhenQuiet(ctx) {
		return s.end(Refused, Reasons(s.all()))
	}
	watching, cancel := context.WithCancel(ctx)
	defer cancel()
	if err := s.watch(watching, cancel); err != nil {
		// Without a receipt the outcome could only be guessed.
		return s.end(Refused, fmt.Sprintf("nothing was typed: receipts cannot be watched: %v", err))
	}
	if !s.checkAgain(ctx) {
		return s.end(Refused, Reasons(s.all()))
	}
	if r, done := s.typeText(ctx); done {
		return r
	}
	if why := s.awaitEcho(ctx); why != "" {
		return s.withheld(ctx, why)
	}
	return s.finish(ctx)
}

func (i *Interlock) begin(req Request, progress func(Progress)) *sending {
	s := &sending{Interlock: i, req: req, time: i.Timing, tell: progress, lamps: map[string]Lamp{}}
	if s.time == (Timing{}) {
		s.time = DefaultTiming()
	}
	if req.ReceiptTimeout > 0 {
		s.time.Receipt = req.ReceiptTimeout
	}
	if s.tell == nil {
		s.tell = func(Progress) {}
	}
	s.text, s.textErr = PrepareText(req.Text, req.AsCommand)
	return s
}

// enterStage tells that a stage begins.
func (s *sending) enterStage(st Stage) {
	s.stage = st
	s.tell(Progress{Stage: st})
}

// show records a lamp and tells of it when it is news.
func (s *sending) show(l Lamp) {
	if old, ok := s.lamps[l.Name]; ok && old == l {
		return
	}
	s.lamps[l.Name] = l
	s.tell(Progress{Stage: s.stage, Lamp: l})
}

// all lists the six lamps in order; one that was never reached is red.
func (s *sending) all() []Lamp {
	var out []Lamp
	for _, name := range LampNames() {
		l, ok := s.lamps[name]
		if !ok {
			l = red(name, "not checked")
		}
		out = append(out, l)
	}
	return out
}

// green reports whether every lamp is green, but for those named.
func (s *sending) green(but ...string) bool {
	for _, l := range s.all() {
		if !l.OK && !slices.Contains(but, l.Name) {
			return false
		}
	}
	return true
}

// end makes the result.
func (s *sending) end(o Outcome, detail string) Result {
	r := Result{Outcome: o, Pane: string(s.req.Target.Pane), Lamps: s.all(), Detail: detail}
	if s.typed {
		r.Box = s.box
	}
	return r
}

// check evaluates every lamp, the quick ones first so that the person sees them at once.
func (s *sending) check(ctx context.Context) bool {
	s.enterStage(StageChecking)
	if s.textErr != nil {
		s.show(red(LampText, "%v", s.textErr))
	} else {
		s.show(green(LampText, s.text.Remark))
	}
	t := s.req.Target
	if err := CheckPane(t.Pane); err != nil {
		s.show(targetLamp(t, "", findings{}))
		return false
	}
	var f findings
	s.lookAt(ctx, &f)
	s.lookAround(ctx, &f)
	s.showQuick(f)
	s.showComposer(f)
	if s.brief {
		s.readEntry(ctx, &f)
		if l, ok := unaskedLamp(t, s.req.AllowBackground, f); !ok || !s.green(LampClaude) {
			s.show(l)
			s.last = f
			return false
		}
	}
	s.askRows(ctx, &f)
	s.readEntry(ctx, &f)
	s.showClaude(f)
	s.last = f
	return s.green()
}

// checkWhenQuiet is check, but when nothing stands in the way except that somebody types in the
// pane it waits for a pause: whoever has a key of tmux send a task to the pane they are in has just
// pressed one.
func (s *sending) checkWhenQuiet(ctx context.Context) bool {
	for tries := int(typingWait / typingPoll); ; tries-- {
		if s.check(ctx) {
			return true
		}
		claude := s.lamps[LampClaude]
		if !s.lamps[LampTmux].Passing || !s.green(LampTmux, LampClaude) || !claude.OK && claude.Reason != unasked || tries <= 0 {
			return false
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(typingPoll):
		}
	}
}

// checkAgain repeats everything that is quick, right before the text is typed: the list of agents
// took its time, and what was seen before it is old. The look is the last of all. One look more
// stands before the process table: whoever tmux names in front in both was there in between.
func (s *sending) checkAgain(ctx context.Context) bool {
	f := s.last
	s.lookAt(ctx, &f)
	s.lookAround(ctx, &f)
	s.readEntry(ctx, &f)
	s.lookAt(ctx, &f)
	s.showQuick(f)
	s.showComposer(f)
	s.showClaude(f)
	s.last = f
	return s.green()
}

// lookAt looks at the pane.
func (s *sending) lookAt(ctx context.Context, f *findings) {
	f.look, f.lookErr = within(ctx, s.time.Look, func(ctx context.Context) (Look, error) {
		return s.Tmux.Look(ctx, s.req.Target.Pane)
	})
	if f.front == "" {
		f.front = f.look.Command
	}
	if f.lookErr == nil && f.other == "" && f.look.Command != f.front {
		f.other = f.look.Command
	}
}

// lookAround asks the process table and the editor's settings about a pane that was looked at.
func (s *sending) lookAround(ctx context.Context, f *findings) {
	if f.asked = f.lookErr == nil; !f.asked {
		return
	}
	s.inspect(ctx, f)
	if s.Editor != nil {
		f.vim, f.vimErr = within(ctx, s.time.Entry, func(ctx context.Context) (bool, error) {
			return s.Editor.Vim(ctx, s.req.Target.Agent)
		})
	}
}

// readerTries and readerPoll are how often, and after what pause, the process table is asked again when
// somebody else seems to read from the terminal. Whatever Claude starts has the terminal until it has
// put its own input in place: some milliseconds on a busy machine.
const (
	readerTries = 6
	readerPoll  = 20 * time.Millisecond
)

// inspect asks the process table about the agent.
func (s *sending) inspect(ctx context.Context, f *findings) {
	for try := 1; ; try++ {
		f.process, f.processErr = within(ctx, s.time.Inspect, func(ctx context.Context) (Process, error) {
			return s.Processes.Inspect(ctx, s.req.Target.Agent, PaneProcess{PID: f.look.PanePID, TTY: f.look.TTY})
		})
		if f.processErr != nil || f.process.Reader == "" || try == readerTries {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(readerPoll):
		}
	}
}

// askRows asks Claude for its list of agents. It is slow: whatever was seen before is old after it.
func (s *sending) askRows(ctx context.Context, f *findings) {
	f.rows, f.rowsErr = within(ctx, s.time.Rows, func(ctx context.Context) ([]tracker.AgentsEntry, error) {
		return s.Claude.Rows(ctx, s.req.Target.Agent)
	})
}

func (s *sending) readEntry(ctx context.Context, f *findings) {
	f.entry, f.entryErr = within(ctx, s.time.Entry, func(ctx context.Context) (*tracker.RegistryEntry, error) {
		return s.Claude.Entry(ctx, s.req.Target.Agent)
	})
}

func (s *sending) showQuick(f findings) {
	self := s.Self
	if s.SelfPID != f.look.ServerPID {
		self = "" // the same id on another server is another pane
	}
	s.show(targetLamp(s.req.Target, self, f))
	s.show(tmuxLamp(f, s.PopupTTY, time.Now()))
	s.show(processLamp(f))
}

func (s *sending) showComposer(f findings) { s.show(composerLamp(f, s.Editor != nil)) }

func (s *sending) showClaude(f findings) {
	s.show(claudeLamp(s.req.Target, s.req.AllowBackground, f))
	if row, bad := oneRow(s.req.Target, f.rows); bad == "" {
		s.session = row.SessionID
	}
}

// within runs one call with its time limit. A call that comes back late, even with an answer, has
// failed: what it says is old.
func within[T any](ctx context.Context, limit time.Duration, call func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	v, err := call(ctx)
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("no answer within %s: %w", limit, err)
	}
	return v, err
}

// typeText pastes the text. done is set when the send ends here.
func (s *sending) typeText(ctx context.Context) (r Result, done bool) {
	s.enterStage(StageTyping)
	if ctx.Err() != nil {
		return s.end(Refused, "it was called off before anything was typed"), true
	}
	g := pasteGuard(s.last.look, composer.Read(s.last.look.Screen))
	keys, cancel := context.WithTimeout(ctx, s.time.Keys)
	defer cancel()
	ok, err := s.Tmux.Paste(keys, g, s.text.Typed)
	switch {
	case errors.Is(err, ErrNotSent):
		return s.end(Refused, fmt.Sprintf("nothing was typed: %v", err)), true
	case err != nil:
		s.typed = true
		s.lookInBox(ctx)
		return s.withheldBy(ctx, fmt.Sprintf("the text may have been typed, Enter was not pressed: %v", err)), true
	case !ok:
		why := s.explain(ctx, g)
		s.show(red(LampComposer, "%s", why))
		return s.end(Refused, "nothing was typed: "+why), true
	}
	s.typed = true
	return Result{}, false
}

// explain says which condition of a guard does not hold any more.
func (s *sending) explain(ctx context.Context, g Guard) string {
	look, err := s.look(ctx)
	if err != nil {
		return fmt.Sprintf("the pane changed at the last moment (%v)", err)
	}
	why := g.Fails(look)
	if why == "" {
		why = "the pane changed at the last moment"
	}
	// What is on the screen now says more than that a cell moved.
	if veto := composer.Read(look.Screen).Veto(); veto != "" {
		why += " (" + veto + ")"
	}
	return why
}
