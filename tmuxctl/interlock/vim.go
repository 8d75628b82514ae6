package interlock

import (
	"encoding/json"
	"fmt"
)

// VimKeys reports whether settings files of Claude Code give the input box vim keys. Files are given
// strongest first (project local, project, user, then the old ~/.claude.json); the first that says
// anything decides. An empty file says nothing; one that is not JSON is an error, because then it
// is not known.
func VimKeys(files ...[]byte) (bool, error) {
	for _, f := range files {
		if len(f) == 0 {
			continue
		}
		var s struct {
			EditorMode string `json:"editorMode"`
		}
		if err := json.Unmarshal(f, &s); err != nil {
			return false, fmt.Errorf("reading the editor mode: %w", err)
		}
		if s.EditorMode != "" {
			return s.EditorMode == "vim", nil
		}
	}
	return false, nil
}
