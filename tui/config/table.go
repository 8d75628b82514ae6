package config

import (
	"fmt"
	"strconv"
	"strings"

	"signalbox/tracker"
)

// entry documents one key of the file.
type entry struct {
	key   string // dotted path
	doc   string // one or more lines
	value func(*Config) any
}

// table lists every key but those of [keys], which come from the board's own table. The order is
// that of Show: keys without a section first.
func table() []entry {
	return []entry{
		{
			"theme", "Colours: " + words(themes()) + ". auto asks the terminal for its background; NO_COLOR means mono.",
			func(c *Config) any { return c.Theme },
		},
		{"glyphs", "Shapes: " + words(glyphs()) + ". auto takes ascii where the locale is not UTF-8.", func(c *Config) any { return c.Glyphs }},
		{"motion", "Lamps that move. false holds them still, as NO_COLOR does.", func(c *Config) any { return c.Motion }},
		{
			"preview", "The live screen of the selected window at the start: " + words(previews()) + ". last is as you left it.",
			func(c *Config) any { return c.Preview },
		},
		{
			"quiet_after", "How long a busy agent may show no sign of progress before the board says so; \"off\" for never.",
			func(c *Config) any { return c.QuietAfter },
		},
		{"status_file", "Write the public status file for other programs.", func(c *Config) any { return c.StatusFile }},
		{
			"tmux_client", "Ask tmux over one client in control mode. false starts a tmux each second instead.",
			func(c *Config) any { return c.TmuxClient },
		},

		{
			"notifications.for", "What is told: any of " + words(kinds()) + ". Each transition once, many at a time as one;\n" +
				"nothing about the pane that you look at, nothing about what was so before the board began.",
			func(c *Config) any { return c.Notifications.For },
		},
		{
			"notifications.desktop", "Through notify-send or osascript, where there is one and a desktop to show it.",
			func(c *Config) any { return c.Notifications.Desktop },
		},
		{
			"notifications.command", "A program to run instead of those. {title} and {text} in an argument are replaced; no shell is involved,\n" +
				"and both begin with a word of signalbox. On its standard input it gets everything as JSON. It may take 10 s.",
			func(c *Config) any { return c.Notifications.Command },
		},
		{"notifications.bell", "Ring the terminal's bell; tmux marks the board's window with it.", func(c *Config) any { return c.Notifications.Bell }},
		{
			"notifications.osc", "Ask the terminal itself: " + words(oscs()) + ". Inside tmux this needs `set -g allow-passthrough on`.",
			func(c *Config) any { return c.Notifications.OSC },
		},
		{
			"notifications.quiet_hours", "A part of every day without notifications, such as \"22:00-07:30\".",
			func(c *Config) any { return c.Notifications.QuietHours },
		},

		{
			"summaries.command", "A program that writes better summaries of windows. It gets a JSON list of {target, name, command, capture}\n" +
				"on its standard input and answers with one of {target, summary, statusKind}. See the README for a recipe.",
			func(c *Config) any { return c.Summaries.Command },
		},
		{
			"summaries.every", "How often it may run, at least \"5s\"; \"off\" for never. Only windows whose screen has changed are sent.",
			func(c *Config) any { return c.Summaries.Every },
		},
		{"summaries.timeout", "How long one run may take.", func(c *Config) any { return c.Summaries.Timeout }},
		{"summaries.max", "How many windows one run may be asked about.", func(c *Config) any { return c.Summaries.Max }},
		{"summaries.per_day", "How many runs there may be in 24 hours.", func(c *Config) any { return c.Summaries.PerDay }},
	}
}

// keysDoc stands above the keys.
const keysDoc = `Keys, by action: one in quotes or a list; [] takes an action's keys away. A key is a character or one of
enter, tab, shift+tab, esc, space, backspace, delete, insert, pgup, pgdown, home, end, up, down, left, right,
f1 to f20, ctrl+LETTER; alt+ may stand before each. A key with two meanings is an error.`

func words(list []string) string { return strings.Join(list, ", ") }

// Show writes a configuration as a file with every key, what it means and, where it differs, its
// default. The result parses to the same configuration.
func Show(c Config, actions []Action) string {
	var b strings.Builder
	def, section := Default(), ""
	for _, e := range table() {
		name := e.key
		if s, rest, ok := strings.Cut(e.key, "."); ok {
			name = rest
			if s != section {
				section = s
				fmt.Fprintf(&b, "[%s]\n\n", s)
			}
		}
		comment(&b, e.doc)
		value, standard := literal(e.value(&c)), literal(e.value(&def))
		if value != standard {
			fmt.Fprintf(&b, "# default: %s\n", standard)
		}
		fmt.Fprintf(&b, "%s = %s\n\n", name, value)
	}
	b.WriteString("[keys]\n\n")
	comment(&b, keysDoc)
	b.WriteByte('\n')
	for _, a := range actions {
		comment(&b, a.Help)
		keys, given := c.Keys[a.Name]
		if !given {
			keys = a.Keys
		} else if list(keys) != list(a.Keys) {
			fmt.Fprintf(&b, "# default: %s\n", list(a.Keys))
		}
		fmt.Fprintf(&b, "%s = %s\n", a.Name, list(keys))
	}
	return b.String()
}

func comment(b *strings.Builder, text string) {
	for line := range strings.Lines(text) {
		b.WriteString("# " + strings.TrimSuffix(line, "\n") + "\n")
	}
}

// literal is a value as TOML.
func literal(v any) string {
	switch v := v.(type) {
	case bool:
		return strconv.FormatBool(v)
	case int:
		return strconv.Itoa(v)
	case string:
		return quote(v)
	case []string:
		return list(v)
	case []tracker.HappeningKind:
		words := make([]string, len(v))
		for i, k := range v {
			words[i] = string(k)
		}
		return list(words)
	case fmt.Stringer:
		return quote(v.String())
	}
	panic(fmt.Sprintf("config: no literal for %T", v)) // a test calls it with every value
}

func list(values []string) string {
	quoted := make([]string, len(values))
	for i, v := range values {
		quoted[i] = quote(v)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// quote writes a TOML string: a literal one where that is enough, so that backslashes stay single.
func quote(s string) string {
	plain := !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f })
	switch {
	case plain && !strings.ContainsAny(s, `"\`):
		return `"` + s + `"`
	case plain && !strings.Contains(s, "'"):
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
