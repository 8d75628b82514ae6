package tracker

import (
	"testing"
)

// Rules 1 and 2: the process decides.
func TestJudgeByProcess(t *testing.T) {
	judgeAll(t, []judged{
		{
			"a process that is gone is gone whatever its file says",
			Evidence{Process: ProcessEvidence{Gone: true}, Registry: word("waiting", 1)},
			9,
			Verdict{Status: StatusUnknown, Reason: "gone", Source: SourceProcess, Gone: true},
		},
		{
			"a stopped process is suspended although Claude's word says idle",
			Evidence{Process: ProcessEvidence{Stopped: true}, Registry: word("idle", 1)},
			9,
			Verdict{Status: StatusUnknown, Reason: "suspended (fg to resume)", Source: SourceProcess, Suspended: true},
		},
	})
}

// Rule 3: Claude's own word.
func TestJudgeByRegistry(t *testing.T) {
	running := BackgroundTask{ID: "a1", Type: "subagent", Status: "running"}
	judgeAll(t, []judged{
		{
			"busy for 40 minutes is busy: age alone says nothing (B12)",
			Evidence{Registry: word("busy", 0), OutputAt: at(2399)},
			2400,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceRegistry},
		},
		{
			"a word nobody knows is unknown, never idle (B11)",
			Evidence{Registry: word("hibernating", 1)},
			9,
			Verdict{Status: StatusUnknown, Reason: `new status word "hibernating"`, Source: SourceRegistry},
		},
		{
			"shell is busy with background work (B11)",
			Evidence{Registry: word("shell", 1)},
			9,
			Verdict{Status: StatusBusy, Reason: "background work", Source: SourceRegistry, Background: 1},
		},
		{
			"the person's own dialog is shown as one",
			Evidence{Registry: RegistryEvidence{At: at(1), Word: "waiting", WaitingFor: "dialog open", StatusAt: at(1)}},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "has a dialog open", Source: SourceRegistry, Dialog: true},
		},
		{
			"a dialog in the middle of a turn is Claude's: the person's own leaves the word at busy",
			Evidence{Registry: dialogAt(2, 0), Hooks: heard(call{1, prompt("p")}, call{1.5, pre("p", "Bash", "u")})},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "a dialog holds its turn up", Source: SourceRegistry},
		},
		{
			"the same where only the transcript tells of the turn",
			Evidence{Registry: dialogAt(2, 0), Transcript: TranscriptEvidence{PromptAt: at(1)}},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "a dialog holds its turn up", Source: SourceRegistry},
		},
		{
			"a turn that ends under the person's own dialog does so in Claude's word first",
			Evidence{Registry: dialogAt(3, 0), Hooks: heard(call{1, prompt("p")}, call{1.5, pre("p", "Bash", "u")}, call{2, post("p", "Bash", "u")})},
			3.9,
			Verdict{Status: StatusNeedsInput, Reason: "has a dialog open", Source: SourceRegistry, Dialog: true},
		},
		{
			"where nothing tells of its end soon, it has not ended",
			Evidence{Registry: dialogAt(3, 0), Hooks: heard(call{1, prompt("p")}, call{1.5, pre("p", "Bash", "u")}, call{2, post("p", "Bash", "u")})},
			4,
			Verdict{Status: StatusNeedsInput, Reason: "a dialog holds its turn up", Source: SourceRegistry},
		},
		{
			"no turn ends while its tool is at work",
			Evidence{Registry: dialogAt(2, 0), Hooks: heard(call{1, prompt("p")}, call{1.5, pre("p", "Bash", "u")})},
			2,
			Verdict{Status: StatusNeedsInput, Reason: "a dialog holds its turn up", Source: SourceRegistry},
		},
		{
			"the same where only the transcript tells of the tool",
			Evidence{Registry: dialogAt(2, 0), Transcript: TranscriptEvidence{PromptAt: at(1), Tool: "Bash", ToolAt: at(1.5), ToolPending: true}},
			2,
			Verdict{Status: StatusNeedsInput, Reason: "a dialog holds its turn up", Source: SourceRegistry},
		},
		{
			"a dialog after the turn is the person's own",
			Evidence{Registry: dialogAt(5, 0), Hooks: heard(call{1, prompt("p")}, call{3, stop("p")})},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "has a dialog open", Source: SourceRegistry, Dialog: true},
		},
		{
			"so it is after a turn whose end nobody told, once Claude has rested",
			Evidence{Registry: dialogAt(5, 3), Hooks: heard(call{1, prompt("p")}), Transcript: TranscriptEvidence{PromptAt: at(1)}},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "has a dialog open", Source: SourceRegistry, Dialog: true},
		},
		{
			"and after an interrupted one",
			Evidence{Registry: dialogAt(5, 0), Hooks: heard(call{1, prompt("p")}), Transcript: TranscriptEvidence{PromptAt: at(1), InterruptedAt: at(3)}},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "has a dialog open", Source: SourceRegistry, Dialog: true},
		},
		{
			"and beside background work",
			Evidence{Registry: dialogAt(5, 0), Hooks: heard(call{1, prompt("p")}, call{3, stop("p", running)})},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "has a dialog open", Source: SourceRegistry, Dialog: true},
		},
		{
			"a turn of the process before is not this one's (/resume)",
			Evidence{Registry: dialogAt(5, 0), Process: ProcessEvidence{Began: at(2)}, Transcript: TranscriptEvidence{PromptAt: at(1)}},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "has a dialog open", Source: SourceRegistry, Dialog: true},
		},
		{
			"an unknown waitingFor is passed on, not matched",
			Evidence{Registry: RegistryEvidence{At: at(1), Word: "waiting", WaitingFor: "approve Bash", StatusAt: at(1)}},
			9,
			Verdict{Status: StatusNeedsInput, Reason: "waits: approve Bash", Source: SourceRegistry},
		},
		{
			"Esc ends busy without a hook (B01)",
			Evidence{Registry: word("idle", 5), Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "Bash", "t1")})},
			5.1,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceRegistry},
		},
		{
			"a permission request beats a word that is older, at once (B06)",
			Evidence{Registry: word("busy", 1), Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "Bash", "t1")}, call{2.1, request("p1", "Bash", "t1")})},
			2.15,
			Verdict{Status: StatusNeedsInput, Reason: "waits for permission", Source: SourceHook},
		},
		{
			"after the grace Claude's own word wins again",
			Evidence{Registry: word("busy", 1), Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "Bash", "t1")}, call{2.1, request("p1", "Bash", "t1")})},
			3.2,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceRegistry},
		},
		{
			"answered: busy as soon as the word says so (B06)",
			Evidence{Registry: word("busy", 4), Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "Bash", "t1")}, call{2.1, request("p1", "Bash", "t1")})},
			4.01,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceRegistry},
		},
		{
			"a permission notice that is six seconds late makes no new wait",
			Evidence{Registry: word("busy", 4), Hooks: heard(call{1, prompt("p1")}, call{2.1, request("p1", "Bash", "t1")}, call{8.4, notice("permission_prompt")})},
			8.5,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceRegistry},
		},
		{
			"a question is needs-input although the word stays busy (B08)",
			Evidence{Registry: word("busy", 1), Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "AskUserQuestion", "t1")})},
			32,
			Verdict{Status: StatusNeedsInput, Reason: "asks a question", Source: SourceHook},
		},
		{
			"plan approval is needs-input although the word stays busy (B08)",
			Evidence{Registry: word("busy", 1), Hooks: heard(call{1, prompt("p1")}, call{2, pre("p1", "ExitPlanMode", "t1")})},
			32,
			Verdict{Status: StatusNeedsInput, Reason: "waits for plan approval", Source: SourceHook},
		},
		{
			"a pending question is seen in the transcript alone",
			Evidence{Registry: word("busy", 1), Transcript: TranscriptEvidence{At: at(2), Tool: "AskUserQuestion", ToolAt: at(2), ToolPending: true}},
			32,
			Verdict{Status: StatusNeedsInput, Reason: "asks a question", Source: SourceTranscript},
		},
		{
			"a question answered long ago whose hook was lost does not stick",
			Evidence{
				Registry: RegistryEvidence{At: at(9), Word: "busy", StatusAt: at(9), WaitingAt: at(2.1), WorkedAt: at(9)},
				Hooks:    heard(call{1, prompt("p1")}, call{2, pre("p1", "AskUserQuestion", "t1")}),
			},
			32,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceRegistry},
		},
		{
			"a turn that ended is review until somebody looks",
			Evidence{Registry: RegistryEvidence{At: at(3), Word: "idle", StatusAt: at(3), WorkedAt: at(1)}, Hooks: heard(call{1, prompt("p1")}, call{3, stop("p1")})},
			9,
			Verdict{Status: StatusReview, Reason: "done", Source: SourceRegistry},
		},
		{
			"a look ends review",
			Evidence{LookedAt: at(4), Registry: RegistryEvidence{At: at(3), Word: "idle", StatusAt: at(3), WorkedAt: at(1)}, Hooks: heard(call{1, prompt("p1")}, call{3, stop("p1")})},
			9,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceRegistry},
		},
		{
			"a turn that ends on a tool call has no Stop: the transcript tells (B09)",
			Evidence{
				Registry: RegistryEvidence{At: at(3), Word: "idle", StatusAt: at(3), WorkedAt: at(1)},
				Hooks:    heard(call{1, prompt("p1")}, call{2, pre("p1", "Bash", "t1")}, call{2.5, post("p1", "Bash", "t1")}), Transcript: TranscriptEvidence{At: at(3), TurnEndAt: at(3)},
			},
			9,
			Verdict{Status: StatusReview, Reason: "done", Source: SourceRegistry},
		},
		{
			"an interrupted turn is idle and says so",
			Evidence{Registry: RegistryEvidence{At: at(3), Word: "idle", StatusAt: at(3), WorkedAt: at(1)}, Transcript: TranscriptEvidence{At: at(3), InterruptedAt: at(3)}},
			9,
			Verdict{Status: StatusIdle, Reason: "interrupted", Source: SourceRegistry, Interrupted: true},
		},
		{
			"a shell line starts no turn (B10)",
			Evidence{Registry: word("idle", 1)},
			9,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceRegistry},
		},
		{
			"an API error is a failed review",
			Evidence{Registry: RegistryEvidence{At: at(3), Word: "idle", StatusAt: at(3), WorkedAt: at(1)}, Hooks: heard(call{1, prompt("p1")}, call{3, Hook{Name: HookStopFailure, PromptID: "p1", Error: "rate_limit"}})},
			9,
			Verdict{Status: StatusReview, Reason: "stopped with an API error", Source: SourceRegistry, Failed: "rate_limit"},
		},
		{
			"a question in prose is not a dialog (B16)",
			Evidence{
				Registry: RegistryEvidence{At: at(3), Word: "idle", StatusAt: at(3), WorkedAt: at(1)}, LookedAt: at(3.5),
				Hooks: heard(call{1, prompt("p1")}, call{3, Hook{Name: HookStop, PromptID: "p1", LastMessage: "Shall I drop the table?"}}),
			},
			9,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceRegistry},
		},
		{
			"between a background task and the prompt by which Claude wakes up, nothing is done",
			Evidence{
				Registry: RegistryEvidence{At: at(9.2), Word: "idle", StatusAt: at(9.2), WorkedAt: at(8)},
				Hooks:    heard(call{1, prompt("p1")}, call{3, stop("p1", running)}, call{9.1, inside("a1", Hook{Name: HookSubagentStop})}),
			},
			9.22,
			Verdict{Status: StatusBusy, Reason: "goes on by itself", Source: SourceHook},
		},
	})
}

