package tracker

import "time"

// Evidence is everything known about one agent, the newest fact of each kind with its time. It is
// all that Judge sees besides the clock.
type Evidence struct {
	FirstSeen  time.Time          `json:"firstSeen"` // when any source first told of the process
	Process    ProcessEvidence    `json:"process"`
	Registry   RegistryEvidence   `json:"registry"`
	Hooks      HookEvidence       `json:"hooks"`
	Transcript TranscriptEvidence `json:"transcript"`
	Agents     AgentsEvidence     `json:"agents"`
	Screen     ScreenEvidence     `json:"screen"`
	Restored   RestoredEvidence   `json:"restored"`
	LookedAt   time.Time          `json:"lookedAt"` // newest look of the person: jump or acknowledge
	OutputAt   time.Time          `json:"outputAt"` // newest output of its window, second resolution
	// QuietAfter is no fact but a person's choice: 0 means the constant, negative never.
	QuietAfter time.Duration `json:"quietAfter,omitempty"`
}

// ProcessEvidence is what the process table says.
type ProcessEvidence struct {
	At        time.Time `json:"at"` // when it was last looked at
	Gone      bool      `json:"gone"`
	Stopped   bool      `json:"stopped"`
	StoppedAt time.Time `json:"stoppedAt"` // when it was first seen stopped
	Ran       bool      `json:"ran"`       // it was seen running by this board
	Claude    bool      `json:"claude"`    // the executable is Claude Code's by name
	Headless  bool      `json:"headless"`  // `claude -p`: it shows no dialog and takes no prompt
	Began     time.Time `json:"began"`     // when the process started; zero when unknown
}

// RegistryEvidence is Claude's own word.
type RegistryEvidence struct {
	At         time.Time `json:"at"` // when the file was read; zero when there is none
	Trust      Trust     `json:"trust"`
	Word       string    `json:"word"`
	WaitingFor string    `json:"waitingFor"`
	StatusAt   time.Time `json:"statusAt"`         // `statusUpdatedAt`
	WaitingAt  time.Time `json:"waitingAt"`        // StatusAt of the newest "waiting"
	WorkedAt   time.Time `json:"workedAt"`         // StatusAt of the newest "busy"
	RestedAt   time.Time `json:"restedAt"`         // StatusAt of the newest "idle" or "shell"
	ShellAt    time.Time `json:"shellAt,omitzero"` // StatusAt of the newest "shell"
	RemovedAt  time.Time `json:"removedAt"`        // the file went away while the process lived on
	Kind       string    `json:"kind"`             // "interactive", "bg"
	StartedAt  time.Time `json:"startedAt"`        // when the process started, in its own word
}

// TranscriptEvidence is what the transcript says.
type TranscriptEvidence struct {
	At            time.Time `json:"at"`
	LastAt        time.Time `json:"lastAt"`
	PromptAt      time.Time `json:"promptAt"`
	InterruptedAt time.Time `json:"interruptedAt"`
	TurnEndAt     time.Time `json:"turnEndAt"`
	ErrorAt       time.Time `json:"errorAt"`
	Error         string    `json:"error"`
	Tool          string    `json:"tool"`
	ToolDetail    string    `json:"toolDetail"`
	ToolAt        time.Time `json:"toolAt"`
	ToolPending   bool      `json:"toolPending"`
	QueueWaits    bool      `json:"queueWaits,omitempty"` // Claude's own queue of prompts and notices is not empty
	ResultOf      string    `json:"resultOf,omitempty"`   // id of the call that came back last
	ResultAt      time.Time `json:"resultAt,omitzero"`
}

// AgentsEvidence is the row of `claude agents --json` for this process.
type AgentsEvidence struct {
	At         time.Time `json:"at"`
	Since      time.Time `json:"since"` // since when every list has said the same
	Status     string    `json:"status"`
	WaitingFor string    `json:"waitingFor"`
	State      string    `json:"state"`
	Missing    bool      `json:"missing"` // the list was read and does not name this process
}

// ScreenEvidence is what a look at the screen found.
type ScreenEvidence struct {
	At       time.Time `json:"at"`
	Composer bool      `json:"composer"`
	Dialog   bool      `json:"dialog"`
}

// RestoredEvidence is the verdict of an earlier run of the board.
type RestoredEvidence struct {
	At        time.Time `json:"at"`
	Status    Status    `json:"status"`
	Since     time.Time `json:"since"`
	Suspended bool      `json:"suspended,omitempty"`
}
