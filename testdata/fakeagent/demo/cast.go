package demo

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"signalbox/testdata/fakeagent"
)

// agent is one simulated Claude Code of the demo.
type agent struct {
	name    string
	dir     string // below the home folder
	options fakeagent.Options
}

const (
	keyEsc  = "\x1b"
	keyStop = "\x1a" // Ctrl-Z
)

// at is a step some seconds after the one before it.
func at(wait int, s fakeagent.Step) fakeagent.Step {
	s.Wait = time.Duration(wait) * time.Second
	return s
}

func prompt(text string, acts ...string) fakeagent.Step {
	return fakeagent.Step{Prompt: text, Acts: strings.Join(acts, "\n")}
}

// answer presses a key in a dialog, if nobody else has answered it.
func answer(key string) fakeagent.Step { return fakeagent.Step{Keys: key, When: "dialog"} }

// cast is every agent of the demo with its script. Each walks through something within the first
// minute and repeats the part from loopFrom, calmly, for ever.
func cast() []agent {
	return []agent{
		{"api-worker", "src/api", fakeagent.Options{Script: apiWorker(), LoopFrom: 2}},
		{"pairing", "src/api", fakeagent.Options{}},
		{"settings-page", "src/web", fakeagent.Options{Script: settingsPage(), LoopFrom: 2}},
		{"review", "src/web", fakeagent.Options{Script: review(), LoopFrom: 1}},
		{"cluster-plan", "src/infra", fakeagent.Options{Script: clusterPlan(), LoopFrom: 2, PermissionMode: "plan"}},
		{"orders-table", "src/infra", fakeagent.Options{Script: ordersTable(), PermissionMode: "acceptEdits"}},
		{"guide", "src/docs", fakeagent.Options{Script: guide(), LoopFrom: 4}},
		{"legacy", "src/docs", fakeagent.Options{Version: "2.0.76", NoHooks: true}},
		{"handbook", "src/handbook", fakeagent.Options{Trust: true, Script: handbook()}},
		{"nightly", "src/docs", fakeagent.Options{Script: nightly()}},
	}
}

// apiWorker asks for permission, and is done at 26 s.
func apiWorker() []fakeagent.Step {
	return []fakeagent.Step{
		at(3, prompt("Run the tests and fix the first failure.",
			"think 1", "tool Read internal/http/server.go", "think 1", "bash go test ./... # run the test suite", "think 5",
			"tool Edit internal/http/server.go", "think 2",
			"say All 214 tests pass. The handler forgot to close the response body; I added the missing defer.")),
		at(15, answer("1")),
		at(50, prompt("Add a timeout to the outgoing requests.",
			"tool Grep http.Client", "think 4", "tool Read internal/http/client.go", "think 6", "tool Edit internal/http/client.go", "think 8",
			"bash go test ./internal/http # check the client", "think 3", "say Requests now end after 10 seconds. Three tests cover it.")),
		at(45, answer("1")),
		at(60, prompt("/compact")),
	}
}

// settingsPage asks a question at 25 s, and is done at 55 s.
func settingsPage() []fakeagent.Step {
	return []fakeagent.Step{
		at(20, prompt("Add a start date to the settings page.",
			"tool Read src/pages/Settings.tsx", "think 4",
			"ask Which date picker should I use? Native input: no dependency | Own component: looks the same everywhere",
			"think 7", "tool Edit src/pages/Settings.tsx", "think 2", "say The settings page has a start date now. It uses the native input.")),
		at(24, answer("1")),
		at(76, prompt("Make the form work with the keyboard alone.",
			"tool Grep onClick", "think 9", "tool Edit src/components/Form.tsx", "think 11", "tool Bash npm run lint", "think 6",
			"say Every field and button can be reached with Tab; the focus ring is back.")),
		at(110, prompt("Translate the new labels.",
			"tool Read src/i18n/en.json", "think 8", "ask Which languages are needed now? German and French: the two we ship | All six: takes longer",
			"think 8", "say German and French are in place.")),
		at(50, answer("1")),
	}
}

// review fails with an API error at 20 s.
func review() []fakeagent.Step {
	return []fakeagent.Step{
		at(2, prompt("Review the open diff.",
			"tool Bash git diff main", "think 5", "tool Read src/App.tsx", "think 5", "tool Read src/router.ts", "think 5", "fail 529")),
		at(80, prompt("Go on with the review.",
			"tool Read src/router.ts", "think 12", "tool Read src/store.ts", "think 10",
			"say Two remarks: the route guard runs twice, and the store keeps a stale user after logout.")),
		at(140, prompt("Write the remarks as comments.", "think 9", "tool Edit src/router.ts", "think 4", "say Both comments are in place.")),
	}
}