// Rules 5 and 6: silence.
func TestJudgeBySilence(t *testing.T) {
	judgeAll(t, []judged{
		{
			"a young process without a word is starting",
			Evidence{FirstSeen: at(0), Process: ProcessEvidence{Claude: true}},
			3,
			Verdict{Status: StatusUnknown, Reason: "starting", Source: SourceProcess, Starting: true},
		},
		{
			"an older one without a composer on screen shows a start-up dialog (B42)",
			Evidence{FirstSeen: at(0), Process: ProcessEvidence{Claude: true}, Screen: ScreenEvidence{At: at(11), Dialog: true}},
			12,
			Verdict{Status: StatusNeedsInput, Reason: "start-up dialog (trust?)", Source: SourceScreen},
		},
		{
			"a headless run shows no dialog whatever is on its screen",
			Evidence{FirstSeen: at(0), Process: ProcessEvidence{Claude: true, Headless: true}, Screen: ScreenEvidence{At: at(11), Dialog: true}},
			12,
			Verdict{Status: StatusUnknown, Reason: "no hooks, no registry", Source: SourceNone},
		},
		{
			"a screen without a box and without a choice is no dialog (B23)",
			Evidence{FirstSeen: at(0), Process: ProcessEvidence{Claude: true}, Screen: ScreenEvidence{At: at(11)}},
			12,
			Verdict{Status: StatusUnknown, Reason: "no hooks, no registry", Source: SourceNone},
		},
		{
			"what a session did before this process took it up is no news (/resume)",
			Evidence{
				Process: ProcessEvidence{Began: at(100)}, Registry: word("idle", 101),
				Transcript: TranscriptEvidence{At: at(102), TurnEndAt: at(50), PromptAt: at(40)},
			},
			103,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceRegistry},
		},
		{
			"and a turn of its own is",
			Evidence{
				Process: ProcessEvidence{Began: at(100)}, Registry: RegistryEvidence{At: at(203), Word: "idle", StatusAt: at(203), WorkedAt: at(200)},
				Transcript: TranscriptEvidence{At: at(204), TurnEndAt: at(203), PromptAt: at(200)},
			},
			205,
			Verdict{Status: StatusReview, Reason: "done", Source: SourceRegistry},
		},
		{
			"a call without a prompt id among others opens no turn of its own",
			Evidence{LookedAt: at(9), Hooks: heard(call{1, prompt("p1")}, call{2, pre("", "Bash", "t1")}, call{3, stop("p1")})},
			10,
			Verdict{Status: StatusIdle, Reason: "ready", Source: SourceHook},
		},
		{
			"unknown before our restart hides nothing",
			Evidence{FirstSeen: at(0), Restored: RestoredEvidence{At: at(1), Status: StatusUnknown}},
			60,
			Verdict{Status: StatusUnknown, Reason: "no hooks, no registry", Source: SourceNone},
		},
		{
			"an older one with a composer is unknown, never idle",
			Evidence{FirstSeen: at(0), Process: ProcessEvidence{Claude: true}, Screen: ScreenEvidence{At: at(11), Composer: true}},
			12,
			Verdict{Status: StatusUnknown, Reason: "no hooks, no registry", Source: SourceNone},
		},
		{
			"a start time that cannot be checked is unknown (B13)",
			Evidence{Registry: RegistryEvidence{At: at(1), Trust: TrustUnproven, Word: "idle", StatusAt: at(1)}},
			60,
			Verdict{Status: StatusUnknown, Reason: "its start time cannot be checked", Source: SourceRegistry},
		},
		{
			"busy before our restart is unknown until something speaks",
			Evidence{FirstSeen: at(0), Restored: RestoredEvidence{At: at(1), Status: StatusBusy}},
			2,
			Verdict{Status: StatusUnknown, Reason: "was busy before the restart", Source: SourceJournal},
		},
		{
			"review before our restart is kept",
			Evidence{FirstSeen: at(0), Restored: RestoredEvidence{At: at(1), Status: StatusReview}},
			2,
			Verdict{Status: StatusReview, Reason: "as before the restart", Source: SourceJournal},
		},
		{
			"a hung stream stays busy and is marked quiet",
			Evidence{Registry: word("busy", 0)},
			301,
			Verdict{Status: StatusBusy, Reason: "works", Source: SourceRegistry, Quiet: true, QuietFor: 5},
		},
	})
}
