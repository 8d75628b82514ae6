//go:build linux

package desk_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"signalbox/hookrecv/settings"
)

// The whole program against its budgets. Everything is real: the built board in a pane of a private
// tmux, a person's terminal attached to it, the hook client run through a shell, registry files
// written in place, and at the end the moment at which the terminal got the changed row.
//
//	go test -run xxx -bench Board ./tui/desk
//	go test -run xxx -bench 'Board|Hook' -benchtime 200x ./tui/desk -board.rest 60s

// sizes of the worlds: windows, and agents in them.
var sizes = []struct{ windows, agents int }{{10, 5}, {100, 30}, {500, 100}}

func BenchmarkBoard(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("windows=%d/agents=%d", size.windows, size.agents), func(b *testing.B) {
			w := newWorld(b, size.windows, size.agents)
			b.Run("program=signalbox", func(b *testing.B) { benchmarkBoard(b, w) })
			b.Run("program=shell-loop", func(b *testing.B) { benchmarkLoop(b, w) })
		})
	}
}

// benchmarkBoard measures the way from a fact to the person's terminal, and then what the board
// costs while nothing happens.
func benchmarkBoard(b *testing.B, w *world) {
	if w.board.ID == "" {
		w.start()
	}
	var hook, file, back samples
	for n := 0; b.Loop(); n++ {
		w.facts(n, &hook, &file, &back)
	}
	hook.report(b, "hook")
	file.report(b, "file")
	back.report(b, "back")
	time.Sleep(settled) // what was asked for is answered, and the last turn's files are written
	was := w.spent()
	time.Sleep(*restFor)
	w.spent().since(was).report(b)
	b.ReportMetric(rssMB(b, w.pid), "RSS-MB")
	b.ReportMetric(float64(files(b, w.pid)), "files")
}

// BenchmarkBoardIdle measures what a board costs beside agents that all wait for a prompt: no lamp moves.
func BenchmarkBoardIdle(b *testing.B) {
	for _, size := range sizes {
		b.Run(fmt.Sprintf("windows=%d/agents=%d", size.windows, size.agents), func(b *testing.B) {
			w := newWorld(b, size.windows, size.agents)
			w.rest()
			w.start()
			for b.Loop() { // what is measured is the rest, not how often it is asked for
			}
			was := w.spent()
			time.Sleep(*restFor)
			w.spent().since(was).report(b)
			b.ReportMetric(rssMB(b, w.pid), "RSS-MB")
		})
	}
}

// settled is how long a board needs to come to rest.
const settled = 2 * time.Second

// facts drives one agent by its hooks and one by its file alone: needs-input and back.
func (w *world) facts(n int, hook, file, back *samples) {
	pairs := min(len(w.agents), 20) / 2 // those in sight
	one, two := w.agents[n%pairs*2], w.agents[n%pairs*2+1]
	mark := fmt.Sprintf("fact%06d.", n)
	measure := func(s *samples, fact func(), texts ...string) {
		w.person.expectAny(texts...)
		began := time.Now()
		fact()
		w.person.arrived(texts...)
		*s = append(*s, w.person.seen.Sub(began))
	}
	measure(hook, func() { w.hook(one, one.call("PermissionRequest", mark+"h")) }, mark+"h")
	one.says(w.t, "waiting", "permission prompt")
	measure(file, func() { two.says(w.t, "waiting", mark+"f") }, mark+"f")
	measure(back, func() { one.says(w.t, "busy", "") }, inAny("◐◓◑◒", one.cell)...)
	measure(back, func() { two.says(w.t, "idle", "") }, "· "+two.cell, "·  "+two.cell)
}

// inAny is a cell with any of the lamps; the index of a window may be set in two columns.
func inAny(lamps, cell string) []string {
	var out []string
	for _, lamp := range lamps {
		out = append(out, string(lamp)+" "+cell, string(lamp)+"  "+cell)
	}
	return out
}

// loopScript is the cheapest thing a person could do instead: list the panes and look at the screen
// of every agent, once a second. It learns of a change half a second late on average, and has only
// the screen to guess from.
const loopScript = `while :; do
	for pane in $(tmux list-panes -a -F '#{pane_id} #{pane_current_command}' | sed -n 's/ claude$//p'); do
		tmux capture-pane -p -t "$pane" | grep -q 'Do you want' && echo "$pane waits"
	done
	echo . >>"$ROUNDS"
	sleep 1
done`

func benchmarkLoop(b *testing.B, w *world) {
	if w.board.ID != "" {
		w.Run("kill-session", "-t", string(w.board.Session))
		w.board.ID = ""
	}
	rounds := filepath.Join(w.TmpDir(), "rounds")
	cmd := exec.Command("sh", "-c", loopScript)
	cmd.Env = append(w.Env(), "TMUX="+w.TmuxVar(w.Main().Session), "ROUNDS="+rounds)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	server, began := cpu(b, w.PID()), time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		// There is nothing to repeat: the loop runs by itself.
	}
	time.Sleep(*restFor)
	took := time.Since(began)
	used := childrenCPU(b, cmd.Process.Pid) + cpu(b, cmd.Process.Pid)
	server = cpu(b, w.PID()) - server
	_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	_ = cmd.Wait()
	data, err := os.ReadFile(rounds)
	if err != nil {
		b.Fatal(err)
	}
	programs := strings.Count(string(data), ".") * (3*len(w.agents) + 4)
	b.ReportMetric(used.Seconds()/took.Minutes(), "board-cpu-s/min")
	b.ReportMetric(server.Seconds()/took.Minutes(), "server-cpu-s/min")
	b.ReportMetric(float64(programs)/took.Seconds(), "programs/s")
}

