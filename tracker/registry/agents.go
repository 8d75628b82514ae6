package registry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"signalbox/tracker"
)

// ErrNoList says that the output of `claude agents --json` is no list: this Claude Code has no such
// command (before 2.1.145) and printed something else.
var ErrNoList = errors.New("no list of agents")

// maxRows bounds the rows of one answer.
const maxRows = 4096

// DecodeAgents reads the output of `claude agents --json`. Words stay as they are, fields of
// another type count as missing, and rows that are no objects are passed over.
func DecodeAgents(data []byte) ([]tracker.AgentsEntry, error) {
	data = bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")))
	if len(data) == 0 || data[0] != '[' {
		return nil, ErrNoList
	}
	var raws []json.RawMessage
	if err := json.Unmarshal(data, &raws); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoList, err)
	}
	rows := make([]tracker.AgentsEntry, 0, min(len(raws), maxRows))
	for _, raw := range raws[:min(len(raws), maxRows)] {
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil || fields == nil {
			continue
		}
		o := object(fields)
		row := tracker.AgentsEntry{
			SessionID:  o.text("sessionId"),
			CWD:        o.text("cwd"),
			Kind:       o.text("kind"),
			Name:       o.text("name"),
			Status:     o.text("status"),
			WaitingFor: o.text("waitingFor"),
			ID:         o.text("id"),
			State:      o.text("state"),
			StartedAt:  o.time("startedAt"),
		}
		if n, ok := o.number("pid"); ok && n > 0 && n <= 1<<31-1 && n == float64(int(n)) {
			row.PID = int(n)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
