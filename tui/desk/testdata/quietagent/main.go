// Command quietagent stands in for `claude` where many are needed: a process that does nothing, and
// the list of agents that `claude agents --json` prints. What it says of itself in the sessions
// folder is written by whoever started it.
package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"time"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "agents" {
		list()
		return
	}
	time.Sleep(time.Duration(1<<63 - 1))
}

// list prints a row for every file of the sessions folder, and notes the call in the file that
// QUIETAGENT_LOG names.
func list() {
	rows := []map[string]any{}
	files, _ := filepath.Glob(filepath.Join(os.Getenv("CLAUDE_CONFIG_DIR"), "sessions", "*.json"))
	for _, f := range files {
		var row map[string]any
		if data, err := os.ReadFile(f); err == nil && json.Unmarshal(data, &row) == nil {
			rows = append(rows, row)
		}
	}
	_ = json.NewEncoder(os.Stdout).Encode(rows)
	if log, err := os.OpenFile(os.Getenv("QUIETAGENT_LOG"), os.O_APPEND|os.O_WRONLY, 0); err == nil {
		_, _ = log.WriteString("claude\n")
		_ = log.Close()
	}
}
