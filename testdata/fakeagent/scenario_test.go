package fakeagent

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// scenario is one recording and how to drive the simulation through the same.
type scenario struct {
	name   string
	change func(*Options)
	drive  func(r *rig)
	either [][2]string // pairs of hooks whose order is open: they are processes of their own
	words  bool        // compare the registry's words too
}

func scenarios() []scenario {
	return slices.Concat(turnScenarios(), backgroundScenarios(), sessionScenarios())
}

// turnScenarios are turns with their dialogs and ends.
func turnScenarios() []scenario {
	return []scenario{
		{name: "approve", words: true, drive: func(r *rig) {
			r.sameAs("approve", "01-idle")
			r.say("bash ls > listing.txt")
			r.untilHooks("Notification", 1)
			r.sameAs("approve", "02-permission")
			r.SendKeys(r.pane.ID, "Enter")
			r.untilHooks("Stop", 1)
			r.sameAs("approve", "03-after")
		}},
		{name: "deny", words: true, drive: func(r *rig) {
			r.say("bash touch denied.txt")
			r.untilHooks("PermissionRequest", 1)
			r.sameAs("deny", "01-permission")
			r.SendKeys(r.pane.ID, "Escape")
			r.sameAs("deny", "02-after")
		}},
		{name: "interrupt", words: true, drive: func(r *rig) {
			r.say("slow 9")
			r.untilHooks("UserPromptSubmit", 1)
			r.UntilText(r.pane.ID, "● word")
			r.SendKeys(r.pane.ID, "Escape")
			r.sameAs("interrupt", "02-after")
		}},
		{name: "question", words: true, drive: func(r *rig) {
			r.say("ask")
			r.untilHooks("Notification", 1)
			r.sameAs("question", "01-question")
			r.SendKeys(r.pane.ID, "1")
			r.untilHooks("Stop", 1)
			r.sameAs("question", "02-after")
		}},
		{name: "question-cancelled", words: true, drive: func(r *rig) {
			r.say("ask")
			r.untilHooks("PermissionRequest", 1)
			r.SendKeys(r.pane.ID, "Escape")
			r.sameAs("question-cancelled", "01-after")
		}},
		{name: "plan", words: true, change: func(o *Options) { o.PermissionMode = "plan" }, drive: func(r *rig) {
			r.say("plan")
			r.untilHooks("Notification", 1)
			r.sameAs("plan", "01-plan")
			r.SendKeys(r.pane.ID, "Escape")
			r.sameAs("plan", "02-after")
		}},
		{name: "api-error", words: true, drive: func(r *rig) {
			r.say("fail 400")
			r.untilHooks("StopFailure", 1)
			r.sameAs("api-error", "01-after")
			r.say("fail 529")
			r.untilHooks("StopFailure", 2)
			r.UntilText(r.pane.ID, "Resend your message to try again")
			r.UntilFormat(r.pane.ID, "#{cursor_x}", "2")
		}},
		{name: "queued", either: nil, drive: func(r *rig) {
			r.say("slow 2")
			r.untilHooks("UserPromptSubmit", 1)
			r.say("queued one")
			r.UntilText(r.pane.ID, "Press up to edit queued messages")
			r.untilHooks("Stop", 2)
		}},
	}
}

// backgroundScenarios are turns that leave work behind.
func backgroundScenarios() []scenario {
	sub := [][2]string{{"PreToolUse Bash sub", "Stop"}, {"SubagentStart general-purpose sub", "PostToolUse Agent"}, {"PermissionRequest Bash sub", "Stop"}}
	return []scenario{
		{name: "background-shell", words: true, drive: func(r *rig) {
			r.say("bgbash sleep 1")
			r.untilHooks("Stop", 1)
			r.sameAs("background-shell", "01-permission")
			r.untilHooks("Stop", 2)
			r.sameAs("background-shell", "03-after")
		}},
		{name: "subagent-permission", words: true, either: sub, drive: func(r *rig) {
			r.say("agent bash touch from-subagent.txt")
			r.untilHooks("Notification", 1)
			r.sameAs("subagent-permission", "01-permission")
			r.SendKeys(r.pane.ID, "Enter")
			r.untilHooks("Stop", 2)
		}},
		{name: "subagent", words: true, either: sub, drive: func(r *rig) {
			r.say("agent slow 1")
			r.untilHooks("Stop", 2)
		}},
	}
}

