package tracker

import (
	"strings"
	"testing"
)

// TestWhatIsSaidToChangeAVerdictDoes: of each verdict the explanation names what would end it, and that
// does.
func TestWhatIsSaidToChangeAVerdictDoes(t *testing.T) {
	session := func(h Hook) Hook { h.SessionID = "s1"; return h }
	prompt := hooked(2, 0, session(Hook{Name: HookUserPromptSubmit, PromptID: "p"}))
	before := func(s Status) Event {
		return Restored{At: at(1), Verdicts: []RestoredVerdict{{ID: AgentID{200, 5000}, Status: s, Since: at(-60)}}}
	}
	alive := ProcessesSeen{At: at(1), Complete: true, Procs: claude(0)}
	dialog := registry(9, 0, "s1", "waiting")
	dialog.Entry.WaitingFor = "dialog open"
	unproven := registry(3, 0, "s1", "busy")
	unproven.Trust = TrustUnproven
	looked := Acknowledged{At: at(12), Pane: "%0"}
	for _, row := range []struct {
		name  string
		given []Event
		is    Status
		word  string // of what is said to change it
		then  Event
		want  Status
	}{
		{"idle, a prompt", []Event{registry(2, 0, "s1", "idle")}, StatusIdle, "next prompt", registry(9, 0, "s1", "busy"), StatusBusy},
		{"idle, a dialog", []Event{registry(2, 0, "s1", "idle")}, StatusIdle, "a dialog", dialog, StatusNeedsInput},
		{"a dialog is closed", []Event{dialog}, StatusNeedsInput, "closing the dialog", registry(12, 0, "s1", "idle"), StatusIdle},
		{"busy", []Event{registry(2, 0, "s1", "busy")}, StatusBusy, "end of the turn", registry(9, 0, "s1", "idle"), StatusIdle},
		{"busy, a dialog", []Event{registry(2, 0, "s1", "busy")}, StatusBusy, "a dialog", dialog, StatusNeedsInput},
		{"background work ends", []Event{registry(2, 0, "s1", "shell")}, StatusBusy, "end of the background work", registry(9, 0, "s1", "idle"), StatusIdle},
		{"suspended", []Event{registry(2, 0, "s1", "idle"), ProcessesSeen{At: at(5), Complete: true, Procs: stoppedClaude(0)}}, StatusUnknown, "fg", ProcessesSeen{At: at(9), Complete: true, Procs: claude(0)}, StatusIdle},
		{"a review of before the restart", []Event{alive, before(StatusReview)}, StatusReview, "acknowledging", looked, StatusIdle},
		{"a review of before the restart, a file", []Event{alive, before(StatusReview)}, StatusReview, "registry file", registry(9, 0, "s1", "busy"), StatusBusy},
		{"busy before the restart", []Event{alive, before(StatusBusy)}, StatusUnknown, "first hook", hooked(9, 0, session(Hook{Name: HookUserPromptSubmit, PromptID: "q"})), StatusBusy},
		{"not believed, a hook", []Event{alive, unproven}, StatusUnknown, "a hook", hooked(9, 0, session(Hook{Name: HookUserPromptSubmit, PromptID: "q"})), StatusBusy},
		{"a review", []Event{prompt, hooked(5, 0, session(Hook{Name: HookStop, PromptID: "p"}))}, StatusReview, "acknowledging", looked, StatusIdle},
	} {
		s := play(append([]Event{listed(0, 0)}, row.given...)...)
		s.Settle(at(11))
		_, x := explained(t, s)
		if x.Status != row.is.String() || !strings.Contains(x.Changes, row.word) {
			t.Errorf("%s: %s (%s) changes when %q, want %s and %q", row.name, x.Status, x.Reason, x.Changes, row.is, row.word)
			continue
		}
		s.Apply(row.then)
		s.Settle(at(14))
		if _, y := explained(t, s); y.Status != row.want.String() {
			t.Errorf("%s: it is %s (%s) then, want %s", row.name, y.Status, y.Reason, row.want)
		}
	}
}

// TestWhatChangesIsNotSaidOfSomethingElse: the work of a turn beside a background task ends with the
// turn, and nothing wakes a process that is gone.
func TestWhatChangesIsNotSaidOfSomethingElse(t *testing.T) {
	for _, row := range []struct {
		v    Verdict
		want string
	}{
		{Verdict{Status: StatusBusy, Reason: "works", Background: 1}, "the end of the turn, a dialog, or Esc"},
		{Verdict{Status: StatusBusy, Reason: reasonBackground, Background: 1}, "the end of the background work, or the next prompt"},
		{Verdict{Status: StatusBusy, Reason: "compacts the conversation", Compacting: true}, "the end of the compaction"},
		{Verdict{Status: StatusUnknown, Gone: true}, "the row goes, in a moment"},
	} {
		if got := whatChanges(row.v); got != row.want {
			t.Errorf("%+v changes when %q, want %q", row.v, got, row.want)
		}
	}
}
