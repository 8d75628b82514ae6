package desk

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"signalbox/tracker"
	"signalbox/tui"
	"signalbox/tui/cli"
	"signalbox/tui/config"
	"signalbox/tui/style"
)

// actions is the board's table of keys as a configuration is checked against it.
func actions() []config.Action {
	var out []config.Action
	for _, k := range tui.KeyTable() {
		out = append(out, config.Action{Name: k.Action, Keys: k.Keys, Help: k.Help})
	}
	return out
}

// ConfigPath implements cli.Desk: the flag, or $XDG_CONFIG_HOME/signalbox/config.toml. It is "" when
// the environment names no home at all. As everywhere, a relative variable counts as unset.
func (d *Desk) ConfigPath() string {
	if d.opts.Config != "" {
		return d.opts.Config
	}
	base := d.env("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) {
		if base = d.env("HOME"); !filepath.IsAbs(base) {
			return ""
		}
		base = filepath.Join(base, ".config")
	}
	return filepath.Join(base, "signalbox", "config.toml")
}

// config reads the configuration. Without a file everything has its default; a file that was named
// has to be there.
func (d *Desk) config() (config.Config, error) {
	path := d.ConfigPath()
	if path == "" {
		return config.Default(), nil
	}
	c, err := config.Load(path, actions())
	var wrong *config.Error
	switch {
	case err == nil:
		return c, nil
	case errors.Is(err, fs.ErrNotExist) && d.opts.Config == "":
		return config.Default(), nil
	case errors.As(err, &wrong):
		return c, &cli.Exit{Code: cli.ExitUsage, Err: err, Hint: "`signalbox config --defaults` lists every key with its meaning"}
	}
	return c, &cli.Exit{Code: cli.ExitUsage, Err: err}
}

// CheckConfig implements cli.Desk.
func (d *Desk) CheckConfig() (string, error) {
	path := d.ConfigPath()
	if _, err := d.config(); err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "the defaults hold: there is no " + path, nil
	}
	return "ok: " + path, nil
}

// ShowConfig implements cli.Desk.
func (d *Desk) ShowConfig(defaults bool) (string, error) {
	if defaults {
		return config.Show(config.Default(), actions()), nil
	}
	c, err := d.config()
	if err != nil {
		return "", err
	}
	return config.Show(c, actions()), nil
}

// choose puts what the configuration says about the look over what the environment says.
func choose(o style.Options, c config.Config) style.Options {
	if c.Theme != config.Auto {
		o.Theme = style.Theme(c.Theme)
	}
	if c.Glyphs != config.Auto {
		o.Glyphs = style.Glyphs(c.Glyphs)
	}
	o.Still = o.Still || !c.Motion
	return o
}

// chooseView puts what the configuration says about the start over how the person left the board.
func chooseView(s tui.Settings, c config.Config) tui.Settings {
	switch c.Preview {
	case config.PreviewOn:
		s.NoPreview = false
	case config.PreviewOff:
		s.NoPreview = true
	}
	return s
}

// chooseState tells a state what the configuration says about judging.
func chooseState(st *tracker.State, c config.Config) {
	quiet := c.QuietAfter.Std()
	if quiet == 0 {
		quiet = -1 // never
	}
	st.SetQuietAfter(quiet)
}

// checkConfig is the doctor's line about the configuration.
func (d *Desk) checkConfig(context.Context) cli.Check {
	c, err := d.config()
	if err != nil {
		return fail("config", "signalbox config --defaults lists every key with its meaning", "%v", err)
	}
	from := d.ConfigPath()
	if _, err := os.Stat(from); err != nil {
		from = "the defaults hold: there is no " + from
	}
	ways := d.waysOf(c)
	if ways == "" {
		return ok("config", "%s; no notifications: there is no desktop here, and no command, bell or osc is set", from)
	}
	return ok("config", "%s; notifications by %s", from, ways)
}
