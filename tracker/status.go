package tracker

import (
	"fmt"
	"time"
)

// Status is the verdict on one agent.
type Status uint8

// The order is that of urgency: a window shows its most urgent agent, a session its most urgent
// window. StatusNone stands for "no agent here". A failed review ranks above a plain one; see
// Verdict.Urgency.
const (
	StatusNone Status = iota
	StatusIdle
	StatusBusy
	StatusUnknown
	StatusReview
	StatusNeedsInput
)

var statusNames = [...]string{"none", "idle", "busy", "unknown", "review", "needs-input"}

// Statuses lists every status an agent can have, most urgent first.
func Statuses() []Status {
	return []Status{StatusNeedsInput, StatusReview, StatusUnknown, StatusBusy, StatusIdle}
}

func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status(%d)", uint8(s))
}

// ParseStatus is the inverse of String.
func ParseStatus(name string) (Status, bool) {
	for i, n := range statusNames {
		if n == name {
			return Status(i), true
		}
	}
	return StatusNone, false
}

// MarshalText and UnmarshalText use the words of String.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

func (s *Status) UnmarshalText(b []byte) error {
	v, ok := ParseStatus(string(b))
	if !ok {
		return fmt.Errorf("unknown status %q", b)
	}
	*s = v
	return nil
}

// Verdict is what Judge says of one agent: a status with its reason, its source and its age, and
// the modifiers shown beside it.
type Verdict struct {
	Status Status    `json:"status"`
	Reason string    `json:"reason"` // in words people use: "waits for permission", "done", "suspended (fg to resume)"
	Source Source    `json:"source"` // whose fact decided
	Since  time.Time `json:"since"`  // when this status began
	FactAt time.Time `json:"factAt"` // time of the deciding fact

	Gone        bool   `json:"gone,omitempty"`   // the process is gone; the row is about to go
	Dialog      bool   `json:"dialog,omitempty"` // the person's own dialog (/model …): shown, not notified
	Background  int    `json:"background"`       // running background tasks
	Subagents   int    `json:"subagents"`        // subagents at work
	Compacting  bool   `json:"compacting"`
	Failed      string `json:"failed"` // API error kind of a failed turn
	Interrupted bool   `json:"interrupted,omitempty"`
	Suspended   bool   `json:"suspended,omitempty"`
	Starting    bool   `json:"starting,omitempty"`
	Quiet       bool   `json:"quiet,omitempty"`    // busy, but no sign of progress for minutes
	QuietFor    int    `json:"quietFor,omitempty"` // for how many minutes

	// Next is when the passing of time alone may change this verdict; zero for never.
	Next time.Time `json:"-"`
}

// Urgency orders verdicts: needs-input, failed review, review, unknown, busy, idle, nothing. The person's
// own dialog ranks with unknown: it must not speak for a window or a session in which somebody waits.
func (v Verdict) Urgency() int {
	u := int(v.Status) * 2
	switch {
	case v.Status == StatusReview && v.Failed != "":
		u++
	case v.Status == StatusNeedsInput && v.Dialog:
		u = int(StatusUnknown) * 2
	}
	return u
}

// NeedsPerson reports whether somebody has to do something about it. The person's own dialog does
// not count: they opened it.
func (v Verdict) NeedsPerson() bool {
	return v.Status == StatusNeedsInput && !v.Dialog || v.Status == StatusReview
}

// WindowKind is the public status file's word for a window (statusKind).
type WindowKind uint8

const (
	KindIdle WindowKind = iota
	KindActive
	KindRunning
	KindWaiting
	KindError
)

var kindNames = [...]string{"idle", "active", "running", "waiting", "error"}

func (k WindowKind) String() string { return kindNames[k] }

// MarshalText writes the word of the public contract.
func (k WindowKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads it back.
func (k *WindowKind) UnmarshalText(b []byte) error {
	for i, n := range kindNames {
		if n == string(b) {
			*k = WindowKind(i)
			return nil
		}
	}
	return fmt.Errorf("unknown window kind %q", b)
}
