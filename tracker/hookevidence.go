package tracker

import "time"

// HookEvidence is what the hooks of one agent said: per kind the newest fact. Hooks arrive late
// and in any order, so nothing here depends on arrival: adding the same calls in any order gives
// the same evidence.
type HookEvidence struct {
	At           time.Time        `json:"at"`    // newest hook of any kind
	Start        HookFact         `json:"start"` // newest SessionStart that begins something (not "compact")
	End          HookFact         `json:"end"`   // newest SessionEnd
	Turns        []TurnFact       `json:"turns,omitempty"`
	Tools        []ToolFact       `json:"tools,omitempty"`
	Requests     []RequestFact    `json:"requests,omitempty"`
	Notice       HookFact         `json:"notice"` // newest Notification that may mean a dialog
	IdleNotice   time.Time        `json:"idleNotice"`
	Answered     time.Time        `json:"answered"` // newest ElicitationResult or the like
	Compact      time.Time        `json:"compact"`  // newest PreCompact
	Compacted    time.Time        `json:"compacted"`
	Background   []BackgroundTask `json:"background,omitempty"` // still running at the newest Stop
	BackgroundAt time.Time        `json:"backgroundAt"`         // time of that Stop
	Subagents    []SubagentFact   `json:"subagents,omitempty"`
}

// HookFact is one hook call of a kind of which only the newest matters.
type HookFact struct {
	At     time.Time `json:"at"`
	Kind   string    `json:"kind"`
	Detail string    `json:"detail,omitempty"`
}

// TurnFact is what the hooks said of one prompt. Turns without a prompt_id (older Claude) all
// share the id "".
type TurnFact struct {
	ID       string    `json:"id"`
	First    time.Time `json:"first"`    // earliest hook of this prompt on the main chain
	Asked    time.Time `json:"asked"`    // oldest UserPromptSubmit; an earlier one than Prompt means queued input
	Prompt   time.Time `json:"prompt"`   // newest UserPromptSubmit
	Work     time.Time `json:"work"`     // newest PreToolUse on the main chain
	Progress time.Time `json:"progress"` // newest hook of any kind on the main chain
	Ended    time.Time `json:"ended"`    // newest Stop or StopFailure
	Failed   string    `json:"failed,omitempty"`
}

// ToolFact is one tool call.
type ToolFact struct {
	UseID    string    `json:"useId"`
	Subagent string    `json:"subagent,omitempty"`
	Prompt   string    `json:"prompt,omitempty"`
	Tool     string    `json:"tool"`
	Detail   string    `json:"detail"`
	Key      string    `json:"key"`
	Pre      time.Time `json:"pre"`
	Post     time.Time `json:"post"`
}

// RequestFact is one PermissionRequest. It has no id; Key joins it to its tool call.
type RequestFact struct {
	At       time.Time `json:"at"`
	Subagent string    `json:"subagent,omitempty"`
	Prompt   string    `json:"prompt,omitempty"`
	Tool     string    `json:"tool"`
	Detail   string    `json:"detail"`
	Key      string    `json:"key"`
}

// SubagentFact is the life of one subagent.
type SubagentFact struct {
	ID      string    `json:"id"`
	Started time.Time `json:"started"`
	Ended   time.Time `json:"ended"`
}
