package config

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"signalbox/tracker"
	"signalbox/tui/style"
)

// Bounds of the numbers. They keep a slip of the pen from costing money or a core.
const (
	leastQuiet   = 10 * time.Second // a model thinks that long without a sign
	leastEvery   = 5 * time.Second
	leastTimeout = time.Second
	mostTimeout  = 10 * time.Minute
	mostWindows  = 200
	mostPerDay   = 10000
)

// checker collects what is wrong with a decoded file.
type checker struct {
	config   *Config
	actions  []Action
	lines    map[string]int // of the keys in the file
	problems []Problem
}

func (c *checker) say(key, format string, args ...any) {
	c.problems = append(c.problems, Problem{c.lines[key], key + ": " + fmt.Sprintf(format, args...)})
}

// themes are the words for Config.Theme.
func themes() []string {
	words := []string{Auto}
	for _, t := range style.Themes() {
		words = append(words, string(t))
	}
	return words
}

func glyphs() []string { return []string{Auto, string(style.Unicode), string(style.ASCII)} }

func previews() []string { return []string{PreviewLast, PreviewOn, PreviewOff} }

func oscs() []string { return []string{OSCOff, Auto, OSC9, OSC777} }

// kinds are the words for Notifications.For.
func kinds() []string {
	return []string{
		string(tracker.HappenedNeedsInput), string(tracker.HappenedReview), string(tracker.HappenedFailed),
		string(tracker.HappenedEnded), string(tracker.HappenedQuiet),
	}
}

// oneOf checks a word.
func (c *checker) oneOf(key, value string, words []string) {
	if slices.Contains(words, value) {
		return
	}
	more := ""
	if n := nearest(value, words); n != "" {
		more = fmt.Sprintf(", did you mean %q?", n)
	}
	c.say(key, "%q is none of %s%s", value, strings.Join(words, ", "), more)
}

func (c *checker) between(key string, n, least, most int) {
	if n < least || n > most {
		c.say(key, "%d is not between %d and %d", n, least, most)
	}
}

// argv checks a command: a list whose first word names a program.
func (c *checker) argv(key string, argv []string) {
	for _, a := range argv {
		if strings.ContainsRune(a, 0) {
			c.say(key, "an argument holds a NUL byte")
			return
		}
	}
	if len(argv) > 0 && strings.TrimSpace(argv[0]) == "" {
		c.say(key, "the program has no name")
	}
}

func (c *checker) choices() {
	c.oneOf("theme", c.config.Theme, themes())
	c.oneOf("glyphs", c.config.Glyphs, glyphs())
	c.oneOf("preview", c.config.Preview, previews())
	if q := time.Duration(c.config.QuietAfter); q != 0 && q < leastQuiet {
		c.say("quiet_after", "%v is less than %v, or write \"off\"", q, leastQuiet)
	}
}

func (c *checker) notifications() {
	n := &c.config.Notifications
	for _, k := range n.For {
		c.oneOf("notifications.for", string(k), kinds())
	}
	c.oneOf("notifications.osc", n.OSC, oscs())
	c.argv("notifications.command", n.Command)
}

func (c *checker) summaries() {
	s := &c.config.Summaries
	c.argv("summaries.command", s.Command)
	every := time.Duration(s.Every)
	switch {
	case every != 0 && every < leastEvery:
		c.say("summaries.every", "%v is less than %v, or write \"off\"", every, leastEvery)
	case every != 0 && len(s.Command) == 0:
		c.say("summaries.every", "there is no summaries.command to run")
	}
	if t := time.Duration(s.Timeout); t < leastTimeout || t > mostTimeout {
		c.say("summaries.timeout", "%v is not between %v and %v", s.Timeout, leastTimeout, mostTimeout)
	}
	c.between("summaries.max", s.Max, 1, mostWindows)
	c.between("summaries.per_day", s.PerDay, 1, mostPerDay)
}
