package fakeagent

import (
	"fmt"
	"strings"
	"time"
)

// dialogKind tells which dialog is open.
type dialogKind uint8

const (
	dialogPermission dialogKind = iota
	dialogQuestion
	dialogPlan
	dialogTrust
	dialogModel
	dialogConfig
)

// choice is one line a person can choose in a dialog.
type choice struct {
	label string
	more  string // grey text behind it, or below it in a question
	bold  string // part of label that is drawn bold
}

// reply is how a dialog ended.
type reply struct {
	index     int
	cancelled bool
}

// dialog is one open dialog. sel and answered are guarded by the agent's mutex; reply takes one
// value and is read by whoever opened the dialog.
type dialog struct {
	kind       dialogKind
	title      string
	about      []string // lines between title and question, plain
	body       string   // what is between the dashed lines
	question   string
	choices    []choice
	footer     string
	waitingFor string
	notice     string // message of the Notification hook; "" for none
	sel        int
	answered   bool
	result     reply
	turn       *turn // the turn a "No" ends; nil for subagents and the person's own dialogs
	opened     time.Time
	reply      chan reply
}

func newDialog(kind dialogKind, waitingFor string) *dialog {
	return &dialog{kind: kind, waitingFor: waitingFor, opened: time.Now(), reply: make(chan reply, 1)}
}

const permissionNotice = "Claude needs your permission"

// permissionDialog asks for a Bash command. from names the subagent that asks, if one does.
func permissionDialog(command, description, cwd, from string, waitingFor string) *dialog {
	d := newDialog(dialogPermission, waitingFor)
	d.title, d.body, d.question = "Bash command", command, "Do you want to proceed?"
	d.footer = "Esc to cancel · Tab to amend"
	if from != "" {
		d.title += " · from the " + from + " agent"
		d.footer += " · ctrl+x ctrl+k twice to stop background agents"
	}
	d.about = []string{`Tip: auto mode handles these prompts for you — choose "switch to auto mode" below`, description}
	d.choices = []choice{
		{label: "Yes"},
		{label: "Yes, and always allow access to " + cwd + " from this project", bold: cwd},
		{label: "Yes, and switch to auto mode", more: " · auto mode handles these prompts for you"},
		{label: "No"},
	}
	d.notice = permissionNotice
	return d
}

// createDialog asks to write a file.
func createDialog(path, content, waitingFor string) *dialog {
	d := newDialog(dialogPermission, waitingFor)
	d.title, d.about, d.question = "Create file", []string{path}, "Do you want to create "+path+"?"
	for i, l := range strings.Split(strings.TrimRight(content, "\n"), "\n") {
		d.body += fmt.Sprintf("%2d %s\n", i+1, l)
	}
	d.body = strings.TrimRight(d.body, "\n")
	d.footer = "Esc to cancel · Tab to amend"
	d.choices = []choice{
		{label: "Yes"},
		{label: "Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session (shift+tab)"},
		{label: "No"},
	}
	d.notice = permissionNotice
	return d
}

// question is what AskUserQuestion asks.
type question struct {
	Question string   `json:"question"`
	Header   string   `json:"header"`
	Options  []option `json:"options"`
	Multi    bool     `json:"multiSelect"`
}

type option struct {
	Label       string `json:"label"`
	Description string `json:"description"`
}

func questionDialog(q question, waitingFor string) *dialog {
	d := newDialog(dialogQuestion, waitingFor)
	d.title, d.question, d.notice = q.Header, q.Question, permissionNotice
	d.footer = "Enter to select · ↑/↓ to navigate · Esc to cancel"
	for _, o := range q.Options {
		d.choices = append(d.choices, choice{label: o.Label, more: o.Description})
	}
	d.choices = append(d.choices, choice{label: "Type something."}, choice{label: "Chat about this"})
	return d
}

func planDialog(waitingFor string) *dialog {
	d := newDialog(dialogPlan, waitingFor)
	d.title, d.about = "Exit plan mode?", []string{"Claude wants to exit plan mode"}
	d.choices = []choice{
		{label: "Yes, and switch to default (ask each time) for this session", bold: "default (ask each time)"},
		{label: "No"},
	}
	d.notice = "Claude Code needs your approval for the plan"
	return d
}

func trustDialog(cwd string) *dialog {
	d := newDialog(dialogTrust, "")
	d.body = cwd
	d.choices = []choice{{label: "No, exit"}, {label: "Yes, I trust this folder"}}
	return d
}

func modelDialog() *dialog {
	d := newDialog(dialogModel, "dialog open")
	d.title = "Select model"
	d.about = []string{"Your pick is the default for new sessions. For other models, use --model."}
	d.footer = "s to use this session only · Enter to save · Esc to cancel"
	d.choices = []choice{
		{label: "Default (recommended) ✔", more: "Use the default model (currently Opus 5.5) · $4/$20 per Mtok"},
		{label: "Opus", more: "Opus 5.5 · Best for everyday, complex tasks · $4/$20 per Mtok"},
		{label: "Fable", more: "Fable 5.2 · Most capable for your hardest and longest-running tasks · $8/$40 per Mtok"},
		{label: "Sonnet", more: "Sonnet 5.5 · Efficient for routine tasks · $2/$10 per Mtok"},
		{label: "Haiku", more: "Haiku 5.5 · Fastest for quick answers · $0.10/$0.50 per Mtok ($0.50/$2.50 for prompts over 100k)"},
	}
	return d
}

func configDialog() *dialog {
	d := newDialog(dialogConfig, "dialog open")
	d.title = "Settings  Status   Config   Usage   Stats"
	d.footer = "↓ to navigate · ↑ to switch tabs · Esc to go back"
	for _, l := range []string{"Auto-compact", "Idle compaction", "Show tips", "Reduce motion", "Thinking mode", "Verbose output"} {
		d.choices = append(d.choices, choice{label: l, more: "on"})
	}
	return d
}

// key lets a dialog react to a key or a typed character, and reports whether it is answered. Text
// means nothing to a dialog, but a digit chooses. The caller holds the agent's mutex.
func (d *dialog) key(t token) bool {
	if d.answered || t.kind == tokenPaste || t.kind == tokenReport {
		return false
	}
	if t.kind == tokenText {
		n := int(t.text[0] - '0')
		if len(t.text) == 1 && n >= 1 && n <= len(d.choices) && d.kind != dialogTrust {
			return d.answer(reply{index: n - 1})
		}
		return false
	}
	switch t.key {
	case keyUp:
		d.sel = (d.sel + len(d.choices) - 1) % len(d.choices)
	case keyDown:
		d.sel = (d.sel + 1) % len(d.choices)
	case keyEnter:
		return d.answer(reply{index: d.sel})
	case keyEsc, keyCtrlC:
		return d.answer(reply{cancelled: true})
	}
	return false
}

// refused reports whether an answered dialog was cancelled or answered with "No".
func (d *dialog) refused() bool {
	return d.result.cancelled || d.choices[d.result.index].label == "No"
}

func (d *dialog) answer(r reply) bool {
	d.answered, d.result = true, r
	d.reply <- r
	return true
}
