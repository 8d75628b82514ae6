package notify

import (
	"strings"
)

// Desktop is the command by which a system shows a notification, with {title} and {text} where they
// belong; nil where there is none. has reports whether a program can be run, env looks a variable
// up. Where no desktop runs there is nobody to show it to.
func Desktop(goos string, has func(program string) bool, env func(string) string) []string {
	switch {
	case goos == "darwin" && has("osascript"):
		return []string{"osascript", "-e", "on run argv", "-e", "display notification (item 2 of argv) with title (item 1 of argv)", "-e", "end run", "{title}", "{text}"}
	case goos != "darwin" && has("notify-send") && (env("DISPLAY") != "" || env("WAYLAND_DISPLAY") != "" || env("DBUS_SESSION_BUS_ADDRESS") != ""):
		return []string{"notify-send", "--app-name=signalbox", "--", "{title}", "{markup}"}
	}
	return nil
}

// Argv fills a message into a command: {title} and {text}, and {markup}, which is the text for
// notification daemons that would take angle brackets for tags.
func (m Message) Argv(command []string) []string {
	fill := strings.NewReplacer("{title}", m.Title, "{text}", m.Text, "{markup}", strings.NewReplacer("<", "‹", ">", "›").Replace(m.Text))
	out := make([]string, len(command))
	for i, a := range command {
		out[i] = fill.Replace(a)
	}
	return out
}

// Bell rings the terminal's bell.
const Bell = "\a"

// OSC is how terminals are asked for a notification.
type OSC uint8

// Ways of terminals. OSC 9 has one text, OSC 777 a title and a text.
const (
	OSCNone OSC = iota
	OSC9
	OSC777
)

// OSCOf is the way of a terminal, from what it says of itself: TERM_PROGRAM, TERM, an answer to
// XTVERSION. Terminals that are not known to take any get none: some print what they do not know.
func OSCOf(names ...string) OSC {
	for _, n := range names {
		n = strings.ToLower(n)
		for _, t := range []struct {
			prefix string
			way    OSC
		}{
			{"iterm", OSC9},
			{"wezterm", OSC9},
			{"ghostty", OSC777},
			{"xterm-ghostty", OSC777},
			{"kitty", OSC9},
			{"xterm-kitty", OSC9},
			{"foot", OSC777},
			{"rxvt", OSC777},
			{"konsole", OSC777},
			{"contour", OSC777},
		} {
			if strings.HasPrefix(n, t.prefix) {
				return t.way
			}
		}
	}
	return OSCNone
}

// Sequence asks a terminal to show the message; "" for no way. The texts are one line each and hold
// no control; semicolons would end a part.
func (m Message) Sequence(o OSC) string {
	title, text := strings.ReplaceAll(m.Title, ";", ","), strings.ReplaceAll(m.Text, "\n", " / ")
	switch o {
	case OSC9:
		return "\x1b]9;" + title + " - " + strings.ReplaceAll(text, ";", ",") + "\a"
	case OSC777:
		return "\x1b]777;notify;" + title + ";" + strings.ReplaceAll(text, ";", ",") + "\a"
	}
	return ""
}

// Passthrough wraps a sequence so that tmux hands it on to its terminals.
func Passthrough(seq string) string {
	if seq == "" {
		return ""
	}
	return "\x1bPtmux;" + strings.ReplaceAll(seq, "\x1b", "\x1b\x1b") + "\x1b\\"
}
