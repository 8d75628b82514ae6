package transcript

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// at is a time of the made-up transcripts, s seconds into them.
func at(s int) time.Time { return time.Date(2026, 11, 30, 22, 0, s, 0, time.UTC) }

func stamp(s int) string { return at(s).Format(time.RFC3339Nano) }

func promptLine(s int, text string) string {
	return fmt.Sprintf(`{"type":"user","message":{"role":"user","content":%q},"timestamp":%q}`, text, stamp(s))
}

func textLine(s int, id, text string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":%q,"model":"m1","content":[{"type":"text","text":%q}],"usage":{"input_tokens":10,"output_tokens":5}},"timestamp":%q}`, id, text, stamp(s))
}

func useLine(s int, id, tool, input string) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"id":"calls","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]},"timestamp":%q}`, id, tool, input, stamp(s))
}

func resultLine(s int, id, text string) string {
	return fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":%q,"content":%q}]},"timestamp":%q}`, id, text, stamp(s))
}

func interruptLine(s int, text string) string {
	return fmt.Sprintf(`{"type":"user","message":{"content":[{"type":"text","text":%q}]},"timestamp":%q}`, text, stamp(s))
}

func systemLine(s int, sub string) string {
	return fmt.Sprintf(`{"type":"system","subtype":%q,"timestamp":%q}`, sub, stamp(s))
}