// sessionScenarios are commands of the program itself and its start.
func sessionScenarios() []scenario {
	return []scenario{
		{name: "clear", words: true, drive: func(r *rig) {
			r.say("hello")
			r.untilHooks("Stop", 1)
			r.untilWord(wordIdle)
			r.say("/clear")
			r.untilHooks("SessionStart", 2)
			r.untilWord(wordIdle)
			r.say("hello again")
			r.untilHooks("Stop", 2)
			r.sameAs("clear", "01-after")
		}},
		{name: "compact", words: true, drive: func(r *rig) {
			r.say("hello")
			r.untilHooks("Stop", 1)
			r.untilWord(wordIdle)
			r.say("/compact")
			r.untilHooks("PostCompact", 1)
			r.UntilText(r.pane.ID, "Compacted (ctrl+o to see full summary)")
		}},
		{name: "exit", words: true, drive: func(r *rig) {
			r.say("hello")
			r.untilHooks("Stop", 1)
			r.untilWord(wordIdle)
			r.say("/exit")
			r.untilHooks("SessionEnd", 1)
			r.UntilText(r.pane.ID, "Resume this session with:")
			r.UntilFormat(r.pane.ID, "#{alternate_on} #{pane_current_command} #{cursor_flag}", "0 bash 1")
		}},
		{name: "bash-mode", words: true, drive: func(r *rig) {
			r.Type(r.pane.ID, "! touch from-bash-mode.txt")
			r.sameAs("bash-mode", "01-bash-mode")
			r.SendKeys(r.pane.ID, "Enter")
			r.untilHooks("Stop", 1)
		}},
		{name: "trust", words: true, change: func(o *Options) { o.Trust = true }, drive: func(r *rig) {
			r.UntilText(r.pane.ID, "Yes, I trust this folder")
			r.UntilFormat(r.pane.ID, "#{alternate_on} #{cursor_x}", "0 1")
			if _, ok := r.registry(); ok || len(r.hooks()) > 0 {
				r.t.Error("there is a registry file or a hook before the folder is trusted")
			}
			r.SendKeys(r.pane.ID, "Down", "Enter")
			r.untilHooks("SessionStart", 1)
			r.ready()
		}},
	}
}

// TestLikeTheRecordings drives the simulation through recorded scenarios and compares screens,
// hooks and their fields, registry words and transcript with what the real program did.
func TestLikeTheRecordings(t *testing.T) {
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, sc.change)
			if sc.name != "trust" {
				r.ready()
			}
			sc.drive(r)
			r.compareHooks(sc)
			if sc.words {
				r.compareWords(sc.name)
			}
			r.compareTranscript(sc.name)
		})
	}
}

// hookName names a hook call with what tells it from others of its event.
func hookName(p map[string]any) string {
	name := fmt.Sprint(p["hook_event_name"])
	for _, k := range []string{"source", "reason", "tool_name", "error", "notification_type", "agent_type", "trigger"} {
		if v, ok := p[k]; ok && v != "" && !(k == "agent_type" && p["tool_name"] != nil) {
			name += fmt.Sprint(" ", v)
		}
	}
	if p["agent_id"] != nil {
		name += " sub"
	}
	return name
}

func (r *rig) compareHooks(sc scenario) {
	r.t.Helper()
	var want []map[string]any
	for _, l := range readLines(r.t, filepath.Join(recordings, sc.name, "hooks.jsonl")) {
		want = append(want, l["payload"].(map[string]any))
	}
	names := func(in []map[string]any) []string {
		var out []string
		for _, p := range in {
			out = append(out, hookName(p))
		}
		return out
	}
	var got []map[string]any
	r.Until(fmt.Sprintf("%d hooks", len(want)), func() bool { got = r.hooks(); return len(got) >= len(want) })
	w, g := names(want), names(got)
	if !sameOrder(w, g, sc.either) {
		r.t.Errorf("hooks differ from the recording\nrecorded %q\nhere     %q", w, g)
		return
	}
	for _, p := range got {
		compareFields(r.t, p, want)
	}
}

// sameOrder compares two orders; pairs in either may stand the other way round.
func sameOrder(want, got []string, either [][2]string) bool {
	if len(want) != len(got) {
		return false
	}
	w := slices.Clone(want)
	for i, g := range got {
		j := slices.Index(w, g)
		if j < 0 {
			return false
		}
		for _, before := range w[:j] {
			if !slices.ContainsFunc(either, func(p [2]string) bool {
				return p == [2]string{before, g} || p == [2]string{g, before}
			}) {
				return false
			}
		}
		w = slices.Delete(w, j, j+1)
		_ = i
	}
	return true
}

