package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quitAction must keep a key: raw mode takes Ctrl-C away from the terminal.
const quitAction = "quit"

// keys checks the table of keys and puts it into the configuration.
func (c *checker) keys(table map[string]any) {
	known := make([]string, len(c.actions))
	for i, a := range c.actions {
		known[i] = a.Name
	}
	c.config.Keys = map[string][]string{}
	for _, action := range slices.Sorted(maps.Keys(table)) {
		key := "keys." + action
		if !slices.Contains(known, action) {
			text := fmt.Sprintf("unknown action %q", action)
			if n := nearest(action, known); n != "" {
				text += fmt.Sprintf(", did you mean %q?", n)
			}
			c.problems = append(c.problems, Problem{c.lines[key], text})
			continue
		}
		names, ok := strs(table[action])
		if !ok {
			c.say(key, "want a key or a list of keys, each in quotes")
			continue
		}
		keys := []string{}
		for _, name := range names {
			k, err := keyName(name)
			if err != nil {
				c.say(key, "%v", err)
				continue
			}
			if !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
		if action == quitAction && len(names) == 0 {
			c.say(key, "without a key there is no way to leave the board")
		}
		c.config.Keys[action] = keys
	}
	c.conflicts()
}

// strs takes a string or a list of strings apart.
func strs(v any) ([]string, bool) {
	switch v := v.(type) {
	case string:
		return []string{v}, true
	case []any:
		out := make([]string, len(v))
		for i, e := range v {
			s, ok := e.(string)
			if !ok {
				return nil, false
			}
			out[i] = s
		}
		return out, true
	}
	return nil, false
}

// conflicts finds keys with two meanings. The problem stands at the line that a person wrote, or at
// the later of two.
func (c *checker) conflicts() {
	type owner struct {
		action string
		line   int // 0 for a key it has by itself
	}
	owners := map[string]owner{}
	for _, a := range c.actions {
		keys, given := c.config.Keys[a.Name]
		mine := owner{action: a.Name}
		if given {
			mine.line = c.lines["keys."+a.Name]
		} else {
			keys = a.Keys
		}
		for _, k := range keys {
			other, taken := owners[k]
			if !taken {
				owners[k] = mine
				continue
			}
			at, loser := mine, other
			if other.line > mine.line {
				at, loser = other, mine
			}
			why := "has it too"
			if loser.line == 0 {
				why = fmt.Sprintf("has it by itself: give that one other keys, as in %s = %s", loser.action, c.without(loser.action, k))
			}
			c.problems = append(c.problems, Problem{at.line, fmt.Sprintf("keys.%s: %q has two meanings, %s %s", at.action, k, loser.action, why)})
		}
	}
}

// without is the list of an action's own keys but one, as it would be written.
func (c *checker) without(action, key string) string {
	for _, a := range c.actions {
		if a.Name == action {
			return list(slices.DeleteFunc(slices.Clone(a.Keys), func(k string) bool { return k == key }))
		}
	}
	return "[]"
}

// keyName is the one spelling of a key's name.
func keyName(name string) (string, error) {
	if r, n := utf8.DecodeRuneInString(name); n == len(name) && n > 0 {
		switch {
		case r == ' ':
			return "space", nil
		case r >= '0' && r <= '9':
			return "", fmt.Errorf("%q: digits count, as in 3j", name)
		case r != utf8.RuneError && unicode.IsPrint(r):
			return name, nil
		}
		return "", fmt.Errorf("%q is no key that can be typed", name)
	}
	low := strings.ToLower(name)
	base, alt := strings.CutPrefix(low, "alt+")
	if alt && utf8.RuneCountInString(base) == 1 {
		return "alt+" + name[len("alt+"):], nil // capitals are keys of their own
	}
	switch base {
	case "return":
		base = "enter"
	case "escape":
		base = "esc"
	}
	if same, ok := terminalNames[base]; ok {
		return "", fmt.Errorf("%q: terminals send %q for it", name, same)
	}
	if !slices.Contains(KeyNames(), base) {
		text := fmt.Sprintf("unknown key %q", name)
		if n := nearest(base, KeyNames()); n != "" {
			text += fmt.Sprintf(", did you mean %q?", n)
		}
		return "", fmt.Errorf("%s", text)
	}
	if alt {
		return "alt+" + base, nil
	}
	return base, nil
}

// terminalNames are keys that a terminal does not tell from others.
var terminalNames = map[string]string{
	"ctrl+i": "tab", "ctrl+m": "enter", "ctrl+[": "esc", "ctrl+?": "backspace", "ctrl+enter": "enter",
	"shift+enter": "enter", "ctrl+space": "ctrl+@",
}

// KeyNames lists the names of keys that are no single character. Each may have "alt+" before it.
func KeyNames() []string {
	names := []string{
		"space", "enter", "tab", "shift+tab", "esc", "backspace", "delete", "insert",
		"pgup", "pgdown", "ctrl+pgup", "ctrl+pgdown", "ctrl+@", `ctrl+\`, "ctrl+]", "ctrl+^", "ctrl+_",
	}
	for _, k := range []string{"up", "down", "left", "right", "home", "end"} {
		names = append(names, k, "shift+"+k, "ctrl+"+k, "ctrl+shift+"+k)
	}
	for c := 'a'; c <= 'z'; c++ {
		if c != 'i' && c != 'm' {
			names = append(names, "ctrl+"+string(c))
		}
	}
	for n := 1; n <= 20; n++ {
		names = append(names, fmt.Sprintf("f%d", n))
	}
	return names
}
