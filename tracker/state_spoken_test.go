package tracker

import (
	"reflect"
	"testing"
)

// TestACopyOfAnAgentIsNoAgent: for a moment a program that an agent starts is a copy of the agent,
// name and arguments included. Once the agent has said that it is one, the copy is no row.
func TestACopyOfAnAgentIsNoAgent(t *testing.T) {
	table := append([]Process{{PID: 300, PPID: 200, Start: 9000, Name: "claude", Args: []string{"claude"}, Group: 200, TermGroup: 200}}, claude(0)...)
	seen := ProcessesSeen{At: at(1), Complete: true, Procs: table}
	want := map[PaneID]string{"%0": "idle s1"}
	for name, spoken := range map[string]Event{
		"by its registry file": registry(2, 0, "s1", "idle"),
		"by a hook":            hooked(2, 0, Hook{Name: HookSessionStart, SessionID: "s1", StartSource: "startup"}),
	} {
		for order, evs := range map[string][]Event{
			"seen before": {listed(0, 0), seen, spoken},
			"seen after":  {listed(0, 0), spoken, ProcessesSeen{At: at(3), Complete: true, Procs: table}},
		} {
			if got := rows(play(evs...)); !reflect.DeepEqual(got, want) {
				t.Errorf("%s, %s: %v, want %v", name, order, got, want)
			}
		}
	}
}
