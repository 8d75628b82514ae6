package tui

import (
	"fmt"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/muesli/termenv"

	"signalbox/tui/prompt"
	"signalbox/tui/style"
)

// promptScenes are the moments of the prompt and of the tasks that wait, for golden frames and for
// eyes.
var promptScenes = []struct {
	name string
	play func(*driver)
}{
	{"prompt, all green", func(d *driver) {
		d.write("notes", "Draw the module graph again, with the new packages in it.")
	}},
	{"prompt, nothing written", func(d *driver) { d.write("notes", "") }},
	{"prompt, several lines", func(d *driver) {
		d.write("notes", "Draw it again:")
		d.press("alt+enter")
		d.typed("- the new packages, with an arrow for every import that there is in the code")
		d.press("alt+enter")
		d.typed("- 日本語も")
	}},
	{"prompt, checking", func(d *driver) {
		d.at("notes").press("s")
		d.typed("Draw it again.")
		d.send(senderMsg{action: prompt.Action{Kind: prompt.Check, Seq: 1}, lamp: prompt.Lamp{Name: "target", OK: true}})
		d.send(senderMsg{action: prompt.Action{Kind: prompt.Check, Seq: 1}, lamp: prompt.Lamp{Name: "tmux", OK: true}})
	}},
	{"prompt, a red lamp", func(d *driver) {
		d.sender.red["composer"] = prompt.Lamp{Name: "composer", Reason: "there is a draft in it: \"half a thought\""}
		d.write("notes", "Draw it again.")
	}},
	{"prompt, a busy agent", func(d *driver) {
		d.sender.red["claude"] = prompt.Lamp{Name: "claude", Reason: "Claude is busy", Passing: true}
		d.write("web-review", "Then the docs.")
	}},
	{"prompt, a waiting agent", func(d *driver) {
		d.sender.red["claude"] = prompt.Lamp{Name: "claude", Reason: "Claude waits: permission prompt"}
		d.write("api-worker", "Yes, go on.")
	}},
	{"prompt, sending", func(d *driver) {
		d.write("notes", "Draw it again.")
		d.press("enter")
		d.send(senderMsg{action: prompt.Action{Kind: prompt.Send, Seq: 2}, stage: "waiting for the receipt"})
	}},
	{"prompt, delivered", func(d *driver) {
		d.write("notes", "Draw it again.")
		d.press("enter")
		d.settle()
		d.pass(settled)
	}},
	{"prompt, refused", func(d *driver) {
		d.sender.outcome = prompt.Outcome{Kind: prompt.Refused, Detail: "tmux: somebody types in this pane"}
		d.write("notes", "Draw it again.")
		d.press("enter")
		d.settle()
		d.pass(settled)
	}},
	{"prompt, withheld", func(d *driver) {
		d.sender.outcome = prompt.Outcome{Kind: prompt.Withheld, Detail: "claude: Claude waits: permission prompt", Box: "Draw it again."}
		d.write("notes", "Draw it again.")
		d.press("enter")
		d.settle()
		d.pass(settled)
	}},
	{"prompt, queued", func(d *driver) {
		d.sender.red["claude"] = prompt.Lamp{Name: "claude", Reason: "Claude is busy", Passing: true}
		d.write("web-review", "Then the docs.")
		d.press("enter")
		d.settle()
		d.send(queueMsg{queue: queueOf(1, waitingTask(d))})
		d.pass(settled)
	}},
	{"a task waits", func(d *driver) {
		d.send(queueMsg{queue: queueOf(1, waitingTask(d))})
		d.at("web-review")
		d.pass(previewSettle)
		d.settle()
	}},
	{"tasks", func(d *driver) {
		first := waitingTask(d)
		d.send(queueMsg{queue: queueOf(
			1, first,
			prompt.Waiting{ID: "2", Pane: "%6", Where: "infra:0.0", Name: "tf-plan", Text: "Apply it to staging,\nthen to production.", Since: d.clock.at.Add(-60 * settled), State: prompt.Unsure, Note: "Enter was pressed, and no receipt came in 5 s"},
			prompt.Waiting{ID: "3", Pane: "%9", Where: "infra:3.0", Name: "tf-docs", Text: "Go on where you stopped.", Since: d.clock.at.Add(-3600 * settled), State: prompt.Dropped, Note: "the agent is in another session now"},
		)})
		d.press("t")
	}},
}

func waitingTask(d *driver) prompt.Waiting {
	return prompt.Waiting{ID: "1", Pane: "%4", Where: "web:1.0", Name: "web-review", Text: "Then the docs.", Since: d.clock.at.Add(-20 * settled), Note: "works"}
}

func TestGoldenPrompt(t *testing.T) {
	for _, size := range goldenSizes {
		got := archive{comment: fmt.Sprintf("The prompt on %d×%d cells without its colours and without blanks at line ends.\nWritten by: go test ./tui -run TestGolden -update\n", size.w, size.h)}
		for _, s := range promptScenes {
			d := everyday(t, size.w, size.h, func(o *Options) { o.Style = newStyle(testLook{style.Dark, termenv.TrueColor, style.Unicode}) })
			s.play(d)
			frame := d.m.View()
			checkFrame(t, frame, size.w, size.h)
			got.add(s.name, trimmed(ansi.Strip(frame)))
		}
		compareGolden(t, fmt.Sprintf("sending-%dx%d.txtar", size.w, size.h), got)
	}
}
