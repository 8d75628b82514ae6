package interlock

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"signalbox/tracker"
)

// world is a model of one pane with whatever runs in it: tmux, the terminal, Claude or a shell, and
// a person who does things at the worst moment. Everything that reaches a program is logged with
// what the program was doing.
type world struct {
	mu sync.Mutex

	// tmux and the terminal
	serverPID int
	pane      tracker.PaneID // "" when the pane is lost
	panePID   int
	facts     Facts // dead, mode, input, synchronised
	width     int
	bracketed bool
	alternate bool
	clients   []Client

	// the agent
	agent     tracker.AgentID // who lives in the pane now
	alive     bool
	stopped   bool
	reader    string
	session   string
	word      string
	waiting   string
	view      view
	relic     bool // a shell is in front, but the box still stands on the screen
	box       string
	hint      string // shown under the box
	picker    bool
	echoIn    time.Duration // from a paste until it stands in the box
	echoAt    time.Time
	pending   string
	swallow   int           // this many Enters are lost
	enterLag  time.Duration // from an Enter until it is acted on
	lose      bool          // pastes vanish
	log       []reached
	got       []string // prompts that are in the conversation
	submitted int
	hookLag   time.Duration // how long the hooks of a prompt take
	asking    string        // the prompt for which they run
	blocks    bool          // one of them blocks the prompt
	stops     bool          // one of them stops Claude after it
	silent    bool          // no transcript is kept
	works     time.Duration // from a prompt to the first hook of its work; 0 for no such hook
	watchers  []chan Prompt

	// the rig
	point  func(string) // called before and after every call
	calls  int
	faults map[int]fault // by number of the call
	began  time.Time
}

// view is what is on the screen of the pane.
type view uint8

const (
	viewBox view = iota
	viewDialog
	viewTranscript
	viewShell // the agent exited, was killed or suspended
	viewEditor
)

// reached is what arrived at the program in the pane.
type reached struct {
	view      view
	agent     tracker.AgentID
	panePID   int
	facts     Facts // tmux's part: mode, input, synchronised, dead
	bracketed bool
	text      string // "\r" is Enter
	box       string // what stood in the box when it arrived
	picker    bool
}

// fault is how one call fails.
type fault uint8

const (
	faultNone  fault = iota
	faultError       // it fails and does nothing
	faultLost        // it does its work, but the answer is lost
	faultHang        // it does nothing and never answers
	faultLate        // it does its work and answers after its time
)

var errFault = errors.New("injected fault")

// modelTarget is the agent the person saw.
func modelTarget() Target {
	return Target{
		Server: tracker.ServerID{PID: 100}, Pane: "%5", PanePID: 200,
		Agent: tracker.AgentID{PID: 210, Start: 77}, SessionID: "s1",
	}
}

func newWorld() *world {
	return &world{
		serverPID: 100, pane: "%5", panePID: 200, width: 60, bracketed: true, alternate: true,
		agent: tracker.AgentID{PID: 210, Start: 77}, alive: true, session: "s1", word: "idle",
		echoIn: 10 * time.Millisecond, hint: "⏸ manual mode on", point: func(string) {}, began: time.Now(),
	}
}

// interlock is an Interlock in front of the world.
func (w *world) interlock() *Interlock {
	return &Interlock{Tmux: w, Processes: w, Claude: w, Receipts: w, Self: "%9", SelfPID: 100}
}

