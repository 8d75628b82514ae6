package config

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/pelletier/go-toml/v2"

	"signalbox/tracker"
)

// maxFile bounds a configuration file. A full one has some kilobytes.
const maxFile = 1 << 20

// Config is what a person has chosen, whole: what the file does not say has its default.
type Config struct {
	Theme      string   `toml:"theme"`
	Glyphs     string   `toml:"glyphs"`
	Motion     bool     `toml:"motion"`
	Preview    string   `toml:"preview"`
	QuietAfter Duration `toml:"quiet_after"` // 0 for never
	StatusFile bool     `toml:"status_file"`
	TmuxClient bool     `toml:"tmux_client"`

	Notifications Notifications `toml:"notifications"`
	Summaries     Summaries     `toml:"summaries"`

	// Keys are other keys for actions. An action that is not in it keeps its own; an empty list
	// takes its keys away.
	Keys map[string][]string `toml:"-"`
}

// Notifications say what is told to a person who does not look at the board, and how.
type Notifications struct {
	For        []tracker.HappeningKind `toml:"for"`
	Desktop    bool                    `toml:"desktop"`
	Command    []string                `toml:"command"` // instead of the system's own; nil for that one
	Bell       bool                    `toml:"bell"`
	OSC        string                  `toml:"osc"`
	QuietHours Hours                   `toml:"quiet_hours"`
}

// Summaries say who writes better summaries of windows, if anybody.
type Summaries struct {
	Command []string `toml:"command"`
	Every   Duration `toml:"every"` // 0 for never
	Timeout Duration `toml:"timeout"`
	Max     int      `toml:"max"`     // windows in one run
	PerDay  int      `toml:"per_day"` // runs in 24 hours
}

// On reports whether written summaries are wanted at all.
func (s Summaries) On() bool { return len(s.Command) > 0 && s.Every > 0 }

// Words of Config.Preview.
const (
	PreviewLast = "last"
	PreviewOn   = "on"
	PreviewOff  = "off"
)

// Auto leaves a choice to the environment.
const Auto = "auto"

// Words of Notifications.OSC besides Auto.
const (
	OSCOff = "off"
	OSC9   = "9"
	OSC777 = "777"
)

// Default is what holds without a file.
func Default() Config {
	return Config{
		Theme: Auto, Glyphs: Auto, Motion: true, Preview: PreviewLast, StatusFile: true, TmuxClient: true,
		QuietAfter: Duration(tracker.QuietAfter),
		Notifications: Notifications{
			Desktop: true, OSC: OSCOff,
			For: []tracker.HappeningKind{tracker.HappenedNeedsInput, tracker.HappenedReview, tracker.HappenedFailed, tracker.HappenedEnded},
		},
		Summaries: Summaries{Timeout: Duration(time.Minute), Max: 12, PerDay: 200},
	}
}

// Action is one thing that a key can do, as the board's table of keys has it.
type Action struct {
	Name string
	Keys []string // its own keys
	Help string
}

// Load reads and checks a file. Its error is an *Error for what is wrong in it; a file that is not
// there is fs.ErrNotExist.
func Load(path string, actions []Action) (Config, error) {
	f, err := os.Open(path)
	if err != nil {
		return Config{}, fmt.Errorf("reading the configuration: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return Config{}, fmt.Errorf("reading the configuration: %w", err)
	}
	if len(data) > maxFile {
		return Config{}, fmt.Errorf("reading the configuration: %s has more than %d bytes", path, maxFile)
	}
	c, err := Parse(data, actions)
	var e *Error
	if errors.As(err, &e) {
		e.Path = path
	}
	return c, err
}

// content is what a file may hold.
type content struct {
	Config
	Keys map[string]any `toml:"keys"`
}

// decode reads a file and says what is wrong with its form. The decoder gives up at the first value of a
// wrong type: it is told, taken out, and the rest is read, so that a person gets to know everything at once.
func decode(data []byte) (content, []Problem) {
	const most = 100 // a file that is something else altogether
	var problems []Problem
	for range most {
		file := content{Config: Default()}
		err := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&file)
		var unknown *toml.StrictMissingError // told once all the rest is decoded
		switch {
		case err == nil:
			return file, problems
		case errors.As(err, &unknown):
			return file, append(problems, unknownKeys(unknown)...)
		}
		p, typed := decodeError(err)
		problems = append(problems, p)
		if !typed {
			break
		}
		if data = without(data, p.Line); data == nil {
			break
		}
	}
	return content{Config: Default()}, problems
}

// Parse decodes and checks the content of a file. Its error is an *Error.
func Parse(data []byte, actions []Action) (Config, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // some editors write one
	file, problems := decode(data)
	c := checker{config: &file.Config, actions: actions, lines: linesOf(data), problems: problems}
	c.choices()
	c.notifications()
	c.summaries()
	c.keys(file.Keys)
	if len(c.problems) > 0 {
		return Config{}, newError(c.problems)
	}
	return file.Config, nil
}
