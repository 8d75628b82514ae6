package desk

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/charmbracelet/lipgloss"
	"github.com/google/renameio/v2"

	"signalbox/tui"
	"signalbox/tui/config"
	"signalbox/tui/style"
)

// look chooses theme and glyphs from the environment: no colours with NO_COLOR, nothing that moves
// then either, and ASCII shapes where the locale is not UTF-8.
func (d *Desk) look() style.Options {
	o := style.Options{Glyphs: style.Unicode}
	if d.env("NO_COLOR") != "" {
		o.Theme, o.Still = style.Mono, true
	}
	if !utf8Locale(d.env) {
		o.Glyphs = style.ASCII
	}
	return o
}

// newStyle builds the look for our terminal, and returns what was typed there meanwhile. A terminal that
// does not tell its background may have said it in the environment.
func (d *Desk) newStyle(cfg config.Config) (*style.Style, []byte) {
	o, r := choose(d.look(), cfg), lipgloss.NewRenderer(os.Stdout)
	dark := lipgloss.HasDarkBackground()
	asks := o.Theme == "" || o.Theme == style.Contrast
	told := hearTerminal(os.Stdin, os.Stdout, asks && d.env("TERM") != "dumb", d.env("TMUX") != "")
	if told.known {
		dark = told.dark
	}
	r.SetHasDarkBackground(dark)
	if o.Theme == "" && !dark {
		o.Theme = style.Light
	}
	return style.New(r, o), told.typed
}

// utf8Locale reads the locale as C programs do: the first variable that is set decides. Inside
// tmux the server has made sure of UTF-8 or replaces what it cannot show.
func utf8Locale(env func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(env(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return false
}

func (d *Desk) viewFile() string { return filepath.Join(d.stateDir, "view.json") }

// loadSettings reads how the person left the board. What cannot be read is the default.
func (d *Desk) loadSettings() tui.Settings {
	var s tui.Settings
	if data, err := os.ReadFile(d.viewFile()); err == nil && d.stateDir != "" {
		_ = json.Unmarshal(data, &s)
	}
	return s
}

// saveSettings keeps it for the next start. Losing it is no reason to fail at the end.
func (d *Desk) saveSettings(s tui.Settings) {
	data, err := json.MarshalIndent(s, "", " ")
	if err != nil || d.stateDir == "" || os.MkdirAll(d.stateDir, 0o700) != nil {
		return
	}
	_ = renameio.WriteFile(d.viewFile(), append(data, '\n'), 0o600)
}

// noTmux reports whether there is no tmux program at all.
func (d *Desk) noTmux() bool {
	_, err := exec.LookPath("tmux")
	return err != nil
}
