package fakeagent

import (
	"strconv"
	"strings"
	"time"
)

// Step is one thing a simulated person does, for agents that live by themselves.
//
// Steps are timed from the start of the script, not from the step before: a turn that takes long
// does not shift what follows, so that every run of a script is the same. A step that does not fit
// what is on the screen when its time comes (a prompt while a dialog is open, an answer without a
// dialog) is skipped; so a real person at the same keyboard does no harm.
type Step struct {
	Wait   time.Duration `json:"wait"`             // after the previous step's time
	Prompt string        `json:"prompt,omitempty"` // typed and submitted
	Acts   string        `json:"acts,omitempty"`   // what the agent does with it; default: the prompt is the script
	Keys   string        `json:"keys,omitempty"`   // bytes typed instead of a prompt, "\x1b" for Esc
	When   string        `json:"when,omitempty"`   // for Keys: "dialog", "busy", "idle"; "" always
	Do     string        `json:"do,omitempty"`     // a control command, see Control
}

// act is one thing an agent does within a turn.
type act struct {
	verb string
	text string
}

// actSeparator stands between the acts of one line.
const actSeparator = ";;"

// parseActs reads a prompt as a script. What is no script is one "echo".
func parseActs(prompt string) []act {
	var out []act
	for _, line := range strings.Split(strings.ReplaceAll(prompt, actSeparator, "\n"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		verb, rest, _ := strings.Cut(line, " ")
		switch verb {
		case "bash", "bgbash", "slow", "ask", "plan", "fail", "write", "agent", "tool", "say", "think":
			out = append(out, act{verb, strings.TrimSpace(rest)})
		default:
			return []act{{"echo", prompt}}
		}
	}
	if len(out) == 0 {
		return []act{{"echo", prompt}}
	}
	return out
}

// improvised is what an agent of the demo does with a prompt nobody wrote a script for.
func improvised(prompt string) []act {
	return []act{
		{"think", "2"},
		{"tool", "Read README.md"},
		{"tool", "Grep TODO"},
		{"think", "2"},
		{"bash", "go test ./..."},
		{"think", "2"},
		{"say", "Done: " + firstLine(prompt) + " The tests pass."},
	}
}

// described splits "CMD # what it is for"; def is the description of a command without one.
func described(text, def string) (command, about string) {
	if command, about, ok := strings.Cut(text, " # "); ok {
		return command, about
	}
	return text, def
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

func firstLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return s
}

// seconds reads a number of seconds; fractions are allowed, nonsense is def.
func seconds(s string, def float64) time.Duration {
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil || f < 0 || f > 24*3600 {
		f = def
	}
	return time.Duration(f * float64(time.Second))
}

// shellTime is how long a pretended background command lasts, and the command: "sleep N" lasts N
// seconds, "30s make all" is "make all" and lasts 30.
func shellTime(text string) (command string, d time.Duration) {
	word, rest, _ := strings.Cut(text, " ")
	if d, err := time.ParseDuration(word); err == nil && d >= 0 && rest != "" {
		return rest, d
	}
	if word == "sleep" {
		return text, seconds(rest, 10)
	}
	return text, seconds("", 10)
}
