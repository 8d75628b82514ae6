package tracker

import (
	"cmp"
	"fmt"
	"slices"
	"time"
)

// A told is one source's facts in the order in which it tells them. Hooks are processes of their own:
// each is a source by itself.
type told []Event

// dice turns bytes into choices; when they are used up every choice is the first one.
type dice struct{ data []byte }

func (d *dice) roll(n int) int {
	if len(d.data) == 0 || n <= 1 {
		return 0
	}
	x := int(d.data[0])
	d.data = d.data[1:]
	return x % n
}

func (d *dice) chance(oneIn int) bool { return d.roll(oneIn) == 1 }

// A life is what is true of one agent, to the tenth of a second.
type life struct {
	n              int
	began, ended   int // ended 0: never
	parent         int // pid
	pane           int // -1: none
	named          bool
	stopped, woken int // 0: never
	session        []step
	registry       bool
	hooks          bool
	script         bool // a transcript is followed
	ageless        bool // the system does not tell when the process began
	steps          []step
}

// A step is something that happens to an agent: a word for the registry, a hook, or both.
type step struct {
	at         int
	word, what string
	session    string
}

func (l *life) pid() int { return 200 + l.n }

func (l *life) alive(t int) bool { return l.began <= t && (l.ended == 0 || t < l.ended) }

// sessionAt is the session that is open at a time.
func (l *life) sessionAt(t int) string {
	id := ""
	for _, s := range l.session {
		if s.at <= t {
			id = s.session
		}
	}
	return id
}

// A world is a few panes with agents in them, and what every source tells of it.
type world struct {
	dice  *dice
	end   int
	panes int
	late  int // the last pane opens at this time
	short int // pane 0 goes away at this time; 0: never
	lives []*life
	tells []told
}

func tenth(t int) time.Time { return at(float64(t) / 10) }

// newWorld makes a world and lets the sources tell of it.
func newWorld(data []byte) *world {
	w := &world{dice: &dice{data}, end: 200}
	w.panes = 2 + w.dice.roll(2)
	for n := range 1 + w.dice.roll(4) {
		w.lives = append(w.lives, w.newLife(n))
	}
	w.tellTmux()
	w.tellProcesses()
	w.tellRegistry()
	w.tellHooks()
	w.tellTranscripts()
	w.tellList()
	w.tellScreens()
	w.tellPerson()
	w.tellHealth()
	return w
}

func (w *world) newLife(n int) *life {
	d := w.dice
	l := &life{n: n, began: d.roll(60), pane: d.roll(w.panes), named: !d.chance(4)}
	l.parent = 100 + l.pane
	switch d.roll(6) {
	case 1:
		l.parent = 150 + n // a wrapper, or a launcher of the same name
	case 2:
		if n > 0 { // started by the agent before it
			up := w.lives[n-1]
			l.parent, l.pane, l.began = up.pid(), up.pane, up.began+d.roll(30)
		}
	case 3:
		l.parent, l.pane = 1, -1
	}
	if d.chance(4) {
		l.ended = l.began + 40 + d.roll(100)
	}
	if n > 0 && l.parent == w.lives[n-1].pid() && w.lives[n-1].ended > 0 {
		l.ended = min(cmp.Or(l.ended, 1000), w.lives[n-1].ended)
	}
	if d.chance(4) {
		l.stopped = l.began + 10 + d.roll(60)
		if d.chance(2) {
			l.woken = l.stopped + 10 + d.roll(30)
		}
	}
	l.registry, l.hooks, l.script = !d.chance(4), !d.chance(4), !d.chance(3)
	l.ageless = d.chance(3)
	w.act(l)
	return l
}

