package fakeagent

import (
	"context"
	"time"
)

// handle reacts to one piece of input. The lock is held.
func (a *agent) handle(ctx context.Context, t token) {
	if t.kind == tokenReport {
		return
	}
	a.lastKey = time.Now()
	if t.kind == tokenKey && t.key == keyEnter && a.swallow > 0 {
		a.swallow--
		return
	}
	if a.view == viewCustom {
		return // a screen from outside: what it does with keys is not known
	}
	if d := a.front(); d != nil {
		if d.key(t) && d.refused() && d.turn != nil {
			d.turn.over = true
		}
		return
	}
	if t.kind == tokenKey && t.key == keyCtrlC {
		a.ctrlC()
		return
	}
	switch a.view {
	case viewTranscript:
		if t.key == keyCtrlO || t.key == keyEsc {
			a.view = viewMain
		}
	case viewHistory:
		a.historyKey(t)
	default:
		a.composerKey(ctx, t)
	}
}

// historyKey is a key in the history search: Enter takes an old prompt into the composer.
func (a *agent) historyKey(t token) {
	switch t.key {
	case keyEsc:
		a.view = viewMain
	case keyEnter:
		a.view = viewMain
		if n := len(a.history); n > 0 {
			a.comp.set(a.history[n-1])
		}
	}
}

// composerKey is a key in the input box.
func (a *agent) composerKey(ctx context.Context, t token) {
	switch t.kind {
	case tokenPaste:
		a.comp.paste(t.text)
		return
	case tokenText:
		if a.opt.Vim && a.comp.normal {
			a.vimKeys(t.text)
			return
		}
		a.comp.insert(t.text)
		return
	}
	switch t.key {
	case keyEnter:
		a.enter(ctx)
	case keyNewline:
		a.comp.insert("\n")
	case keyEsc:
		a.escape()
	case keyBackTab:
		a.cycleMode()
	case keyBackspace:
		a.comp.backspace()
	case keyCtrlU:
		a.comp.clear()
	case keyCtrlO:
		a.view = viewTranscript
	case keyCtrlR:
		a.view = viewHistory
	case keyCtrlD:
		if a.comp.empty() {
			a.ctrlC()
		}
	case keyLeft, keyRight, keyHome, keyEnd:
		a.comp.move(t.key)
	case keyTab:
		if a.ghost != "" && a.comp.empty() {
			a.comp.set(a.ghost)
		}
	}
}

// vimKeys are letters in normal mode: i and a insert, the rest moves or changes something, which
// is lost on whoever thought they were typing.
func (a *agent) vimKeys(text string) {
	for i, r := range text {
		switch r {
		case 'i', 'a', 'I', 'A':
			a.comp.normal = false
			a.comp.insert(text[i+1:])
			return
		case 'x':
			if len(a.comp.text) > 0 {
				a.comp.text = a.comp.text[:len(a.comp.text)-1]
				a.comp.pos = min(a.comp.pos, len(a.comp.text))
			}
		case 'D':
			a.comp.clear()
		}
	}
}

// enter submits, unless a menu is open (it takes the key), the text ends in a backslash (a line
// break), or there is nothing.
func (a *agent) enter(ctx context.Context) {
	if a.opt.Vim && a.comp.normal {
		return
	}
	s := screen{comp: a.comp, width: defaultWidth}
	if text := a.comp.string(); s.menu() != nil && !a.wholeCommand(text) {
		a.takeFromMenu(text)
		return
	}
	if n := len(a.comp.text); n > 0 && a.comp.pos == n && a.comp.text[n-1] == '\\' {
		a.comp.backspace()
		a.comp.insert("\n")
		return
	}
	if len(a.comp.text) == 0 {
		return
	}
	prompt, shell := a.comp.take()
	if shell {
		a.shellLine(ctx, prompt)
		return
	}
	a.submit(ctx, prompt, nil)
}

func (a *agent) wholeCommand(text string) bool {
	for _, c := range slashCommands {
		if c[0] == text {
			return true
		}
	}
	return false
}

// takeFromMenu completes what was typed with the menu's first entry.
func (a *agent) takeFromMenu(text string) {
	if text[0] == '/' {
		for _, c := range slashCommands {
			if len(c[0]) >= len(text) && c[0][:len(text)] == text {
				a.comp.set(c[0])
				return
			}
		}
		return
	}
	at := len(text) - 1
	for at > 0 && text[at] != '@' {
		at--
	}
	a.comp.set(text[:at] + "@" + fileFor(text[at:]) + " ")
}

// escape interrupts a turn; in an idle composer it leaves shell mode or, in vim, insert mode.
func (a *agent) escape() {
	switch {
	case a.opt.Vim && !a.comp.normal:
		a.comp.normal = true
	case a.interrupt():
	case a.comp.shell:
		a.comp.clear()
	case time.Since(a.armed) < ctrlCFor:
		a.comp.clear()
	default:
		a.ghost = ""
	}
}

// ctrlC interrupts, clears the box, or exits when pressed twice.
func (a *agent) ctrlC() {
	switch {
	case a.interrupt():
	case !a.comp.empty():
		a.comp.clear()
	case time.Since(a.armed) < ctrlCFor:
		a.exit("prompt_input_exit")
	default:
		a.armed = time.Now()
	}
}

// cycleMode is Shift-Tab.
func (a *agent) cycleMode() {
	next := map[string]string{"default": "acceptEdits", "acceptEdits": "plan", "plan": "auto", "auto": "default"}[a.mode]
	if next == "" {
		next = "default"
	}
	a.mode, a.tr.mode = next, next
}