func queueLine(s int, op, content string) string {
	if content == "" {
		return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"timestamp":%q}`, op, stamp(s))
	}
	return fmt.Sprintf(`{"type":"queue-operation","operation":%q,"content":%q,"timestamp":%q}`, op, content, stamp(s))
}

func sidechain(line string) string { return strings.Replace(line, "{", `{"isSidechain":true,`, 1) }

const bashInput = `{"command":"make","description":"x"}`

func TestPendingToolIsACallWithoutAResult(t *testing.T) {
	use := useLine(1, "t1", "Bash", bashInput)
	for name, c := range map[string]struct {
		lines   []string
		tool    string
		pending bool
	}{
		"call":                       {[]string{use}, "Bash", true},
		"result":                     {[]string{use, resultLine(2, "t1", "ok")}, "Bash", false},
		"result of another call":     {[]string{use, resultLine(2, "t0", "ok")}, "Bash", true},
		"plain interrupt":            {[]string{use, interruptLine(2, "[Request interrupted by user]")}, "Bash", false},
		"interrupt for tool use":     {[]string{use, interruptLine(2, "[Request interrupted by user for tool use]")}, "Bash", false},
		"end of turn":                {[]string{use, systemLine(2, "turn_duration")}, "Bash", false},
		"compaction":                 {[]string{use, systemLine(2, "compact_boundary")}, "Bash", false},
		"other system lines":         {[]string{use, systemLine(2, "stop_hook_summary"), systemLine(2, "informational")}, "Bash", true},
		"newer prompt after a crash": {[]string{use, promptLine(9, "go on")}, "Bash", false},
		"a notice is no prompt":      {[]string{use, promptLine(9, "<task-notification>x</task-notification>")}, "Bash", true},
		"parallel, both open":        {[]string{use, useLine(1, "t2", "Read", `{"file_path":"/a"}`)}, "Bash", true},
		"parallel, first done":       {[]string{use, useLine(1, "t2", "Read", `{"file_path":"/a"}`), resultLine(2, "t1", "")}, "Read", true},
		"parallel, newest done":      {[]string{use, useLine(1, "t2", "Read", `{"file_path":"/a"}`), resultLine(2, "t2", "")}, "Bash", true},
		"parallel, all done":         {[]string{use, useLine(1, "t2", "Read", `{}`), resultLine(2, "t2", ""), resultLine(3, "t1", "")}, "Read", false},
		"a question is shown first":  {[]string{use, useLine(1, "t2", "AskUserQuestion", `{"questions":[{"question":"Which?"}]}`)}, "AskUserQuestion", true},
		"so is a plan":               {[]string{use, useLine(1, "t2", "ExitPlanMode", `{"plan":"1."}`)}, "ExitPlanMode", true},
		"next answer":                {[]string{use, textLine(2, "a", "x")}, "Bash", false},
		"same answer goes on":        {[]string{use, textLine(2, "calls", "x")}, "Bash", true},
		"subagent's answer":          {[]string{use, sidechain(textLine(2, "a", "x"))}, "Bash", true},
		"finished answer":            {[]string{use, `{"type":"assistant","message":{"stop_reason":"end_turn"}}`}, "Bash", false},
		"subagent's call":            {[]string{sidechain(use)}, "", false},
		"subagent's result":          {[]string{use, sidechain(resultLine(2, "t1", ""))}, "Bash", true},
		"subagent's interrupt":       {[]string{use, sidechain(interruptLine(2, "[Request interrupted by user]"))}, "Bash", true},
		"result before the call":     {[]string{resultLine(1, "t1", ""), use}, "Bash", true},
	} {
		f := factsOf(c.lines...)
		if f.Tool != c.tool || f.ToolPending != c.pending {
			t.Errorf("%s: %q pending %v", name, f.Tool, f.ToolPending)
		}
	}
}

func TestToolIsTheOneShownWithItsArgument(t *testing.T) {
	f := factsOf(useLine(1, "t1", "Bash", bashInput), useLine(2, "t2", "Read", `{"file_path":"/a"}`))
	if f.ToolDetail != "make" || f.ToolUseID != "t1" || !f.ToolAt.Equal(at(1)) {
		t.Errorf("%+v", f)
	}
}

func TestMoreParallelCallsThanAreRememberedDoNotGrow(t *testing.T) {
	var lines []string
	for i := range 3 * maxPending {
		lines = append(lines, useLine(1, fmt.Sprint("t", i), "Read", `{}`))
	}
	if n := len(foldLines(lines...).pending); n != maxPending {
		t.Errorf("%d calls kept", n)
	}
}

func TestPromptIsWhatAPersonAsked(t *testing.T) {
	with := func(line, fields string) string { return strings.Replace(line, "{", "{"+fields+",", 1) }
	old := promptLine(1, "first")
	for name, c := range map[string]struct{ line, want string }{
		"text":                      {promptLine(2, "  second\n"), "second"},
		"text blocks":               {`{"type":"user","message":{"content":[{"type":"text","text":"look"},{"type":"image"},{"type":"text","text":"here"}]}}`, "look\nhere"},
		"only an image":             {`{"type":"user","message":{"content":[{"type":"image","source":{}}]}}`, "[image]"},
		"typed by a person":         {with(promptLine(2, "Caveat: be careful"), `"origin":{"kind":"human"}`), "Caveat: be careful"},
		"marker typed by a person":  {with(promptLine(2, "[Request interrupted by user] why?"), `"origin":{"kind":"human"}`), "[Request interrupted by user] why?"},
		"another origin":            {with(promptLine(2, "go"), `"origin":{"kind":"task-notification"}`), "first"},
		"meta":                      {with(promptLine(2, "x"), `"isMeta":true`), "first"},
		"summary":                   {with(promptLine(2, "x"), `"isCompactSummary":true`), "first"},
		"subagent's prompt":         {sidechain(promptLine(2, "x")), "first"},
		"tool result":               {resultLine(2, "t1", "x"), "first"},
		"command":                   {promptLine(2, "<command-name>/x</command-name>"), "first"},
		"command output":            {promptLine(2, "<local-command-stdout>x"), "first"},
		"notification":              {promptLine(2, "\n<task-notification>"), "first"},
		"reminder":                  {promptLine(2, "<system-reminder>"), "first"},
		"caveat":                    {promptLine(2, "Caveat: the messages below"), "first"},
		"hook feedback":             {promptLine(2, "Stop hook feedback:\nno"), "first"},
		"shell line (B10)":          {promptLine(2, "<bash-input>ls</bash-input>"), "first"},
		"shell output (B10)":        {promptLine(2, "<bash-stdout>a</bash-stdout>"), "first"},
		"interrupt":                 {interruptLine(2, "[Request interrupted by user]"), "first"},
		"absorbed in a turn (B63)":  {`{"type":"attachment","attachment":{"type":"queued_command","prompt":"and docs","commandMode":"prompt","origin":{"kind":"human"}}}`, "and docs"},
		"absorbed, older version":   {`{"type":"attachment","attachment":{"type":"queued_command","prompt":[{"type":"text","text":"and docs"}]}}`, "and docs"},
		"absorbed notification":     {`{"type":"attachment","attachment":{"type":"queued_command","prompt":"x","commandMode":"task-notification"}}`, "first"},
		"other attachment":          {`{"type":"attachment","attachment":{"type":"date","prompt":"x"}}`, "first"},
		"last-prompt does not win":  {`{"type":"last-prompt","lastPrompt":"older"}`, "first"},
		"API request copies (2026)": {`{"type":"api-request-blob","message":{"role":"user","content":"copy"}}`, "first"},
	} {
		if f := factsOf(old, c.line); f.Prompt != c.want {
			t.Errorf("%s: %q, want %q", name, f.Prompt, c.want)
		}
	}
}

func TestLastPromptRecordStandsInWhenThePromptIsNotInTheTail(t *testing.T) {
	f := factsOf(`{"type":"last-prompt","lastPrompt":"long ago"}`, `{"type":"last-prompt","lastPrompt":"! ls"}`, textLine(1, "a", "x"))
	if f.Prompt != "long ago" || !f.PromptAt.IsZero() {
		t.Errorf("%q at %v", f.Prompt, f.PromptAt)
	}
}

func TestInterruptIsSeenInEveryForm(t *testing.T) {
	for name, c := range map[string]struct {
		line string
		want bool
	}{
		"plain":                  {interruptLine(3, "[Request interrupted by user]"), true},
		"for tool use":           {interruptLine(3, "[Request interrupted by user for tool use]"), true},
		"a form not seen yet":    {interruptLine(3, "[Request interrupted by user, who was tired]"), true},
		"as a string":            {promptLine(3, "[Request interrupted by user]"), true},
		"in a failed result":     {`{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true,"content":"[Request interrupted by user for tool use]"}]},"timestamp":"` + stamp(3) + `"}`, true},
		"printed by a tool":      {resultLine(3, "t", "[Request interrupted by user]"), false},
		"quoted by a person":     {promptLine(3, "why [Request interrupted by user]?"), false},
		"said by the model":      {textLine(3, "a", "[Request interrupted by user]"), false},
		"in a copy of a request": {`{"type":"api-request-blob","message":{"role":"user","content":"[Request interrupted by user]"},"timestamp":"` + stamp(3) + `"}`, false},
	} {
		f := factsOf(promptLine(1, "go"), c.line)
		if got := !f.InterruptedAt.IsZero(); got != c.want || got && !f.InterruptedAt.Equal(at(3)) {
			t.Errorf("%s: interrupted at %v", name, f.InterruptedAt)
		}
	}
}

func TestTurnThatEndsOnAToolCallIsOver(t *testing.T) { // B09
	f := factsOf(promptLine(1, "go"), useLine(2, "t1", "Bash", bashInput), resultLine(3, "t1", "ok"), systemLine(4, "turn_duration"))
	if !f.TurnEndAt.Equal(at(4)) || f.ToolPending {
		t.Errorf("%+v", f)
	}
}

func TestLastWordsAreTheMainChains(t *testing.T) { // B62
	f := factsOf(textLine(1, "a", "done"), sidechain(textLine(2, "b", "subagent")), sidechain(useLine(3, "t1", "Bash", bashInput)),
		systemLine(4, "informational"), `{"type":"attachment","attachment":{"type":"date"}}`, `{"type":"last-prompt","lastPrompt":"x"}`, `{"type":"frame-link","x":1}`)
	if f.LastText != "done" || f.ToolPending || f.Tool != "" {
		t.Errorf("%+v", f)
	}
	if !f.LastAt.Equal(at(4)) {
		t.Errorf("last at %v: a subagent's record is a sign of life", f.LastAt)
	}
}

func TestHarnessMessagesAreNotTheModels(t *testing.T) {
	f := factsOf(textLine(1, "a", "real"), `{"type":"assistant","message":{"id":"s","model":"<synthetic>","content":[{"type":"text","text":"No response requested."}],"usage":{"input_tokens":7,"output_tokens":7}}}`)
	if f.LastText != "real" || f.Model != "m1" || f.Tokens.Input != 10 {
		t.Errorf("%+v", f)
	}
}

func TestAPIErrorIsAKindOrItsText(t *testing.T) {
	line := func(kind string) string {
		return `{"type":"assistant","isApiErrorMessage":true,"error":` + kind + `,"message":{"id":"e","model":"<synthetic>","content":[{"type":"text","text":"API Error: 400\nbad"}]},"timestamp":"` + stamp(5) + `"}`
	}
	for kind, want := range map[string]string{`"rate_limit"`: "rate_limit", `"unknown"`: "API Error: 400 bad", `{"message":"x"}`: "API Error: 400 bad", `null`: "API Error: 400 bad"} {
		f := factsOf(textLine(1, "a", "an earlier answer"), useLine(1, "t1", "Bash", bashInput), line(kind))
		if f.Error != want || !f.ErrorAt.Equal(at(5)) || f.ToolPending || f.LastText != "API Error: 400\nbad" || !f.LastTextAt.Equal(at(5)) {
			t.Errorf("%s: %+v", kind, f)
		}
	}
}

func TestRecordsWithoutATimeStandWhereTheyAre(t *testing.T) {
	f := factsOf(promptLine(5, "go"), `{"type":"user","message":{"content":"[Request interrupted by user]"},"timestamp":"not a time"}`)
	if !f.InterruptedAt.After(f.PromptAt) || f.InterruptedAt.After(at(6)) {
		t.Errorf("interrupted at %v", f.InterruptedAt)
	}
	a := newAccum(newLedger(8), 1)
	a.clock = at(9)
	a.fold(&record{kind: "system", sub: "turn_duration"})
	if f := a.sum(nil, true); !f.TurnEndAt.Equal(at(9)) {
		t.Errorf("a file without times: turn end %v, want the clock of the file", f.TurnEndAt)
	}
}

func TestTitlesAndContextAreTheNewest(t *testing.T) {
	f := factsOf(`{"type":"ai-title","aiTitle":"Old"}`, `{"type":"ai-title","aiTitle":"Fix\nthe \u001b]52;c;x\u0007 parser"}`, `{"type":"custom-title","customTitle":"api"}`,
		`{"type":"permission-mode","permissionMode":"plan"}`, `{"type":"user","cwd":"/a","gitBranch":"main","version":"2.1.1","message":{"content":"x"}}`)
	if f.AITitle != "Fix the ]52;c;x parser" || f.CustomTitle != "api" || f.Mode != "plan" || f.CWD != "/a" || f.GitBranch != "main" || f.Version != "2.1.1" {
		t.Errorf("%+v", f)
	}
}

func TestTextIsBounded(t *testing.T) {
	long := strings.Repeat("ж", 30_000)
	f := factsOf(promptLine(1, long), textLine(2, "a", long), queueLine(3, "enqueue", long), `{"type":"ai-title","aiTitle":"`+long+`"}`)
	for name, s := range map[string]string{"prompt": f.Prompt, "last": f.LastText, "title": f.AITitle, "queued": f.Queued[0]} {
		most := textRunes
		if name == "title" || name == "queued" {
			most = labelRunes
		}
		if n := utf8.RuneCountInString(s); n != most || !strings.HasSuffix(s, "…") {
			t.Errorf("%s: %d characters", name, n)
		}
	}
	if s := clip("abc", 3); s != "abc" {
		t.Errorf("a text that fits is cut: %q", s)
	}
	if s := clip("äöü", 3); s != "äöü" {
		t.Errorf("a text that fits is cut: %q", s)
	}
}

func TestQueuedPromptsAreShownOnceUntilDelivered(t *testing.T) { // B63
	enq := func(s string) string { return queueLine(1, "enqueue", s) }
	deq := queueLine(2, "dequeue", "")
	notice := "<task-notification>x"
	absorbed := func(s string) string {
		return fmt.Sprintf(`{"type":"attachment","attachment":{"type":"queued_command","prompt":%q}}`, s)
	}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"waiting":                    {[]string{enq("a"), enq("b")}, "a|b"},
		"taken, not delivered yet":   {[]string{enq("a"), enq("b"), deq}, "b"},
		"delivered as a turn":        {[]string{enq("a"), enq("b"), deq, promptLine(3, "a")}, "b"},
		"another one was taken":      {[]string{enq("a"), enq("b"), deq, promptLine(3, "b")}, "a"},
		"a notice waits before it":   {[]string{enq(notice), enq("b"), deq, promptLine(3, notice)}, "b"},
		"a notice waits, but not it": {[]string{enq(notice), enq("b"), deq, promptLine(3, "b")}, ""},
		"notices are not prompts":    {[]string{enq(notice)}, ""},
		"removed by text":            {[]string{enq("a"), enq("b"), queueLine(2, "remove", "b")}, "a"},
		"absorbed":                   {[]string{enq("a"), queueLine(2, "remove", "a"), absorbed("a")}, ""},
		"absorbed without a removal": {[]string{enq("a"), enq("b"), absorbed("a")}, "b"},
		"same text twice":            {[]string{enq("a"), enq("a"), deq, promptLine(3, "a")}, "a"},
		"absorbed, 2.0.76":           {[]string{enq("a"), enq("b"), queueLine(2, "remove", "")}, "b"},
		"all taken back":             {[]string{enq("a"), enq("b"), queueLine(2, "popAll", "a"), queueLine(2, "popAll", "b")}, ""},
		"all taken back, no text":    {[]string{enq("a"), enq("b"), queueLine(2, "popAll", "")}, ""},
		"taken before the tail":      {[]string{deq, enq("a")}, "a"},
		"lost in a crash":            {[]string{enq("a"), strings.Replace(promptLine(9, "new"), "{", `{"promptSource":"typed",`, 1)}, ""},
		"unknown operation":          {[]string{enq("a"), queueLine(2, "shuffle", "")}, "a"},
	} {
		if got := strings.Join(factsOf(c.lines...).Queued, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	f := factsOf(promptLine(0, "go"), enq("also fix the docs"), absorbed("also fix the docs"))
	if f.Prompt != "also fix the docs" || len(f.Queued) != 0 {
		t.Errorf("prompt %q, queued %q", f.Prompt, f.Queued)
	}
}

func TestPromptAbsorbedWithoutARecordIsThePrompt(t *testing.T) { // as 2.0.76 writes it
	f := factsOf(promptLine(0, "go"), queueLine(1, "enqueue", "also fix the docs"), queueLine(2, "remove", ""))
	if f.Prompt != "also fix the docs" || !f.PromptAt.Equal(at(2)) {
		t.Errorf("%q at %v", f.Prompt, f.PromptAt)
	}
	f = factsOf(promptLine(0, "go"), queueLine(1, "enqueue", "<task-notification>"), queueLine(2, "remove", ""))
	if f.Prompt != "go" {
		t.Errorf("%q", f.Prompt)
	}
}

func TestQueueIsBounded(t *testing.T) {
	var lines []string
	for i := range 100 {
		lines = append(lines, queueLine(1, "enqueue", fmt.Sprint("p", i)))
	}
	if q := factsOf(lines...).Queued; len(q) != maxQueued || q[maxQueued-1] != "p99" {
		t.Errorf("%d queued", len(q))
	}
}

func TestOlderPartOfAFileOnlyFillsGaps(t *testing.T) {
	head := foldLines(promptLine(1, "old prompt"), `{"type":"custom-title","customTitle":"old"}`, `{"type":"ai-title","aiTitle":"ai"}`,
		textLine(2, "a", "old words"), systemLine(3, "turn_duration"))
	tail := foldLines(`{"type":"custom-title","customTitle":"new"}`, textLine(9, "b", "new words"), `{"type":"last-prompt","lastPrompt":"weak"}`)

	f := tail.sum(head, false)
	if f.Prompt != "weak" || f.AITitle != "" || f.Tokens.Input != 20 {
		t.Errorf("while counting: %+v", f)
	}
	f = tail.sum(head, true)
	if f.Prompt != "old prompt" || !f.PromptAt.Equal(at(1)) || f.CustomTitle != "new" || f.AITitle != "ai" || f.LastText != "new words" || !f.TurnEndAt.Equal(at(3)) {
		t.Errorf("counted: %+v", f)
	}
}