// act lets an agent live: it begins a conversation, works, asks, ends, clears, resumes.
func (w *world) act(l *life) {
	d, t := w.dice, l.began+w.dice.roll(3)
	session := fmt.Sprint("s", l.n)
	if d.chance(6) {
		session = "shared"
	}
	begin := func(what, id string) {
		session = id
		l.session = append(l.session, step{at: t, session: id})
		l.steps = append(l.steps, step{t, "idle", what, id})
	}
	begin("startup", session)
	for i := range 1 + w.dice.roll(8) {
		t += 1 + d.roll(12)
		prompt := fmt.Sprint("p", i)
		switch d.roll(7) {
		case 0:
			l.steps = append(l.steps, step{t, "busy", "prompt " + prompt, session}, step{t + 2, "busy", "tool " + prompt, session})
			t += 4 + d.roll(10)
			l.steps = append(l.steps, step{t, "idle", "stop " + prompt, session})
		case 1:
			l.steps = append(
				l.steps, step{t, "busy", "prompt " + prompt, session}, step{t + 1, "waiting", "ask " + prompt, session},
				step{t + 8, "busy", "", session}, step{t + 9, "busy", "back " + prompt, session},
			)
			t += 9
		case 2:
			begin("clear", fmt.Sprint("s", l.n, "-", i))
		case 3:
			begin("resume", l.session[0].session)
		case 4:
			l.steps = append(l.steps, step{t, "busy", "prompt " + prompt, session}, step{t + 3, "idle", "fail " + prompt, session})
			t += 3
		case 5:
			l.steps = append(l.steps, step{t, "shell", "background " + prompt, session})
		case 6:
			l.steps = append(l.steps, step{t, "busy", "prompt " + prompt, session}, step{t, "waiting", "question " + prompt, session})
		}
	}
}

// procs are the processes that live at a time; the table reads ports and a chain does not.
func (w *world) procs(t int) []Process {
	var out []Process
	fronts := map[int]int{}
	for i := range w.panes {
		if !w.open(i, t) {
			continue
		}
		front := 100 + i
		for _, l := range w.lives {
			if l.pane == i && l.alive(t) && !l.stoppedAt(t) {
				front = l.pid()
			}
		}
		fronts[i] = front
		out = append(out, Process{PID: 100 + i, PPID: 1, Start: uint64(1000 + i), Name: "bash", Group: 100 + i, TermGroup: front, TTY: uint64(i + 1), Ports: []int{8000 + i}})
	}
	for _, l := range w.lives {
		if !l.alive(t) {
			continue
		}
		p := Process{PID: l.pid(), PPID: l.parent, Start: uint64(5000 + l.n), Name: "node", Group: l.pid(), TermGroup: fronts[l.pane], TTY: uint64(l.pane + 1), Began: tenth(l.began)}
		if l.ageless {
			p.Began = time.Time{}
		}
		if l.named {
			p.Name, p.Args = "claude", []string{"claude"}
		}
		if l.stoppedAt(t) {
			p.State = ProcStopped
		}
		if l.parent == 150+l.n {
			p.PPID = 150 + l.n
			wrap := Process{PID: p.PPID, PPID: 100 + l.pane, Start: uint64(3000 + l.n), Name: "sh", Args: []string{"sh"}, Group: p.PPID, TermGroup: p.TermGroup, TTY: p.TTY}
			if l.n%2 == 1 {
				wrap.Name, wrap.Args = "claude", []string{"claude"}
			}
			out = append(out, wrap)
		}
		out = append(out, p)
	}
	return out
}

func (l *life) stoppedAt(t int) bool {
	return l.stopped > 0 && t >= l.stopped && (l.woken == 0 || t < l.woken)
}

// chain is a process with its ancestors as read at a time.
func (w *world) chain(pid, t int) []Process {
	var out []Process
	all := w.procs(t)
	for pid > 1 {
		i := slices.IndexFunc(all, func(p Process) bool { return p.PID == pid })
		if i < 0 {
			break
		}
		p := all[i]
		p.Ports = nil
		out = append(out, p)
		pid = p.PPID
	}
	return out
}