// clusterPlan has a plan approved at 22 s and works in the background until 52 s.
func clusterPlan() []fakeagent.Step {
	return []fakeagent.Step{
		at(5, prompt("Plan the move to the new cluster.",
			"tool Read main.tf", "think 4", "tool Grep aws_instance", "think 2",
			"say The move can be done without downtime: add the new node group beside the old one, move the workers, drain the old one.", "think 1",
			"plan 1. add the new node group  2. move the workers  3. drain and remove the old group",
			"bgbash 28s terraform plan -out=next.tfplan # preview the change", "say The preview runs in the background. I continue when it is ready.")),
		at(17, answer("1")),
		at(90, prompt("What would it cost?", "think 7", "tool Read variables.tf", "think 6",
			"say About a fifth less than now, because the new nodes are smaller.")),
		at(70, prompt("Preview it again with three nodes.", "bgbash 40s terraform plan -var nodes=3 # preview the change", "say The preview is running.")),
		at(90, prompt("Thanks, keep it at that.", "think 2", "say Fine. Nothing was applied.")),
	}
}

// ordersTable is suspended from 18 s on, until the shell it runs in brings it back.
func ordersTable() []fakeagent.Step {
	return []fakeagent.Step{
		at(5, prompt("Write the migration for the orders table.",
			"tool Read db/schema.sql", "think 3", "write db/0042_orders.sql", "think 1", "say The migration is written; it can be rolled back.")),
		at(13, fakeagent.Step{Keys: keyStop}),
		at(70, prompt("Check it against the backup.", "tool Bash psql -f db/0042_orders.sql", "think 9", "say It applies cleanly in 1.3 seconds.")),
		at(40, fakeagent.Step{Keys: keyStop}),
		at(52, fakeagent.Step{}), // the rest of a round
	}
}

// guide lets a subagent ask at 24 s, and is interrupted at 56 s.
func guide() []fakeagent.Step {
	return []fakeagent.Step{
		at(21, prompt("Check every example in the guide.",
			"tool Glob docs/**/*.md", "agent [check the examples] bash npx markdown-link-check docs/guide.md # check the links",
			"say A helper checks the examples; I wait for it.")),
		at(16, answer("1")),
		at(7, prompt("Rewrite the install page.", "tool Read docs/install.md", "slow 40 Installing takes three steps: get the archive for your system, unpack it into a folder on your path, and run the doctor once. It says what is missing and how to get it, and it changes nothing by itself. Where a package manager is at hand, use that instead, because it also brings updates.")),
		at(12, fakeagent.Step{Keys: keyEsc, When: "busy"}),
		at(70, prompt("Shorten the introduction.", "tool Read docs/index.md", "think 14", "tool Edit docs/index.md", "think 9",
			"say The introduction went from 600 words to 180.")),
		at(110, prompt("Add an example for the new flag.", "think 10", "tool Edit docs/flags.md", "think 12", "say Added, with its output.")),
	}
}

// handbook waits in the trust dialog until 34 s and leaves at the end of its round; the shell
// starts it again.
func handbook() []fakeagent.Step {
	return []fakeagent.Step{
		at(34, answer("\x1b[B\r")),
		at(6, prompt("Summarise the release notes.", "tool Read CHANGELOG.md", "think 8", "say Four fixes, two new flags, nothing breaks.")),
		at(100, prompt("/exit")),
	}
}

// nightly dies in the middle of its work at 42 s; the shell starts it again.
func nightly() []fakeagent.Step {
	return []fakeagent.Step{
		at(7, prompt("Build the whole site and compare it with yesterday's.",
			"tool Bash npm run build", "think 20", "tool Bash diff -r public yesterday", "think 120", "say No difference.")),
		at(35, fakeagent.Step{Do: "crash"}),
	}
}

// backgroundRows are the agents without a pane, as `claude agents --json` lists them.
func backgroundRows(home string) []byte {
	rows := []map[string]any{
		{"id": "662cc699", "cwd": filepath.Join(home, "src/docs"), "kind": "background", "startedAt": 1718500000000, "name": "link-check", "state": "working", "status": "busy"},
		{"id": "1209a857", "cwd": filepath.Join(home, "src/web"), "kind": "background", "startedAt": 1718500100000, "name": "screenshots", "state": "done"},
	}
	b, err := json.Marshal(rows)
	if err != nil {
		panic(fmt.Sprintf("encoding constants: %v", err)) // cannot happen
	}
	return b
}
