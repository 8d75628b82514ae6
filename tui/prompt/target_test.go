package prompt

import (
	"testing"

	"signalbox/tracker"
)

func TestWhatAnAgentWaitsForIsSaidInWords(t *testing.T) {
	for _, c := range []struct{ tool, detail, want string }{
		{"Bash", "ls > a", "Bash: ls > a"},
		{"Agent", "", "Agent"},
		{"AskUserQuestion", "Which database?", "Which database?"},
		{"ExitPlanMode", "", ""},
		{"", "", ""},
	} {
		if got := asked(&tracker.AgentRow{Tool: c.tool, ToolDetail: c.detail}); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.tool, c.detail, got, c.want)
		}
	}
}
