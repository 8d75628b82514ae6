package tracker

import "time"

// HookName is the name of a Claude Code hook event. Unknown names are normal.
type HookName string

const (
	HookSessionStart       HookName = "SessionStart"
	HookSessionEnd         HookName = "SessionEnd"
	HookUserPromptSubmit   HookName = "UserPromptSubmit"
	HookPreToolUse         HookName = "PreToolUse"
	HookPermissionRequest  HookName = "PermissionRequest"
	HookPermissionDenied   HookName = "PermissionDenied"
	HookPostToolUse        HookName = "PostToolUse"
	HookPostToolUseFailure HookName = "PostToolUseFailure"
	HookNotification       HookName = "Notification"
	HookStop               HookName = "Stop"
	HookStopFailure        HookName = "StopFailure"
	HookSubagentStart      HookName = "SubagentStart"
	HookSubagentStop       HookName = "SubagentStop"
	HookPreCompact         HookName = "PreCompact"
	HookPostCompact        HookName = "PostCompact"
	HookElicitation        HookName = "Elicitation"
	HookElicitationResult  HookName = "ElicitationResult"
	HookCwdChanged         HookName = "CwdChanged"
)

// Hook is one decoded and bounded hook call. All strings are untrusted and cut to a few hundred
// characters by the decoder, so that a 30 MB payload costs what a small one does.
type Hook struct {
	Name           HookName
	SessionID      string
	TranscriptPath string
	CWD            string
	PromptID       string // "" before Claude Code 2.1.196
	PermissionMode string
	SubagentID     string // `agent_id`: the call came from inside a subagent
	SubagentType   string

	StartSource  string // SessionStart: startup, resume, clear, compact, fork
	EndReason    string // SessionEnd
	Title        string
	Model        string
	Prompt       string // UserPromptSubmit
	Tool         string // tool_name
	ToolUseID    string
	ToolDetail   string // the input's most telling argument, one line: a command, a path, a question
	ToolKey      string // short digest of name and input: joins a PermissionRequest, which has no id, to its tool call
	Notification string // notification_type
	Message      string
	LastMessage  string // Stop: the assistant's last words
	Error        string // StopFailure: error kind
	Trigger      string // PreCompact, PostCompact: manual, auto
	Background   []BackgroundTask
	Crons        int

	Pane      PaneID // TMUX_PANE as inherited: a hint, never identity
	Tmux      string // TMUX as inherited
	ClaudePID int    // CLAUDE_PID, 0 before 2.1.214
	ParentPID int
}

// BackgroundTask is one entry of a Stop hook's background_tasks.
type BackgroundTask struct {
	ID          string
	Type        string // "shell", "subagent", …
	Status      string // "running", …
	Description string
}

// TranscriptFacts is the sum of a transcript from its tail: for each kind of fact the newest one.
type TranscriptFacts struct {
	Path          string
	CWD           string
	GitBranch     string
	Version       string
	Model         string
	Mode          string // permission mode
	CustomTitle   string
	AITitle       string
	Prompt        string // last real prompt of a person
	PromptAt      time.Time
	LastText      string // last words of the assistant on the main chain
	LastTextAt    time.Time
	Tool          string // newest tool call on the main chain
	ToolDetail    string
	ToolUseID     string
	ToolAt        time.Time
	ToolPending   bool      // it has no result yet
	ResultOf      string    // the tool call on the main chain that last came back as a success
	ResultAt      time.Time // when it did
	InterruptedAt time.Time
	TurnEndAt     time.Time // `turn_duration`: a turn was completed
	CompactedAt   time.Time
	Error         string // kind or text of the newest API error
	ErrorAt       time.Time
	Queued        []string // prompts waiting in Claude's own queue
	QueueWaits    bool     // something does, a notice of the harness included
	Tokens        Tokens
	TokensPartial bool      // the beginning of the file is not counted yet: Tokens is a lower bound
	LastAt        time.Time // newest timestamp of any record
}

// Tokens counts what the API answers of this session cost, each message id once.
type Tokens struct {
	Input      int `json:"input"`
	Output     int `json:"output"`
	CacheRead  int `json:"cacheRead"`
	CacheWrite int `json:"cacheWrite"`
}
