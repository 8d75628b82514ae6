package tui

import (
	"strings"
	"testing"

	"signalbox/tui/tuitest"
)

func TestKeyTable(t *testing.T) {
	seenKey, seenAction := map[string]string{}, map[string]bool{}
	for _, b := range bindings() {
		if b.action == "" || b.help == "" || b.run == nil || len(b.keys) == 0 || b.group == "" {
			t.Errorf("binding %q lacks something", b.action)
		}
		if seenAction[b.action] {
			t.Errorf("two bindings are called %q", b.action)
		}
		seenAction[b.action] = true
		for _, k := range b.keys {
			if other := seenKey[k]; other != "" {
				t.Errorf("%q is bound to %q and %q", k, other, b.action)
			}
			seenKey[k] = b.action
			if len(k) == 1 && k[0] >= '0' && k[0] <= '9' {
				t.Errorf("%q is a count and can be bound to nothing", k)
			}
		}
		if len(b.help) > 42 {
			t.Errorf("the help of %q is too long for two columns: %q", b.action, b.help)
		}
	}
	for _, k := range []string{"up", "down", "left", "right", "h", "j", "k", "l", "tab", "shift+tab", "enter", " ", "a", "/", "f", "o", "z", "i", "e", "p", "r", "?", "q"} {
		if seenKey[k] == "" {
			t.Errorf("the promised key %q is bound to nothing", k)
		}
	}
}

func TestEveryKeyWorksOrSaysWhyOnEveryBoard(t *testing.T) {
	boards := []string{"tmux absent none", "", "$ a\n0 zsh | shell | ~ | 1m", tuitest.Everyday, "$ a\n& x | busy | working | 1m"}
	for _, board := range boards {
		for _, b := range bindings() {
			d := newDriver(t, 80, 24)
			d.give(tuitest.Parse(board))
			why := b.why(d.m)
			d.press(b.keys[0])
			if why != "" && !strings.Contains(d.m.notice.text, why) {
				t.Errorf("%q cannot work (%s), but the footer says %q", b.action, why, d.m.notice.text)
			}
			d.settle()
			_ = d.m.View()
		}
	}
}

func TestKeysBeforeTheFirstSnapshot(t *testing.T) {
	for _, b := range bindings() {
		d := newDriver(t, 80, 24)
		d.press(b.keys...)
		d.settle()
		_ = d.m.View()
	}
}

func TestOtherKeys(t *testing.T) {
	d := everyday(t, 80, 24, func(o *Options) {
		o.Keys = map[string][]string{"jump": {"J", "space"}, "quit": {"ctrl+c"}, "peek": {}}
	})
	d.press("enter")
	d.settle()
	if d.board.did("jump %0") {
		t.Error("a key that was given away still jumps")
	}
	d.press("J")
	d.settle()
	if !d.board.did("jump %0") {
		t.Error("the new key does not jump")
	}
	if d.press("q"); d.m.keys.find("q") != nil {
		t.Error("q still quits")
	}
	if b := d.m.keys.find(" "); b == nil || b.action != "jump" {
		t.Error("space was not taken over")
	}
	if !strings.Contains(text(d), "J jump") || strings.Contains(text(d), "peek") {
		t.Errorf("the footer does not show the new keys: %s", strings.Split(text(d), "\n")[23])
	}
}

func TestControlCQuitsWhateverIsConfigured(t *testing.T) {
	d := everyday(t, 80, 24, func(o *Options) { o.Keys = map[string][]string{"quit": {"Q"}} })
	if _, cmd := d.m.Update(keyMsg("ctrl+c")); !quits(cmd) {
		t.Error("^c does not quit")
	}
}

func TestCheckKeys(t *testing.T) {
	for _, c := range []struct {
		keys map[string][]string
		want string
	}{
		{nil, ""},
		{map[string][]string{"jump": {"J", "space"}, "peek": {}}, ""},
		{map[string][]string{"fly": {"f"}}, `no action "fly"`},
		{map[string][]string{"jump": {"7"}}, "numbers repeat"},
		{map[string][]string{"jump": {""}}, "empty key"},
		{map[string][]string{"jump": {"space"}, "peek": {" "}}, `"space" is given to "jump" and to "peek"`},
	} {
		err := CheckKeys(c.keys)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("CheckKeys(%v) = %v, want %q", c.keys, err, c.want)
		}
	}
}

func TestFooterShowsOnlyWhatTheTableSays(t *testing.T) {
	d := everyday(t, 120, 40)
	footer := strings.Split(text(d), "\n")[39]
	for i := range d.m.keys.table {
		b := &d.m.keys.table[i]
		if b.hint != "" && !strings.Contains(footer, " "+b.hint) {
			t.Errorf("the footer lacks %q: %q", b.hint, footer)
		}
	}
}

func TestHelpListsEveryKey(t *testing.T) {
	d := everyday(t, 200, 60)
	d.press("?")
	help := text(d)
	for _, k := range KeyTable() {
		if !strings.Contains(help, k.Help) {
			t.Errorf("the help lacks %q", k.Help)
		}
	}
}
