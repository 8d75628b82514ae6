package tui

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"signalbox/tui/prompt"
)

// fakeSender answers at once with what it was given, and notes what it was asked.
type fakeSender struct {
	mu      sync.Mutex
	calls   []string
	red     map[string]prompt.Lamp // lamps that are not green
	stages  []string
	outcome prompt.Outcome
	free    bool // a request came without a deadline
}

func newFakeSender() *fakeSender {
	return &fakeSender{red: map[string]prompt.Lamp{}, outcome: prompt.Outcome{
		Kind: prompt.Delivered, Receipt: time.Date(2026, 1, 2, 15, 4, 5, 0, time.Local), By: "from a hook",
	}}
}

func (f *fakeSender) note(ctx context.Context, format string, args ...any) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, fmt.Sprintf(format, args...))
	if _, ok := ctx.Deadline(); !ok {
		f.free = true
	}
}

// sends are the calls but the checks.
func (f *fakeSender) sends() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, c := range f.calls {
		if !strings.HasPrefix(c, "check") {
			out = append(out, c)
		}
	}
	return strings.Join(out, "; ")
}

func (f *fakeSender) CheckText(text string, asCommand bool) (why, remark string) {
	if strings.HasPrefix(text, "!") && !asCommand {
		return "it begins with !, which Claude runs as a shell line", ""
	}
	return "", ""
}

func (f *fakeSender) lamps() []prompt.Lamp {
	var out []prompt.Lamp
	for _, name := range prompt.LampNames() {
		l := prompt.Lamp{Name: name, OK: true}
		if red, ok := f.red[name]; ok {
			l = red
		}
		out = append(out, l)
	}
	return out
}

func (f *fakeSender) Check(ctx context.Context, a prompt.Action, tell func(prompt.Lamp)) []prompt.Lamp {
	f.note(ctx, "check %s", a.Target.Pane)
	for _, l := range f.lamps() {
		tell(l)
	}
	return f.lamps()
}

func (f *fakeSender) Send(ctx context.Context, a prompt.Action, tell func(string, prompt.Lamp)) prompt.Outcome {
	f.note(ctx, "send %s %q", a.Target.Pane, a.Text)
	for _, s := range f.stages {
		tell(s, prompt.Lamp{})
	}
	return f.outcome
}

func (f *fakeSender) Enqueue(ctx context.Context, a prompt.Action) prompt.Outcome {
	f.note(ctx, "queue %s %q %s", a.Target.Pane, a.Text, a.Entry)
	return prompt.Outcome{Kind: prompt.Queued}
}

func (f *fakeSender) NextQueue(context.Context, uint64) (Queue, error) { return Queue{}, ErrClosed }

func (f *fakeSender) Withdraw(ctx context.Context, id string) error {
	f.note(ctx, "withdraw %s", id)
	return nil
}

// settled is longer than the grace before Enter counts.
const settled = time.Second

// at selects the window of a name.
func (d *driver) at(name string) *driver {
	d.t.Helper()
	d.m.hand = d.clock.at // somebody chooses it
	for _, key := range d.m.grid.VisibleKeys() {
		d.m.grid.Select(key)
		if c, ok := d.m.grid.Selected(); ok && c.Window != nil && (c.Window.Name == name || c.Window.Agent() != nil && c.Window.Agent().Name == name) {
			return d
		}
	}
	d.t.Fatalf("there is no window %q", name)
	return d
}

// write opens the prompt on a window, types a text and lets the lamps come in.
func (d *driver) write(name, text string) {
	d.t.Helper()
	d.at(name).press("s")
	d.settle()
	d.typed(text)
	d.pass(settled)
	d.settle()
}

// typed types a text as a terminal sends it.
func (d *driver) typed(text string) {
	d.t.Helper()
	d.send(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(text)})
}

// queueOf is a queue of these tasks.
func queueOf(rev uint64, items ...prompt.Waiting) Queue { return Queue{Rev: rev, Items: items} }
