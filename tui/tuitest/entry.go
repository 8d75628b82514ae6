package tuitest

import (
	"strconv"
	"strings"
	"time"

	"signalbox/tracker"
)

// entry is one described window or agent, taken apart.
type entry struct {
	name, what, summary string
	age                 string
	extra               map[string]string
}

func fields(text string) entry {
	parts := strings.Split(text, " | ")
	f := entry{name: strings.TrimSpace(parts[0]), extra: make(map[string]string)}
	for i, p := range parts[1:] {
		p = strings.TrimSpace(p)
		switch i {
		case 0:
			f.what = p
		case 1:
			f.summary = p
		case 2:
			f.age = p
		default:
			key, value, _ := strings.Cut(p, "=")
			f.extra[key] = value
		}
	}
	return f
}

func (f entry) since() time.Time {
	if f.age == "" {
		return Now()
	}
	d, err := time.ParseDuration(f.age)
	if err != nil {
		panic("tuitest: " + err.Error())
	}
	return Now().Add(-d)
}

func (f entry) or(key, otherwise string) string {
	if v, ok := f.extra[key]; ok {
		return v
	}
	return otherwise
}

func (f entry) number(key string) int {
	n, _ := strconv.Atoi(f.extra[key])
	return n
}

func (f entry) path(key string) string {
	p := f.or(key, "~")
	if rest, ok := strings.CutPrefix(p, "~"); ok {
		return Home + rest
	}
	return p
}

func (f entry) command() string {
	switch f.what {
	case "shell":
		return "zsh"
	case "run", "active", "error":
		command, _, _ := strings.Cut(f.summary, " ")
		return command
	}
	return "claude"
}

func (f entry) kind() tracker.WindowKind {
	switch f.what {
	case "shell":
		return tracker.KindWaiting
	case "run", "bg":
		return tracker.KindRunning
	case "active", "busy", "quiet":
		return tracker.KindActive
	case "error":
		return tracker.KindError
	case "unknown", "suspended":
		return tracker.KindIdle
	}
	return tracker.KindWaiting
}

// verdict is what Judge would say, near enough.
func (f entry) verdict() tracker.Verdict {
	v := tracker.Verdict{Source: tracker.SourceRegistry, Since: f.since(), FactAt: f.since()}
	set := func(s tracker.Status, reason string) { v.Status, v.Reason = s, reason }
	switch f.what {
	case "needs":
		set(tracker.StatusNeedsInput, "waits for permission")
	case "question":
		set(tracker.StatusNeedsInput, "asks a question")
	case "dialog":
		set(tracker.StatusNeedsInput, "has a dialog open")
		v.Dialog = true
	case "review":
		set(tracker.StatusReview, "done")
		v.Source = tracker.SourceHook
	case "failed":
		set(tracker.StatusReview, "stopped with an API error")
		v.Failed = "rate_limit"
	case "busy":
		set(tracker.StatusBusy, "works")
		v.Subagents = f.number("subagents")
	case "bg":
		set(tracker.StatusBusy, "background work")
		v.Background = 1
	case "quiet":
		set(tracker.StatusBusy, "works")
		v.Quiet = true
	case "idle":
		set(tracker.StatusIdle, "ready")
	case "unknown":
		set(tracker.StatusUnknown, "no hooks, no registry")
		v.Source = tracker.SourceNone
	case "suspended":
		set(tracker.StatusUnknown, "suspended (fg to resume)")
		v.Source, v.Suspended = tracker.SourceProcess, true
	case "shell", "run", "active", "error":
		return tracker.Verdict{}
	default:
		panic("tuitest: unknown word " + f.what)
	}
	return v
}