// compareFields checks that a payload has the fields of its recorded counterpart.
func compareFields(t *testing.T, got map[string]any, want []map[string]any) {
	t.Helper()
	name := hookName(got)
	for _, w := range want {
		if hookName(w) != name {
			continue
		}
		if g, w := keys(got), keys(w); !slices.Equal(g, w) {
			t.Errorf("%s: fields differ from the recording\nrecorded %q\nhere     %q", name, w, g)
		}
		return
	}
}

func keys(m map[string]any) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// compareWords compares the registry's words. Words that stood for less than a moment may have been
// missed by whoever watched the recording, so an idle between two busy ones does not count.
func (r *rig) compareWords(name string) {
	r.t.Helper()
	pid := ""
	var want []string
	for _, l := range readLines(r.t, filepath.Join(recordings, name, "timeline.jsonl")) {
		file, _ := l["file"].(string)
		if file == "" || strings.HasPrefix(file, "12674") && name != "killed" {
			continue // the stale file of the scenario "killed"
		}
		pid = file
		word := "gone"
		if c, ok := l["content"].(map[string]any); ok {
			s, _ := c["status"].(string)
			f, _ := c["waitingFor"].(string)
			word = strings.TrimSpace(s + " " + f)
		}
		want = append(want, word)
	}
	if pid == "" {
		r.t.Fatal("the recording has no registry file")
	}
	want = settle(want)
	var got []string
	r.Until(fmt.Sprintf("the registry words %q", want), func() bool {
		got = settle(r.words())
		return slices.Equal(got, want) || len(got) > len(want)
	})
	if !slices.Equal(got, want) {
		r.t.Errorf("registry words differ from the recording\nrecorded %q\nhere     %q", want, got)
	}
}

func settle(words []string) []string {
	var out []string
	for _, w := range words {
		n := len(out)
		switch {
		case n > 0 && out[n-1] == w:
		case n > 1 && out[n-1] == wordIdle && out[n-2] == wordBusy && w == wordBusy:
			out = out[:n-1]
		default:
			out = append(out, w)
		}
	}
	return out
}

// recordName names a transcript record by what readers tell records apart by.
func recordName(m map[string]any) string {
	name := fmt.Sprint(m["type"])
	for _, k := range []string{"subtype", "operation", "error"} {
		if v, ok := m[k]; ok {
			name += fmt.Sprint(" ", v)
		}
	}
	msg, _ := m["message"].(map[string]any)
	switch c := msg["content"].(type) {
	case string:
		if i := strings.IndexAny(c, ">\n"); strings.HasPrefix(c, "<") && i > 0 {
			name += " " + c[:i]
		}
	case []any:
		for _, b := range c {
			block := b.(map[string]any)
			name += fmt.Sprint(" ", block["type"])
			if s, _ := block["text"].(string); strings.HasPrefix(s, "[Request interrupted") {
				name += " interrupt"
			}
		}
	}
	return name
}

// compareTranscript compares the records of the conversation, of the scenario's last session.
func (r *rig) compareTranscript(name string) {
	r.t.Helper()
	files, _ := filepath.Glob(filepath.Join(recordings, name, "transcript-*.jsonl"))
	if len(files) == 0 {
		return
	}
	conversation := func(in []map[string]any) []string {
		var out []string
		for _, m := range in {
			switch m["type"] {
			case "user", "assistant", "system", "queue-operation":
				if n := recordName(m); m["isMeta"] != true && n != "user <local-command-stdout" && n != "user <local-command-caveat" {
					out = append(out, n)
				}
			}
		}
		return out
	}
	var all, here []string
	for _, f := range files {
		all = append(all, strings.Join(conversation(readLines(r.t, f)), ", "))
	}
	mine, _ := filepath.Glob(filepath.Join(r.dir, "projects", "*", "*.jsonl"))
	same := func() bool {
		here = nil
		for _, f := range mine {
			here = append(here, strings.Join(conversation(readLines(r.t, f)), ", "))
		}
		slices.Sort(here)
		return slices.Equal(all, here)
	}
	slices.Sort(all)
	if poll(same) {
		return
	}
	r.t.Errorf("transcripts differ from the recording\nrecorded %s\nhere     %s", strings.Join(all, "\n         "), strings.Join(here, "\n         "))
}
