package fakeagent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"
)

// How many blocks of conversation and how many old prompts are kept.
const (
	maxConversation = 200
	maxHistory      = 50
)

// Why a turn or the whole agent ends. They are causes of cancelled contexts.
var (
	errInterrupted = errors.New("interrupted by the person")
	errDenied      = errors.New("the person said no")
	errExit        = errors.New("the agent exits")
)

// agent is the state of one simulated Claude Code. Everything below mu is guarded by it.
type agent struct {
	opt   Options
	prof  profile
	pid   string
	hooks *hookRunner
	dirty chan struct{} // one slot: something to draw
	quit  chan string   // one slot: exit asked for, with the reason for SessionEnd
	wg    sync.WaitGroup

	mu         sync.Mutex
	reg        *registry
	tr         *transcript
	session    string
	mode       string
	conv       []entry
	comp       composer
	ghost      string
	dialogs    []*dialog // see front
	view       view
	custom     frame
	history    []string
	turn       *turn
	lastID     string // prompt id of the newest turn
	ended      bool   // the newest block closes a turn that left shells running
	queued     []*turn
	shells     []*task
	subs       []*task
	started    time.Time
	lastKey    time.Time
	armed      time.Time // when the first Ctrl-C of two came
	title      string    // a terminal title set from outside
	fullscreen bool      // past the trust dialog
	ready      bool      // the first status is known
	quitting   bool      // on the way out: no new turn
	local      bool      // a command of the program itself works: busy without a turn
	override   string    // registry word set from outside
	overFor    string
	swallow    int           // Enter presses to swallow
	echo       time.Duration // how late what is typed is drawn
	spin       int
	failure    error // first failed write of registry or terminal
}

// task is background work of one agent: a shell or a subagent.
type task struct {
	id          string
	kind        string // "shell", "subagent"
	description string
	command     string // shell
	agentType   string // subagent
	toolUseID   string
	started     time.Time
}

func newAgent(o Options) *agent {
	a := &agent{
		opt: o, prof: profileOf(o.Version), pid: strconv.Itoa(os.Getpid()),
		hooks:   &hookRunner{settings: settingsPath(o.ClaudeDir), cwd: o.CWD, disabled: o.NoHooks, stop: make(chan struct{})},
		dirty:   make(chan struct{}, 1),
		quit:    make(chan string, 1),
		session: o.SessionID, mode: o.PermissionMode, started: time.Now(),
		tr: newTranscript(o),
	}
	return a
}

// locked runs f with the state, then draws and brings the registry up to date.
func (a *agent) locked(f func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	f()
	a.changed()
}

// changed is called with the lock after every change.
func (a *agent) changed() {
	word, waitingFor := a.word()
	if err := a.reg.set(word, waitingFor, a.session); err != nil && a.failure == nil {
		a.failure = err
	}
	select {
	case a.dirty <- struct{}{}:
	default:
	}
}

// word is the registry's status, derived from what is going on.
func (a *agent) word() (word, waitingFor string) {
	switch {
	case !a.ready:
		return "", "" // the file has no status yet
	case a.override != "":
		return a.override, a.overFor
	case a.front() != nil:
		return wordWaiting, a.front().waitingFor
	case a.turn != nil && !a.turn.over || a.local || len(a.subs) > 0:
		return wordBusy, ""
	case len(a.shells) > 0:
		return wordShell, ""
	}
	return wordIdle, ""
}

// front is the dialog on the screen, or nil.
func (a *agent) front() *dialog {
	for _, d := range a.dialogs {
		if !d.answered {
			return d
		}
	}
	return nil
}

// say adds blocks to the conversation.
func (a *agent) say(entries ...entry) {
	a.ended = false
	a.conv = append(a.conv, entries...)
	if over := len(a.conv) - maxConversation; over > 0 {
		a.conv = append([]entry(nil), a.conv[over:]...)
	}
}

// amend replaces the newest block.
func (a *agent) amend(e entry) {
	if n := len(a.conv); n > 0 {
		a.conv[n-1] = e
	}
}

// append adds a paragraph to the newest block.
func (a *agent) append(p para) {
	if n := len(a.conv); n > 0 {
		a.conv[n-1] = append(append(entry(nil), a.conv[n-1]...), p)
		return
	}
	a.say(entry{p})
}