// BenchmarkBoardStart is the time from the start of the program to a complete screen, with and
// without four gigabytes of transcripts.
func BenchmarkBoardStart(b *testing.B) {
	for _, size := range []struct{ windows, agents, gigabytes int }{{100, 30, 0}, {100, 30, 4}, {500, 100, 4}} {
		b.Run(fmt.Sprintf("windows=%d/agents=%d/transcripts=%dGB", size.windows, size.agents, size.gigabytes), func(b *testing.B) {
			w := newWorld(b, size.windows, size.agents)
			w.transcripts(size.gigabytes)
			var took samples
			for b.Loop() {
				w.open()
				took = append(took, w.launch(lastWords))
				w.Run("kill-session", "-t", string(w.board.Session))
			}
			b.ReportMetric(ms(took.at(0.5)), "complete-p50-ms")
			b.ReportMetric(ms(took.at(0.99)), "complete-p99-ms")
		})
	}
}

// projectDir is the folder of the agents' transcripts.
func (w *world) projectDir() string {
	return filepath.Join(w.claudeDir(), "projects", strings.NewReplacer("/", "-", ".", "-").Replace(w.Home()))
}

// transcripts gives every agent a transcript. Together they have so many gigabytes, most of which
// are holes that cost no disk; reading them costs as much as reading anything else.
func (w *world) transcripts(gigabytes int) {
	w.t.Helper()
	dir := w.projectDir()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.t.Fatal(err)
	}
	for _, a := range w.agents {
		f, err := os.Create(filepath.Join(dir, a.SessionID+".jsonl"))
		if err != nil {
			w.t.Fatal(err)
		}
		if gigabytes > 0 {
			err = f.Truncate(int64(gigabytes) << 30 / int64(len(w.agents)))
		}
		if err == nil {
			_, err = f.Seek(0, 2)
		}
		if err == nil {
			_, err = f.WriteString(a.turn())
		}
		if err == nil {
			err = f.Close()
		}
		if err != nil {
			w.t.Fatal(err)
		}
	}
}

// lastWords are what every agent has said last.
const lastWords = "all tests pass"

// turn is a finished turn as it stands in a transcript.
func (a *quietAgent) turn() string {
	const at = "2026-01-01T00:00:0"
	line := func(n int, format string, args ...any) string {
		return fmt.Sprintf(`{"uuid":"u%d","sessionId":%q,"cwd":%q,"version":"2.1.332","timestamp":"%s%dZ",`, n, a.SessionID, a.CWD, at, n) +
			fmt.Sprintf(format, args...) + "}\n"
	}
	return "\n" + line(1, `"type":"user","message":{"role":"user","content":"make the tests pass"}`) +
		line(2, `"type":"assistant","message":{"id":"m-%s","role":"assistant","model":"claude-opus","content":[{"type":"text","text":"`+lastWords+`"}],"usage":{"input_tokens":5,"output_tokens":7},"stop_reason":"end_turn"}`, a.SessionID) +
		line(3, `"type":"system","subtype":"turn_duration","durationMs":2000`)
}

// BenchmarkHook runs the hook client and another Go program in turn, both through a shell as Claude
// Code does: what differs is ours. The other one is empty, or reads what it is given where that is much.
// cpu is the processor time, which a busy machine does not change.
func BenchmarkHook(b *testing.B) {
	empty := goProgram(b, "empty", "package main\n\nfunc main() {}\n")
	reader := goProgram(b, "reader", "package main\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc main() { io.Copy(io.Discard, os.Stdin) }\n")
	w := newWorld(b, 1, 1)
	pad := strings.Repeat(`some words of a file\n`, 30<<20/22)
	for _, c := range []struct {
		name, payload string
		other         string
		board         bool
	}{
		{"board=none/payload=300B", w.agents[0].call("PreToolUse", "ls"), empty, false},
		{"board=one/payload=300B", w.agents[0].call("PreToolUse", "ls"), empty, true},
		{"board=one/payload=30MB", strings.TrimSuffix(w.agents[0].call("PostToolUse", "cat x"), "}") + `,"tool_response":{"stdout":"` + pad + `"}}`, reader, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			if c.board && w.board.ID == "" {
				w.start()
			}
			benchmarkPairs(b, w, c.other, c.payload)
		})
	}
}

func benchmarkPairs(b *testing.B, w *world, other, payload string) {
	var mine, theirs, mineCPU, theirsCPU samples
	run := func(program string, took, used *samples) {
		cmd := exec.Command("sh", "-c", settings.Command(program)) // the other one does not mind its argument
		cmd.Env, cmd.Stdin = w.env(w.agents[0]), bytes.NewReader([]byte(payload))
		began := time.Now()
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		*took = append(*took, time.Since(began))
		*used = append(*used, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	for b.Loop() {
		run(tested(), &mine, &mineCPU)
		run(other, &theirs, &theirsCPU)
	}
	b.ReportMetric(ms(mine.at(0.5)), "hook-p50-ms")
	b.ReportMetric(ms(mine.at(0.9)), "hook-p90-ms")
	name := filepath.Base(other)
	b.ReportMetric(ms(theirs.at(0.5)), name+"-p50-ms")
	b.ReportMetric(ms(theirs.at(0.9)), name+"-p90-ms")
	b.ReportMetric(ms(mineCPU.at(0.5)), "hook-cpu-ms")
	b.ReportMetric(ms(theirsCPU.at(0.5)), name+"-cpu-ms")
}