// call runs one call with the points around it and the fault it may have.
func (w *world) call(ctx context.Context, name string, work func()) error {
	w.calls++
	n := w.calls
	w.point(name + " before")
	defer w.point(name + " after")
	time.Sleep(time.Millisecond) // every call takes its time
	switch w.faults[n] {
	case faultError:
		return errFault
	case faultHang:
		<-ctx.Done()
		return ctx.Err()
	case faultLost:
		w.locked(work)
		return errFault
	case faultLate:
		w.locked(work)
		<-ctx.Done()
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	w.locked(work)
	return nil
}

func (w *world) locked(work func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.settle()
	work()
}

// settle does what became due.
func (w *world) settle() {
	if !w.echoAt.IsZero() && !time.Now().Before(w.echoAt) {
		w.box += w.pending
		w.pending, w.echoAt = "", time.Time{}
	}
}

func (w *world) Look(ctx context.Context, pane tracker.PaneID) (l Look, err error) {
	err = w.call(ctx, "look", func() {
		if pane != w.pane {
			err = errors.New("can't find pane: " + string(pane))
			return
		}
		l = w.lookNow()
	})
	if err == nil && l.Pane == "" {
		err = errors.New("can't find pane: " + string(pane))
	}
	return l, err
}

func (w *world) lookNow() Look {
	f := w.facts
	f.KeyAt = 1
	for _, c := range w.clients {
		f.KeyAt = c.Active.Unix()
	}
	f.ServerPID, f.Pane, f.PanePID, f.Command, f.TTY = w.serverPID, w.pane, w.panePID, "claude", "/dev/pts/5"
	if w.view == viewShell {
		f.Command = "bash"
	}
	return Look{Facts: f, Clients: w.clients, Screen: w.screen()}
}

func (w *world) Paste(ctx context.Context, g Guard, text string) (ok bool, err error) {
	err = w.call(ctx, "paste", func() {
		if ok = w.pane != "" && g.Holds(w.lookNow()); ok {
			w.arrive(text, w.bracketed)
		}
	})
	return ok, err
}

func (w *world) Enter(ctx context.Context, g Guard) (ok bool, err error) {
	err = w.call(ctx, "enter", func() {
		if ok = w.pane != "" && g.Holds(w.lookNow()); ok {
			w.arrive("\r", false)
		}
	})
	return ok, err
}

// arrive is input reaching the program in the pane.
func (w *world) arrive(text string, bracketed bool) {
	if w.facts.InputOff {
		return // tmux says it was sent
	}
	if w.facts.InMode {
		bracketed = false // a mode gets pastes through, without brackets
	}
	w.log = append(w.log, reached{w.view, w.agent, w.panePID, w.facts, bracketed, text, w.box, w.picker})
	if w.view != viewBox || !w.alive || w.stopped {
		return // a dialog ignores a paste; what else could happen is in the log
	}
	if text != "\r" {
		if !w.lose {
			w.pending, w.echoAt = text, time.Now().Add(w.echoIn)
		}
		return
	}
	if w.swallow > 0 {
		w.swallow--
		return
	}
	if w.enterLag > 0 {
		time.AfterFunc(w.enterLag, func() { w.locked(w.submit) })
		return
	}
	w.submit()
}

// submit takes the prompt out of the box and asks the hooks.
func (w *world) submit() {
	if w.view != viewBox || w.box == "" || w.asking != "" {
		return
	}
	prompt := strings.TrimSpace(w.box)
	w.submitted++
	id := fmt.Sprint("p", w.submitted)
	w.box, w.word, w.asking = "", "busy", id
	w.say(Prompt{At: time.Now(), ID: id, Text: prompt, Reception: Heard, Source: tracker.SourceHook})
	asked := w.agent
	time.AfterFunc(w.hookLag, func() {
		w.locked(func() {
			if w.agent == asked && w.asking == id { // who is gone, or was called off, decides nothing
				w.decide(id, prompt)
			}
		})
	})
}

// decide is what the hooks said about a prompt.
func (w *world) decide(id, prompt string) {
	w.asking = ""
	if w.blocks {
		w.box, w.word = prompt, "idle"
		w.write(Prompt{At: time.Now(), Text: "\nno\n\nOriginal prompt: " + prompt, Reception: Blocked})
		return
	}
	w.got = append(w.got, prompt)
	p := Prompt{At: time.Now(), ID: id, Text: prompt}
	if w.stops {
		p.Stop = "enough"
	}
	w.write(p)
	if w.works > 0 && !w.stops {
		time.AfterFunc(w.works, func() { w.locked(func() { w.say(Prompt{At: time.Now(), ID: id, Reception: WorkedOn}) }) })
	}
}

// escape calls off the prompt that the hooks hold. Its text comes back a moment later.
func (w *world) escape() {
	if w.asking == "" {
		return
	}
	prompt, agent := task, w.agent
	w.asking, w.word = "", "idle"
	time.AfterFunc(200*time.Millisecond, func() {
		w.locked(func() {
			if w.agent == agent && w.box == "" {
				w.box = prompt
			}
		})
	})
}

// write puts a record into the transcript, which tells of it a little later.
func (w *world) write(p Prompt) {
	if !w.silent {
		time.AfterFunc(100*time.Millisecond, func() { w.locked(func() { w.say(p) }) })
	}
}

// say tells everybody who watches.
func (w *world) say(p Prompt) {
	p.SessionID = w.session
	if p.Reception == Heard || p.Reception == WorkedOn {
		p.ClaudePID = w.agent.PID
	}
	for _, c := range w.watchers {
		select {
		case c <- p:
		default:
		}
	}
}

func (w *world) Inspect(ctx context.Context, agent tracker.AgentID, pane PaneProcess) (p Process, err error) {
	err = w.call(ctx, "inspect", func() {
		alive := w.alive && agent == w.agent
		front := alive && !w.stopped && w.view != viewShell
		p = Process{Alive: alive, Stopped: w.stopped, UnderPane: alive && pane.PID == w.panePID, OnTerminal: alive, Foreground: front, Reader: w.reader}
	})
	return p, err
}

func (w *world) Rows(ctx context.Context, agent tracker.AgentID) (rows []tracker.AgentsEntry, err error) {
	err = w.call(ctx, "rows", func() {
		rows = []tracker.AgentsEntry{{PID: 999, SessionID: "other", Status: "idle"}}
		if w.alive {
			rows = append(rows, tracker.AgentsEntry{PID: w.agent.PID, SessionID: w.session, Status: w.word, WaitingFor: w.waiting})
		}
	})
	time.Sleep(150 * time.Millisecond) // a whole start of Claude, after it looked
	return rows, err
}

func (w *world) Entry(ctx context.Context, agent tracker.AgentID) (e *tracker.RegistryEntry, err error) {
	err = w.call(ctx, "entry", func() {
		if w.alive && agent == w.agent {
			e = &tracker.RegistryEntry{PID: agent.PID, SessionID: w.session, Status: w.word, WaitingFor: w.waiting}
		}
	})
	return e, err
}

func (w *world) Watch(ctx context.Context, agent tracker.AgentID, session string) (c <-chan Prompt, err error) {
	err = w.call(ctx, "watch", func() {
		ch := make(chan Prompt, 8)
		w.watchers, c = append(w.watchers, ch), ch
	})
	return c, err
}