// ask opens a dialog and waits for its answer. While nobody touches the keyboard, the notification
// hook comes after a while, once.
func (a *agent) ask(ctx context.Context, d *dialog, c hookContext) (reply, error) {
	a.locked(func() {
		if !slices.Contains(a.dialogs, d) {
			a.dialogs = append(a.dialogs, d)
		}
	})
	defer a.locked(func() {
		a.dialogs = slices.DeleteFunc(a.dialogs, func(o *dialog) bool { return o == d })
	})
	timer := time.NewTimer(a.opt.Notice)
	defer timer.Stop()
	for {
		select {
		case r := <-d.reply:
			return r, nil
		case <-ctx.Done():
			return reply{}, context.Cause(ctx)
		case <-timer.C:
			a.mu.Lock()
			quiet := time.Since(a.lastKey)
			a.mu.Unlock()
			if quiet < a.opt.Notice {
				timer.Reset(a.opt.Notice - quiet)
				continue
			}
			if d.notice != "" {
				c.sub = nil // a notification speaks for the program, not for a subagent
				a.hook(ctx, c, "Notification", "permission_prompt",
					kv{"message", d.notice}, kv{"notification_type", "permission_prompt"})
			}
		}
	}
}

// snapshot copies what a frame is made of.
func (a *agent) snapshot(width, height int) screen {
	a.mu.Lock()
	defer a.mu.Unlock()
	s := screen{
		width: width, height: height, version: a.opt.Version, name: a.opt.Name, mode: a.mode, mark: a.prof.mark,
		dir:  tildePath(a.opt.CWD, envValue(a.opt.Env, "HOME")),
		view: a.view, custom: a.custom, conv: append([]entry(nil), a.conv...), comp: a.comp, vim: a.opt.Vim,
		ghost: a.ghost, busy: a.turn != nil || a.local, spin: a.spin, shells: len(a.shells), history: a.history,
	}
	s.comp.text = append([]rune(nil), a.comp.text...)
	if d := a.front(); d != nil {
		shown := *d
		s.dialog = &shown
	}
	a.snapshotTexts(&s)
	return s
}

// Hints above the composer go away after a while, as in the real program.
const hintFor = 8 * time.Second

// ctrlCFor is how long "Press Ctrl-C again to exit" stands.
const ctrlCFor = time.Second

func (a *agent) snapshotTexts(s *screen) {
	s.word = "Working"
	if t := a.turn; t != nil {
		s.word, s.elapsed, s.tokens = t.word, time.Since(t.started), t.tokens
		for _, q := range a.queued {
			if q.source == "queued" {
				s.conv = append(s.conv, entry{
					{lead: "❯ ", text: q.prompt, colour: colourGrey, prompt: true}, belowPara("Queued · ctrl+x ctrl+s to send now"),
				})
				s.ghost = "Press up to edit queued messages"
			}
		}
	}
	fresh := time.Since(a.started) < hintFor
	s.agents = fresh
	if fresh || s.busy {
		s.hint = "◐ medium · /effort"
	}
	if slices.Contains(a.comp.text, '\n') {
		s.hint = "ctrl+g to edit in Vim"
	}
	if time.Since(a.armed) < ctrlCFor {
		s.footnote = "Press Ctrl-C again to exit"
	}
	if a.comp.pastes != nil {
		s.footnote = "paste again to expand"
	}
	if n := len(s.conv); a.ended && len(a.shells) > 0 && n > 0 {
		last := s.conv[n-1][0]
		last.text += fmt.Sprintf(" · %d shell still running", len(a.shells))
		s.conv[n-1] = entry{last}
	}
	for _, t := range a.subs {
		s.tasks = append(s.tasks, t.agentType+"  "+t.description)
	}
}

// remember keeps a prompt for the history search.
func (a *agent) remember(prompt string) {
	a.history = append(a.history, prompt)
	if over := len(a.history) - maxHistory; over > 0 {
		a.history = a.history[over:]
	}
}

// exit asks the main loop to end; the first reason counts.
func (a *agent) exit(reason string) {
	select {
	case a.quit <- reason:
	default:
	}
}

// titleText is the terminal title Claude sets.
func (a *agent) titleText() string {
	if a.opt.Name != "" {
		return "✳ " + a.opt.Name
	}
	return "✳ " + filepath.Base(a.opt.CWD)
}
